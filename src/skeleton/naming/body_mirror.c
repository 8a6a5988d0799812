/* skeleton/naming/body_mirror.c: the vertical plane that maps a body onto itself: see body.h.

   Input: bones and feet as body.c measures them.
   Output: the plane, and the share of the surface that has a counterpart on the other side. */
#include "skeleton/naming/body.h"

/* of the diagonal: the largest distance of a bone's mirror image from its counterpart */
static const double mirror_tolerance = 0.08;
/* of the surface: the least share that must have a counterpart */
static const double least_symmetry = 0.6;
/* of the height: bones that differ by more are no initial pair */
static const double pair_height = 0.1;
/* leaves of the tree that are tried in pairs as left and right */
enum { ENDS_TRIED = 12 };

/* ---- left and right ---- */

typedef struct mirror_plane {
	ossai_vec3 across;
	double offset, score;
} mirror_plane;

static ossai_vec3 reflect(const mirror_plane *plane, ossai_vec3 p)
{
	return ossai_madd(p, 2 * (plane->offset - ossai_dot(plane->across, p)), plane->across);
}

/* the bone nearest to the mirror image of `bone`: it may be itself */
static uint32_t find_counterpart(const ossai_body *body, const mirror_plane *plane, size_t bone, double *away)
{
	const ossai_vec3 image = reflect(plane, body->center[bone]);
	uint32_t best = (uint32_t)bone;
	*away = INFINITY;
	for (size_t b = 0; b < body->bone_count; b++) {
		const double distance = ossai_distance(body->center[b], image);
		if (distance < *away) best = (uint32_t)b;
		*away = fmin(*away, distance);
	}
	return best;
}

static double score_of(const ossai_body *body, const mirror_plane *plane)
{
	double score = 0;
	for (size_t b = 0; b < body->bone_count; b++) {
		double away;
		find_counterpart(body, plane, b, &away);
		if (away < mirror_tolerance) score += body->share[b] * (1 - away / mirror_tolerance);
	}
	return score;
}

/* the same number of feet on both sides, and at least one */
static bool parts_feet(const ossai_body *body, const mirror_plane *plane)
{
	double widest = 0;
	for (size_t i = 0; i < body->foot_count; i++) {
		widest = fmax(widest, fabs(ossai_dot(plane->across, body->feet[i].sole) - plane->offset));
	}
	int balance = 0, sides = 0;
	for (size_t i = 0; i < body->foot_count; i++) {
		const double offset = ossai_dot(plane->across, body->feet[i].sole) - plane->offset;
		if (fabs(offset) < widest / 3) continue;
		balance += offset > 0 ? 1 : -1;
		sides++;
	}
	return sides > 0 && balance == 0;
}

/* the bisecting plane of two points, if they could be a pair */
static void try_pair(const ossai_body *body, ossai_vec3 a, ossai_vec3 b, mirror_plane *best)
{
	const ossai_vec3 between = ossai_v3(a.x - b.x, 0, a.z - b.z);
	if (fabs(a.y - b.y) > pair_height * body->height || !(ossai_length(between) > 1e-6)) return;
	mirror_plane plane = {.across = ossai_unit(between, ossai_v3(1, 0, 0))};
	plane.offset = ossai_dot(plane.across, ossai_scale(ossai_add(a, b), 0.5));
	if (!parts_feet(body, &plane)) return;
	plane.score = score_of(body, &plane);
	if (plane.score > best->score) *best = plane;
}

/* fits the plane to all pairs, weighted by their surface */
static void refine_plane(const ossai_body *body, mirror_plane *plane)
{
	ossai_vec3 across = {0, 0, 0};
	for (size_t b = 0; b < body->bone_count; b++) {
		double away;
		const uint32_t counterpart = find_counterpart(body, plane, b, &away);
		if (away >= mirror_tolerance || counterpart == b) continue;
		const ossai_vec3 d = ossai_sub(body->center[b], body->center[counterpart]);
		const double sign = ossai_dot(d, plane->across) > 0 ? 1 : -1;
		across = ossai_madd(across, sign * fmin(body->share[b], body->share[counterpart]), ossai_v3(d.x, 0, d.z));
	}
	mirror_plane refined = {.across = ossai_unit(across, plane->across)};
	double sum = 0, whole = 0;
	for (size_t b = 0; b < body->bone_count; b++) {
		double away;
		const uint32_t counterpart = find_counterpart(body, plane, b, &away);
		if (away >= mirror_tolerance) continue;
		const ossai_vec3 half = ossai_scale(ossai_add(body->center[b], body->center[counterpart]), 0.5);
		sum += body->share[b] * ossai_dot(refined.across, half);
		whole += body->share[b];
	}
	refined.offset = whole > 0 ? sum / whole : plane->offset;
	refined.score = score_of(body, &refined);
	if (refined.score > plane->score && parts_feet(body, &refined)) *plane = refined;
}

/* the largest leaves of the tree */
static size_t find_ends(const ossai_body *body, uint32_t ends[ENDS_TRIED])
{
	size_t count = 0;
	for (uint32_t b = 0; b < body->bone_count; b++) {
		if (body->neighbor_first[b + 1] - body->neighbor_first[b] != 1) continue;
		size_t at = count < ENDS_TRIED ? count++ : ENDS_TRIED;
		for (; at > 0 && body->share[ends[at - 1]] < body->share[b]; at--) {
			if (at < ENDS_TRIED) ends[at] = ends[at - 1];
		}
		if (at < ENDS_TRIED) ends[at] = b;
	}
	return count;
}

void ossai_body_mirror(ossai_body *body)
{
	mirror_plane best = {.score = 0};
	uint32_t ends[ENDS_TRIED];
	const size_t end_count = find_ends(body, ends), feet = body->foot_count < ENDS_TRIED ? body->foot_count : ENDS_TRIED;
	for (size_t i = 0; i < feet; i++) {
		for (size_t j = 0; j < i; j++) try_pair(body, body->feet[i].sole, body->feet[j].sole, &best);
	}
	for (size_t i = 0; i < end_count; i++) {
		for (size_t j = 0; j < i; j++) try_pair(body, body->center[ends[i]], body->center[ends[j]], &best);
	}
	if (best.score > 0) refine_plane(body, &best);
	body->mirrored = best.score >= least_symmetry;
	body->across = best.across;
	body->offset = best.offset;
	body->symmetry = best.score;
}
