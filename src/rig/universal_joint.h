/* rig/universal_joint.h: joints that turn about two axes, one after the other: their angles and the
   limits of these.

   Place in the path: after motion, under posing, IK, edits and export; hinge.h does the same for
   one axis.
   Input: a bone of kind universal, a turn relative to its rest pose (turns.h).
   Output: degrees about the two axes. */
#ifndef OSSAI_RIG_UNIVERSAL_JOINT_H
#define OSSAI_RIG_UNIVERSAL_JOINT_H

#include "math/vec.h"

#include <ossa/rig.h>

/* A frame whose z is the first axis and y the second, in the joint's own frame: the turn of the
   joint is frame Rz Ry Rx frame^-1, whose angle about x is 0 but for what is off the joint. The
   identity where the joint is none. */
ossai_quat ossai_universal_frame(const ossa_bone *bone);

/* Degrees about first and second axis, and how far the turn is off the joint; of all such triples
   the one nearest to `near` and 0. */
void ossai_universal_angles(ossai_quat frame, ossai_quat turn, const double near[2], double degrees[2], double *off);

/* The turn by these angles. */
ossai_quat ossai_universal_turn(ossai_quat frame, const double degrees[2]);

/* The least and the largest angles over all clips of the rig, 0 included, followed as
   ossa_rig_turn_range does. Zeros where there is no clip. */
void ossai_universal_range(const ossa_rig *rig, size_t bone, double range[2][2]);

/* The limits of a joint with limits about its axes, degrees: those that are known so, else until
   its turn about one axis alone reaches those of the frame's axis about which that turns most. */
void ossai_universal_limits(const ossa_bone *bone, double limits[2][2]);

/* ---- axes of any joint ---- */

/* A bone's joint becomes that of another bone: its axes; `reversed`: seen from the other side, so
   that parent and child change places. Kinds are the same already. */
void ossai_bone_take_axes(const ossa_bone *from, bool reversed, ossa_bone *to);

void ossai_bone_forget_axes(ossa_bone *bone);

/* Whether joints of the kind have an axis. */
static inline bool ossai_joint_has_axis(ossa_joint_kind kind)
{
	return kind == OSSA_JOINT_HINGE || kind == OSSA_JOINT_UNIVERSAL || kind == OSSA_JOINT_PRISMATIC;
}

#endif
