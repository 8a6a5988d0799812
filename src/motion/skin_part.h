/* motion/skin_part.h: the part of each bone's skin that moves otherwise than the rest of it, which
   another bone should take.

   Place in the path: a fit -> here -> exchange; given_add (methods/).
   Input: weights and motion of bones, and what they should follow.
   Output: connected vertices of each bone, and the rigid motion that they follow.

   Where one bone moves skin in two ways, a part of it has a motion of its own: the connected
   vertices around the worst one that this motion fits better. Motion and part are found in turn,
   as clusters of poses are. */
#ifndef OSSAI_MOTION_SKIN_PART_H
#define OSSAI_MOTION_SKIN_PART_H

#include "weights/bone_weights.h"

/* A part of the skin of one bone, that is of the vertices whose largest weight is the bone's. */
typedef struct ossai_skin_part {
	double gain;            /* its own motion lowers the squared error by this; 0: no part */
	size_t count;           /* of its vertices */
	const uint32_t *vertex; /* they */
	ossai_rigid *motion;    /* K: of the part */
	ossai_rigid *left;      /* K: of the bone's skin that is left */
} ossai_skin_part;

/* Finds the part of each bone (parts: B, the caller's; their arrays are the arena's). kept (V, or
   NULL): vertices that give nothing away; closed (B, or NULL): bones that give nothing away.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.
   Cost: vertices x poses for each of a few rounds. */
ossa_status ossai_skin_parts_find(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	const ossai_bone_motion *motion, const uint8_t *kept, const uint8_t *closed, ossai_skin_part *parts);

/* The bone whose part gains most, of equal ones the first; count where none has one. */
size_t ossai_skin_parts_best(const ossai_skin_part *parts, size_t count);

/* The part's weights of its bone become those of another one. */
void ossai_skin_part_hand_over(const ossai_skin_part *part, uint32_t bone, uint32_t to, ossai_bone_weights *weights);

#endif
