/* tests/retarget/test_rest_pose.c: the way back to the modelled pose, in memory and through files;
   what is in the pose already; what is refused. */
#include <ossa/rest_pose.h>

#include "rig/join_rigs.h"
#include "support/bent_body.h"
#include "support/still.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float *copy_floats(const float *values, size_t count)
{
	float *copy = malloc(count * sizeof *copy);
	memcpy(copy, values, count * sizeof *copy);
	return copy;
}

static void what_is_in_the_pose_does_not_change(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(20, true);
	const int poses[] = {OSSA_REST_T, OSSA_REST_A, OSSA_REST_KEEP};
	ossa_rig *rig = test_bent_body(context, &axes);
	test_soften_weights(context, rig);
	for (int i = 0; i < 3; i++) {
		assert_ok(context, ossa_rig_set_rest_pose(context, rig, poses[i]));
		const size_t bones = rig->skeleton.bone_count * sizeof(ossa_bone), floats = 3 * rig->mesh->vertex_count;
		ossa_bone *bone = malloc(bones);
		memcpy(bone, rig->skeleton.bones, bones);
		float *positions = copy_floats(rig->mesh->positions, floats);
		assert_ok(context, ossa_rig_set_rest_pose(context, rig, poses[i]));
		assert_memory_equal(bone, rig->skeleton.bones, bones);
		assert_memory_equal(positions, rig->mesh->positions, floats * sizeof *positions);
		free(bone);
		free(positions);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- several bodies ---- */

enum { BODIES = 3, HORSE = 2 };

/* people beside each other that face and stand differently, and one whose limbs are an animal's */
static ossa_rig *make_body(ossa_context *context, int which)
{
	const test_body_axes axes = test_body_facing(70 * which, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	test_soften_weights(context, rig);
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) rig->mesh->positions[3 * v] += 2 * (float)which;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		bone->joint[0] += 2 * which;
		bone->tail[0] += 2 * which;
		if (which == HORSE && bone->role.part == OSSA_PART_UPPER_ARM) bone->role.part = OSSA_PART_FRONT_UPPER_LEG;
		if (which == HORSE && bone->role.part == OSSA_PART_UPPER_LEG) bone->role.part = OSSA_PART_BACK_UPPER_LEG;
	}
	return rig;
}

static ossa_mesh *join_vertices(ossa_context *context, ossa_rig *const *rigs, ossai_rig_part *parts)
{
	const size_t each = rigs[0]->mesh->vertex_count, faces = rigs[0]->mesh->triangle_count;
	float *positions = malloc(BODIES * each * 3 * sizeof *positions);
	uint32_t *corners = malloc(BODIES * faces * 3 * sizeof *corners),
			 *numbers = malloc(2 * BODIES * (each + faces) * sizeof *numbers);
	for (uint32_t i = 0; i < BODIES * (each + faces); i++) numbers[i] = i;
	for (size_t k = 0; k < BODIES; k++) {
		memcpy(positions + 3 * k * each, rigs[k]->mesh->positions, 3 * each * sizeof *positions);
		for (size_t i = 0; i < 3 * faces; i++) corners[3 * k * faces + i] = rigs[k]->mesh->triangles[i] + (uint32_t)(k * each);
		parts[k] = (ossai_rig_part){.rig = rigs[k], .vertices = numbers + k * each, .triangles = numbers + k * faces};
	}
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, BODIES * each, positions, BODIES * faces, corners, &mesh));
	free(positions);
	free(corners);
	return mesh;
}

/* against each body posed alone; the animal keeps its pose */
static void every_human_of_several_is_posed_as_if_alone(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *alone[BODIES], *rig;
	ossai_rig_part parts[BODIES];
	size_t first[BODIES];
	for (int k = 0; k < BODIES; k++) alone[k] = make_body(context, k);
	ossa_mesh *mesh = join_vertices(context, alone, parts);
	assert_ok(context, ossai_rigs_join(context, mesh, BODIES, parts, first, &rig));
	for (int k = 0; k < HORSE; k++) assert_ok(context, ossa_rig_set_rest_pose(context, alone[k], OSSA_REST_T));
	assert_no_warnings(context);
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	assert_int_equal(test_warned(context, "rest-others"), 1);
	const size_t each = alone[0]->mesh->vertex_count;
	for (size_t k = 0; k < BODIES; k++) {
		assert_true(test_farthest(rig->mesh->positions + 3 * k * each, alone[k]->mesh->positions, each) < 1e-6);
		for (size_t b = 0; b < alone[k]->skeleton.bone_count; b++)
			assert_near_array(3, rig->skeleton.bones[first[k] + b].joint, alone[k]->skeleton.bones[b].joint, 1e-12);
		ossa_rig_free(context, alone[k]);
	}
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
	free((void *)parts[0].vertices);
	test_context_end(context);
}

/* ---- the way back ---- */

static void the_modelled_pose_comes_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const test_body_axes axes = test_body_facing(135, false);
	const int poses[][2] = {{OSSA_REST_T, OSSA_REST_KEEP}, {OSSA_REST_A, OSSA_REST_T}, {3, OSSA_REST_A}, {OSSA_REST_T, 2}};
	for (int i = 0; i < 4; i++) {
		ossa_rig *before = test_bent_body(context, &axes), *rig = test_bent_body(context, &axes);
		test_soften_weights(context, rig);
		test_move_joints(context, rig, 3);
		for (int k = 0; k < 2; k++) assert_ok(context, ossa_rig_set_rest_pose(context, rig, poses[i][k]));
		assert_true(test_farthest(rig->mesh->positions, before->mesh->positions, rig->mesh->vertex_count) > 0.1);
		assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_MODELLED));
		/* two roundings to floats of coordinates up to 2 */
		assert_true(test_farthest(rig->mesh->positions, before->mesh->positions, rig->mesh->vertex_count) < 1e-6);
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			assert_near_array(3, rig->skeleton.bones[b].joint, before->skeleton.bones[b].joint, 1e-12);
			assert_near_array(3, rig->skeleton.bones[b].tail, before->skeleton.bones[b].tail, 1e-12);
			assert_near_array(4, rig->skeleton.bones[b].orientation, before->skeleton.bones[b].orientation, 1e-12);
			assert_near_array(7, rig->skeleton.bones[b].modelled, before->skeleton.bones[b].modelled, 0);
		}
		ossa_rig_free(context, before);
		ossa_rig_free(context, rig);
	}
	assert_no_warnings(context);
	test_context_end(context);
}

static void poses_do_not_add_up(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *direct = test_bent_body(context, &axes), *rig = test_bent_body(context, &axes);
	test_soften_weights(context, direct);
	test_soften_weights(context, rig);
	assert_ok(context, ossa_rig_set_rest_pose(context, direct, OSSA_REST_A));
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_A));
	assert_true(test_farthest(rig->mesh->positions, direct->mesh->positions, rig->mesh->vertex_count) < 1e-6);
	ossa_rig_free(context, direct);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* twist bones that were added to a T lie on the bent limb */
static void bones_that_were_added_go_back_too(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	size_t added;
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T));
	assert_ok(context, ossa_rig_add_twist(context, rig, 1, &added));
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_MODELLED));
	const ossai_vec3 middle = ossai_lerp(test_joint(rig, "upperarm_L"), test_joint(rig, "lowerarm_L"), 0.5);
	assert_near_vec3(test_joint(rig, "upperarm_twist_01_L"), middle, 1e-12);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void an_unknown_modelled_pose_is_warned_of(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_MODELLED));
	assert_int_equal(test_warned(context, "rest-unknown"), 1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* through other axes and units */
static void files_keep_the_way_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(60, false);
	ossa_rig *rig = test_bent_body(context, &axes), *back;
	ossa_write_options write = ossa_write_default();
	ossa_read_options read = ossa_read_default();
	test_soften_weights(context, rig);
	write.rest_pose = OSSA_REST_T;
	write.up = OSSA_UP_Z;
	write.unit = 0.01;
	read.input_up = OSSA_UP_Z;
	read.input_unit = 0.01;
	const char *path = test_path("t.glb");
	assert_ok(context, ossa_write_rig(context, rig, path, &write));
	assert_ok(context, ossa_read_rig(context, path, &read, &back));
	assert_near_vec3(test_bone_direction(back, "lowerarm_L", "hand_L"), axes.left, 1e-6);
	assert_ok(context, ossa_rig_set_rest_pose(context, back, OSSA_REST_MODELLED));
	/* floats of a file in centimetres */
	assert_true(test_farthest(rig->mesh->positions, back->mesh->positions, rig->mesh->vertex_count) < 2e-6);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_is_missing_is_named(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes), *before = test_bent_body(context, &axes);
	ossa_bone *bones = rig->skeleton.bones;
	assert_fails(context, ossa_rig_set_rest_pose(context, rig, 1), OSSA_ERROR_ARGUMENT, "no frame 1");
	assert_fails(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_KEEP - 1), OSSA_ERROR_ARGUMENT, "no rest pose -4");
	bones[ossa_rig_bone(rig, "calf_R")].role.part = OSSA_PART_NONE;
	assert_fails(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T), OSSA_ERROR_INPUT, "no right calf");
	bones[ossa_rig_bone(rig, "lowerarm_L")].role.part = OSSA_PART_NONE;
	assert_fails(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T), OSSA_ERROR_INPUT, "no left lowerarm");
	bones[ossa_rig_bone(rig, "head")].role = (ossa_role){OSSA_PART_LOWER_ARM, 1, 0, 0};
	bones[ossa_rig_bone(rig, "hand_R")].role = (ossa_role){OSSA_PART_LOWER_LEG, -1, 0, 0};
	assert_fails(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T), OSSA_ERROR_INPUT, "head is not below upperarm_L");
	rig->body = (ossa_body){.kind = OSSA_BODY_QUADRUPED};
	assert_fails(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T), OSSA_ERROR_INPUT, "is quadruped");
	rig->body.kind = OSSA_BODY_NONE;
	assert_memory_equal(rig->mesh->positions, before->mesh->positions, 3 * rig->mesh->vertex_count * sizeof(float));
	for (size_t b = 0; b < rig->skeleton.bone_count; b++)
		assert_memory_equal(bones[b].joint, before->skeleton.bones[b].joint, sizeof bones[b].joint);
	ossa_rig_free(context, before);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_skeleton_alone_is_posed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	rig->mesh->vertex_count = rig->mesh->polygon_count = rig->mesh->corner_count = rig->mesh->triangle_count = 0;
	rig->weights.vertex_count = 0;
	const double ground = test_joint(rig, "toes_L").y;
	assert_ok(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_A));
	test_assert_limbs(rig, &axes, OSSA_REST_A);
	assert_near(test_joint(rig, "toes_L").y, ground, 1e-9);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* four bones in a row, by numbers */
static void bones_of_no_body_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body_without(context, &axes, OSSA_PART_CLAVICLE, OSSA_PART_TOES);
	assert_fails(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T), OSSA_ERROR_INPUT, "no left upperarm");
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		snprintf(rig->skeleton.bones[b].name, sizeof rig->skeleton.bones[b].name, "bone_%zu", b);
		rig->skeleton.bones[b].role.part = OSSA_PART_NONE;
	}
	assert_fails(context, ossa_rig_set_rest_pose(context, rig, OSSA_REST_T), OSSA_ERROR_INPUT, "which part of a body");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- faults ---- */

static ossa_status pose_once(ossa_context *context, void *arg)
{
	ossa_rig *rig;
	const ossa_status status = ossa_read_rig(context, arg, NULL, &rig);
	if (status != OSSA_OK) return status;
	ossa_status posed = ossa_rig_set_rest_pose(context, rig, OSSA_REST_T);
	if (posed == OSSA_OK) posed = ossa_rig_set_rest_pose(context, rig, OSSA_REST_A);
	ossa_rig_free(context, rig);
	return posed;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const test_body_axes axes = test_body_facing(0, false);
	ossa_rig *rig = test_bent_body(context, &axes);
	char path[512];
	snprintf(path, sizeof path, "%s", test_path("body.glb"));
	assert_ok(context, ossa_write_rig(context, rig, path, NULL));
	ossa_rig_free(context, rig);
	test_context_end(context);
	assert_true(test_allocation_sweep(pose_once, path, 0, 3) > 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_in_the_pose_does_not_change),
		cmocka_unit_test(every_human_of_several_is_posed_as_if_alone), cmocka_unit_test(the_modelled_pose_comes_back),
		cmocka_unit_test(poses_do_not_add_up), cmocka_unit_test(bones_that_were_added_go_back_too),
		cmocka_unit_test(an_unknown_modelled_pose_is_warned_of), cmocka_unit_test(files_keep_the_way_back),
		cmocka_unit_test(what_is_missing_is_named), cmocka_unit_test(bones_of_no_body_are_refused),
		cmocka_unit_test(a_skeleton_alone_is_posed), cmocka_unit_test(every_allocation_may_fail)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
