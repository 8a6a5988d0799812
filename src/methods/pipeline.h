/* methods/pipeline.h: what every method needs to run its stages: an arena, a plan for the progress
   display, and named stages.

   Place in the path: base -> here -> every method.
   A method has a work of its own, a struct that its stages read and fill. Its outlines run them as

      OSSAI_TRY(OSSAI_STAGE(context, "proxy", ossai_contraction_refined_proxy(work))); */
#ifndef OSSAI_METHODS_PIPELINE_H
#define OSSAI_METHODS_PIPELINE_H

#include "base/context.h"

#include <ossa/rig.h>

typedef struct ossai_pipeline {
	ossa_context *context;
	ossai_arena arena; /* for everything that one stage passes to the next */
} ossai_pipeline;

/* Begins the arena and declares the plan: the names of the stages and their usual shares of the
   time, up to a NULL name. ossai_pipeline_end must be called. */
void ossai_pipeline_begin(ossa_context *context, const ossai_plan_step *plan, ossai_pipeline *pipeline);

/* Declares the plan of what follows, in place of the one before. */
void ossai_pipeline_plan(ossai_pipeline *pipeline, const ossai_plan_step *plan);

/* Ends both and returns `status`. rig: the result, freed and set to NULL after a failure; or
   NULL. */
ossa_status ossai_pipeline_end(ossai_pipeline *pipeline, ossa_status status, ossa_rig **rig);

/* Evaluates `call` as the stage of that name, so that its time is measured and its progress shown.
   Its value is that of the call, or OSSA_ERROR_CANCELLED where the user has asked to stop. */
#define OSSAI_STAGE(context, name, call)                                                                                       \
	ossai_stage_leave((context), ossai_stage_enter((context), (name)) ? (call) : OSSA_ERROR_CANCELLED)

/* The two halves of OSSAI_STAGE. false: the run is cancelled; the stage must be left all the
   same. */
bool ossai_stage_enter(ossa_context *context, const char *name);

/* Returns `status`. */
ossa_status ossai_stage_leave(ossa_context *context, ossa_status status);

#endif
