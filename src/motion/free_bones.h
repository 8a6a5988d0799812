/* motion/free_bones.h: the best rigid motion of every bone for given weights, without a hierarchy.

   Place in the path: moments -> here -> refine.
   Input: moments.
   Output: a rigid motion for each bone and pose.
   Source: Le & Deng, Smooth Skinning Decomposition with Rigid Bones, 2012: one bone at a time in
   closed form, the others fixed.
   Departures: computed from the moments, so that the cost of a sweep is bones x neighbours x poses
   and independent of the vertices. */
#ifndef OSSAI_MOTION_FREE_BONES_H
#define OSSAI_MOTION_FREE_BONES_H

#include "motion/moments.h"

/* Improves `motion` by `sweeps` sweeps over the bones of each pose; the error never rises. Poses
   run in parallel, four to a task. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_free_bones_fit(ossa_context *context, const ossai_moments *moments, int sweeps, ossai_bone_motion *motion);

#endif
