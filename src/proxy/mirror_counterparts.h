/* proxy/mirror_counterparts.h: the plane of symmetry of a surface by its vertices, and for each
   vertex the one at the mirrored position.

   Place in the path: posed surface, mirror -> here -> weights/symmetry, edit.
   Input: vertices at rest.
   Output: a plane, pairs of vertices. */
#ifndef OSSAI_PROXY_MIRROR_COUNTERPARTS_H
#define OSSAI_PROXY_MIRROR_COUNTERPARTS_H

#include "proxy/mirror.h"

/* Moves the plane to where corresponding vertices have it: the search finds it to a few
   hundred-thousandths. points: count x 3. near: the distance within which two are counterparts.
   The plane stays where less than half of the points have one. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_mirror_refine(ossa_context *context, size_t count, const double *points, double near, ossai_mirror *mirror);

/* The plane of the surface at rest, in its units: found by its shape, then by its vertices.
   mirror->exists: whether it is a symmetry. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_mirror_of_surface(ossai_arena *arena, const ossai_posed_surface *surface, ossai_mirror *mirror);

/* Which vertices are mirror images of each other. */
typedef struct ossai_counterparts {
	size_t count;    /* vertices in use that have a counterpart */
	double distance; /* RMS, over these, of the counterpart from the mirrored position; in sizes */
} ossai_counterparts;

/* counterpart (V): the vertex nearest to the mirrored position, where that is mutual and nearer
   than half of a mean edge there; itself on the plane; OSSA_NONE where there is none. Mesh edges
   are not compared: quads are split to triangles differently on the two sides. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_mirror_counterparts(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_mirror *mirror,
	uint32_t *counterpart, ossai_counterparts *counterparts);

#endif
