/* tests/methods/test_error_curve.c: errors by the number of bones: the same as of a rig with so
   many bones, whatever the threads. */
#include "samples/samples.h"
#include "support/compare.h"
#include "support/support.h"

#include <ossa/error_curve.h>
#include <string.h>

static ossa_sample *quadruped(ossa_context *context)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = OSSA_SAMPLE_QUADRUPED;
	options.faces = 1500;
	options.frames = 5;
	options.bulge = 1;
	ossa_sample *sample = NULL;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static ossa_error_curve *curve_of(ossa_context *context, const ossa_sample *sample, size_t most)
{
	ossa_error_curve *curve = NULL;
	assert_ok(context, ossa_error_curve_make(context, sample->rig->mesh, sample->frames, NULL, most, &curve));
	return curve;
}

static void a_level_is_the_published_rig_of_so_many_bones(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = quadruped(context);
	ossa_error_curve *curve = curve_of(context, sample, 12);
	assert_int_equal(curve->level_count, 12);
	assert_int_equal(curve->pose_count, 5);
	for (size_t bones = 4; bones <= 12; bones += 8) {
		ossa_examples_options options = ossa_examples_default();
		options.bones = (int)bones;
		options.refine = 0;
		ossa_rig *rig = NULL;
		ossa_metrics metrics;
		assert_ok(context, ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, &options, &rig));
		assert_ok(context, ossa_rig_measure(context, rig, NULL, rig->free_clip, sample->frames, &metrics));
		assert_int_equal(curve->levels[bones - 1].bones, bones);
		/* a rig has weights and motion as floats */
		assert_near(curve->levels[bones - 1].rms_percent, metrics.rms_percent, 1e-4 * metrics.rms_percent);
		ossa_rig_free(context, rig);
	}
	ossa_error_curve_free(context, curve);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void more_rigid_parts_fit_better(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = quadruped(context);
	ossa_error_curve *curve = curve_of(context, sample, 20);
	for (size_t i = 1; i < curve->level_count; i++) {
		assert_true(curve->levels[i].parts_rms_percent <= curve->levels[i - 1].parts_rms_percent);
	}
	const ossa_error_level *first = &curve->levels[0], *last = &curve->levels[19];
	assert_true(last->rms_percent < 0.2 * first->rms_percent && last->face_normal_rms < 0.5 * first->face_normal_rms);
	ossa_error_curve_free(context, curve);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void threads_change_nothing(void **state)
{
	(void)state;
	ossa_error_curve *curves[2];
	ossa_context *contexts[2] = {test_context(1), test_context(3)};
	ossa_sample *sample = quadruped(contexts[0]);
	for (int i = 0; i < 2; i++) curves[i] = curve_of(contexts[i], sample, 8);
	assert_memory_equal(curves[0]->levels, curves[1]->levels, 8 * sizeof *curves[0]->levels);
	for (int i = 0; i < 2; i++) ossa_error_curve_free(contexts[i], curves[i]);
	ossa_sample_free(contexts[0], sample);
	for (int i = 0; i < 2; i++) test_context_end(contexts[i]);
}

static void numbers_out_of_range_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = quadruped(context);
	ossa_error_curve *curve = NULL;
	for (size_t most = 0; most <= 501; most += 501) {
		assert_int_equal(
			ossa_error_curve_make(context, sample->rig->mesh, sample->frames, NULL, most, &curve), OSSA_ERROR_ARGUMENT);
		assert_null(curve);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_level_is_the_published_rig_of_so_many_bones),
		cmocka_unit_test(more_rigid_parts_fit_better),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(numbers_out_of_range_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
