/* rig/drive.c: see drive.h. */
#include "rig/drive.h"

#include "rig/hinge.h"
#include "rig/turns.h"

/* degrees: what rounding turns */
static const double STILL = 1e-9;

/* degrees about the driver's axis from one of its local rotations to another */
static double angle_between(const ossa_rig *rig, const ossa_dependency *d, ossai_quat before, ossai_quat after)
{
	const ossai_quat back = ossai_quat_conjugate(ossai_rest_rotation(rig->skeleton.bones, (size_t)d->driver));
	const ossai_vec3 axis = ossai_driver_axis(rig->skeleton.bones, d);
	const double from = ossai_hinge_angle(ossai_quat_mul(back, before), axis, 0);
	return ossai_hinge_angle(ossai_quat_mul(back, after), axis, from) - from;
}

/* about the axis before what the pose turns the hinge beside it, as in IK */
static void turn(const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t bone, double degrees)
{
	double *at = clip->rotations + 4 * (frame * clip->bone_count + bone);
	const ossai_quat local = ossai_quat_unit(ossai_quat_of(at)), rest = ossai_rest_rotation(rig->skeleton.bones, bone);
	const ossai_quat more = ossai_quat_axis_angle(ossai_hinge_axis(&rig->skeleton.bones[bone]), degrees * OSSAI_PI / 180);
	const ossai_quat own = ossai_quat_mul(more, ossai_quat_mul(ossai_quat_conjugate(rest), local));
	const ossai_quat turned = ossai_quat_unit(ossai_quat_mul(rest, own));
	ossai_quat_store(ossai_quat_dot(turned, local) < 0 ? ossai_quat_negate(turned) : turned, at);
}

bool ossai_drives(const ossa_rig *rig, size_t bone)
{
	for (size_t i = 0; i < rig->dependency_count; i++) {
		if (rig->dependencies[i].driver == (int32_t)bone) return true;
	}
	return false;
}

void ossai_drive(const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t driver, ossai_quat before, ossai_quat after)
{
	for (size_t i = 0; i < rig->dependency_count; i++) {
		const ossa_dependency *d = &rig->dependencies[i];
		if (d->driver != (int32_t)driver) continue;
		const double degrees = angle_between(rig, d, before, after);
		if (fabs(degrees) > STILL) turn(rig, clip, frame, (size_t)d->bone, d->ratio * degrees);
	}
}

void ossai_drive_others(const ossa_rig *rig, ossa_clip *clip, size_t frame, const uint8_t *turns, const double *before)
{
	for (size_t i = 0; i < rig->dependency_count; i++) {
		const ossa_dependency *d = &rig->dependencies[i];
		if (!turns[d->driver] || turns[d->bone]) continue;
		const double *after = clip->rotations + 4 * (frame * clip->bone_count + (size_t)d->driver);
		const double degrees = angle_between(
			rig, d, ossai_quat_unit(ossai_quat_of(before + 4 * d->driver)), ossai_quat_unit(ossai_quat_of(after)));
		if (fabs(degrees) > STILL) turn(rig, clip, frame, (size_t)d->bone, d->ratio * degrees);
	}
}
