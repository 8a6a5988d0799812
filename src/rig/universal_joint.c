/* rig/universal_joint.c: see universal_joint.h. */
#include "rig/universal_joint.h"

#include "math/euler.h"
#include "rig/hinge.h"
#include "rig/turns.h"

#include <string.h>

/* radians: frames that differ by more are separate poses, as ossa_rig_find_limits has it */
static const double FARTHEST_STEP = OSSAI_PI / 2;

ossai_quat ossai_universal_frame(const ossa_bone *bone)
{
	if (bone->kind != OSSA_JOINT_UNIVERSAL) return ossai_quat_identity();
	const ossai_mat3 own = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bone->orientation)));
	const ossai_vec3 z = ossai_mat3_tmul_v(&own, ossai_v3_of(bone->axis));
	const ossai_vec3 y = ossai_mat3_tmul_v(&own, ossai_v3_of(bone->second_axis)), x = ossai_cross(y, z);
	const ossai_mat3 frame = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
	return ossai_quat_unit(ossai_mat3_quat(&frame));
}

void ossai_universal_angles(ossai_quat frame, ossai_quat turn, const double near[2], double degrees[2], double *off)
{
	const double before[3] = {0, near[1], near[0]};
	double angles[3];
	const ossai_quat inner = ossai_quat_mul(ossai_quat_conjugate(frame), ossai_quat_mul(turn, frame));
	ossai_euler_near(ossai_quat_unit(inner), OSSAI_EULER_ZYX, before, angles);
	degrees[0] = angles[2];
	degrees[1] = angles[1];
	*off = angles[0];
}

ossai_quat ossai_universal_turn(ossai_quat frame, const double degrees[2])
{
	const double angles[3] = {0, degrees[1], degrees[0]};
	const ossai_quat inner = ossai_euler_quat(angles, OSSAI_EULER_ZYX);
	return ossai_quat_mul(frame, ossai_quat_mul(inner, ossai_quat_conjugate(frame)));
}

/* widens `range` by a clip */
static void widen(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double range[2][2])
{
	const ossai_quat frame = ossai_universal_frame(&rig->skeleton.bones[bone]);
	const ossai_quat back = ossai_quat_conjugate(ossai_rest_rotation(rig->skeleton.bones, bone));
	ossai_quat last = ossai_quat_identity();
	double degrees[2] = {0, 0};
	for (size_t f = 0; f < clip->frame_count; f++) {
		const ossai_quat turn = ossai_turn_in(clip, f, bone, back);
		const bool leaps = ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(last), turn)) > FARTHEST_STEP;
		const double near[2] = {leaps ? 0 : degrees[0], leaps ? 0 : degrees[1]};
		double off;
		ossai_universal_angles(frame, turn, near, degrees, &off);
		for (int i = 0; i < 2; i++) {
			range[i][0] = fmin(range[i][0], degrees[i]);
			range[i][1] = fmax(range[i][1], degrees[i]);
		}
		last = turn;
	}
}

void ossai_universal_range(const ossa_rig *rig, size_t bone, double range[2][2])
{
	memset(range, 0, 4 * sizeof range[0][0]);
	if (rig->skeleton.bones[bone].kind != OSSA_JOINT_UNIVERSAL) return;
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) widen(rig, ossa_rig_clip_at(rig, i), bone, range);
}

void ossai_universal_limits(const ossa_bone *bone, double limits[2][2])
{
	memcpy(limits, bone->axis_limits, sizeof bone->axis_limits);
	const bool are_known = limits[0][0] != 0 || limits[0][1] != 0 || limits[1][0] != 0 || limits[1][1] != 0;
	if (are_known) return;
	for (int i = 0; i < 2; i++) {
		ossa_bone alone = *bone;
		alone.kind = OSSA_JOINT_HINGE;
		memcpy(alone.axis, i == 0 ? bone->axis : bone->second_axis, sizeof alone.axis);
		ossai_hinge_limits(&alone, limits[i]);
	}
}

void ossai_bone_take_axes(const ossa_bone *from, bool reversed, ossa_bone *to)
{
	const bool swaps = reversed && from->kind == OSSA_JOINT_UNIVERSAL;
	const ossai_vec3 first = ossai_v3_of(swaps ? from->second_axis : from->axis);
	const ossai_vec3 second = ossai_v3_of(swaps ? from->axis : from->second_axis);
	/* reversed about the opposite axes the angles are the same */
	ossai_v3_store(ossai_scale(first, reversed ? -1 : 1), to->axis);
	ossai_v3_store(ossai_scale(second, reversed ? -1 : 1), to->second_axis);
	for (int i = 0; i < 2; i++) memcpy(to->axis_limits[i], from->axis_limits[swaps ? 1 - i : i], sizeof to->axis_limits[i]);
	/* along the opposite axis the parent slides as far */
	memcpy(to->slide_limits, from->slide_limits, sizeof to->slide_limits);
}

void ossai_bone_forget_axes(ossa_bone *bone)
{
	memset(bone->axis, 0, sizeof bone->axis);
	memset(bone->second_axis, 0, sizeof bone->second_axis);
	memset(bone->axis_limits, 0, sizeof bone->axis_limits);
	memset(bone->slide_limits, 0, sizeof bone->slide_limits);
}
