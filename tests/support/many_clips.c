/* tests/support/many_clips.c: see many_clips.h. */
#include "support/many_clips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void turn_back(const ossa_clip *clip, ossa_clip *back)
{
	const size_t last = clip->frame_count - 1, bones = clip->bone_count;
	for (size_t f = 0; f <= last; f++) {
		const size_t from = last - f;
		back->times[f] = clip->times[last] - clip->times[from] + 0.25;
		memcpy(back->rotations + 4 * f * bones, clip->rotations + 4 * from * bones, 4 * bones * sizeof(double));
		memcpy(back->root_positions + 3 * f, clip->root_positions + 3 * from, 3 * sizeof(double));
		if (clip->translations)
			memcpy(back->translations + 3 * f * bones, clip->translations + 3 * from * bones, 3 * bones * sizeof(double));
	}
	strcpy(back->name, "back");
}

static void turn_more(ossa_clip *half)
{
	half->frame_count = (half->frame_count + 1) / 2;
	for (size_t i = 0; i < half->frame_count * half->bone_count; i++) {
		const ossai_quat more = ossai_quat_exp(ossai_v3(0.1, 0.02 * (double)(i % half->bone_count), -0.05));
		ossai_quat_store(
			ossai_quat_unit(ossai_quat_mul(ossai_quat_of(half->rotations + 4 * i), more)), half->rotations + 4 * i);
	}
	strcpy(half->name, "half");
}

void test_add_clips(ossa_context *context, ossa_rig *rig)
{
	ossa_clip *clips[3];
	for (size_t i = 0; i < 3; i++) assert_ok(context, ossa_clip_copy(context, rig->clip, &clips[i]));
	turn_back(rig->clip, clips[1]);
	turn_more(clips[2]);
	assert_ok(context, ossa_rig_set_clips(context, rig, 3, clips));
	assert_ok(context, ossa_rig_validate(context, rig));
}

/* the turn of a bone since its rest */
static ossai_quat turn_of(const ossa_rig *rig, const double *worlds, size_t bone)
{
	const ossai_rigid world = ossai_rigid_of(worlds + 12 * bone);
	const ossai_quat rest = ossai_quat_of(rig->skeleton.bones[bone].orientation);
	return ossai_quat_mul(ossai_mat3_quat(&world.r), ossai_quat_conjugate(rest));
}

static void assert_same_frame(const ossa_rig *a, const double *first, const ossa_rig *b, const double *second, double tolerance)
{
	for (size_t i = 0; i < a->skeleton.bone_count; i++) {
		const int32_t k = ossa_rig_bone(b, a->skeleton.bones[i].name);
		if (k < 0) continue;
		const ossai_quat p = turn_of(a, first, i), q = turn_of(b, second, (size_t)k);
		assert_near(ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(p), q)), 0, tolerance);
		if (i == 0 && k == 0) assert_near_vec3(ossai_rigid_of(second).t, ossai_rigid_of(first).t, tolerance);
	}
}

void test_assert_same_clips(const ossa_rig *a, const ossa_rig *b, double tolerance)
{
	double *first = malloc(12 * a->skeleton.bone_count * sizeof *first);
	double *second = malloc(12 * b->skeleton.bone_count * sizeof *second);
	assert_int_equal(ossa_rig_clip_count(a), ossa_rig_clip_count(b));
	for (size_t i = 0; i < ossa_rig_clip_count(a); i++) {
		const ossa_clip *p = ossa_rig_clip_at(a, i), *q = ossa_rig_clip_at(b, i);
		assert_string_equal(p->name, q->name);
		assert_int_equal(p->frame_count, q->frame_count);
		for (size_t f = 0; f < p->frame_count; f++) {
			assert_near(q->times[f] - q->times[0], p->times[f] - p->times[0], tolerance);
			ossa_rig_joint_matrices(a, p, f, first);
			ossa_rig_joint_matrices(b, q, f, second);
			assert_same_frame(a, first, b, second, tolerance);
		}
	}
	free(first);
	free(second);
}
