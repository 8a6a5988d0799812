/* tests/methods/test_sequence.c: rigs of mesh animations: creatures with exact motion, the paper's
   own procedure, stages exchanged, bad input. */
#include "samples/samples.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KINDS = OSSA_SAMPLE_OPEN + 1, FACES = 3000, FRAMES = 20 };

static ossa_sample *sample_of(ossa_context *context, int kind, int faces, int frames)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static ossa_sample *make_sample(ossa_context *context, int kind, int frames) { return sample_of(context, kind, FACES, frames); }

static ossa_sequence_options with_bones(size_t bones)
{
	ossa_sequence_options options = ossa_sequence_default();
	options.bones = (int)bones;
	return options;
}

static ossa_rig *rig_of(ossa_context *context, const ossa_sample *sample, const ossa_sequence_options *options)
{
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_sequence(context, sample->rig->mesh, sample->frames, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static ossa_metrics measure(ossa_context *context, const ossa_rig *rig, const ossa_sample *sample)
{
	ossa_metrics metrics;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, sample->frames, &metrics));
	return metrics;
}

/* at the true number of bones: joints within 1 % of the side over all frames, every one that turns
   found, motion within 0.05 % */
static void joints_are_found(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (int kind = 0; kind < KINDS; kind += test_is_long() ? 1 : 2) {
		ossa_sample *sample = make_sample(context, kind, FRAMES);
		const ossa_sequence_options options = with_bones(sample->rig->skeleton.bone_count);
		ossa_rig *rig = rig_of(context, sample, &options);
		ossa_nearness near;
		assert_ok(context, ossa_rig_nearness(context, rig, sample->rig, &near));
		const double accu = measure(context, rig, sample).accu_percent;
		/* an octopus has the end of an arm that meets its neighbour nowhere but at the body */
		const double least_found = kind == OSSA_SAMPLE_OCTOPUS ? 0.96 : 1;
		if (!(near.jacc_percent <= 1 && near.joint_recall_5 >= least_found && accu <= 0.05)) {
			fail_msg(
				"creature %d: JACC %.3f %%, found %.3f, error %.4f %%", kind, near.jacc_percent, near.joint_recall_5, accu);
		}
		ossa_rig_free(context, rig);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* the number of bones is not given */
static void the_number_of_bones_is_found(void **state)
{
	(void)state;
	static const int kinds[] = {OSSA_SAMPLE_TUBE, OSSA_SAMPLE_BIPED, OSSA_SAMPLE_SNAKE, OSSA_SAMPLE_OPEN};
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		ossa_sample *sample = make_sample(context, kinds[i], FRAMES);
		ossa_rig *rig = rig_of(context, sample, NULL);
		assert_int_equal(rig->skeleton.bone_count, sample->rig->skeleton.bone_count);
		ossa_rig_free(context, rig);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* no rounds: what the paper does. Its heat weights and joints from parts as they are come near, no
   more */
static void the_papers_procedure_comes_near(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, FRAMES);
	ossa_sequence_options options = with_bones(sample->rig->skeleton.bone_count);
	options.refine = 0;
	ossa_rig *rig = rig_of(context, sample, &options);
	const ossa_metrics paper = measure(context, rig, sample);
	assert_true(paper.rms_percent < 1.5 && paper.joints_inside == 1 && paper.disconnected_supports == 0);
	assert_true(rig->clip && !rig->clip->translations && rig->clip->frame_count == FRAMES);
	ossa_rig_free(context, rig);
	options.weights = OSSA_WEIGHTS_LEAST_SQUARES;
	rig = rig_of(context, sample, &options);
	assert_true(measure(context, rig, sample).rms_percent < 0.8 * paper.rms_percent);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* every choice of parts and weights gives a rig that follows the motion, for both methods */
static void stages_can_be_exchanged(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_QUADRUPED, 12);
	double of_weights[5] = {0};
	for (int parts = OSSA_PARTS_CLUSTERS; parts <= OSSA_PARTS_SPECTRAL; parts++) {
		/* the usual parts with all weights, the others with the two that are compared */
		for (int weights = OSSA_WEIGHTS_AUTO; weights <= OSSA_WEIGHTS_COVERAGE; weights++) {
			const bool is_compared = weights == OSSA_WEIGHTS_LEAST_SQUARES || weights == OSSA_WEIGHTS_HEAT;
			if (parts == OSSA_PARTS_CLUSTERS && !is_compared && !test_is_long()) continue;
			ossa_sequence_options options = with_bones(27);
			options.parts = parts;
			options.weights = weights;
			ossa_rig *rig = rig_of(context, sample, &options);
			of_weights[weights] = measure(context, rig, sample).rms_percent;
			assert_true(of_weights[weights] < 2.5);
			ossa_rig_free(context, rig);
		}
		assert_true(of_weights[OSSA_WEIGHTS_LEAST_SQUARES] < of_weights[OSSA_WEIGHTS_HEAT]);
		assert_true(of_weights[OSSA_WEIGHTS_HEAT] < 0.6);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bad input ---- */

static void nothing_moves(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 4);
	const size_t size = 3 * sample->frames->vertex_count;
	ossa_rig *rig;
	/* it slides, as a whole */
	for (size_t i = 0; i < 4 * size; i++) {
		sample->frames->positions[i] = sample->rig->mesh->positions[i % size] + (float)(i / size) * 0.25f;
	}
	assert_fails(context, ossa_rig_from_sequence(context, sample->rig->mesh, sample->frames, NULL, &rig), OSSA_ERROR_INPUT,
		"`method contraction` or `method volume`");
	assert_null(rig);
	/* that says it all */
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* one frame, a cut to another position half way, pieces that jump: all give rigs */
static void odd_motion_is_rigged(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_PIECES, 8);
	ossa_sequence_options options = with_bones(16);
	const size_t size = 3 * sample->frames->vertex_count;
	for (size_t i = 4 * size; i < 8 * size; i++) sample->frames->positions[i] += i % 3 == 0 ? 30.0f : -4.0f;
	ossa_rig *rig = rig_of(context, sample, &options);
	assert_true(measure(context, rig, sample).rms_percent < 0.5);
	ossa_rig_free(context, rig);
	sample->frames->frame_count = 1;
	rig = rig_of(context, sample, &options);
	assert_true(measure(context, rig, sample).rms_percent < 0.5);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void options_are_checked(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_TUBE, 2);
	ossa_rig *rig;
	ossa_sequence_options options = with_bones(2);
	options.alpha = NAN;
	assert_fails(context, ossa_rig_from_sequence(context, sample->rig->mesh, sample->frames, &options, &rig),
		OSSA_ERROR_ARGUMENT, "alpha");
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- the same for everyone ---- */

static void threads_change_nothing(void **state)
{
	(void)state;
	for (int refine = 0; refine <= 4; refine += 4) {
		ossa_context *context[2] = {test_context(1), test_context(4)};
		ossa_rig *rig[2];
		ossa_sample *sample[2];
		ossa_sequence_options options = with_bones(7);
		options.refine = refine;
		for (int i = 0; i < 2; i++) {
			sample[i] = sample_of(context[i], OSSA_SAMPLE_OPEN, 1500, 6);
			rig[i] = rig_of(context[i], sample[i], &options);
		}
		const ossa_weights *weights = &rig[0]->weights;
		const size_t slots = weights->vertex_count * (size_t)weights->influences;
		assert_memory_equal(weights->values, rig[1]->weights.values, slots * sizeof *weights->values);
		assert_memory_equal(rig[0]->clip->rotations, rig[1]->clip->rotations,
			rig[0]->clip->frame_count * rig[0]->clip->bone_count * 4 * sizeof(double));
		for (int i = 0; i < 2; i++) {
			ossa_rig_free(context[i], rig[i]);
			ossa_sample_free(context[i], sample[i]);
			test_context_end(context[i]);
		}
	}
}

static ossa_status rig_body(ossa_context *context, void *arg)
{
	const ossa_sample *sample = arg;
	ossa_sequence_options options = with_bones(3);
	options.refine = 0;
	ossa_rig *rig;
	const ossa_status status = ossa_rig_from_sequence(context, sample->rig->mesh, sample->frames, &options, &rig);
	ossa_rig_free(context, rig);
	return status;
}

static void memory_may_end_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_TUBE, 1000, 2);
	test_allocation_sweep(rig_body, sample, 20, 9);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- stopping ---- */

enum { STAGES = 8 };
static const char *const stages[STAGES] = {
	"prepare", "parts", "weights", "refine", "skeleton", "hierarchy", "free bones", "tree"};

/* how often each stage polled for cancelling, and at which poll it is cancelled */
typedef struct stopper {
	size_t looks[STAGES], stop_at;
	const char *stop_in; /* NULL: nowhere */
} stopper;

static bool look(void *user, const char *stage, double fraction)
{
	stopper *s = user;
	(void)fraction;
	for (size_t i = 0; i < STAGES; i++) {
		if (strcmp(stage, stages[i]) != 0) continue;
		s->looks[i]++;
		return !(s->stop_in && strcmp(stage, s->stop_in) == 0 && s->looks[i] == s->stop_at);
	}
	return true;
}

/* the stages that take long are left soon, wherever they are */
static void every_long_stage_can_be_stopped(void **state)
{
	(void)state;
	ossa_context *maker = test_context(1), *context;
	ossa_sample *sample = sample_of(maker, OSSA_SAMPLE_TUBE, 1000, 6);
	const ossa_sequence_options options = with_bones(24);
	static const struct {
		size_t stage, least;
	} cases[] = {{1, 40}, {3, 40}, {5, 10}, {6, 5}};
	stopper s = {.stop_in = NULL};
	ossa_context_options watched = ossa_context_default();
	watched.progress = look;
	watched.progress_user = &s;
	watched.threads = 1;
	assert_int_equal(ossa_context_create(&watched, &context), OSSA_OK);
	ossa_rig_free(context, rig_of(context, sample, &options));
	const stopper whole = s;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const size_t looks = whole.looks[cases[i].stage], at[] = {1, looks / 2, looks};
		assert_true(looks >= cases[i].least);
		for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
			ossa_rig *rig = (ossa_rig *)1;
			s = (stopper){.stop_in = stages[cases[i].stage], .stop_at = at[k]};
			ossa_context_reset(context);
			const ossa_status status = ossa_rig_from_sequence(context, sample->rig->mesh, sample->frames, &options, &rig);
			assert_fails(context, status, OSSA_ERROR_CANCELLED, s.stop_in);
			assert_null(rig);
			assert_int_equal(ossa_context_bytes(context), 0);
			assert_int_equal(s.looks[cases[i].stage], at[k]);
		}
	}
	test_context_end(context);
	ossa_sample_free(maker, sample);
	test_context_end(maker);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_are_found),
		cmocka_unit_test(the_number_of_bones_is_found),
		cmocka_unit_test(the_papers_procedure_comes_near),
		cmocka_unit_test(stages_can_be_exchanged),
		cmocka_unit_test(nothing_moves),
		cmocka_unit_test(odd_motion_is_rigged),
		cmocka_unit_test(options_are_checked),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(memory_may_end_anywhere),
		cmocka_unit_test(every_long_stage_can_be_stopped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
