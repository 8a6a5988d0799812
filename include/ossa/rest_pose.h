/* ossa/rest_pose.h: another rest pose for a rig: an exact T or A, a frame of its motion, and back
   to the pose that its mesh was modelled in. */
#ifndef OSSA_REST_POSE_H
#define OSSA_REST_POSE_H

#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A rest pose; a number from 1 on is that frame of the rig's motion. */
typedef enum ossa_rest_pose {
	OSSA_REST_KEEP = -3, /* as it is */
	/* the one that the mesh was modelled in, where it was changed since */
	OSSA_REST_MODELLED = -2,
	/* arms level to the sides, legs straight down */
	OSSA_REST_T = -1,
	/* arms 45 degrees below level, to the sides, legs straight down */
	OSSA_REST_A = 0
} ossa_rest_pose;

/* The choices of an option `rest-pose` from OSSA_REST_KEEP on. */
#define OSSA_REST_POSE_CHOICES "keep|modelled|t|a|FRAME"

/* Poses skeleton and mesh (vertices by dual quaternions, normals) and makes that the rest pose.
   Frames of joints turn with their bones, so the motion stays as it is, and every frame moves the
   joints as before; weights stay. Limits are shifted, because they are relative to the rest pose.
   T and A are for human bodies, whose parts are known by roles, by names of any convention or by
   the tree: every bone of an arm or a leg, palm and fingers too, lies along the limb, by the
   smallest turns, parents first, so that bones do not twist; thumbs and all others turn with their
   parents, feet as the hips do. The lowest point of the feet stays at its height, the root's joint
   above its place. A body without legs gets the arms alone.
   Every pose is made of the one that the mesh was modelled in, which the bones keep
   (ossa_bone.modelled), and that one comes back but for the rounding of floats. What is in the pose
   already is not changed. Warnings: "rest-folds" (triangles that the pose turned over),
   "rest-unknown" (no bone has a pose that it was modelled in), "limits-near".
   Errors: OSSA_ERROR_ARGUMENT (no such frame or pose), OSSA_ERROR_INPUT (no human body, or it
   lacks a bone, which is named), OSSA_ERROR_LIMIT (positions beyond floats), OSSA_ERROR_MEMORY; the
   rig is then as it was.
   Cost: linear in the mesh; limits of motion: and in the frames.
   Source of the blending: L. Kavan, S. Collins, J. Zara, C. O'Sullivan, Skinning with Dual
   Quaternions, 2007. */
OSSA_API ossa_status ossa_rig_set_rest_pose(ossa_context *context, ossa_rig *rig, int pose);

/* How far the arms of a human are from where a T or an A has them: the largest angle of both upper
   arms in degrees, of several bodies of all humans; NAN where the rig has no human whose arms are
   known. pose: OSSA_REST_T or
   OSSA_REST_A.
   Errors: OSSA_ERROR_ARGUMENT (another pose), OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_rig_rest_angle(ossa_context *context, const ossa_rig *rig, int pose, double *degrees);

#ifdef __cplusplus
}
#endif
#endif
