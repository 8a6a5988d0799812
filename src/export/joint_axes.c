/* export/joint_axes.c: see joint_axes.h. */
#include "export/joint_axes.h"

#include "rig/hinge.h"

const char *const ossai_axis_names[OSSAI_AXIS_NAMES] = {"_rz", "_ry", "_rx", "_hinge"};
enum { HINGE_NAME = OSSAI_AXIS_NAMES - 1 };

size_t ossai_joint_axis_count(const ossa_bone *bone) { return bone->kind == OSSA_JOINT_HINGE ? 1 : 3; }

size_t ossai_joint_axes(const ossa_bone *bone, ossai_joint_axis axes[3])
{
	const size_t count = ossai_joint_axis_count(bone);
	for (size_t i = 0; i < count; i++) {
		const size_t k = 2 - i;
		axes[i] = (ossai_joint_axis){ossai_axis_names[i], {k == 0, k == 1, k == 2}, {bone->limits[k][0], bone->limits[k][1]}};
	}
	if (count == 3) return count;
	axes[0].name = ossai_axis_names[HINGE_NAME];
	ossai_v3_store(ossai_hinge_axis(bone), axes[0].direction);
	ossai_hinge_limits(bone, axes[0].limits);
	return count;
}
