/* tests/methods/test_examples_options.c: what the options of the method of example poses do, and
   its warnings. */
#include "support/examples.h"
#include "support/support.h"

#include <string.h>

static void refinement_pays(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_examples_quadruped(context);
	ossa_examples_options options = test_examples_bones(27);
	double rms[2], free_bones[2];
	/* which the paper's rig is not, and which costs a part of the gain */
	options.symmetry = OSSA_SYMMETRY_OFF;
	for (int refined = 0; refined < 2; refined++) {
		options.refine = refined ? ossa_examples_default().refine : 0;
		ossa_rig *rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
		const ossa_metrics metrics = test_examples_measure(context, rig, sample->frames);
		/* the paper's second solve opens holes in the influence maps again */
		assert_true(metrics.disconnected_supports <= (refined ? 0 : 2));
		assert_true(metrics.weight_sum_error <= 1e-6 && metrics.max_influences <= 4);
		assert_int_equal(rig->skeleton.bone_count, 27);
		assert_null(rig->clip->translations);
		assert_non_null(rig->free_clip->translations);
		rms[refined] = metrics.rms_percent;
		free_bones[refined] = test_examples_free_rms(context, rig, sample->frames);
		ossa_rig_free(context, rig);
	}
	print_message("refine 0: %g free %g; refined %g free %g\n", rms[0], free_bones[0], rms[1], free_bones[1]);
	assert_true(rms[1] < 0.8 * rms[0] && free_bones[1] < 0.8 * free_bones[0]);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void options_out_of_range_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_examples_sample(context, OSSA_SAMPLE_TUBE, 1000, 2, 0);
	const struct {
		const char *name;
		ossa_examples_options options;
	} bad[] = {
		{"bones", {.bones = -1, .influences = 4}},
		{"bones", {.bones = 100000, .influences = 4}},
		{"tolerance", {.tolerance = -1, .influences = 4}},
		{"tolerance", {.tolerance = NAN, .influences = 4}},
		{"tolerance", {.tolerance = INFINITY, .influences = 4}},
		{"influences", {.influences = 0}},
		{"influences", {.influences = 9}},
		{"lloyd", {.lloyd = -1, .influences = 4}},
		{"refine", {.refine = -1, .influences = 4}},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		ossa_rig *rig = sample->rig; /* not NULL */
		ossa_examples_options options = bad[i].options;
		options.cookie = ossa_examples_default().cookie;
		assert_fails(context, ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, &options, &rig),
			OSSA_ERROR_ARGUMENT, bad[i].name);
		assert_null(rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* without a number, a finer tolerance needs more bones and comes closer; with both, neither is
   passed */
static void a_tolerance_finds_the_number_of_bones(void **state)
{
	(void)state;
	static const double tolerances[] = {1, 0.2, 0.1};
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_examples_quadruped(context);
	size_t before = 1;
	double rms_before = INFINITY;
	ossa_examples_options options = test_examples_bones(0);
	for (size_t i = 0; i < 3; i++) {
		options.tolerance = tolerances[i];
		ossa_rig *rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
		const double rms = test_examples_measure(context, rig, sample->frames).rms_percent;
		assert_true(rig->skeleton.bone_count > before && rms < rms_before);
		before = rig->skeleton.bone_count;
		rms_before = rms;
		ossa_rig_free(context, rig);
	}
	options = test_examples_bones(5);
	options.tolerance = 0.1;
	ossa_rig *rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
	assert_int_equal(rig->skeleton.bone_count, 5);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void check_warning(ossa_context *context, const char *code, int64_t count)
{
	size_t at = 0;
	while (at < ossa_context_warning_count(context) && strcmp(ossa_context_warning(context, at)->code, code) != 0) at++;
	assert_true(at < ossa_context_warning_count(context));
	assert_int_equal(ossa_context_warning(context, at)->count, count);
	ossa_context_reset(context);
}

static void more_bones_than_faces_are_reported(void **state)
{
	(void)state;
	static const float rest[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	static const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, ossa_mesh_create(context, 4, rest, 4, faces, &mesh));
	assert_ok(context, ossa_frames_create(context, 1, 4, 24, &frames));
	for (size_t i = 0; i < 12; i++) frames->positions[i] = rest[i] * (i % 3 == 1 ? 1.5F : 1) + (float)(i / 3 == 1);
	for (int refine = 0; refine <= 30; refine += 30) {
		ossa_examples_options options = test_examples_bones(10);
		options.refine = refine;
		ossa_rig *rig = test_examples_rig(context, mesh, frames, &options);
		/* a bone that would move no vertex is left out: the warning counts all that are missing */
		check_warning(context, "fewer-bones", 10 - (int64_t)rig->skeleton.bone_count);
		assert_true(rig->skeleton.bone_count <= 4);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	test_context_end(context);
}

static void pieces_need_a_bone_each_or_links(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_examples_sample(context, OSSA_SAMPLE_PIECES, 2000, 6, 0);
	ossa_examples_options options = test_examples_bones(5);
	ossa_rig *rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
	assert_int_equal(rig->skeleton.bone_count, 5);
	assert_int_equal(rig->merge_count, sample->rig->mesh->triangle_count - 1);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	options.link_pieces = false;
	rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
	assert_int_equal(rig->skeleton.bone_count, 16);
	assert_int_equal(rig->merge_count, sample->rig->mesh->triangle_count - 16);
	check_warning(context, "more-bones", 11);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void more_influences_fit_better(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_examples_quadruped(context);
	double before = INFINITY;
	for (int influences = 1; influences <= 8; influences *= 2) {
		ossa_examples_options options = test_examples_bones(15);
		options.influences = influences;
		ossa_rig *rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
		const ossa_metrics metrics = test_examples_measure(context, rig, sample->frames);
		const double rms = test_examples_free_rms(context, rig, sample->frames);
		assert_true(metrics.max_influences <= influences);
		assert_int_equal(metrics.disconnected_supports, 0);
		assert_true(rms < 1.02 * before);
		before = rms;
		ossa_rig_free(context, rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* Lloyd's rounds, area weighting and free supports are choices: each gives a whole rig of the
   number of bones asked for */
static void other_options_give_whole_rigs(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_examples_quadruped(context);
	ossa_examples_options plain = test_examples_bones(15);
	plain.refine = 0;
	ossa_rig *rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &plain);
	const double rms = test_examples_free_rms(context, rig, sample->frames);
	ossa_rig_free(context, rig);
	for (int choice = 0; choice < 3; choice++) {
		ossa_examples_options options = plain;
		options.lloyd = choice == 0 ? 5 : 0;
		options.area_weighting = choice == 1;
		options.local = choice != 2;
		rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
		assert_int_equal(rig->skeleton.bone_count, 15);
		const double now = test_examples_free_rms(context, rig, sample->frames);
		assert_true(choice == 1 ? now == rms : choice == 0 ? now < 1.2 * rms : now < rms);
		ossa_rig_free(context, rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* every face but one is merged into another exactly once, the cheapest first */
static void the_merge_hierarchy_is_kept(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_examples_quadruped(context);
	const ossa_examples_options options = test_examples_bones(15);
	ossa_rig *rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &options);
	const size_t faces = rig->mesh->triangle_count;
	uint8_t *gone = ossa_alloc(context, faces, 1);
	assert_int_equal(rig->merge_count, faces - 1);
	for (size_t i = 0; i < rig->merge_count; i++) {
		const ossa_merge *merge = &rig->merges[i];
		assert_true(merge->kept < merge->gone && !gone[merge->kept] && !gone[merge->gone]);
		assert_true(i == 0 || merge->error >= rig->merges[i - 1].error * (1 - 1e-9));
		gone[merge->gone] = 1;
	}
	ossa_free(context, gone);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refinement_pays),
		cmocka_unit_test(options_out_of_range_are_refused),
		cmocka_unit_test(a_tolerance_finds_the_number_of_bones),
		cmocka_unit_test(more_bones_than_faces_are_reported),
		cmocka_unit_test(pieces_need_a_bone_each_or_links),
		cmocka_unit_test(more_influences_fit_better),
		cmocka_unit_test(other_options_give_whole_rigs),
		cmocka_unit_test(the_merge_hierarchy_is_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
