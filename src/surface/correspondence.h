/* surface/correspondence.h: vertex correspondence: which vertex of one mesh is at the position of a
   vertex of another mesh of the same shape.

   Place in the path: above positions; for frames whose vertices are in another order, split at
   seams or joined.
   Input: two meshes at rest.
   Output: the corresponding vertex of the other mesh for each. */
#ifndef OSSAI_SURFACE_CORRESPONDENCE_H
#define OSSAI_SURFACE_CORRESPONDENCE_H

#include "base/context.h"
#include <ossa/mesh.h>

/* The other shape: its vertices at rest, and their triangles where it has any. */
typedef struct ossai_correspondence_target {
	size_t vertex_count;
	const float *positions; /* V x 3 */
	size_t triangle_count;
	const uint32_t *triangles; /* T x 3, or NULL */
} ossai_correspondence_target;

/* counterpart (the caller's, as many as `mesh` has vertices): the vertex of `other` nearest to
   each, no farther than 1e-4 of the diagonal of `mesh`; OSSA_NONE where there is none, which
   `missing` counts. Of several at one position (surfaces that touch) the one whose edges match most
   of the vertex's edges, then the first.
   Errors: OSSA_ERROR_MEMORY.  Cost: V log V.  Threads: the context's; the same result for any
   number. */
ossa_status ossai_correspondence_find(ossa_context *context, const ossa_mesh *mesh, const ossai_correspondence_target *other,
	uint32_t *counterpart, size_t *missing);

#endif
