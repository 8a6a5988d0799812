/* motion/moments.h: moments: sums over the vertices that make every later fit of motion independent
   of the vertex count.

   Place in the path: weights, poses -> here -> free_bones, hierarchy.
   Input: weights, a posed surface.
   Output: the matrices S and C below.
   With p~ = (p, 1) and weights a_ij, the error of linear blend skinning in pose k is quadratic in
   the bones' motions X_j (3 x 4):
     E_k = sum_jl tr(X_j S_jl X_l^T) - 2 sum_j tr(X_j C_jk) + sum_i |v_ik|^2,
     S_jl = sum_i a_ij a_il p~_i p~_i^T (4 x 4),   C_jk = sum_i a_ij p~_i v_ik^T (4 x 3).
   S does not depend on the pose. Computing both is linear in the vertices, and both are small. */
#ifndef OSSAI_MOTION_MOMENTS_H
#define OSSAI_MOTION_MOMENTS_H

#include "base/csr.h"
#include "math/lanes.h"
#include "weights/bone_weights.h"

/* S_jl is stored once for each pair j <= l that shares a vertex: xx xy xz x yy yz y zz z 1 (10
   numbers, symmetric). */
typedef struct ossai_moments {
	size_t bone_count, pose_count;
	uint32_t *pair_of; /* B x B: index of the pair, OSSA_NONE where no vertex is shared */
	size_t pair_count;
	uint32_t (*pairs)[2]; /* j <= l */
	double (*s)[10];      /* per pair */
	ossai_csr of_bone;    /* pairs of each bone with another one, by that bone, rising */
	/* B x 4 x K x 3: for x y z 1 of p~ the three columns of v in every pose */
	double *c;
	const double *target;         /* K: sum |v_ik|^2; the surface's */
	const ossai_vec3 *target_sum; /* K: sum v_ik; the surface's */
	double vertex_count;          /* used vertices */
	ossai_lanes *lanes;           /* B x 12: for ossai_moments_error alone */
	ossai_arena arena;            /* holds the arrays */
} ossai_moments;

/* Makes the moments; release them with ossai_moments_end, also after a failure. Cost: V x
   influences x (influences + K). */
ossa_status ossai_moments_make(
	ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_weights *weights, ossai_moments *moments);
void ossai_moments_end(ossai_moments *moments);

/* C_jk: rows x y z 1, columns of v. */
static inline void ossai_moments_target(const ossai_moments *moments, size_t bone, size_t pose, double c[12])
{
	const double *rows = moments->c + bone * 12 * moments->pose_count + 3 * pose;
	for (size_t i = 0; i < 12; i++) c[i] = rows[i / 3 * 3 * moments->pose_count + i % 3];
}

/* S_jl as a full symmetric 4x4 matrix; zeros where the bones share no vertex. */
void ossai_moments_matrix(const ossai_moments *moments, uint32_t j, uint32_t l, double s[4][4]);

/* E summed over the poses; of moments that ossai_moments_make made, one call at a time. */
double ossai_moments_error(const ossai_moments *moments, const ossai_bone_motion *motion);

#endif
