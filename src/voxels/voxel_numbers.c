/* voxels/voxel_numbers.c: see voxel_numbers.h. */
#include "voxels/voxel_numbers.h"

#include <string.h>

ossa_status ossai_cells_keep_largest(ossai_arena *scratch, ossai_cells *cells, ossai_voxels *voxels)
{
	ossai_runs runs;
	OSSAI_TRY(ossai_runs_make(scratch, cells, true, &runs));
	size_t *count = ossai_arena_zero(scratch, runs.set_count, sizeof *count), total = 0;
	if (!count) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < runs.count; i++) count[runs.set[i]] += runs.end[i] - runs.begin[i];
	uint32_t largest = 0;
	for (uint32_t set = 0; set < runs.set_count; set++) {
		total += count[set];
		if (count[set] > count[largest]) largest = set;
	}
	voxels->part_count = runs.set_count;
	voxels->count = runs.set_count ? count[largest] : 0;
	voxels->left_out = total - voxels->count;
	if (runs.set_count <= 1) return OSSA_OK;
	for (size_t r = 0; r < ossai_cell_rows(cells); r++) {
		uint64_t *row = cells->bits + r * cells->row_words;
		for (uint32_t i = runs.first[r]; i < runs.first[r + 1]; i++) {
			if (runs.set[i] != largest) ossai_bits_write(row, runs.begin[i], runs.end[i], false);
		}
	}
	return OSSA_OK;
}

typedef struct numbering {
	const ossai_cells *cells;
	const uint32_t *first; /* of each row: voxels before it */
	ossai_voxels *voxels;
} numbering;

static void number_rows(void *arg, size_t begin, size_t end)
{
	const numbering *n = arg;
	const ossai_cells *cells = n->cells;
	memset(n->voxels->of_cell + begin * cells->size[0], 0xff, (end - begin) * cells->size[0] * sizeof *n->voxels->of_cell);
	for (size_t r = begin; r < end; r++) {
		uint32_t voxel = n->first[r];
		for (size_t w = 0; w < cells->row_words; w++) {
			for (uint64_t bits = cells->bits[r * cells->row_words + w]; bits; bits &= bits - 1) {
				const size_t cell = r * cells->size[0] + 64 * w + (size_t)__builtin_ctzll(bits);
				n->voxels->of_cell[cell] = voxel;
				n->voxels->cell[voxel++] = (uint32_t)cell;
			}
		}
	}
}

ossa_status ossai_cells_number(ossai_arena *arena, ossai_arena *scratch, const ossai_cells *cells, ossai_voxels *voxels)
{
	const size_t rows = ossai_cell_rows(cells);
	voxels->of_cell = ossai_arena_new(arena, rows, cells->size[0] * sizeof *voxels->of_cell);
	voxels->cell = voxels->of_cell ? ossai_arena_new(arena, voxels->count, sizeof *voxels->cell) : NULL;
	voxels->distance2 = voxels->cell ? ossai_arena_new(arena, voxels->count, sizeof *voxels->distance2) : NULL;
	uint32_t *first = voxels->distance2 ? ossai_arena_new(scratch, rows, sizeof *first) : NULL;
	if (!first) return ossa_context_error(arena->context)->status;
	uint32_t count = 0;
	for (size_t r = 0; r < rows; r++) {
		first[r] = count;
		for (size_t w = 0; w < cells->row_words; w++) {
			count += (uint32_t)__builtin_popcountll(cells->bits[r * cells->row_words + w]);
		}
	}
	numbering n = {cells, first, voxels};
	ossai_parallel_for(arena->context, rows, 128, number_rows, &n);
	memcpy(voxels->size, cells->size, sizeof voxels->size);
	voxels->step = cells->step;
	voxels->origin = ossai_madd(cells->origin, 0.5 * cells->step, ossai_v3(1, 1, 1));
	return OSSA_OK;
}
