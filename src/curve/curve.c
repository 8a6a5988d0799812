/* curve/curve.c: see curve.h. */
#include "curve/curve.h"

#include "base/csr.h"
#include "mesh/pairs.h"

#include <ossa/mesh.h>

ossa_status ossai_curve_neighbors(ossai_arena *arena, const ossai_curve *curve, uint32_t **start, uint32_t **neighbor)
{
	ossai_csr neighbors;
	OSSAI_TRY(ossai_csr_of_edges(arena, curve->node_count, curve->edge_count, curve->edge, &neighbors));
	*start = neighbors.start;
	*neighbor = neighbors.item;
	return OSSA_OK;
}

/* pairs of the nodes that both ends of each edge become */
static ossai_pair *edge_pairs(ossa_context *context, const ossai_curve *curve, const uint32_t *into, size_t *count)
{
	ossai_pair *pairs = ossai_new(context, curve->edge_count, sizeof *pairs);
	*count = 0;
	for (size_t e = 0; pairs && e < curve->edge_count; e++) {
		const uint32_t a = into ? into[curve->edge[2 * e]] : curve->edge[2 * e];
		const uint32_t b = into ? into[curve->edge[2 * e + 1]] : curve->edge[2 * e + 1];
		if (a != b) pairs[(*count)++] = ossai_pair_of(a, b, (uint32_t)e);
	}
	return pairs;
}

/* sorted, unique edges between the nodes that both ends of each edge become (NULL: themselves) */
static ossa_status remake_edges(ossai_arena *arena, const uint32_t *into, ossai_curve *curve)
{
	size_t count;
	ossai_pair *pairs = edge_pairs(arena->context, curve, into, &count);
	if (!pairs) return ossa_context_error(arena->context)->status;
	ossa_status status = ossai_pairs_sort(arena->context, pairs, count, curve->node_count);
	if (status == OSSA_OK) status = ossai_pairs_unique(arena, pairs, count, &curve->edge, &curve->edge_count);
	ossa_free(arena->context, pairs);
	return status;
}

ossa_status ossai_curve_sort_edges(ossai_arena *arena, ossai_curve *curve) { return remake_edges(arena, NULL, curve); }

/* what is left of the nodes, and of `into` the new numbers */
static void merge_nodes(uint32_t *number, const uint32_t *into, ossai_curve *curve)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (into[i] != i) {
			curve->area[into[i]] += curve->area[i];
			curve->volume[into[i]] += curve->volume[i];
			if (curve->persistence) curve->persistence[into[i]] = fmax(curve->persistence[into[i]], curve->persistence[i]);
		}
		number[i] = into[i] == i ? count++ : OSSA_NONE;
	}
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (into[i] != i) continue;
		curve->node[number[i]] = curve->node[i];
		curve->radius[number[i]] = curve->radius[i];
		if (curve->ball) curve->ball[number[i]] = curve->ball[i];
		if (curve->persistence) curve->persistence[number[i]] = curve->persistence[i];
		curve->area[number[i]] = curve->area[i];
		curve->volume[number[i]] = curve->volume[i];
	}
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (into[i] != i) number[i] = number[into[i]];
	}
	curve->node_count = count;
}

ossa_status ossai_curve_merge(ossai_arena *arena, const uint32_t *into, ossai_curve *curve)
{
	uint32_t *number = ossai_arena_new(arena, curve->node_count, sizeof *number);
	if (!number) return ossa_context_error(arena->context)->status;
	merge_nodes(number, into, curve);
	for (size_t v = 0; v < curve->vertex_count; v++) curve->node_of_vertex[v] = number[curve->node_of_vertex[v]];
	for (size_t c = 0; c < curve->cut_count; c++) {
		curve->cuts[c].a = number[curve->cuts[c].a];
		curve->cuts[c].b = number[curve->cuts[c].b];
	}
	return remake_edges(arena, number, curve);
}
