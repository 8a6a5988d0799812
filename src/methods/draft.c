/* methods/draft.c: see draft.h. */
#include "methods/draft.h"

#include "methods/moving_symmetry.h"
#include "weights/symmetry.h"

#include <math.h>

/* ---- beside others ---- */

/* everything in a draft that knows a context: a task has its own */
static void bind(ossa_context *context, ossai_draft *draft)
{
	draft->work.context = draft->work.fit.context = draft->work.free_fit.context = context;
	draft->pipeline.context = draft->pipeline.arena.context = context;
}

/* what has the parts of a draft cut, once they are found */
static ossa_status end_rest(void *arg, const ossa_rig **rest)
{
	ossai_draft *draft = arg;
	ossai_rest_task *task = draft->rest_task;
	draft->rest_task = NULL;
	const ossa_status status = task ? ossai_rest_rig_end(draft->work.context, task, &draft->rest) : OSSA_OK;
	draft->has_no_rest = draft->has_no_rest || status != OSSA_OK;
	*rest = ossai_rest_rig_has_plan(draft->rest) ? draft->rest : NULL;
	return status;
}

/* of parts that refuse the input it is not asked for, and wanted all the same; after another error
   it is of no use */
static ossa_status end_left(ossai_draft *draft, ossa_status status)
{
	ossa_context *context = draft->work.context;
	const ossa_rig *rest;
	const ossa_error error = *ossa_context_error(context);
	if (status == OSSA_OK) return end_rest(draft, &rest);
	if (status == OSSA_ERROR_INPUT) OSSAI_TRY(end_rest(draft, &rest));
	ossai_rest_rig_drop(context, draft->rest_task);
	draft->rest_task = NULL;
	return ossai_fail_again(context, &error);
}

/* of the mesh in the draft's order, so that neither depends on the order of the file */
static ossa_status run_stages(ossai_draft *draft)
{
	ossai_moving_work *work = &draft->work;
	if (!draft->rest_wish) return ossai_moving_run_draft(work);
	const ossa_rig *rest;
	OSSAI_TRY(ossai_rest_rig_begin(work->context, work->mesh, draft->rest_wish, &draft->rest_task));
	/* where the other draft has the other thread, what takes longest comes first: loops, which the
	   parts have, are shared by then */
	if (ossa_context_threads(work->context) == 2) OSSAI_TRY(end_rest(draft, &rest));
	work->rest = (ossai_rest_source){end_rest, draft};
	return end_left(draft, ossai_moving_run_draft(work));
}

static ossa_status run(ossa_context *context, void *arg)
{
	ossai_draft *draft = arg;
	ossai_moving_work *work = &draft->work;
	bind(context, draft);
	ossai_pipeline_plan(&draft->pipeline, ossai_moving_draft_plan);
	OSSAI_TRY(run_stages(draft));
	const double count = (double)work->surface.used_count * (double)work->surface.pose_count;
	draft->rms_percent = 100 * sqrt(work->rounds.error / count);
	return OSSA_OK;
}

ossa_status ossai_draft_run(ossai_draft *draft) { return run(draft->work.context, draft); }

ossa_status ossai_draft_run_beside(ossai_draft *draft)
{
	draft->task = ossai_task_begin(draft->work.context, run, draft);
	return draft->task ? OSSA_OK : ossa_context_error(draft->work.context)->status;
}

ossa_status ossai_draft_wait(ossa_context *context, ossai_draft *draft)
{
	const ossa_status status = ossai_task_end(draft->task);
	draft->task = NULL;
	bind(context, draft);
	return status;
}

ossa_status ossai_draft_take_rest(ossa_context *context, ossai_draft *draft, ossa_rig **rest)
{
	const ossai_moving_work *work = &draft->work;
	const ossai_posed_surface *surface = ossai_moving_whole_surface(work);
	*rest = draft->rest;
	draft->rest = NULL;
	if (!*rest || !work->own_mesh) return OSSA_OK;
	return ossai_rest_rig_reorder(context, work->own_mesh, surface->place_of_vertex, *rest);
}

/* ---- a draft ---- */

ossa_status ossai_draft_begin(ossa_context *context, const ossai_draft_start *start, ossai_draft *draft)
{
	ossai_moving_work *work = &draft->work;
	draft->plane.exists = false;
	ossai_pipeline_begin(context, ossai_moving_draft_plan, &draft->pipeline);
	draft->is_begun = true;
	work->arena = &draft->pipeline.arena;
	work->options.is_face = start->is_face;
	work->options.has_errors = start->has_errors;
	work->options.draft_exchanges = start->draft_exchanges;
	work->options.exchanges = start->exchanges;
	return ossai_moving_find_surfaces(work, start->earlier ? &start->earlier->work : NULL);
}

static ossa_status keep_counterparts(ossai_draft *draft)
{
	const ossai_posed_surface *surface = &draft->work.surface;
	ossa_context *context = draft->work.context;
	if (!surface->symmetry) return OSSA_OK;
	draft->counterpart = ossa_alloc(context, surface->vertex_count, sizeof *draft->counterpart);
	return draft->counterpart ? ossai_moving_counterparts(&draft->work, draft->counterpart)
							  : ossa_context_error(context)->status;
}

ossa_status ossai_draft_finish(ossai_draft *draft, ossa_rig *plan, ossa_rig **rig)
{
	draft->work.plan = plan;
	ossai_pipeline_plan(&draft->pipeline, ossai_moving_finish_plan);
	ossa_status status = ossai_moving_finish(&draft->work, rig);
	if (status == OSSA_OK) draft->plane = ossai_symmetry_plane(&draft->work.surface);
	if (status == OSSA_OK) status = keep_counterparts(draft);
	draft->is_planned = draft->work.named != NULL;
	draft->is_begun = false;
	return ossai_pipeline_end(&draft->pipeline, status, rig);
}

void ossai_draft_stop(ossa_context *context, ossai_draft *draft)
{
	ossai_task_drop(draft->task);
	draft->task = NULL;
	bind(context, draft);
}

void ossai_draft_end(ossa_context *context, ossai_draft *draft)
{
	ossai_draft_stop(context, draft);
	ossa_rig_free(context, draft->rest);
	draft->rest = NULL;
	ossa_free(context, draft->counterpart);
	draft->counterpart = NULL;
	if (draft->is_begun) ossai_pipeline_end(&draft->pipeline, OSSA_OK, NULL);
	draft->is_begun = false;
}
