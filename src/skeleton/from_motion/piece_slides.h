/* skeleton/from_motion/piece_slides.h: which pieces slide along each other: pistons, drawers,
   telescopes.

   Place in the path: piece_clusters, piece_contacts -> here -> bodies.
   Input: rigid parts of pieces, and where they are neighbours.
   Output: pairs of pieces whose relative motion is a translation along one line.

   How it decides (docs/roots.md, Pieces that slide): with A the larger part and B the other, the
   motion of B's points in A's frame has a spread f, and is a slide along the best line but for r
   (RMS over points and poses). As for joints (bodies.c) two normal distributions are compared: by
   how much r is more likely within the slack s of such a pair than within f and s, and whether the
   gap g of the best common point is explained better, by s or by the slip of a joint. */
#ifndef OSSAI_SKELETON_FROM_MOTION_PIECE_SLIDES_H
#define OSSAI_SKELETON_FROM_MOTION_PIECE_SLIDES_H

#include "skeleton/from_motion/piece_contacts.h"

/* Two pieces that slide along each other. Shares of the diagonal. */
typedef struct ossai_piece_slide {
	uint32_t a, b;    /* pieces, a < b */
	uint32_t part[2]; /* of a, of b: which of ossai_piece_slides.part_of_face */
	ossai_vec3 axis;  /* unit, at rest */
	ossai_vec3 place; /* where they touch at rest */
	double slack;     /* RMS of what noise and play explain */
	/* per pose, the logarithm of the likelihood of a slide over that of independent motion, or of a
	   joint where that is larger */
	double odds;
	double area; /* of the faces of both that are nearest to each other */
} ossai_piece_slide;

typedef struct ossai_piece_slides {
	size_t count;
	ossai_piece_slide *items; /* by area, the largest first */
	/* F: rigid parts: whole pieces where one motion explains them, else clusters */
	uint32_t *part_of_face;
} ossai_piece_slides;

/* How far the gap of a joint may be as a share of how far pieces move apart, and the play of a
   joint as a share of the smaller piece's size (bodies.c). */
typedef struct ossai_slide_measure {
	double joint_share, slack;
} ossai_slide_measure;

/* The best slide of each two pieces; arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. Cost: linear in contacts and poses; of pairs
   that slide a nearest distance for each pose. */
ossa_status ossai_piece_slides_find(ossai_arena *arena, const ossai_piece_clusters *clusters, size_t contact_count,
	const ossai_piece_contact *contacts, ossai_slide_measure measure, ossai_piece_slides *slides);

#endif
