/* tests/support/still.h: shared by tests of rigs from one mesh: creatures, counts of rigs, the
   same mesh renumbered and rotated. */
#ifndef OSSA_TEST_STILL_H
#define OSSA_TEST_STILL_H

#include "math/vec.h"
#include "samples/samples.h"

#include <ossa/ossa.h>

/* A creature of about so many faces, with four frames. */
ossa_sample *test_sample(ossa_context *context, int kind, int faces);

/* The number of children of a bone; of leaves; and of ends, which are the leaves and a root of
   one child. */
size_t test_child_count(const ossa_rig *rig, size_t bone);
size_t test_leaf_count(const ossa_rig *rig);
size_t test_end_count(const ossa_rig *rig);

/* The bone of that name; fails where there is none. */
const ossa_bone *test_bone(const ossa_rig *rig, const char *name);

/* Fails where the joint of the bone of that name is farther from a point than `most`. */
void test_check_joint(const ossa_rig *rig, const char *name, const double at[3], double most);

/* The mesh rigged as a body of a kind, or as a human, by contraction; the mesh is freed. */
ossa_rig *test_body_rig(ossa_context *context, ossa_mesh *mesh, ossa_body_kind kind);
ossa_rig *test_human_rig(ossa_context *context, ossa_mesh *mesh);

double test_mesh_diagonal(const ossa_mesh *mesh);

/* Rounds to a grid so coarse that moving and scaling are exact; then a copy that is scaled by
   1024 and moved by 512 along all axes, and the inverse for points in it. */
void test_mesh_to_grid(ossa_mesh *mesh);
ossa_mesh *test_mesh_moved(ossa_context *context, const ossa_mesh *mesh);
ossai_vec3 test_point_moved_back(const double p[3]);

/* The mesh rotated, its vertices and faces in another order, its faces beginning at other
   corners. */
ossa_mesh *test_mesh_shuffled(ossa_context *context, const ossa_mesh *mesh, const ossai_mat3 *turn);

/* The mesh with every face turned over: an outward surface becomes an inward one. */
ossa_mesh *test_mesh_inside_out(ossa_context *context, const ossa_mesh *mesh);

/* A progress call that stops at half of the work. */
bool test_stop_midway(void *user, const char *stage, double fraction);

#endif
