/* query/morton.h: points in the order of a curve that keeps neighbours together, and where to cut
   it into boxes.

   Place in the path: below trees over faces.
   Input: points.
   Output: their order.
   Source: G. Morton, A Computer Oriented Geodetic Data Base, 1966; T. Karras, Maximizing
   Parallelism in the Construction of BVHs, Octrees, and k-d Trees, 2012 (cuts by the highest bit
   that differs). */
#ifndef OSSAI_QUERY_MORTON_H
#define OSSAI_QUERY_MORTON_H

#include "base/context.h"

/* a tree cut as ossai_morton_split does is never as deep: 48 bits, then halves of up to 2^32
   equal codes */
enum { OSSAI_MORTON_DEPTH = 84 };

/* order: the points along the curve, equal codes by index; codes: of order's points, 16 bits an
   axis of the points' box. Both are the caller's, N long. points: N x 3.  Errors:
   OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_morton_order(ossa_context *context, size_t count, const float *points, uint32_t *order, uint64_t *codes);

/* Where the range [begin, end) of two or more sorted codes is best cut: both sides have
   something. */
uint32_t ossai_morton_split(const uint64_t *codes, uint32_t begin, uint32_t end);

#endif
