/* rig/pose.h: linear blend skinning for callers that pose many frames: no checks, no allocations.

   Place in the path: the rig's motion.
   Input: a rig, weights, a clip.
   Output: matrices, positions. */
#ifndef OSSAI_RIG_POSE_H
#define OSSAI_RIG_POSE_H

#include "base/context.h"
#include "math/vec.h"

#include <ossa/rig.h>

/* A bone's joint at rest; its orientation is a unit quaternion. */
static inline ossai_rigid ossai_rest_frame(const ossa_bone *bone)
{
	return (ossai_rigid){ossai_quat_matrix(ossai_quat_of(bone->orientation)), ossai_v3_of(bone->joint)};
}

/* The joint's position in its parent's frame at rest; the bone has a parent. */
ossai_vec3 ossai_rest_offset(const ossa_bone *bones, size_t bone);

/* The places of all joints in all frames of a clip whose bones keep their lengths, as its
   translations would have them. to: F x B x 3. */
void ossai_rest_translations(const ossa_bone *bones, const ossa_clip *clip, double *to);

/* Skinning matrices: world of each bone in the frame x inverse of its bind matrix, B x 12
   doubles. */
void ossai_skin_matrices(const ossa_rig *rig, const ossa_clip *clip, size_t frame, double *matrices);

/* One vertex moved by linear blending: sum of w M p. */
ossai_vec3 ossai_skin_vertex(const float *position, const ossa_weights *weights, size_t vertex, const double *matrices);

/* Checks what every call on a rig that a caller filled stands on: it has a mesh, its arrays are
   there, and parents come before their children. Errors: OSSA_ERROR_INPUT naming what is missing.
   Cost: linear in bones. */
ossa_status ossai_rig_check_whole(ossa_context *context, const ossa_rig *rig);

/* Checks that the rig is whole, that its positions are finite and its triangles are of its
   vertices. Errors: OSSA_ERROR_INPUT naming the first fault. Cost: linear. */
ossa_status ossai_rig_check_faces(ossa_context *context, const ossa_rig *rig);

/* Checks that the rig is whole, and that weights, and clip where it is not NULL, fit it: counts,
   and that every bone exists. Errors: OSSA_ERROR_INPUT naming the misfit. */
ossa_status ossai_rig_check_fit(ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip);

#endif
