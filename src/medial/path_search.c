/* medial/path_search.c: the medial voxels as a graph, the heart and the extreme points: see
   path_work.h. */
#include "medial/path_work.h"

#include "base/union_find.h"
#include "voxels/voxel_rows.h"

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

/* the medial voxel nearest to the centroid of all voxels; of several the deepest */
static uint32_t find_heart(const ossai_path_work *work)
{
	const ossai_vec3 middle = ossai_voxels_centroid(work->voxels);
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
	work->order = ossai_arena_new(work->scratch, work->medial->count, sizeof *work->order);
	if (!work->order) return ossa_context_error(work->scratch->context)->status;
	for (size_t i = 0; i < count; i++) OSSAI_TRY(ossai_search_reach(work->scratch, s, begin[i], 0));
	for (uint32_t m; ossai_search_settle(s, &m);) {
		for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
			const double far = s->far[m] + work->around.length[work->step[i]];
			if (far < s->far[work->neighbor[i]]) OSSAI_TRY(ossai_search_reach(work->scratch, s, work->neighbor[i], far));
		}
		work->order[work->order_count++] = m;
		work->heart_radius = s->far[m];
	}
	return OSSA_OK;
}

/* whether a is a higher peak than b: farther, else deeper, else first */
static bool is_higher(const ossai_path_work *work, uint32_t a, uint32_t b)
{
	const double *far = work->from_heart.far;
	if (far[a] != far[b]) return far[a] > far[b];
	const double depth_a = ossai_path_depth(work, a), depth_b = ossai_path_depth(work, b);
	return depth_a != depth_b ? depth_a > depth_b : a < b;
}

/* The sets of a peak m that meet there: the lower peaks end. One that stands out by less than
   `least` is of the group of the higher. */
static void join_peaks(ossai_path_work *work, double least, uint32_t m, uint32_t *set, uint32_t *peak)
{
	uint32_t highest = m;
	for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
		const uint32_t u = work->neighbor[i];
		if (peak[u] == OSSA_NONE) continue;
		const uint32_t other = peak[ossai_union_find(set, u)];
		if (!ossai_union_join(set, m, u)) continue;
		const uint32_t lower = is_higher(work, other, highest) ? highest : other;
		highest = lower == highest ? other : highest;
		if (work->from_heart.far[lower] - work->from_heart.far[m] < least) work->group[lower] = highest;
	}
	peak[m] = highest;
	peak[ossai_union_find(set, m)] = highest;
	if (highest == m) work->extreme[work->extreme_count++] = m;
}

/* Extreme points are peaks of the distance from the heart. Those between which it falls by less
   than `least` below the lower one are a group: its members are tried until one is served. Sets
   grow in order of falling distance (superlevel sets). */
static ossa_status find_extremes(ossai_path_work *work, double least)
{
	const size_t count = work->medial->count;
	uint32_t *set = ossai_arena_new(work->scratch, count, sizeof *set);
	uint32_t *peak = ossai_arena_new(work->scratch, count, sizeof *peak);
	work->extreme = ossai_arena_new(work->scratch, count, sizeof *work->extreme);
	work->group = ossai_arena_new(work->scratch, count, sizeof *work->group);
	if (!set || !peak || !work->extreme || !work->group) return ossa_context_error(work->scratch->context)->status;
	for (uint32_t m = 0; m < count; m++) peak[m] = OSSA_NONE;
	ossai_union_begin(set, count);
	ossai_union_begin(work->group, count);
	for (size_t k = work->order_count; k-- > 0;) join_peaks(work, least, work->order[k], set, peak);
	/* peaks that end later lead on */
	for (size_t e = 0; e < work->extreme_count; e++) {
		uint32_t group = work->extreme[e];
		while (work->group[group] != group) group = work->group[group];
		for (uint32_t m = work->extreme[e], next; m != group; m = next) {
			next = work->group[m];
			work->group[m] = group;
		}
	}
	return OSSA_OK;
}

ossa_status ossai_path_find_extremes(ossai_path_work *work, size_t count, const uint32_t *begin, double closeness)
{
	OSSAI_TRY(walk_from(work, count, begin));
	return find_extremes(work, closeness * work->heart_radius);
}

ossa_status ossai_path_find_heart(ossai_path_work *work, double closeness)
{
	work->heart = find_heart(work);
	return ossai_path_find_extremes(work, 1, &work->heart, closeness);
}
