/* voxels/neighbors.h: the 26 neighbours of a voxel.

   Place in the path: below every stage that visits voxels. A layer of exterior cells surrounds the
   grid, so that every voxel has all of its neighbours in it. */
#ifndef OSSAI_VOXELS_NEIGHBORS_H
#define OSSAI_VOXELS_NEIGHBORS_H

#include "voxels/voxels.h"

enum { OSSAI_NEIGHBORS = 26 };

/* The first half have smaller cell indices than the voxel, the second half larger ones. */
typedef struct ossai_neighbors {
	int8_t step[OSSAI_NEIGHBORS][3];  /* along x, y, z: -1, 0 or 1 */
	int64_t offset[OSSAI_NEIGHBORS];  /* in cells */
	double length[OSSAI_NEIGHBORS];   /* 1, sqrt 2 or sqrt 3 voxels */
	uint8_t squared[OSSAI_NEIGHBORS]; /* 1, 2 or 3 */
} ossai_neighbors;

/* the index of a step in the lists; the step 0 0 0 has none */
static inline int ossai_neighbor_of_step(int x, int y, int z)
{
	const int index = 9 * (z + 1) + 3 * (y + 1) + x + 1;
	return index < 13 ? index : index - 1;
}

static inline ossai_neighbors ossai_neighbors_of(const ossai_voxels *voxels)
{
	ossai_neighbors all;
	for (int z = -1; z <= 1; z++) {
		for (int y = -1; y <= 1; y++) {
			for (int x = -1; x <= 1; x++) {
				if (x == 0 && y == 0 && z == 0) continue;
				const int i = ossai_neighbor_of_step(x, y, z);
				all.step[i][0] = (int8_t)x;
				all.step[i][1] = (int8_t)y;
				all.step[i][2] = (int8_t)z;
				all.offset[i] = ((int64_t)z * voxels->size[1] + y) * voxels->size[0] + x;
				all.squared[i] = (uint8_t)(x * x + y * y + z * z);
				all.length[i] = sqrt(all.squared[i]);
			}
		}
	}
	return all;
}

#endif
