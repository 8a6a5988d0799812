/* math/lanes.h: four numbers that are computed with side by side.

   Place in the path: above base. What is computed for many poses in the same way is computed for
   four at once. GCC and Clang make vector instructions of the arithmetic, of whatever width the
   processor has; every lane is rounded as a double by itself, nothing is contracted, and sums over
   lanes have a fixed order: the bytes are the same for every processor. Loops over lanes belong
   into functions marked OSSAI_CLONES, and what these call is inlined. */
#ifndef OSSAI_MATH_LANES_H
#define OSSAI_MATH_LANES_H

#include "base/clones.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { OSSAI_LANES = 4 };

/* lanes may lie in any array of doubles */
typedef double ossai_lanes __attribute__((vector_size(32), aligned(8), may_alias));
/* all bits of a lane, or none: what comparing lanes gives */
typedef int64_t ossai_lane_mask __attribute__((vector_size(32), aligned(8), may_alias));

/* The least multiple of the lanes that is not below `count`. */
static inline size_t ossai_lanes_up(size_t count) { return (count + OSSAI_LANES - 1) / OSSAI_LANES * OSSAI_LANES; }

/* Whole vectors: copied by memcpy they pass through memory in halves where code is compiled for
   several processors. */
OSSAI_INLINE void ossai_lanes_load(const double *at, ossai_lanes *lanes) { *lanes = *(const ossai_lanes *)at; }
OSSAI_INLINE void ossai_lanes_store(const ossai_lanes *lanes, double *at) { *(ossai_lanes *)at = *lanes; }

/* The first `count` of four, the others 0. */
OSSAI_INLINE void ossai_lanes_load_some(const double *at, size_t count, ossai_lanes *lanes)
{
	*lanes = (ossai_lanes){0};
	for (size_t i = 0; i < count; i++) (*lanes)[i] = at[i];
}

/* the lanes of `a` where the mask is set, of `b` elsewhere */
OSSAI_INLINE ossai_lanes ossai_lanes_choose(ossai_lane_mask mask, ossai_lanes a, ossai_lanes b)
{
	return (ossai_lanes)((mask & (ossai_lane_mask)a) | (~mask & (ossai_lane_mask)b));
}

OSSAI_INLINE bool ossai_lanes_any(ossai_lane_mask mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

OSSAI_INLINE ossai_lanes ossai_lanes_all(double x) { return (ossai_lanes){x, x, x, x}; }

OSSAI_INLINE ossai_lanes ossai_lanes_root(ossai_lanes x)
{
	return (ossai_lanes){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
}

/* The sum over the lanes, in a fixed order. */
OSSAI_INLINE double ossai_lanes_sum(ossai_lanes x) { return (x[0] + x[1]) + (x[2] + x[3]); }

/* ---- 3x3 matrices of lanes, row-major ---- */

/* d -= n r^T for a matrix that all lanes share */
OSSAI_INLINE void ossai_lanes_subtract(const double n[9], const ossai_lanes r[9], ossai_lanes d[9])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			d[3 * i + j] -= n[3 * i] * r[3 * j] + n[3 * i + 1] * r[3 * j + 1] + n[3 * i + 2] * r[3 * j + 2];
		}
	}
}

/* r v for a vector that all lanes share */
OSSAI_INLINE void ossai_lanes_turn(const ossai_lanes r[9], const double v[3], ossai_lanes turned[3])
{
	for (int i = 0; i < 3; i++) turned[i] = r[3 * i] * v[0] + r[3 * i + 1] * v[1] + r[3 * i + 2] * v[2];
}

/* c = a b */
OSSAI_INLINE void ossai_lanes_multiply(const ossai_lanes a[9], const ossai_lanes b[9], ossai_lanes c[9])
{
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
	}
}

/* the rotation of a quaternion, w x y z, whose squared length is given */
OSSAI_INLINE void ossai_lanes_rotation(const ossai_lanes q[4], ossai_lanes length2, ossai_lanes r[9])
{
	const ossai_lanes s = 2 / length2, w = s * q[0], x = s * q[1], y = s * q[2];
	const ossai_lanes xx = x * q[1], yy = y * q[2], zz = s * q[3] * q[3];
	const ossai_lanes xy = x * q[2], xz = x * q[3], yz = y * q[3], wx = w * q[1], wy = w * q[2], wz = w * q[3];
	const ossai_lanes out[9] = {1 - yy - zz, xy - wz, xz + wy, xy + wz, 1 - xx - zz, yz - wx, xz - wy, yz + wx, 1 - xx - yy};
	for (int i = 0; i < 9; i++) r[i] = out[i];
}

#endif
