/* methods/pipeline.h: what every method needs to run its stages: an arena, a plan whose progress is shown, and stages with names.

   Place in the path: base -> here -> every method.
   A method has a value of its own, its work, that its stages take and fill. Its `run` takes such a stage by name:

      const ossa_status entered = ossai_stage_enter(work->context, name);
      return ossai_stage_leave(work->context, entered == OSSA_OK ? stage(work) : entered); */
#ifndef OSSAI_METHODS_PIPELINE_H
#define OSSAI_METHODS_PIPELINE_H

#include "base/context.h"

#include <ossa/rig.h>

typedef struct ossai_pipeline {
	ossa_context *context;
	ossai_arena arena; /* of all that the stages hand to each other */
} ossai_pipeline;

/* Begins the arena and shows the plan: the stages' names with their usual shares of the time. The end must be called. */
void ossai_pipeline_begin(ossa_context *context, size_t plan_count, const ossai_plan_step *plan, ossai_pipeline *pipeline);

/* Ends both, and returns `status`. `rig`, or NULL: what was made; it is freed and NULL after a failure. */
ossa_status ossai_pipeline_end(ossai_pipeline *pipeline, ossa_status status, ossa_rig **rig);

/* A stage by name: its time is taken, its progress shown. Errors: OSSA_ERROR_CANCELLED. It must be left all the same. */
ossa_status ossai_stage_enter(ossa_context *context, const char *name);

/* Returns `status`. */
ossa_status ossai_stage_leave(ossa_context *context, ossa_status status);

#endif
