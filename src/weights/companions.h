/* weights/companions.h: other characters of one topology, whose poses are evidence of the same
   weights.

   Place in the path: posed surfaces of several characters -> here -> residuals.
   The squared error of a vertex is summed over all characters: each in sizes of its own rest, with
   its own bones' motion, and with one set of weights. So its Gram matrix is the sum of theirs, and
   all that is solved from Gram matrices (least_squares, locality, weight_prior) is solved for all
   characters at once. */
#ifndef OSSAI_WEIGHTS_COMPANIONS_H
#define OSSAI_WEIGHTS_COMPANIONS_H

#include "weights/bone_weights.h"

/* The vertices of the surface are those of the one that it is a companion of. */
typedef struct ossai_companion {
	const ossai_posed_surface *surface;
	const ossai_bone_motion *motion;
} ossai_companion;

typedef struct ossai_companions {
	size_t count;
	const ossai_companion *item;
} ossai_companions;

#endif
