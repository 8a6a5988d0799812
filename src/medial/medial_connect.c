/* medial/medial_connect.c: connects the exposed sets: see medial_work.h.

   Every voxel belongs to the set that its ascent leads to. Where two of these meet deepest, the
   voxels on both sides and their ascents are added to the surface. */
#include "medial/medial_work.h"

#include "base/union_find.h"

#include <ossa/mesh.h>
#include <stdlib.h>

/* Exposed voxels and their connected sets: numbers are indices in the list. */
typedef struct exposed {
	size_t count;    /* E */
	uint32_t *voxel; /* E */
	uint32_t *set;   /* E, later also of those that are isolated */
	uint32_t *next;  /* E: the first one above it, then the first of another set; OSSA_NONE */
	uint8_t *stands; /* E: of a set's first one */
} exposed;

typedef struct ranked {
	uint32_t depth, voxel;
	double distance;
} ranked;

static int by_rank(const void *x, const void *y)
{
	const ranked *a = x, *b = y;
	if (a->depth != b->depth) return a->depth > b->depth ? -1 : 1;
	if (a->distance != b->distance) return a->distance < b->distance ? -1 : 1;
	return a->voxel < b->voxel ? -1 : a->voxel > b->voxel;
}

/* whether a comes before b: deeper, else nearer to the center of all, else first */
static bool ranks_before(const ossai_medial_work *work, uint32_t a, uint32_t b)
{
	const uint32_t depth_a = work->voxels->distance2[a], depth_b = work->voxels->distance2[b];
	if (depth_a != depth_b) return depth_a > depth_b;
	const double distance_a = ossai_medial_to_centroid(work, a), distance_b = ossai_medial_to_centroid(work, b);
	return distance_a != distance_b ? distance_a < distance_b : a < b;
}

/* ---- sets ---- */

/* work->set becomes the index of each exposed voxel */
static ossa_status list_exposed(ossai_arena *scratch, const ossai_medial_work *work, exposed *e)
{
	const size_t count = work->voxels->count;
	for (size_t v = 0; v < count; v++) e->count += work->is[v] != OSSAI_MEDIAL_IS_NOT;
	e->voxel = ossai_arena_new(scratch, e->count, sizeof *e->voxel);
	e->set = e->voxel ? ossai_arena_new(scratch, e->count, sizeof *e->set) : NULL;
	e->next = e->set ? ossai_arena_new(scratch, e->count, sizeof *e->next) : NULL;
	e->stands = e->next ? ossai_arena_zero(scratch, e->count, 1) : NULL;
	if (!e->stands) return ossa_context_error(scratch->context)->status;
	uint32_t index = 0;
	for (uint32_t v = 0; v < count; v++) {
		work->set[v] = OSSA_NONE;
		if (work->is[v] == OSSAI_MEDIAL_IS_NOT) continue;
		e->voxel[index] = v;
		work->set[v] = index++;
	}
	return OSSA_OK;
}

/* sets of exposed voxels that touch */
static void gather_sets(const ossai_medial_work *work, exposed *e)
{
	const ossai_voxels *voxels = work->voxels;
	ossai_union_begin(e->set, e->count);
	for (uint32_t k = 0; k < e->count; k++) {
		for (int i = 0; i < OSSAI_NEIGHBORS / 2; i++) {
			const uint32_t u = voxels->of_cell[voxels->cell[e->voxel[k]] + work->around.offset[i]];
			if (u != OSSA_NONE && work->set[u] != OSSA_NONE) ossai_union_join(e->set, k, work->set[u]);
		}
	}
}

/* the first exposed voxel above each on its ascent */
static void find_next(const ossai_medial_work *work, exposed *e)
{
	for (size_t k = 0; k < e->count; k++) {
		uint32_t v = e->voxel[k];
		const bool is_top = work->up[v] == OSSAI_MEDIAL_TOP;
		/* tops are exposed */
		do v = ossai_medial_up(work, v);
		while (work->set[v] == OSSA_NONE);
		e->next[k] = is_top ? OSSA_NONE : work->set[v];
	}
}

/* `next` becomes the first above that is of another set */
static void leave_sets(exposed *e)
{
	for (uint32_t k = 0; k < e->count; k++) {
		const uint32_t own = ossai_union_find(e->set, k);
		uint32_t found = e->next[k];
		while (found != OSSA_NONE && ossai_union_find(e->set, found) == own) found = e->next[found];
		for (uint32_t at = k, up; (up = e->next[at]) != found; at = up) e->next[at] = found;
	}
}

/* drops sets of which each voxel lies in the ball that its ascent leads to: unevenness of the
   skin; returns how many are left */
static size_t drop_unevenness(ossai_medial_work *work, exposed *e)
{
	const ossai_voxels *voxels = work->voxels;
	size_t sets = 0;
	find_next(work, e);
	leave_sets(e);
	for (uint32_t k = 0; k < e->count; k++) {
		const uint32_t up = e->next[k] == OSSA_NONE ? OSSA_NONE : e->voxel[e->next[k]];
		if (up == OSSA_NONE || sqrt(ossai_medial_between(voxels, e->voxel[k], up)) > sqrt(voxels->distance2[up]) + 1) {
			e->stands[ossai_union_find(e->set, k)] = 1;
		}
	}
	/* a dropped set connects nothing any more */
	for (uint32_t k = 0; k < e->count; k++) {
		const uint32_t set = ossai_union_find(e->set, k);
		sets += set == k && e->stands[k];
		if (!e->stands[set]) work->is[e->voxel[k]] = OSSAI_MEDIAL_IS_NOT;
		work->set[e->voxel[k]] = e->stands[set] ? set : OSSA_NONE;
	}
	return sets;
}

/* with each set all from which the ascent leads there */
static void fill_sets(ossai_medial_work *work)
{
	for (uint32_t v = 0; v < work->voxels->count; v++) {
		uint32_t w = v;
		while (work->set[w] == OSSA_NONE) w = ossai_medial_up(work, w);
		const uint32_t set = work->set[w];
		for (w = v; work->set[w] == OSSA_NONE; w = ossai_medial_up(work, w)) work->set[w] = set;
	}
}

/* ---- passes ---- */

/* voxels that have a neighbour of another set, by rank */
static ossa_status list_borders(ossai_arena *scratch, ossai_medial_work *work, size_t *count, ranked **border)
{
	const size_t voxels = work->voxels->count;
	ossai_medial_mark_borders(scratch->context, work);
	*count = 0;
	for (size_t v = 0; v < voxels; v++) *count += work->is[v] >> 7;
	*border = ossai_arena_new(scratch, *count, sizeof **border);
	if (!*border) return ossa_context_error(scratch->context)->status;
	*count = 0;
	for (uint32_t v = 0; v < voxels; v++) {
		if (!(work->is[v] & OSSAI_MEDIAL_BORDER)) continue;
		work->is[v] &= (uint8_t)~OSSAI_MEDIAL_BORDER;
		(*border)[(*count)++] = (ranked){work->voxels->distance2[v], v, ossai_medial_to_centroid(work, v)};
	}
	qsort(*border, *count, sizeof **border, by_rank);
	return OSSA_OK;
}

/* the neighbour of highest rank above v that is of another set; OSSA_NONE */
static uint32_t highest_across(const ossai_medial_work *work, uint32_t *set, uint32_t v)
{
	const ossai_voxels *voxels = work->voxels;
	const uint32_t own = ossai_union_find(set, work->set[v]);
	uint32_t best = OSSA_NONE;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const uint32_t u = voxels->of_cell[voxels->cell[v] + work->around.offset[i]];
		if (u == OSSA_NONE || ossai_union_find(set, work->set[u]) == own) continue;
		if (ranks_before(work, u, best == OSSA_NONE ? v : best)) best = u;
	}
	return best;
}

static void mark_ascent(ossai_medial_work *work, uint32_t v)
{
	for (; !work->is[v]; v = ossai_medial_up(work, v)) work->is[v] = OSSAI_MEDIAL_CONNECTS;
}

ossa_status ossai_medial_connect(ossai_arena *scratch, ossai_medial_work *work)
{
	exposed e = {0};
	ranked *border;
	size_t count;
	OSSAI_TRY(list_exposed(scratch, work, &e));
	gather_sets(work, &e);
	size_t sets = drop_unevenness(work, &e);
	if (sets < 2) return OSSA_OK;
	fill_sets(work);
	OSSAI_TRY(list_borders(scratch, work, &count, &border));
	/* where the pass between sets is deepest first, until all are one */
	for (size_t i = 0; i < count && sets > 1; i++) {
		const uint32_t v = border[i].voxel;
		for (uint32_t u; (u = highest_across(work, e.set, v)) != OSSA_NONE; sets--) {
			ossai_union_join(e.set, work->set[u], work->set[v]);
			mark_ascent(work, u);
			mark_ascent(work, v);
		}
	}
	return OSSA_OK;
}
