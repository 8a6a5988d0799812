/* curve/tree.c: see tree.h. A curve becomes a tree: the maximum spanning tree of its edges by
   thickness, so that each loop opens where it is thinnest, and the shortest links between its
   pieces. Spurious branches: prune.c. */
#include "curve/tree.h"

#include "base/union_find.h"
#include "query/face_tree.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

/* An edge and its strength. */
typedef struct strong_edge {
	double strength, length;
	uint32_t edge;
} strong_edge;

/* the smaller radius of its ends; less where the edge is longer than the balls of its ends cover,
   because it may be outside there */
static strong_edge strength_of(const ossai_curve *curve, uint32_t e)
{
	const uint32_t a = curve->edge[2 * (size_t)e], b = curve->edge[2 * (size_t)e + 1];
	const double length = ossai_distance(curve->node[a], curve->node[b]);
	const double thin = fmin(curve->radius[a], curve->radius[b]), both = curve->radius[a] + curve->radius[b];
	return (strong_edge){length > both ? thin * both / length : thin, length, e};
}

/* strongest first, then shortest, then by index */
static int by_strength(const void *x, const void *y)
{
	const strong_edge *a = x, *b = y;
	if (a->strength != b->strength) return a->strength > b->strength ? -1 : 1;
	if (a->length != b->length) return a->length < b->length ? -1 : 1;
	return a->edge < b->edge ? -1 : a->edge > b->edge;
}

static int by_edge(const void *x, const void *y)
{
	const strong_edge *a = x, *b = y;
	return a->edge < b->edge ? -1 : a->edge > b->edge;
}

/* extends the array of cuts */
static ossa_status more_cuts(ossai_arena *arena, ossai_curve *curve, size_t more)
{
	ossai_loop_cut *cuts = ossai_arena_new(arena, curve->cut_count + more, sizeof *cuts);
	if (!cuts) return ossa_context_error(arena->context)->status;
	if (curve->cut_count > 0) memcpy(cuts, curve->cuts, curve->cut_count * sizeof *cuts);
	curve->cuts = cuts;
	return OSSA_OK;
}

/* keeps the edges of the maximum spanning tree, in order, and records the others as cuts */
static ossa_status keep_strongest(ossai_arena *arena, strong_edge *order, uint32_t *set, ossai_curve *curve)
{
	const size_t count = curve->edge_count;
	for (uint32_t e = 0; e < count; e++) order[e] = strength_of(curve, e);
	qsort(order, count, sizeof *order, by_strength);
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		const uint32_t *ends = curve->edge + 2 * (size_t)order[i].edge;
		/* moves kept edges to the front, over edges that have been tested */
		if (!ossai_union_join(set, ends[0], ends[1])) continue;
		const strong_edge swap = order[kept];
		order[kept++] = order[i];
		order[i] = swap;
	}
	OSSAI_TRY(more_cuts(arena, curve, count - kept));
	qsort(order, kept, sizeof *order, by_edge);
	if (kept < count) qsort(order + kept, count - kept, sizeof *order, by_edge);
	for (size_t i = kept; i < count; i++) {
		const uint32_t *ends = curve->edge + 2 * (size_t)order[i].edge;
		const ossai_vec3 center = ossai_lerp(curve->node[ends[0]], curve->node[ends[1]], 0.5);
		curve->cuts[curve->cut_count++] = (ossai_loop_cut){ends[0], ends[1], center};
	}
	for (size_t i = 0; i < kept; i++)
		memmove(curve->edge + 2 * i, curve->edge + 2 * (size_t)order[i].edge, 2 * sizeof(uint32_t));
	curve->edge_count = kept;
	return OSSA_OK;
}

static ossa_status cut(ossai_arena *arena, ossai_arena *scratch, ossai_curve *curve)
{
	strong_edge *order = ossai_arena_new(scratch, curve->edge_count, sizeof *order);
	uint32_t *set = ossai_arena_new(scratch, curve->node_count, sizeof *set);
	if (!order || !set) return ossa_context_error(arena->context)->status;
	ossai_union_begin(set, curve->node_count);
	return keep_strongest(arena, order, set, curve);
}

/* ---- pieces ---- */

/* Points as faces of no size: the tree of faces finds the nearest one of another piece. */
typedef struct piece_search {
	float *positions;
	uint32_t *triangles, *piece, *set;
	ossai_face_tree tree;
	/* of each piece, by its smallest node: the shortest link to another; edge is the node there */
	strong_edge *best;
	uint32_t *other;
} piece_search;

static ossa_status search_make(ossai_arena *scratch, const ossai_curve *curve, piece_search *search)
{
	const size_t count = curve->node_count;
	search->positions = ossai_arena_new(scratch, count, 3 * sizeof(float));
	search->triangles = ossai_arena_new(scratch, count, 3 * sizeof(uint32_t));
	search->piece = ossai_arena_new(scratch, count, sizeof(uint32_t));
	search->set = ossai_arena_new(scratch, count, sizeof(uint32_t));
	search->best = ossai_arena_new(scratch, count, sizeof *search->best);
	search->other = ossai_arena_new(scratch, count, sizeof(uint32_t));
	if (!search->positions || !search->triangles || !search->piece || !search->set || !search->best || !search->other) {
		return ossa_context_error(scratch->context)->status;
	}
	ossai_union_begin(search->set, count);
	for (size_t e = 0; e < curve->edge_count; e++) ossai_union_join(search->set, curve->edge[2 * e], curve->edge[2 * e + 1]);
	for (size_t i = 0; i < count; i++) {
		search->positions[3 * i] = (float)curve->node[i].x;
		search->positions[3 * i + 1] = (float)curve->node[i].y;
		search->positions[3 * i + 2] = (float)curve->node[i].z;
		for (int k = 0; k < 3; k++) search->triangles[3 * i + (size_t)k] = (uint32_t)i;
	}
	const ossai_mesh_view points = ossai_view_of_floats(count, search->positions, count, search->triangles);
	return ossai_face_tree_make(scratch, &points, &search->tree);
}

/* the shortest link from each piece to another; false where there is only one piece */
static bool shortest_links(piece_search *search, const ossai_curve *curve)
{
	bool several = false;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		search->piece[i] = ossai_union_find(search->set, i);
		search->best[i] = (strong_edge){0, INFINITY, OSSA_NONE};
		several = several || search->piece[i] != search->piece[0];
	}
	if (!several) return false;
	ossai_face_tree_set_groups(&search->tree, search->piece);
	for (uint32_t i = 0; i < curve->node_count; i++) {
		strong_edge *best = &search->best[search->piece[i]];
		const ossai_near_face within = {OSSA_NONE, best->length};
		const ossai_near_face near = ossai_face_tree_nearest(
			&search->tree, search->piece, curve->node[i], search->piece[i], within);
		if (near.face == OSSA_NONE || !(near.distance2 < best->length)) continue;
		*best = (strong_edge){0, near.distance2, i};
		search->other[search->piece[i]] = near.face;
	}
	return true;
}

/* joins every piece to its nearest one, until all are connected: each round at least halves the
   pieces (Boruvka 1926) */
static ossa_status join(ossai_arena *arena, ossai_arena *scratch, ossai_curve *curve)
{
	piece_search search;
	OSSAI_TRY(search_make(scratch, curve, &search));
	uint32_t *edge = ossai_arena_new(arena, curve->node_count + curve->edge_count, 2 * sizeof *edge);
	if (!edge) return ossa_context_error(arena->context)->status;
	if (curve->edge_count > 0) memcpy(edge, curve->edge, 2 * curve->edge_count * sizeof *edge);
	curve->edge = edge;
	while (shortest_links(&search, curve)) {
		OSSAI_TRY(ossai_progress(arena->context, 0.5));
		for (uint32_t i = 0; i < curve->node_count; i++) {
			const uint32_t from = search.best[i].edge;
			if (from == OSSA_NONE || !ossai_union_join(search.set, from, search.other[i])) continue;
			edge[2 * curve->edge_count] = from;
			edge[2 * curve->edge_count + 1] = search.other[i];
			curve->edge_count++;
		}
	}
	return ossai_curve_sort_edges(arena, curve);
}

ossa_status ossai_curve_cut_loops(ossai_arena *arena, ossai_curve *curve)
{
	if (curve->node_count == 0) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossa_status status = cut(arena, &scratch, curve);
	if (status == OSSA_OK) status = join(arena, &scratch, curve);
	ossai_arena_end(&scratch);
	return status;
}

uint32_t ossai_curve_root(const ossai_curve *curve)
{
	uint32_t root = 0;
	for (uint32_t i = 1; i < curve->node_count; i++) {
		if (curve->volume[i] > curve->volume[root]) root = i;
	}
	return root;
}

/* ---- the root ---- */

/* Of each node the length of curve beyond it, and the integral of distances to it. */
typedef struct distance_sums {
	uint32_t *start, *neighbor, *order, *parent;
	double *beyond, *distance;
} distance_sums;

static ossa_status distance_sums_make(ossai_arena *scratch, const ossai_curve *curve, distance_sums *w)
{
	OSSAI_TRY(ossai_curve_neighbors(scratch, curve, &w->start, &w->neighbor));
	w->order = ossai_arena_new(scratch, curve->node_count, sizeof *w->order);
	w->parent = ossai_arena_new(scratch, curve->node_count, sizeof *w->parent);
	w->beyond = ossai_arena_zero(scratch, curve->node_count, sizeof *w->beyond);
	w->distance = ossai_arena_zero(scratch, curve->node_count, sizeof *w->distance);
	return w->order && w->parent && w->beyond && w->distance ? OSSA_OK : ossa_context_error(scratch->context)->status;
}

/* nodes from node 0 outward */
static size_t walk_outward(distance_sums *w)
{
	size_t count = 1;
	w->order[0] = 0;
	w->parent[0] = OSSA_NONE;
	for (size_t i = 0; i < count; i++) {
		const uint32_t node = w->order[i];
		for (uint32_t k = w->start[node]; k < w->start[node + 1]; k++) {
			if (w->neighbor[k] == w->parent[node]) continue;
			w->parent[w->neighbor[k]] = node;
			w->order[count++] = w->neighbor[k];
		}
	}
	return count;
}

/* first sums over the curve beyond each node; then, outward, over all of it: a step over an edge
   decreases the distance to what is beyond and increases that to the rest. An edge's own length
   counts at its middle */
static void sum_distances(const ossai_curve *curve, const distance_sums *w, size_t count)
{
	for (size_t i = count; i-- > 1;) {
		const uint32_t node = w->order[i], parent = w->parent[node];
		const double length = ossai_distance(curve->node[node], curve->node[parent]);
		w->distance[parent] += w->distance[node] + w->beyond[node] * length + length * length / 2;
		w->beyond[parent] += w->beyond[node] + length;
	}
	const double all = w->beyond[0];
	for (size_t i = 1; i < count; i++) {
		const uint32_t node = w->order[i], parent = w->parent[node];
		const double length = ossai_distance(curve->node[node], curve->node[parent]);
		w->distance[node] = w->distance[parent] + length * (all - length - 2 * w->beyond[node]);
	}
}

ossa_status ossai_curve_central_node(ossai_arena *arena, const ossai_curve *curve, uint32_t *center)
{
	*center = 0;
	if (curve->node_count == 0) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	distance_sums w = {.start = NULL};
	const ossa_status status = distance_sums_make(&scratch, curve, &w);
	if (status == OSSA_OK) {
		sum_distances(curve, &w, walk_outward(&w));
		bool branches = false;
		for (uint32_t i = 0; i < curve->node_count; i++) {
			const bool is_junction = w.start[i + 1] - w.start[i] > 2;
			if (is_junction < branches) continue;
			if (is_junction > branches || w.distance[i] < w.distance[*center]) *center = i;
			branches = is_junction;
		}
	}
	ossai_arena_end(&scratch);
	return status;
}
