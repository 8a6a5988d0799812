/* rig/limits.c: rotation limits of joints.

   Place in the path: after motion, before export.
   Input: a rig.
   Output: limits of the bones that have none.
   The range that a joint covers is measured by turns.c. */
#include "rig/pose.h"
#include "rig/limits.h"

#include "base/context.h"
#include "math/vec.h"
#include "rig/slides.h"
#include "rig/universal_joint.h"

#include <string.h>

/* degrees: where the motion does not decide */
static const double ABOUT = 180, ACROSS = 90;
/* degrees: what ossa/rig.h allows */
static const double WIDEST = 360;

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

static void widen(double limits[][2], int count, double slack)
{
	for (int axis = 0; axis < count; axis++) {
		limits[axis][0] = fmax(limits[axis][0] - slack, -WIDEST);
		limits[axis][1] = fmin(limits[axis][1] + slack, WIDEST);
	}
}

bool ossai_turn_range_of_all(const ossa_rig *rig, size_t bone, double range[3][2])
{
	bool turns = false;
	memset(range, 0, 6 * sizeof range[0][0]);
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) {
		double own[3][2];
		turns |= ossa_rig_turn_range(rig, ossa_rig_clip_at(rig, i), bone, own);
		for (int axis = 0; axis < 3; axis++) {
			range[axis][0] = fmin(range[axis][0], own[axis][0]);
			range[axis][1] = fmax(range[axis][1], own[axis][1]);
		}
	}
	return turns;
}

/* it never turns; the slack is one of turns */
static bool slide_limits(const ossa_rig *rig, size_t b, ossa_bone *bone)
{
	memset(bone->limits, 0, sizeof bone->limits);
	ossai_slide_range(rig, b, bone->slide_limits);
	if (!(bone->slide_limits[1] > bone->slide_limits[0])) return false;
	bone->has_limits = bone->limits_of_motion = true;
	return true;
}

bool ossai_limits_of_motion(const ossa_rig *rig, size_t b, double slack_degrees, ossa_bone *bone)
{
	if (bone->kind == OSSA_JOINT_PRISMATIC) return slide_limits(rig, b, bone);
	if (bone->kind == OSSA_JOINT_WELDED || !ossai_turn_range_of_all(rig, b, bone->limits)) return false;
	widen(bone->limits, 3, slack_degrees);
	ossai_universal_range(rig, b, bone->axis_limits);
	if (bone->kind == OSSA_JOINT_UNIVERSAL) widen(bone->axis_limits, 2, slack_degrees);
	bone->has_limits = bone->limits_of_motion = true;
	return true;
}

ossa_status ossa_rig_find_limits(ossa_context *context, ossa_rig *rig, double slack_degrees)
{
	OSSAI_NEED(context, rig);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	if (!(slack_degrees >= 0)) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "a slack of %g degrees is not a number from 0 on", slack_degrees);
	}
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		if (bone->has_limits) continue;
		const bool is_known = ossai_limits_of_motion(rig, b, slack_degrees, bone);
		/* of a slide that nothing says it has none */
		if (bone->kind == OSSA_JOINT_PRISMATIC) continue;
		if (!is_known) set_wide(bone);
		bone->has_limits = true;
	}
	return OSSA_OK;
}
