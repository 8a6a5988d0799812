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

/* The blend of a vertex's bones, unit: of q and -q, which are the same rotation, each bone takes
   the one closer to that of the vertex's first bone. Blending is linear but for the length, so the
   inverse motions of the bones have the inverse blend. */
ossai_dual_quat ossai_dual_blend(const ossa_weights *weights, size_t vertex, const ossai_dual_quat *duals);

ossai_vec3 ossai_dual_point(const ossai_dual_quat *dual, ossai_vec3 p);

/* One vertex moved by the blend. */
ossai_vec3 ossai_dual_skin_vertex(
	const float *position, const ossa_weights *weights, size_t vertex, const ossai_dual_quat *duals);

#endif
