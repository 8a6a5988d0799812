/* tests/methods/test_moving_loops.c: joints that the tree leaves out, of rigs from poses: all loops
   of the sample that has some, with noise and without, and none in others. */
#include "math/vec.h"
#include "support/compare.h"
#include "support/support.h"

#include <ossa/loops.h>

#include <math.h>

/* in the plane of the linkages: joints and pins, four of each; any of the four may be the loop */
static const double crank_joints[4][2] = {{-0.62, 0.5}, {-0.55, 0.61}, {-0.2, 0.8}, {-0.14, 0.5}};
static const double lever_joints[4][2] = {{0.2, 0.45}, {0.2, 0.85}, {0.56, 0.85}, {0.56, 0.45}};

static bool is_one_of(const ossa_loop *loop, const double joints[4][2], double tolerance)
{
	for (int i = 0; i < 4; i++) {
		if (hypot(loop->center[0] - joints[i][0], loop->center[1] - joints[i][1]) < tolerance) return true;
	}
	return false;
}

static ossa_rig *rig_of(ossa_context *context, const ossa_sample *sample, ossa_rig_result *made)
{
	ossa_rig_options options = ossa_rig_default();
	ossa_frame_stream *stream;
	/* it changes nothing here, and looking for one takes most of the time */
	options.body = OSSA_BODY_NONE;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, stream}, &options, made));
	assert_ok(context, ossa_rig_validate(context, made->rig));
	ossa_frame_stream_free(context, stream);
	return made->rig;
}

static ossa_sample *sample_of(ossa_context *context, int kind, double noise, int seed)
{
	ossa_sample *sample;
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = 5000;
	options.noise = noise;
	options.seed = seed;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static void linkages_are_found(void **state)
{
	(void)state;
	for (int seed = 0; seed < 3; seed++) {
		const double noise = seed == 0 ? 0 : 0.1, tolerance = seed == 0 ? 1e-4 : 2e-3;
		ossa_context *context = test_context(2);
		ossa_sample *sample = sample_of(context, OSSA_SAMPLE_LINKAGE, noise, seed);
		ossa_rig_result made;
		const ossa_rig *rig = rig_of(context, sample, &made);
		if (rig->loop_count != 2) fail_msg("noise %g, seed %d: %zu loops", noise, seed, rig->loop_count);
		int first = 0, second = 0;
		for (size_t i = 0; i < 2; i++) {
			const int32_t *bones = rig->loops[i].bones;
			first += is_one_of(&rig->loops[i], crank_joints, tolerance);
			second += is_one_of(&rig->loops[i], lever_joints, tolerance);
			assert_true(bones[0] < bones[1] && rig->skeleton.bones[bones[1]].parent != bones[0]);
			for (size_t f = 0; f < rig->clip->frame_count; f++)
				assert_true(ossa_rig_loop_gap(rig, NULL, f, i) < (seed == 0 ? 1e-4 : 0.01) * test_diagonal(rig->mesh));
		}
		assert_true(first == 1 && second == 1);
		ossa_rig_result_free(context, &made);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
}

/* trees, and joints that move alike */
static void others_have_none(void **state)
{
	(void)state;
	static const int kinds[] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_MACHINE, OSSA_SAMPLE_SNAKE, OSSA_SAMPLE_PIECES};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		ossa_context *context = test_context(2);
		ossa_sample *sample = sample_of(context, kinds[i], i % 2 == 0 ? 0 : 0.1, 0);
		ossa_rig_result made;
		if (rig_of(context, sample, &made)->loop_count > 0) fail_msg("%s has a loop", sample->rig->mesh->name);
		ossa_rig_result_free(context, &made);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
}

/* one pose says nothing about loops: any two bones turn about some axis */
static void one_pose_shows_none(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 3000, 1);
	ossa_rig_result made;
	assert_int_equal(rig_of(context, sample, &made)->loop_count, 0);
	ossa_rig_result_free(context, &made);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(linkages_are_found),
		cmocka_unit_test(others_have_none),
		cmocka_unit_test(one_pose_shows_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
