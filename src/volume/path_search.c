/* volume/path_search.c: the medial voxels as a graph, the heart and the extreme points: see path_work.h. */
#include "volume/path_work.h"

#include <ossa/mesh.h>
#include <string.h>

ossa_status ossai_search_begin(ossai_arena *scratch, size_t count, ossai_search *s)
{
	s->capacity = count + 64;
	s->heap = (ossai_heap){ossai_arena_new(scratch, s->capacity, sizeof *s->heap.entries), 0};
	s->far = ossai_arena_new(scratch, count, sizeof *s->far);
	if (!s->heap.entries || !s->far) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) s->far[i] = INFINITY;
	return OSSA_OK;
}

ossa_status ossai_search_reach(ossai_arena *scratch, ossai_search *s, uint32_t m, double far)
{
	if (s->heap.count == s->capacity) {
		ossai_heap_entry *entries = ossai_arena_new(scratch, 2 * s->capacity, sizeof *entries);
		if (!entries) return ossa_context_error(scratch->context)->status;
		memcpy(entries, s->heap.entries, s->heap.count * sizeof *entries);
		s->heap.entries = entries;
		s->capacity *= 2;
	}
	s->far[m] = far;
	ossai_heap_push(&s->heap, far, m);
	return OSSA_OK;
}

/* the nearest voxel that is not settled; false where there is none */
bool ossai_search_settle(ossai_search *s, uint32_t *m)
{
	while (s->heap.count > 0) {
		const ossai_heap_entry top = s->heap.entries[0];
		ossai_heap_pop(&s->heap);
		*m = top.item;
		if (top.key == s->far[top.item]) return true;
	}
	return false;
}

/* ---- the graph ---- */

ossa_status ossai_path_link(ossai_path_work *work)
{
	const ossai_voxels *voxels = work->voxels;
	const ossai_medial *medial = work->medial;
	const size_t count = medial->count;
	work->start = ossai_arena_new(work->scratch, count + 1, sizeof *work->start);
	if (!work->start) return ossa_context_error(work->scratch->context)->status;
	for (int pass = 0; pass < 2; pass++) {
		size_t links = 0;
		for (uint32_t m = 0; m < count; m++) {
			work->start[m] = (uint32_t)links;
			for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
				const uint32_t u = voxels->of_cell[voxels->cell[medial->voxel[m]] + work->around.offset[i]];
				if (u == OSSA_NONE || medial->of_voxel[u] == OSSA_NONE) continue;
				if (pass == 1) {
					work->neighbor[links] = medial->of_voxel[u];
					work->step[links] = (uint8_t)i;
				}
				links++;
			}
		}
		work->start[count] = (uint32_t)links;
		if (pass == 1) break;
		work->neighbor = ossai_arena_new(work->scratch, links, sizeof *work->neighbor);
		work->step = ossai_arena_new(work->scratch, links, sizeof *work->step);
		if (!work->neighbor || !work->step) return ossa_context_error(work->scratch->context)->status;
	}
	return OSSA_OK;
}

/* ---- heart and extreme points ---- */

/* the medial voxel nearest to the middle of all voxels; of several the deepest */
static uint32_t find_heart(const ossai_path_work *work)
{
	ossai_vec3 sum = {0, 0, 0};
	for (uint32_t v = 0; v < work->voxels->count; v++) sum = ossai_add(sum, ossai_path_cell(work, v));
	const ossai_vec3 middle = ossai_scale(sum, 1 / (double)work->voxels->count);
	uint32_t best = 0;
	double nearest = INFINITY;
	for (uint32_t m = 0; m < work->medial->count; m++) {
		const double far = ossai_length2(ossai_sub(ossai_path_cell(work, work->medial->voxel[m]), middle));
		if (far > nearest || (far == nearest && !(ossai_path_depth(work, m) > ossai_path_depth(work, best)))) continue;
		best = m;
		nearest = far;
	}
	return best;
}

static ossa_status walk_from(ossai_path_work *work, size_t count, const uint32_t *begin)
{
	ossai_search *s = &work->from_heart;
	OSSAI_TRY(ossai_search_begin(work->scratch, work->medial->count, s));
	for (size_t i = 0; i < count; i++) OSSAI_TRY(ossai_search_reach(work->scratch, s, begin[i], 0));
	for (uint32_t m; ossai_search_settle(s, &m);) {
		for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
			const double far = s->far[m] + work->around.length[work->step[i]];
			if (far < s->far[work->neighbor[i]]) OSSAI_TRY(ossai_search_reach(work->scratch, s, work->neighbor[i], far));
		}
		work->heart_radius = s->far[m];
	}
	return OSSA_OK;
}

/* true where no neighbour is farther from the heart */
static bool is_extreme(const ossai_path_work *work, uint32_t m)
{
	const double *far = work->from_heart.far;
	if (!isfinite(far[m])) return false;
	for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
		if (far[work->neighbor[i]] > far[m]) return false;
	}
	return true;
}

/* Extreme points that touch are a group: its members are tried until one is served. */
static ossa_status find_extremes(ossai_path_work *work)
{
	const size_t count = work->medial->count;
	work->extreme = ossai_arena_new(work->scratch, count, sizeof *work->extreme);
	work->group = ossai_arena_new(work->scratch, count, sizeof *work->group);
	if (!work->extreme || !work->group) return ossa_context_error(work->scratch->context)->status;
	for (uint32_t m = 0; m < count; m++) {
		work->group[m] = OSSA_NONE;
		if (is_extreme(work, m)) work->extreme[work->extreme_count++] = m;
	}
	uint32_t *stack = ossai_arena_new(work->scratch, work->extreme_count, sizeof *stack);
	if (!stack) return ossa_context_error(work->scratch->context)->status;
	uint32_t groups = 0;
	for (size_t e = 0; e < work->extreme_count; e++) {
		if (work->group[work->extreme[e]] != OSSA_NONE) continue;
		size_t size = 1;
		stack[0] = work->extreme[e];
		work->group[work->extreme[e]] = groups;
		while (size > 0) {
			const uint32_t m = stack[--size];
			for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
				const uint32_t u = work->neighbor[i];
				if (work->group[u] != OSSA_NONE || !is_extreme(work, u)) continue;
				work->group[u] = groups;
				stack[size++] = u;
			}
		}
		groups++;
	}
	return OSSA_OK;
}

ossa_status ossai_path_find_extremes(ossai_path_work *work, size_t count, const uint32_t *begin)
{
	OSSAI_TRY(walk_from(work, count, begin));
	return find_extremes(work);
}

ossa_status ossai_path_find_heart(ossai_path_work *work)
{
	work->heart = find_heart(work);
	return ossai_path_find_extremes(work, 1, &work->heart);
}
