/* voxels/voxel_cells.h: a grid of cells, one bit each: cells that faces touch, cells that are
   enclosed, connected components of cells.

   Place in the path: below voxels.
   Input: oriented faces.
   Output: the bits of interior cells.
   A row runs along x and is a whole number of words; bits past its end are 0, and so is the
   outermost layer of cells. */
#ifndef OSSAI_VOXELS_VOXEL_CELLS_H
#define OSSAI_VOXELS_VOXEL_CELLS_H

#include "query/winding_numbers.h"
#include "mesh/orient.h"

typedef struct ossai_cells {
	uint32_t size[3];  /* cells along x, y, z; at least 3 each */
	size_t row_words;  /* words of 64 bits a row */
	uint64_t *bits;    /* rows: y fastest, then z */
	double step;       /* edge of a cell */
	ossai_vec3 origin; /* corner of cell 0 0 0 with the least coordinates */
} ossai_cells;

/* Runs of cells of one kind along rows, in the order of the cells. */
typedef struct ossai_runs {
	size_t count;
	uint32_t *first; /* rows + 1: runs before each row */
	uint32_t *begin; /* cells of the row: [begin, end) */
	uint32_t *end;
	uint32_t *set; /* the connected components: numbered in the order of their first runs */
	uint32_t set_count;
} ossai_runs;

static inline size_t ossai_cell_rows(const ossai_cells *cells) { return (size_t)cells->size[1] * cells->size[2]; }

/* Sets the cells that a face touches, by the exact overlap of triangle and box (a face within 1e-6
   of a cell touches it), except in the outermost layer. The grid may cover a part of the surface
   only. Bits must be zero before. Errors: OSSA_ERROR_MEMORY.  Cost: linear in faces and in rows of
   cells that they touch. */
ossa_status ossai_cells_touch(ossai_arena *scratch, const ossai_oriented *surface, ossai_cells *cells);

/* Sets the cells that the surface encloses, too: voxel_inside.c. Progress runs from `begin` to
   `end`. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_cells_fill(ossai_arena *scratch, const ossai_oriented *surface, double begin, double end, ossai_cells *cells);

/* Clears cells that faces touch (`touched`: bits as those of cells) and whose centers lie outside,
   where that neither disconnects the shape nor shortens limbs that are thinner than cells:
   voxel_peel.c. A surface's faces must be oriented outward.
   Errors: OSSA_ERROR_MEMORY.  Cost: linear in faces, in lines through cells' centers that they
   meet, and in words. */
ossa_status ossai_cells_peel(ossai_arena *scratch, const ossai_oriented *surface, const uint64_t *touched, ossai_cells *cells);

/* The runs and connected components of cells that are set (26-connected), or of those that are not
   (6-connected).  Errors: OSSA_ERROR_MEMORY.  Cost: linear in words and runs. */
ossa_status ossai_runs_make(ossai_arena *arena, const ossai_cells *cells, bool of_set, ossai_runs *runs);

/* Decides which components of cells that no face touches are inside, each as a whole.
   is_inside: one per component; holds on entry what is known of each, and on return the result.
   tree: made from tree_arena where it is NULL and needed. Errors: OSSA_ERROR_MEMORY. */
enum { OSSAI_SIDE_OUTSIDE, OSSAI_SIDE_INSIDE, OSSAI_SIDE_UNKNOWN };
ossa_status ossai_sets_classify(ossai_arena *scratch, const ossai_oriented *surface, const ossai_cells *cells,
	const ossai_runs *runs, ossai_arena *tree_arena, ossai_winding_tree **tree, uint8_t *is_inside);

/* Sets those cells of component 0 of `runs`, which is connected to the outside, that are inside by
   the surface's winding numbers: voxel_holes.c.  Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED. */
ossa_status ossai_cells_fill_holes(
	ossai_arena *scratch, const ossai_winding_tree *tree, const ossai_runs *runs, double begin, double end, ossai_cells *cells);

/* Sets or clears the bits of [begin, end) of a row. */
static inline void ossai_bits_write(uint64_t *row, uint32_t begin, uint32_t end, bool value)
{
	while (begin < end) {
		const uint32_t word = begin / 64, from = begin % 64, to = end - 64 * word < 64 ? end - 64 * word : 64;
		const uint64_t mask = (~0ULL >> (64 - (to - from))) << from;
		row[word] = value ? row[word] | mask : row[word] & ~mask;
		begin = 64 * (word + 1);
	}
}

#endif
