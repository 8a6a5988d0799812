/* surface/coarse_surface.h: few vertices of a posed surface that stand for all of them.

   Place in the path: posed surface -> here -> whatever does not need every vertex: parts, the
   number of bones, the tree. Weights of all vertices begin with those of the vertices that stand
   for them.
   Input: a posed surface with many vertices.
   Output: a posed surface of some of its vertices, where these are in rest and poses, and which of
   them each vertex and face belongs to.
   Source: half-edge collapses that keep the topology (Dey and others 1999, Topology Preserving Edge
   Contraction), cheapest first by J. Ward's increase of variance (1963), so that every vertex that
   is left stands for about as many others: an error over vertices stays what it was. */
#ifndef OSSAI_SURFACE_COARSE_SURFACE_H
#define OSSAI_SURFACE_COARSE_SURFACE_H

#include "surface/posed_surface.h"

typedef struct ossai_coarse_surface {
	ossai_posed_surface surface;
	/* V of the fine surface: the vertex that stands for it; OSSA_NONE: unused, or
	   all its faces name a vertex twice */
	uint32_t *of_vertex;
	uint32_t *of_face; /* F of the fine surface: connected sets of faces */
} ossai_coarse_surface;

/* Leaves about `wanted` vertices, more where pieces and handles need them. Arrays are the arena's.
   Deterministic.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: linear in vertices and faces, in
   each of some 30 rounds fewer. */
ossa_status ossai_coarse_surface_make(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *fine, size_t wanted, ossai_coarse_surface *coarse);

#endif
