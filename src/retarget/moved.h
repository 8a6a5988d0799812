/* retarget/moved.h: a body in one frame: how its bones have turned and where their joints are.

   Place in the path: turns of bones with a role -> here -> legs, hands -> local rotations.
   Input: world rotations since rest.
   Output: the same for bones without a role, joints' positions, local transforms.

   A bone is moved by its carrier: its parent, or, where the tree of a file is not that of the body
   (feet that are children of the root, moved by constraints), the bone before it in the limb. */
#ifndef OSSAI_RETARGET_MOVED_H
#define OSSAI_RETARGET_MOVED_H

#include "retarget/actor.h"

typedef struct ossai_moved {
	const ossai_actor *actor;
	uint32_t hips;
	uint32_t *carrier; /* B; OSSA_NONE: stays as it is at rest */
	uint32_t *order;   /* B: carriers before what they carry */
	bool has_slides;   /* joints move relative to their parents */
	uint8_t *turns;    /* B: `turn` is given; else it is the carrier's after `extra` */
	ossai_quat *extra; /* B: rotation on top of the carrier's, applied first */
	ossai_quat *turn;  /* B: rotation since rest, in the mesh's axes */
	ossai_vec3 *joint; /* B */
	ossai_quat *world; /* B: rotations of the frames that were stored last */
} ossai_moved;

/* Errors: OSSA_ERROR_MEMORY. Ownership: the arena. */
ossa_status ossai_moved_begin(ossai_arena *arena, const ossai_actor *actor, ossai_moved *moved);

/* Fills joints, and turns where they are not given, from the hips' position. */
void ossai_moved_place(ossai_moved *moved, ossai_vec3 hips);

/* Turns a bone's whole part on one side by `turn`, in the mesh's axes, on top of what it turned. */
void ossai_moved_turn_part(ossai_moved *moved, ossa_body_part part, int side, ossai_quat turn);

/* Stores the frame in the clip, within the limits of joints but for those that a motion had. Signs of
   quaternions continue from the frame before. Returns whether a limit stopped a joint. */
bool ossai_moved_store(ossai_moved *moved, size_t frame, ossa_clip *clip);

#endif
