/* retarget/repose_limits.c: limits of joints, and dependent bones, against another rest pose.

   Place in the path: inside repose.h.
   Input: bones before and after, the motion.
   Output: limits of the same poses.

   A turn against the old rest, local = rest turn, is back turn against the new one, with back the
   new rest's turn inverted. About a hinge's axis alone the angles differ by those of the new rest;
   about several they are decomposed again, so the limits contain other poses near the ends. */
#include "retarget/repose.h"

#include "math/euler.h"
#include "rig/dependencies.h"
#include "rig/hinge.h"
#include "rig/turns.h"

#include <ossa/edit_motion.h>

/* radians, and degrees: a rest pose that turned by less is the same */
static const double SAME = 1e-9;
/* degrees: what ossa/rig.h allows */
static const double WIDEST = 360;

/* limits contain the rest pose */
static void set_limits(ossa_bone *bone, int axis, double least, double most)
{
	bone->limits[axis][0] = fmax(fmin(least, 0), -WIDEST);
	bone->limits[axis][1] = fmin(fmax(most, 0), WIDEST);
}

/* the limits of a motion are as much wider than it as before */
static void carry_range(const ossa_rig *before, ossa_rig *after, size_t b)
{
	double was[3][2], now[3][2];
	ossa_bone *bone = &after->skeleton.bones[b];
	ossa_rig_turn_range(before, NULL, b, was);
	ossa_rig_turn_range(after, NULL, b, now);
	for (int axis = 0; axis < 3; axis++) {
		const double *limits = before->skeleton.bones[b].limits[axis];
		set_limits(bone, axis, now[axis][0] + (limits[0] - was[axis][0]), now[axis][1] + (limits[1] - was[axis][1]));
	}
}

/* false where angles about several axes are involved */
static bool shift(const ossa_bone *before, ossai_quat turn, ossa_bone *after)
{
	double center[3], angles[3];
	int axes = 0;
	for (int axis = 0; axis < 3; axis++) center[axis] = 0.5 * (before->limits[axis][0] + before->limits[axis][1]);
	ossai_euler_near(turn, OSSAI_EULER_ZYX, center, angles);
	for (int axis = 0; axis < 3; axis++) {
		const double *limits = before->limits[axis];
		set_limits(after, axis, limits[0] - angles[axis], limits[1] - angles[axis]);
		axes += limits[0] < 0 || limits[1] > 0 || fabs(angles[axis]) > SAME;
	}
	return axes <= 1;
}

static void find_turn(ossa_rig *rig, size_t b)
{
	double most = 0;
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		double turn[4];
		ossa_rig_turn(rig, NULL, f, b, turn, NULL);
		most = fmax(most, ossai_quat_angle(ossai_quat_of(turn)));
	}
	rig->skeleton.bones[b].turn_degrees = most * 180 / OSSAI_PI;
}

/* by which a hinge turns to the new rest pose, degrees about its axis */
static double rest_angle(const ossa_rig *before, const ossa_rig *after, size_t b)
{
	const ossai_quat was = ossai_rest_rotation(before->skeleton.bones, b), now = ossai_rest_rotation(after->skeleton.bones, b);
	return ossai_hinge_angle(ossai_quat_mul(ossai_quat_conjugate(was), now), ossai_hinge_axis(&before->skeleton.bones[b]), 0);
}

/* The same of a driver. False where what drives would be no twist about one axis any more: its new
   rest pose is turned about another one. */
static bool rest_angle_of_driver(const ossa_rig *before, const ossa_rig *after, const ossa_dependency *d, double *degrees)
{
	const size_t b = (size_t)d->driver;
	const ossai_quat was = ossai_rest_rotation(before->skeleton.bones, b), now = ossai_rest_rotation(after->skeleton.bones, b);
	const ossai_quat turn = ossai_quat_mul(ossai_quat_conjugate(was), now);
	const ossai_vec3 axis = ossai_driver_axis(before->skeleton.bones, d);
	*degrees = ossai_hinge_angle(turn, axis, 0);
	if (!ossai_drives_by_twist(d)) return true;
	const ossai_quat twist = ossai_quat_axis_angle(axis, *degrees * OSSAI_PI / 180);
	return ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(twist), turn)) < SAME;
}

/* b + B = ratio (a + A) + offset, A and B the angles of the new rest pose; axes turn with their
   bones */
void ossai_repose_dependencies(const ossa_rig *before, const ossai_rigid *move, ossa_rig *after)
{
	size_t kept = 0;
	for (size_t i = 0; i < after->dependency_count; i++) {
		ossa_dependency d = after->dependencies[i];
		double driver;
		if (!rest_angle_of_driver(before, after, &d, &driver)) continue;
		d.offset_degrees += d.ratio * driver - rest_angle(before, after, (size_t)d.bone);
		ossai_v3_store(ossai_mat3_mul_v(&move[d.driver].r, ossai_v3_of(d.driver_axis)), d.driver_axis);
		after->dependencies[kept++] = d;
	}
	after->dependency_count = kept;
}

int64_t ossai_repose_limits(const ossa_rig *before, ossa_rig *after)
{
	int64_t near = 0;
	for (size_t b = 1; b < before->skeleton.bone_count; b++) {
		const ossai_quat was = ossai_rest_rotation(before->skeleton.bones, b),
						 now = ossai_rest_rotation(after->skeleton.bones, b);
		const ossai_quat turn = ossai_quat_mul(ossai_quat_conjugate(was), now);
		const ossa_bone *old = &before->skeleton.bones[b];
		if (ossai_quat_angle(turn) < SAME) continue;
		if (before->clip) find_turn(after, b);
		if (!old->has_limits) continue;
		if (old->limits_of_motion && before->clip) carry_range(before, after, b);
		else near += !shift(old, turn, &after->skeleton.bones[b]);
	}
	return near;
}
