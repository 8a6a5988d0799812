/* proxy/coarsen.h: a mesh of very many triangles brought down to fewer of about one size, fast.

   Place in the path: first step of remesh where the input is finer than the result by far.
   Source of the measure: M. Garland, P. Heckbert, Surface Simplification Using Quadric Error
   Metrics, SIGGRAPH 1997. There the cheapest edge goes first, which leaves large triangles where it
   is flat; here the shortest do, in passes, since an even mesh is wanted; quadrics only say where
   the new vertex lies, which keeps volume and evens noise out. */
#ifndef OSSAI_PROXY_COARSEN_H
#define OSSAI_PROXY_COARSEN_H

#include "mesh/half_edges.h"

/* Collapses edges until about `wanted` vertices are left, or nothing more may go. merged: V, filled
   with the vertex (by its old number) that each has become; the mesh is not packed.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: near linear. */
ossa_status ossai_coarsen(ossa_context *context, ossai_half_edges *mesh, size_t wanted, uint32_t *merged);

/* What vertex `v` has become; shortens the way there. */
uint32_t ossai_merged_into(uint32_t *merged, uint32_t v);

#endif
