/* surface/correspondence.h: which vertex of one mesh lies where a vertex of another mesh of the
   same shape lies.

   Place in the path: above positions; for frames whose vertices are in another order, split at
   seams or joined.
   Input: two meshes at rest.
   Output: a vertex of the other for each. */
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

/* twins (the caller's, as many as `mesh` has vertices): the vertex of `other` nearest to each, no
   farther than 1e-4 of the diagonal of `mesh`; OSSA_NONE where there is none, which `missing`
   counts. Of several at one place (surfaces that touch) the one whose edges go where those of the
   vertex go, then the first.
   Errors: OSSA_ERROR_MEMORY.  Cost: V log V.  Threads: the context's; the same twins for any
   number. */
ossa_status ossai_correspondence_find(
	ossa_context *context, const ossa_mesh *mesh, const ossai_correspondence_target *other, uint32_t *twins, size_t *missing);

#endif
