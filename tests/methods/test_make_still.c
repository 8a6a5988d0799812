/* tests/methods/test_make_still.c: which method rigs one mesh, and the reason that is given. */
#include "support/still.h"
#include "support/support.h"

#include <string.h>

enum { FACES = 4000 };

static ossa_status make(ossa_context *context, const ossa_mesh *mesh, const ossa_rig_options *options, ossa_rig_result *made)
{
	return ossa_rig_make(context, &(ossa_rig_input){.mesh = mesh}, options, made);
}

static void one_mesh_gets_what_lies_inside(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made;
	/* a clean shape: contraction's bones lie inside, and nothing else is tried */
	assert_ok(context, make(context, sample->rig->mesh, &options, &made));
	assert_string_equal(made.method->name, "contraction");
	assert_string_equal(made.rig->method, "contraction");
	assert_non_null(strstr(made.reason, "inside"));
	assert_int_equal(made.attempt_count, 1);
	assert_true(made.attempts[0].inside >= 0.95);
	assert_int_equal(made.frame_count, 0);
	assert_null(made.bone_rms);
	assert_true(made.hierarchy.joints_inside > 0.9);
	ossa_rig_result_free(context, &made);
	/* what is asked for is made, and needs no reason */
	strcpy(options.method, "volume");
	assert_ok(context, make(context, sample->rig->mesh, &options, &made));
	assert_string_equal(made.rig->method, "volume");
	assert_string_equal(made.reason, "");
	ossa_rig_result_free(context, &made);
	/* what contraction refuses, volume may take: weights by least squares are refused by both */
	options = ossa_rig_default();
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	((ossa_contraction_options *)ossa_method_options_of(options.methods, "contraction"))->weights = OSSA_WEIGHTS_LEAST_SQUARES;
	assert_fails(context, make(context, sample->rig->mesh, &options, &made), OSSA_ERROR_ARGUMENT, "least squares");
	assert_null(made.rig);
	ossa_method_options_free(context, options.methods);
	options = ossa_rig_default();
	strcpy(options.method, "examples");
	assert_fails(context, make(context, sample->rig->mesh, &options, &made), OSSA_ERROR_INPUT, "motion");
	assert_null(made.rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* an unwanted rig is made all the same, with its warnings, and released */
static void no_result_is_needed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, 1000);
	assert_ok(context, make(context, sample->rig->mesh, NULL, NULL));
	assert_true(ossa_context_stage_count(context) > 0);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* many separate boxes: all bones of a volume are inside one of them, and contraction's reach the
   others */
static void bones_in_a_part_only_do_not_win(void **state)
{
	(void)state;
	enum { BOXES = 27 };
	static const uint32_t faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
		{1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
	static const float corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
	float positions[3 * 8 * BOXES];
	uint32_t triangles[3 * 12 * BOXES];
	for (uint32_t b = 0; b < BOXES; b++) {
		const float low[3] = {3.1f * (float)(b % 3), 3.3f * (float)(b / 3 % 3), 3.7f * (float)(b / 9)};
		for (uint32_t i = 0; i < 8 * 3; i++) positions[24 * b + i] = low[i % 3] + corners[i / 3][i % 3] * (b == 5 ? 1.2f : 1);
		for (uint32_t i = 0; i < 12 * 3; i++) triangles[36 * b + i] = 8 * b + faces[i / 3][i % 3];
	}
	ossa_context *context = test_context(0);
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 8 * BOXES, positions, 12 * BOXES, triangles, &mesh));
	ossa_rig_result made;
	assert_ok(context, make(context, mesh, NULL, &made));
	assert_string_equal(made.method->name, "contraction");
	assert_int_equal(made.attempt_count, 2);
	assert_non_null(strstr(made.reason, "in a part of the shape only"));
	assert_true(made.rig->skeleton.bone_count > 12);
	ossa_rig_result_free(context, &made);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* two bodies: the voxels of the larger one alone are kept, and all bones are inside it */
static void a_volume_that_leaves_parts_out_does_not_win(void **state)
{
	(void)state;
	const char *path = test_corpus("static/trimesh/multibody.stl");
	if (!path) return;
	ossa_context *context = test_context(0);
	ossa_mesh *mesh = NULL;
	ossa_rig_result made;
	assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
	assert_ok(context, make(context, mesh, NULL, &made));
	assert_string_equal(made.method->name, "contraction");
	assert_int_equal(made.attempt_count, 2);
	assert_non_null(strstr(made.reason, "by volume, which has bones in a part of the shape only"));
	assert_string_equal(test_warning_text(context, "voxel-parts"), "");
	ossa_rig_result_free(context, &made);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* a square of two faces: no bone lies inside, but no other method would find a limb, and one bone
   has no joint that could be misplaced */
static void a_shape_without_limbs_is_rigged_once(void **state)
{
	(void)state;
	static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
	static const uint32_t faces[2][3] = {{0, 1, 2}, {0, 2, 3}};
	ossa_context *context = test_context(0);
	ossa_mesh *mesh;
	ossa_rig_result made;
	assert_ok(context, ossa_mesh_create(context, 4, &corners[0][0], 2, &faces[0][0], &mesh));
	assert_ok(context, make(context, mesh, NULL, &made));
	assert_int_equal(made.attempt_count, 1);
	assert_int_equal(made.rig->skeleton.bone_count, 1);
	assert_string_equal(made.reason, "the shape has no limbs");
	assert_string_not_equal(test_warning_text(context, "no-limbs"), "");
	assert_string_equal(test_warning_text(context, "hidden-limbs"), "");
	assert_string_equal(test_warning_text(context, "joints-outside"), "");
	ossa_rig_result_free(context, &made);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* what lies inside is judged as if all faces looked outwards */
static void turned_faces_are_warned_of_and_change_no_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_mesh *mesh = sample->rig->mesh;
	ossa_rig_result clean, made;
	assert_ok(context, make(context, mesh, NULL, &clean));
	for (size_t f = 0; f < mesh->triangle_count; f += 3) {
		uint32_t *t = mesh->triangles + 3 * f;
		const uint32_t second = t[1];
		t[1] = t[2];
		t[2] = second;
	}
	ossa_mesh *turned;
	assert_ok(context,
		ossa_mesh_create(context, mesh->vertex_count, mesh->positions, mesh->triangle_count, mesh->triangles, &turned));
	assert_ok(context, make(context, turned, NULL, &made));
	assert_string_equal(made.method->name, "contraction");
	assert_int_equal(made.attempt_count, 1);
	assert_true(made.attempts[0].inside >= 0.95 && made.hierarchy.joints_inside > 0.9);
	assert_string_equal(test_warning_text(context, "joints-outside"), "");
	assert_string_not_equal(test_warning_text(context, "mixed-faces"), "");
	assert_int_equal(made.rig->skeleton.bone_count, clean.rig->skeleton.bone_count);
	for (size_t b = 0; b < made.rig->skeleton.bone_count; b++) {
		const ossai_vec3 at = ossai_v3_of(made.rig->skeleton.bones[b].joint);
		assert_near_vec3(at, ossai_v3_of(clean.rig->skeleton.bones[b].joint), 1e-6);
	}
	ossa_rig_result_free(context, &clean);
	ossa_rig_result_free(context, &made);
	ossa_mesh_free(context, turned);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* what only motion has is unknown in every field, and options for it have no effect */
static void nothing_is_measured_of_motion(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, 1000);
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made;
	options.key_frames = 3;
	assert_ok(context, make(context, sample->rig->mesh, &options, &made));
	assert_non_null(strstr(test_warning_text(context, "unused-options"), "`key-frames` (nothing moves)"));
	const ossa_metrics *free_bones = &made.free_bones;
	assert_true(isnan(free_bones->rms_percent) && isnan(free_bones->joints_inside) && isnan(free_bones->compression));
	assert_true(free_bones->max_vertex == -1 && free_bones->max_frame == -1);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* a creature whose every limb counts as a spurious branch */
static void options_that_hide_limbs_are_named(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made;
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	assert_ok(context, ossa_rig_option_set(context, &options, "spurs", "100"));
	assert_ok(context, make(context, sample->rig->mesh, &options, &made));
	assert_int_equal(made.rig->skeleton.bone_count, 1);
	assert_non_null(strstr(test_warning_text(context, "hidden-limbs"), "`spurs`, which is not at its default"));
	ossa_rig_result_free(context, &made);
	ossa_method_options_free(context, options.methods);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static ossa_status sweep_choice(ossa_context *context, void *mesh)
{
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made = {.rig = NULL};
	ossa_status status = ossa_method_options_create(context, &options.methods);
	if (status != OSSA_OK) return status;
	((ossa_volume_options *)ossa_method_options_of(options.methods, "volume"))->voxel_size = 0.04;
	status = make(context, mesh, &options, &made);
	if (status != OSSA_OK) assert_null(made.rig);
	ossa_rig_result_free(context, &made);
	ossa_method_options_free(context, options.methods);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, 1000);
	assert_true(test_allocation_sweep(sweep_choice, sample->rig->mesh, 20, 127) > 200);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_mesh_gets_what_lies_inside), cmocka_unit_test(no_result_is_needed),
		cmocka_unit_test(bones_in_a_part_only_do_not_win), cmocka_unit_test(a_volume_that_leaves_parts_out_does_not_win),
		cmocka_unit_test(turned_faces_are_warned_of_and_change_no_rig), cmocka_unit_test(nothing_is_measured_of_motion),
		cmocka_unit_test(options_that_hide_limbs_are_named), cmocka_unit_test(a_shape_without_limbs_is_rigged_once),
		cmocka_unit_test(memory_may_fail_anywhere)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
