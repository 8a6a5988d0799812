/* medial/path_search.c: the medial voxels as a graph, the heart and the extreme points: see
   path_work.h. */
#include "medial/path_work.h"

#include "math/persistence.h"
#include "voxels/voxel_rows.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

ossa_status ossai_search_begin(ossai_arena *scratch, size_t count, ossai_search *s)
{
	s->capacity = count + 64;
	s->heap = (ossai_heap){ossai_arena_new(scratch, s->capacity, sizeof *s->heap.entries), 0};
	s->distance = ossai_arena_new(scratch, count, sizeof *s->distance);
	if (!s->heap.entries || !s->distance) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) s->distance[i] = INFINITY;
	return OSSA_OK;
}

ossa_status ossai_search_reach(ossai_arena *scratch, ossai_search *s, uint32_t m, double distance)
{
	if (s->heap.count == s->capacity) {
		ossai_heap_entry *entries = ossai_arena_new(scratch, 2 * s->capacity, sizeof *entries);
		if (!entries) return ossa_context_error(scratch->context)->status;
		memcpy(entries, s->heap.entries, s->heap.count * sizeof *entries);
		s->heap.entries = entries;
		s->capacity *= 2;
	}
	s->distance[m] = distance;
	ossai_heap_push(&s->heap, distance, m);
	return OSSA_OK;
}

/* the nearest voxel that is not settled; false where there is none */
bool ossai_search_settle(ossai_search *s, uint32_t *m)
{
	while (s->heap.count > 0) {
		const ossai_heap_entry top = s->heap.entries[0];
		ossai_heap_pop(&s->heap);
		*m = top.item;
		if (top.key == s->distance[top.item]) return true;
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
	const ossai_vec3 centroid = ossai_voxels_centroid(work->voxels);
	uint32_t best = 0;
	double nearest = INFINITY;
	for (uint32_t m = 0; m < work->medial->count; m++) {
		const double distance = ossai_length2(ossai_sub(ossai_path_cell(work, work->medial->voxel[m]), centroid));
		if (distance > nearest || (distance == nearest && !(ossai_path_depth(work, m) > ossai_path_depth(work, best))))
			continue;
		best = m;
		nearest = distance;
	}
	return best;
}

ossa_status ossai_path_find_heart(ossai_path_work *work)
{
	ossai_search *s = &work->from_heart;
	work->heart = find_heart(work);
	OSSAI_TRY(ossai_search_begin(work->scratch, work->medial->count, s));
	OSSAI_TRY(ossai_search_reach(work->scratch, s, work->heart, 0));
	work->order = ossai_arena_new(work->scratch, work->medial->count, sizeof *work->order);
	if (!work->order) return ossa_context_error(work->scratch->context)->status;
	for (uint32_t m, left = (uint32_t)work->medial->count; ossai_search_settle(s, &m);) {
		work->order[--left] = m;
		for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
			const double distance = s->distance[m] + work->around.length[work->step[i]];
			if (distance < s->distance[work->neighbor[i]])
				OSSAI_TRY(ossai_search_reach(work->scratch, s, work->neighbor[i], distance));
		}
		work->heart_radius = s->distance[m];
	}
	return OSSA_OK;
}

/* A medial voxel by its distance from the heart. */
typedef struct distant {
	double distance, depth;
	uint32_t m;
} distant;

/* the farthest first, of equally far ones the deepest, then the first */
static int by_distance(const void *x, const void *y)
{
	const distant *a = x, *b = y;
	if (a->distance != b->distance) return a->distance > b->distance ? -1 : 1;
	if (a->depth != b->depth) return a->depth > b->depth ? -1 : 1;
	return a->m < b->m ? -1 : a->m > b->m;
}

/* of each medial voxel how many are farther out */
static ossa_status rank_by_distance(const ossai_path_work *work, uint32_t *rank)
{
	const size_t count = work->medial->count;
	distant *sorted = ossai_arena_new(work->scratch, count, sizeof *sorted);
	if (!sorted) return ossa_context_error(work->scratch->context)->status;
	for (uint32_t m = 0; m < count; m++) sorted[m] = (distant){work->from_heart.distance[m], ossai_path_depth(work, m), m};
	qsort(sorted, count, sizeof *sorted, by_distance);
	for (uint32_t i = 0; i < count; i++) rank[sorted[i].m] = i;
	return OSSA_OK;
}

ossa_status ossai_path_find_extremes(ossai_path_work *work, double least)
{
	const size_t count = work->medial->count;
	const double *distance = work->from_heart.distance;
	uint32_t *rank = ossai_arena_new(work->scratch, count, sizeof *rank);
	work->extreme = ossai_arena_new(work->scratch, count, sizeof *work->extreme);
	work->group = ossai_arena_new(work->scratch, count, sizeof *work->group);
	if (!rank || !work->extreme || !work->group) return ossa_context_error(work->scratch->context)->status;
	OSSAI_TRY(rank_by_distance(work, rank));
	ossai_local_maxima maxima;
	OSSAI_TRY(ossai_local_maxima_find(work->scratch, count, work->order, rank, work->start, work->neighbor, &maxima));
	for (size_t i = 0; i < count; i++) {
		const uint32_t m = work->order[i];
		work->group[m] = distance[m] - distance[maxima.saddle[m]] < least ? maxima.higher[m] : m;
		if (ossai_is_local_maximum(&maxima, m)) work->extreme[work->extreme_count++] = m;
	}
	for (size_t e = 0; e < work->extreme_count; e++) {
		uint32_t *group = &work->group[work->extreme[e]];
		while (work->group[*group] != *group) *group = work->group[*group];
	}
	return OSSA_OK;
}
