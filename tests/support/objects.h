/* tests/support/objects.h: meshes of several objects with several sets of UVs and colours, and
   comparing what comes back. */
#ifndef OSSA_TEST_OBJECTS_H
#define OSSA_TEST_OBJECTS_H

#include <ossa/ossa.h>

/* Cuts a mesh without materials into three objects of polygons that follow each other: "body" as it
   is, "wheel left" turned, moved and stretched, "mirror" mirrored. */
void test_add_objects(ossa_context *context, ossa_mesh *mesh);

/* Gives a mesh three sets of UVs, of which the last has corners without any, and two of colours. */
void test_add_sets(ossa_context *context, ossa_mesh *mesh);

/* What a format keeps. */
typedef struct test_kept {
	bool transforms, all_sets;
	double tolerance; /* of positions, UVs and colours */
} test_kept;

/* Asserts that a mesh has the objects of another with as many polygons in each, in their order,
   whose corners are at the same places with the same UVs and colours. */
void test_assert_objects(const ossa_mesh *mesh, const ossa_mesh *back, const test_kept *kept);

/* Asserts that the vertices of these polygons have the same weights of bones of the same names. */
void test_assert_object_weights(const ossa_rig *rig, const ossa_rig *back);

#endif
