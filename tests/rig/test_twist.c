/* tests/rig/test_twist.c: twist bones change no pose until they are turned. */
#include "support/support.h"
#include "support/still.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 4000 };

static ossa_rig *human(ossa_context *context, int influences)
{
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_contraction_options options = ossa_contraction_default();
	options.influences = influences;
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_contraction(context, sample->rig->mesh, &options, &rig));
	ossa_sample_free(context, sample);
	return rig;
}

/* every joint turned by its own number */
static void turn_joints(ossa_context *context, ossa_rig *rig)
{
	assert_ok(context, ossa_clip_of_rest(context, rig, 2, 24, &rig->clip));
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		double *to = rig->clip->rotations + 4 * (rig->skeleton.bone_count + b);
		const ossai_quat turn = ossai_quat_axis_angle(ossai_v3(1, 0.3, 0.1 * (double)b), 0.1 + 0.03 * (double)b);
		ossai_quat_store(ossai_quat_unit(ossai_quat_mul(ossai_quat_of(to), turn)), to);
	}
}

static float *pose(ossa_context *context, const ossa_rig *rig)
{
	float *positions = malloc(rig->mesh->vertex_count * 3 * sizeof *positions);
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 1, positions));
	return positions;
}

static double weight_of(const ossa_weights *weights, size_t vertex, size_t bone)
{
	double sum = 0;
	const size_t width = (size_t)weights->influences;
	for (size_t i = vertex * width; i < (vertex + 1) * width; i++)
		sum += weights->bones[i] == bone && weights->values[i] > 0 ? (double)weights->values[i] : 0;
	return sum;
}

static void twist_bones_are_children_of_their_segments(void **state)
{
	(void)state;
	static const char *const parents[] = {"upperarm", "lowerarm", "thigh", "calf"};
	ossa_context *context = test_context(0);
	ossa_rig *rig = human(context, 4);
	const size_t before = rig->skeleton.bone_count;
	size_t added;
	assert_ok(context, ossa_rig_add_twist(context, rig, 2, &added));
	assert_int_equal(added, 16);
	assert_int_equal(rig->skeleton.bone_count, before + 16);
	assert_ok(context, ossa_rig_validate(context, rig));
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < 4; i++) {
			for (int k = 1; k <= 2; k++) {
				char name[64], parent[64];
				snprintf(name, sizeof name, "%s_twist_%02d_%c", parents[i], k, "LR"[side]);
				snprintf(parent, sizeof parent, "%s_%c", parents[i], "LR"[side]);
				const int32_t bone = ossa_rig_bone(rig, name);
				assert_true(bone >= (int32_t)before);
				assert_int_equal(rig->skeleton.bones[bone].parent, ossa_rig_bone(rig, parent));
			}
		}
	}
	/* what engines ask for is in its place */
	const ossa_bone *hand = &rig->skeleton.bones[ossa_rig_bone(rig, "hand_L")];
	assert_string_equal(rig->skeleton.bones[hand->parent].name, "lowerarm_L");
	assert_ok(context, ossa_rig_add_twist(context, rig, 2, &added));
	assert_int_equal(added, 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void poses_do_not_change(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (int count = 1; count <= 3; count++) {
		ossa_rig *rig = human(context, count == 3 ? 2 : 4);
		turn_joints(context, rig);
		float *before = pose(context, rig);
		assert_ok(context, ossa_rig_add_twist(context, rig, count, NULL));
		assert_ok(context, ossa_rig_validate(context, rig));
		float *after = pose(context, rig);
		const double diagonal = test_mesh_diagonal(rig->mesh);
		for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
			const double off = ossai_distance(ossai_v3_of_float(before + 3 * v), ossai_v3_of_float(after + 3 * v));
			assert_true(off <= 1e-6 * diagonal);
		}
		free(before);
		free(after);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* one twist bone: its share rises from 0 at the elbow to 1 at the wrist, and the sum stays */
static void weights_are_split_linearly(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = human(context, 8);
	const size_t arm = (size_t)ossa_rig_bone(rig, "lowerarm_L"), hand = (size_t)ossa_rig_bone(rig, "hand_L");
	const size_t vertices = rig->mesh->vertex_count;
	double *own = malloc(vertices * sizeof *own), *other = malloc(vertices * sizeof *other);
	for (size_t v = 0; v < vertices; v++) {
		own[v] = weight_of(&rig->weights, v, arm);
		other[v] = weight_of(&rig->weights, v, hand);
	}
	assert_ok(context, ossa_rig_add_twist(context, rig, 1, NULL));
	const size_t twist = (size_t)ossa_rig_bone(rig, "lowerarm_twist_01_L");
	const ossai_vec3 begin = ossai_v3_of(rig->skeleton.bones[arm].joint);
	const ossai_vec3 along = ossai_sub(ossai_v3_of(rig->skeleton.bones[hand].joint), begin);
	size_t split = 0;
	for (size_t v = 0; v < vertices; v++) {
		const double kept = weight_of(&rig->weights, v, arm), given = weight_of(&rig->weights, v, twist);
		assert_near(kept + given, own[v], 1e-6);
		assert_near(weight_of(&rig->weights, v, hand), other[v], 0);
		const ossai_vec3 p = ossai_sub(ossai_v3_of_float(rig->mesh->positions + 3 * v), begin);
		const double share = fmin(fmax(ossai_dot(p, along) / ossai_dot(along, along), 0), 1);
		if (own[v] < 0.01) continue;
		assert_near(given, share * own[v], 1e-6);
		split += kept > 0 && given > 0;
	}
	assert_true(split > 10);
	free(own);
	free(other);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a twisted wrist: the skin of the lower arm follows by where it is along it */
static void a_twist_bone_turns_the_skin_beside_the_next_joint(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = human(context, 4);
	assert_ok(context, ossa_rig_add_twist(context, rig, 1, NULL));
	assert_ok(context, ossa_clip_of_rest(context, rig, 2, 24, &rig->clip));
	const size_t twist = (size_t)ossa_rig_bone(rig, "lowerarm_twist_01_L"), bones = rig->skeleton.bone_count;
	double *to = rig->clip->rotations + 4 * (bones + twist);
	ossai_quat_store(ossai_quat_mul(ossai_quat_of(to), ossai_quat_axis_angle(ossai_v3(0, 1, 0), 1)), to);
	float *turned = pose(context, rig);
	const double diagonal = test_mesh_diagonal(rig->mesh);
	size_t moved = 0;
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const double off = ossai_distance(ossai_v3_of_float(turned + 3 * v), ossai_v3_of_float(rig->mesh->positions + 3 * v));
		const bool follows = weight_of(&rig->weights, v, twist) > 0;
		if (!follows) assert_true(off < 1e-6 * diagonal);
		moved += off > 1e-3 * diagonal;
	}
	assert_true(moved > 10);
	free(turned);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_has_no_limbs_gets_none(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *snake = test_sample(context, OSSA_SAMPLE_SNAKE, FACES);
	size_t added = 7;
	const size_t before = snake->rig->skeleton.bone_count;
	assert_ok(context, ossa_rig_add_twist(context, snake->rig, 1, &added));
	assert_int_equal(added, 0);
	assert_int_equal(snake->rig->skeleton.bone_count, before);
	assert_fails(context, ossa_rig_add_twist(context, snake->rig, 0, &added), OSSA_ERROR_ARGUMENT, "1 to 8");
	assert_fails(context, ossa_rig_add_twist(context, snake->rig, 9, &added), OSSA_ERROR_ARGUMENT, "1 to 8");
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made;
	options.twist = 1;
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){.mesh = snake->rig->mesh}, &options, &made));
	assert_non_null(strstr(test_warning_text(context, "unused-options"), "twist"));
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, snake);
	test_context_end(context);
}

/* two bones and a triangle, with the motion of free bones */
static ossa_status make_small(ossa_context *context, ossa_rig **rig)
{
	static const float positions[] = {0, 0, 0, 0, 1, 0, 1, 1, 0};
	ossa_mesh *mesh = NULL;
	ossa_status status = ossa_mesh_create(context, 3, positions, 1, (const uint32_t[]){0, 1, 2}, &mesh);
	if (status == OSSA_OK) status = ossa_rig_create(context, mesh, 2, 2, rig);
	ossa_mesh_free(context, mesh);
	for (int b = 0; status == OSSA_OK && b < 2; b++) {
		(*rig)->skeleton.bones[b] = (ossa_bone){.parent = b - 1,
			.role = {.part = b == 0 ? OSSA_PART_UPPER_ARM : OSSA_PART_LOWER_ARM, .side = 1},
			.joint = {0, b, 0},
			.tail = {0, b + 1, 0},
			.orientation = {0, 0, 0, 1}};
		snprintf((*rig)->skeleton.bones[b].name, 64, "bone_%d_L", b);
	}
	for (int v = 0; status == OSSA_OK && v < 3; v++) (*rig)->weights.values[2 * v] = 1;
	if (status == OSSA_OK) status = ossa_clip_of_rest(context, *rig, 2, 24, &(*rig)->clip);
	if (status == OSSA_OK) status = ossa_clip_create(context, 2, 2, true, &(*rig)->free_clip);
	for (int i = 0; status == OSSA_OK && i < 4; i++) {
		(*rig)->free_clip->times[i / 2] = i / 2;
		(*rig)->free_clip->rotations[4 * i + 3] = 1;
		(*rig)->free_clip->translations[3 * i + 1] = i % 2;
	}
	return status;
}

static ossa_status twist_small(ossa_context *context, void *arg)
{
	(void)arg;
	ossa_rig *rig = NULL;
	ossa_status status = make_small(context, &rig);
	if (status == OSSA_OK) status = ossa_rig_add_twist(context, rig, 2, NULL);
	ossa_rig_free(context, rig);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = NULL;
	assert_ok(context, make_small(context, &rig));
	assert_ok(context, ossa_rig_add_twist(context, rig, 2, NULL));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_string_equal(rig->skeleton.bones[3].name, "bone_0_twist_02_L");
	assert_near_vec3(ossai_v3_of(rig->skeleton.bones[3].joint), ossai_v3(0, 2.0 / 3, 0), 1e-12);
	assert_near(rig->free_clip->translations[3 * (6 + 3) + 1], 2.0 / 3, 1e-12);
	ossa_rig_free(context, rig);
	test_context_end(context);
	assert_true(test_allocation_sweep(twist_small, NULL, 64, 1) > 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(twist_bones_are_children_of_their_segments),
		cmocka_unit_test(poses_do_not_change), cmocka_unit_test(weights_are_split_linearly),
		cmocka_unit_test(a_twist_bone_turns_the_skin_beside_the_next_joint), cmocka_unit_test(what_has_no_limbs_gets_none),
		cmocka_unit_test(every_allocation_may_fail)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
