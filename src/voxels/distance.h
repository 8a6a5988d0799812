/* voxels/distance.h: the exact Euclidean distance transform of a set of cells, in linear time.

   Place in the path: below voxels.
   Input: a numbered set of cells.
   Output: the squared distance of each to the nearest cell outside of the set, in cells.
   Source: A. Meijster, J. Roerdink and W. Hesselink, A General Algorithm for Computing Distance
   Transforms in Linear Time, 2000. */
#ifndef OSSAI_VOXELS_DISTANCE_H
#define OSSAI_VOXELS_DISTANCE_H

#include "voxels/voxel_cells.h"

/* Searches take up to about as many steps, on 16 columns at once; beyond that a method takes over
   that is slower but whose time does not grow with the depth of shapes. */
enum { OSSAI_DISTANCE_STEPS = 256 };

/* distance2: of each set cell, by its number: squared distance between its center and that of the
   nearest cell that is not set. of_cell: the number of each set cell, in the order of the cells (x
   fastest, then y, then z); those of others are not read. steps_most: OSSAI_DISTANCE_STEPS; the
   result is the same for any.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT (more than 37 837 cells along an axis: squares would
   overflow). Threads: the context's; the same bytes for any number. Cost: linear in set cells, and
   in words of bits: 10 to 30 ns a cell. */
ossa_status ossai_distance_map(
	ossai_arena *scratch, const ossai_cells *cells, const uint32_t *of_cell, uint32_t steps_most, uint32_t *distance2);

#endif
