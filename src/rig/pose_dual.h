/* rig/pose_dual.h: skinning by blended dual quaternions: joints that twist keep their thickness.

   Place in the path: the rig's motion, beside rig/pose.h.  In: bones' matrices, weights.  Out:
   positions. Source: L. Kavan, S. Collins, J. Zara, C. O'Sullivan, Geometric Skinning with
   Approximate Dual Quaternion Blending, 2008. */
#ifndef OSSAI_RIG_POSE_DUAL_H
#define OSSAI_RIG_POSE_DUAL_H

#include "math/vec.h"

#include <ossa/rig.h>

/* A rigid motion: x -> turn x + move, with dual = move turn / 2. */
typedef struct ossai_dual_quat {
	ossai_quat turn, dual;
} ossai_dual_quat;

ossai_dual_quat ossai_dual_quat_of(const double *matrix); /* rows of [R | t] */

/* One vertex: of q and -q, which are the same turn, each bone takes that nearer to the vertex's
   first bone. */
ossai_vec3 ossai_dual_skin_vertex(
	const float *position, const ossa_weights *weights, size_t vertex, const ossai_dual_quat *duals);

#endif
