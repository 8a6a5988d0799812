/* tests/export/test_conventions.c: axes, units and joint frames of the output: a converted rig
   moves as before. */
#include "export/conventions.h"
#include "math/vec.h"
#include "support/rich_rig.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* every choice of up, unit, bone axis and free bones */
enum { COMBINATIONS = 3 * 3 * 3 * 2 };

static ossa_write_options combination(int i)
{
	static const int ups[] = {OSSA_UP_FILE, OSSA_UP_Y, OSSA_UP_Z};
	static const double units[] = {1, 0.01, 2.54};
	ossa_write_options options = ossa_write_default();
	options.up = ups[i % 3];
	options.unit = units[i / 3 % 3];
	options.bone_axis = i / 9 % 3;
	options.free_bones = i / 27 > 0;
	return options;
}

/* a creature whose bones have limits, and free bones that wander */
static ossa_rig *make_rig(ossa_context *context, int seed)
{
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	uint64_t state = (uint64_t)seed;
	const size_t bones = rig->skeleton.bone_count;
	for (size_t b = 0; b < bones; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		bone->has_limits = true;
		for (int k = 0; k < 3; k++) {
			bone->limits[k][0] = -90 * (1 + test_random(&state));
			bone->limits[k][1] = 90 * (1 + test_random(&state));
		}
		ossai_quat_store(test_random_turn(&state, 3), bone->orientation);
	}
	assert_ok(context, ossa_clip_create(context, 3, bones, true, &rig->free_clip));
	for (size_t i = 0; i < 3 * bones; i++) {
		ossai_quat turn = test_random_turn(&state, 3);
		double *q = rig->free_clip->rotations + 4 * i;
		if (i >= bones && ossai_quat_dot(turn, ossai_quat_of(q - 4 * bones)) < 0) turn = ossai_quat_negate(turn);
		ossai_quat_store(turn, q);
		for (size_t k = 0; k < 3; k++) rig->free_clip->translations[3 * i + k] = test_random(&state);
	}
	for (size_t f = 0; f < 3; f++) {
		rig->free_clip->times[f] = (double)f;
		for (size_t k = 0; k < 3; k++) rig->free_clip->root_positions[3 * f + k] = test_random(&state);
	}
	return rig;
}

/* what the options do to a point, from their words */
static ossai_vec3 changed(const ossa_write_options *options, ossai_vec3 p)
{
	if (options->up == OSSA_UP_Z) p = ossai_v3(p.x, -p.z, p.y);
	return ossai_scale(p, 1 / options->unit);
}

static void assert_poses_agree(ossa_context *context, const ossa_rig *before, const ossa_clip *clip, const ossa_rig *after,
	const ossa_clip *after_clip, size_t frame, const ossa_write_options *options)
{
	const size_t count = before->mesh->vertex_count;
	float *p = ossa_alloc(context, count, 3 * sizeof *p), *q = ossa_alloc(context, count, 3 * sizeof *q);
	assert_ok(context, ossa_rig_pose(context, before, NULL, clip, frame, p));
	assert_ok(context, ossa_rig_pose(context, after, NULL, after_clip, frame, q));
	for (size_t v = 0; v < count; v++) {
		const ossai_vec3 expected = changed(options, ossai_v3_of_float(p + 3 * v));
		assert_near_vec3(ossai_v3_of_float(q + 3 * v), expected, 1e-6 * (1 + ossai_length(expected)));
	}
	ossa_free(context, p);
	ossa_free(context, q);
}

/* the axis that was +Y along the bone has the name asked for, and joints are where they belong, in
   every frame */
static void assert_frames_agree(ossa_context *context, const ossa_rig *before, const ossa_clip *clip, const ossa_rig *after,
	const ossa_clip *after_clip, size_t frame, const ossa_write_options *options)
{
	const size_t bones = before->skeleton.bone_count;
	double *m = ossa_alloc(context, bones, 12 * sizeof *m), *n = ossa_alloc(context, bones, 12 * sizeof *n);
	ossa_rig_joint_matrices(before, clip, frame, m);
	ossa_rig_joint_matrices(after, after_clip, frame, n);
	ossa_write_options turn_only = *options;
	turn_only.unit = 1;
	for (size_t b = 0; b < bones; b++) {
		const ossai_rigid old = ossai_rigid_of(m + 12 * b), new = ossai_rigid_of(n + 12 * b);
		const ossai_vec3 along = ossai_v3(old.r.m[0][1], old.r.m[1][1], old.r.m[2][1]);
		const int axis = options->bone_axis;
		assert_near_vec3(ossai_v3(new.r.m[0][axis], new.r.m[1][axis], new.r.m[2][axis]), changed(&turn_only, along), 1e-9);
		assert_near_vec3(new.t, changed(options, old.t), 1e-9 * (1 + ossai_length(new.t)));
		assert_near(ossai_mat3_det(&new.r), 1, 1e-9);
	}
	ossa_free(context, m);
	ossa_free(context, n);
}

static void poses_stay_the_same(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 7);
	assert_ok(context, ossa_rig_validate(context, rig));
	for (int i = 0; i < COMBINATIONS; i++) {
		const ossa_write_options options = combination(i);
		ossai_prepared prepared;
		assert_ok(context, ossai_prepare_rig(context, rig, &options, &prepared));
		assert_ok(context, ossa_rig_validate(context, prepared.rig));
		const ossa_clip *clip = options.free_bones ? rig->free_clip : rig->clip;
		for (size_t f = 0; f <= clip->frame_count; f++) {
			const ossa_clip *from = f > 0 ? clip : NULL, *to = f > 0 ? prepared.rig->clip : NULL;
			const size_t frame = f > 0 ? f - 1 : 0;
			assert_poses_agree(context, rig, from, prepared.rig, to, frame, &options);
			assert_frames_agree(context, rig, from, prepared.rig, to, frame, &options);
		}
		ossai_prepared_end(&prepared);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void bones_go_along(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 8);
	for (int i = 0; i < COMBINATIONS; i++) {
		const ossa_write_options options = combination(i);
		ossa_write_options turn_only = options;
		turn_only.unit = 1;
		ossai_prepared prepared;
		assert_ok(context, ossai_prepare_rig(context, rig, &options, &prepared));
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			const ossa_bone *old = &rig->skeleton.bones[b], *new = &prepared.rig->skeleton.bones[b];
			const ossai_vec3 tail = changed(&options, ossai_v3_of(old->tail));
			assert_near_vec3(ossai_v3_of(new->tail), tail, 1e-12 * (1 + ossai_length(tail)));
			assert_near_vec3(ossai_v3_of(new->axis), changed(&turn_only, ossai_v3_of(old->axis)), 1e-12);
			assert_near(new->fit_residual, old->fit_residual / options.unit, 1e-12 * new->fit_residual);
		}
		ossai_prepared_end(&prepared);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* an angle about an axis of the old frame is the same angle about the axis of the new one that has
   its range */
static void limits_follow_their_axes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 9);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		/* one free axis each, so that nothing is approximate */
		for (size_t k = 0; k < 3; k++) {
			rig->skeleton.bones[b].limits[k][0] = k == b % 3 ? -10 - (double)b : 0;
			rig->skeleton.bones[b].limits[k][1] = k == b % 3 ? 20 + (double)b : 0;
		}
	}
	for (int i = 0; i < COMBINATIONS; i++) {
		const ossa_write_options options = combination(i);
		ossai_prepared prepared;
		assert_ok(context, ossai_prepare_rig(context, rig, &options, &prepared));
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			const ossa_bone *old = &rig->skeleton.bones[b], *new = &prepared.rig->skeleton.bones[b];
			ossa_write_options turn_only = options;
			turn_only.unit = 1;
			const ossai_mat3 r = ossai_quat_matrix(ossai_quat_of(old->orientation));
			const ossai_mat3 s = ossai_quat_matrix(ossai_quat_of(new->orientation));
			const size_t k = b % 3;
			const ossai_vec3 axis = changed(&turn_only, ossai_v3(r.m[0][k], r.m[1][k], r.m[2][k]));
			for (size_t n = 0; n < 3; n++) {
				const bool same = ossai_distance(axis, ossai_v3(s.m[0][n], s.m[1][n], s.m[2][n])) < 1e-9;
				assert_true(new->limits[n][0] == (same ? -10 - (double)b : 0));
				assert_true(new->limits[n][1] == (same ? 20 + (double)b : 0));
			}
		}
		ossai_prepared_end(&prepared);
	}
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* limits that are the motion's range and some degrees more are that again in the turned frames, and
   still hold every pose */
static void limits_of_several_axes_hold_the_motion(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 12), again;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) rig->skeleton.bones[b].has_limits = false;
	assert_ok(context, ossa_rig_find_limits(context, rig, 3));
	/* as if somebody had set them: those of a motion are found again */
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) rig->skeleton.bones[b].limits_of_motion = false;
	for (int axis = 0; axis < 3; axis += 2) {
		ossa_write_options options = ossa_write_default();
		ossai_prepared prepared;
		ossa_bone bones[64];
		options.bone_axis = axis;
		assert_ok(context, ossai_prepare_rig(context, rig, &options, &prepared));
		again = *prepared.rig;
		memcpy(bones, again.skeleton.bones, again.skeleton.bone_count * sizeof bones[0]);
		again.skeleton.bones = bones;
		for (size_t b = 0; b < again.skeleton.bone_count; b++) bones[b].has_limits = false;
		assert_ok(context, ossa_rig_find_limits(context, &again, 3));
		for (size_t b = 0; b < again.skeleton.bone_count; b++) {
			for (int k = 0; k < 6; k++) {
				const double found = prepared.rig->skeleton.bones[b].limits[k / 2][k % 2];
				assert_near(found, bones[b].limits[k / 2][k % 2], 1e-6);
			}
		}
		ossai_prepared_end(&prepared);
	}
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "limits-near");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void nothing_is_copied_for_the_defaults(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 10);
	ossa_frames *frames;
	assert_ok(context, ossa_frames_create(context, 2, rig->mesh->vertex_count, 24, &frames));
	const ossa_write_options options = ossa_write_default();
	const size_t bytes = ossa_context_bytes(context);
	ossai_prepared prepared;
	assert_ok(context, ossai_prepare_rig(context, rig, &options, &prepared));
	assert_ptr_equal(prepared.rig, rig);
	assert_int_equal(ossa_context_bytes(context), bytes);
	ossai_prepared_end(&prepared);
	assert_ok(context, ossai_prepare_mesh(context, rig->mesh, frames->positions, &options, &prepared));
	assert_ptr_equal(prepared.mesh, rig->mesh);
	assert_ptr_equal(prepared.positions, frames->positions);
	ossai_prepared_end(&prepared);
	assert_ok(context, ossai_prepare_frames(context, NULL, frames, &options, &prepared));
	assert_ptr_equal(prepared.frames, frames);
	assert_int_equal(ossa_context_bytes(context), bytes);
	ossai_prepared_end(&prepared);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* meshes and frames through files that say nothing of axes: what is in them is what was asked
   for */
static void files_hold_what_was_asked_for(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh, *back;
	ossa_frames *frames, *frames_back;
	static const float corners[] = {0, 0, 0, 1, 0, 0, 1, 2, 0, 0.5F, 0.25F, 4};
	assert_ok(context, ossa_mesh_create(context, 4, corners, 2, (uint32_t[]){0, 1, 2, 0, 1, 3}, &mesh));
	assert_ok(context, ossa_frames_create(context, 2, 4, 24, &frames));
	memcpy(frames->positions, corners, sizeof corners);
	for (size_t i = 0; i < 12; i++) frames->positions[12 + i] = corners[i] * 2;
	ossa_write_options options = ossa_write_default();
	options.up = OSSA_UP_Z;
	options.unit = 0.5;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("z.obj"), &options));
	assert_ok(context, ossa_read_mesh(context, test_path("z.obj"), NULL, &back));
	assert_true(back->positions[6] == 2 && back->positions[7] == 0 && back->positions[8] == 4);
	assert_true(back->positions[9] == 1 && back->positions[10] == -8 && back->positions[11] == 0.5F);
	ossa_mesh_free(context, back);
	assert_ok(context, ossa_write_mesh(context, mesh, frames->positions + 12, test_path("z.ply"), &options));
	assert_ok(context, ossa_read_mesh(context, test_path("z.ply"), NULL, &back));
	assert_true(back->positions[9] == 2 && back->positions[10] == -16 && back->positions[11] == 1);
	ossa_mesh_free(context, back);
	const char *cache = test_path("z.pc2");
	assert_ok(context, ossa_write_frames(context, mesh, frames, cache, &options));
	assert_ok(context, ossa_read_frames(context, mesh, 1, &cache, true, NULL, &frames_back));
	assert_true(frames_back->positions[12 + 9] == 2 && frames_back->positions[12 + 10] == -16);
	ossa_frames_free(context, frames_back);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void what_is_too_large_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 3, (float[]){0, 0, 0, 1e37F, 0, 0, 0, 1, 0}, 1, (uint32_t[]){0, 1, 2}, &mesh));
	ossa_write_options options = ossa_write_default();
	options.unit = 0.01;
	assert_fails(
		context, ossa_write_mesh(context, mesh, NULL, test_path("big.obj"), &options), OSSA_ERROR_LIMIT, "0.01 metres");
	options.unit = 1;
	assert_fails(context,
		ossa_write_mesh(context, mesh, (float[]){0, 0, 0, 1, 0, 0, 0, NAN, 0}, test_path("nan.obj"), &options),
		OSSA_ERROR_INPUT, "vertex 2: the position is not finite");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static ossa_status prepare_all(ossa_context *context, void *arg)
{
	const ossa_rig *rig = arg;
	const ossa_write_options options = combination(COMBINATIONS - 1);
	ossai_prepared prepared;
	const ossa_status status = ossai_prepare_rig(context, rig, &options, &prepared);
	ossai_prepared_end(&prepared);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 11);
	assert_true(test_allocation_sweep(prepare_all, rig, 100, 1) >= 5);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poses_stay_the_same),
		cmocka_unit_test(bones_go_along),
		cmocka_unit_test(limits_follow_their_axes),
		cmocka_unit_test(limits_of_several_axes_hold_the_motion),
		cmocka_unit_test(nothing_is_copied_for_the_defaults),
		cmocka_unit_test(files_hold_what_was_asked_for),
		cmocka_unit_test(what_is_too_large_is_refused),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
