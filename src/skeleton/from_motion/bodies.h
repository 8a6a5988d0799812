/* skeleton/from_motion/bodies.h: which pieces of a surface are one body: people, props and floors
   in one file.

   Place in the path: posed surface, parts -> here -> methods/bodies, which rigs each body alone.
   Input: pieces that move.
   Output: for each piece its body. */
#ifndef OSSAI_SKELETON_FROM_MOTION_BODIES_H
#define OSSAI_SKELETON_FROM_MOTION_BODIES_H

#include "skeleton/from_motion/piece_slides.h"

/* Two pieces that are neighbours, and whether a joint explains how they move. Shares of the
   diagonal. */
typedef struct ossai_piece_joint {
	uint32_t a, b;    /* pieces, a < b */
	ossai_vec3 place; /* the point of both that moves apart least */
	double gap;       /* RMS over poses of the distance of its two images */
	double spread;    /* RMS of that distance if the pieces moved independently of each other */
	double slack;     /* RMS of that distance that a joint of such pieces has */
	double apart;     /* how far the two are from each other at rest, a face aside */
	/* per pose, the logarithm of the likelihood of a joint over that of independent motion */
	double odds;
	bool is_still; /* one of them never moves: only evidence joins them */
	bool is_joined;
} ossai_piece_joint;

/* A body that slides on another one. */
typedef struct ossai_body_slide {
	uint32_t body, up;      /* what it slides on; that slides on nothing, or is listed before */
	uint32_t part, up_part; /* the rigid parts of both: which of part_of_face */
	ossai_vec3 place;       /* where they touch at rest */
	double slack;           /* RMS of what noise and play explain */
} ossai_body_slide;

typedef struct ossai_bodies {
	size_t count;       /* 1: all pieces are one body */
	uint32_t *of_piece; /* P: numbered by their first pieces */
	uint8_t *is_still;  /* P: a piece that never moves; all of these are one body */
	size_t joint_count;
	ossai_piece_joint *joints; /* one for each two pieces that are neighbours, by a, then b */
	size_t slide_count;
	ossai_body_slide *slides; /* bodies that slide, each on one other, that one first */
	uint32_t *part_of_face;   /* F: rigid parts of pieces; where there are slides */
} ossai_bodies;

/* Pieces whose relative motion a common point explains are one body. Pieces that never move are
   one, and are joined to others only where these turn about a point of them. Pieces that slide
   along each other are two, unless joints connect them over others. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: that of clustering the faces. */
ossa_status ossai_bodies_find(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, ossai_bodies *bodies);

/* Which bodies slide on which, of the slides of their pieces: fills slides and slide_count. Where
   slides form a loop, those of the largest contact stay. Each tree of them is rooted at a body
   that never moves, else at the largest. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_bodies_choose_slides(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_piece_slides *slides, ossai_bodies *bodies);

#endif
