/* rig/hinge.c: see hinge.h. */
#include "rig/hinge.h"

#include "math/euler.h"
#include "rig/turns.h"

#include <string.h>

/* radians: frames that differ by more are separate poses, as ossa_rig_find_limits has it */
static const double FARTHEST_STEP = OSSAI_PI / 2;
/* degrees: less than that in all frames is no turn */
static const double STILL = 0.01;
/* degrees: what ossa/rig.h allows */
static const double WIDEST = 360;
/* degrees in which angles are followed; 360 is a multiple */
static const double COARSE = 5;

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

ossai_vec3 ossai_driver_axis(const ossa_bone *bones, const ossa_dependency *d)
{
	const ossa_bone *driver = &bones[d->driver];
	const ossai_vec3 axis = ossai_v3_of(d->driver_axis);
	if (ossai_length2(axis) == 0) return ossai_hinge_axis(driver);
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(driver->orientation)));
	return ossai_mat3_tmul_v(&frame, axis);
}

double ossai_twist_sureness(ossai_quat turn, ossai_vec3 axis)
{
	return hypot(turn.x * axis.x + turn.y * axis.y + turn.z * axis.z, turn.w);
}

/* a hinge's angle from frame to frame */
typedef struct walk {
	ossai_vec3 axis;
	ossai_quat back, last;
	double angle;
} walk;

static walk walk_begin(const ossa_rig *rig, size_t bone, ossai_vec3 axis)
{
	return (walk){axis, ossai_quat_conjugate(ossai_rest_rotation(rig->skeleton.bones, bone)), ossai_quat_identity(), 0};
}

static double walk_on(walk *w, const ossa_clip *clip, size_t frame, size_t bone)
{
	const ossai_quat turn = ossai_turn_in(clip, frame, bone, w->back);
	const bool leaps = ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(w->last), turn)) > FARTHEST_STEP;
	w->angle = ossai_hinge_angle(turn, w->axis, leaps ? 0 : w->angle);
	w->last = turn;
	return w->angle;
}

void ossai_hinge_follow(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double *degrees)
{
	walk w = walk_begin(rig, bone, ossai_hinge_axis(&rig->skeleton.bones[bone]));
	for (size_t f = 0; f < clip->frame_count; f++) degrees[f] = walk_on(&w, clip, f, bone);
}

void ossai_twist_follow(
	const ossa_rig *rig, const ossa_clip *clip, size_t bone, ossai_vec3 axis, double *degrees, double *sureness)
{
	walk w = walk_begin(rig, bone, axis);
	for (size_t f = 0; f < clip->frame_count; f++) {
		degrees[f] = walk_on(&w, clip, f, bone);
		sureness[f] = ossai_twist_sureness(w.last, axis);
	}
}

/* widens `range` by a clip */
static void widen(const ossa_rig *rig, const ossa_clip *clip, size_t bone, double range[2])
{
	walk w = walk_begin(rig, bone, ossai_hinge_axis(&rig->skeleton.bones[bone]));
	for (size_t f = 0; f < clip->frame_count; f++) {
		const double angle = walk_on(&w, clip, f, bone);
		range[0] = fmin(range[0], angle);
		range[1] = fmax(range[1], angle);
	}
}

bool ossai_hinge_range(const ossa_rig *rig, size_t bone, double range[2])
{
	range[0] = range[1] = 0;
	if (rig->skeleton.bones[bone].kind != OSSA_JOINT_HINGE) return false;
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) widen(rig, ossa_rig_clip_at(rig, i), bone, range);
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

static double angle_about(int k, ossai_vec3 axis, double hinge, const double near[3], double angles[3])
{
	ossai_euler_near(ossai_quat_axis_angle(axis, hinge * OSSAI_PI / 180), OSSAI_EULER_ZYX, near, angles);
	return angles[k];
}

/* between two angles of the hinge, on either side of where the frame's angle is at its limit */
static double bisect(int k, ossai_vec3 axis, double inside, double outside, double limit, const double near[3])
{
	for (int i = 0; i < 40; i++) {
		double angles[3];
		const double middle = 0.5 * (inside + outside);
		const bool is_past = fabs(angle_about(k, axis, middle, near, angles)) > fabs(limit);
		*(is_past ? &outside : &inside) = middle;
	}
	return inside;
}

/* How far the hinge turns, to the side of `limit / share`, until the frame's angle k is `limit`: it
   begins to grow by `share` of the hinge's. Where it falls again before, as angles of slanted axes
   may, by that share. */
static double angle_at(int k, ossai_vec3 axis, double share, double limit)
{
	double before[3] = {0, 0, 0}, angles[3];
	const double step = limit / share < 0 ? -COARSE : COARSE;
	if (limit == 0) return 0;
	double hinge = step;
	while (fabs(hinge) <= WIDEST) {
		const double now = fabs(angle_about(k, axis, hinge, before, angles));
		if (now > fabs(limit)) return bisect(k, axis, hinge - step, hinge, limit, before);
		if (now < fabs(before[k])) return limit / share;
		memcpy(before, angles, sizeof before);
		hinge += step;
	}
	return limit / share;
}

void ossai_hinge_limits(const ossa_bone *bone, double limits[2])
{
	const ossai_vec3 own = ossai_hinge_axis(bone);
	const double axis[3] = {own.x, own.y, own.z};
	const int k = main_axis(axis);
	const double a = angle_at(k, own, axis[k], bone->limits[k][0]), b = angle_at(k, own, axis[k], bone->limits[k][1]);
	limits[0] = fmax(fmin(a, b), -WIDEST);
	limits[1] = fmin(fmax(a, b), WIDEST);
}
