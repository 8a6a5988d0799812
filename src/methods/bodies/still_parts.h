/* methods/bodies/still_parts.h: parts of a mesh that do not touch, each of which may be a body.

   Place in the path: pieces, prop_items -> here -> still_bodies.
   Input: a mesh of several pieces.
   Output: which part each face is of. */
#ifndef OSSAI_METHODS_BODIES_STILL_PARTS_H
#define OSSAI_METHODS_BODIES_STILL_PARTS_H

#include "methods/pieces/prop_items.h"

/* Items (prop_items.h) that touch each other, grounds not counted: each is a part of its own,
   whatever stands on it. */
typedef struct ossai_still_part {
	size_t item_count;
	double area; /* in the lengths of the surface */
	bool is_ground;
	uint32_t like; /* the first part that is a copy of it, or itself */
	/* what still_bodies.c finds out */
	bool is_large; /* it has as much area as a body beside the first of them */
	bool has_tree; /* it has the shape of some body: it is rigged as if it were alone */
	bool is_body;  /* of that one, without doubt */
	double score;  /* the logarithm of its likelihood as a body over that of none */
} ossai_still_part;

typedef struct ossai_still_parts {
	ossai_posed_surface surface; /* the mesh */
	ossai_prop_items items;      /* of the surface */
	size_t count;                /* 0: the mesh is one body, or its pieces are too many */
	size_t grounds;              /* parts that are */
	bool may_be_bodies;          /* two of them are large enough beside each other */
	ossai_still_part *part;
	uint32_t *of_item;
	uint32_t *of_face; /* triangles of the mesh */
	uint32_t *order;   /* parts, the largest first, then grounds */
} ossai_still_parts;

/* Of the area of the first body a second one has at least this share: a child beside a grown person
   has a third. */
#define OSSAI_STILL_LEAST_AREA 0.25

/* Finds them; what they are as bodies is not filled. Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY, and those of a mesh that is refused (ossai_posed_surface_check). Cost: linear
   where one piece has nearly all of the surface, else n log n for each item. */
ossa_status ossai_still_parts_find(ossai_arena *arena, const ossa_mesh *mesh, ossai_still_parts *parts);

/* What is neither large nor has a tree goes with the part nearest to it that is, or has: changes
   of_item and of_face. */
void ossai_still_parts_attach(ossai_still_parts *parts);

#endif
