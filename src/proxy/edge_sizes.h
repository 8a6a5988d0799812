/* proxy/edge_sizes.h: the target edge lengths of isotropic remeshing: shorter where the shape is
   thin.

   Place in the path: below remesh.
   Input: a mesh about to be remeshed.
   Output: a target edge length for each of its vertices. */
#ifndef OSSAI_PROXY_EDGE_SIZES_H
#define OSSAI_PROXY_EDGE_SIZES_H

#include "proxy/isotropic.h"

/* The edge length at which `vertices` vertices, each with six equilateral triangles, cover an
   area. */
double ossai_edge_length_for(double area, size_t vertices);

/* Fills the sizes of a packed mesh: half of the thickness below each vertex, so that a thin limb
   has six or more edges around it, but not less than a share of the largest size. The largest size
   is such that about `wanted` vertices result. Sizes of adjacent vertices differ little. Errors:
   OSSA_ERROR_MEMORY.  Cost: n log n. */
ossa_status ossai_edge_sizes(ossai_isotropic *e, size_t wanted);

#endif
