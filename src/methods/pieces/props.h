/* methods/pieces/props.h: pieces of a mesh that are no part of the body: what it holds or wears
   that hides its shape.

   Place in the path: find_props -> here -> the methods for one mesh.
   Input: which pieces are props, weights of the body.
   Output: each prop follows one bone. */
#ifndef OSSAI_METHODS_PIECES_PROPS_H
#define OSSAI_METHODS_PIECES_PROPS_H

#include "methods/pieces/pieces.h"
#include "weights/bone_weights.h"

#include <ossa/body.h>

typedef struct ossai_props {
	size_t count;              /* pieces that are props, but small ones */
	ossai_pieces pieces;       /* of the whole surface: the first are items (prop_items.h) */
	size_t item_count;         /* I */
	const uint8_t *touches;    /* I x I: which items touch */
	uint8_t *is_prop;          /* of its pieces; small ones are what they are attached to */
	ossai_posed_surface shape; /* the mesh without them, in its own size, about its centroid */
	double gain;               /* how much likelier a body it is than the whole: a logarithm */
	ossai_vec3 place;          /* the center of the largest one, in the mesh's axes and units */
} ossai_props;

/* Gives each prop one bone: that of the surface of the body that it touches most, else of another
   prop that it touches, else of what is nearest of the body; on a forearm or a finger the hand's,
   which holds it. A rigid piece of the body beside it, such as a grip, follows with it. weights: of
   the whole surface; role: by bone; NULL: not known. Errors: OSSA_ERROR_MEMORY.  Cost: n log n for
   each prop. */
ossa_status ossai_props_follow(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_props *props,
	const ossa_role *role, ossai_bone_weights *weights);

#endif
