/* surface/canonical_order.h: vertices and faces of a mesh and its poses in an order that does not
   depend on theirs.

   Place in the path: mesh, poses -> here -> posed surface -> the refined stages for motion; back in
   rig/assemble.h.
   Input: a mesh, poses.
   Output: the same shape in another order, and which vertex and face each is.

   Sums in another order round otherwise, and equal choices fall to another index: small
   differences, of which a search for bones makes other bones. The order is that of positions: along
   Morton's curve at rest, which keeps neighbours together in memory, then by position at rest and
   in each pose. Vertices that are equal in all of these are the same point. */
#ifndef OSSAI_SURFACE_CANONICAL_ORDER_H
#define OSSAI_SURFACE_CANONICAL_ORDER_H

#include "base/context.h"
#include <ossa/frames.h>

typedef struct ossai_canonical_order {
	uint32_t *vertex; /* V: which of the mesh each vertex is */
	uint32_t *place;  /* V: where each vertex of the mesh is in the order */
	uint32_t *face;   /* T: which triangle of the mesh each is */
} ossai_canonical_order;

/* Finds the order of a mesh and poses that are valid and have the same vertices; arrays are the
   arena's. Errors: OSSA_ERROR_MEMORY. Cost: V log V, times the poses where many vertices lie at one
   point. */
ossa_status ossai_canonical_order_make(
	ossai_arena *arena, const ossa_mesh *mesh, const ossa_frames *poses, ossai_canonical_order *order);

/* Positions and faces of the mesh in that order, without all else that it has. A triangle begins
   with its first corner. Ownership: the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_canonical_order_mesh(
	ossai_arena *arena, const ossa_mesh *mesh, const ossai_canonical_order *order, ossa_mesh *ordered);

/* The positions of the poses in that order, F x V x 3. Ownership: the arena's. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_canonical_order_poses(
	ossai_arena *arena, const ossa_frames *poses, const ossai_canonical_order *order, ossa_frames *ordered);

#endif
