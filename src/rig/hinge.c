/* rig/hinge.c: see hinge.h. */
#include "rig/hinge.h"

#include "rig/limits.h"
#include "rig/turns.h"

/* radians: frames that differ by more are separate poses, as ossa_rig_find_limits has it */
static const double FARTHEST_STEP = OSSAI_PI / 2;
/* degrees: less than that in all frames is no turn */
static const double STILL = 0.01;
/* degrees: what ossa/rig.h allows */
static const double WIDEST = 360;

ossai_vec3 ossai_hinge_axis(const ossa_bone *bone)
{
	if (bone->kind != OSSA_JOINT_HINGE) return ossai_v3(0, 0, 0);
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bone->orientation)));
	return ossai_mat3_tmul_v(&frame, ossai_v3_of(bone->axis));
}

double ossai_hinge_angle(ossai_quat turn, ossai_vec3 axis, double near)
{
	const double along = turn.x * axis.x + turn.y * axis.y + turn.z * axis.z;
	const double angle = 2 * atan2(along, turn.w) * 180 / OSSAI_PI;
	return angle + 360 * nearbyint((near - angle) / 360);
}

/* widens `range` by a clip */
static void follow(const ossa_rig *rig, const ossa_clip *clip, size_t bone, ossai_vec3 axis, double range[2])
{
	const ossai_quat back = ossai_quat_conjugate(ossai_rest_rotation(rig->skeleton.bones, bone));
	ossai_quat last = ossai_quat_identity();
	double angle = 0;
	for (size_t f = 0; f < clip->frame_count; f++) {
		const double *local = clip->rotations + (f * clip->bone_count + bone) * 4;
		const ossai_quat turn = ossai_quat_mul(back, ossai_quat_unit(ossai_quat_of(local)));
		const bool leaps = ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(last), turn)) > FARTHEST_STEP;
		angle = ossai_hinge_angle(turn, axis, leaps ? 0 : angle);
		range[0] = fmin(range[0], angle);
		range[1] = fmax(range[1], angle);
		last = turn;
	}
}

bool ossai_hinge_range(const ossa_rig *rig, size_t bone, double range[2])
{
	const ossai_vec3 axis = ossai_hinge_axis(&rig->skeleton.bones[bone]);
	range[0] = range[1] = 0;
	if (!(ossai_length2(axis) > 0)) return false;
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) follow(rig, ossa_rig_clip_at(rig, i), bone, axis, range);
	if (range[1] - range[0] > STILL) return true;
	range[0] = range[1] = 0;
	return false;
}

/* the frame's axis about which the hinge turns most */
static int main_axis(const double axis[3])
{
	int most = 0;
	for (int k = 1; k < 3; k++) most = fabs(axis[k]) > fabs(axis[most]) ? k : most;
	return most;
}

/* of a hinge whose angle about the frame's axis is `share` of its own */
static void take_limits(const double of_axis[2], double share, double limits[2])
{
	const double a = of_axis[0] / share, b = of_axis[1] / share;
	limits[0] = fmin(a, b);
	limits[1] = fmax(a, b);
}

void ossai_hinge_limits(const ossa_rig *rig, size_t bone, double limits[2])
{
	const ossa_bone *own = &rig->skeleton.bones[bone];
	double axis[3], range[2], turns[3][2];
	ossai_v3_store(ossai_hinge_axis(own), axis);
	const int most = main_axis(axis);
	if (own->limits_of_motion && ossai_hinge_range(rig, bone, range)) {
		ossai_turn_range_of_all(rig, bone, turns);
		const double wider[2] = {own->limits[most][0] - turns[most][0], own->limits[most][1] - turns[most][1]};
		const bool turned = axis[most] < 0;
		limits[0] = range[0] + (turned ? -wider[1] : wider[0]);
		limits[1] = range[1] + (turned ? -wider[0] : wider[1]);
	} else {
		take_limits(own->limits[most], axis[most], limits);
	}
	limits[0] = fmax(fmin(limits[0], 0), -WIDEST);
	limits[1] = fmin(fmax(limits[1], 0), WIDEST);
}
