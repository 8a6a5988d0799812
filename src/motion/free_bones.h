/* motion/free_bones.h: the best rigid motion of every bone for given weights, the bones free of
   each other.

   Place in the path: moments -> here -> refine.
   Source: Le & Deng, Smooth Skinning Decomposition with Rigid Bones, 2012: one bone at a time in
   closed form, the others fixed. Departure: on the moments, so that a sweep costs bones x
   neighbours x poses and no vertex. */
#ifndef OSSAI_MOTION_FREE_BONES_H
#define OSSAI_MOTION_FREE_BONES_H

#include "motion/moments.h"

/* Improves `motion` by `sweeps` sweeps over the bones of each pose; the error never rises. Poses
   run in parallel. */
void ossai_free_bones_fit(ossa_context *context, const ossai_moments *moments, int sweeps, ossai_bone_motion *motion);

#endif
