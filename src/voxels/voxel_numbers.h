/* voxels/voxel_numbers.h: numbers the interior cells.

   Place in the path: below voxels.
   Input: cells that are inside.
   Output: their largest connected component, numbered. */
#ifndef OSSAI_VOXELS_VOXEL_NUMBERS_H
#define OSSAI_VOXELS_VOXEL_NUMBERS_H

#include "voxels/voxel_cells.h"
#include "voxels/voxels.h"

/* Clears the bits of all 26-connected components but the largest (of equal ones the first) and
   fills in how many cells it has, how many components there were, and the number of their cells. No
   cell at all: 0 components.  Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_cells_keep_largest(ossai_arena *scratch, ossai_cells *cells, ossai_voxels *voxels);

/* Numbers the cells that are set, voxels->count of them, and allocates their distances. Arrays are
   the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_cells_number(ossai_arena *arena, ossai_arena *scratch, const ossai_cells *cells, ossai_voxels *voxels);

#endif
