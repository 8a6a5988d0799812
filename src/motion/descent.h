/* motion/descent.h: inverse kinematics of a whole skeleton: rotations that take its joints to
   their targets, by cyclic coordinate descent.

   Place in the path: bone lengths, parts' motion -> here -> rig.
   Input: target positions of the joints, the rigid motion of each part.
   Output: the motion of a hierarchy.
   Source: de Aguiar, Theobalt, Thrun, Seidel, Automatic Conversion of Mesh Animations into
   Skeleton-based Animations, Eurographics 2008: one angle of one joint at a time, each to the
   minimum of the squared distance between the joints and their targets, starting from the frame
   before. The minimum over an angle has a closed form: with v the positions of the descendants'
   joints and w their targets, both relative to the rotating joint, sum |Q v - w|^2 depends on M =
   sum v w^T alone. M follows from sums over the descendants, which rotate with them, so that the
   cost of a sweep is linear in the joints.
   Departures:
   - the three angles are about the parent's axes in the current pose: the same steps as with Euler
     angles, without their gimbal lock;
   - a frame begins at the frame before or at the parts' own rotations, whichever is closer to the
     targets; what neither joints nor markers determine stays as it begins. */
#ifndef OSSAI_MOTION_DESCENT_H
#define OSSAI_MOTION_DESCENT_H

#include "motion/hierarchy.h"

/* Virtual markers: points of the skin that move with a bone. */
typedef struct ossai_descent_markers {
	const ossai_posed_surface *surface;
	size_t count;
	const uint32_t *vertex; /* count */
	const uint32_t *bone;   /* count; OSSA_NONE: none */
} ossai_descent_markers;

typedef struct ossai_descent_options {
	int sweeps; /* 200: most of them for a frame */
	/* 1e-5: a sweep that lowers the squared error by less than this share is the last */
	double least_gain;
	ossai_descent_markers markers; /* each counts as one joint in the squared distance */
} ossai_descent_options;

static inline ossai_descent_options ossai_descent_default(void) { return (ossai_descent_options){200, 1e-5, {0}}; }

/* Fills `motion` (B x K) with motion of the hierarchy: constant lengths, translations that follow
   the tree, and a translation of the root. wanted: B x K, the target positions of the joints;
   parts: B x K, the parts' own motion. Where `rms` is not NULL it becomes the RMS distance between
   the joints and their targets. The same result for any number of threads. Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: bones x poses x sweeps; 0.03 s for 19 bones of
   175 poses. */
ossa_status ossai_descent_fit(ossa_context *context, const ossai_hierarchy *hierarchy, const ossai_vec3 *wanted,
	const ossai_bone_motion *parts, const ossai_descent_options *options, ossai_bone_motion *motion, double *rms);

#endif
