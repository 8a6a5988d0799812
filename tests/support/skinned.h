/* tests/support/skinned.h: hand-built scenes (scene.h) of joints in a row and a triangle on them;
   and the test of all skins: rig and frames agree. */
#ifndef OSSA_TEST_SKINNED_H
#define OSSA_TEST_SKINNED_H

#include "support/scene.h"

/* One joint and one weight for each vertex of the flag: all on the skin's first or second joint,
   wholly. */
extern const uint32_t skinned_first[3], skinned_second[3];
extern const float skinned_ones[3];

/* A row of joints at x = 0, 1, 2 ..., each the child of the one before: "a", "b" ... "e". */
void skinned_chain(scene *s, uint32_t parent, size_t count, uint32_t *joints);

/* In the clip the node turns about z: to 90 degrees in one second. */
void skinned_turn(scene *s, uint32_t clip, uint32_t node);

/* A triangle on a skin: three positions, `influences` pairs a vertex. The number of the mesh. */
uint32_t skinned_flag(scene *s, const char *name, uint32_t skin, const float *positions, const uint32_t *joints,
	const float *weights, size_t influences);

/* The bone of that name; and the assertion that `parent` is its parent (NULL: it is a root). */
size_t skinned_bone(const ossa_rig *rig, const char *name);
void skinned_assert_parent(const ossa_rig *rig, const char *name, const char *parent);

/* Asserts that rig and frames of the scene agree on every vertex in every frame. */
void skinned_assert_like_frames(ossa_context *context, scene *s);

#endif
