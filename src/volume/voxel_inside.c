/* volume/voxel_inside.c: which cells of a grid a surface encloses.

   Place in the path: part of voxel_cells.h.  In: cells that faces touch.  Out: cells inside, too.
   Cells that no face touches form sets. What such a set shares with the outside is asked once for all of it where the surface is closed. */
#include "surface/inside.h"
#include "volume/voxel_cells.h"

static const double INSIDE_WINDING = 0.5;

typedef struct filling {
	const ossai_oriented *surface;
	ossai_cells *cells;
	ossai_runs runs; /* of cells that nothing touches */
	ossai_winding_tree *tree;
	uint32_t *widest;   /* of each set: its longest run */
	uint8_t *is_inside; /* sets */
} filling;

static ossai_vec3 cell_center(const ossai_cells *cells, size_t row, uint32_t x)
{
	const ossai_vec3 at = ossai_v3(x + 0.5, (double)(row % cells->size[1]) + 0.5, (double)(row / cells->size[1]) + 0.5);
	return ossai_madd(cells->origin, cells->step, at);
}

static bool is_inside(const filling *f, size_t row, uint32_t x)
{
	return fabs(ossai_winding_tree_rough(f->tree, cell_center(f->cells, row, x))) > INSIDE_WINDING;
}

static void find_widest(const filling *f)
{
	const ossai_runs *runs = &f->runs;
	for (uint32_t set = 0; set < runs->set_count; set++) f->widest[set] = UINT32_MAX;
	for (uint32_t i = 0; i < runs->count; i++) {
		uint32_t *widest = &f->widest[runs->set[i]];
		if (*widest == UINT32_MAX || runs->end[i] - runs->begin[i] > runs->end[*widest] - runs->begin[*widest]) *widest = i;
	}
}

/* the row of a run */
static size_t row_of_run(const ossai_runs *runs, size_t rows, uint32_t run)
{
	size_t low = 0, high = rows;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if (runs->first[middle] <= run) low = middle;
		else high = middle;
	}
	return low;
}

static void ask_sets(void *arg, size_t begin, size_t end)
{
	const filling *f = arg;
	for (size_t set = begin; set < end; set++) {
		const uint32_t run = f->widest[set];
		const uint32_t middle = (f->runs.begin[run] + f->runs.end[run]) / 2;
		f->is_inside[set] = set > 0 && is_inside(f, row_of_run(&f->runs, ossai_cell_rows(f->cells), run), middle);
	}
}

static void fill_rows(void *arg, size_t begin, size_t end)
{
	const filling *f = arg;
	for (size_t r = begin; r < end; r++) {
		uint64_t *row = f->cells->bits + r * f->cells->row_words;
		for (uint32_t i = f->runs.first[r]; i < f->runs.first[r + 1]; i++) {
			if (f->is_inside[f->runs.set[i]]) ossai_bits_write(row, f->runs.begin[i], f->runs.end[i], true);
			if (f->runs.set[i] != 0 || f->surface->is_closed) continue;
			for (uint32_t x = f->runs.begin[i]; x < f->runs.end[i]; x++) {
				const size_t y = r % f->cells->size[1], z = r / f->cells->size[1];
				if (x == 0 || y == 0 || z == 0 || x + 1 == f->cells->size[0] || y + 1 == f->cells->size[1] ||
					z + 1 == f->cells->size[2]) {
					continue;
				}
				if (is_inside(f, r, x)) ossai_bits_write(row, x, x + 1, true);
			}
		}
	}
}

ossa_status ossai_cells_fill(ossai_arena *scratch, const ossai_oriented *surface, ossai_cells *cells)
{
	filling f = {.surface = surface, .cells = cells};
	OSSAI_TRY(ossai_runs_make(scratch, cells, false, &f.runs));
	/* the first run is of the outermost layer */
	if (f.runs.set_count == 1 && surface->is_closed) return OSSA_OK;
	OSSAI_TRY(ossai_winding_tree_make(scratch, surface->points, surface->face_count, surface->triangles, &f.tree));
	f.widest = ossai_arena_new(scratch, f.runs.set_count, sizeof *f.widest);
	f.is_inside = f.widest ? ossai_arena_zero(scratch, f.runs.set_count, 1) : NULL;
	if (!f.is_inside) return ossa_context_error(scratch->context)->status;
	find_widest(&f);
	ossai_parallel_for(scratch->context, f.runs.set_count, 16, ask_sets, &f);
	ossai_parallel_for(scratch->context, ossai_cell_rows(cells), 64, fill_rows, &f);
	return OSSA_OK;
}
