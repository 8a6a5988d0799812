/* mesh/pieces.c: connected components of faces over shared vertices.

   Place in the path: before links.
   Input: triangles.
   Output: the piece of every face and vertex. */
#include "mesh/pieces.h"
#include "base/union_find.h"

#include <ossa/mesh.h>
#include <string.h>

ossa_status ossai_pieces_make(ossa_context *context, size_t vertex_count, size_t face_count, const uint32_t *triangles,
	uint32_t *piece_of_face, uint32_t *piece_of_vertex, uint32_t *piece_count)
{
	*piece_count = 0;
	ossai_arena scratch = ossai_arena_begin(context);
	uint32_t *parent = ossai_arena_new(&scratch, vertex_count, sizeof *parent);
	uint32_t *piece_of_root = parent ? ossai_arena_new(&scratch, vertex_count, sizeof *piece_of_root) : NULL;
	if (!piece_of_root) {
		ossai_arena_end(&scratch);
		return ossa_context_error(context)->status;
	}
	ossai_union_begin(parent, vertex_count);
	for (size_t f = 0; f < face_count; f++) {
		ossai_union_join(parent, triangles[3 * f], triangles[3 * f + 1]);
		ossai_union_join(parent, triangles[3 * f], triangles[3 * f + 2]);
	}
	memset(piece_of_root, 0xff, vertex_count * sizeof *piece_of_root);
	for (size_t f = 0; f < face_count; f++) {
		uint32_t *piece = &piece_of_root[ossai_union_find(parent, triangles[3 * f])];
		if (*piece == OSSA_NONE) *piece = (*piece_count)++;
		piece_of_face[f] = *piece;
	}
	/* the root of a vertex that no face uses has no piece */
	for (size_t v = 0; piece_of_vertex && v < vertex_count; v++) {
		piece_of_vertex[v] = piece_of_root[ossai_union_find(parent, (uint32_t)v)];
	}
	ossai_arena_end(&scratch);
	return OSSA_OK;
}

ossa_status ossai_pieces_are_one(
	ossa_context *context, size_t vertex_count, size_t face_count, const uint32_t *triangles, bool *are_one)
{
	uint32_t count = 0, *piece = ossai_new(context, face_count, sizeof *piece);
	if (!piece) return ossa_context_error(context)->status;
	const ossa_status status = ossai_pieces_make(context, vertex_count, face_count, triangles, piece, NULL, &count);
	ossa_free(context, piece);
	*are_one = count < 2;
	return status;
}
