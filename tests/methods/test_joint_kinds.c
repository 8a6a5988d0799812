/* tests/methods/test_joint_kinds.c: creatures with known hinges and balls, rigged from their
   poses. */
#include "math/vec.h"
#include "support/compare.h"
#include "support/examples.h"
#include "support/support.h"

/* degrees between a true axis and the one that was found, without and with noise */
static const double most_off[] = {0.1, 1};

typedef struct verdict {
	size_t hinges, balls, universals;
} verdict;

/* the true joint of a bone: within a percent of the diagonal; NULL where noise made a bone of its
   own */
static const ossa_bone *truth_of(const ossa_sample *sample, const ossa_bone *bone)
{
	const ossa_skeleton *truth = &sample->rig->skeleton;
	const double near = 0.01 * test_diagonal(sample->rig->mesh);
	for (size_t b = 1; b < truth->bone_count; b++) {
		if (ossai_distance(ossai_v3_of(truth->bones[b].joint), ossai_v3_of(bone->joint)) < near) return &truth->bones[b];
	}
	return NULL;
}

static double degrees_between(const double a[3], const double b[3])
{
	return asin(fmin(ossai_length(ossai_cross(ossai_v3_of(a), ossai_v3_of(b))), 1)) * 180 / OSSAI_PI;
}

static verdict judge(const ossa_sample *sample, const ossa_rig *rig, double most_degrees)
{
	verdict v = {0, 0, 0};
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b], *truth = truth_of(sample, bone);
		if (!truth) continue;
		if (bone->kind != truth->kind) {
			fail_msg("%s: %s is %s, in truth %s", sample->rig->mesh->name, bone->name, ossa_joint_kind_name(bone->kind),
				ossa_joint_kind_name(truth->kind));
		}
		v.balls += bone->kind == OSSA_JOINT_BALL;
		v.hinges += bone->kind == OSSA_JOINT_HINGE;
		v.universals += bone->kind == OSSA_JOINT_UNIVERSAL;
		const double off = fmax(
			degrees_between(bone->axis, truth->axis), degrees_between(bone->second_axis, truth->second_axis));
		if (off > most_degrees) fail_msg("%s: the axis of %s is %.2f degrees off", sample->rig->mesh->name, bone->name, off);
	}
	return v;
}

static void check_creature(int kind, double noise, size_t hinges, size_t balls, size_t universals)
{
	ossa_context *context = test_context(2);
	ossa_sample *sample;
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = 6000;
	options.noise = noise;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	const ossa_examples_options own = ossa_examples_default();
	ossa_rig *rig = test_examples_rig(context, sample->rig->mesh, sample->frames, &own);
	const verdict v = judge(sample, rig, most_off[noise > 0]);
	assert_int_equal(v.hinges, hinges);
	assert_int_equal(v.balls, balls);
	assert_int_equal(v.universals, universals);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void kinds_are_the_creatures(void **state)
{
	(void)state;
	check_creature(OSSA_SAMPLE_HAND, 0, 12, 3, 0);
	check_creature(OSSA_SAMPLE_BIPED, 0, 6, 12, 0);
	check_creature(OSSA_SAMPLE_QUADRUPED, 0, 8, 18, 0);
	/* joints of wheels may be anywhere on their axes */
	check_creature(OSSA_SAMPLE_MACHINE, 0, 7, 1, 0);
	check_creature(OSSA_SAMPLE_GIMBALS, 0, 1, 1, 5);
}

static void noise_changes_no_kind(void **state)
{
	(void)state;
	check_creature(OSSA_SAMPLE_HAND, 0.1, 12, 3, 0);
	check_creature(OSSA_SAMPLE_BIPED, 0.1, 6, 12, 0);
	check_creature(OSSA_SAMPLE_GIMBALS, 0.1, 1, 1, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_are_the_creatures),
		cmocka_unit_test(noise_changes_no_kind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
