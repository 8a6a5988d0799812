/* mesh/pieces.h: the connected pieces of a surface.

   Place in the path: before links; and wherever connected components are needed.
   Input: triangles.
   Output: piece numbers. */
#ifndef OSSAI_MESH_PIECES_H
#define OSSAI_MESH_PIECES_H

#include "base/context.h"

/* Numbers the pieces (faces that share a vertex are in one) in the order of their smallest faces.
   piece_of_face: F; piece_of_vertex: V, OSSA_NONE for a vertex that no face uses, or NULL where it
   is not wanted; arrays are the caller's.
   Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_pieces_make(ossa_context *context, size_t vertex_count, size_t face_count, const uint32_t *triangles,
	uint32_t *piece_of_face, uint32_t *piece_of_vertex, uint32_t *piece_count);

/* Whether there is no second piece. Errors: OSSA_ERROR_MEMORY. Cost: linear. */
ossa_status ossai_pieces_are_one(
	ossa_context *context, size_t vertex_count, size_t face_count, const uint32_t *triangles, bool *are_one);

#endif
