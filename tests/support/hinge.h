/* tests/support/hinge.h: a rig with a hinge. */
#ifndef OSSA_TEST_HINGE_H
#define OSSA_TEST_HINGE_H

#include "math/vec.h"
#include <ossa/rig.h>

/* Two bones in frames that are no simple ones, a triangle each. The second is a hinge about `axis`
   of its own frame, unit, and turns by `degrees_at` a frame. Ownership: ossa_rig_free. */
ossa_rig *test_hinge_rig(ossa_context *context, ossai_vec3 axis, size_t frames, double (*degrees_at)(size_t frame));

enum { TEST_HINGES_MAX = 16 };

/* A root and `count` hinges, each a bone of length 1 with a triangle, below parent[i] (0: the root,
   i: hinge i - 1), about axes of their own. Hinge i, bone i + 1, turns by
   degrees_at(user, i, frame). Its angles are sure to 0.1 degrees. Ownership: ossa_rig_free. */
ossa_rig *test_hinges_rig(ossa_context *context, size_t count, const int32_t *parent, size_t frames,
	double (*degrees_at)(const void *user, size_t hinge, size_t frame), const void *user);

/* Turns hinge bones of a frame of `clip` to these degrees. */
void test_turn_hinge(const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t bone, double degrees);

#endif
