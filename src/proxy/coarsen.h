/* proxy/coarsen.h: reduces a very fine mesh to about a given number of vertices, fast.

   Place in the path: first step of remesh where the input is much finer than the result.
   Input: a half-edge mesh.
   Output: the same mesh with fewer vertices, and the vertex that each was merged into.
   Source: M. Garland, P. Heckbert, Surface Simplification Using Quadric Error Metrics, SIGGRAPH
   1997.
   Departures: the paper collapses the edge of least error first, which leaves large triangles in
   flat regions. Here the shortest edges collapse first, in passes, because the result is remeshed
   isotropically; quadrics only place the new vertex, which preserves volume and filters noise. */
#ifndef OSSAI_PROXY_COARSEN_H
#define OSSAI_PROXY_COARSEN_H

#include "mesh/half_edges.h"

/* Collapses edges until about `wanted` vertices are left, or no edge may collapse. merged: V,
   filled with the vertex (by its old number) that each was merged into; the mesh is not packed.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: near linear. */
ossa_status ossai_coarsen(ossa_context *context, ossai_half_edges *mesh, size_t wanted, uint32_t *merged);

/* The vertex that `v` was merged into; compresses the path there. */
uint32_t ossai_merged_into(uint32_t *merged, uint32_t v);

#endif
