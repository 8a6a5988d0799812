/* methods/pieces/pieces.h: the role of each piece of a mesh where pieces are rigged separately: it
   has a skeleton, one bone, or none.

   Place in the path: posed surface -> here -> contraction_pieces.
   Input: a posed surface and limits of size and number.
   Output: its pieces by role and size, and what those without a skeleton are attached to. */
#ifndef OSSAI_METHODS_PIECES_PIECES_H
#define OSSAI_METHODS_PIECES_PIECES_H

#include "proxy/mirror.h"

typedef enum ossai_piece_role {
	OSSAI_PIECE_SKELETON, /* rigged as if it were alone */
	OSSAI_PIECE_BONE,     /* rigid: one bone, at its center */
	OSSAI_PIECE_ALONG     /* no bone: it moves with the nearest piece */
} ossai_piece_role;

typedef struct ossai_piece {
	ossai_piece_role role;
	uint32_t number;     /* of the piece in the surface */
	double area;         /* in the lengths of the surface, as are the following */
	double size;         /* root mean square distance of its surface from its center */
	ossai_vec3 center;   /* centroid */
	ossai_vec3 farthest; /* the vertex farthest from there */
	uint32_t on;         /* BONE, ALONG: the face that it is attached to; OSSA_NONE: the root */
	uint32_t image;      /* the earlier piece that it is the mirror image of; OSSA_NONE */
	/* BONE: a sheet larger than all that is rigged; a child of the common root */
	bool is_ground;
	uint32_t begin; /* its faces: faces[begin .. end) */
	uint32_t end;
} ossai_piece;

/* Pieces with skeletons come first, then those with one bone, then those with none; in each group
   the largest first. */
typedef struct ossai_pieces {
	size_t count;
	ossai_piece *piece;
	uint32_t *place; /* of each piece of the surface: its index in `piece` */
	uint32_t *faces; /* F: piece by piece */
	size_t skeletons, bones;
	size_t grounds;     /* among those with one bone */
	double along_below; /* the limit of that name, raised where too many pieces would be rigid */
	size_t too_small;   /* pieces without bones because it was raised */
	/* further pieces without bones, the smallest, because too many would have some */
	size_t too_many;
} ossai_pieces;

typedef struct ossai_piece_limits {
	double bone_below;  /* share of the largest piece's size: smaller pieces are rigid */
	double along_below; /* the same: smaller pieces have no bone */
	size_t most;        /* pieces with bones, at most */
	size_t most_rigid;  /* pieces with one bone, at most: along_below is raised */
	size_t bones;       /* of the rig, at most, its common root included */
} ossai_piece_limits;

/* Finds the pieces and their roles. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.
   Cost: n log n. */
ossa_status ossai_pieces_find(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_piece_limits *limits, ossai_pieces *pieces);

/* Finds `on`. A rigid piece is attached to the nearest larger piece with bones, if that is no
   farther than its own size; a piece without bones to the nearest one with bones, at any distance.
   Errors: OSSA_ERROR_MEMORY.  Cost: n log n, and linear for each rigid piece. */
ossa_status ossai_pieces_attach(ossai_arena *arena, const ossai_posed_surface *surface, ossai_pieces *pieces);

/* Whether there is a common root: of several skeletons, or of one and the ground that it stands
   on. */
static inline bool ossai_pieces_have_root(const ossai_pieces *pieces) { return pieces->skeletons + pieces->grounds > 1; }

/* The number of bones besides those of skeletons. */
static inline size_t ossai_pieces_other_bones(const ossai_pieces *pieces)
{
	return pieces->bones + (ossai_pieces_have_root(pieces) ? 1 : 0);
}

/* Makes a piece that cannot have a skeleton rigid: it moves behind those with skeletons. */
void ossai_pieces_stiffen(ossai_pieces *pieces, size_t place);

/* Whether two pieces have the same size and area, as copies and mirror images of each other
   have. */
bool ossai_pieces_are_alike(const ossai_piece *a, const ossai_piece *b);

/* Whether two pieces are of one size and role, and the mirror image of the center of one is the
   center of the other. */
bool ossai_pieces_are_images(const ossai_mirror *mirror, const ossai_piece *a, const ossai_piece *b);

/* A piece as a mesh of its own. vertices: the vertices of `mesh` that its own are.
   Errors: OSSA_ERROR_MEMORY.  Ownership: ossa_mesh_free; vertices are the arena's. */
ossa_status ossai_piece_mesh(ossai_arena *arena, const ossa_mesh *mesh, const ossai_pieces *pieces, size_t place,
	uint32_t **vertices, ossa_mesh **result);

#endif
