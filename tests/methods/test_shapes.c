/* tests/methods/test_shapes.c: corrective shapes: known ones are found, noise gives none, and what
   fast sums say of left out frames is what plain ones say. */
#include "methods/shape_fit.h"
#include "rig/shapes.h"
#include "rig/turns.h"
#include "scene/mesh.h"
#include "support/bulges.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <samples/samples.h>
#include <stdlib.h>
#include <string.h>

static ossa_status add(
	ossa_context *context, ossa_rig *rig, const ossa_frames *frames, int most, double worth, ossa_shape_facts *facts)
{
	ossa_frame_stream *stream;
	ossa_shape_options options = ossa_shape_default();
	options.add_shapes = most;
	options.worth = worth;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, frames, &stream));
	const ossa_status status = ossa_rig_add_shapes(context, rig, stream, &options, NULL, facts);
	ossa_frame_stream_free(context, stream);
	return status;
}

static const ossa_morph *shape_of(const ossa_rig *rig, const char *bone)
{
	for (size_t m = 0; m < rig->mesh->morph_count; m++) {
		if (strcmp(rig->mesh->morphs[m].driver.bone, bone) == 0) return &rig->mesh->morphs[m];
	}
	return NULL;
}

/* the largest difference of two shapes at any vertex, over the largest displacement of the first */
static double difference(const ossa_mesh *mesh, const ossa_morph *a, const ossa_morph *b)
{
	double *off = calloc(3 * mesh->vertex_count, sizeof *off), most = 0, worst = 0;
	assert_non_null(off);
	for (size_t i = 0; i < 3 * a->count; i++) off[3 * (size_t)a->vertices[i / 3] + i % 3] = (double)a->deltas[i];
	for (size_t v = 0; v < mesh->vertex_count; v++) most = fmax(most, ossai_length(ossai_v3_of(off + 3 * v)));
	for (size_t i = 0; i < 3 * b->count; i++) off[3 * (size_t)b->vertices[i / 3] + i % 3] -= (double)b->deltas[i];
	for (size_t v = 0; v < mesh->vertex_count; v++) worst = fmax(worst, ossai_length(ossai_v3_of(off + 3 * v)));
	free(off);
	return worst / most;
}

/* ---- found ---- */

static void known_shapes_are_found(void **state)
{
	(void)state;
	static const char *const bones[] = {"forearm-l", "shin-r"};
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_bulges_sample(context, 2000);
	ossa_rig *rig = sample->rig;
	ossa_mesh *truth;
	ossa_frames *frames;
	ossa_shape_facts facts;
	/* one bulges from rest on, one from two thirds of the way on */
	test_bulges_add(context, rig, bones[0], "elbow", 0, 0.02);
	test_bulges_add(context, rig, bones[1], "knee", 2.0 / 3, 0.02);
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	assert_ok(context, ossa_mesh_copy(context, rig->mesh, &truth));
	assert_ok(context, add(context, rig, frames, 10, 5, &facts));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_int_equal(facts.shape_count, 2);
	assert_int_equal(ossa_rig_shape_count(rig), 2);
	assert_true(facts.before_percent > 0.05);
	assert_true(facts.rms_percent < 0.01 * facts.before_percent && facts.held_percent < 0.01 * facts.before_percent);
	assert_near(facts.metrics.rms_percent, facts.rms_percent, 1e-4 * facts.before_percent);
	for (size_t i = 0; i < 2; i++) {
		const ossa_morph *made = shape_of(rig, bones[i]), *known = &truth->morphs[i];
		char name[80];
		snprintf(name, sizeof name, "%s_shape", bones[i]);
		assert_non_null(made);
		assert_string_equal(made->name, name);
		assert_near(made->driver.from, known->driver.from, 1e-6);
		assert_near(made->driver.to, known->driver.to, 1e-6);
		assert_true(difference(truth, known, made) < 0.01);
	}
	ossa_mesh_free(context, truth);
	ossa_frames_free(context, frames);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* again on a rig that has some: the old ones are replaced */
static void shapes_are_replaced(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_frames *frames;
	ossa_shape_facts facts;
	test_bulges_add(context, sample->rig, "shin-l", "knee", 0, 0.02);
	assert_ok(context, ossa_rig_frames(context, sample->rig, NULL, &frames));
	for (int i = 0; i < 2; i++) {
		assert_ok(context, add(context, sample->rig, frames, 3, 5, &facts));
		assert_int_equal(facts.shape_count, 1);
		assert_int_equal(sample->rig->mesh->morph_count, 1);
	}
	assert_ok(context, add(context, sample->rig, frames, 0, 5, &facts));
	assert_int_equal(sample->rig->mesh->morph_count, 0);
	ossa_frames_free(context, frames);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- not found ---- */

/* turns of a hinge scaled so that the farthest is that many degrees */
static void scale_turns(ossa_rig *rig, const char *name, double farthest)
{
	const size_t bone = (size_t)ossa_rig_bone(rig, name);
	const ossa_bone *own = &rig->skeleton.bones[bone];
	const ossai_quat rest = ossai_rest_rotation(rig->skeleton.bones, bone);
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(own->orientation));
	const ossai_vec3 axis = ossai_mat3_tmul_v(&frame, ossai_v3_of(own->axis));
	double most = 0;
	for (size_t f = 0; f < rig->clip->frame_count; f++)
		most = fmax(most, fabs(ossai_driver_angle(rig, bone, own->axis, rig->clip, f)));
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		const double angle = ossai_driver_angle(rig, bone, own->axis, rig->clip, f) * farthest / most;
		const ossai_quat turn = ossai_quat_axis_angle(axis, angle * OSSAI_PI / 180);
		ossai_quat_store(ossai_quat_mul(rest, turn), rig->clip->rotations + 4 * (f * rig->clip->bone_count + bone));
	}
}

/* joints that turn by less than 5 degrees have no shape */
static void a_joint_must_turn(void **state)
{
	(void)state;
	static const double degrees[] = {4.9, 5.1};
	for (size_t i = 0; i < 2; i++) {
		ossa_context *context = test_context(1);
		ossa_sample *sample = test_bulges_sample(context, 1000);
		ossa_frames *frames;
		ossa_shape_facts facts;
		scale_turns(sample->rig, "shin-l", degrees[i]);
		const size_t made = test_bulges_add(context, sample->rig, "shin-l", "knee", 0, 0.02);
		assert_near(fabs(sample->rig->mesh->morphs[made].driver.to), degrees[i], 1e-6);
		assert_ok(context, ossa_rig_frames(context, sample->rig, NULL, &frames));
		assert_ok(context, add(context, sample->rig, frames, 1, 50, &facts));
		assert_int_equal(facts.shape_count, i);
		ossa_frames_free(context, frames);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
}

/* nor has a rig that is exact but for rounding */
static void rounding_gives_no_shape(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_shape_facts facts;
	assert_ok(context, add(context, sample->rig, sample->frames, 20, 1, &facts));
	assert_int_equal(facts.shape_count, 0);
	assert_true(facts.before_percent > 0);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* what no angle explains: noise of 0.5 % of the diagonal */
static void noise_gives_no_shape(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_shape_facts facts;
	uint32_t seed = 7;
	const double size = 0.005 * test_diagonal(sample->rig->mesh);
	ossa_frames *frames = sample->frames;
	for (size_t i = 0; i < 3 * frames->frame_count * frames->vertex_count; i++)
		frames->positions[i] += (float)(size * ((double)test_random_bits(&seed) * 0x1p-23 - 1));
	assert_ok(context, add(context, sample->rig, frames, 20, 1, &facts));
	assert_int_equal(facts.shape_count, 0);
	assert_true(facts.before_percent > 0.2 && facts.rms_percent == facts.before_percent);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the share of the error is the worth: of two shapes the smaller one just over and under it */
static void a_shape_is_kept_for_its_worth(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_frames *frames;
	ossa_shape_facts both, more, fewer;
	test_bulges_add(context, sample->rig, "shin-l", "big", 0, 0.03);
	test_bulges_add(context, sample->rig, "forearm-r", "small", 0, 0.01);
	assert_ok(context, ossa_rig_frames(context, sample->rig, NULL, &frames));
	assert_ok(context, add(context, sample->rig, frames, 1, 0.1, &both));
	assert_int_equal(both.shape_count, 1);
	/* what the first leaves is the second, all of which that explains */
	const double left = both.rms_percent / both.before_percent, share = 100 * left * left;
	assert_true(share > 3 && share < 40);
	assert_ok(context, add(context, sample->rig, frames, 10, 0.98 * share, &more));
	assert_int_equal(more.shape_count, 2);
	assert_ok(context, add(context, sample->rig, frames, 10, 1.02 * share, &fewer));
	assert_int_equal(fewer.shape_count, 1);
	ossa_frames_free(context, frames);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- the sums ---- */

/* the gain in left out frames by its definition, where bones turn nothing: d of the other blocks is
   sum w e / sum w^2 */
static double plain_gain(const double *weight, const ossai_vec3 *error, const uint8_t *block, size_t frames, size_t blocks)
{
	double gain = 0;
	for (size_t b = 0; b < blocks; b++) {
		ossai_vec3 sum = {0, 0, 0};
		double square = 0;
		for (size_t k = 0; k < frames; k++) {
			if (block[k] == b) continue;
			sum = ossai_madd(sum, weight[k], error[k]);
			square += weight[k] * weight[k];
		}
		for (size_t k = 0; k < frames; k++) {
			if (block[k] != b) continue;
			const ossai_vec3 left = ossai_madd(error[k], -weight[k] / square, sum);
			gain += ossai_length2(error[k]) - ossai_length2(left);
		}
	}
	return gain;
}

/* one vertex on one bone that stands still, and one ramp */
static void gains_are_those_of_left_out_frames(void **state)
{
	(void)state;
	enum { FRAMES = 11, BLOCKS = 5 };
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	double weight[FRAMES], matrices[FRAMES * 12] = {0}, square = 0;
	float error[3 * FRAMES];
	uint8_t block[FRAMES];
	ossai_vec3 errors[FRAMES];
	uint32_t vertex = 0, seed = 3;
	for (size_t k = 0; k < FRAMES; k++) {
		weight[k] = (double)k / (FRAMES - 1);
		block[k] = (uint8_t)(k * BLOCKS / FRAMES);
		for (size_t i = 0; i < 3; i++) {
			matrices[12 * k + 5 * i] = 1;
			error[3 * k + i] = (float)(weight[k] + (double)test_random_bits(&seed) * 0x1p-25);
		}
		errors[k] = ossai_v3_of_float(error + 3 * k);
		square += ossai_length2(errors[k]);
	}
	uint16_t bone = 0;
	float one = 1;
	double nothing = 0;
	ossa_rig rig = {.weights = {1, 1, &bone, &one}};
	ossai_shape_joint joint = {.count = 1, .weight = weight, .vertex_count = 1, .vertex = &vertex, .gain = -1};
	ossai_shape_work work = {.context = context,
		.arena = &arena,
		.rig = &rig,
		.vertices = 1,
		.bones = 1,
		.frames = FRAMES,
		.blocks = BLOCKS,
		.block = block,
		.matrices = matrices,
		.error = error,
		.square = &square,
		.total = square,
		.least = &nothing,
		.joint = &joint};
	ossai_shape shape;
	double gain;
	const double wanted = plain_gain(weight, errors, block, FRAMES, BLOCKS);
	assert_true(wanted > 0.5 * square);
	ossai_shape_search(&work);
	assert_near(joint.gain, wanted, 1e-12 * square);
	assert_ok(context, ossai_shape_try(&work, 0, &shape, &gain));
	assert_near(gain, wanted, 1e-12 * square);
	/* not worth it: nothing is left */
	double least = square;
	work.least = &least;
	assert_ok(context, ossai_shape_try(&work, 0, &shape, &gain));
	assert_int_equal(shape.count, 0);
	assert_true(gain == 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* ---- bad input, threads, faults ---- */

static void motion_and_frames_must_fit(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_shape_facts facts;
	ossa_frames *frames = sample->frames;
	frames->frame_count--;
	assert_fails(context, add(context, sample->rig, frames, 3, 5, &facts), OSSA_ERROR_INPUT, "it has 24 of");
	frames->frame_count++;
	assert_fails(context, add(context, sample->rig, frames, -1, 5, &facts), OSSA_ERROR_ARGUMENT, "add-shapes");
	assert_fails(context, add(context, sample->rig, frames, 1, 101, &facts), OSSA_ERROR_ARGUMENT, "shape-worth");
	ossa_clip *clip = sample->rig->clip;
	sample->rig->clip = NULL;
	assert_fails(context, add(context, sample->rig, frames, 3, 5, &facts), OSSA_ERROR_INPUT, "it has 0 of");
	sample->rig->clip = clip;
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void the_same_for_any_number_of_threads(void **state)
{
	(void)state;
	ossa_mesh *made[2];
	ossa_context *contexts[2];
	for (int run = 0; run < 2; run++) {
		ossa_context *context = contexts[run] = test_context(run == 0 ? 1 : 3);
		ossa_sample_options options = ossa_sample_default();
		ossa_sample *sample;
		options.kind = OSSA_SAMPLE_BIPED;
		options.faces = 1500;
		options.bulge = 2;
		assert_ok(context, ossa_sample_create(context, &options, &sample));
		assert_ok(context, add(context, sample->rig, sample->frames, 4, 1, NULL));
		assert_ok(context, ossa_mesh_copy(context, sample->rig->mesh, &made[run]));
		ossa_sample_free(context, sample);
	}
	assert_true(made[0]->morph_count > 1);
	assert_int_equal(made[0]->morph_count, made[1]->morph_count);
	for (size_t m = 0; m < made[0]->morph_count; m++) {
		const ossa_morph *a = &made[0]->morphs[m], *b = &made[1]->morphs[m];
		assert_int_equal(a->count, b->count);
		assert_memory_equal(&a->driver, &b->driver, sizeof a->driver);
		assert_memory_equal(a->vertices, b->vertices, a->count * sizeof *a->vertices);
		assert_memory_equal(a->deltas, b->deltas, 3 * a->count * sizeof *a->deltas);
	}
	for (int run = 0; run < 2; run++) {
		ossa_mesh_free(contexts[run], made[run]);
		test_context_end(contexts[run]);
	}
}

static ossa_status make_shapes(ossa_context *context, void *user)
{
	const ossa_sample *sample = user;
	ossa_rig rig = *sample->rig;
	OSSAI_TRY(ossa_mesh_copy(context, sample->rig->mesh, &rig.mesh));
	const ossa_status status = add(context, &rig, sample->frames, 2, 5, NULL);
	ossa_mesh_free(context, rig.mesh);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = OSSA_SAMPLE_TUBE;
	options.faces = 1000;
	options.frames = 6;
	options.bulge = 2;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	assert_true(test_allocation_sweep(make_shapes, sample, 1000, 1) > 40);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_shapes_are_found),
		cmocka_unit_test(shapes_are_replaced),
		cmocka_unit_test(a_joint_must_turn),
		cmocka_unit_test(rounding_gives_no_shape),
		cmocka_unit_test(noise_gives_no_shape),
		cmocka_unit_test(a_shape_is_kept_for_its_worth),
		cmocka_unit_test(gains_are_those_of_left_out_frames),
		cmocka_unit_test(motion_and_frames_must_fit),
		cmocka_unit_test(the_same_for_any_number_of_threads),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
