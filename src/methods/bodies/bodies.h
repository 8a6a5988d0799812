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

/* Which bodies a mesh is, by its motion (skeleton/from_motion/bodies.h) and its shape
   (ossai_body_limbs_join); in the order of their first faces. kind: which body the shape is; NONE:
   the motion alone decides. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED, and those of a mesh and poses that do not fit. Warning "limbs-apart".
   Cost: one piece: linear; else that of clustering 2000 vertices; that of rigging the rest shape
   for each body that may be a limb. */
ossa_status ossai_body_parts_find(
	ossai_arena *arena, const ossa_mesh *mesh, const ossa_frames *poses, ossa_body_kind kind, ossai_body_parts *parts);

/* Two bodies that touch at rest. */
typedef struct ossai_body_touch {
	uint32_t a, b;
	double gap; /* how far the best joint of both comes apart, RMS, in the mesh's units */
} ossai_body_touch;

/* Bodies of a mesh, before they are meshes of their own. */
typedef struct ossai_body_faces {
	ossa_body_kind wanted; /* which body the shape is; NONE: the motion alone decides */
	size_t count;
	uint32_t *of_face; /* triangles of the mesh: their body; numbered by their first faces */
	size_t touch_count;
	const ossai_body_touch *touch; /* of bodies that never move, or slide, none are here */
	/* what ossai_body_limbs_join found */
	size_t joined;       /* how many bodies were joined to others */
	ossa_body_kind kind; /* the body that they are limbs of */
	uint32_t *number;    /* by body before that: what it is now; NULL: nothing was joined */
} ossai_body_faces;

/* Joins bodies that are limbs of one: parts of a figure come off as it moves, a short leg that an
   animation pulls out of its hip. Motion calls them independent; the shape at rest is likelier a
   human, or another body, with them than without, and that decides (body_limbs.c). Of two bodies
   that are each whole, and of what a body carries, it is not. Changes count and of_face, and fills
   what is last in the struct; arrays are the arena's. Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED. Cost: that of rigging the rest shape twice for each figure, and up to twice
   more for each of 12 bodies that touch it. */
ossa_status ossai_body_limbs_join(ossai_arena *arena, const ossa_mesh *mesh, ossai_body_faces *bodies);

/* The faces of each body as a mesh. items: receives count of them. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_body_faces_split(
	ossai_arena *arena, const ossa_mesh *mesh, const ossai_body_faces *bodies, ossai_body_part *items);

/* Shares a number of bones: each body gets one, or as many as it has rigid pieces where there are
   enough for all; the others are divided in proportion to the RMS error that the bodies have as
   rigid ones. bones: count, the caller's. */
void ossai_body_parts_share(const ossai_body_parts *parts, size_t wanted, size_t *bones);

/* Makes a rig for each body from its part of the poses, and joins them. Fills rig, method, attempts
   and reason of the result. begin, end: of the progress of the whole.
   Errors: those of the methods.  Warning "more-bones": more bodies than bones are wanted. */
ossa_status ossai_bodies_make(
	ossai_making *making, const ossa_frames *poses, const ossai_body_parts *parts, double begin, double end);

/* The rig of a rigid body: one bone, at its center. Errors: OSSA_ERROR_MEMORY. Ownership:
   ossa_rig_free. */
ossa_status ossai_one_bone_make(ossa_context *context, const ossa_mesh *mesh, ossa_rig **rig);

/* Of a mesh that does not move, whether it is several bodies (still_bodies.c): parts that do not
   touch, of which two or more are bodies without doubt, and likelier so than all of it is one. Then
   it makes a rig for each body and joins them, things that are no body having one bone each, and
   fills the result as ossai_make_still does; else *are_several is false. Options that say what the
   mesh is, or how many bones it has, are about one body, which it is then. Errors: as
   ossai_make_still. Cost: that of rigging each part that may be a body. */
ossa_status ossai_still_bodies_make(ossai_making *making, bool *are_several);

/* Fills `order`, one for each body, with the rigs of bodies (rigs: count) in the order in which
   they are joined: those that slide come after what they slide on. Such a rig is rooted at the
   bone that slides, which gets kind, axis and limits; where the motions of the rigs show no slide
   it is a body of its own. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_bodies_slide(ossai_arena *arena, const ossai_body_parts *parts, ossa_rig *const *rigs, ossai_rig_part *order);

#endif
