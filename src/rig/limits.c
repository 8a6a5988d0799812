/* rig/limits.c: how far joints may turn.

   Place in the path: after motion, before export.  In: a rig.  Out: limits of the bones that have none.

   A joint's turn against its rest pose is taken apart into turns about the frame's own axes, rest^-1 local = Rz Ry Rx. Of the
   many such triples the one nearest to the frame before is taken (math/euler.h), so that a range is what the joint travels and
   not where the arcus tangent jumps. */
#include "base/context.h"
#include "math/euler.h"

#include <ossa/rig.h>

/* radians: frames that lie farther apart are poses of their own, not a path from one to the next */
static const double FARTHEST_STEP = OSSAI_PI / 2;
/* radians: less than a hundredth of a degree in all frames is no turn */
static const double STILL = 0.01 * OSSAI_PI / 180;
/* degrees: where the motion says nothing */
static const double ABOUT = 180, ACROSS = 90;
/* degrees: what ossa/rig.h allows */
static const double WIDEST = 360;

static ossai_quat rest_rotation(const ossa_bone *bones, const ossa_bone *bone)
{
	const ossai_quat own = ossai_quat_unit(ossai_quat_of(bone->orientation));
	if (bone->parent < 0) return own;
	const ossai_quat parent = ossai_quat_unit(ossai_quat_of(bones[bone->parent].orientation));
	return ossai_quat_mul(ossai_quat_conjugate(parent), own);
}

/* degrees about x, y, z between which a bone turns in the clip; false where it never does */
static bool range_of_motion(const ossa_skeleton *skeleton, const ossa_clip *clip, size_t b, double low[3], double high[3])
{
	const ossai_quat back = ossai_quat_conjugate(rest_rotation(skeleton->bones, &skeleton->bones[b]));
	ossai_quat last = ossai_quat_identity();
	double angles[3] = {0, 0, 0};
	bool turns = false;
	for (int axis = 0; axis < 3; axis++) low[axis] = high[axis] = 0;
	for (size_t f = 0; f < clip->frame_count; f++) {
		const double *local = clip->rotations + (f * clip->bone_count + b) * 4;
		const ossai_quat turn = ossai_quat_mul(back, ossai_quat_unit(ossai_quat_of(local)));
		const bool leaps = ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(last), turn)) > FARTHEST_STEP;
		const double near[3] = {leaps ? 0 : angles[0], leaps ? 0 : angles[1], leaps ? 0 : angles[2]};
		ossai_euler_near(turn, OSSAI_EULER_ZYX, near, angles);
		for (int axis = 0; axis < 3; axis++) {
			low[axis] = fmin(low[axis], angles[axis]);
			high[axis] = fmax(high[axis], angles[axis]);
		}
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

static void set_range(ossa_bone *bone, const double low[3], const double high[3], double slack)
{
	for (int axis = 0; axis < 3; axis++) {
		bone->limits[axis][0] = fmax(low[axis] - slack, -WIDEST);
		bone->limits[axis][1] = fmin(high[axis] + slack, WIDEST);
	}
}

ossa_status ossa_rig_find_limits(ossa_context *context, ossa_rig *rig, double slack_degrees)
{
	if (!(slack_degrees >= 0)) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "a slack of %g degrees is not a number from 0 on", slack_degrees);
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		double low[3], high[3];
		if (bone->has_limits) continue;
		const bool judged = rig->clip && bone->kind != OSSA_JOINT_WELDED;
		if (judged && range_of_motion(&rig->skeleton, rig->clip, b, low, high)) set_range(bone, low, high, slack_degrees);
		else set_wide(bone);
		bone->has_limits = true;
	}
	return OSSA_OK;
}
