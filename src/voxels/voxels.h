/* voxels/voxels.h: which voxels of a grid lie inside a surface, and how deep.

   Place in the path: posed surface (rest only) -> here -> medial/medial.
   In: any triangles, closed or not.  Out: the largest 26-connected set of interior voxels.
   Source: L. Wade and R. Parent, Automated generation of control skeletons for use in animation,
   The Visual Computer 2002, sections 3.1 and 3.2. Departures: inside by winding numbers, so that
   holes do no harm; exact distances.
   Lengths are those of the posed surface: shares of the rest's diagonal. */
#ifndef OSSAI_VOXELS_VOXELS_H
#define OSSAI_VOXELS_VOXELS_H

#include "surface/posed_surface.h"

/* Start from ossai_voxel_options_default(). */
typedef struct ossai_voxel_options {
	/* of a voxel, as a share of the longest side of the box; 0: chosen for 20 000 to 200 000
	   interior voxels */
	double size;
	/* bytes that the grid may take; 0: 2 GiB. With what follows it keeps to the context's limit,
	   too */
	double memory_limit;
	/* without voxels whose centers are outside, where limbs stay whole without them: a shape is no
	   fatter the larger voxels are */
	bool peel;
} ossai_voxel_options;

ossai_voxel_options ossai_voxel_options_default(void);

/* Voxels are interior where a polygon touches them or the winding number says inside: all of what
   faces enclose, however often, unless it is a pocket of a closed surface; behind a hole what has a
   winding number over a half and hangs together with some over 0.75. A sheet is one or two voxels
   thick. Cells are numbered x fastest, then y, then z; a layer of exterior cells surrounds all. */
typedef struct ossai_voxels {
	uint32_t size[3];  /* cells along x, y, z */
	double step;       /* edge of a voxel */
	ossai_vec3 origin; /* center of cell 0 0 0 */
	size_t count;      /* N: interior voxels of the set that is kept */
	uint32_t *cell;    /* N, rising */
	uint32_t *of_cell; /* cells: the voxel's number, OSSA_NONE where there is none */
	/* N: squared distance to the nearest exterior cell's center, in voxels; >= 1 */
	uint32_t *distance2;
	size_t part_count; /* 26-connected sets that there were */
	size_t left_out;   /* interior voxels of the others */
} ossai_voxels;

/* Fills `voxels` with arrays of the arena, distances too. A size that is chosen follows from area
   and volume alone where these give about 100 000 voxels, so that it does not depend on how the
   shape is turned; where they do not, it is corrected by what they gave, twice at most.
   Errors: OSSA_ERROR_INPUT (no face has three corners in different places), OSSA_ERROR_LIMIT (the
   grid would not fit: tells the smallest size that does), OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Warnings: "voxel-parts" where interior voxels do not connect. Threads: the context's; the same
   bytes for any number.
   Cost: linear in faces and cells: 20 to 60 ms for 20 000 faces and 100 000 voxels, most of it for
   the faces; 40 ns a voxel where there are many; up to 0.5 us a voxel of an open surface. */
ossa_status ossai_voxels_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_voxel_options *options, ossai_voxels *voxels);

static inline void ossai_voxel_at(const ossai_voxels *voxels, uint32_t voxel, uint32_t *at)
{
	const uint32_t cell = voxels->cell[voxel], row = cell / voxels->size[0];
	at[0] = cell - row * voxels->size[0];
	at[1] = row % voxels->size[1];
	at[2] = row / voxels->size[1];
}

/* the center of a voxel */
static inline ossai_vec3 ossai_voxel_center(const ossai_voxels *voxels, uint32_t voxel)
{
	uint32_t at[3];
	ossai_voxel_at(voxels, voxel, at);
	return ossai_madd(voxels->origin, voxels->step, ossai_v3(at[0], at[1], at[2]));
}

#endif
