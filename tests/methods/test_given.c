/* tests/methods/test_given.c: weights and joints for bones that are given: those of exact samples
   are found, what is locked stays, silent bones keep what the shape says, bad input is refused. */
#include "base/context.h"
#include "math/vec.h"
#include "support/compare.h"
#include "support/faults.h"
#include "support/support.h"

#include <ossa/fit.h>
#include <ossa/motion.h>
#include <samples/samples.h>

#include <math.h>
#include <string.h>

static ossa_sample *make_sample(ossa_context *context, int kind, int frames)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = 1200;
	options.frames = frames;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static ossa_status fit(ossa_context *context, ossa_rig *rig, const ossa_frames *frames, const ossa_fit_options *options,
	const ossa_fit_locks *locks, ossa_fit_facts *facts)
{
	ossa_frame_stream *stream;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, frames, &stream));
	const ossa_status status = ossa_rig_fit_weights(context, rig, stream, options, locks, facts);
	ossa_frame_stream_free(context, stream);
	return status;
}

/* RMS of the rig with the motion that fits best, percent */
static double error_of(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames)
{
	ossa_frame_stream *stream;
	ossa_motion_fit *motion;
	assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
	assert_ok(context, ossa_rig_fit_motion(context, rig, stream, NULL, &motion));
	const double rms = motion->errors.rms_percent;
	ossa_motion_fit_free(context, motion);
	ossa_frame_stream_free(context, stream);
	return rms;
}

static ossa_rig *bind(ossa_context *context, const ossa_rig *rig)
{
	ossa_rig *bound;
	assert_ok(context, ossa_rig_bind(context, rig, rig->mesh, NULL, &bound));
	assert_ok(context, ossa_rig_validate(context, bound));
	return bound;
}

static double weight_of(const ossa_rig *rig, size_t v, uint16_t bone)
{
	const size_t width = (size_t)rig->weights.influences;
	for (size_t i = v * width; i < (v + 1) * width; i++) {
		if (rig->weights.bones[i] == bone && rig->weights.values[i] > 0) return (double)rig->weights.values[i];
	}
	return 0;
}

/* ---- what is solved for ---- */

static void weights_of_exact_samples_are_found(void **state)
{
	(void)state;
	static const int kinds[] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED};
	ossa_context *context = test_context(2);
	for (size_t i = 0; i < 2; i++) {
		ossa_sample *sample = make_sample(context, kinds[i], 16);
		ossa_rig *rig = bind(context, sample->rig);
		ossa_fit_facts facts;
		assert_ok(context, fit(context, rig, sample->frames, NULL, NULL, &facts));
		assert_ok(context, ossa_rig_validate(context, rig));
		assert_true(facts.before_percent > 0.2 && facts.rms_percent < 0.02 && facts.key_frame_count == 16);
		assert_true(facts.vertices_changed > 0);
		/* what it says is what the rig does */
		assert_near(error_of(context, rig, sample->frames), facts.rms_percent, 1e-3);
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			assert_string_equal(rig->skeleton.bones[b].name, sample->rig->skeleton.bones[b].name);
			assert_memory_equal(rig->skeleton.bones[b].joint, sample->rig->skeleton.bones[b].joint, 3 * sizeof(double));
		}
		ossa_rig_free(context, rig);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

static void joints_are_found_for_weights(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 16);
	ossa_skeleton *skeleton = &sample->rig->skeleton;
	const double diagonal = test_diagonal(sample->rig->mesh);
	uint64_t seed = 5;
	double truth[64][3], worst = 0;
	uint8_t locked[64] = {0};
	ossa_fit_options options = ossa_fit_default();
	ossa_fit_facts facts;
	options.weights = false;
	options.joints = true;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		memcpy(truth[b], skeleton->bones[b].joint, sizeof truth[b]);
		for (size_t i = 0; i < 3 && b > 0; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			skeleton->bones[b].joint[i] += 0.02 * diagonal * ((double)(seed >> 40) / (1 << 24) - 0.5);
		}
	}
	locked[3] = 1;
	const double kept[3] = {skeleton->bones[3].joint[0], skeleton->bones[3].joint[1], skeleton->bones[3].joint[2]};
	const ossa_fit_locks locks = {.joints = locked};
	ossa_rig before = *sample->rig;
	assert_ok(context, fit(context, sample->rig, sample->frames, &options, &locks, &facts));
	assert_ok(context, ossa_rig_validate(context, sample->rig));
	assert_ptr_equal(before.weights.values, sample->rig->weights.values);
	assert_true(5 * facts.rms_percent < facts.before_percent && facts.vertices_changed == 0);
	assert_memory_equal(skeleton->bones[3].joint, kept, sizeof kept);
	for (size_t b = 1; b < skeleton->bone_count; b++) {
		if (b == 3 || skeleton->bones[b].turn_degrees < 20) continue;
		worst = fmax(worst, ossai_distance(ossai_v3_of(skeleton->bones[b].joint), ossai_v3_of(truth[b])) / diagonal);
	}
	/* of those that turn enough for the motion to determine them; hinges slide along their axes */
	assert_true(worst < 0.012);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void the_rigs_own_motion_may_stay(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 12);
	ossa_rig *rig = bind(context, sample->rig);
	ossa_fit_options options = ossa_fit_default();
	ossa_fit_facts facts;
	ossa_metrics metrics;
	options.motion = false;
	assert_ok(context, fit(context, rig, sample->frames, &options, NULL, &facts));
	/* the true motion stays, so the true weights follow from it */
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, sample->frames, &metrics));
	assert_near(metrics.rms_percent, facts.rms_percent, 1e-4);
	assert_true(facts.rms_percent < 0.02 && facts.before_percent > 0.1);
	assert_memory_equal(rig->clip->rotations, sample->rig->clip->rotations,
		4 * rig->clip->frame_count * rig->clip->bone_count * sizeof(double));
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- what stays ---- */

static void what_is_locked_stays(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 12);
	ossa_rig *rig = bind(context, sample->rig), *before = bind(context, sample->rig);
	const size_t vertices = rig->mesh->vertex_count;
	float *share = ossa_alloc(context, vertices, sizeof *share);
	uint8_t bones[64] = {0};
	for (size_t v = 0; v < vertices; v++) share[v] = v % 4 == 0 ? 1 : v % 4 == 1 ? 0.5f : 0;
	bones[5] = 1;
	const ossa_fit_locks locks = {.vertices = share, .weights = bones};
	assert_ok(context, fit(context, rig, sample->frames, NULL, &locks, NULL));
	assert_ok(context, ossa_rig_validate(context, rig));
	for (size_t v = 0; v < vertices; v++) {
		for (uint16_t b = 0; b < rig->skeleton.bone_count; b++) {
			const double was = weight_of(before, v, b), is = weight_of(rig, v, b);
			if (b == 5) assert_near(is, was, 2e-5);
			if (v % 4 == 0) assert_true(is == was);
			if (v % 4 == 1) assert_true(is > 0.5 * was - 2e-5);
		}
	}
	ossa_free(context, share);
	ossa_rig_free(context, before);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* two bones that move alike share their skin as the shape says, not as rounding does */
static void silent_bones_keep_their_weights(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 12);
	ossa_rig *rig = sample->rig, *bound, *fitted;
	ossa_frames *frames;
	/* the last bone that has a parent other than the root rests against it */
	uint16_t b = (uint16_t)(rig->skeleton.bone_count - 1), parent = (uint16_t)rig->skeleton.bones[b].parent;
	double q[4];
	assert_true(parent > 0);
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		const ossai_quat up = ossai_quat_conjugate(ossai_quat_of(rig->skeleton.bones[parent].orientation));
		ossai_quat_store(ossai_quat_mul(up, ossai_quat_of(rig->skeleton.bones[b].orientation)), q);
		memcpy(rig->clip->rotations + (f * rig->clip->bone_count + b) * 4, q, sizeof q);
	}
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	bound = bind(context, rig);
	fitted = bind(context, rig);
	assert_ok(context, fit(context, fitted, frames, NULL, NULL, NULL));
	double moved = 0, all = 0;
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const double was = weight_of(bound, v, b), is = weight_of(fitted, v, b);
		if (!(weight_of(bound, v, b) + weight_of(bound, v, parent) > 0.99)) continue;
		if (!(weight_of(fitted, v, b) + weight_of(fitted, v, parent) > 0.99)) continue;
		moved += fabs(was - is);
		all += 1;
	}
	assert_true(all > 8 && moved / all < 0.05);
	ossa_rig_free(context, fitted);
	ossa_rig_free(context, bound);
	ossa_frames_free(context, frames);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void threads_do_not_matter(void **state)
{
	(void)state;
	ossa_weights first = {0};
	ossa_context *contexts[2];
	ossa_rig *rigs[2];
	for (int i = 0; i < 2; i++) {
		contexts[i] = test_context(1 + 2 * i);
		ossa_sample *sample = make_sample(contexts[i], OSSA_SAMPLE_BIPED, 12);
		ossa_fit_options options = ossa_fit_default();
		options.joints = true;
		options.key_frames = 8;
		rigs[i] = bind(contexts[i], sample->rig);
		assert_ok(contexts[i], fit(contexts[i], rigs[i], sample->frames, &options, NULL, NULL));
		ossa_sample_free(contexts[i], sample);
		if (i == 0) first = rigs[0]->weights;
	}
	const size_t pairs = first.vertex_count * (size_t)first.influences;
	assert_memory_equal(first.values, rigs[1]->weights.values, pairs * sizeof *first.values);
	assert_memory_equal(first.bones, rigs[1]->weights.bones, pairs * sizeof *first.bones);
	for (int i = 0; i < 2; i++) {
		ossa_rig_free(contexts[i], rigs[i]);
		test_context_end(contexts[i]);
	}
}

/* ---- place ---- */

static void a_skeleton_in_another_unit_is_scaled(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 2);
	ossa_rig *bound = NULL, *plain = bind(context, sample->rig);
	ossa_bind_options stay = ossa_bind_default();
	stay.place = false;
	for (size_t b = 0; b < sample->rig->skeleton.bone_count; b++) {
		for (size_t i = 0; i < 3; i++) sample->rig->skeleton.bones[b].joint[i] *= 100;
		for (size_t i = 0; i < 3; i++) sample->rig->skeleton.bones[b].tail[i] *= 100;
	}
	assert_fails(context, ossa_rig_bind(context, sample->rig, sample->rig->mesh, &stay, &bound), OSSA_ERROR_INPUT,
		"does not lie in the mesh");
	assert_null(bound);
	assert_ok(context, ossa_rig_bind(context, sample->rig, sample->rig->mesh, NULL, &bound));
	assert_true(test_warned(context, "skeleton-placed"));
	for (size_t b = 0; b < bound->skeleton.bone_count; b++) {
		for (size_t i = 0; i < 3; i++) {
			const double wanted = plain->skeleton.bones[b].joint[i];
			assert_near(bound->skeleton.bones[b].joint[i], wanted, 1e-9 * test_diagonal(bound->mesh));
		}
	}
	/* nowhere near, in no unit */
	for (size_t b = 0; b < sample->rig->skeleton.bone_count; b++) sample->rig->skeleton.bones[b].joint[0] += 1e6;
	ossa_rig_free(context, bound);
	assert_fails(context, ossa_rig_bind(context, sample->rig, sample->rig->mesh, NULL, &bound), OSSA_ERROR_INPUT, "usual unit");
	ossa_rig_free(context, plain);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bad input ---- */

static void bad_input_is_refused_and_the_rig_stays(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, 4), *other = make_sample(context, OSSA_SAMPLE_TUBE, 4);
	ossa_rig *rig = bind(context, sample->rig), *skeleton, *bound;
	const float *values = rig->weights.values;
	ossa_fit_options options = ossa_fit_default();
	float *share = ossa_alloc(context, rig->mesh->vertex_count, sizeof *share);
	share[7] = 1.5f;
	const ossa_fit_locks locks = {.vertices = share};
	assert_fails(context, fit(context, rig, other->frames, NULL, NULL, NULL), OSSA_ERROR_INPUT, "vertices");
	assert_fails(context, fit(context, rig, sample->frames, NULL, &locks, NULL), OSSA_ERROR_ARGUMENT, "vertex 7 keeps 1.5");
	options.motion = false;
	ossa_clip_free(context, rig->clip);
	rig->clip = NULL;
	assert_fails(context, fit(context, rig, sample->frames, &options, NULL, NULL), OSSA_ERROR_INPUT, "own motion is to stay");
	options.cookie = 0;
	assert_fails(context, fit(context, rig, sample->frames, &options, NULL, NULL), OSSA_ERROR_ARGUMENT, "ossa_fit_default()");
	assert_ptr_equal(values, rig->weights.values);
	assert_ok(context, ossa_rig_create(context, &(ossa_mesh){0}, 3, 1, &skeleton));
	assert_fails(context, ossa_rig_bind(context, skeleton, skeleton->mesh, NULL, &bound), OSSA_ERROR_INPUT, NULL);
	ossa_rig_free(context, rig);
	ossa_rig_free(context, skeleton);
	ossa_free(context, share);
	ossa_sample_free(context, other);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

typedef struct sweep {
	ossa_sample *sample;
} sweep;

static ossa_status fit_in_sweep(ossa_context *context, void *arg)
{
	const sweep *s = arg;
	ossa_fit_options options = ossa_fit_default();
	ossa_rig *rig;
	options.refine = 1;
	options.joints = true;
	OSSAI_TRY(ossa_rig_bind(context, s->sample->rig, s->sample->rig->mesh, NULL, &rig));
	const ossa_status status = fit(context, rig, s->sample->frames, &options, NULL, NULL);
	ossa_rig_free(context, rig);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample_options options = ossa_sample_default();
	sweep s;
	options.kind = OSSA_SAMPLE_TUBE;
	options.faces = 1000;
	options.frames = 3;
	assert_ok(context, ossa_sample_create(context, &options, &s.sample));
	test_allocation_sweep(fit_in_sweep, &s, test_is_long() ? 1000 : 60, 3);
	ossa_sample_free(context, s.sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(weights_of_exact_samples_are_found),
		cmocka_unit_test(joints_are_found_for_weights), cmocka_unit_test(the_rigs_own_motion_may_stay),
		cmocka_unit_test(what_is_locked_stays), cmocka_unit_test(silent_bones_keep_their_weights),
		cmocka_unit_test(threads_do_not_matter), cmocka_unit_test(a_skeleton_in_another_unit_is_scaled),
		cmocka_unit_test(bad_input_is_refused_and_the_rig_stays), cmocka_unit_test(every_allocation_may_fail)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
