/* proxy/edge_sizes.h: how long the edges of an even mesh shall be: shorter where the shape is thin.

   Place in the path: below remesh.  In: an even mesh about to be made.  Out: its sizes. */
#ifndef OSSAI_PROXY_EDGE_SIZES_H
#define OSSAI_PROXY_EDGE_SIZES_H

#include "proxy/isotropic.h"

/* The length of the edges of so many vertices, six triangles of equal sides around each, that cover
   an area. */
double ossai_edge_length_for(double area, size_t vertices);

/* Fills the sizes of a packed mesh: half of the thickness below each vertex, so that a thin part
   has rings of six edges or more, but not below a share of the largest size; the largest so that
   about `wanted` vertices come out; neighbours differ little. Errors: OSSA_ERROR_MEMORY.  Cost: n
   log n. */
ossa_status ossai_edge_sizes(ossai_isotropic *even, size_t wanted);

#endif
