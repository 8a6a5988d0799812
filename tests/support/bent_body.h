/* tests/support/bent_body.h: a human of boxes that stands bent, with roles, facing anywhere; and
   what its limbs are measured by. */
#ifndef OSSA_TEST_BENT_BODY_H
#define OSSA_TEST_BENT_BODY_H

#include "math/vec.h"

#include <ossa/ossa.h>

typedef struct test_body_axes {
	ossai_vec3 left, up, front;
} test_body_axes;

/* Facing +Z, or -Y where Z is up, and then turned about the upright axis. */
test_body_axes test_body_facing(double degrees, bool z_up);

/* The body: arms and legs bent and spread, three fingers and a thumb, a frame of its own for every
   joint, every box on one bone. "upperarm_L", "middle_02_R" ... as ossa names bones. Ownership:
   ossa_rig_free. */
ossa_rig *test_bent_body(ossa_context *context, const test_body_axes *axes);

/* The same without the parts from `first_left_out` to `last`. */
ossa_rig *test_bent_body_without(
	ossa_context *context, const test_body_axes *axes, ossa_body_part first_left_out, ossa_body_part last);

/* A quarter of every vertex follows the parent of its bone. */
void test_soften_weights(ossa_context *context, ossa_rig *rig);

/* Gives the rig a clip: at rest, then every joint turned by its own number, more in later
   frames. */
void test_move_joints(ossa_context *context, ossa_rig *rig, size_t frames);

/* A joint's place, and the unit direction from one to another. */
ossai_vec3 test_joint(const ossa_rig *rig, const char *name);
ossai_vec3 test_bone_direction(const ossa_rig *rig, const char *from, const char *to);

/* The rotation in the world of a bone's frame since another rig. */
ossai_quat test_turn_since(const ossa_rig *rig, const ossa_rig *before, const char *name);

/* The largest distance between two lists of points. */
double test_farthest(const float *a, const float *b, size_t count);

/* Asserts that every segment of arms, hands, fingers and legs points as in OSSA_REST_T or
   OSSA_REST_A, to 1e-9. */
void test_assert_limbs(const ossa_rig *rig, const test_body_axes *axes, int pose);

#endif
