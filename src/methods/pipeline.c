/* methods/pipeline.c: see pipeline.h. */
#include "methods/pipeline.h"

void ossai_pipeline_begin(ossa_context *context, const ossai_plan_step *plan, ossai_pipeline *pipeline)
{
	*pipeline = (ossai_pipeline){.context = context, .arena = ossai_arena_begin(context)};
	ossai_pipeline_plan(pipeline, plan);
}

void ossai_pipeline_plan(ossai_pipeline *pipeline, const ossai_plan_step *plan)
{
	size_t count = 0;
	while (plan[count].name) count++;
	ossai_plan(pipeline->context, plan, count);
}

ossa_status ossai_pipeline_end(ossai_pipeline *pipeline, ossa_status status, ossa_rig **rig)
{
	ossai_plan(pipeline->context, NULL, 0);
	ossai_arena_end(&pipeline->arena);
	if (status == OSSA_OK || !rig) return status;
	ossa_rig_free(pipeline->context, *rig);
	*rig = NULL;
	return status;
}

bool ossai_stage_enter(ossa_context *context, const char *name)
{
	ossai_stage_begin(context, name);
	return ossai_progress(context, 0) == OSSA_OK;
}

ossa_status ossai_stage_leave(ossa_context *context, ossa_status status)
{
	ossai_stage_end(context);
	return status;
}
