/* weights/rigid_pieces.h: pieces of a mesh that do not bend: eyes, buttons, armour, weapons.

   Place in the path: rest_weights -> here -> rig.
   Input: weights of a mesh of several pieces.
   Output: the same, but each piece that is likely to be rigid follows one bone. */
#ifndef OSSAI_WEIGHTS_RIGID_PIECES_H
#define OSSAI_WEIGHTS_RIGID_PIECES_H

#include "weights/bone_weights.h"

/* Decides for each piece but the largest whether it is rigid, by how much its weights vary: at a
   joint a piece bends, beside one it does not. is_out: by piece, those that are not asked; NULL:
   none. A rigid piece follows the bone with the largest mean
   weight. count: receives how many there are. Errors: OSSA_ERROR_MEMORY. Cost: linear in vertices,
   and in pieces times bones. Source: a logistic regression on 453 pieces of 55 rigged characters,
   leave-one-character-out: 86 % of the pieces that artists move rigidly are found, 80 % of all are
   decided as artists did. Size, closedness and number of vertices add nothing to it. */
ossa_status ossai_rigid_pieces_keep(
	ossai_arena *arena, const ossai_posed_surface *surface, const uint8_t *is_out, ossai_bone_weights *weights, size_t *count);

#endif
