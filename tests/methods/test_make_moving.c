/* tests/methods/test_make_moving.c: rigs of moving input of any length: which method, which frames,
   which rest. */
#include "methods/draft.h"
#include "methods/make_rig.h"
#include "support/compare.h"
#include "support/streams.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* no body: it changes nothing here, and looking for one takes most of the time */
static ossa_rig_options options_of(const char *method, int reference, int key_frames)
{
	ossa_rig_options options = ossa_rig_default();
	options.body = OSSA_BODY_NONE;
	strcpy(options.method, method);
	options.reference = reference;
	options.key_frames = key_frames;
	return options;
}

static ossa_status try_make(test_animated *a, const ossa_rig_options *options, ossa_rig_result *made)
{
	return ossa_rig_make(a->context, &(ossa_rig_input){.mesh = a->sample->rig->mesh, .frames = a->stream}, options, made);
}

static ossa_rig_result make(test_animated *a, const ossa_rig_options *options, int bones)
{
	ossa_rig_options own = *options;
	assert_ok(a->context, ossa_method_options_create(a->context, &own.methods));
	((ossa_examples_options *)ossa_method_options_of(own.methods, "examples"))->bones = bones;
	((ossa_sequence_options *)ossa_method_options_of(own.methods, "sequence"))->bones = bones;
	ossa_rig_result made;
	assert_ok(a->context, try_make(a, &own, &made));
	assert_ok(a->context, ossa_rig_validate(a->context, made.rig));
	assert_string_equal(made.rig->method, made.method->name);
	ossa_method_options_free(a->context, own.methods);
	return made;
}

/* of its draft where several were tried; NAN where it was not */
static double rms_by(const ossa_rig_result *made, const char *method)
{
	for (size_t i = 0; i < made->attempt_count; i++) {
		if (strcmp(made->attempts[i].method->name, method) == 0) return made->attempts[i].rms_percent;
	}
	return NAN;
}

/* No method is chosen: both make drafts, and the one of smaller error becomes the same rig as
   alone. With as many bones as the hand has, the draft is exact already, and the rig is as exact as
   the least weight that is kept; with fewer it has an error to lower. */
static void the_closer_method_stays(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_HAND, 10, 0);
	for (int bones = 12; bones <= 16; bones += 4) {
		ossa_rig_options options = options_of("auto", 0, 32);
		ossa_rig_result both = make(&a, &options, bones);
		const double by_examples = rms_by(&both, "examples"), gain = by_examples - rms_by(&both, "sequence");
		assert_true(isfinite(gain));
		const bool examples = !(gain > 1e-3 && gain > 0.01 * by_examples);
		assert_string_equal(both.rig->method, examples ? "examples" : "sequence");
		assert_non_null(strstr(both.reason, "by examples, "));
		strcpy(options.method, both.method->name);
		ossa_rig_result one = make(&a, &options, bones);
		assert_true(isnan(rms_by(&one, examples ? "sequence" : "examples")));
		assert_string_equal(one.reason, "");
		assert_true(one.hierarchy.rms_percent == both.hierarchy.rms_percent);
		assert_true(one.hierarchy.rms_percent == rms_by(&one, one.method->name));
		assert_true(one.hierarchy.rms_percent < (bones == 16 ? 1e-3 : rms_by(&both, both.method->name)));
		ossa_rig_result_free(a.context, &one);
		ossa_rig_result_free(a.context, &both);
	}
	test_animated_end(&a);
}

static void assert_same_clip(const ossa_clip *a, const ossa_clip *b)
{
	assert_int_equal(a->bone_count, b->bone_count);
	assert_memory_equal(a->rotations, b->rotations, a->frame_count * a->bone_count * 4 * sizeof *a->rotations);
}

/* the draft of examples whose bones are exchanged so many times, without the surface of another
   one */
static double draft_alone(test_animated *a, int exchanges, int bones)
{
	ossa_examples_options options = ossa_examples_default();
	const ossai_draft_start start = {.draft_exchanges = exchanges};
	ossai_draft draft = {.is_begun = false};
	options.bones = bones;
	assert_ok(a->context, ossai_examples_draft(a->context, a->sample->rig->mesh, a->sample->frames, &options, &start, &draft));
	assert_ok(a->context, ossai_draft_run(&draft));
	ossai_draft_end(a->context, &draft);
	return draft.rms_percent;
}

static void exchanges_never_make_a_draft_worse(void **state)
{
	(void)state;
	static const int kinds[] = {OSSA_SAMPLE_HAND, OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED};
	double least = 1;
	for (int i = 0; i < 3; i++) {
		test_animated a = test_animated_begin(kinds[i], 10, 0);
		const double none = draft_alone(&a, 0, 9);
		for (int exchanges = 1; exchanges <= 3; exchanges++) {
			const double some = draft_alone(&a, exchanges, 9);
			assert_true(some <= none);
			least = fmin(least, some / none);
		}
		test_animated_end(&a);
	}
	assert_true(least < 0.97);
}

/* with little effort the first method makes the rig; with the most, drafts exchange bones before
   they are compared */
static void effort_decides_what_is_tried(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_HAND, 10, 0);
	ossa_rig_options options = options_of("auto", 0, 32), named = options_of("examples", 0, 32);
	options.effort = named.effort = OSSA_EFFORT_FAST;
	ossa_rig_result fast = make(&a, &options, 9), alone = make(&a, &named, 9);
	assert_int_equal(fast.attempt_count, 1);
	assert_string_equal(fast.method->name, "examples");
	assert_string_equal(fast.reason, "");
	assert_same_clip(fast.rig->clip, alone.rig->clip);
	ossa_rig_result_free(a.context, &fast);
	ossa_rig_result_free(a.context, &alone);
	for (int is_best = 0; is_best < 2; is_best++) {
		options.effort = is_best ? OSSA_EFFORT_BEST : OSSA_EFFORT_NORMAL;
		ossa_rig_result made = make(&a, &options, 9);
		assert_int_equal(made.attempt_count, 2);
		assert_true(made.attempts[0].rms_percent == draft_alone(&a, is_best ? OSSAI_USUAL_EXCHANGES : 0, 9));
		ossa_rig_result_free(a.context, &made);
	}
	test_animated_end(&a);
}

/* rigs as published, and those of the rest shape, are made once */
static void effort_without_drafts_has_no_effect(void **state)
{
	(void)state;
	static const char *const cases[][2] = {{"examples", "0"}, {"contraction", "1"}};
	test_animated a = test_animated_begin(OSSA_SAMPLE_TUBE, 4, 1);
	for (int i = 0; i < 2; i++) {
		ossa_rig_options options = options_of(cases[i][0], 0, 2);
		ossa_rig_result made;
		assert_ok(a.context, ossa_method_options_create(a.context, &options.methods));
		assert_ok(a.context, ossa_rig_option_set(a.context, &options, "refine", cases[i][1]));
		assert_ok(a.context, ossa_rig_option_set(a.context, &options, "effort", "best"));
		assert_ok(a.context, try_make(&a, &options, &made));
		assert_int_equal(made.attempt_count, 1);
		assert_non_null(strstr(test_warning_text(a.context, "unused-options"), "`effort` ("));
		ossa_method_options_free(a.context, options.methods);
		ossa_rig_result_free(a.context, &made);
	}
	test_animated_end(&a);
}

/* a rig of some frames moves as all of them do, as closely as one made of all */
static void few_frames_stand_for_many(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 60, 0);
	ossa_rig_options options = options_of("examples", 0, 12);
	ossa_rig_result few = make(&a, &options, 19);
	assert_int_equal(few.key_frame_count, 12);
	assert_int_equal(few.frame_count, 60);
	assert_int_equal(few.rig->clip->frame_count, 60);
	ossa_metrics metrics;
	assert_ok(a.context, ossa_rig_measure(a.context, few.rig, NULL, NULL, a.sample->frames, &metrics));
	assert_true(metrics.rms_percent < 0.02);
	assert_near(metrics.rms_percent, few.hierarchy.rms_percent, 1e-4);
	assert_near(metrics.accu_percent, few.hierarchy.accu_percent, 1e-4);
	assert_near(metrics.compression / few.hierarchy.compression, 1, 1e-9);
	for (size_t f = 0; f < 60; f++) assert_true(few.rig->clip->times[f] == a.sample->frames->times[f]);
	ossa_rig_result_free(a.context, &few);
	test_animated_end(&a);
}

/* the shape of a frame as rest: the rig's mesh is that frame, whichever frames the rig is made
   of */
static void a_frame_can_be_the_rest(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_TUBE, 24, 0);
	ossa_rig_options options = options_of("examples", 17, 6);
	ossa_rig_result made = make(&a, &options, 4);
	const size_t size = 3 * made.rig->mesh->vertex_count;
	assert_memory_equal(made.rig->mesh->positions, a.sample->frames->positions + 16 * size, size * sizeof(float));
	/* linear blending is not exact from any pose but the true rest */
	assert_true(made.hierarchy.rms_percent < 0.5);
	ossa_rig_result_free(a.context, &made);
	options.reference = 25;
	assert_fails(a.context, try_make(&a, &options, &made), OSSA_ERROR_ARGUMENT, "24 frames");
	assert_null(made.rig);
	test_animated_end(&a);
}

/* As a tube bends more and more, the frame in the middle of the motion is nearest to all; so is the
   rest mesh if it is in the middle. */
static void the_middle_of_the_motion_can_be_the_rest(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_TUBE, 9, 0);
	const size_t size = 3 * a.sample->frames->vertex_count;
	const float *rest = a.sample->rig->mesh->positions;
	float *positions = a.sample->frames->positions, *farthest = positions + 8 * size;
	for (size_t f = 0; f < 9; f++) {
		for (size_t i = 0; i < size; i++) {
			const float bent = rest[i] + (farthest[i] - rest[i]) * (float)(f + 1) / 9;
			if (f < 8) positions[f * size + i] = bent;
		}
	}
	ossa_rig_options options = options_of("examples", OSSA_REFERENCE_AUTO, 0);
	ossa_rig_result made = make(&a, &options, 3);
	const float *found = made.rig->mesh->positions;
	assert_memory_not_equal(found, rest, size * sizeof *found);
	const bool fourth = memcmp(found, positions + 3 * size, size * sizeof *found) == 0;
	assert_true(fourth || memcmp(found, positions + 4 * size, size * sizeof *found) == 0);
	ossa_rig_result_free(a.context, &made);
	/* frames on both sides */
	for (size_t i = 0; i < 4 * size; i++) positions[i] = 2 * rest[i % size] - positions[i];
	a.sample->frames->frame_count = 8;
	for (size_t f = 0; f < 4; f++) {
		for (size_t i = 0; i < size; i++) positions[(4 + f) * size + i] = 2 * rest[i] - positions[f * size + i];
	}
	ossa_frame_stream *both;
	assert_ok(a.context, ossa_frame_stream_of_frames(a.context, a.sample->frames, &both));
	const ossa_rig_input input = {.mesh = a.sample->rig->mesh, .frames = both};
	assert_ok(a.context, ossa_rig_make(a.context, &input, &options, &made));
	assert_memory_equal(made.rig->mesh->positions, rest, size * sizeof *rest);
	ossa_rig_result_free(a.context, &made);
	ossa_frame_stream_free(a.context, both);
	test_animated_end(&a);
}

/* if seeds find no relative motion, the rig of the clusters is kept; so for a rigid rotation of the
   whole, with a warning */
static void stillness_is_rigged_by_examples(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_TUBE, 3, 1);
	const size_t size = 3 * a.sample->frames->vertex_count;
	float *positions = a.sample->frames->positions;
	const float *rest = a.sample->rig->mesh->positions;
	for (size_t i = 0; i < 3 * size; i++) positions[i] = rest[i % size];
	/* x y z becomes z x y, and 5 away, in the last frame */
	for (size_t i = 0; i < size; i++) positions[2 * size + i] = rest[i / 3 * 3 + (i + 2) % 3] + 5;
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made = make(&a, &options, 2);
	assert_true(isnan(rms_by(&made, "sequence")) && made.hierarchy.rms_percent < 1e-3);
	assert_int_equal(test_warned(a.context, "no-motion"), 1);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

/* one vertex that moves by a thousandth of the diagonal is motion */
static void a_little_motion_is_not_stillness(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_TUBE, 1, 1);
	const ossa_mesh *mesh = a.sample->rig->mesh;
	memcpy(a.sample->frames->positions, mesh->positions, 3 * mesh->vertex_count * sizeof(float));
	a.sample->frames->positions[1] += (float)(1e-3 * test_diagonal(mesh));
	ossa_rig_options options = options_of("examples", 0, 0);
	ossa_rig_result made = make(&a, &options, 1);
	assert_int_equal(test_warned(a.context, "no-motion"), 0);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

static void threads_change_nothing(void **state)
{
	(void)state;
	ossa_rig_options options = options_of("auto", 0, 8);
	options.effort = OSSA_EFFORT_BEST;
	options.body = OSSA_BODY_AUTO;
	test_animated a[2] = {test_animated_begin(OSSA_SAMPLE_OPEN, 20, 1), test_animated_begin(OSSA_SAMPLE_OPEN, 20, 4)};
	ossa_rig_result made[2];
	for (int i = 0; i < 2; i++) made[i] = make(&a[i], &options, 7);
	assert_same_clip(made[0].rig->clip, made[1].rig->clip);
	for (int i = 0; i < 2; i++) {
		ossa_rig_result_free(a[i].context, &made[i]);
		test_animated_end(&a[i]);
	}
}

/* a sheet that waves as no bone does on a tube that is still: the report says whose skin it is */
static void what_no_skeleton_explains_is_reported(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 8, 1);
	const ossa_mesh *mesh = a.sample->rig->mesh;
	const size_t vertices = mesh->vertex_count;
	double low = INFINITY, high = -INFINITY;
	for (size_t v = 0; v < vertices; v++) {
		low = fmin(low, mesh->positions[3 * v + 1]);
		high = fmax(high, mesh->positions[3 * v + 1]);
	}
	/* the lower third ripples, every vertex its own way */
	for (size_t i = 0; i < 8 * vertices; i++) {
		const double height = (mesh->positions[3 * (i % vertices) + 1] - low) / (high - low);
		if (height < 0.33)
			a.sample->frames->positions[3 * i + 2] += (float)(0.12 * (high - low) * sin(2.4 * (double)(i * i % 1009)));
	}
	const ossa_rig_options options = options_of("examples", 0, 0);
	ossa_rig_result made = make(&a, &options, 19);
	const int64_t reported = test_warned(a.context, "unexplained");
	size_t off = 0;
	for (size_t b = 0; b < made.rig->skeleton.bone_count; b++) off += made.bone_rms[b] > 1;
	assert_true(reported > 0 && reported == (int64_t)off && off < made.rig->skeleton.bone_count);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

static float largest_weight(const ossa_rig *rig, size_t bone)
{
	float most = 0;
	for (size_t i = 0; i < rig->weights.vertex_count * (size_t)rig->weights.influences; i++) {
		if (rig->weights.bones[i] == bone) most = fmaxf(most, rig->weights.values[i]);
	}
	return most;
}

static size_t child_count(const ossa_rig *rig, size_t bone)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) count += rig->skeleton.bones[b].parent == (int32_t)bone;
	return count;
}

/* heat gives all of a bone's skin to its neighbours where there are more bones than the shape can
   use: those at the ends are removed, those with children are kept, with a warning */
static void bones_without_skin_hold_others(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_HAND, 6, 1);
	ossa_examples_options examples = ossa_examples_default();
	examples.bones = 60;
	examples.weights = OSSA_WEIGHTS_HEAT;
	ossa_rig *rig;
	assert_ok(a.context, ossa_rig_from_examples(a.context, a.sample->rig->mesh, a.sample->frames, &examples, &rig));
	int64_t idle = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (largest_weight(rig, b) > 1e-4F) continue;
		idle++;
		assert_true(child_count(rig, b) > (rig->skeleton.bones[b].parent < 0));
	}
	assert_true(rig->skeleton.bone_count < 60);
	assert_int_equal(test_warned(a.context, "fewer-bones"), 60 - (int64_t)rig->skeleton.bone_count);
	assert_int_equal(test_warned(a.context, "idle-bones"), idle);
	ossa_rig_free(a.context, rig);
	test_animated_end(&a);
}

/* the bones' errors make up the whole's */
static void errors_of_bones_are_those_of_the_whole(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_QUADRUPED, 6, 2);
	const ossa_rig_options options = options_of("examples", 0, 0);
	ossa_rig_result made = make(&a, &options, 9);
	double sum = 0, count = 0;
	for (size_t b = 0; b < made.rig->skeleton.bone_count; b++) {
		size_t own = 0;
		for (size_t v = 0; v < made.rig->mesh->vertex_count; v++) {
			own += made.rig->weights.bones[v * (size_t)made.rig->weights.influences] == b;
		}
		if (own > 0) sum += made.bone_rms[b] * made.bone_rms[b] * (double)own;
		count += (double)own;
	}
	assert_near(sqrt(sum / count) / made.hierarchy.rms_percent, 1, 1e-6);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

/* one bar for both methods and the motion: it never falls and ends at the end */
typedef struct bar {
	double last;
	int calls;
} bar;

static bool watch(void *user, const char *stage, double fraction)
{
	bar *b = user;
	(void)stage;
	if (fraction < b->last) fail_msg("the bar falls from %g to %g", b->last, fraction);
	b->last = fraction;
	b->calls++;
	return true;
}

static void progress_is_one_bar(void **state)
{
	(void)state;
	bar b = {0, 0};
	ossa_context_options options = ossa_context_default();
	options.progress = watch;
	options.progress_user = &b;
	test_animated a = test_animated_begin(OSSA_SAMPLE_TUBE, 16, 1);
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	ossa_frame_stream *stream;
	assert_ok(context, ossa_frame_stream_of_frames(context, a.sample->frames, &stream));
	const ossa_rig_options own = options_of("auto", 0, 6);
	ossa_rig_result made;
	b = (bar){0, 0};
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){a.sample->rig->mesh, stream}, &own, &made));
	assert_true(b.calls > 10 && b.last > 0.95);
	ossa_rig_result_free(context, &made);
	ossa_frame_stream_free(context, stream);
	ossa_context_free(context);
	test_animated_end(&a);
}

static bool stop_at(void *user, const char *stage, double fraction)
{
	(void)stage, (void)fraction;
	return --*(int *)user > 0;
}

/* tasks end before what they read is freed: a sanitizer sees where they do not */
static void it_may_be_stopped_anywhere(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_HAND, 6, 1);
	ossa_status status = OSSA_ERROR_CANCELLED;
	for (int calls = 1; status == OSSA_ERROR_CANCELLED; calls += 1 + calls / 2) {
		int left = calls;
		ossa_context_options options = ossa_context_default();
		ossa_context *context;
		ossa_rig_input input = {.mesh = a.sample->rig->mesh};
		ossa_rig_result made = {.rig = NULL};
		options.threads = 3;
		options.progress = stop_at;
		options.progress_user = &left;
		assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
		assert_ok(context, ossa_frame_stream_of_frames(context, a.sample->frames, &input.frames));
		status = ossa_rig_make(context, &input, NULL, &made);
		assert_true(status == OSSA_OK || (status == OSSA_ERROR_CANCELLED && !made.rig));
		ossa_rig_result_free(context, &made);
		ossa_frame_stream_free(context, input.frames);
		assert_int_equal(ossa_context_bytes(context), 0);
		ossa_context_free(context);
		if (status == OSSA_OK) assert_true(calls > 100);
	}
	assert_int_equal(status, OSSA_OK);
	test_animated_end(&a);
}

static ossa_status sweep_making(ossa_context *context, void *sample)
{
	const ossa_sample *given = sample;
	ossa_rig_input input = {.mesh = given->rig->mesh};
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made = {.rig = NULL};
	options.key_frames = 2;
	options.reference = 1;
	options.names = OSSA_NAMES_NUMBERS;
	ossa_status status = ossa_frame_stream_of_frames(context, given->frames, &input.frames);
	if (status == OSSA_OK) status = ossa_rig_make(context, &input, &options, &made);
	if (status != OSSA_OK) assert_null(made.rig);
	ossa_frame_stream_free(context, input.frames);
	ossa_rig_result_free(context, &made);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_TUBE, 3, 1);
	assert_true(test_allocation_sweep(sweep_making, a.sample, 20, 127) > 200);
	test_animated_end(&a);
}

static bool is_closer(double late, double early)
{
	const ossai_attempt a = {.rms_percent = late}, b = {.rms_percent = early};
	return ossai_attempt_is_closer(&a, &b);
}

/* by 0.001 % of the diagonal, and by a hundredth */
static void a_little_closer_is_not_better(void **state)
{
	(void)state;
	assert_false(is_closer(0.0491, 0.05));
	assert_true(is_closer(0.0489, 0.05));
	assert_false(is_closer(0.991, 1));
	assert_true(is_closer(0.989, 1));
	assert_false(is_closer(1, 0.5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_closer_method_stays),
		cmocka_unit_test(exchanges_never_make_a_draft_worse),
		cmocka_unit_test(effort_decides_what_is_tried),
		cmocka_unit_test(effort_without_drafts_has_no_effect),
		cmocka_unit_test(a_little_closer_is_not_better),
		cmocka_unit_test(few_frames_stand_for_many),
		cmocka_unit_test(a_frame_can_be_the_rest),
		cmocka_unit_test(the_middle_of_the_motion_can_be_the_rest),
		cmocka_unit_test(stillness_is_rigged_by_examples),
		cmocka_unit_test(a_little_motion_is_not_stillness),
		cmocka_unit_test(what_no_skeleton_explains_is_reported),
		cmocka_unit_test(bones_without_skin_hold_others),
		cmocka_unit_test(errors_of_bones_are_those_of_the_whole),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(progress_is_one_bar),
		cmocka_unit_test(it_may_be_stopped_anywhere),
		cmocka_unit_test(memory_may_fail_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
