/* voxels/voxel_rows.c: see voxel_rows.h. */
#include "voxels/voxel_rows.h"

#include "base/clones.h"
#include "voxels/voxel_cells.h"

/* The outermost layer of cells is exterior: cells of two rows are never consecutive. */
OSSAI_CLONES static size_t count_stretches(const uint32_t *cell, size_t count)
{
	size_t stretches = count > 0;
	for (size_t v = 1; v < count; v++) stretches += cell[v] != cell[v - 1] + 1;
	return stretches;
}

ossa_status ossai_voxel_rows_make(ossai_arena *arena, const ossai_voxels *voxels, ossai_voxel_rows *rows)
{
	const size_t row_count = (size_t)voxels->size[1] * voxels->size[2], count = voxels->count;
	const uint32_t *cell = voxels->cell;
	*rows = (ossai_voxel_rows){.count = count_stretches(cell, count)};
	rows->first = ossai_arena_new(arena, row_count + 1, sizeof *rows->first);
	rows->begin = rows->first ? ossai_arena_new(arena, rows->count, sizeof *rows->begin) : NULL;
	rows->voxel = rows->begin ? ossai_arena_new(arena, rows->count + 1, sizeof *rows->voxel) : NULL;
	if (!rows->voxel) return ossa_context_error(arena->context)->status;
	uint32_t stretch = 0;
	size_t row = 0;
	for (size_t v = 0; v < count; v++) {
		if (v > 0 && cell[v] == cell[v - 1] + 1) continue;
		const size_t own = cell[v] / voxels->size[0];
		while (row <= own) rows->first[row++] = stretch;
		rows->begin[stretch] = (uint32_t)(cell[v] - own * voxels->size[0]);
		rows->voxel[stretch++] = (uint32_t)v;
	}
	while (row <= row_count) rows->first[row++] = stretch;
	rows->voxel[stretch] = (uint32_t)count;
	return OSSA_OK;
}

/* the end of the stretch of consecutive cells that begins at v */
static inline size_t stretch_from(const uint32_t *cell, size_t v, size_t count)
{
	size_t end = v + 1;
	while (end < count && cell[end] == cell[end - 1] + 1) end++;
	return end;
}

ossai_vec3 ossai_voxels_centroid(const ossai_voxels *voxels)
{
	/* integers, which doubles sum exactly */
	double sum[3] = {0, 0, 0};
	for (size_t v = 0, end; v < voxels->count; v = end) {
		uint32_t at[3];
		end = stretch_from(voxels->cell, v, voxels->count);
		const double length = (double)(end - v);
		ossai_voxel_at(voxels, (uint32_t)v, at);
		sum[0] += length * at[0] + length * (length - 1) / 2;
		sum[1] += length * at[1];
		sum[2] += length * at[2];
	}
	return ossai_scale(ossai_v3_of(sum), voxels->count > 0 ? 1 / (double)voxels->count : 0);
}

/* ---- handles ---- */

/* The Euler characteristic by rows of corners, edges and faces of cells: a row of corners lies
   between four rows of cells. `below` is y - 1, `back` is z - 1. Returns corners - edges + faces -
   cubes of those that begin there. */
OSSAI_CLONES static int64_t row_characteristic(
	const uint64_t *own, const uint64_t *below, const uint64_t *back, const uint64_t *below_back, size_t words)
{
	int64_t sum = 0;
	uint64_t all_carry = 0, y_carry = 0, z_carry = 0, own_carry = 0;
	for (size_t w = 0; w < words; w++) {
		/* cells around an edge along x; on both sides of a face across z, and across y */
		const uint64_t y = own[w] | back[w], z = own[w] | below[w], all = y | z | below_back[w];
		/* each has a corner at either end along x */
		sum += __builtin_popcountll(all | all << 1 | all_carry) - __builtin_popcountll(all);
		sum += __builtin_popcountll(y) - __builtin_popcountll(y | y << 1 | y_carry);
		sum += __builtin_popcountll(z) - __builtin_popcountll(z | z << 1 | z_carry);
		sum += __builtin_popcountll(own[w] | own[w] << 1 | own_carry) - __builtin_popcountll(own[w]);
		all_carry = all >> 63;
		y_carry = y >> 63;
		z_carry = z >> 63;
		own_carry = own[w] >> 63;
	}
	return sum;
}

ossa_status ossai_voxel_handles(
	ossai_arena *scratch, const ossai_voxels *voxels, const ossai_voxel_rows *rows, int64_t *handles)
{
	const size_t words = (voxels->size[0] - 1) / 64 + 1, row_count = (size_t)voxels->size[1] * voxels->size[2];
	uint64_t *bits = ossai_arena_zero(scratch, row_count, words * sizeof *bits);
	if (!bits) return ossa_context_error(scratch->context)->status;
	for (size_t row = 0; row < row_count; row++) {
		for (uint32_t i = rows->first[row]; i < rows->first[row + 1]; i++) {
			ossai_bits_write(bits + row * words, rows->begin[i], ossai_stretch_end(rows, i), true);
		}
	}
	int64_t characteristic = 0;
	for (size_t z = 1; z < voxels->size[2]; z++) {
		for (size_t y = 1; y < voxels->size[1]; y++) {
			const uint64_t *own = bits + (z * voxels->size[1] + y) * words, *back = own - voxels->size[1] * words;
			characteristic += row_characteristic(own, own - words, back, back - words, words);
		}
	}
	*handles = 1 - characteristic;
	return OSSA_OK;
}
