/* math/affine.h: affine maps, stored in an ossai_rigid whose matrix may be any: the transforms of
   scene nodes.

   Place in the path: above vec.h, below the readers of scenes. Plain values, no state. */
#ifndef OSSAI_MATH_AFFINE_H
#define OSSAI_MATH_AFFINE_H

#include "math/vec.h"

#include <stdbool.h>

static inline ossai_rigid ossai_affine_identity(void) { return (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}}; }

/* The inverse; false (inverse untouched) where there is none. */
bool ossai_affine_inverse(const ossai_rigid *map, ossai_rigid *inverse);

/* The rotation in a matrix (its columns orthogonalised from the first on, so that it is exact for
   any uniform scale; never a reflection), and its mean scale (NULL: not wanted). */
ossai_mat3 ossai_affine_rotation(const ossai_mat3 *map, double *scale);

/* The rotation and the scales along its own axes that make up the matrix of a map, rotation after
   scale; a reflection is a negative first scale. False where it has shear, more than one part in a
   million of its axes. */
bool ossai_affine_split(const ossai_rigid *map, ossai_quat *turn, double scale[3]);

/* A normal transformed with a surface by `map`: right for any scale; reflections invert it, as they
   do the surface's winding. */
ossai_vec3 ossai_affine_normal(const ossai_mat3 *map, ossai_vec3 normal);

/* Whether two maps send points of about `length` to the same position, within `tolerance` times
   what they do to lengths. */
bool ossai_affine_is_same(const ossai_rigid *a, const ossai_rigid *b, double length, double tolerance);

/* Whether all its numbers are finite. */
bool ossai_affine_is_finite(const ossai_rigid *map);

/* Spherical linear interpolation (slerp) from p to q, both unit, along the shorter arc: s 0 to
   1. */
ossai_quat ossai_quat_slerp(ossai_quat p, ossai_quat q, double s);

/* Interpolates from map a to map b: translations, scales and shears linearly, rotations by
   slerp. */
ossai_rigid ossai_affine_between(const ossai_rigid *a, const ossai_rigid *b, double s);

#endif
