/* tests/support/shapes.h: meshes of boxes and balls for tests of voxels, and the invariants of
   voxels. */
#ifndef OSSA_TEST_SHAPES_H
#define OSSA_TEST_SHAPES_H

#include "support/surfaces.h"
#include "voxels/voxels.h"

enum { TEST_SHAPE_VERTICES = 40000, TEST_SHAPE_FACES = 40000 };

/* A mesh while it is put together. */
typedef struct test_shape {
	size_t vertex_count, face_count;
	float positions[3 * TEST_SHAPE_VERTICES];
	uint32_t triangles[3 * TEST_SHAPE_FACES];
} test_shape;

/* An empty one; free. */
test_shape *test_shape_new(void);

/* A box; open: without the side at the largest z. */
void test_shape_box(test_shape *s, ossai_vec3 low, ossai_vec3 high, bool is_closed);

/* A ball of rings x (2 rings) faces; those with corners higher (z) than `top` are left out. */
void test_shape_ball(test_shape *s, ossai_vec3 center, double radius, uint32_t rings, double top);

/* Every face with corners of its own; turn: every other one flipped. */
void test_shape_soup(test_shape *s, bool turn);

/* A human of boxes that is as long before as behind, its arms sideways, Y up. */
void test_shape_human(test_shape *s);

/* The mesh of a shape, which is freed. */
ossa_mesh *test_shape_mesh(ossa_context *context, test_shape *s);

test_surface test_shape_surface(int threads, const test_shape *s);

/* Asserts that numbers and cells are consistent, nothing is in the outermost layer, and that the
   distances of 500 voxels are those of a search. */
void test_check_voxels(const ossai_voxels *v);

/* The squared distance from a voxel's center to that of the nearest cell without a voxel, by a
   search. */
uint32_t test_nearest_outside(const ossai_voxels *v, uint32_t voxel);

/* The voxels of a surface, checked (test_check_voxels); and of a shape, whose surface is `t`
   then. */
ossai_voxels test_shape_voxels_of(test_surface *t, double size);
ossai_voxels test_shape_voxels(const test_shape *s, double size, test_surface *t);

#endif
