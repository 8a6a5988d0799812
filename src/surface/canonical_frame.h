/* surface/canonical_frame.h: the canonical (PCA) frame of a shape and a canonical order of its
   vertices.

   Place in the path: weld -> here -> proxy.
   Input: points and triangles.
   Output: axes, center and order that do not depend on how the file rotates, mirrors, moves or
   numbers the shape.
   Algorithms on a surface depend a little on its orientation and on the order of its vertices. So
   that rotating or mirroring the shape or shuffling its vertices changes nothing, they all work in
   the canonical frame and order. */
#ifndef OSSAI_SURFACE_CANONICAL_FRAME_H
#define OSSAI_SURFACE_CANONICAL_FRAME_H

#include "base/context.h"
#include "math/vec.h"

typedef struct ossai_canonical_frame {
	ossai_vec3 center; /* of the surface's area */
	/* rows: unit, orthogonal; the first the longest. Left-handed for one of two mirror images:
	   faces that look outward in space then look inward in the frame */
	ossai_mat3 axes;
} ossai_canonical_frame;

/* Principal axes of the area, each directed by the sign of its third moment. points: N x 3. The
   axes of a shape with equal moments along several axes are not unique: any are taken. Allocates
   nothing. Cost: linear. */
ossai_canonical_frame ossai_canonical_frame_of(const double *points, size_t face_count, const uint32_t *triangles);

/* The coordinate of a point of the frame along a generic direction, in which hardly two points of
   a shape are equal, symmetric or not: powers of the real root of x^3 = x + 1. */
static inline double ossai_canonical_place(ossai_vec3 p) { return p.x + 0.7548776662466927 * p.y + 0.5698402909980532 * p.z; }

/* order: N, the points by their position, those at one position by index; points as they are in the
   frame.
   Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_canonical_order(ossa_context *context, size_t point_count, const double *points, uint32_t *order);

static inline ossai_vec3 ossai_to_canonical(const ossai_canonical_frame *frame, ossai_vec3 p)
{
	return ossai_mat3_mul_v(&frame->axes, ossai_sub(p, frame->center));
}
static inline ossai_vec3 ossai_from_canonical(const ossai_canonical_frame *frame, ossai_vec3 p)
{
	return ossai_add(frame->center, ossai_mat3_tmul_v(&frame->axes, p));
}

#endif
