/* contraction/collapse_curve.c: see collapse_curve.h. */
#include "contraction/collapse_curve.h"

#include "base/union_find.h"
#include "mesh/pairs.h"

#include <string.h>

typedef ossai_collapse_graph graph_type;

/* ---- nodes ---- */

static void mark_used(const ossai_proxy *proxy, uint8_t *used)
{
	for (size_t i = 0; i < 3 * proxy->face_count; i++) used[proxy->triangles[i]] = 1;
	for (size_t i = 0; i < 2 * proxy->link_count; i++) used[proxy->links[i]] = 1;
	/* where nothing is connected, one point is the curve */
	if (proxy->face_count == 0 && proxy->link_count == 0 && proxy->vertex_count > 0) used[0] = 1;
}

/* numbers the slots in the order of their first vertices; node_of_slot is scratch of N, all
   OSSA_NONE */
static void number_nodes(
	const ossai_proxy *proxy, graph_type *g, const uint8_t *used, uint32_t *node_of_slot, ossai_curve *curve)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < proxy->vertex_count; v++) {
		const uint32_t slot = ossai_union_find(g->parent, v);
		if (used[v] && node_of_slot[slot] == OSSA_NONE) node_of_slot[slot] = count++;
		curve->node_of_vertex[v] = used[v] ? node_of_slot[slot] : 0;
	}
	curve->node_count = count;
}

static ossa_status make_nodes(ossai_arena *arena, const ossai_proxy *proxy, graph_type *g, const double *position,
	uint32_t *node_of_slot, ossai_curve *curve)
{
	const size_t n = proxy->vertex_count;
	uint8_t *used = ossai_arena_zero(arena, n, sizeof *used);
	curve->node_of_vertex = ossai_arena_new(arena, n, sizeof *curve->node_of_vertex);
	if (!used || !curve->node_of_vertex) return ossa_context_error(arena->context)->status;
	memset(node_of_slot, 0xff, n * sizeof *node_of_slot);
	mark_used(proxy, used);
	number_nodes(proxy, g, used, node_of_slot, curve);
	curve->node = ossai_arena_new(arena, curve->node_count, sizeof *curve->node);
	curve->radius = ossai_arena_zero(arena, curve->node_count, sizeof *curve->radius);
	curve->area = ossai_arena_zero(arena, curve->node_count, sizeof *curve->area);
	curve->volume = ossai_arena_zero(arena, curve->node_count, sizeof *curve->volume);
	if (!curve->node || !curve->radius || !curve->area || !curve->volume) return ossa_context_error(arena->context)->status;
	for (size_t v = 0; v < n; v++) {
		if (node_of_slot[v] != OSSA_NONE) curve->node[node_of_slot[v]] = ossai_v3_of(position + 3 * v);
	}
	return OSSA_OK;
}

/* ---- edges ---- */

static ossa_status make_edges(ossai_arena *arena, const graph_type *g, const uint32_t *node_of_slot, ossai_curve *curve)
{
	size_t count = 0;
	for (size_t e = 0; e < g->edge_count; e++) count += !g->is_dead[e];
	ossai_pair *pairs = ossai_new(arena->context, count, sizeof *pairs);
	if (!pairs) return ossa_context_error(arena->context)->status;
	count = 0;
	for (size_t e = 0; e < g->edge_count; e++) {
		if (g->is_dead[e]) continue;
		pairs[count++] = ossai_pair_of(node_of_slot[g->end[2 * e]], node_of_slot[g->end[2 * e + 1]], 0);
	}
	ossa_status status = ossai_pairs_sort(arena->context, pairs, count, curve->node_count);
	if (status == OSSA_OK) status = ossai_pairs_unique(arena, pairs, count, &curve->edge, &curve->edge_count);
	ossa_free(arena->context, pairs);
	return status;
}

/* ---- ends ---- */

/* the one neighbour of each leaf node; the node itself where it has several; OSSA_NONE where it has
   none */
static void find_before(const ossai_curve *curve, uint32_t *before)
{
	memset(before, 0xff, curve->node_count * sizeof *before);
	for (size_t i = 0; i < 2 * curve->edge_count; i++) {
		const uint32_t node = curve->edge[i];
		before[node] = before[node] == OSSA_NONE ? curve->edge[i ^ 1] : node;
	}
}

/* the vertex of each leaf's patch that is farthest from the leaf's neighbour; OSSA_NONE: not a
   leaf */
static void find_tips(const ossai_curve *curve, const double *contracted, const uint32_t *before, uint32_t *tip)
{
	memset(tip, 0xff, curve->node_count * sizeof *tip);
	for (uint32_t v = 0; v < curve->vertex_count; v++) {
		const uint32_t node = curve->node_of_vertex[v];
		if (node == OSSA_NONE || before[node] == OSSA_NONE || before[node] == node) continue;
		const ossai_vec3 from = curve->node[before[node]], to = ossai_v3_of(contracted + 3 * (size_t)v);
		const uint32_t old = tip[node];
		if (old == OSSA_NONE || ossai_distance(from, to) > ossai_distance(from, ossai_v3_of(contracted + 3 * (size_t)old)))
			tip[node] = v;
	}
}

static ossa_status move_ends(ossa_context *context, const double *contracted, ossai_curve *curve)
{
	uint32_t *before = ossai_new(context, curve->node_count, 2 * sizeof *before);
	if (!before) return ossa_context_error(context)->status;
	uint32_t *tip = before + curve->node_count;
	find_before(curve, before);
	find_tips(curve, contracted, before, tip);
	for (size_t i = 0; i < curve->node_count; i++) {
		if (tip[i] != OSSA_NONE) curve->node[i] = ossai_v3_of(contracted + 3 * (size_t)tip[i]);
	}
	ossa_free(context, before);
	return OSSA_OK;
}

/* ---- patches ---- */

/* Gives each corner's node a third of a face: of its area, of its distance to the node, and of its
   tetrahedron with the node. */
static void add_corner(const ossai_vec3 corner[3], int k, uint32_t node, ossai_curve *curve)
{
	const ossai_vec3 from = curve->node[node];
	const ossai_vec3 a = ossai_sub(corner[0], from), b = ossai_sub(corner[1], from), c = ossai_sub(corner[2], from);
	const double area = ossai_length(ossai_cross(ossai_sub(b, a), ossai_sub(c, a))) / 6;
	curve->area[node] += area;
	curve->radius[node] += area * ossai_distance(corner[k], from);
	curve->volume[node] += ossai_dot(a, ossai_cross(b, c)) / 18;
}

static void measure_patches(const ossai_proxy *proxy, ossai_curve *curve)
{
	for (size_t f = 0; f < proxy->face_count; f++) {
		ossai_vec3 corner[3];
		for (size_t k = 0; k < 3; k++) corner[k] = ossai_v3_of(proxy->positions + 3 * (size_t)proxy->triangles[3 * f + k]);
		for (int k = 0; k < 3; k++) add_corner(corner, k, curve->node_of_vertex[proxy->triangles[3 * f + (size_t)k]], curve);
	}
	for (size_t i = 0; i < curve->node_count; i++) {
		curve->radius[i] = curve->area[i] > 0 ? curve->radius[i] / curve->area[i] : 0;
		curve->volume[i] = curve->volume[i] > 0 ? curve->volume[i] : 0;
	}
}

ossa_status ossai_collapse_curve(ossai_arena *arena, const ossai_proxy *proxy, graph_type *g, const double *position,
	const double *contracted, ossai_curve *curve)
{
	*curve = (ossai_curve){.vertex_count = proxy->vertex_count};
	uint32_t *node_of_slot = ossai_new(arena->context, proxy->vertex_count, sizeof *node_of_slot);
	if (!node_of_slot) return ossa_context_error(arena->context)->status;
	ossa_status status = make_nodes(arena, proxy, g, position, node_of_slot, curve);
	if (status == OSSA_OK) status = make_edges(arena, g, node_of_slot, curve);
	if (status == OSSA_OK && contracted) status = move_ends(arena->context, contracted, curve);
	if (status == OSSA_OK) measure_patches(proxy, curve);
	ossa_free(arena->context, node_of_slot);
	return status;
}
