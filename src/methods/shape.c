/* methods/shape.c: a rig of one mesh that does not move, by the method that suits it.

   Place in the path: a mesh -> here -> contraction, volume.
   Contraction follows the surface and keeps apart what touches; volume follows what is enclosed, however the surface is torn. Where nobody
   chose, contraction is tried; where it fails, or leaves bones outside of the shape, volume is, and what lies inside farther stays, unless
   it has bones in a part of the shape only. */
#include <ossa/shape.h>

#include "base/context.h"
#include "math/vec.h"
#include "query/inside.h"

#include <math.h>
#include <stdio.h>

/* points looked at along each bone, with its joint */
enum { POINTS = 8 };
/* the winding number that counts as inside */
static const double INSIDE = 0.5;
/* of the points: with as many inside nothing else is tried; and another rig must have more by so many to stay */
static const double ENOUGH = 0.95, LEAST_GAIN = 0.02;
/* a rig that leaves the surface so many times farther from its bones than another one does, and farther than enough, has not found all of the
   shape; shares of the mean distance from the shape's middle */
static const double MOST_FAR = 1.5, NEAR_ENOUGH = 0.1;
/* of the corners of faces, about so many are looked at */
enum { LOOKED_AT = 20000 };
/* of the time that both take: contraction's */
static const double FIRST_SHARE = 0.6;

/* what was tried: a rig and what making it warned of */
typedef struct attempt {
	ossa_rig *rig;
	ossai_warnings *warnings;
	double inside; /* share of the points along its bones that the surface winds around */
	double far;    /* mean distance of the surface from the nearest bone, shares of that from its middle */
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

static double distance_to(const ossa_bone *bone, ossai_vec3 point)
{
	return ossai_distance(point, ossai_nearest_on_segment(ossai_v3_of(bone->joint), ossai_v3_of(bone->tail), point));
}

/* a corner of the mesh's faces: vertices without faces are no part of the shape */
static ossai_vec3 corner_at(const ossa_mesh *mesh, size_t corner)
{
	return ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[corner]);
}

/* over corners evenly spread over the list */
static void measure_far(attempt *tried)
{
	const ossa_mesh *mesh = tried->rig->mesh;
	const ossa_skeleton *skeleton = &tried->rig->skeleton;
	const size_t corners = 3 * mesh->triangle_count, step = corners / LOOKED_AT + 1;
	const double count = (double)((corners + step - 1) / step);
	ossai_vec3 middle = ossai_v3(0, 0, 0);
	for (size_t i = 0; i < corners; i += step) middle = ossai_madd(middle, 1 / count, corner_at(mesh, i));
	double sum = 0, spread = 0;
	for (size_t i = 0; i < corners; i += step) {
		const ossai_vec3 point = corner_at(mesh, i);
		double nearest = INFINITY;
		for (size_t b = 0; b < skeleton->bone_count; b++) nearest = fmin(nearest, distance_to(&skeleton->bones[b], point));
		sum += nearest;
		spread += ossai_distance(point, middle);
	}
	tried->far = spread > 0 ? sum / spread : 0;
}

/* whether the surface is farther from the bones than another rig's bones show that it need be */
static bool is_partial(const attempt *tried, const attempt *other)
{
	return tried->rig && other->rig && tried->far > fmax(MOST_FAR * other->far, NEAR_ENOUGH);
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
	OSSAI_TRY(measure_inside(context, tried));
	measure_far(tried);
	return OSSA_OK;
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
			"%.0f %% of the bones' length is inside by contraction, %.0f %% by volume%s", percent[0], percent[1],
			is_partial(second, first) ? ", which has bones in a part of the shape only" : "");
	}
}

static bool is_better(const attempt *second, const attempt *first)
{
	if (!second->rig || !first->rig) return second->rig != NULL;
	return second->inside > first->inside + LEAST_GAIN && !is_partial(second, first);
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
	const bool takes_second = is_better(&tried[1], &tried[0]);
	explain(&tried[0], &tried[1], takes_second, choice);
	ossai_warnings_restore(context, tried[takes_second].warnings);
	return OSSA_OK;
}

static ossa_status choose(
	ossa_context *context, const ossa_mesh *mesh, const ossa_method_options *methods, ossa_shape_choice *choice, ossa_rig **rig)
{
	attempt tried[2] = {{.rig = NULL}, {.rig = NULL}};
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
	ossa_shape_choice unwanted;
	if (!choice) choice = &unwanted;
	*choice = (ossa_shape_choice){.method = method};
	*rig = NULL;
	if (method == OSSA_METHOD_AUTO) return choose(context, mesh, &own, choice, rig);
	if (method == OSSA_METHOD_CONTRACTION || method == OSSA_METHOD_VOLUME) return make_by(context, mesh, method, &own, rig);
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the method needs motion, and one mesh has none");
}
