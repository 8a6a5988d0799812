/* methods/pieces/apart.h: the pieces of a mesh that are rigged separately, and how they become one
   rig.

   Place in the path: pieces, the stages of contraction -> here -> contraction_pieces. */
#ifndef OSSAI_METHODS_PIECES_APART_H
#define OSSAI_METHODS_PIECES_APART_H

#include "methods/contraction.h"
#include "methods/pieces/pieces.h"

typedef struct ossai_apart {
	/* the prepared mesh; receives the skeletons and weights of all pieces */
	ossai_contraction *whole;
	ossai_pieces pieces;
	ossai_contraction *each; /* of pieces with skeletons: a work of its own */
	ossa_mesh **meshes;      /* of them; owned */
	size_t mesh_count;       /* the number of meshes, before pieces became rigid */
	uint32_t **vertices;     /* of them: the vertices of the whole that theirs are */
	uint32_t *first;         /* of pieces with bones: their first bone */
	uint32_t *mirrored;      /* B */
	uint32_t *order;         /* bones in the order of the rig */
	bool has_root;           /* bone 0 is a common root */

	/* how many bones the shapes suggest, the common root and those of rigid pieces included, and
	   how many of these are not made */
	size_t suggested;
	size_t unfit; /* because a piece has too few vertices */
	size_t over;  /* because the rig would have too many */
	size_t idle;  /* because they would move no vertex */

	size_t coarse; /* the first piece with too few vertices */
} ossai_apart;

/* Bones of a rig, at most, where no number is given: as many as a byte can number, which all
   engines support. */
enum { OSSAI_APART_BONES = 256 };

/* From the lengths of a piece to those of the whole, and the reverse. */
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

/* From a piece to its mirror image, each in its own lengths. */
static inline ossai_vec3 ossai_to_image(const ossai_apart *a, size_t from, size_t to, ossai_vec3 p)
{
	return ossai_from_whole(a, to, ossai_mirror_point(&a->whole->still.mirror, ossai_to_whole(a, from, p)));
}

/* ---- apart_warnings.c ---- */

/* Makes one piece the subject of warnings and progress: its part of the range between two fractions
   of the stage is in proportion to the size of its proxy. */
void ossai_apart_set_subject(ossai_apart *apart, size_t place, double begin, double end);

/* Makes the whole the subject again, for the rest of the stage. */
void ossai_apart_clear_subject(ossai_apart *apart, double begin);

/* Warns of pieces that would have bones were they not so many ("pieces-along"). */
void ossai_apart_warn_of_roles(const ossai_apart *apart);

/* Warns where the rig has more or fewer bones than are wanted, or than the shapes suggest
   ("more-bones", "fewer-bones"). */
void ossai_apart_warn_of_bone_count(const ossai_apart *apart, size_t made);

/* ---- piece_images.c ---- */

/* Finds the plane of symmetry of the whole, and which pieces are mirror images of others. */
ossa_status ossai_apart_find_images(ossai_apart *apart);

/* ---- apart_bones.c ---- */

/* Joints at the control points of each piece, and what rigid pieces are attached to. */
ossa_status ossai_apart_published_skeletons(ossai_apart *apart);

/* Joints for each piece: as many as its shape suggests, or its part of those wanted. Mirror images
   get the image of one skeleton. And what rigid pieces are attached to. */
ossa_status ossai_apart_refined_skeletons(ossai_apart *apart);

/* ---- apart_rig.c ---- */

/* The weights of all pieces: of those with skeletons by `weigh`; a rigid piece follows its bone,
   and the others follow the skin that is nearest to them. */
ossa_status ossai_apart_weigh(ossai_apart *apart, ossai_contraction_stage *weigh);

/* All skeletons as one rig with names; refined, without bones that move no vertex. */
ossa_status ossai_apart_assemble_published(ossai_apart *apart, ossa_rig **rig);
ossa_status ossai_apart_assemble_refined(ossai_apart *apart, ossa_rig **rig);

#endif
