/* rig/hinge.h: joints that turn about one axis: their angle and its limits; the angle by which
   others twist about an axis.

   Place in the path: after motion, under posing, IK and export.
   Input: a bone of kind hinge, a turn relative to its rest pose (turns.h).
   Output: degrees about the axis.
   A bone's limits are three ranges about its frame's own axes; those of a hinge about its own axis
   follow from them here. */
#ifndef OSSAI_RIG_HINGE_H
#define OSSAI_RIG_HINGE_H

#include "math/vec.h"

#include <ossa/rig.h>

/* The axis in the joint's own frame, unit; zero where the joint is no hinge. */
ossai_vec3 ossai_hinge_axis(const ossa_bone *bone);

/* Degrees about `axis` of the rotation about it that is nearest to `turn`; of all whole circles the
   one nearest to `near`. */
double ossai_hinge_angle(ossai_quat turn, ossai_vec3 axis, double near);

/* The axis about which a dependency's driver turns, in the driver's own frame, unit: the hinge's,
   or that of the twist. */
ossai_vec3 ossai_driver_axis(const ossa_bone *bones, const ossa_dependency *dependency);

/* cos(swing / 2) of `turn` = swing twist, the twist about `axis` (unit): an error of the turn is an
   error of the twist by 1 / this, or less. */
double ossai_twist_sureness(ossai_quat turn, ossai_vec3 axis);

/* The twist of any joint about an axis in its own frame, degrees, and its sureness, in every frame
   of `clip` (F each), followed as ossa_rig_turn_range does. */
void ossai_twist_follow(
	const ossa_rig *rig, const ossa_clip *clip, size_t bone, ossai_vec3 axis, double *degrees, double *sureness);

/* The angle of a hinge in every frame of `clip` (F), followed as ossa_rig_turn_range does. */
void ossai_hinge_follow(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double *degrees);

/* The least and the largest angle over all clips of the rig, 0 included, followed as
   ossa_rig_turn_range does. False, and zeros, where the joint is no hinge or never turns. */
bool ossai_hinge_range(const ossa_rig *rig, size_t bone, double range[2]);

/* The limits of a hinge with limits about its axis, degrees: until its turn reaches those of the
   frame's axis about which it turns most. Limits of a motion without slack are thus the range of
   its angle. */
void ossai_hinge_limits(const ossa_bone *bone, double limits[2]);

#endif
