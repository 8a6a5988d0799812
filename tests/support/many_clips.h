/* tests/support/many_clips.h: rigs with several motions. */
#ifndef OSSA_TEST_MANY_CLIPS_H
#define OSSA_TEST_MANY_CLIPS_H

#include "support/support.h"

/* Gives a rig with a clip two more: "back", its frames in the other order and later, and "half",
   its first half with every joint turned a little more. */
void test_add_clips(ossa_context *context, ossa_rig *rig);

/* Asserts that the bones of both rigs that have the same names turn alike against their rests, and
   that the roots are at the same places, in all frames of all clips; times are compared since the
   first frame, because assimp counts them so. */
void test_assert_same_clips(const ossa_rig *a, const ossa_rig *b, double tolerance);

#endif
