/* methods/pieces/piece_names.h: names of bones where pieces are rigged apart.

   Place in the path: a rig of pieces -> here -> the rig. */
#ifndef OSSAI_METHODS_PIECES_PIECE_NAMES_H
#define OSSAI_METHODS_PIECES_PIECE_NAMES_H

#include "methods/pieces/pieces.h"

#include <ossa/rig.h>

/* What pieces with skeletons are, each as a mesh of its own. */
typedef struct ossai_named_pieces {
	const ossai_pieces *pieces;
	const ossai_mirror *mirror;     /* of the whole; it may not exist */
	const ossa_mesh *const *meshes; /* of pieces with skeletons */
	uint32_t *const *vertices;      /* ... which vertices of the rig's mesh theirs are */
	const uint32_t *piece_of_bone;  /* of the rig's bones; OSSA_NONE: the common root */
} ossai_named_pieces;

/* Every skeleton is named as if it were alone; of several those of few bones are no bodies, and numbered. Then the names begin with piece_1_, piece_2_ ..., the largest first; bones of rigid pieces
   are piece_5. Images of each other have one number, and _L and _R at the end, where their own names tell no sides.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_pieces_name(ossai_arena *arena, const ossai_named_pieces *named, ossa_rig *rig);

#endif
