/* math/affine.h: affine maps, held in an ossai_rigid whose matrix may be any: what nodes of scenes
   do to points.

   Place in the path: above vec.h, below the readers of scenes. Plain values, no state. */
#ifndef OSSAI_MATH_AFFINE_H
#define OSSAI_MATH_AFFINE_H

#include "math/vec.h"

#include <stdbool.h>

static inline ossai_rigid ossai_affine_identity(void) { return (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}}; }

/* The inverse; false (inverse untouched) where there is none. */
bool ossai_affine_inverse(const ossai_rigid *map, ossai_rigid *inverse);

/* The rotation in a matrix (its columns made square from the first on, so that it is exact for any
   uniform scale; never a mirror), and its mean scale (NULL: not wanted). */
ossai_mat3 ossai_affine_rotation(const ossai_mat3 *map, double *scale);

/* A normal that goes with a surface moved by `map`: right for any scale; mirrors turn it round, as
   they do the surface's winding. */
ossai_vec3 ossai_affine_normal(const ossai_mat3 *map, ossai_vec3 normal);

/* Whether two maps send points of about `length` to the same place, within `tolerance` times what
   they do to lengths. */
bool ossai_affine_is_same(const ossai_rigid *a, const ossai_rigid *b, double length, double tolerance);

/* Whether all its numbers are finite. */
bool ossai_affine_is_finite(const ossai_rigid *map);

/* Shortest way on the sphere from p to q, both unit: s 0 to 1. */
ossai_quat ossai_quat_slerp(ossai_quat p, ossai_quat q, double s);

/* Part of the way from map a to map b: translations, scales and shears in straight lines, rotations
   on the sphere. */
ossai_rigid ossai_affine_between(const ossai_rigid *a, const ossai_rigid *b, double s);

#endif
