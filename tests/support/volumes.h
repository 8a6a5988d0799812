/* tests/support/volumes.h: grids of voxels filled from shapes, and their distances by plain
   search along each axis. */
#ifndef OSSA_TEST_VOLUMES_H
#define OSSA_TEST_VOLUMES_H

#include "voxels/voxels.h"

/* Parts of a shape, which is their union. Positions are in units of the shape. */
typedef struct test_volume_part {
	enum { TEST_CAPSULE, TEST_CONE, TEST_BOX, TEST_TORUS, TEST_HOLE } kind;
	ossai_vec3 a,
		/* ends of a capsule or of a cone with round ends; corners of a box or of a hole; a torus:
		   its center and its axis */
		b;
	double radius, radius2; /* a cone's at b; a torus': around its axis, and of its tube */
} test_volume_part;

typedef struct test_volume {
	size_t count;
	test_volume_part part[32];
} test_volume;

test_volume test_volume_ball(double radius);
test_volume test_volume_capsule(double length, double radius);
test_volume test_volume_box(double x, double y, double z);
test_volume test_volume_torus(double radius, double tube);
/* A ball with eight bent arms that get thinner. */
test_volume test_volume_octopus(void);
/* A flat body with a head, two arms and two legs. */
test_volume test_volume_person(void);

/* Voxels of a shape that is rotated first; `size`: of a voxel as a share of the longest side. The
   arrays are the arena's. */
ossai_voxels test_voxels_of(ossai_arena *arena, const test_volume *volume, const ossai_mat3 *turn, double size);

/* Voxels of a drawing: layers of rows of columns, '#' is inside. */
ossai_voxels test_voxels_drawn(ossai_arena *arena, uint32_t columns, uint32_t rows, uint32_t layers, const char *is_inside);

#endif
