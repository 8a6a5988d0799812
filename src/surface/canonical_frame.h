/* surface/canonical_frame.h: a shape in axes of its own and in an order of its own.

   Place in the path: weld -> here -> proxy.
   Input: points and triangles.
   Output: the same, whichever way the shape was turned, moved or numbered.
   What is made of a surface step by step depends a little on where it lies and on what comes
   first; so that turning the shape or shuffling its vertices changes nothing, it is always looked
   at in the same axes and taken in the same order. */
#ifndef OSSAI_SURFACE_CANONICAL_FRAME_H
#define OSSAI_SURFACE_CANONICAL_FRAME_H

#include "base/context.h"
#include "math/vec.h"

typedef struct ossai_canonical_frame {
	ossai_vec3 center; /* of the surface's area */
	ossai_mat3 axes;   /* rows: unit, right-handed; the first the longest */
} ossai_canonical_frame;

/* Principal axes of the area, those two directed by their third moments that are most lopsided.
   points: N x 3. A shape that looks alike along several axes has no axes of its own: some are
   taken. Allocates nothing. Cost: linear. */
ossai_canonical_frame ossai_canonical_frame_of(const double *points, size_t face_count, const uint32_t *triangles);

/* How far a point of the frame lies along a direction in which hardly two places of a shape are
   alike, symmetric or not: powers of the real root of x^3 = x + 1. */
static inline double ossai_own_place(ossai_vec3 p) { return p.x + 0.7548776662466927 * p.y + 0.5698402909980532 * p.z; }

/* order: N, the points by their place, those at one place by index; points as they are in the
   frame.
   Errors: OSSA_ERROR_MEMORY.  Cost: N log N. */
ossa_status ossai_own_order(ossa_context *context, size_t point_count, const double *points, uint32_t *order);

static inline ossai_vec3 ossai_to_canonical(const ossai_canonical_frame *frame, ossai_vec3 p)
{
	return ossai_mat3_mul_v(&frame->axes, ossai_sub(p, frame->center));
}
static inline ossai_vec3 ossai_from_canonical(const ossai_canonical_frame *frame, ossai_vec3 p)
{
	return ossai_add(frame->center, ossai_mat3_tmul_v(&frame->axes, p));
}

#endif
