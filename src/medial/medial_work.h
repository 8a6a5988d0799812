/* medial/medial_work.h: what the files that find a medial surface share.

   Place in the path: inside medial.c. Lengths are in voxels. */
#ifndef OSSAI_MEDIAL_MEDIAL_WORK_H
#define OSSAI_MEDIAL_MEDIAL_WORK_H

#include "medial/medial.h"
#include "voxels/neighbors.h"
#include "voxels/voxel_rows.h"

/* how a voxel is part of the surface */
enum { OSSAI_MEDIAL_IS_NOT, OSSAI_MEDIAL_EXPOSED, OSSAI_MEDIAL_CONNECTS };

/* a top: no neighbour lies higher */
enum { OSSAI_MEDIAL_TOP = OSSAI_NEIGHBORS };

enum { OSSAI_STAR_MAX = 8 };

/* the cones of three neighbours that meet in a neighbour's direction */
typedef struct ossai_star {
	int count;
	uint8_t cone[OSSAI_STAR_MAX][3]; /* neighbours one, two, three steps long (squared) */
} ossai_star;

typedef struct ossai_medial_work {
	const ossai_voxels *voxels;
	ossai_voxel_rows rows;
	ossai_neighbors around;
	ossai_star stars[OSSAI_NEIGHBORS];
	ossai_vec3 centroid; /* in cells */
	double least;        /* exposure */
	/* N: the neighbour that lies in the direction of steepest ascent, or that it is a top */
	uint8_t *up;
	uint8_t *is;   /* N */
	uint32_t *set; /* N: scratch for numbers of sets */
} ossai_medial_work;

/* the voxel that the steepest ascent leads to */
static inline uint32_t ossai_medial_up(const ossai_medial_work *work, uint32_t voxel)
{
	const uint8_t up = work->up[voxel];
	return up == OSSAI_MEDIAL_TOP ? voxel : work->voxels->of_cell[work->voxels->cell[voxel] + work->around.offset[up]];
}

static inline double ossai_medial_centroid_distance2(const ossai_medial_work *work, ossai_vec3 at)
{
	return ossai_length2(ossai_sub(at, work->centroid));
}

/* squared distance of a voxel to the center of all */
static inline double ossai_medial_to_centroid(const ossai_medial_work *work, uint32_t voxel)
{
	uint32_t at[3];
	ossai_voxel_at(work->voxels, voxel, at);
	return ossai_medial_centroid_distance2(work, ossai_v3(at[0], at[1], at[2]));
}

/* squared distance between two voxels */
static inline double ossai_medial_between(const ossai_voxels *voxels, uint32_t a, uint32_t b)
{
	uint32_t at_a[3], at_b[3];
	ossai_voxel_at(voxels, a, at_a);
	ossai_voxel_at(voxels, b, at_b);
	return ossai_length2(ossai_sub(ossai_v3(at_a[0], at_a[1], at_a[2]), ossai_v3(at_b[0], at_b[1], at_b[2])));
}

/* ---- medial.c ---- */

/* Everything but arrays and rows. */
ossai_medial_work ossai_medial_begin(const ossai_voxels *voxels, double exposure);

/* ---- medial_slopes.c ---- */

/* Fills `up`, and `is` of all voxels that are tops or exposed. Threads: the context's. */
void ossai_medial_measure(ossa_context *context, ossai_medial_work *work);

/* The exposure of a voxel. */
float ossai_medial_exposure(const ossai_medial_work *work, uint32_t voxel);

/* Marks, by a bit of `is`, voxels that have a neighbour with another `set`. Threads: the
   context's. */
enum { OSSAI_MEDIAL_BORDER = 128 };
void ossai_medial_mark_borders(ossa_context *context, ossai_medial_work *work);

/* ---- medial_connect.c ---- */

/* Removes exposed sets that are unevenness of the skin, and adds the voxels that connect the
   others. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_medial_connect(ossai_arena *scratch, ossai_medial_work *work);

#endif
