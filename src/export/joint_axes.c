/* export/joint_axes.c: see joint_axes.h. */
#include "export/joint_axes.h"

#include "rig/hinge.h"
#include "rig/universal_joint.h"

#include <string.h>

const char *const ossai_axis_names[OSSAI_AXIS_NAMES] = {"_rz", "_ry", "_rx", "_hinge", "_first", "_second", "_slide"};
enum { HINGE_NAME = 3, FIRST_NAME, SLIDE_NAME = 6 };

size_t ossai_joint_axis_count(const ossa_bone *bone)
{
	return bone->kind == OSSA_JOINT_HINGE || bone->kind == OSSA_JOINT_PRISMATIC ? 1
		: bone->kind == OSSA_JOINT_UNIVERSAL                                    ? 2
																				: 3;
}

/* the columns of a frame, from the outermost */
static ossai_vec3 axis_of(const ossai_mat3 *frame, int k) { return ossai_v3(frame->m[0][k], frame->m[1][k], frame->m[2][k]); }

static void find_universal(const ossa_bone *bone, ossai_joint_axis axes[2])
{
	const ossai_mat3 frame = ossai_quat_matrix(ossai_universal_frame(bone));
	double limits[2][2] = {{0, 0}, {0, 0}};
	if (bone->has_limits) ossai_universal_limits(bone, limits);
	for (int i = 0; i < 2; i++) {
		axes[i].name = ossai_axis_names[FIRST_NAME + i];
		axes[i].slides = false;
		ossai_v3_store(axis_of(&frame, 2 - i), axes[i].direction);
		memcpy(axes[i].limits, limits[i], sizeof axes[i].limits);
	}
}

/* it does not turn: its own frame is as it is at rest */
static void find_slide(const ossa_bone *bone, ossai_joint_axis *axis)
{
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bone->orientation)));
	axis->name = ossai_axis_names[SLIDE_NAME];
	axis->slides = true;
	ossai_v3_store(ossai_mat3_tmul_v(&frame, ossai_v3_of(bone->axis)), axis->direction);
	memcpy(axis->limits, bone->slide_limits, sizeof axis->limits);
}

size_t ossai_joint_axes(const ossa_bone *bone, ossai_joint_axis axes[3])
{
	const size_t count = ossai_joint_axis_count(bone);
	if (count == 1 && bone->kind == OSSA_JOINT_PRISMATIC) find_slide(bone, &axes[0]);
	else if (count == 1) {
		axes[0].name = ossai_axis_names[HINGE_NAME];
		axes[0].slides = false;
		ossai_v3_store(ossai_hinge_axis(bone), axes[0].direction);
		ossai_hinge_limits(bone, axes[0].limits);
	}
	if (count == 2) find_universal(bone, axes);
	for (size_t i = 0; i < 3 && count == 3; i++) {
		const size_t k = 2 - i;
		axes[i] = (ossai_joint_axis){
			ossai_axis_names[i], {k == 0, k == 1, k == 2}, {bone->limits[k][0], bone->limits[k][1]}, false};
	}
	return count;
}
