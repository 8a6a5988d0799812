/* tests/support/hinge.c: see hinge.h. */
#include "support/hinge.h"

#include "rig/hinge.h"
#include "rig/turns.h"
#include "support/support.h"
#include "support/surfaces.h"

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

/* ---- several ---- */

static void set_hinge(ossa_bone *bones, size_t b, int32_t parent, uint64_t *seed)
{
	ossa_bone *bone = &bones[b];
	snprintf(bone->name, sizeof bone->name, "hinge_%zu", b);
	bone->parent = parent;
	bone->kind = b == 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_HINGE;
	bone->joint[0] = 3 * (double)b;
	if (b > 0) ossai_v3_store(ossai_v3_of(bones[parent].tail), bone->joint);
	if (b > 0 && parent == 0) bone->joint[0] = 3 * (double)b;
	ossai_v3_store(ossai_add(ossai_v3_of(bone->joint), ossai_v3(0, 1, 0)), bone->tail);
	ossai_quat_store(test_random_turn(seed, 3), bone->orientation);
	bone->turn_deviation = b > 0 ? 0.1 : 0;
	const ossai_vec3 axis = ossai_unit(test_random_point(seed, 1), ossai_v3(1, 0, 0));
	if (b > 0) ossai_v3_store(axis, bone->axis);
}

void test_turn_hinge(const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t bone, double degrees)
{
	double *at = clip->rotations + 4 * (frame * clip->bone_count + bone);
	const ossai_vec3 axis = ossai_hinge_axis(&rig->skeleton.bones[bone]);
	const ossai_quat turn = ossai_quat_axis_angle(axis, degrees * OSSAI_PI / 180);
	ossai_quat local = ossai_quat_mul(ossai_rest_rotation(rig->skeleton.bones, bone), turn);
	if (frame > 0 && ossai_quat_dot(local, ossai_quat_of(at - 4 * clip->bone_count)) < 0) local = ossai_quat_negate(local);
	ossai_quat_store(ossai_quat_unit(local), at);
}

static void weigh(ossa_rig *rig)
{
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		rig->weights.bones[v] = (uint16_t)(v / 3);
		rig->weights.values[v] = 1;
	}
}

static void move(ossa_rig *rig, double (*degrees_at)(const void *user, size_t hinge, size_t frame), const void *user)
{
	ossa_clip *clip = rig->clip;
	for (size_t f = 0; f < clip->frame_count; f++) {
		clip->times[f] = (double)f / 24;
		memcpy(clip->root_positions + 3 * f, rig->skeleton.bones[0].joint, 3 * sizeof(double));
		ossai_quat_store(ossai_rest_rotation(rig->skeleton.bones, 0), clip->rotations + 4 * f * clip->bone_count);
		for (size_t b = 1; b < clip->bone_count; b++) test_turn_hinge(rig, clip, f, b, degrees_at(user, b - 1, f));
	}
}

ossa_rig *test_hinges_rig(ossa_context *context, size_t count, const int32_t *parent, size_t frames,
	double (*degrees_at)(const void *user, size_t hinge, size_t frame), const void *user)
{
	float positions[9 * (TEST_HINGES_MAX + 1)];
	uint32_t triangles[3 * (TEST_HINGES_MAX + 1)];
	uint64_t seed = 11;
	ossa_mesh *mesh;
	ossa_rig *rig;
	ossa_bone bones[TEST_HINGES_MAX + 1] = {0};
	assert_true(count <= TEST_HINGES_MAX);
	for (size_t b = 0; b <= count; b++) {
		set_hinge(bones, b, b > 0 ? parent[b - 1] : -1, &seed);
		for (size_t k = 0; k < 3; k++) {
			const float corner[3] = {k == 1 ? 0.3F : 0, (float)k / 2, k == 2 ? 0.4F : 0.1F};
			triangles[3 * b + k] = (uint32_t)(3 * b + k);
			for (size_t c = 0; c < 3; c++) positions[9 * b + 3 * k + c] = (float)bones[b].joint[c] + corner[c];
		}
	}
	assert_ok(context, ossa_mesh_create(context, 3 * (count + 1), positions, count + 1, triangles, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, count + 1, 1, &rig));
	ossa_mesh_free(context, mesh);
	memcpy(rig->skeleton.bones, bones, (count + 1) * sizeof *bones);
	weigh(rig);
	assert_ok(context, ossa_clip_create(context, frames, count + 1, false, &rig->clip));
	move(rig, degrees_at, user);
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}
