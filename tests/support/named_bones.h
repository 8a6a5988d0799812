/* tests/support/named_bones.h: skeletons given by the names of their bones. */
#ifndef OSSA_TEST_NAMED_BONES_H
#define OSSA_TEST_NAMED_BONES_H

#include "support/support.h"

enum { NAMED_BONES_MAX = 256 };

/* A skeleton in place. Do not copy: `skeleton` points to `bones`. */
typedef struct named_bones {
	ossa_skeleton skeleton;
	ossa_bone bones[NAMED_BONES_MAX];
} named_bones;

/* Adds bones from text such as "Hips(Spine(Neck,LeftArm),LeftUpLeg)"; a bone's children are in
   brackets after it. Characters that ossa does not keep in names become '_', as readers do. All
   joints are at the origin. */
void named_bones_of(named_bones *made, const char *tree);

/* The bone of a name; fails the test where there is none. */
size_t named_bone(const named_bones *made, const char *name);

/* Moves the joint and tail of a bone. */
void place_bone(named_bones *made, const char *name, ossai_vec3 joint, ossai_vec3 tail);

/* The role of a bone as ossa prints it. */
void assert_role_of(const named_bones *made, const ossa_role *role, const char *name, const char *expected);

#endif
