/* motion/descent.h: rotations that take a skeleton's joints where they are wanted: cyclic
   coordinate descent.

   Place in the path: bone lengths, parts' motion -> here -> rig.
   Source: de Aguiar, Theobalt, Thrun, Seidel, Automatic Conversion of Mesh Animations into
   Skeleton-based Animations, Eurographics 2008: one angle of one joint at a time, each to where the
   squared distance between the joints and their wanted places is least, from the frame before.
   The minimum over an angle is closed: with v where the joints below are and w where they should
   be, both from the turning joint, sum |Q v - w|^2 depends on M = sum v w^T alone. M follows from
   sums over the bones below, which turn with them, so that a sweep over all joints costs as many
   steps as there are joints.
   Departures:
   - the three angles are about the parent's axes as they stand, from the present pose: the same
   steps as with Euler angles, without
     their gimbal lock;
   - a frame begins at the frame before or at the parts' own rotations, whichever is nearer to the
   wanted places; - positions leave the twist about a bone open, all of a leaf's rotation, and
   nearly all of a very short bone's: at the end each bone
     turns to where sum |Q v - v|^2 + hold^2 |Q R - R_part|^2 is least, v the joints that hang on
     it. */
#ifndef OSSAI_MOTION_DESCENT_H
#define OSSAI_MOTION_DESCENT_H

#include "motion/hierarchy.h"

typedef struct ossai_descent_options {
	int sweeps; /* 60: most of them for a frame */
	/* 1e-3: a sweep that lowers the squared error by less than this share is the last */
	double least_gain;
	/* 0.003 diagonals: a shorter bone takes its part's rotation rather than that of its joints */
	double hold;
} ossai_descent_options;

static inline ossai_descent_options ossai_descent_default(void) { return (ossai_descent_options){60, 1e-3, 0.003}; }

/* Fills `motion` (B x K) with motion of the hierarchy: constant lengths, translations that follow
   the tree, and a translation of the root. wanted: B x K, the target positions of the joints;
   parts: B x K, the parts' own motion. Where `rms` is not NULL it becomes the RMS distance between
   the joints and their targets. The same result for any number of threads. Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: bones x poses x sweeps; 0.03 s for 19 bones of
   175 poses. */
ossa_status ossai_descent_fit(ossa_context *context, const ossai_hierarchy *hierarchy, const ossai_vec3 *wanted,
	const ossai_bone_motion *parts, const ossai_descent_options *options, ossai_bone_motion *motion, double *rms);

#endif
