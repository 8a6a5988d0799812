/* methods/make_still.c: a rig of one mesh that does not move.

   Place in the path: make_rig -> here -> contraction, volume.
   Contraction follows the surface and keeps apart what touches; volume follows what is enclosed, however the surface is torn. Of several
   candidates the first is tried; where it fails, or leaves bones outside of the shape, the next is, and what lies inside farther stays,
   unless it has bones in a part of the shape only. */
#include "methods/make_rig.h"

#include "math/vec.h"
#include "query/winding_numbers.h"

#include <math.h>
#include <stdio.h>

/* points looked at along each bone, with its joint */
enum { POINTS = 8 };
/* of the points: with as many inside nothing else is tried; and another rig must have more by so many to stay */
static const double ENOUGH = 0.95, LEAST_GAIN = 0.02;
/* a rig that leaves the surface so many times farther from its bones than another one does, and farther than enough, has not found all of the
   shape; shares of the mean distance from the shape's middle */
static const double MOST_FAR = 1.5, NEAR_ENOUGH = 0.1;
/* of the corners of faces, about so many are looked at */
enum { LOOKED_AT = 20000 };
/* of the time that is left when an attempt begins, with another to follow: its own */
static const double FIRST_SHARE = 0.6;

/* points along all bones: B x POINTS; tips lie on the surface, and are left out */
static void place_points(const ossa_skeleton *skeleton, double *points)
{
	for (size_t i = 0; i < skeleton->bone_count * POINTS; i++) {
		const ossa_bone *bone = &skeleton->bones[i / POINTS];
		const double along = (double)(i % POINTS) / POINTS;
		for (size_t k = 0; k < 3; k++) points[3 * i + k] = bone->joint[k] + along * (bone->tail[k] - bone->joint[k]);
	}
}

static ossa_status measure_inside(ossa_context *context, ossai_attempt *tried)
{
	const ossai_mesh_view mesh = ossai_view_of_mesh(tried->rig->mesh);
	const size_t count = tried->rig->skeleton.bone_count * POINTS;
	size_t inside = 0;
	ossai_arena scratch = ossai_arena_begin(context);
	double *points = ossai_arena_new(&scratch, count, 3 * sizeof *points);
	double *windings = points ? ossai_arena_new(&scratch, count, sizeof *windings) : NULL;
	ossa_status status = windings ? OSSA_OK : ossa_context_error(context)->status;
	if (windings) place_points(&tried->rig->skeleton, points);
	if (status == OSSA_OK) status = ossai_winding_numbers_fast(context, &mesh, count, points, windings);
	for (size_t i = 0; status == OSSA_OK && i < count; i++) inside += ossai_winding_is_inside(windings[i]);
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
static void measure_distance(ossai_attempt *tried)
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
	tried->distance = spread > 0 ? sum / spread : 0;
}

/* whether the surface is farther from the bones than another rig's bones show that it need be */
static bool is_partial(const ossai_attempt *tried, const ossai_attempt *other)
{
	return tried->rig && other->rig && tried->distance > fmax(MOST_FAR * other->distance, NEAR_ENOUGH);
}

static ossa_status try_method(ossai_making *m, size_t candidate)
{
	ossai_attempt *tried = &m->attempts[candidate];
	OSSAI_TRY(ossai_attempt_make(m, candidate, NULL));
	tried->warnings = ossai_warnings_save(m->context);
	if (!tried->warnings) return ossa_context_error(m->context)->status;
	/* nothing to compare it with */
	if (m->candidates.count == 1) return OSSA_OK;
	OSSAI_TRY(measure_inside(m->context, tried));
	measure_distance(tried);
	return OSSA_OK;
}

/* what one method cannot do with a mesh, another may */
static bool may_go_on(ossa_status status) { return status == OSSA_ERROR_INPUT || status == OSSA_ERROR_LIMIT; }

static bool is_better(const ossai_attempt *late, const ossai_attempt *early)
{
	return late->inside > early->inside + LEAST_GAIN && !is_partial(late, early);
}

/* `best`: the candidate to take; `tried`: how many were */
static ossa_status try_in_turn(ossai_making *m, size_t *best, size_t *tried)
{
	const size_t count = m->candidates.count;
	ossa_status status = OSSA_OK;
	double begin = 0;
	*best = count;
	for (*tried = 0; *tried < count; ++*tried) {
		const size_t i = *tried;
		const double end = i + 1 < count ? begin + FIRST_SHARE * (1 - begin) : 1;
		if (*best < count && m->attempts[*best].inside >= ENOUGH) return OSSA_OK;
		if (count > 1) ossai_plan_window(m->context, begin, end);
		begin = end;
		status = try_method(m, i);
		if (status != OSSA_OK && !may_go_on(status)) return status;
		if (status != OSSA_OK) ossai_attempt_drop(m, i);
		if (status == OSSA_OK && (*best == count || is_better(&m->attempts[i], &m->attempts[*best]))) *best = i;
	}
	return *best < count ? OSSA_OK : status;
}

/* ---- why ---- */

/* "contraction and volume cannot do it": those that were tried and made no rig */
static size_t tell_failures(const ossai_making *m, size_t tried, char *text, size_t size)
{
	size_t used = 0, count = 0;
	for (size_t i = 0; i < tried && used < size; i++) {
		if (m->attempts[i].rig) continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", count++ > 0 ? " and " : "", ossai_attempt_name(m, i));
	}
	if (count > 0 && used < size) snprintf(text + used, size - used, " cannot do it");
	return count;
}

/* "97 % of the bones' length is inside by contraction, 80 % by volume" */
static void tell_shares(const ossai_making *m, size_t tried, size_t best, char *text, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < tried && used < size; i++) {
		const ossai_attempt *attempt = &m->attempts[i];
		if (!attempt->rig) continue;
		used += (size_t)snprintf(text + used, size - used, "%s%.0f %%%s by %s%s", used > 0 ? ", " : "", 100 * attempt->inside,
			used > 0 ? "" : " of the bones' length is inside", ossai_attempt_name(m, i),
			is_partial(attempt, &m->attempts[best]) ? ", which has bones in a part of the shape only" : "");
	}
}

static void explain(const ossai_making *m, size_t tried, size_t best, char *reason, size_t size)
{
	char failures[160] = "";
	const size_t failed = tell_failures(m, tried, failures, sizeof failures);
	if (m->candidates.count == 1) reason[0] = 0;
	else if (tried - failed > 1) tell_shares(m, tried, best, reason, size);
	else if (!m->attempts[0].rig) snprintf(reason, size, "%s", failures);
	else {
		snprintf(reason, size, "%.0f %% of its bones' length is inside%s%s", 100 * m->attempts[0].inside,
			failed > 0 ? ", and " : "", failures);
	}
}

ossa_status ossai_make_still(ossai_making *m)
{
	ossa_rig_result *result = m->result;
	size_t best, tried;
	OSSAI_TRY(ossai_attempts_begin(m));
	OSSAI_TRY(try_in_turn(m, &best, &tried));
	ossai_plan_window(m->context, 0, 0);
	explain(m, tried, best, result->reason, sizeof result->reason);
	ossai_attempt_take(m, best);
	return ossa_rig_measure(m->context, result->rig, NULL, NULL, NULL, &result->hierarchy);
}
