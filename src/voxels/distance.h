/* voxels/distance.h: how far every cell of a set is from the nearest cell that is not in it: exact,
   in linear time.

   Place in the path: below voxels.  In: a numbered set of cells.  Out: squared distances, in cells.
   Source: A. Meijster, J. Roerdink and W. Hesselink, A General Algorithm for Computing Distance
   Transforms in Linear Time, 2000. */
#ifndef OSSAI_VOXELS_DISTANCE_H
#define OSSAI_VOXELS_DISTANCE_H

#include "voxels/voxel_cells.h"

/* Searches take up to about as many steps, on 16 columns at once; beyond it a slower way whose time
   does not grow with the depth of shapes is taken. */
enum { OSSAI_DISTANCE_STEPS = 256 };

/* distance2: of each cell that is set, by its number: squared distance between its center and that
   of the nearest cell which is not. of_cell: the number of each cell that is set, in the order of
   the cells (x fastest, then y, then z); those of others are not read. steps_most:
   OSSAI_DISTANCE_STEPS; the result is the same for any.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT (more than 37 837 cells along an axis: squares would
   not fit). Threads: the context's; the same bytes for any number. Cost: linear in cells that are
   set, and in words of bits: 10 to 30 ns a cell. */
ossa_status ossai_distance_map(
	ossai_arena *scratch, const ossai_cells *cells, const uint32_t *of_cell, uint32_t steps_most, uint32_t *distance2);

#endif
