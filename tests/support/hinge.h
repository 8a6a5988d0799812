/* tests/support/hinge.h: a rig with a hinge. */
#ifndef OSSA_TEST_HINGE_H
#define OSSA_TEST_HINGE_H

#include "math/vec.h"
#include <ossa/rig.h>

/* Two bones in frames that are no simple ones, a triangle each. The second is a hinge about `axis`
   of its own frame, unit, and turns by `degrees_at` a frame. Ownership: ossa_rig_free. */
ossa_rig *test_hinge_rig(ossa_context *context, ossai_vec3 axis, size_t frames, double (*degrees_at)(size_t frame));

#endif
