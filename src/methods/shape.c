/* methods/shape.c: a rig of one mesh that does not move, by the method that suits it.

   Place in the path: a mesh -> here -> contraction, volume.
   Contraction follows the surface and keeps apart what touches; volume follows what is enclosed, however the surface is torn. Where nobody
   chose, contraction is tried; where it fails, or leaves bones outside of the shape, volume is, and what lies inside farther stays. */
#include <ossa/shape.h>

#include "base/context.h"
#include "surface/inside.h"

#include <math.h>
#include <stdio.h>

/* points looked at along each bone, with its joint */
enum { POINTS = 8 };
/* the winding number that counts as inside */
static const double INSIDE = 0.5;
/* of the points: with as many inside nothing else is tried; and another rig must have more by so many to stay */
static const double ENOUGH = 0.95, LEAST_GAIN = 0.02;
/* of the time that both take: contraction's */
static const double FIRST_SHARE = 0.6;

/* what was tried: a rig and what making it warned of */
typedef struct attempt {
	ossa_rig *rig;
	ossai_warnings *warnings;
	double inside; /* share of the points along its bones that the surface winds around */
} attempt;

/* points along all bones: B x POINTS; tips lie on the surface, and are left out */
static void place_points(const ossa_skeleton *skeleton, double *points)
{
	for (size_t i = 0; i < skeleton->bone_count * POINTS; i++) {
		const ossa_bone *bone = &skeleton->bones[i / POINTS];
		const double along = (double)(i % POINTS) / POINTS;
		for (size_t k = 0; k < 3; k++) points[3 * i + k] = bone->joint[k] + along * (bone->tail[k] - bone->joint[k]);
	}
}

static ossa_status measure_inside(ossa_context *context, attempt *tried)
{
	const ossa_mesh *mesh = tried->rig->mesh;
	const size_t count = tried->rig->skeleton.bone_count * POINTS;
	size_t inside = 0;
	ossai_arena scratch = ossai_arena_begin(context);
	double *points = ossai_arena_new(&scratch, count, 3 * sizeof *points);
	double *windings = points ? ossai_arena_new(&scratch, count, sizeof *windings) : NULL;
	ossa_status status = windings ? OSSA_OK : ossa_context_error(context)->status;
	if (windings) place_points(&tried->rig->skeleton, points);
	if (status == OSSA_OK) {
		status = ossai_winding_numbers_fast(
			context, mesh->triangle_count, mesh->triangles, mesh->positions, count, points, windings);
	}
	for (size_t i = 0; status == OSSA_OK && i < count; i++) inside += fabs(windings[i]) > INSIDE;
	tried->inside = (double)inside / (double)count;
	ossai_arena_end(&scratch);
	return status;
}

static ossa_status make_by(
	ossa_context *context, const ossa_mesh *mesh, ossa_method method, const ossa_method_options *methods, ossa_rig **rig)
{
	if (method == OSSA_METHOD_VOLUME) return ossa_rig_from_volume(context, mesh, methods->volume, rig);
	return ossa_rig_from_contraction(context, mesh, methods->contraction, rig);
}

static ossa_status try_method(ossa_context *context, const ossa_mesh *mesh, ossa_method method,
	const ossa_method_options *methods, const ossai_warnings *before, attempt *tried)
{
	ossai_warnings_restore(context, before);
	OSSAI_TRY(make_by(context, mesh, method, methods, &tried->rig));
	tried->warnings = ossai_warnings_save(context);
	if (!tried->warnings) return ossa_context_error(context)->status;
	return measure_inside(context, tried);
}

/* what one method cannot do with a mesh, another may */
static bool may_go_on(ossa_status status) { return status == OSSA_ERROR_INPUT || status == OSSA_ERROR_LIMIT; }

static void explain(const attempt *first, const attempt *second, bool takes_second, ossa_shape_choice *choice)
{
	const double percent[2] = {100 * first->inside, 100 * second->inside};
	choice->method = takes_second ? OSSA_METHOD_VOLUME : OSSA_METHOD_CONTRACTION;
	if (!first->rig) snprintf(choice->reason, sizeof choice->reason, "contraction cannot do it");
	else if (first->inside >= ENOUGH) {
		snprintf(choice->reason, sizeof choice->reason, "%.0f %% of its bones' length is inside", percent[0]);
	} else if (!second->rig) {
		snprintf(choice->reason, sizeof choice->reason, "%.0f %% of its bones' length is inside, and volume cannot do it",
			percent[0]);
	} else {
		snprintf(choice->reason, sizeof choice->reason,
			"%.0f %% of the bones' length is inside by contraction, %.0f %% by volume", percent[0], percent[1]);
	}
}

static ossa_status try_in_turn(ossa_context *context, const ossa_mesh *mesh, const ossa_method_options *methods,
	const ossai_warnings *before, attempt tried[2], ossa_shape_choice *choice)
{
	ossai_plan_window(context, 0, FIRST_SHARE);
	ossa_status status = try_method(context, mesh, OSSA_METHOD_CONTRACTION, methods, before, &tried[0]);
	if (status != OSSA_OK && !may_go_on(status)) return status;
	ossai_plan_window(context, FIRST_SHARE, 1);
	if (status != OSSA_OK || tried[0].inside < ENOUGH) {
		status = try_method(context, mesh, OSSA_METHOD_VOLUME, methods, before, &tried[1]);
		if (status != OSSA_OK && (!tried[0].rig || !may_go_on(status))) return status;
	}
	const bool takes_second = tried[1].rig && (!tried[0].rig || tried[1].inside > tried[0].inside + LEAST_GAIN);
	explain(&tried[0], &tried[1], takes_second, choice);
	ossai_warnings_restore(context, tried[takes_second].warnings);
	return OSSA_OK;
}

static ossa_status choose(
	ossa_context *context, const ossa_mesh *mesh, const ossa_method_options *methods, ossa_shape_choice *choice, ossa_rig **rig)
{
	attempt tried[2] = {{NULL, NULL, 0}, {NULL, NULL, 0}};
	ossai_warnings *before = ossai_warnings_save(context);
	if (!before) return ossa_context_error(context)->status;
	const ossa_status status = try_in_turn(context, mesh, methods, before, tried, choice);
	ossai_plan_window(context, 0, 0);
	attempt *taken = &tried[choice->method == OSSA_METHOD_VOLUME];
	if (status == OSSA_OK) {
		*rig = taken->rig;
		taken->rig = NULL;
	}
	for (int i = 0; i < 2; i++) {
		ossa_rig_free(context, tried[i].rig);
		ossa_free(context, tried[i].warnings);
	}
	ossa_free(context, before);
	return status;
}

ossa_status ossa_rig_from_shape(ossa_context *context, const ossa_mesh *mesh, ossa_method method,
	const ossa_method_options *methods, ossa_shape_choice *choice, ossa_rig **rig)
{
	const ossa_method_options own = methods ? *methods : (ossa_method_options){NULL, NULL, NULL, NULL};
	*choice = (ossa_shape_choice){.method = method};
	*rig = NULL;
	if (method == OSSA_METHOD_AUTO) return choose(context, mesh, &own, choice, rig);
	if (method == OSSA_METHOD_CONTRACTION || method == OSSA_METHOD_VOLUME) return make_by(context, mesh, method, &own, rig);
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the method needs motion, and one mesh has none");
}
