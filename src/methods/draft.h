/* methods/draft.h: a rig of moving input that is begun, so that several methods and numbers of
   first parts can be compared before one of them is finished.

   Place in the path: examples, sequence -> here -> make_moving.
   Input: the stages of a method up to the first rounds of its hierarchy. Drafts of several methods
   share their surfaces, and run beside each other from there on.
   Output: the error that they have, and the rig if it is asked for. */
#ifndef OSSAI_METHODS_DRAFT_H
#define OSSAI_METHODS_DRAFT_H

#include "methods/moving.h"
#include "methods/registry.h"
#include "methods/rest_rig.h"
#include "proxy/mirror.h"

/* Does not move in memory while it is begun: the work points to the arena. */
struct ossai_draft {
	ossai_moving_work work;
	ossai_pipeline pipeline;
	bool is_begun;
	ossai_task *task; /* that runs it, or NULL */
	/* what the rig of the rest shape is made by before the stages, for parts that are cut at its
	   limbs; NULL: there is none */
	const ossai_rest_wish *rest_wish;
	ossai_rest_task *rest_task; /* it, while it is made beside the parts */
	ossa_rig *rest;             /* it, in the draft's order */
	bool has_no_rest;           /* it failed, and that is the draft's error */
	double rms_percent;         /* of the hierarchy over the frames, % of the diagonal */
	/* finished: of a symmetric rig its plane, in the mesh's units, and the counterpart of each of
	   the mesh's vertices, OSSA_NONE where there is none; whether bones are named, and joined, by
	   a plan */
	ossai_mirror plane;
	uint32_t *counterpart;
	bool is_planned;
};

ossa_status ossai_examples_draft(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options,
	const ossai_draft_start *start, ossai_draft *draft);
ossa_status ossai_sequence_draft(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options,
	const ossai_draft_start *start, ossai_draft *draft);

/* Finds the surfaces of a draft whose work is filled. */
ossa_status ossai_draft_begin(ossa_context *context, const ossai_draft_start *start, ossai_draft *draft);

/* Runs the other stages of one that is begun. */
ossa_status ossai_draft_run(ossai_draft *draft);

/* The same in two steps: meanwhile the caller runs another one. Errors: OSSA_ERROR_MEMORY; those of
   the stages are the second one's. */
ossa_status ossai_draft_run_beside(ossai_draft *draft);
ossa_status ossai_draft_wait(ossa_context *context, ossai_draft *draft);

/* The rig of the rest shape that the draft has made, NULL where it has none, in the order of the
   mesh. Ownership: ossa_rig_free, after a failure, too. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_draft_take_rest(ossa_context *context, ossai_draft *draft, ossa_rig **rest);

/* The rig of a draft: without a wish for the rest shape, and without a plan, the same that the
   method makes at once. plan: the rig of the rest shape, in the order of the mesh, if bones are to
   be joined as its body's plan has them, which becomes symmetric where the rig is; NULL.
   Ownership: ossa_rig_free. */
ossa_status ossai_draft_finish(ossai_draft *draft, ossa_rig *plan, ossa_rig **rig);

/* Stops it, if it runs beside: before anything is freed that it reads, mesh, frames, wish or the
   earlier draft. */
void ossai_draft_stop(ossa_context *context, ossai_draft *draft);

/* Stops it, too, and frees what it has. */
void ossai_draft_end(ossa_context *context, ossai_draft *draft);

#endif
