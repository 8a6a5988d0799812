/* methods/bodies/bodies.h: people, props and floors in one file: each is rigged as if it were
   alone, and their trees stand under a common root.

   Place in the path: make_moving -> here -> make_moving for each body, join_rigs. */
#ifndef OSSAI_METHODS_BODIES_BODIES_H
#define OSSAI_METHODS_BODIES_BODIES_H

#include "methods/make_rig.h"
#include "rig/join_rigs.h"
#include "scene/objects.h"
#include "skeleton/from_motion/bodies.h"

/* One body of a mesh. */
typedef struct ossai_body_part {
	const ossa_mesh *mesh;     /* of it alone */
	const uint32_t *vertices;  /* of it: which of the whole, rising */
	const uint32_t *triangles; /* likewise */
	/* with its best rigid motion: the RMS error of its surface over the poses, % of its diagonal */
	double rigid_percent;
	/* the same by the motions of its rigid pieces, where these are known (rigid_pieces) */
	double noise_percent;
	double energy; /* the square of that in diagonals of the whole, times its area */
} ossai_body_part;

typedef struct ossai_body_parts {
	size_t count; /* 0: the mesh is one body */
	ossai_body_part *items;
	size_t slide_count;
	ossai_body_slide *slides; /* bodies that slide on others, in the mesh's units */
	uint32_t *part_of_face;   /* triangles of the mesh: rigid parts that the slides name */
	/* count: of a body that slides, or that others slide on, and whose pieces are all rigid but for
	   noise, how many these are; else 0. NULL: nothing slides */
	size_t *rigid_pieces;
} ossai_body_parts;

/* Which bodies a mesh is, by its motion (skeleton/from_motion/bodies.h); in the order of their
   first faces. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED, and those
   of a mesh and poses that do not fit.  Cost: one piece: linear; else that of clustering 2000
   vertices. */
ossa_status ossai_body_parts_find(ossai_arena *arena, const ossa_mesh *mesh, const ossa_frames *poses, ossai_body_parts *parts);

/* Shares a number of bones: each body gets one, or as many as it has rigid pieces where there are
   enough for all; the others are divided in proportion to the RMS error that the bodies have as
   rigid ones. bones: count, the caller's. */
void ossai_body_parts_share(const ossai_body_parts *parts, size_t wanted, size_t *bones);

/* Makes a rig for each body from its part of the poses, and joins them. Fills rig, method, attempts
   and reason of the result. begin, end: of the progress of the whole.
   Errors: those of the methods.  Warning "more-bones": more bodies than bones are wanted. */
ossa_status ossai_bodies_make(
	ossai_making *making, const ossa_frames *poses, const ossai_body_parts *parts, double begin, double end);

/* Fills `order`, one for each body, with the rigs of bodies (rigs: count) in the order in which
   they are joined: those that slide come after what they slide on. Such a rig is rooted at the
   bone that slides, which gets kind, axis and limits; where the motions of the rigs show no slide
   it is a body of its own. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_bodies_slide(ossai_arena *arena, const ossai_body_parts *parts, ossa_rig *const *rigs, ossai_rig_part *order);

#endif
