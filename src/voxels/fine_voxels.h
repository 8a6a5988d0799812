/* voxels/fine_voxels.h: refines parts of the voxels that are too thin for the grid, like the
   fingers of a full body.

   Place in the path: voxels/voxels -> here -> medial/medial, for each part by itself.
   Input: voxels and the parts to refine.
   Output: finer voxels for each part.

   This is a second level instead of a finer grid for all: memory and time depend on the parts. A
   part's grid is a box around it, aligned with the coarse one, whose voxels go through the same
   stages; long slanted parts cost the whole of their box. */
#ifndef OSSAI_VOXELS_FINE_VOXELS_H
#define OSSAI_VOXELS_FINE_VOXELS_H

#include "voxels/voxels.h"

/* The voxels to be refined: found as below, or any others. */
typedef struct ossai_voxel_parts {
	uint32_t count;
	uint32_t *of_voxel; /* N: the part, OSSA_NONE where it is in none; every part has voxels */
} ossai_voxel_parts;

/* Finds thin limbs: voxels that no ball of radius over `depth` voxels covers, to within a voxel (2:
   up to 3 or 4 voxels thick), where a connected set of them is at least `length` voxels long along
   an axis; and the voxels within `margin` steps of them, so that parts contain what their limbs are
   attached to. Parts are 26-connected, in the order of their first voxels. The array is the
   arena's. Errors: OSSA_ERROR_MEMORY.  Cost: linear in voxels, and in depth^3 of voxels as deep. */
ossa_status ossai_thin_parts(
	ossai_arena *arena, const ossai_voxels *voxels, double depth, uint32_t length, uint32_t margin, ossai_voxel_parts *parts);

/* One part. Fine cells divide coarse ones by `factor` along each side: fine cell 0 0 0 is the first
   of coarse cell `first`. */
typedef struct ossai_fine_voxels {
	/* The largest 26-connected set of fine cells that are inside the surface and lie in coarse
	   voxels of the part. Distances are exact, to the boundary of the shape and not to that of the
	   part. */
	ossai_voxels voxels;
	uint32_t factor;
	uint32_t first[3];
} ossai_fine_voxels;

/* Fills `fine` (one for each part). Coarse cells that no face touches keep their side; in others
   the faces decide which fine cells are inside. So parts that coarse voxels joined (adjacent
   fingers) are separated. factor: 2 or more. memory_limit: bytes for one part; 0: 2 GiB. Arrays are
   the arena's.  Errors: OSSA_ERROR_LIMIT (names the largest factor that fits), OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED. Threads: the context's; the same bytes for any number. Cost: linear in
   faces, and in fine cells of the boxes. */
ossa_status ossai_voxels_refine(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_voxels *coarse,
	const ossai_voxel_parts *parts, uint32_t factor, double memory_limit, ossai_fine_voxels *fine);

/* Whether the shape continues beyond the part at a fine voxel: its coarse voxel has a neighbour (of
   26) that is not in the part. A path that ends there does not end at the tip of a limb. */
bool ossai_fine_on_cut(
	const ossai_voxels *coarse, const ossai_voxel_parts *parts, const ossai_fine_voxels *fine, uint32_t voxel);

/* the coarse voxel that contains a fine one */
static inline uint32_t ossai_coarse_of_fine(const ossai_voxels *coarse, const ossai_fine_voxels *fine, uint32_t voxel)
{
	uint32_t at[3];
	ossai_voxel_at(&fine->voxels, voxel, at);
	for (int k = 0; k < 3; k++) at[k] = at[k] / fine->factor + fine->first[k];
	return coarse->of_cell[at[0] + coarse->size[0] * (at[1] + (size_t)coarse->size[1] * at[2])];
}

#endif
