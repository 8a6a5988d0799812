/* methods/apart.h: pieces of a mesh that are rigged apart, while they become one rig.

   Place in the path: pieces, contraction's stages -> here -> contraction_pieces. */
#ifndef OSSAI_METHODS_APART_H
#define OSSAI_METHODS_APART_H

#include "methods/contraction.h"
#include "methods/pieces.h"

typedef struct ossai_apart {
	ossai_contraction whole; /* first, so that a stage finds the rest */
	ossai_pieces pieces;
	ossai_contraction *each; /* of pieces with skeletons */
	ossa_mesh **meshes;      /* ... owned */
	size_t mesh_count;       /* of pieces that had, at first */
	uint32_t **vertices;     /* ... of the whole */
	uint32_t *first;         /* of pieces with bones: their first bone */
	uint32_t *mirrored;      /* B */
	uint32_t *order;         /* the rig's bones: which they are here */
	bool has_root;           /* bone 0 holds several skeletons */
} ossai_apart;

/* From the lengths of a piece to those of the whole, and back. */
static inline ossai_vec3 ossai_to_whole(const ossai_apart *a, size_t place, ossai_vec3 p)
{
	const ossai_posed_surface *own = &a->each[place].recipe.surface, *whole = &a->whole.recipe.surface;
	const ossai_vec3 at = ossai_madd(own->rest_center, own->scale, p);
	return ossai_scale(ossai_sub(at, whole->rest_center), 1 / whole->scale);
}

static inline ossai_vec3 ossai_from_whole(const ossai_apart *a, size_t place, ossai_vec3 p)
{
	const ossai_posed_surface *own = &a->each[place].recipe.surface, *whole = &a->whole.recipe.surface;
	const ossai_vec3 at = ossai_madd(whole->rest_center, whole->scale, p);
	return ossai_scale(ossai_sub(at, own->rest_center), 1 / own->scale);
}

/* From a piece to the one that is its image, each in its own lengths. */
static inline ossai_vec3 ossai_to_image(const ossai_apart *a, size_t from, size_t to, ossai_vec3 p)
{
	return ossai_from_whole(a, to, ossai_mirror_point(&a->whole.mirror, ossai_to_whole(a, from, p)));
}

/* Joints for every piece: as many as each tells, or as many as are wanted, shared out; images get images. And what the others hang on. */
ossa_status ossai_apart_place(ossai_recipe *recipe);

/* Weights of all pieces: those with skeletons for themselves, rigid ones on their bone, the others as the skin that they lie on. */
ossa_status ossai_apart_weigh(ossai_recipe *recipe);

/* All skeletons as one, with names. */
ossa_status ossai_apart_assemble(ossai_apart *apart, ossa_rig **rig);

#endif
