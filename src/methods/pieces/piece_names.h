/* methods/pieces/piece_names.h: the names of bones where pieces are rigged separately.

   Place in the path: the joints of all pieces -> here -> the rig. */
#ifndef OSSAI_METHODS_PIECES_PIECE_NAMES_H
#define OSSAI_METHODS_PIECES_PIECE_NAMES_H

#include "methods/pieces/pieces.h"

#include <ossa/rig.h>

/* The pieces that the names are made from. */
typedef struct ossai_named_pieces {
	const ossai_pieces *pieces;
	const ossai_mirror *mirror;    /* of the whole; may not exist */
	const uint32_t *piece_of_bone; /* of the rig's bones; OSSA_NONE: the common root */
} ossai_named_pieces;

/* Names each skeleton as if it were alone; of several skeletons, those of few bones get numbers, as
   they are no bodies. With several skeletons names begin with piece_1_, piece_2_ ..., the largest
   first; the bone of a rigid piece is piece_5. Mirror images have one number, and end in _L and _R
   where their names contain no sides. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_pieces_name(ossai_arena *arena, const ossai_named_pieces *named, ossa_rig *rig);

#endif
