/* tests/methods/test_dependent_bones.c: creatures with known dependent bones, and without, rigged
   from their poses. */
#include "math/vec.h"
#include "rig/hinge.h"
#include "rig/turns.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

typedef struct truth {
	const char *bone, *driver;
	double ratio, offset;
} truth;

static const truth of_machine[] = {{"wheel-1", "crank", -1.5, 0}, {"wheel-2", "crank", 0.5, 10},
	{"finger-2", "finger-1", 0.8, 0}, {"finger-3", "finger-1", 1.25, 0}};
static const truth of_hand[] = {{"ring-1", "middle-1", 1, 0}, {"ring-2", "middle-2", 1, 0}, {"ring-3", "middle-3", 1, 0}};

/* the true joint whose axis a hinge's is: the nearest line */
static const ossa_bone *truth_of(const ossa_rig *true_rig, const ossa_bone *bone)
{
	const ossa_bone *best = NULL;
	double nearest = 0.02 * test_diagonal(true_rig->mesh);
	for (size_t b = 1; b < true_rig->skeleton.bone_count; b++) {
		const ossa_bone *other = &true_rig->skeleton.bones[b];
		if (other->kind != OSSA_JOINT_HINGE) continue;
		const ossai_vec3 gap = ossai_sub(ossai_v3_of(bone->joint), ossai_v3_of(other->joint));
		const double far = ossai_length(ossai_cross(gap, ossai_v3_of(other->axis)));
		if (far >= nearest) continue;
		nearest = far;
		best = other;
	}
	return best;
}

/* of a bone by the group's true driver: angle = ratio driver + offset; 1 and 0 of itself */
static truth line_of(const truth *all, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(all[i].bone, name) == 0) return all[i];
	}
	return (truth){name, name, 1, 0};
}

/* +1 or -1: a hinge that turns about the opposite of the true axis */
static double side_of(const ossa_bone *bone, const ossa_bone *true_bone)
{
	return ossai_dot(ossai_v3_of(bone->axis), ossai_v3_of(true_bone->axis)) < 0 ? -1 : 1;
}

static void check_dependency(const ossa_rig *true_rig, const ossa_rig *rig, size_t i, const truth *all, size_t count)
{
	const ossa_dependency *d = &rig->dependencies[i];
	const ossa_bone *own = &rig->skeleton.bones[d->bone], *up = &rig->skeleton.bones[d->driver];
	const ossa_bone *true_own = truth_of(true_rig, own), *true_up = truth_of(true_rig, up);
	assert_true(true_own && true_up);
	const truth b = line_of(all, count, true_own->name), a = line_of(all, count, true_up->name);
	if (strcmp(a.driver, b.driver) != 0) fail_msg("%s does not turn as %s", true_own->name, true_up->name);
	/* b = r_b x + o_b with x = (a - o_a) / r_a */
	const double ratio = b.ratio / a.ratio, offset = b.offset - ratio * a.offset;
	const double sides = side_of(own, true_own) * side_of(up, true_up);
	if (fabs(d->ratio / (sides * ratio) - 1) > 0.01) fail_msg("%s: ratio %g, in truth %g", true_own->name, d->ratio, ratio);
	assert_near(d->offset_degrees, side_of(own, true_own) * offset, 0.2);
}

static void check_creature(int kind, double noise, int seed, const truth *all, size_t count)
{
	ossa_context *context = test_context(2);
	ossa_sample *sample;
	ossa_sample_options options = ossa_sample_default();
	ossa_frame_stream *stream;
	ossa_rig_result made;
	options.kind = kind;
	options.faces = 5000;
	options.noise = noise;
	options.seed = seed;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, stream}, NULL, &made));
	assert_ok(context, ossa_rig_validate(context, made.rig));
	if (made.rig->dependency_count != count) {
		fail_msg(
			"%s, noise %g, seed %d: %zu dependent bones", sample->rig->mesh->name, noise, seed, made.rig->dependency_count);
	}
	for (size_t i = 0; i < count; i++) check_dependency(sample->rig, made.rig, i, all, count);
	ossa_rig_result_free(context, &made);
	ossa_frame_stream_free(context, stream);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* turns a dependent bone onto its line in every frame */
static void drive(const ossa_rig *rig, const ossa_dependency *d, ossa_clip *clip)
{
	double own[64], driver[64];
	const size_t bone = (size_t)d->bone;
	const ossai_quat rest = ossai_rest_rotation(rig->skeleton.bones, bone);
	assert_true(clip->frame_count <= 64);
	ossai_hinge_follow(rig, rig->clip, bone, own);
	ossai_hinge_follow(rig, rig->clip, (size_t)d->driver, driver);
	for (size_t f = 0; f < clip->frame_count; f++) {
		double *at = clip->rotations + 4 * (f * clip->bone_count + bone);
		const double degrees = d->ratio * driver[f] + d->offset_degrees - own[f];
		const ossai_quat more = ossai_quat_axis_angle(ossai_hinge_axis(&rig->skeleton.bones[bone]), degrees * OSSAI_PI / 180);
		const ossai_quat turn = ossai_quat_mul(ossai_quat_conjugate(rest), ossai_quat_of(at));
		ossai_quat_store(ossai_quat_unit(ossai_quat_mul(rest, ossai_quat_mul(more, turn))), at);
	}
}

/* the mean squared error of a fitted motion grows by the square of the cost */
static void the_error_grows_by_the_cost(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample;
	ossa_sample_options options = {.kind = OSSA_SAMPLE_MACHINE, .faces = 5000, .frames = 24, .noise = 0.3};
	ossa_frame_stream *stream;
	ossa_rig_result made;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, stream}, NULL, &made));
	assert_true(made.rig->dependency_count > 0);
	const double diagonal = test_diagonal(made.rig->mesh);
	for (size_t i = 0; i < made.rig->dependency_count; i++) {
		const ossa_dependency *d = &made.rig->dependencies[i];
		ossa_metrics was, is;
		ossa_clip *driven;
		assert_ok(context, ossa_clip_copy(context, made.rig->clip, &driven));
		drive(made.rig, d, driven);
		assert_ok(context, ossa_rig_measure(context, made.rig, NULL, NULL, sample->frames, &was));
		assert_ok(context, ossa_rig_measure(context, made.rig, NULL, driven, sample->frames, &is));
		const double grown = sqrt(is.rms_percent * is.rms_percent - was.rms_percent * was.rms_percent) * diagonal / 100;
		assert_near(grown / d->cost, 1, 0.25);
		ossa_clip_free(context, driven);
	}
	ossa_rig_result_free(context, &made);
	ossa_frame_stream_free(context, stream);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void machines_are_found(void **state)
{
	(void)state;
	for (int seed = 0; seed < (test_is_long() ? 4 : 2); seed++) {
		check_creature(OSSA_SAMPLE_MACHINE, 0, seed, of_machine, 4);
		check_creature(OSSA_SAMPLE_MACHINE, 0.1, seed, of_machine, 4);
	}
}

static void fingers_that_move_alike_are_found(void **state)
{
	(void)state;
	check_creature(OSSA_SAMPLE_HAND, 0, 0, of_hand, 3);
	check_creature(OSSA_SAMPLE_HAND, 0.1, 0, of_hand, 3);
}

static void others_have_none(void **state)
{
	(void)state;
	for (int kind = OSSA_SAMPLE_TUBE; kind <= OSSA_SAMPLE_OPEN; kind++) {
		if (kind == OSSA_SAMPLE_HAND) continue;
		check_creature(kind, 0, 0, NULL, 0);
		if (kind == OSSA_SAMPLE_BIPED || kind == OSSA_SAMPLE_QUADRUPED || test_is_long()) check_creature(kind, 0.1, 1, NULL, 0);
	}
}

/* what the samples say of themselves is what their motion shows */
static void truth_is_found_again(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = OSSA_SAMPLE_TUBE; kind <= OSSA_SAMPLE_ARMS; kind++) {
		ossa_sample *sample = test_sample_of_kind(context, kind, 1000, 24);
		ossa_rig *rig = sample->rig;
		ossa_dependency said[8];
		const size_t count = rig->dependency_count;
		static const size_t counts[] = {
			[OSSA_SAMPLE_MACHINE] = 4, [OSSA_SAMPLE_HAND] = 3, [OSSA_SAMPLE_LINKAGE] = 2, [OSSA_SAMPLE_ARMS] = 4};
		assert_int_equal(count, counts[kind]);
		if (count > 0) memcpy(said, rig->dependencies, count * sizeof *said);
		assert_ok(context, ossa_rig_find_dependencies(context, rig));
		assert_int_equal(rig->dependency_count, count);
		for (size_t i = 0; i < count; i++) {
			const ossa_dependency *d = &rig->dependencies[i];
			assert_true(d->bone == said[i].bone && d->driver == said[i].driver);
			assert_near(d->ratio, said[i].ratio, 1e-9);
			assert_near(d->offset_degrees, said[i].offset_degrees, 1e-6);
			for (int k = 0; k < 3; k++) assert_near(d->driver_axis[k], said[i].driver_axis[k], 1e-12);
		}
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truth_is_found_again),
		cmocka_unit_test(machines_are_found),
		cmocka_unit_test(the_error_grows_by_the_cost),
		cmocka_unit_test(fingers_that_move_alike_are_found),
		cmocka_unit_test(others_have_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
