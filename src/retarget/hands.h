/* retarget/hands.h: hands that stay out of the body.

   Place in the path: a moved body whose feet are placed -> here -> the same with arms that clear it.
   Input: the target's and the source's mesh at rest, their poses in a frame.
   Output: turns of the target's arms.

   Bodies are of different widths, so that directions alone lead a slim man's hands into a stout
   one's hips. Trunk and thighs are convex prisms around their bones. The middle of a hand goes out of
   a prism across the bone, to its nearest side, but for as much as the source's hand is in its own
   body, as it may be on purpose.
   Source: the prisms are discrete oriented polytopes: J. Klosowski et al., Efficient Collision
   Detection Using Bounding Volume Hierarchies of k-DOPs, 1998. */
#ifndef OSSAI_RETARGET_HANDS_H
#define OSSAI_RETARGET_HANDS_H

#include "retarget/moved.h"

typedef struct ossai_hull ossai_hull;

/* The prisms of one body, and where its hands are; without a mesh none. */
typedef struct ossai_outline {
	const ossai_actor *actor;
	size_t hull_count;
	ossai_hull *hulls;
	ossai_vec3 center[OSSAI_ACTOR_ARMS]; /* of a hand at rest */
} ossai_outline;

/* Where a bone is in a frame. */
typedef struct ossai_place_of_bone {
	ossai_mat3 turn; /* since rest */
	ossai_vec3 joint;
} ossai_place_of_bone;

typedef struct ossai_hands {
	ossai_outline target, source;
	double scale; /* the target's size over the source's */
	/* how deep the target's hands are in its body at rest: prisms are larger than bodies */
	double rest_depth[OSSAI_ACTOR_ARMS];
	ossai_place_of_bone *places, *source_places; /* of the current frame */
} ossai_hands;

/* Errors: OSSA_ERROR_MEMORY. Ownership: the arena. */
ossa_status ossai_find_hands(
	ossai_arena *arena, const ossai_actor *target, const ossai_actor *source, double scale, ossai_hands *hands);

/* Moves the hands of a placed body out of it, and places it again. worlds: the source's joints,
   B x 12. */
void ossai_clear_hands(const ossai_hands *hands, ossai_moved *moved, const double *worlds);

#endif
