/* rig/ik_link.c: see ik_link.h. */
#include "rig/ik_link.h"

#include "math/euler.h"
#include "rig/hinge.h"
#include "rig/pose.h"
#include "rig/turns.h"
#include "rig/universal_joint.h"

#include <string.h>

static bool is_hinge(const ossai_ik_link *l) { return ossai_length2(l->hinge) > 0; }

static void turn_by_angles(ossai_ik_link *l)
{
	if (is_hinge(l)) {
		const ossai_quat turn = ossai_quat_axis_angle(l->hinge, l->angle[0] * OSSAI_PI / 180);
		l->local = ossai_quat_unit(ossai_quat_mul(l->rest, ossai_quat_mul(turn, l->aside)));
		return;
	}
	const ossai_quat turn = ossai_quat_mul(ossai_euler_quat(l->angle, OSSAI_EULER_ZYX), ossai_quat_conjugate(l->frame));
	l->local = ossai_quat_unit(ossai_quat_mul(l->rest, ossai_quat_mul(l->frame, turn)));
}

/* the axis of a hinge, before all that moves it */
static void find_hinge(const ossai_mat3 *up, const ossai_ik_link *l, ossai_vec3 *axis)
{
	const ossai_mat3 rest = ossai_quat_matrix(l->rest);
	axis[0] = ossai_mat3_mul_v(up, ossai_mat3_mul_v(&rest, l->hinge));
	axis[1] = axis[2] = ossai_v3(0, 0, 0);
}

/* the world's axes, or the frame's own ones after rotations about z, then y, then x */
void ossai_ik_link_axes(const ossai_ik_link *l, const ossai_mat3 *up, ossai_vec3 axis[OSSAI_IK_AXES])
{
	axis[0] = ossai_v3(1, 0, 0);
	axis[1] = ossai_v3(0, 1, 0);
	axis[2] = ossai_v3(0, 0, 1);
	if (!l->has_ranges) return;
	if (is_hinge(l)) {
		find_hinge(up, l, axis);
		return;
	}
	double part[OSSAI_IK_AXES] = {0, 0, 0};
	ossai_quat turn = ossai_quat_mul(l->rest, l->frame);
	for (int a = OSSAI_IK_AXES; a-- > 0;) {
		const ossai_mat3 so_far = ossai_quat_matrix(turn);
		axis[a] = ossai_mat3_mul_v(up, ossai_mat3_mul_v(&so_far, axis[a]));
		memset(part, 0, sizeof part);
		part[a] = l->angle[a];
		turn = ossai_quat_mul(turn, ossai_euler_quat(part, OSSAI_EULER_ZYX));
	}
}

void ossai_ik_link_turn(ossai_ik_link *l, const ossai_mat3 *up, const double turn[OSSAI_IK_AXES])
{
	if (l->has_ranges) {
		for (size_t a = 0; a < OSSAI_IK_AXES; a++) {
			l->angle[a] = fmin(fmax(l->angle[a] + turn[a] * 180 / OSSAI_PI, l->low[a]), l->high[a]);
		}
		turn_by_angles(l);
		return;
	}
	/* about the world's axes: before the frame's own rotation, in its parent's frame */
	const ossai_vec3 own = ossai_mat3_tmul_v(up, ossai_v3_of(turn));
	l->local = ossai_quat_unit(ossai_quat_mul(ossai_quat_exp(own), l->local));
}

void ossai_ik_link_follow(ossai_ik_link *l, double degrees)
{
	l->angle[0] += degrees;
	turn_by_angles(l);
}

ossai_vec3 ossai_ik_offset(const ossa_rig *rig, const ossa_clip *clip, size_t frame, size_t bone)
{
	if (rig->skeleton.bones[bone].parent < 0) return ossai_v3_of(clip->root_positions + 3 * frame);
	if (clip->translations) return ossai_v3_of(clip->translations + 3 * (frame * clip->bone_count + bone));
	return ossai_rest_offset(rig->skeleton.bones, bone);
}

/* without limits it turns as far as it likes */
static void begin_hinge(const ossa_bone *bone, ossai_ik_link *l)
{
	double limits[2] = {-INFINITY, INFINITY};
	if (bone->has_limits) ossai_hinge_limits(bone, limits);
	const ossai_quat turn = ossai_quat_mul(ossai_quat_conjugate(l->rest), l->local);
	l->hinge = ossai_hinge_axis(bone);
	l->angle[0] = ossai_hinge_angle(turn, l->hinge, bone->has_limits ? 0.5 * (limits[0] + limits[1]) : 0);
	const ossai_quat own = ossai_quat_axis_angle(l->hinge, l->angle[0] * OSSAI_PI / 180);
	l->aside = ossai_quat_mul(ossai_quat_conjugate(own), turn);
	l->low[0] = fmin(limits[0], l->angle[0]);
	l->high[0] = fmax(limits[1], l->angle[0]);
}

/* of the angles about the axes of `frame`; without limits it turns as far as it likes */
static void find_ranges(const ossa_bone *bone, double ranges[OSSAI_IK_AXES][2])
{
	double own[2][2] = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}};
	memcpy(ranges, bone->limits, sizeof bone->limits);
	if (bone->kind != OSSA_JOINT_UNIVERSAL) return;
	if (bone->has_limits) ossai_universal_limits(bone, own);
	memset(ranges[0], 0, sizeof ranges[0]);
	memcpy(ranges[1], own[1], sizeof ranges[1]);
	memcpy(ranges[2], own[0], sizeof ranges[2]);
}

void ossai_ik_link_begin(const ossa_rig *rig, const ossa_clip *clip, size_t frame, uint32_t b, ossai_ik_link *l)
{
	const ossa_bone *bone = &rig->skeleton.bones[b];
	const bool has_axes = bone->kind == OSSA_JOINT_HINGE || bone->kind == OSSA_JOINT_UNIVERSAL;
	*l = (ossai_ik_link){.bone = b,
		.is_universal = bone->kind == OSSA_JOINT_UNIVERSAL,
		/* one that slides has no range to turn in */
		.has_ranges = bone->has_limits || has_axes || bone->kind == OSSA_JOINT_PRISMATIC,
		.frame = ossai_universal_frame(bone)};
	l->offset = ossai_ik_offset(rig, clip, frame, b);
	l->rest = ossai_rest_rotation(rig->skeleton.bones, b);
	l->local = ossai_quat_unit(ossai_quat_of(clip->rotations + 4 * (frame * clip->bone_count + b)));
	if (!l->has_ranges) return;
	if (bone->kind == OSSA_JOINT_HINGE) {
		begin_hinge(bone, l);
		return;
	}
	double ranges[OSSAI_IK_AXES][2], center[OSSAI_IK_AXES];
	find_ranges(bone, ranges);
	for (int a = 0; a < OSSAI_IK_AXES; a++) center[a] = ranges[a][1] < INFINITY ? 0.5 * (ranges[a][0] + ranges[a][1]) : 0;
	const ossai_quat turn = ossai_quat_mul(ossai_quat_conjugate(l->rest), ossai_quat_mul(l->local, l->frame));
	ossai_euler_near(ossai_quat_mul(ossai_quat_conjugate(l->frame), turn), OSSAI_EULER_ZYX, center, l->angle);
	for (int a = 0; a < OSSAI_IK_AXES; a++) {
		l->low[a] = fmin(ranges[a][0], l->angle[a]);
		l->high[a] = fmax(ranges[a][1], l->angle[a]);
	}
	/* what the pose turns it beside its axes stays */
	if (bone->kind == OSSA_JOINT_UNIVERSAL) l->low[0] = l->high[0] = l->angle[0];
}

bool ossai_ik_link_is_limited(const ossai_ik_link *l)
{
	const size_t angles = !l->has_ranges ? 0 : is_hinge(l) ? 1 : OSSAI_IK_AXES;
	for (size_t a = 0; a < angles; a++) {
		/* that of a universal joint which is not its own */
		if (a == 0 && l->is_universal) continue;
		if (l->angle[a] - l->low[a] < 1e-6 || l->high[a] - l->angle[a] < 1e-6) return true;
	}
	return false;
}
