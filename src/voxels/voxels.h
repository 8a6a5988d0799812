/* voxels/voxels.h: the voxels of a grid that lie inside a surface, and their distances from its
   outside.

   Place in the path: posed surface (rest only) -> here -> medial/medial.
   Input: any triangles, closed or not.
   Output: the largest 26-connected component of interior voxels, and its distance field.
   Source: L. Wade and R. Parent, Automated generation of control skeletons for use in animation,
   The Visual Computer 2002, section 3.1.
   Departures: inside is decided by winding numbers, so that surfaces may have holes; distances are
   exact.
   Lengths are those of the posed surface: shares of its size. */
#ifndef OSSAI_VOXELS_VOXELS_H
#define OSSAI_VOXELS_VOXELS_H

#include "surface/posed_surface.h"

/* Start from ossai_voxel_options_default(). */
typedef struct ossai_voxel_options {
	/* of a voxel, as a share of the longest side of the bounding box; 0: chosen for 20 000 to 200
	   000 interior voxels */
	double size;
	/* bytes that the grid may take; 0: 2 GiB. Together with later stages it stays within the
	   context's limit */
	double memory_limit;
} ossai_voxel_options;

ossai_voxel_options ossai_voxel_options_default(void);

/* Voxels are interior where a face touches them or the winding number says inside: all that faces
   enclose, however often, except pockets of a closed surface. Behind a hole, voxels of a winding
   number over a half are interior where they are connected to some over 0.75. A sheet is one or two
   voxels thick. Cells are numbered x fastest, then y, then z; a layer of exterior cells surrounds
   all. */
typedef struct ossai_voxels {
	uint32_t size[3];  /* cells along x, y, z */
	double step;       /* edge of a voxel */
	ossai_vec3 origin; /* center of cell 0 0 0 */
	size_t count;      /* N: interior voxels of the component that is kept */
	uint32_t *cell;    /* N, ascending */
	uint32_t *of_cell; /* cells: the voxel's number, OSSA_NONE where there is none */
	/* N: squared distance to the nearest exterior cell's center, in voxels; >= 1 */
	uint32_t *distance2;
	size_t part_count; /* number of 26-connected components before */
	size_t left_out;   /* interior voxels of the others */
	bool is_of_closed; /* the surface is closed: mesh/orient.h */
} ossai_voxels;

/* Fills `voxels` with arrays of the arena, and their distances. A chosen size follows from area and
   volume alone where these yield about 100 000 voxels, so that it does not depend on the
   orientation of the shape; otherwise it is corrected by the number they yield, at most twice.
   Errors: OSSA_ERROR_INPUT (no face has three corners in different positions), OSSA_ERROR_LIMIT
   (the grid would not fit: names the smallest size that does), OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED. Warnings: "voxel-parts" where interior voxels are not connected. Threads:
   the context's; the same bytes for any number.
   Cost: linear in faces and cells: 20 to 60 ms for 20 000 faces and 100 000 voxels, most of it for
   the faces; 40 ns a voxel where there are many; up to 0.5 us a voxel of an open surface. */
ossa_status ossai_voxels_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_voxel_options *options, ossai_voxels *voxels);

/* The same without voxels whose centers are outside, where limbs stay connected without them: large
   voxels do not make the shape thicker (voxel_peel.c). */
ossa_status ossai_voxels_make_peeled(
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
