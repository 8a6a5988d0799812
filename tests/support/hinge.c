/* tests/support/hinge.c: see hinge.h. */
#include "support/hinge.h"

#include "support/support.h"

#include <stdio.h>
#include <string.h>

static const ossai_quat orientations[2] = {{0.5, -0.5, 0.5, 0.5}, {0.6, 0, -0.8, 0}};

static void set_bone(ossa_bone *bone, int32_t index, ossai_vec3 axis)
{
	snprintf(bone->name, sizeof bone->name, "%s", index == 0 ? "upper" : "lower");
	bone->parent = index - 1;
	bone->kind = index == 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_HINGE;
	bone->joint[1] = index;
	bone->tail[1] = index + 1;
	ossai_quat_store(orientations[index], bone->orientation);
	if (index == 0) return;
	const ossai_mat3 frame = ossai_quat_matrix(orientations[index]);
	ossai_v3_store(ossai_mat3_mul_v(&frame, axis), bone->axis);
}

ossa_rig *test_hinge_rig(ossa_context *context, ossai_vec3 axis, size_t frames, double (*degrees_at)(size_t frame))
{
	static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 2, 0, 0, 2, 1};
	static const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 6, positions, 2, triangles, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, 2, 1, &rig));
	ossa_mesh_free(context, mesh);
	for (int32_t b = 0; b < 2; b++) set_bone(&rig->skeleton.bones[b], b, axis);
	for (size_t v = 0; v < 6; v++) {
		rig->weights.bones[v] = v >= 3;
		rig->weights.values[v] = 1;
	}
	assert_ok(context, ossa_clip_create(context, frames, 2, false, &rig->clip));
	const ossai_quat rest = ossai_quat_mul(ossai_quat_conjugate(orientations[0]), orientations[1]);
	for (size_t f = 0; f < frames; f++) {
		double *at = rig->clip->rotations + 8 * f;
		rig->clip->times[f] = (double)f / 30;
		ossai_quat_store(orientations[0], at);
		ossai_quat turn = ossai_quat_mul(rest, ossai_quat_axis_angle(axis, degrees_at(f) * OSSAI_PI / 180));
		if (f > 0 && ossai_quat_dot(turn, ossai_quat_of(at - 4)) < 0) turn = ossai_quat_negate(turn);
		ossai_quat_store(turn, at + 4);
	}
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}
