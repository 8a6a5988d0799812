/* tests/retarget/test_retarget.c: the motion of people on other people: other names, sizes,
   directions, rest poses, bones, proportions. */
#include "support/people.h"

#include "samples/samples.h"

#include <stdio.h>

enum { FRAMES = 24 };
/* degrees: what the issue of retargeting asks for */
static const double exact = 0.1;

static ossai_quat turn_about(double x, double y, double z, double degrees)
{
	return ossai_quat_axis_angle(ossai_v3(x, y, z), degrees * OSSAI_PI / 180);
}

static person make_walker(ossa_context *context, person_form form)
{
	person p = person_make(context, form);
	person_walk(&p, FRAMES);
	return p;
}

/* the walk of `source` on `target`, by roles */
static ossa_clip *retarget(const person *target, const person *source, bool plants, ossa_retarget_facts *facts)
{
	ossa_retarget_options options = ossa_retarget_default();
	options.match = OSSA_RETARGET_ROLES;
	options.plant_feet = plants;
	ossa_clip *clip;
	assert_ok(target->context, ossa_rig_retarget(target->context, target->rig, source->rig, "walk", &options, &clip, facts));
	for (size_t f = 1; f < clip->frame_count; f++) {
		for (size_t b = 0; b < clip->bone_count; b++) {
			const double *q = clip->rotations + 4 * (f * clip->bone_count + b);
			assert_true(ossai_quat_dot(ossai_quat_of(q), ossai_quat_of(q - 4 * clip->bone_count)) >= 0);
		}
	}
	return clip;
}

/* ---- the same person ---- */

/* names of all conventions, none that say anything, all directions, all axes for up, two sizes */
static void everything_but_the_pose_differs(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const person source = make_walker(context, (person_form){.names = PERSON_BODY, .spines = 3});
	const ossai_quat ups[] = {
		ossai_quat_identity(), turn_about(1, 0, 0, 90), turn_about(0, 0, 1, 90), turn_about(0, 0, 1, -90)};
	for (int names = 0; names < PERSON_NAMES; names++) {
		for (int i = 0; i < 32; i++) {
			const ossai_quat turn = ossai_quat_mul(ups[i / 8], turn_about(0, 1, 0, 45 * (i % 8)));
			const double scale = i % 3 == 0 ? 0.01 : i % 3 == 1 ? 1 : 100;
			ossa_retarget_facts facts;
			person target = person_make(context, (person_form){.names = (person_names)names, .spines = 3});
			person_move(&target, scale, turn);
			ossa_clip *clip = retarget(&target, &source, i % 2, &facts);
			assert_in_range(facts.matched, 21, 22);
			assert_near(facts.scale, scale, 1e-4 * scale);
			assert_near(facts.stride, scale, 1e-4 * scale);
			assert_true(person_difference(&target, clip, &source, turn, true) < exact);
			assert_true(facts.mean_degrees < exact && facts.p95_degrees < exact);
			const ossai_mat3 matrix = ossai_quat_matrix(turn);
			const ossai_vec3 offset = ossai_sub(person_joint(&source, source.rig->clip, FRAMES - 1, PERSON_HIPS, 0),
				person_joint(&source, source.rig->clip, 0, PERSON_HIPS, 0));
			const ossai_vec3 own = ossai_sub(
				person_joint(&target, clip, FRAMES - 1, PERSON_HIPS, 0), person_joint(&target, clip, 0, PERSON_HIPS, 0));
			assert_near_vec3(own, ossai_scale(ossai_mat3_mul_v(&matrix, offset), scale), 1e-3 * scale);
			ossa_clip_free(context, clip);
			person_end(&target);
		}
	}
	ossa_rig_free(context, source.rig);
	test_context_end(context);
}

/* the motion's own skeleton may be turned and scaled, too */
static void the_source_may_be_anyhow(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const ossai_quat turn = ossai_quat_mul(turn_about(1, 0, 0, 90), turn_about(0, 1, 0, 135));
	person source = make_walker(context, (person_form){.names = PERSON_NUMBERS});
	person target = person_make(context, (person_form){.names = PERSON_VRM});
	person_move(&source, 100, turn);
	ossa_clip *clip = retarget(&target, &source, true, NULL);
	assert_true(person_difference(&target, clip, &source, ossai_quat_conjugate(turn), true) < exact);
	ossa_clip_free(context, clip);
	person_end(&target);
	person_end(&source);
	test_context_end(context);
}

/* ---- rest poses ---- */

typedef struct rest_bend {
	person_part part;
	bool is_mirrored; /* the axis' y and z are for the left side */
	double x, y, z, degrees;
} rest_bend;

static void bend_both(person *p, const rest_bend *bend)
{
	for (int side = 0; side < 2; side++) {
		const double out = bend->is_mirrored && side ? -1 : 1;
		person_bend(p, bend->part, side, ossai_v3(bend->x, out * bend->y, out * bend->z), bend->degrees);
	}
}

/* arms out, arms down, elbows bent, knees bent with level feet, legs apart: on either side */
static void rest_poses_do_not_matter(void **state)
{
	static const rest_bend poses[][3] = {{{PERSON_UPPER_ARM, true, 0, 0, 1, 46}}, {{PERSON_UPPER_ARM, true, 0, 0, 1, -40}},
		{{PERSON_UPPER_ARM, true, 0, 0, 1, 46}, {PERSON_LOWER_ARM, true, 0, 1, 0, -70}},
		{{PERSON_UPPER_ARM, true, 1, 0, 0, -60}, {PERSON_CLAVICLE, true, 0, 0, 1, 12}},
		{{PERSON_THIGH, false, 1, 0, 0, -15}, {PERSON_CALF, false, 1, 0, 0, 30}, {PERSON_FOOT, false, 1, 0, 0, -15}},
		{{PERSON_THIGH, true, 0, 0, 1, 12}, {PERSON_FOOT, true, 0, 0, 1, -12}, {PERSON_UPPER_ARM, true, 0, 0, 1, 46}}};
	(void)state;
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < 2 * sizeof poses / sizeof poses[0]; i++) {
		const bool bends_source = i % 2;
		person source = person_make(context, (person_form){.names = PERSON_UNREAL});
		person target = person_make(context, (person_form){.names = PERSON_MIXAMO});
		for (int k = 0; k < 3 && poses[i / 2][k].degrees != 0; k++)
			bend_both(bends_source ? &source : &target, &poses[i / 2][k]);
		person_walk(&source, FRAMES);
		ossa_clip *clip = retarget(&target, &source, i % 4 < 2, NULL);
		const double difference = person_difference(&target, clip, &source, ossai_quat_identity(), true);
		if (!(difference < exact)) fail_msg("pose %zu: %g degrees", i, difference);
		ossa_clip_free(context, clip);
		person_end(&target);
		person_end(&source);
	}
	test_context_end(context);
}

/* ---- other bones ---- */

/* limbs have the directions whatever the numbers of bones; so has the trunk from its lower to its
   upper end but for how it bends between them */
static void numbers_of_bones_may_differ(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (int i = 0; i < 18; i++) {
		const person_form own = {.spines = 1 + i % 3, .split_calves = i / 9},
						  other = {.spines = 1 + i / 3 % 3, .split_calves = !(i / 9)};
		ossa_retarget_facts facts;
		person target = person_make(context, own), source = make_walker(context, other);
		ossa_clip *clip = retarget(&target, &source, true, &facts);
		assert_true(person_difference(&target, clip, &source, ossai_quat_identity(), false) < exact);
		assert_near(
			person_difference(&target, clip, &source, ossai_quat_identity(), true), 0, own.spines == other.spines ? exact : 4);
		assert_int_equal(facts.matched, target.rig->skeleton.bone_count);
		assert_int_equal(facts.source_unused, 0);
		ossa_clip_free(context, clip);
		person_end(&target);
		person_end(&source);
	}
	test_context_end(context);
}

/* what the other one lacks keeps its rest rotation against its parent, and is counted */
static void bones_of_one_alone_stay(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_retarget_facts facts;
	person rich = make_walker(context, (person_form){.fingers = 5, .strands = 6}),
		   poor = make_walker(context, (person_form){0});
	ossa_clip *clip = retarget(&rich, &poor, true, &facts);
	assert_int_equal(facts.matched, poor.rig->skeleton.bone_count);
	assert_int_equal(facts.unmatched, 36);
	assert_true(person_difference(&rich, clip, &poor, ossai_quat_identity(), true) < exact);
	const uint32_t head = rich.bone[PERSON_HEAD][0], hair = (uint32_t)ossa_rig_bone(rich.rig, "hair_01");
	for (size_t f = 0; f < FRAMES; f++) {
		const ossai_quat above = ossai_quat_of(rich.rig->skeleton.bones[head].orientation);
		const ossai_quat rest = ossai_quat_mul(
			ossai_quat_conjugate(above), ossai_quat_of(rich.rig->skeleton.bones[hair].orientation));
		assert_near(fabs(ossai_quat_dot(rest, ossai_quat_of(clip->rotations + 4 * (f * clip->bone_count + hair)))), 1, 1e-9);
	}
	ossa_clip_free(context, clip);
	clip = retarget(&poor, &rich, true, &facts);
	assert_int_equal(facts.unmatched, 0);
	assert_int_equal(facts.source_unused, 30);
	ossa_clip_free(context, clip);
	person_end(&poor);
	person_end(&rich);
	test_context_end(context);
}

/* ---- other proportions ---- */

static const person_form proportions[] = {{.thigh = 0.7}, {.calf = 0.7}, {.thigh = 1.4, .calf = 0.8}, {.foot = 2},
	{.foot = 0.5}, {.thigh = 0.5, .calf = 0.5, .arm = 1.5}, {.calf = 1.5, .arm = 0.6}};

/* feet are on the ground, joints bend as they can, limbs point nearly where the source's do */
static void proportions_may_differ(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const ossai_vec3 up = ossai_v3(0, 1, 0);
	person source = make_walker(context, (person_form){.names = PERSON_MIXAMO});
	person_bends_forward(&source, source.rig->clip);
	for (size_t i = 0; i < sizeof proportions / sizeof proportions[0]; i++) {
		ossa_retarget_facts facts;
		person target = person_make(context, proportions[i]);
		ossa_clip *clip = retarget(&target, &source, true, &facts);
		const double ground = person_lowest(&target, NULL, up), lowest = person_lowest(&target, clip, up);
		assert_true(lowest - ground > -0.005 * 1.75 - 1e-4);
		assert_near(facts.lowest_percent, 100 * (lowest - ground) / 1.75, 0.5);
		person_bends_forward(&target, clip);
		assert_true(facts.mean_degrees < 6);
		assert_true(facts.slide < 1.3 * facts.source_slide + 0.02);
		ossa_clip_free(context, clip);
		person_end(&target);
	}
	person_end(&source);
	test_context_end(context);
}

/* a source that sinks into the ground does not take others along */
static void feet_do_not_sink(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const ossai_vec3 up = ossai_v3(0, 1, 0);
	for (int i = 0; i < 4; i++) {
		person source = make_walker(context, (person_form){.names = PERSON_MIXAMO});
		person target = person_make(context, (person_form){.thigh = i < 2 ? 1 : 1.3});
		for (size_t f = 0; f < FRAMES; f++) source.rig->clip->root_positions[3 * f + 1] -= i % 2 ? 0.03 : 0.3;
		ossa_clip *clip = retarget(&target, &source, true, NULL);
		assert_true(person_lowest(&target, clip, up) - person_lowest(&target, NULL, up) > -0.005 * 2 - 1e-4);
		person_bends_forward(&target, clip);
		ossa_clip_free(context, clip);
		person_end(&target);
		person_end(&source);
	}
	test_context_end(context);
}

/* ---- animals ---- */

/* The sample with the roles of its bones. Its root is in the middle of the spine, over the hips. */
static ossa_rig *make_quadruped(ossa_context *context)
{
	enum { FRONT = OSSA_PART_FRONT_UPPER_LEG, BACK = OSSA_PART_BACK_UPPER_LEG };
	static const ossa_role trunk[] = {{.part = OSSA_PART_SPINE, .number = 2}, {.part = OSSA_PART_SPINE, .number = 1},
		{.part = OSSA_PART_HIPS}, {.part = OSSA_PART_SPINE, .number = 3}, {.part = OSSA_PART_NECK, .number = 1},
		{.part = OSSA_PART_NECK, .number = 2}, {.part = OSSA_PART_HEAD}, {.part = OSSA_PART_TAIL, .number = 1},
		{.part = OSSA_PART_TAIL, .number = 2}, {.part = OSSA_PART_TAIL, .number = 3}, {.part = OSSA_PART_TAIL, .number = 4}};
	enum { TRUNK = sizeof trunk / sizeof trunk[0], SEGMENTS = 4, LEGS = 4 };
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample = NULL;
	options.faces = 2000;
	options.frames = FRAMES;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	ossa_rig *rig = sample->rig;
	sample->rig = NULL;
	ossa_sample_free(context, sample);
	assert_int_equal(rig->skeleton.bone_count, TRUNK + LEGS * SEGMENTS);
	for (int b = 0; b < TRUNK; b++) rig->skeleton.bones[b].role = trunk[b];
	/* front and back on the left, then on the right */
	for (int i = 0; i < LEGS * SEGMENTS; i++) {
		const int leg = i / SEGMENTS, part = (leg % 2 ? BACK : FRONT) + i % SEGMENTS;
		rig->skeleton.bones[TRUNK + i].role = (ossa_role){.part = (ossa_body_part)part, .side = leg < 2 ? 1 : -1};
	}
	return rig;
}

/* largest distance between joints of two clips, the second's turned */
static double joint_difference(const ossa_rig *a, const ossa_clip *p, const ossa_rig *b, const ossa_clip *q, ossai_quat turn)
{
	static double x[12 * 256], y[12 * 256];
	const ossai_mat3 matrix = ossai_quat_matrix(turn);
	double most = 0;
	for (size_t f = 0; f < p->frame_count; f++) {
		ossa_rig_joint_matrices(a, p, f, x);
		ossa_rig_joint_matrices(b, q, f, y);
		for (size_t i = 0; i < a->skeleton.bone_count; i++) {
			const ossai_vec3 other = ossai_rigid_of(y + 12 * i).t;
			most = fmax(most, ossai_distance(ossai_rigid_of(x + 12 * i).t, ossai_mat3_mul_v(&matrix, other)));
		}
	}
	return most;
}

static void quadrupeds_walk_alike(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *source = make_quadruped(context), *target = make_quadruped(context);
	const ossai_quat turn = ossai_quat_mul(turn_about(1, 0, 0, 90), turn_about(0, 1, 0, 90));
	ossa_retarget_options options = ossa_retarget_default();
	ossa_retarget_facts facts;
	ossa_clip *clip;
	person p = {.context = context, .rig = target};
	options.match = OSSA_RETARGET_ROLES;
	options.plant_feet = false;
	ossa_clip_free(context, target->clip);
	target->clip = NULL;
	person_move(&p, 1, turn);
	assert_ok(context, ossa_rig_retarget(context, target, source, "gallop", &options, &clip, &facts));
	assert_true(facts.p95_degrees < exact);
	assert_int_equal(facts.matched, target->skeleton.bone_count);
	assert_true(joint_difference(target, clip, source, source->clip, turn) < 1e-4);
	ossa_clip_free(context, clip);
	ossa_rig_free(context, target);
	ossa_rig_free(context, source);
	test_context_end(context);
}

static void people_do_not_gallop(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *dog = make_quadruped(context);
	person target = person_make(context, (person_form){0});
	ossa_clip *clip;
	assert_fails(context, ossa_rig_retarget(context, target.rig, dog, "dog", NULL, &clip, NULL), OSSA_ERROR_INPUT,
		"motion of a quadruped, and the rig is a human");
	assert_null(clip);
	person_end(&target);
	ossa_rig_free(context, dog);
	test_context_end(context);
}

/* ---- the same result, and none ---- */

static void threads_do_not_matter(void **state)
{
	(void)state;
	ossa_context *context[3];
	ossa_clip *clip[3];
	for (int i = 0; i < 3; i++) {
		context[i] = test_context((const int[]){1, 3, 8}[i]);
		person source = make_walker(context[i], (person_form){.names = PERSON_MIXAMO});
		person target = person_make(context[i], (person_form){.calf = 0.8, .strands = 3});
		clip[i] = retarget(&target, &source, true, NULL);
		person_end(&target);
		person_end(&source);
	}
	for (int i = 2; i >= 0; i--) {
		assert_memory_equal(clip[0]->rotations, clip[i]->rotations, 4 * FRAMES * clip[i]->bone_count * sizeof(double));
		assert_memory_equal(clip[0]->root_positions, clip[i]->root_positions, 3 * FRAMES * sizeof(double));
		ossa_clip_free(context[i], clip[i]);
		test_context_end(context[i]);
	}
}

static ossa_status carry(ossa_context *context, void *arg)
{
	const person *people = arg;
	ossa_clip *clip;
	const ossa_status status = ossa_rig_retarget(context, people[0].rig, people[1].rig, "walk", NULL, &clip, NULL);
	assert_true((status == OSSA_OK) == (clip != NULL));
	ossa_clip_free(context, clip);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person people[2] = {person_make(context, (person_form){.calf = 0.8, .strands = 3}),
		make_walker(context, (person_form){.names = PERSON_MIXAMO, .spines = 3})};
	assert_true(test_allocation_sweep(carry, people, 100, 7) > 40);
	person_end(&people[0]);
	person_end(&people[1]);
	test_context_end(context);
}

/* every bone is paired with the one of the same place, and a map is kept */
static void pairs_are_listed(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	person source = make_walker(context, (person_form){.names = PERSON_BODY, .spines = 3});
	person target = person_make(context, (person_form){.names = PERSON_MIXAMO, .spines = 3});
	const size_t count = target.rig->skeleton.bone_count;
	uint32_t follows[64];
	assert_in_range(count, 20, 64);
	assert_ok(context, ossa_rig_retarget_pairs(context, target.rig, source.rig, "walk", NULL, OSSA_RETARGET_ROLES, follows));
	size_t paired = 0;
	for (size_t b = 0; b < count; b++) {
		if (follows[b] == OSSA_NONE) continue;
		paired++;
		assert_near_vec3(
			ossai_v3_of(target.rig->skeleton.bones[b].joint), ossai_v3_of(source.rig->skeleton.bones[follows[b]].joint), 1e-6);
	}
	ossa_retarget_facts facts;
	ossa_clip *clip = retarget(&target, &source, false, &facts);
	assert_int_equal(paired, facts.matched);
	ossa_clip_free(context, clip);
	/* names: none of these are alike; a pair of a map is */
	ossa_map_entry entry = {.kind = OSSA_MAP_PAIR};
	snprintf(entry.bone, sizeof entry.bone, "%s", target.rig->skeleton.bones[3].name);
	snprintf(entry.source, sizeof entry.source, "%s", source.rig->skeleton.bones[5].name);
	const ossa_retarget_map map = {1, &entry};
	ossa_retarget_options options = ossa_retarget_default();
	options.map = &map;
	for (int match = OSSA_RETARGET_ROLES; match <= OSSA_RETARGET_NAMES; match++) {
		assert_ok(context,
			ossa_rig_retarget_pairs(context, target.rig, source.rig, "walk", &options, (ossa_retarget_match)match, follows));
		assert_int_equal(follows[3], 5);
	}
	assert_int_equal(ossa_rig_retarget_pairs(context, target.rig, source.rig, "walk", NULL, OSSA_RETARGET_AUTO, follows),
		OSSA_ERROR_ARGUMENT);
	person_end(&target);
	person_end(&source);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_but_the_pose_differs),
		cmocka_unit_test(the_source_may_be_anyhow),
		cmocka_unit_test(rest_poses_do_not_matter),
		cmocka_unit_test(numbers_of_bones_may_differ),
		cmocka_unit_test(bones_of_one_alone_stay),
		cmocka_unit_test(proportions_may_differ),
		cmocka_unit_test(feet_do_not_sink),
		cmocka_unit_test(quadrupeds_walk_alike),
		cmocka_unit_test(people_do_not_gallop),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(pairs_are_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
