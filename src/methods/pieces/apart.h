/* methods/pieces/apart.h: pieces of a mesh that are rigged apart, while they become one rig.

   Place in the path: pieces, contraction's stages -> here -> contraction_pieces. */
#ifndef OSSAI_METHODS_PIECES_APART_H
#define OSSAI_METHODS_PIECES_APART_H

#include "methods/contraction.h"
#include "methods/pieces/pieces.h"

typedef struct ossai_apart {
	ossai_contraction *whole; /* the mesh as it is prepared; gets the skeletons and weights of all pieces */
	ossai_pieces pieces;
	ossai_contraction *each; /* of pieces with skeletons: a work of its own */
	ossa_mesh **meshes;      /* ... owned */
	size_t mesh_count;       /* of pieces that had, at first */
	uint32_t **vertices;     /* ... of the whole */
	uint32_t *first;         /* of pieces with bones: their first bone */
	uint32_t *mirrored;      /* B */
	uint32_t *order;         /* the rig's bones: which they are here */
	bool has_root;           /* bone 0 is a common root */
	size_t told;             /* bones that the shapes tell, the common root and those of rigid pieces among them */
	size_t unfit;            /* ... of which pieces have too few vertices for so many */
	size_t over;             /* ... of which the rig would have too many */
	size_t idle;             /* ... of which would move no vertex */
	size_t coarse;           /* the first piece of too few vertices */
} ossai_apart;

/* Bones of a rig where no number is given, at most: as many as a byte names, which all engines take. */
enum { OSSAI_APART_BONES = 256 };

/* From the lengths of a piece to those of the whole, and back. */
static inline ossai_vec3 ossai_to_whole(const ossai_apart *a, size_t place, ossai_vec3 p)
{
	const ossai_posed_surface *own = &a->each[place].still.surface, *whole = &a->whole->still.surface;
	const ossai_vec3 at = ossai_madd(own->rest_center, own->scale, p);
	return ossai_scale(ossai_sub(at, whole->rest_center), 1 / whole->scale);
}

static inline ossai_vec3 ossai_from_whole(const ossai_apart *a, size_t place, ossai_vec3 p)
{
	const ossai_posed_surface *own = &a->each[place].still.surface, *whole = &a->whole->still.surface;
	const ossai_vec3 at = ossai_madd(whole->rest_center, whole->scale, p);
	return ossai_scale(ossai_sub(at, own->rest_center), 1 / own->scale);
}

/* From a piece to the one that is its image, each in its own lengths. */
static inline ossai_vec3 ossai_to_image(const ossai_apart *a, size_t from, size_t to, ossai_vec3 p)
{
	return ossai_from_whole(a, to, ossai_mirror_point(&a->whole->mirror, ossai_to_whole(a, from, p)));
}

/* Warnings and progress are those of one piece from here on: it has its part, by the size of its proxy, of what lies between two fractions of
   the stage; and of the whole again, from a fraction on. */
void ossai_apart_turn_to(ossai_apart *apart, size_t place, double begin, double end);
void ossai_apart_turn_away(ossai_apart *apart, double begin);

/* Tells of pieces that get no bones though they are not that small ("pieces-along"). */
void ossai_apart_tell_roles(const ossai_apart *apart);

/* Tells where the rig has another number of bones than were asked for, or than the shapes tell ("more-bones", "fewer-bones"). */
void ossai_apart_tell_bones(const ossai_apart *apart, size_t made);

/* The plane of symmetry of the whole, and which pieces are images of others. */
ossa_status ossai_apart_find_images(ossai_apart *apart);

/* Joints for every piece: at the control points that its contraction has left. And the bones or faces that rigid pieces are children of. */
ossa_status ossai_apart_published_skeletons(ossai_apart *apart);

/* Joints for every piece: as many as each tells, or as many as are wanted, shared out; images get images. And the same of rigid pieces. */
ossa_status ossai_apart_refined_skeletons(ossai_apart *apart);

/* Weights of all pieces: those with skeletons for themselves, rigid ones on their bone, the others as the skin that they lie on. */
ossa_status ossai_apart_weigh(ossai_apart *apart, ossai_contraction_stage *weigh);

/* All skeletons as one, with names; refined, without bones that move no vertex. */
ossa_status ossai_apart_assemble_published(ossai_apart *apart, ossa_rig **rig);
ossa_status ossai_apart_assemble_refined(ossai_apart *apart, ossa_rig **rig);

#endif
