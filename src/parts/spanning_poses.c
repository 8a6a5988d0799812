/* parts/spanning_poses.c: see spanning_poses.h. */
#include "parts/spanning_poses.h"

#include <string.h>

enum { POINTS = 32, PAIRS = POINTS * (POINTS - 1) / 2 };

/* poses whose distances differ by less than this share of the diagonal, on average, are
   duplicates */
static const double alike = 1e-5;

/* distances between the first seeds, which are the most spread, in the rest (pose 0) and in pose k
   - 1; 0 for missing seeds */
static void describe(const ossai_posed_surface *s, const ossai_seeds *seeds, size_t pose, double *distance)
{
	const size_t points = seeds->count < POINTS ? seeds->count : POINTS;
	ossai_vec3 p[POINTS];
	for (size_t i = 0; i < points; i++) {
		const uint32_t v = seeds->vertex[i];
		p[i] = pose == 0 ? ossai_rest_point(s, v) : ossai_pose_point(s, v, pose - 1);
	}
	for (size_t i = 0; i < points; i++) {
		for (size_t j = 0; j < i; j++) *distance++ = ossai_distance(p[i], p[j]);
	}
}

static double difference(const double *a, const double *b)
{
	double sum = 0;
	for (size_t i = 0; i < PAIRS; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sqrt(sum / PAIRS);
}

static void sort_rising(size_t count, uint32_t *pose)
{
	for (size_t i = 1; i < count; i++) {
		const uint32_t moving = pose[i];
		size_t at = i;
		for (; at > 0 && pose[at - 1] > moving; at--) pose[at] = pose[at - 1];
		pose[at] = moving;
	}
}

ossa_status ossai_spanning_poses(ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds,
	size_t wanted, size_t *count, uint32_t *pose)
{
	const size_t frames = surface->pose_count + 1;
	ossai_arena scratch = ossai_arena_begin(context);
	double *distance = ossai_arena_zero(&scratch, frames, PAIRS * sizeof *distance);
	double *away = ossai_arena_new(&scratch, frames, sizeof *away);
	*count = 0;
	if (distance && away) {
		for (size_t k = 0; k < frames; k++) {
			describe(surface, seeds, k, distance + k * PAIRS);
			away[k] = difference(distance, distance + k * PAIRS);
		}
		while (*count < wanted) {
			size_t farthest = 0;
			for (size_t k = 1; k < frames; k++) farthest = away[k] > away[farthest] ? k : farthest;
			if (!(away[farthest] > alike)) break;
			pose[(*count)++] = (uint32_t)farthest - 1;
			for (size_t k = 0; k < frames; k++) {
				away[k] = fmin(away[k], difference(distance + farthest * PAIRS, distance + k * PAIRS));
			}
		}
		sort_rising(*count, pose);
	}
	ossai_arena_end(&scratch);
	return distance && away ? OSSA_OK : ossa_context_error(context)->status;
}

ossa_status ossai_surface_of_poses(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t count, const uint32_t *pose, ossai_posed_surface *few)
{
	*few = *surface;
	few->pose_count = count;
	few->poses = ossai_arena_new(arena, surface->vertex_count, count * 3 * sizeof *few->poses);
	few->pose_center = ossai_arena_new(arena, count, sizeof *few->pose_center);
	few->pose_square = ossai_arena_new(arena, count, sizeof *few->pose_square);
	few->pose_sum = ossai_arena_new(arena, count, sizeof *few->pose_sum);
	if (!few->poses || !few->pose_center || !few->pose_square || !few->pose_sum)
		return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < count; i++) {
		few->pose_center[i] = surface->pose_center[pose[i]];
		few->pose_square[i] = surface->pose_square[pose[i]];
		few->pose_sum[i] = surface->pose_sum[pose[i]];
	}
	for (size_t v = 0; v < surface->vertex_count; v++) {
		for (size_t i = 0; i < count; i++) {
			memcpy(few->poses + 3 * (v * count + i), surface->poses + 3 * (v * surface->pose_count + pose[i]),
				3 * sizeof *few->poses);
		}
	}
	return OSSA_OK;
}
