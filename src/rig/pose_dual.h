/* rig/pose_dual.h: dual quaternion skinning: joints that twist keep their volume.

   Place in the path: the rig's motion, beside rig/pose.h.
   Input: bones' matrices, weights.
   Output: positions.
   Source: L. Kavan, S. Collins, J. Zara, C. O'Sullivan, Geometric Skinning with Approximate Dual
   Quaternion Blending, 2008. */
#ifndef OSSAI_RIG_POSE_DUAL_H
#define OSSAI_RIG_POSE_DUAL_H

#include "math/vec.h"

#include <ossa/rig.h>

/* A rigid motion: x -> turn x + move, with dual = move turn / 2. */
typedef struct ossai_dual_quat {
	ossai_quat turn, dual;
} ossai_dual_quat;

ossai_dual_quat ossai_dual_quat_of(const double *matrix); /* rows of [R | t] */

/* One vertex: of q and -q, which are the same rotation, each bone takes the one closer to that of
   the vertex's first bone. */
ossai_vec3 ossai_dual_skin_vertex(
	const float *position, const ossa_weights *weights, size_t vertex, const ossai_dual_quat *duals);

#endif
