/* weights/match_pieces.h: which pieces of two surfaces are copies of each other.

   Place in the path: a rig's mesh, another mesh of the same character -> here -> surface_match.
   A character of several pieces (eyes, armour, the parts of a robot) has them close together, and a
   coarser copy has moved every piece by about as much as they are apart: the nearest place alone is
   then often on the piece beside. Which piece is which is seen from all of its points together.

   Two pieces are copies of each other where neither has a nearer one on the other surface, and no
   point of either is farther than a given distance from the other. The distance between two pieces
   is Hausdorff's, from vertices to surfaces: in both directions, so that a large piece is not the
   copy of a small one that lies on it. Pieces that one surface joins and the other does not, and
   clothes over several, are nobody's copy. */
#ifndef OSSAI_WEIGHTS_MATCH_PIECES_H
#define OSSAI_WEIGHTS_MATCH_PIECES_H

#include "mesh/view.h"

/* A surface and its pieces, numbered from 0. */
typedef struct ossai_pieces_view {
	const ossai_mesh_view *view;
	const uint32_t *piece_of_point; /* of the view's vertices; OSSA_NONE: no face uses it */
	uint32_t piece_count;
} ossai_pieces_view;

/* copy_of: the pieces of `of`, filled with the piece of `others` that each one is a copy of, or
   OSSA_NONE: `distance` is the largest between two copies. Of equally near pieces the first is
   taken.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: n log n where few pieces have similar boxes,
   and pieces^2 comparisons of boxes. */
ossa_status ossai_match_pieces_make(
	ossa_context *context, const ossai_pieces_view *of, const ossai_pieces_view *others, double distance, uint32_t *copy_of);

#endif
