/* medial/path_cover.c: the coverage of a path tree's balls, and the distance of other voxels from
   it: see path_work.h.

   Rows of cells skip what is covered already, so that each medial voxel is covered once and a
   ball costs the rows that it crosses. */
#include "medial/path_work.h"

#include <ossa/mesh.h>

/* the first medial voxel of each row of cells along x */
static ossa_status index_rows(ossai_path_work *work)
{
	const ossai_voxels *voxels = work->voxels;
	const size_t rows = (size_t)voxels->size[1] * voxels->size[2], count = work->medial->count;
	work->row = ossai_arena_new(work->scratch, rows + 1, sizeof *work->row);
	work->open = ossai_arena_new(work->scratch, count + 1, sizeof *work->open);
	if (!work->row || !work->open) return ossa_context_error(work->scratch->context)->status;
	uint32_t m = 0;
	for (size_t r = 0; r <= rows; r++) {
		while (m < count && voxels->cell[work->medial->voxel[m]] / voxels->size[0] < r) m++;
		work->row[r] = m;
	}
	for (uint32_t i = 0; i <= count; i++) work->open[i] = i;
	return OSSA_OK;
}

ossa_status ossai_path_cover_begin(ossai_path_work *work)
{
	const size_t count = work->medial->count;
	if (!work->row) OSSAI_TRY(index_rows(work));
	for (uint32_t i = 0; i <= count; i++) work->open[i] = i;
	for (size_t m = 0; m < count; m++) work->ball[m] = OSSA_NONE;
	return ossai_search_begin(work->scratch, count, &work->out);
}

/* the first medial voxel from m on that is not covered, or M */
static uint32_t next_open(ossai_path_work *work, uint32_t m)
{
	uint32_t *open = work->open;
	while (open[m] != m) {
		open[m] = open[open[m]];
		m = open[m];
	}
	return m;
}

/* marks voxels between two x in a row as covered by a node, at distance 0 */
static ossa_status cover_row(ossai_path_work *work, uint32_t node, size_t row, int64_t low, int64_t high)
{
	const ossai_voxels *voxels = work->voxels;
	const uint32_t end = work->row[row + 1];
	const int64_t first = (int64_t)row * voxels->size[0];
	for (uint32_t m = next_open(work, work->row[row]); m < end; m = next_open(work, m + 1)) {
		const int64_t x = voxels->cell[work->medial->voxel[m]] - first;
		if (x > high) break;
		if (x < low) continue;
		work->open[m] = m + 1;
		work->ball[m] = node;
		OSSAI_TRY(ossai_search_reach(work->scratch, &work->out, m, 0));
	}
	return OSSA_OK;
}

ossa_status ossai_path_cover(ossai_path_work *work, uint32_t node, uint32_t m)
{
	const ossai_voxels *voxels = work->voxels;
	uint32_t at[3];
	ossai_voxel_at(voxels, work->medial->voxel[m], at);
	const int64_t square = (int64_t)ossai_path_depth(work, m), radius = (int64_t)sqrt((double)square);
	for (int64_t z = -radius; z <= radius; z++) {
		if (at[2] + z < 0 || at[2] + z >= voxels->size[2]) continue;
		for (int64_t y = -radius; y <= radius; y++) {
			const int64_t left = square - z * z - y * y;
			if (left < 0 || at[1] + y < 0 || at[1] + y >= voxels->size[1]) continue;
			const int64_t half = (int64_t)sqrt((double)left);
			const size_t row = (size_t)((at[2] + z) * voxels->size[1] + at[1] + y);
			OSSAI_TRY(cover_row(work, node, row, at[0] - half, at[0] + half));
		}
	}
	return OSSA_OK;
}

/* updates the distances from covered voxels after more were covered */
ossa_status ossai_path_walk_out(ossai_path_work *work)
{
	ossai_search *s = &work->out;
	for (uint32_t m; ossai_search_settle(s, &m);) {
		for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
			const uint32_t u = work->neighbor[i];
			const double distance = s->distance[m] + work->around.length[work->step[i]];
			if (distance >= s->distance[u]) continue;
			work->ball[u] = work->ball[m];
			OSSAI_TRY(ossai_search_reach(work->scratch, s, u, distance));
		}
	}
	return OSSA_OK;
}
