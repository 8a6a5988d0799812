/* base/csr.c: see csr.h. */
#include "base/csr.h"

#include <ossa/mesh.h>

ossa_status ossai_csr_begin(ossai_arena *arena, size_t row_count, ossai_csr *csr)
{
	*csr = (ossai_csr){row_count, ossai_arena_zero(arena, row_count + 2, sizeof *csr->start), NULL};
	return csr->start ? OSSA_OK : ossa_context_error(arena->context)->status;
}

ossa_status ossai_csr_lay_out(ossa_context *context, ossai_csr *csr, size_t *item_count)
{
	size_t total = 0;
	for (size_t r = 0; r < csr->row_count; r++) {
		total += csr->start[r + 2];
		csr->start[r + 2] = (uint32_t)total;
	}
	*item_count = total;
	if (total < UINT32_MAX) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_LIMIT, NULL, "the input is too large: a list of %zu entries, where %u are the most",
		total, UINT32_MAX - 1);
}

ossa_status ossai_csr_take_items(ossai_arena *arena, ossai_csr *csr)
{
	size_t count;
	OSSAI_TRY(ossai_csr_lay_out(arena->context, csr, &count));
	csr->item = ossai_arena_new(arena, count, sizeof *csr->item);
	return csr->item ? OSSA_OK : ossa_context_error(arena->context)->status;
}

ossa_status ossai_csr_of_keys(ossai_arena *arena, size_t row_count, size_t count, const uint32_t *key, ossai_csr *csr)
{
	OSSAI_TRY(ossai_csr_begin(arena, row_count, csr));
	for (size_t i = 0; i < count; i++) {
		if (key[i] != OSSA_NONE) ossai_csr_count(csr, key[i]);
	}
	OSSAI_TRY(ossai_csr_take_items(arena, csr));
	for (size_t i = 0; i < count; i++) {
		if (key[i] != OSSA_NONE) ossai_csr_put(csr, key[i], (uint32_t)i);
	}
	return OSSA_OK;
}

ossa_status ossai_csr_of_edges(ossai_arena *arena, size_t node_count, size_t edge_count, const uint32_t *edge, ossai_csr *csr)
{
	OSSAI_TRY(ossai_csr_begin(arena, node_count, csr));
	for (size_t i = 0; i < 2 * edge_count; i++) ossai_csr_count(csr, edge[i]);
	OSSAI_TRY(ossai_csr_take_items(arena, csr));
	for (size_t i = 0; i < 2 * edge_count; i++) ossai_csr_put(csr, edge[i], edge[i ^ 1]);
	return OSSA_OK;
}
