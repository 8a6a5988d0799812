/* rig/assemble.h: makes the rig, in the mesh's units, from the results of the stages in normalised
   units and their own order.

   Place in the path: parts, weights, skeleton, motion -> here -> ossa_rig.
   Input: ossai_findings.
   Output: an ossa_rig. */
#ifndef OSSAI_RIG_ASSEMBLE_H
#define OSSAI_RIG_ASSEMBLE_H

#include "motion/hierarchy.h"
#include "skeleton/from_motion/joint_kind.h"
#include "skeleton/from_motion/joints.h"
#include "skeleton/from_motion/loop_joints.h"
#include <ossa/rig.h>

/* The results of a method. Bones are in any order; the rig has them parents first, in the order of
   the tree. */
typedef struct ossai_findings {
	const char *method;
	const ossa_mesh *mesh;
	const ossa_frames *frames; /* NULL where nothing moves: no clip then, and no motion */
	const ossai_posed_surface *surface;
	const ossai_tree *tree;
	const ossai_vec3 *joint; /* B, rest, normalised */
	const ossai_vec3 *tail;  /* B: where leaves end; NULL: at the far end of their patch */
	const ossa_role *role;   /* B: in a recognized body; NULL: none */
	const double *deviation; /* B: of the joints, normalised; NULL: not known */
	const ossa_body *body;   /* in the axes of the mesh; NULL: none */
	/* per pair of the bone graph: the residual; NULL: none */
	const ossai_joint *joint_of_pair;
	ossai_bone_weights *weights;     /* put in order, largest first */
	const ossai_bone_motion *motion; /* of the hierarchy, or NULL */
	ossai_bone_weights *free_weights;
	const ossai_bone_motion *free_motion; /* NULL: none */
	int influences;
	size_t loop_count;
	const ossai_loop_joint *loops; /* joints that the tree leaves out */
} ossai_findings;

/* Makes the rig: names, joints, tails and frames, weights rounded to floats that sum to 1, clips.
   Warning "loose-vertices": in no face. Ownership: ossa_rig_free. */
ossa_status ossai_rig_assemble(ossa_context *context, const ossai_findings *findings, ossa_rig **rig);

/* Writes the joint's properties that follow from the motion into the rig's bone: kind, axes and how
   sure its angle is, largest rotation. noise: ossai_turn_noise's. */
void ossai_bone_classify(const ossai_turning *turning, const double noise[9], ossa_bone *to);

/* A skeleton of the rig whose bone i moves as order[i] of the motion. */
typedef struct ossai_moving_skeleton {
	const ossai_posed_surface *surface;
	const uint32_t *order;   /* B */
	const ossai_vec3 *joint; /* B, normalised, by bone of the motion */
	const ossa_skeleton *skeleton;
	const ossai_bone_motion *motion;
} ossai_moving_skeleton;

/* Writes pose k of the motion into frame k of the clip; frames are filled in order. world: space
   for B. */
void ossai_clip_fill(const ossai_moving_skeleton *from, size_t k, ossai_rigid *world, ossa_clip *clip);

/* Reads the rig's clip into `motion` (made for its bones and the surface's poses): pose k is frame
   frame[k] (NULL: k). Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_clip_load(ossai_arena *arena, const ossa_rig *rig, const ossai_posed_surface *surface, const size_t *frame,
	ossai_bone_motion *motion);

#endif
