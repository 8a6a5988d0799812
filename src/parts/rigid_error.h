/* parts/rigid_error.h: the Rigid Error Function: the squared error of the best rigid motion of a
   set of faces.

   Place in the path: posed surface -> here -> face_clusters, lloyd.
   Source: Schaefer & Yuksel 2007, section 3.1. For linear functions on a triangle the integrals are
   exact:
     int p q^T = A/12 (sum_j p_j q_j^T + 9 c(p) c(q)^T).
   State of a set, added when sets merge (the paper's 17 numbers, the first four shared by all
   poses):
     A, sum A c(p)  |  per pose: sum A c(q), int p q^T, int |p|^2 + |q|^2. */
#ifndef OSSAI_PARTS_RIGID_ERROR_H
#define OSSAI_PARTS_RIGID_ERROR_H

#include "surface/posed_surface.h"

/* Poses are computed this many at a time; the state's rows are padded to a multiple of it. */
enum { OSSAI_REF_LANES = 4, OSSAI_REF_ROWS = 13, OSSAI_REF_SHARED = 4 };

/* Doubles in one state of `pose_count` poses: shared[4], then 13 rows (q x y z, M 0..8, energy) of
   padded poses. */
static inline size_t ossai_ref_stride(size_t pose_count)
{
	return (pose_count + OSSAI_REF_LANES - 1) / OSSAI_REF_LANES * OSSAI_REF_LANES;
}
static inline size_t ossai_ref_size(size_t pose_count)
{
	return OSSAI_REF_SHARED + OSSAI_REF_ROWS * ossai_ref_stride(pose_count);
}

/* The state of one face. */
void ossai_ref_face(const ossai_posed_surface *surface, size_t face, double *state);

/* into += from */
void ossai_ref_add(size_t pose_count, double *into, const double *from);

/* Error of the union of two states, summed over the poses from `*pose` on until the sum, begun at
   `partial`, passes `bound`; `*pose` is then where it stopped (the padded pose count when it is
   whole). Errors of poses are never negative, so a partial sum is a lower bound. Unit: diagonal^2 x
   area. */
double ossai_ref_union_error(size_t pose_count, const double *a, const double *b, double partial, double bound, size_t *pose);

/* The best rigid motion of a set in one pose: rest -> pose, both normalised. */
ossai_rigid ossai_ref_motion(size_t pose_count, const double *state, size_t pose);

#endif
