/* rig/limits.c: how far joints may turn.

   Place in the path: after motion, before export.  In: a rig.  Out: limits of the bones that have none.

   A joint's turn against its rest pose is taken apart into turns about the frame's own axes, rest^-1 local = Rz Ry Rx. Each
   turn has two such triples, and any number of whole turns more: over time the one nearest to the frame before is taken, so
   that a range is what the joint travels and not where the arcus tangent jumps. Where y is a quarter turn (gimbal lock) only
   x - z or x + z is known; what changes there is shared between the two. */
#include "base/context.h"
#include "math/vec.h"

#include <ossa/rig.h>

/* cosine of y below which x and z cannot be told apart: their error is that of doubles (1e-16) over it */
static const double LOCKED = 1e-7;
/* radians: frames that lie farther apart are poses of their own, not a path from one to the next */
static const double FARTHEST_STEP = OSSAI_PI / 2;
/* radians: less than a hundredth of a degree in all frames is no turn */
static const double STILL = 0.01 * OSSAI_PI / 180;
/* degrees: where the motion says nothing */
static const double ABOUT = 180, ACROSS = 90;
/* degrees: what ossa/rig.h allows */
static const double WIDEST = 360;

/* the whole turns added that bring an angle nearest to another */
static double unwrap(double angle, double near) { return angle - 2 * OSSAI_PI * round((angle - near) / (2 * OSSAI_PI)); }

static ossai_vec3 unwrap_all(ossai_vec3 angles, ossai_vec3 near)
{
	return ossai_v3(unwrap(angles.x, near.x), unwrap(angles.y, near.y), unwrap(angles.z, near.z));
}

/* x and z of a turn whose y is a quarter: only x - z (y up) or x + z (y down) is known */
static ossai_vec3 locked_angles(const ossai_mat3 *turn, double y, ossai_vec3 before)
{
	const double sign = y > 0 ? 1 : -1;
	const double known = atan2(sign * turn->m[0][1], turn->m[1][1]), was = before.x - sign * before.z;
	const double change = unwrap(known, was) - was;
	return ossai_v3(before.x + change / 2, unwrap(y, before.y), before.z - sign * change / 2);
}

/* radians about x, y, z with turn = Rz Ry Rx, of all triples the one nearest to `before` */
static ossai_vec3 angles_near(const ossai_mat3 *turn, ossai_vec3 before)
{
	const double cosine = hypot(turn->m[2][1], turn->m[2][2]), y = atan2(-turn->m[2][0], cosine);
	if (cosine < LOCKED) return locked_angles(turn, y, before);
	const ossai_vec3 one = ossai_v3(atan2(turn->m[2][1], turn->m[2][2]), y, atan2(turn->m[1][0], turn->m[0][0]));
	const ossai_vec3 other = ossai_v3(one.x + OSSAI_PI, OSSAI_PI - one.y, one.z + OSSAI_PI);
	const ossai_vec3 a = unwrap_all(one, before), b = unwrap_all(other, before);
	return ossai_distance(a, before) <= ossai_distance(b, before) ? a : b;
}

static ossai_quat rest_rotation(const ossa_bone *bones, const ossa_bone *bone)
{
	const ossai_quat own = ossai_quat_unit(ossai_quat_of(bone->orientation));
	if (bone->parent < 0) return own;
	const ossai_quat parent = ossai_quat_unit(ossai_quat_of(bones[bone->parent].orientation));
	return ossai_quat_mul(ossai_quat_conjugate(parent), own);
}

/* radians about x, y, z between which a bone turns in the clip; false where it never does */
static bool range_of_motion(const ossa_skeleton *skeleton, const ossa_clip *clip, size_t b, ossai_vec3 *low, ossai_vec3 *high)
{
	const ossai_quat back = ossai_quat_conjugate(rest_rotation(skeleton->bones, &skeleton->bones[b]));
	ossai_quat last = ossai_quat_identity();
	ossai_vec3 angles = {0, 0, 0};
	bool turns = false;
	*low = *high = angles;
	for (size_t f = 0; f < clip->frame_count; f++) {
		const double *local = clip->rotations + (f * clip->bone_count + b) * 4;
		const ossai_quat turn = ossai_quat_mul(back, ossai_quat_unit(ossai_quat_of(local)));
		const bool leaps = ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(last), turn)) > FARTHEST_STEP;
		const ossai_mat3 matrix = ossai_quat_matrix(turn);
		angles = angles_near(&matrix, leaps ? ossai_v3(0, 0, 0) : angles);
		*low = ossai_v3(fmin(low->x, angles.x), fmin(low->y, angles.y), fmin(low->z, angles.z));
		*high = ossai_v3(fmax(high->x, angles.x), fmax(high->y, angles.y), fmax(high->z, angles.z));
		turns = turns || ossai_quat_angle(turn) > STILL;
		last = turn;
	}
	return turns;
}

/* which of the frame's axes lies along the bone; y where the bone has no length */
static int axis_along(const ossa_bone *bone)
{
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(bone->orientation));
	const ossai_vec3 own = ossai_mat3_tmul_v(&frame, ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)));
	const double x = fabs(own.x), y = fabs(own.y), z = fabs(own.z);
	if (y >= x && y >= z) return 1;
	return x >= z ? 0 : 2;
}

static void set_wide(ossa_bone *bone)
{
	const int along = axis_along(bone);
	for (int axis = 0; axis < 3; axis++) {
		bone->limits[axis][1] = axis == along ? ABOUT : ACROSS;
		bone->limits[axis][0] = -bone->limits[axis][1];
	}
}

static void set_range(ossa_bone *bone, ossai_vec3 low, ossai_vec3 high, double slack)
{
	double least[3], most[3];
	ossai_v3_store(low, least);
	ossai_v3_store(high, most);
	for (int axis = 0; axis < 3; axis++) {
		bone->limits[axis][0] = fmax(least[axis] * 180 / OSSAI_PI - slack, -WIDEST);
		bone->limits[axis][1] = fmin(most[axis] * 180 / OSSAI_PI + slack, WIDEST);
	}
}

ossa_status ossa_rig_find_limits(ossa_context *context, ossa_rig *rig, double slack_degrees)
{
	if (!(slack_degrees >= 0)) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "a slack of %g degrees is not a number from 0 on", slack_degrees);
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		ossai_vec3 low, high;
		if (bone->has_limits) continue;
		const bool judged = rig->clip && bone->kind != OSSA_JOINT_WELDED;
		if (judged && range_of_motion(&rig->skeleton, rig->clip, b, &low, &high)) set_range(bone, low, high, slack_degrees);
		else set_wide(bone);
		bone->has_limits = true;
	}
	return OSSA_OK;
}
