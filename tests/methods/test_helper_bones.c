/* tests/methods/test_helper_bones.c: helper bones under given ones: a bone that a skeleton lacks is
   found, a whole skeleton gets none, what is locked gives no skin away. */
#include "base/context.h"
#include "math/vec.h"
#include "support/compare.h"
#include "support/faults.h"
#include "support/support.h"

#include <ossa/fit.h>
#include <ossa/motion.h>
#include <samples/samples.h>

#include <stdio.h>
#include <string.h>

static ossa_sample *make_sample(ossa_context *context)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = 1200;
	options.frames = 12;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static ossa_status fit(ossa_context *context, ossa_rig *rig, const ossa_frames *frames, int most, double worth,
	const ossa_fit_locks *locks, ossa_fit_facts *facts)
{
	ossa_frame_stream *stream;
	ossa_fit_options options = ossa_fit_default();
	options.add_bones = most;
	options.worth = worth;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, frames, &stream));
	const ossa_status status = ossa_rig_fit_weights(context, rig, stream, &options, locks, facts);
	ossa_frame_stream_free(context, stream);
	return status;
}

/* a vertex's weight of a bone goes to another one; bones behind it move up */
static void join_weights(ossa_weights *weights, size_t v, uint16_t gone, uint16_t to)
{
	uint16_t *bone = weights->bones + v * (size_t)weights->influences;
	float *value = weights->values + v * (size_t)weights->influences;
	int own = -1;
	for (int i = 0; i < weights->influences; i++) own = value[i] > 0 && bone[i] == to ? i : own;
	for (int i = 0; i < weights->influences; i++) {
		if (value[i] > 0 && bone[i] == gone && own >= 0) {
			value[own] += value[i];
			value[i] = 0;
		}
		bone[i] = value[i] > 0 ? (uint16_t)(bone[i] == gone ? to : bone[i]) : 0;
		bone[i] = (uint16_t)(bone[i] - (bone[i] > gone));
	}
	/* pairs without weight come last */
	for (int i = 0; i < weights->influences; i++) {
		for (int k = i; k > 0 && value[k] > value[k - 1]; k--) {
			const float spare = value[k];
			const uint16_t number = bone[k];
			value[k] = value[k - 1];
			bone[k] = bone[k - 1];
			value[k - 1] = spare;
			bone[k - 1] = number;
		}
	}
}

/* a sample's rig without a leaf, whose skin is its parent's, and its motion without it */
static void remove_leaf(ossa_context *context, ossa_rig *rig, const char *name)
{
	const int32_t gone = ossa_rig_bone(rig, name);
	assert_true(gone > 0);
	const size_t count = rig->skeleton.bone_count, at = (size_t)gone;
	ossa_bone *bones = rig->skeleton.bones;
	const uint16_t parent = (uint16_t)bones[at].parent;
	ossa_clip *old = rig->clip, *clip;
	for (size_t v = 0; v < rig->weights.vertex_count; v++) join_weights(&rig->weights, v, (uint16_t)at, parent);
	for (size_t b = at; b + 1 < count; b++) bones[b] = bones[b + 1];
	for (size_t b = 0; b + 1 < count; b++) bones[b].parent -= bones[b].parent > gone;
	rig->skeleton.bone_count--;
	assert_ok(context, ossa_clip_create(context, old->frame_count, count - 1, false, &clip));
	memcpy(clip->times, old->times, old->frame_count * sizeof *old->times);
	memcpy(clip->root_positions, old->root_positions, 3 * old->frame_count * sizeof *old->root_positions);
	for (size_t k = 0; k < old->frame_count; k++) {
		const double *from = old->rotations + 4 * k * count;
		double *to = clip->rotations + 4 * k * (count - 1);
		memcpy(to, from, 4 * at * sizeof *to);
		memcpy(to + 4 * at, from + 4 * (at + 1), 4 * (count - 1 - at) * sizeof *to);
	}
	ossa_clip_free(context, old);
	rig->clip = clip;
	assert_ok(context, ossa_rig_validate(context, rig));
}

/* ---- found ---- */

static void a_bone_that_a_skeleton_lacks_is_found(void **state)
{
	(void)state;
	static const char *const names[] = {"head", "toe-l"};
	/* a toe is a hinge, along whose axis its joint may lie anywhere */
	static const double farthest[] = {0.005, 0.03};
	ossa_context *context = test_context(2);
	for (size_t i = 0; i < 2; i++) {
		ossa_sample *sample = make_sample(context);
		ossa_rig *rig = sample->rig;
		const double diagonal = test_diagonal(rig->mesh);
		const ossa_bone lost = rig->skeleton.bones[ossa_rig_bone(rig, names[i])];
		char parent[64], helper[80];
		memcpy(parent, rig->skeleton.bones[lost.parent].name, sizeof parent);
		snprintf(helper, sizeof helper, "%s_helper", parent);
		remove_leaf(context, rig, names[i]);
		const size_t given = rig->skeleton.bone_count, frames = rig->clip->frame_count;
		ossa_bone before[64];
		memcpy(before, rig->skeleton.bones, given * sizeof *before);
		ossa_fit_facts facts;
		assert_ok(context, fit(context, rig, sample->frames, 4, 0.02, NULL, &facts));
		assert_ok(context, ossa_rig_validate(context, rig));
		assert_int_equal(facts.added_bones, 1);
		assert_true(facts.rms_percent < 0.01 && facts.before_percent > 0.05);
		assert_int_equal(rig->skeleton.bone_count, given + 1);
		assert_memory_equal(before, rig->skeleton.bones, given * sizeof *before);
		const ossa_bone *made = &rig->skeleton.bones[given];
		assert_string_equal(made->name, helper);
		assert_string_equal(rig->skeleton.bones[made->parent].name, parent);
		assert_true(ossai_distance(ossai_v3_of(made->joint), ossai_v3_of(lost.joint)) < farthest[i] * diagonal);
		/* the motions that the rig has know nothing of it */
		assert_int_equal(rig->clip->frame_count, frames);
		assert_int_equal(rig->clip->bone_count, given + 1);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* in the rig's own motion what the parent moves moves as before, and the helper's skin with it */
static void helpers_stand_still_in_motions_that_are_there(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context);
	ossa_rig *rig = sample->rig;
	ossa_frames *was, *is;
	remove_leaf(context, rig, "head");
	/* all skin stays the neck's, and then the helper's */
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &was));
	assert_ok(context, fit(context, rig, sample->frames, 1, 0.02, NULL, NULL));
	const uint16_t helper = (uint16_t)(rig->skeleton.bone_count - 1), parent = (uint16_t)rig->skeleton.bones[helper].parent;
	size_t wholly = 0;
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &is));
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const size_t at = v * (size_t)rig->weights.influences;
		if (rig->weights.bones[at] != helper || rig->weights.values[at] < 1) continue;
		wholly++;
		for (size_t k = 0; k < is->frame_count; k++) {
			const float *a = was->positions + 3 * (k * rig->mesh->vertex_count + v);
			const float *b = is->positions + 3 * (k * rig->mesh->vertex_count + v);
			for (size_t i = 0; i < 3; i++) assert_near((double)a[i], (double)b[i], 1e-4 * test_diagonal(rig->mesh));
		}
	}
	assert_true(wholly > 20 && parent < helper);
	ossa_frames_free(context, was);
	ossa_frames_free(context, is);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- not added ---- */

static void bones_that_are_not_worth_it_are_not_added(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_fit_facts facts;
	ossa_sample *whole = make_sample(context), *lacking = make_sample(context), *plain = make_sample(context);
	/* a whole skeleton reproduces the frames: the same weights as without asking */
	assert_ok(context, fit(context, whole->rig, whole->frames, 5, 0.02, NULL, &facts));
	assert_int_equal(facts.added_bones, 0);
	assert_ok(context, fit(context, plain->rig, plain->frames, 0, 0.02, NULL, NULL));
	const size_t pairs = plain->rig->weights.vertex_count * (size_t)plain->rig->weights.influences;
	assert_memory_equal(whole->rig->weights.values, plain->rig->weights.values, pairs * sizeof(float));
	assert_memory_equal(whole->rig->weights.bones, plain->rig->weights.bones, pairs * sizeof(uint16_t));
	/* the head lowers the error, but not by so much */
	remove_leaf(context, lacking->rig, "head");
	assert_ok(context, fit(context, lacking->rig, lacking->frames, 5, 5, NULL, &facts));
	assert_int_equal(facts.added_bones, 0);
	assert_true(facts.rms_percent > 0.02);
	ossa_sample_free(context, whole);
	ossa_sample_free(context, lacking);
	ossa_sample_free(context, plain);
	test_context_end(context);
}

static void what_is_locked_gives_no_skin_away(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context);
	ossa_rig *rig = sample->rig;
	uint8_t locked[64] = {0};
	remove_leaf(context, rig, "head");
	const uint16_t neck = (uint16_t)ossa_rig_bone(rig, "neck");
	locked[neck] = 1;
	ossa_fit_facts facts;
	assert_ok(context, fit(context, rig, sample->frames, 3, 0.02, &(ossa_fit_locks){.weights = locked}, &facts));
	assert_ok(context, ossa_rig_validate(context, rig));
	for (size_t b = rig->skeleton.bone_count - facts.added_bones; b < rig->skeleton.bone_count; b++)
		assert_true(rig->skeleton.bones[b].parent != neck);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void threads_do_not_matter(void **state)
{
	(void)state;
	ossa_context *contexts[2];
	ossa_sample *samples[2];
	for (int i = 0; i < 2; i++) {
		contexts[i] = test_context(1 + 2 * i);
		samples[i] = make_sample(contexts[i]);
		remove_leaf(contexts[i], samples[i]->rig, "head");
		assert_ok(contexts[i], fit(contexts[i], samples[i]->rig, samples[i]->frames, 4, 0.02, NULL, NULL));
	}
	const ossa_rig *a = samples[0]->rig, *b = samples[1]->rig;
	assert_int_equal(a->skeleton.bone_count, b->skeleton.bone_count);
	assert_memory_equal(a->skeleton.bones, b->skeleton.bones, a->skeleton.bone_count * sizeof *a->skeleton.bones);
	assert_memory_equal(
		a->weights.values, b->weights.values, a->weights.vertex_count * (size_t)a->weights.influences * sizeof(float));
	for (int i = 0; i < 2; i++) {
		ossa_sample_free(contexts[i], samples[i]);
		test_context_end(contexts[i]);
	}
}

/* ---- bad input ---- */

static void without_weights_or_motion_there_are_none(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context);
	ossa_frame_stream *stream;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	for (int i = 0; i < 2; i++) {
		ossa_fit_options options = ossa_fit_default();
		options.add_bones = 1;
		options.weights = i == 0;
		options.joints = !options.weights;
		options.motion = i == 1;
		assert_fails(context, ossa_rig_fit_weights(context, sample->rig, stream, &options, NULL, NULL), OSSA_ERROR_ARGUMENT,
			"needs `weights` and `motion`");
	}
	ossa_frame_stream_free(context, stream);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static ossa_status add_in_sweep(ossa_context *context, void *arg)
{
	ossa_rig *rig;
	ossa_frame_stream *stream;
	ossa_fit_options options = ossa_fit_default();
	const ossa_sample *sample = arg;
	options.refine = 1;
	options.add_bones = 1;
	options.worth = 0.001;
	OSSAI_TRY(ossa_rig_bind(context, sample->rig, sample->rig->mesh, NULL, &rig));
	ossa_status status = ossa_frame_stream_of_frames(context, sample->frames, &stream);
	if (status == OSSA_OK) {
		status = ossa_rig_fit_weights(context, rig, stream, &options, NULL, NULL);
		ossa_frame_stream_free(context, stream);
	}
	ossa_rig_free(context, rig);
	return status;
}

static void memory_may_end_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context);
	remove_leaf(context, sample->rig, "head");
	assert_true(test_allocation_sweep(add_in_sweep, sample, 0, 97) > 100);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bone_that_a_skeleton_lacks_is_found),
		cmocka_unit_test(helpers_stand_still_in_motions_that_are_there),
		cmocka_unit_test(bones_that_are_not_worth_it_are_not_added),
		cmocka_unit_test(what_is_locked_gives_no_skin_away),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(without_weights_or_motion_there_are_none),
		cmocka_unit_test(memory_may_end_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
