/* motion/mirrored_joints.h: the normal equations of joints that are mirror images of each other.

   Place in the path: place_joints, symmetry -> here.
   Input: the equations of all joints for themselves.
   Output: those whose solution is symmetric and has the least error that symmetric joints have. */
#ifndef OSSAI_MOTION_MIRRORED_JOINTS_H
#define OSSAI_MOTION_MIRRORED_JOINTS_H

#include "motion/joint_system.h"
#include "weights/symmetry.h"

/* The dense equations of the joints of a symmetric tree, in the tree's order, become the mean of
   themselves and of the mirrored ones. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_joints_mirror(ossai_arena *arena, const ossai_symmetry *s, const ossai_joint_system *system);

#endif
