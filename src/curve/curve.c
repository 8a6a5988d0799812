/* curve/curve.c: see curve.h. */
#include "curve/curve.h"

ossa_status ossai_curve_neighbors(ossai_arena *arena, const ossai_curve *curve, uint32_t **start, uint32_t **neighbor)
{
	uint32_t *s = ossai_arena_new(arena, curve->node_count + 1, sizeof *s);
	uint32_t *n = ossai_arena_new(arena, curve->edge_count + 1, 2 * sizeof *n);
	if (!s || !n) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i <= curve->node_count; i++) s[i] = 0;
	for (size_t i = 0; i < 2 * curve->edge_count; i++) s[curve->edge[i] + 1]++;
	for (size_t i = 0; i < curve->node_count; i++) s[i + 1] += s[i];
	/* edges are sorted, so smaller neighbours come in rising order, and after them the larger ones */
	for (int side = 1; side >= 0; side--) {
		for (size_t e = 0; e < curve->edge_count; e++) n[s[curve->edge[2 * e + side]]++] = curve->edge[2 * e + 1 - side];
	}
	for (size_t i = curve->node_count; i > 0; i--) s[i] = s[i - 1];
	s[0] = 0;
	*start = s;
	*neighbor = n;
	return OSSA_OK;
}
