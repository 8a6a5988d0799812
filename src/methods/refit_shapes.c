/* methods/refit_shapes.c: errors of a fitted motion with the corrective shapes of the rig.

   Place in the path: the end of refit.c.
   Input: a rig with shapes, its frames, the motion that was fitted without them, as they were
   found.
   Output: errors with them. */
#include "methods/refit.h"

#include "metrics/errors.h"
#include "metrics/metrics.h"
#include "rig/shapes.h"

ossa_status ossai_refit_measure_shapes(ossai_refit *r)
{
	ossa_motion_fit *fit = r->fit;
	ossa_metrics with;
	if (!ossai_shapes_move(r->rig, NULL, fit->clip)) return OSSA_OK;
	ossa_frame_error *errors = ossai_arena_new(r->arena, r->frames, sizeof *errors);
	if (!errors) return ossa_context_error(r->context)->status;
	OSSAI_TRY(ossai_rig_errors(r->context, r->rig, NULL, fit->clip, r->stream, errors, fit->bone_rms));
	OSSAI_TRY(ossai_rig_measure_stream(r->context, r->rig, NULL, fit->clip, r->stream, &with));
	for (size_t f = 0; f < r->frames; f++) fit->frame_rms[f] = errors[f].rms_percent;
	fit->errors.rms_percent = with.rms_percent;
	fit->errors.max_percent = with.max_percent;
	fit->errors.max_vertex = with.max_vertex;
	fit->errors.max_frame = with.max_frame;
	fit->errors.accu_percent = with.accu_percent;
	return OSSA_OK;
}
