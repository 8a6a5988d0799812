/* tests/retarget/test_repose.c: motion, weights, normals and volume of a rig in another
   rest pose. */
#include <ossa/rest_pose.h>

#include "support/bent_body.h"
#include "support/still.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* ---- motion ---- */

static void assert_same_joints(const ossa_rig *a, const ossa_rig *b, const ossa_clip *clip)
{
	const size_t bones = a->skeleton.bone_count;
	double *one = malloc(12 * bones * sizeof *one), *other = malloc(12 * bones * sizeof *other);
	for (size_t f = 0; f < clip->frame_count; f++) {
		ossa_rig_joint_matrices(a, clip, f, one);
		ossa_rig_joint_matrices(b, clip, f, other);
		assert_near_array(12 * bones, one, other, 1e-12);
	}
	free(one);
	free(other);
}

static float *pose(ossa_context *context, const ossa_rig *rig, size_t frame)
{
	float *positions = malloc(3 * rig->mesh->vertex_count * sizeof *positions);
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, frame, positions));
	return positions;
}

/* joints of every frame exactly, and vertices of one bone */
static void frames_stay(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	const int poses[] = {OSSA_REST_T, OSSA_REST_A, 4};
	for (int i = 0; i < 3; i++) {
		ossa_rig *before = test_bent_body(context, &axes), *rig = test_bent_body(context, &axes);
		test_move_joints(context, before, 5);
		test_move_joints(context, rig, 5);
		assert_ok(context, ossa_rig_set_rest_pose(context, rig, poses[i]));
		assert_memory_equal(rig->clip->rotations, before->clip->rotations, 20 * rig->skeleton.bone_count * sizeof(double));
		assert_memory_equal(rig->clip->root_positions, before->clip->root_positions, 15 * sizeof(double));
		assert_same_joints(before, rig, before->clip);
		for (size_t f = 0; f < 5; f++) {
			float *old = pose(context, before, f), *now = pose(context, rig, f);
			assert_true(test_farthest(old, now, rig->mesh->vertex_count) < 1e-6);
			free(old);
			free(now);
		}
		ossa_rig_free(context, before);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* A vertex of two bones that the new rest turns by an angle against each other keeps its distance
   from their joint; in a frame as the mesh was modelled linear blending then shortens it by at most
   1 - cos(angle / 2), and moves it along the circle by as little. */
static void blended_vertices_stay_near(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *before = test_bent_body(context, &axes), *rig = test_bent_body(context, &axes);
	test_soften_weights(context, before);
	test_soften_weights(context, rig);
	test_move_joints(context, before, 1);
	test_move_joints(context, rig, 1);
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	float *old = pose(context, before, 0), *now = pose(context, rig, 0);
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const size_t b = rig->weights.bones[2 * v];
		if (b == 0) continue;
		const char *name = before->skeleton.bones[b].name;
		const char *above = before->skeleton.bones[before->skeleton.bones[b].parent].name;
		const ossai_quat by = ossai_quat_mul(
			ossai_quat_conjugate(test_turn_since(rig, before, above)), test_turn_since(rig, before, name));
		const double reach = ossai_distance(ossai_v3_of_float(before->mesh->positions + 3 * v), test_joint(before, name));
		const double most = 2 * reach * (1 - cos(0.5 * ossai_quat_angle(by)));
		assert_true(test_farthest(old + 3 * v, now + 3 * v, 1) < most + 1e-6);
	}
	free(old);
	free(now);
	ossa_rig_free(context, before);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void bones_that_slide_stay_too(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *before = test_bent_body(context, &axes), *rig = test_bent_body(context, &axes);
	const size_t bones = rig->skeleton.bone_count;
	ossa_clip *free_clip;
	assert_ok(context, ossa_clip_create(context, 2, bones, true, &free_clip));
	for (size_t i = 0; i < 2 * bones; i++) {
		free_clip->rotations[4 * i + 3] = 1;
		for (size_t k = 0; k < 3; k++) free_clip->translations[3 * i + k] = 0.01 * (double)(i + k);
	}
	rig->free_clip = free_clip;
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	assert_ptr_equal(rig->free_clip, free_clip);
	assert_same_joints(before, rig, free_clip);
	ossa_rig_free(context, before);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* Feet that inverse kinematics move are children of the root. They stay at the ends of the legs,
   and where they were in every frame. */
static void feet_of_the_root_follow_the_legs(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rigs[2];
	for (int i = 0; i < 2; i++) {
		rigs[i] = test_bent_body(context, &axes);
		for (int side = 0; side < 2; side++)
			rigs[i]->skeleton.bones[ossa_rig_bone(rigs[i], side ? "foot_R" : "foot_L")].parent = 0;
		test_move_joints(context, rigs[i], 3);
	}
	const double shin = ossai_distance(test_joint(rigs[0], "calf_L"), test_joint(rigs[0], "foot_L"));
	assert_ok(context, ossa_rig_set_rest_pose(context, rigs[1], OSSA_REST_T));
	assert_ok(context, ossa_rig_validate(context, rigs[1]));
	test_assert_limbs(rigs[1], &axes, OSSA_REST_T);
	assert_near(ossai_distance(test_joint(rigs[1], "calf_L"), test_joint(rigs[1], "foot_L")), shin, 1e-12);
	assert_near(ossai_quat_angle(test_turn_since(rigs[1], rigs[0], "foot_R")), 0, 1e-12);
	assert_non_null(rigs[1]->clip->translations);
	const size_t bones = rigs[0]->skeleton.bone_count;
	double *old = malloc(12 * bones * sizeof *old), *now = malloc(12 * bones * sizeof *now);
	for (size_t f = 0; f < 3; f++) {
		ossa_rig_joint_matrices(rigs[0], rigs[0]->clip, f, old);
		ossa_rig_joint_matrices(rigs[1], rigs[1]->clip, f, now);
		assert_near_array(12 * bones, old, now, 1e-12);
	}
	free(old);
	free(now);
	for (int i = 0; i < 2; i++) ossa_rig_free(context, rigs[i]);
	test_context_end(context);
}

static void a_frame_becomes_the_rest(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	test_soften_weights(context, rig);
	test_move_joints(context, rig, 4);
	const size_t floats = 3 * rig->mesh->vertex_count;
	float *posed = malloc(floats * sizeof *posed);
	assert_ok(context, ossa_rig_pose_by(context, rig, NULL, rig->clip, 2, OSSA_BLEND_DUAL_QUATERNIONS, posed));
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, 3));
	assert_true(test_farthest(posed, rig->mesh->positions, rig->mesh->vertex_count) < 1e-6);
	/* a clip at rest is that frame */
	double turn[4];
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_rig_turn(rig, NULL, 2, b, turn, NULL);
		assert_near(ossai_quat_angle(ossai_quat_of(turn)), 0, 1e-7);
	}
	free(posed);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- what else depends on the rest pose ---- */

static void weights_and_names_are_untouched(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *before = test_bent_body(context, &axes), *rig = test_bent_body(context, &axes);
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	const size_t vertices = rig->mesh->vertex_count;
	assert_memory_equal(rig->weights.values, before->weights.values, vertices * sizeof(float));
	assert_memory_equal(rig->weights.bones, before->weights.bones, vertices * sizeof(uint16_t));
	for (size_t b = 0; b < rig->skeleton.bone_count; b++)
		assert_string_equal(rig->skeleton.bones[b].name, before->skeleton.bones[b].name);
	ossa_rig_free(context, before);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* one normal for all corners of the mesh becomes one for each way that they turn */
static void shared_normals_part(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *before = test_bent_body(context, &axes), *rig = test_bent_body(context, &axes);
	ossa_mesh *mesh = rig->mesh;
	mesh->normals = ossa_alloc(context, 1, 3 * sizeof *mesh->normals);
	mesh->normals[2] = 1;
	mesh->normal_count = 1;
	mesh->corner_normal = ossa_alloc(context, mesh->corner_count, sizeof *mesh->corner_normal);
	mesh->corner_normal[5] = OSSA_NONE;
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_int_equal(mesh->corner_normal[5], OSSA_NONE);
	assert_true(mesh->normal_count > 10 && mesh->normal_count <= rig->skeleton.bone_count);
	for (size_t c = 0; c < mesh->corner_count; c++) {
		if (c == 5) continue;
		const size_t bone = rig->weights.bones[mesh->corner_vertex[c]];
		const ossai_mat3 r = ossai_quat_matrix(test_turn_since(rig, before, rig->skeleton.bones[bone].name));
		const ossai_vec3 normal = ossai_v3_of_float(mesh->normals + 3 * (size_t)mesh->corner_normal[c]);
		assert_near_vec3(normal, ossai_mat3_mul_v(&r, ossai_v3(0, 0, 1)), 1e-6);
		assert_near(ossai_length(normal), 1, 1e-6);
	}
	ossa_rig_free(context, before);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void loops_follow_their_bones(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	const int32_t hand = ossa_rig_bone(rig, "hand_L");
	rig->loops = ossa_alloc(context, 1, sizeof *rig->loops);
	rig->loop_count = 1;
	rig->loops[0] = (ossa_loop){.bones = {hand, hand}};
	memcpy(rig->loops[0].center, rig->skeleton.bones[hand].tail, sizeof rig->loops[0].center);
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	assert_near_array(3, rig->loops[0].center, rig->skeleton.bones[hand].tail, 1e-12);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* triangles of the trunk that a hand pulls through it */
static void folds_are_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	for (size_t corner = 0; corner < 8; corner++) {
		ossa_rig *rig = test_bent_body(context, &axes);
		const size_t trunk = 8 * (size_t)ossa_rig_bone(rig, "spine");
		rig->weights.bones[trunk + corner] = (uint16_t)ossa_rig_bone(rig, "hand_L");
		assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
		assert_ok(context, ossa_rig_validate(context, rig));
		ossa_rig_free(context, rig);
	}
	assert_true(test_warned(context, "rest-folds") > 8);
	test_context_end(context);
}

/* ---- a rig of ossa's own ---- */

static double volume(const ossa_mesh *mesh)
{
	double sum = 0;
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		ossai_vec3 p[3];
		for (size_t k = 0; k < 3; k++) p[k] = ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[3 * t + k]);
		sum += ossai_dot(p[0], ossai_cross(p[1], p[2]));
	}
	return sum / 6;
}

static void a_made_rig_keeps_its_volume(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, 6000);
	ossa_contraction_options options = ossa_contraction_default();
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_contraction(context, sample->rig->mesh, &options, &rig));
	ossa_sample_free(context, sample);
	const double before = volume(rig->mesh);
	for (int pose = OSSA_REST_T; pose <= OSSA_REST_A; pose++) {
		assert_ok(context, ossa_rig_set_rest_pose(context, rig, pose));
		assert_ok(context, ossa_rig_validate(context, rig));
		/* skin at armpits and hips, which linear blending would halve there */
		assert_near(volume(rig->mesh) / before, 1, 0.03);
		assert_int_equal(test_warned(context, "rest-folds"), 0);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(frames_stay), cmocka_unit_test(blended_vertices_stay_near),
		cmocka_unit_test(bones_that_slide_stay_too), cmocka_unit_test(feet_of_the_root_follow_the_legs),
		cmocka_unit_test(a_frame_becomes_the_rest), cmocka_unit_test(weights_and_names_are_untouched),
		cmocka_unit_test(shared_normals_part), cmocka_unit_test(loops_follow_their_bones), cmocka_unit_test(folds_are_counted),
		cmocka_unit_test(a_made_rig_keeps_its_volume)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
