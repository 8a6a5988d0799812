/* methods/still_attempt.c: see still_attempt.h. */
#include "methods/still_attempt.h"

#include "math/vec.h"
#include "query/inside.h"

#include <math.h>

/* points along each bone that are tested, its joint included */
enum { POINTS = 8 };
/* corners of faces that distances are measured from, about so many */
enum { CORNERS = 20000 };

/* The share of points inside with which no other method is tried. Of the 54 meshes that
   scripts/rig_hashes reads, contraction has at most 0.927 of 9 and at least 0.960 of the others;
   with 1, volume would be tried for 7 more, of which one gets better. */
static const double ENOUGH = 0.95;
/* The share of points by which a later rig must exceed an earlier one: one point in a rig of 6
   bones. Of the 9 meshes one has no gain, and the others at least 0.03. */
static const double LEAST_GAIN = 0.02;
/* The ratio of distances above which one of two rigs has bones in a part of the shape only. Of the
   8 rigs that replace an earlier one it is at most 1.16; where volume rigs one of 27 boxes (the
   test of make_still), it is larger. */
static const double PARTIAL = 1.5;

/* ---- bones inside ---- */

/* Fingers of a body follow from its hands, and are as thin as the surface is coarse: they tell
   nothing of the method. */
static bool is_finger(const ossa_bone *bone)
{
	return bone->role.part >= OSSA_PART_THUMB && bone->role.part <= OSSA_PART_LITTLE;
}

/* Points along all bones that count, B x POINTS at most; returns their number. The tip of a bone
   lies on the surface and is left out. */
static size_t place_points(const ossa_skeleton *skeleton, double *points)
{
	size_t count = 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_bone *bone = &skeleton->bones[b];
		for (size_t i = 0; i < POINTS && !is_finger(bone); i++, count++) {
			const double along = (double)i / POINTS;
			for (size_t k = 0; k < 3; k++) points[3 * count + k] = bone->joint[k] + along * (bone->tail[k] - bone->joint[k]);
		}
	}
	return count;
}

ossa_status ossai_still_attempt_measure_inside(ossa_context *context, ossai_attempt *attempt)
{
	const ossai_mesh_view mesh = ossai_view_of_mesh(attempt->rig->mesh);
	size_t count = attempt->rig->skeleton.bone_count * POINTS;
	size_t inside = 0;
	ossai_arena scratch = ossai_arena_begin(context);
	double *points = ossai_arena_new(&scratch, count, 3 * sizeof *points);
	uint8_t *is_inside = points ? ossai_arena_new(&scratch, count, sizeof *is_inside) : NULL;
	ossa_status status = is_inside ? OSSA_OK : ossa_context_error(context)->status;
	if (is_inside) count = place_points(&attempt->rig->skeleton, points);
	if (status == OSSA_OK) status = ossai_find_inside(context, &mesh, count, points, is_inside);
	for (size_t i = 0; status == OSSA_OK && i < count; i++) inside += is_inside[i];
	attempt->inside = (double)inside / (double)count;
	ossai_arena_end(&scratch);
	return status;
}

/* ---- distance of the surface ---- */

static double distance_to(const ossa_bone *bone, ossai_vec3 point)
{
	return ossai_distance(point, ossai_nearest_on_segment(ossai_v3_of(bone->joint), ossai_v3_of(bone->tail), point));
}

/* corners of faces, because vertices without faces do not belong to the shape */
static ossai_vec3 corner_at(const ossa_mesh *mesh, size_t corner)
{
	return ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[corner]);
}

/* over corners at equal steps in the list of faces */
void ossai_still_attempt_measure_distance(ossai_attempt *attempt)
{
	const ossa_mesh *mesh = attempt->rig->mesh;
	const ossa_skeleton *skeleton = &attempt->rig->skeleton;
	const size_t corners = 3 * mesh->triangle_count, step = corners / CORNERS + 1;
	const double count = (double)((corners + step - 1) / step);
	ossai_vec3 centroid = ossai_v3(0, 0, 0);
	for (size_t i = 0; i < corners; i += step) centroid = ossai_madd(centroid, 1 / count, corner_at(mesh, i));
	double sum = 0, spread = 0;
	for (size_t i = 0; i < corners; i += step) {
		const ossai_vec3 point = corner_at(mesh, i);
		double nearest = INFINITY;
		for (size_t b = 0; b < skeleton->bone_count; b++) nearest = fmin(nearest, distance_to(&skeleton->bones[b], point));
		sum += nearest;
		spread += ossai_distance(point, centroid);
	}
	attempt->distance = spread > 0 ? sum / spread : 0;
}

/* ---- the comparison ---- */

bool ossai_still_attempt_is_enough(const ossai_attempt *attempt) { return attempt->inside >= ENOUGH || attempt->has_no_limbs; }

bool ossai_still_attempt_is_partial(const ossai_attempt *attempt, const ossai_attempt *other)
{
	if (!attempt->rig || !other->rig) return false;
	return attempt->leaves_parts_out || attempt->distance > PARTIAL * other->distance;
}

bool ossai_still_attempt_lacks_loops(const ossai_attempt *attempt, const ossai_attempt *other)
{
	return attempt->rig && other->rig && attempt->rig->loop_count < other->rig->loop_count;
}

/* whether bones are named by a body that was recognized */
static bool has_body(const ossai_attempt *attempt)
{
	const ossa_skeleton *skeleton = &attempt->rig->skeleton;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (skeleton->bones[b].role.part != OSSA_PART_NONE) return true;
	}
	return false;
}

bool ossai_still_attempt_is_better(const ossai_attempt *late, const ossai_attempt *early)
{
	if (early->rig && late->rig && has_body(early) && !has_body(late)) return false;
	if (early->rig && early->has_props && !late->has_props) return false;
	if (ossai_still_attempt_is_partial(late, early) || ossai_still_attempt_lacks_loops(late, early)) return false;
	return late->inside > early->inside + LEAST_GAIN;
}
