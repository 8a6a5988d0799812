/* methods/pieces/pieces.h: what each piece of a mesh gets where pieces are rigged apart: a skeleton, one bone, or a place on another piece.

   Place in the path: posed surface -> here -> contraction_pieces. */
#ifndef OSSAI_METHODS_PIECES_PIECES_H
#define OSSAI_METHODS_PIECES_PIECES_H

#include "proxy/mirror.h"

typedef enum ossai_piece_role {
	OSSAI_PIECE_SKELETON, /* it is rigged as if it were alone */
	OSSAI_PIECE_BONE,     /* rigid: one bone, in its middle */
	OSSAI_PIECE_ALONG     /* no bone: it moves with the piece that is nearest */
} ossai_piece_role;

typedef struct ossai_piece {
	ossai_piece_role role;
	uint32_t number;   /* the surface's */
	double area;       /* all in the surface's lengths */
	double size;       /* how far it is from its middle, root of the mean square over its area */
	ossai_vec3 center; /* its middle */
	ossai_vec3 far;    /* its vertex farthest from there */
	uint32_t on;       /* BONE, ALONG: the face that it hangs on; OSSA_NONE: the root */
	uint32_t image;    /* the piece before it whose mirror image it is; OSSA_NONE */
	bool is_ground;    /* BONE: a sheet larger than all that is rigged; it hangs on the common root */
	uint32_t begin;    /* its faces: faces[begin .. end) */
	uint32_t end;
} ossai_piece;

/* Those with skeletons come first, then those with one bone, then those with none; of each the largest first. */
typedef struct ossai_pieces {
	size_t count;
	ossai_piece *piece;
	uint32_t *place; /* of the surface's pieces: which of `piece` it is */
	uint32_t *faces; /* F: piece by piece */
	size_t skeletons, bones;
	size_t grounds;     /* of those with one bone */
	double along_below; /* what the limit has become, where it rose */
	size_t too_small;   /* pieces that have no bones because it rose */
	size_t too_many;    /* the smallest of all others, which have none because too many would have some */
} ossai_pieces;

typedef struct ossai_piece_limits {
	double bone_below;  /* of the largest piece's size: smaller ones are rigid */
	double along_below; /* ... smaller ones have no bone */
	size_t most;        /* pieces that get bones at most */
	size_t most_rigid;  /* pieces of one bone: where there would be more, along_below rises */
	size_t bones;       /* the rig's at most, its common root among them */
} ossai_piece_limits;

/* Errors: OSSA_ERROR_MEMORY.  Ownership: the arena's.  Cost: linear, and the holders'. */
ossa_status ossai_pieces_find(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_piece_limits *limits, ossai_pieces *pieces);

/* Finds `on`: rigid pieces hang on the nearest larger piece that has bones, if it is no farther than their own size; those without bones on
   the nearest with bones, however far. Errors: OSSA_ERROR_MEMORY.  Cost: n log n, and linear for each rigid piece. */
ossa_status ossai_pieces_hang(ossai_arena *arena, const ossai_posed_surface *surface, ossai_pieces *pieces);

/* Whether a common root holds several skeletons, or one and the ground that it stands on. */
static inline bool ossai_pieces_have_root(const ossai_pieces *pieces) { return pieces->skeletons + pieces->grounds > 1; }

/* Bones besides those of skeletons. */
static inline size_t ossai_pieces_other_bones(const ossai_pieces *pieces)
{
	return pieces->bones + (ossai_pieces_have_root(pieces) ? 1 : 0);
}

/* A piece that cannot have a skeleton is rigid: it comes behind the others that have. */
void ossai_pieces_stiffen(ossai_pieces *pieces, size_t place);

/* Whether the mirror takes the middle of one piece to that of the other, and they are as large. */
bool ossai_pieces_are_images(const ossai_mirror *mirror, const ossai_piece *a, const ossai_piece *b);

/* A piece as a mesh of its own; vertices: those of `mesh` that its own stand for. Errors: OSSA_ERROR_MEMORY.  Ownership: ossa_mesh_free;
   vertices are the arena's. */
ossa_status ossai_piece_mesh(ossai_arena *arena, const ossa_mesh *mesh, const ossai_pieces *pieces, size_t place,
	uint32_t **vertices, ossa_mesh **result);

#endif
