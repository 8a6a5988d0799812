/* tests/metrics/test_holdout.c: motion fitted to frames that a rig was not made from: exact for
   the true rig, no worse than the method's own where they can be compared, and correct where
   there is none. */
#include "samples/samples.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static ossa_sample *sample_of(ossa_context *context, int kind, int faces, int frames, double bulge)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	options.bulge = bulge;
	ossa_sample *sample = NULL;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

/* frames first..first+count-1 */
static ossa_frames *part_of(ossa_context *context, const ossa_frames *all, size_t first, size_t count)
{
	ossa_frames *part;
	assert_ok(context, ossa_frames_create(context, count, all->vertex_count, 24, &part));
	memcpy(part->positions, all->positions + 3 * all->vertex_count * first, 3 * all->vertex_count * count * sizeof(float));
	return part;
}

/* the true rig, its motion cut to the first frames */
static void keep_frames(ossa_context *context, ossa_rig *rig, size_t count)
{
	ossa_motion_edit crop = ossa_motion_edit_default(OSSA_MOTION_CROP, 0);
	crop.last = count - 1;
	ossa_clip *cropped;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 1, &crop, &cropped));
	ossa_clip_free(context, rig->clip);
	rig->clip = cropped;
}

/* skeleton and weights of the truth: the motion of any frames is found, however far they are from
   the others */
static void true_rigs_follow_all_their_frames(void **state)
{
	(void)state;
	for (int kind = OSSA_SAMPLE_TUBE; kind <= OSSA_SAMPLE_OPEN; kind++) {
		ossa_context *context = test_context(1);
		ossa_sample *sample = sample_of(context, kind, 1500, 10, 0);
		ossa_frames *fitted = part_of(context, sample->frames, 0, 4), *held = part_of(context, sample->frames, 4, 6);
		keep_frames(context, sample->rig, 4);
		ossa_holdout holdout;
		assert_ok(context, ossa_holdout_measure(context, sample->rig, fitted, held, &holdout));
		assert_int_equal(holdout.fitted_count, 4);
		assert_int_equal(holdout.held_count, 6);
		if (!(holdout.hierarchy.rms_percent[1] < 2e-3)) fail_msg("creature %d: %g %%", kind, holdout.hierarchy.rms_percent[1]);
		/* no free bones, no metrics of them */
		for (int set = 0; set < 3; set++) assert_true(isnan(holdout.free_bones.rms_percent[set]));
		ossa_frames_free(context, held);
		ossa_frames_free(context, fitted);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
}

static ossa_rig *rig_of(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, int bones)
{
	ossa_examples_options options = ossa_examples_default();
	options.bones = bones;
	options.refine = 5;
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_examples(context, mesh, frames, &options, &rig));
	return rig;
}

/* flesh that no skeleton repeats: on the same frames the fit from nothing comes as far as the
   method did */
static void the_fit_is_as_good_as_the_methods(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_QUADRUPED, 2000, 8, 2);
	ossa_rig *rig = rig_of(context, sample->rig->mesh, sample->frames, 20);
	ossa_holdout holdout;
	assert_ok(context, ossa_holdout_measure(context, rig, sample->frames, sample->frames, &holdout));
	const double *bound = holdout.hierarchy.rms_percent, *loose = holdout.free_bones.rms_percent;
	assert_true(bound[0] > 0.1 && loose[0] > 0.1);
	if (!(bound[1] < 1.01 * bound[0])) fail_msg("hierarchy: %g %%, the method's %g %%", bound[1], bound[0]);
	if (!(loose[1] < 1.01 * loose[0])) fail_msg("free bones: %g %%, the method's %g %%", loose[1], loose[0]);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* frames of other motion are followed worse; all is what both make together; threads change
   nothing */
static void held_frames_are_harder(void **state)
{
	(void)state;
	ossa_holdout found[2];
	for (int round = 0; round < 2; round++) {
		ossa_context *context = test_context(round == 0 ? 1 : 3);
		ossa_sample *sample = sample_of(context, OSSA_SAMPLE_BIPED, 1500, 9, 2);
		ossa_frames *fitted = part_of(context, sample->frames, 0, 3), *held = part_of(context, sample->frames, 3, 6);
		ossa_rig *rig = rig_of(context, sample->rig->mesh, fitted, 15);
		memset(&found[round], 0, sizeof found[round]);
		assert_ok(context, ossa_holdout_measure(context, rig, fitted, held, &found[round]));
		ossa_rig_free(context, rig);
		ossa_frames_free(context, held);
		ossa_frames_free(context, fitted);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
	assert_memory_equal(&found[0], &found[1], sizeof found[0]);
	const ossa_holdout_errors *sets[2] = {&found[0].hierarchy, &found[0].free_bones};
	for (int i = 0; i < 2; i++) {
		const double *rms = sets[i]->rms_percent, *max = sets[i]->max_percent, *accu = sets[i]->accu_percent;
		assert_true(rms[1] > 1.1 * rms[0] && accu[1] > 1.1 * accu[0]);
		assert_near(rms[2] * rms[2] * 9, rms[0] * rms[0] * 3 + rms[1] * rms[1] * 6, 1e-9);
		assert_near(accu[2] * 9, accu[0] * 3 + accu[1] * 6, 1e-9);
		assert_true(max[2] == fmax(max[0], max[1]));
	}
	assert_true(found[0].free_bones.rms_percent[1] < found[0].hierarchy.rms_percent[1]);
}

static void what_does_not_fit_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_TUBE, 1000, 4, 0),
				*other = sample_of(context, OSSA_SAMPLE_TUBE, 1800, 4, 0);
	ossa_frames *none = part_of(context, sample->frames, 0, 0);
	ossa_holdout holdout;
	assert_fails(
		context, ossa_holdout_measure(context, sample->rig, sample->frames, none, &holdout), OSSA_ERROR_INPUT, "0 to hold out");
	assert_fails(
		context, ossa_holdout_measure(context, sample->rig, none, sample->frames, &holdout), OSSA_ERROR_INPUT, "0 frames");
	assert_fails(context, ossa_holdout_measure(context, sample->rig, other->frames, sample->frames, &holdout), OSSA_ERROR_INPUT,
		"vertices");
	assert_fails(context, ossa_holdout_measure(context, sample->rig, sample->frames, other->frames, &holdout), OSSA_ERROR_INPUT,
		"vertices");
	assert_true(isnan(holdout.hierarchy.rms_percent[1]));
	ossa_frames_free(context, none);
	ossa_sample_free(context, other);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

typedef struct swept {
	const ossa_rig *rig;
	const ossa_frames *frames;
} swept;

static ossa_status measure_body(ossa_context *context, void *arg)
{
	const swept *input = arg;
	ossa_holdout holdout;
	return ossa_holdout_measure(context, input->rig, input->frames, input->frames, &holdout);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_TUBE, 1000, 4, 1);
	ossa_rig *rig = rig_of(context, sample->rig->mesh, sample->frames, 3);
	swept input = {rig, sample->frames};
	assert_true(test_allocation_sweep(measure_body, &input, 400, 7) > 20);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(true_rigs_follow_all_their_frames),
		cmocka_unit_test(the_fit_is_as_good_as_the_methods),
		cmocka_unit_test(held_frames_are_harder),
		cmocka_unit_test(what_does_not_fit_is_refused),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
