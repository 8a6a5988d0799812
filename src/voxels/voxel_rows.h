/* voxels/voxel_rows.h: interior voxels as stretches along rows of cells, for stages that process
   whole rows.

   Place in the path: below every stage that visits all voxels.
   Input: voxels.
   Output: stretches of voxels adjacent along x, which have consecutive numbers. */
#ifndef OSSAI_VOXELS_VOXEL_ROWS_H
#define OSSAI_VOXELS_VOXEL_ROWS_H

#include "voxels/voxels.h"

typedef struct ossai_voxel_rows {
	size_t count;    /* S: stretches */
	uint32_t *first; /* rows of cells (y fastest, then z) + 1: stretches before each */
	uint32_t *begin; /* S: x of the first voxel */
	uint32_t *voxel; /* S + 1: its number; N at the end */
} ossai_voxel_rows;

/* Arrays are the arena's.  Errors: OSSA_ERROR_MEMORY.  Cost: linear in voxels and rows: about 1 ns
   a voxel. */
ossa_status ossai_voxel_rows_make(ossai_arena *arena, const ossai_voxels *voxels, ossai_voxel_rows *rows);

/* x after the last voxel of a stretch */
static inline uint32_t ossai_stretch_end(const ossai_voxel_rows *rows, uint32_t stretch)
{
	return rows->begin[stretch] + rows->voxel[stretch + 1] - rows->voxel[stretch];
}

/* The centroid of all voxels, in cells.  Cost: linear in voxels, most of which are summed many at a
   time. */
ossai_vec3 ossai_voxels_centroid(const ossai_voxels *voxels);

/* The number of handles (genus) of the union of the voxels as closed cubes, from its Euler
   characteristic. Cavities are not detected; each subtracts one. Errors: OSSA_ERROR_MEMORY.  Cost:
   linear in cells, 64 at a time. */
ossa_status ossai_voxel_handles(
	ossai_arena *scratch, const ossai_voxels *voxels, const ossai_voxel_rows *rows, int64_t *handles);

#endif
