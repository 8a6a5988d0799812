/* tests/body/test_recognize.c: which samples are bodies, whichever way they face. */
#include "body/recognize.h"
#include "support/shapes.h"
#include "support/still.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 5000 };

static ossa_rig *rig_of(ossa_context *context, const ossa_mesh *mesh, ossa_body_kind body)
{
	ossa_contraction_options options = ossa_contraction_default();
	options.body = body;
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_contraction(context, mesh, &options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

/* the bones that Unity and VRM require, each with the bone that it has to be below */
static void assert_human(const ossa_rig *rig)
{
	static const char *const order[][2] = {{"spine_01", "pelvis"}, {"spine_02", "spine_01"}, {"spine_03", "spine_02"},
		{"neck", "spine_03"}, {"head", "neck"}, {"clavicle_L", "spine_03"}, {"upperarm_L", "clavicle_L"},
		{"lowerarm_L", "upperarm_L"}, {"hand_L", "lowerarm_L"}, {"thigh_L", "pelvis"}, {"calf_L", "thigh_L"},
		{"foot_L", "calf_L"}, {"toe_L", "foot_L"}, {"upperarm_R", "clavicle_R"}, {"lowerarm_R", "upperarm_R"},
		{"hand_R", "lowerarm_R"}, {"thigh_R", "pelvis"}, {"calf_R", "thigh_R"}, {"foot_R", "calf_R"}};
	assert_string_equal(rig->skeleton.bones[0].name, "pelvis");
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		const ossa_bone *parent = &rig->skeleton.bones[test_bone(rig, order[i][0])->parent];
		assert_string_equal(parent->name, order[i][1]);
	}
}

/* the sample faces +Z: its left is at +X; seven more facings about the upright axis, or three of
   them, and Z up */
static void a_human_whichever_way_it_faces(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	const double diagonal = test_mesh_diagonal(sample->rig->mesh);
	ossa_rig *straight = rig_of(context, sample->rig->mesh, OSSA_BODY_AUTO);
	assert_human(straight);
	assert_true(test_bone(straight, "upperarm_L")->joint[0] > 0);
	for (int k = test_is_long() ? 1 : 2; k <= 8; k += test_is_long() ? 1 : 2) {
		const ossai_quat about_y = ossai_quat_axis_angle(ossai_v3(0, 1, 0), k * OSSAI_PI / 4);
		const ossai_quat about_x = ossai_quat_axis_angle(ossai_v3(1, 0, 0), OSSAI_PI / 2);
		const ossai_mat3 turn = ossai_quat_matrix(k < 8 ? about_y : about_x);
		ossa_mesh *mesh = test_mesh_shuffled(context, sample->rig->mesh, &turn);
		ossa_rig *rig = rig_of(context, mesh, OSSA_BODY_AUTO);
		assert_int_equal(rig->skeleton.bone_count, straight->skeleton.bone_count);
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			const ossa_bone *bone = test_bone(rig, straight->skeleton.bones[b].name);
			const ossai_vec3 expected = ossai_mat3_mul_v(&turn, ossai_v3_of(straight->skeleton.bones[b].joint));
			assert_near_vec3(ossai_v3_of(bone->joint), expected, 0.02 * diagonal);
		}
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
	}
	ossa_rig_free(context, straight);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* joints near those of the sample, by name */
static void joints_are_near_the_true_ones(void **state)
{
	(void)state;
	static const char *const names[] = {"upperarm_L", "lowerarm_L", "hand_L", "thigh_L", "calf_L", "foot_L", "head"};
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_rig *rig = rig_of(context, sample->rig->mesh, OSSA_BODY_AUTO);
	const double diagonal = test_mesh_diagonal(sample->rig->mesh);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const ossai_vec3 joint = ossai_v3_of(test_bone(rig, names[i])->joint);
		double nearest = INFINITY;
		for (size_t b = 0; b < sample->rig->skeleton.bone_count; b++) {
			nearest = fmin(nearest, ossai_distance(joint, ossai_v3_of(sample->rig->skeleton.bones[b].joint)));
		}
		if (nearest > 0.05 * diagonal)
			fail_msg("%s is %.3f diagonals from the nearest true joint", names[i], nearest / diagonal);
	}
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static bool has_roles(const ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (rig->skeleton.bones[b].role.part != OSSA_PART_NONE) return true;
	}
	return false;
}

/* the sample of a kind, askew; in a long run in the axes of its file and upside down, too */
static void samples_are_what_they_are(void **state)
{
	(void)state;
	static const struct {
		ossa_sample_kind sample;
		ossa_body_kind body;
		const char *bone; /* one that such a body has */
	} kinds[] = {{OSSA_SAMPLE_QUADRUPED, OSSA_BODY_QUADRUPED, "toe_front_L"}, {OSSA_SAMPLE_HAND, OSSA_BODY_HAND, "thumb_01"},
		{OSSA_SAMPLE_OCTOPUS, OSSA_BODY_OCTOPUS, "body"}, {OSSA_SAMPLE_SNAKE, OSSA_BODY_SNAKE, "spine_01"},
		{OSSA_SAMPLE_BIPED, OSSA_BODY_HUMAN, "clavicle_R"}, {OSSA_SAMPLE_TUBE, OSSA_BODY_NONE, NULL}};
	const ossai_quat askew = ossai_quat_axis_angle(ossai_unit(ossai_v3(1, 2, -3), ossai_v3(1, 0, 0)), OSSAI_PI / 6);
	const ossai_quat over = ossai_quat_axis_angle(ossai_v3(1, 0, 0), OSSAI_PI);
	const ossai_mat3 turns[3] = {ossai_mat3_identity(), ossai_quat_matrix(askew), ossai_quat_matrix(over)};
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		ossa_sample *sample = test_sample(context, kinds[i].sample, FACES);
		for (int k = test_is_long() ? 0 : 1; k < (test_is_long() ? 3 : 2); k++) {
			ossa_mesh *mesh = test_mesh_shuffled(context, sample->rig->mesh, &turns[k]);
			ossa_rig *rig = rig_of(context, mesh, OSSA_BODY_AUTO);
			assert_int_equal(rig->body.kind, kinds[i].body);
			if (kinds[i].bone) test_bone(rig, kinds[i].bone);
			ossa_rig_free(context, rig);
			ossa_mesh_free(context, mesh);
		}
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* eight facings, or three of them: what is front and left of a quadruped stays so */
static void a_quadruped_whichever_way_it_faces(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_QUADRUPED, FACES);
	for (int k = 0; k < 8; k += test_is_long() ? 1 : 3) {
		const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_axis_angle(ossai_v3(0, 1, 0), k * OSSAI_PI / 4));
		ossa_mesh *mesh = test_mesh_shuffled(context, sample->rig->mesh, &turn);
		ossa_rig *rig = rig_of(context, mesh, OSSA_BODY_AUTO);
		const ossai_vec3 left = ossai_mat3_mul_v(&turn, ossai_v3(1, 0, 0)), front = ossai_mat3_mul_v(&turn, ossai_v3(0, 0, 1));
		const ossai_vec3 head = ossai_v3_of(test_bone(rig, "head")->joint),
						 tail = ossai_v3_of(test_bone(rig, "tail_01")->joint);
		const ossai_vec3 own = ossai_v3_of(test_bone(rig, "toe_back_L")->joint),
						 other = ossai_v3_of(test_bone(rig, "toe_back_R")->joint);
		assert_true(ossai_dot(front, ossai_sub(head, tail)) > 0);
		assert_true(ossai_dot(left, ossai_sub(own, other)) > 0);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* every limb of a quadruped has its four bones, in order */
static void legs_have_their_bones(void **state)
{
	(void)state;
	static const char *const order[] = {"upperleg", "lowerleg", "foot", "toe"};
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_QUADRUPED, FACES);
	ossa_rig *rig = rig_of(context, sample->rig->mesh, OSSA_BODY_AUTO);
	for (int leg = 0; leg < 4; leg++) {
		char name[64], parent[64];
		for (int i = 0; i < 4; i++) {
			snprintf(name, sizeof name, "%s_%s_%s", order[i], leg / 2 ? "front" : "back", leg % 2 ? "L" : "R");
			const ossa_bone *bone = test_bone(rig, name);
			if (i > 0) assert_string_equal(rig->skeleton.bones[bone->parent].name, parent);
			snprintf(parent, sizeof parent, "%s", name);
		}
	}
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the root of a hand is at the wrist, and one bone as far as the fingers */
static void a_hand_begins_at_its_wrist(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_HAND, FACES);
	ossa_rig *rig = rig_of(context, sample->rig->mesh, OSSA_BODY_AUTO);
	const ossa_bone *hand = test_bone(rig, "hand");
	assert_true(hand->parent < 0);
	assert_int_equal(rig->skeleton.bone_count, 16);
	assert_int_equal(test_child_count(rig, (size_t)(hand - rig->skeleton.bones)), 5);
	/* most of the hand is between it and the tip of the middle finger */
	const double length = ossai_distance(ossai_v3_of(hand->joint), ossai_v3_of(test_bone(rig, "middle_03")->tail));
	assert_true(length > 0.6 * test_mesh_diagonal(sample->rig->mesh));
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void a_body_is_insisted_on_or_forbidden(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *snake = test_sample(context, OSSA_SAMPLE_SNAKE, FACES);
	ossa_contraction_options options = ossa_contraction_default();
	options.body = OSSA_BODY_HUMAN;
	ossa_rig *rig;
	assert_fails(context, ossa_rig_from_contraction(context, snake->rig->mesh, &options, &rig), OSSA_ERROR_INPUT, "no human");
	ossa_sample_free(context, snake);
	ossa_sample *biped = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	rig = rig_of(context, biped->rig->mesh, OSSA_BODY_NONE);
	assert_false(has_roles(rig));
	ossa_rig_free(context, rig);
	ossa_sample_free(context, biped);
	test_context_end(context);
}

/* the logarithm of the odds of the body that was taken, against no body and the likeliest other;
   those of no body are no doubt */
static double kind_odds(const ossa_body *body)
{
	if (body->kind == OSSA_BODY_NONE) return INFINITY;
	const double most = fmax(0, body->runner_up_score);
	return body->score - (most + log(exp(-most) + exp(body->runner_up_score - most)));
}

/* a human of boxes is squashed, until it is one no longer: where another kind, or none, is nearly
   as likely, that is said, and what to do */
static void a_kind_that_is_not_sure_is_a_warning(void **state)
{
	(void)state;
	const double bound = log(9), others = 0.3; /* what other kinds may add */
	int sure = 0, doubtful = 0;
	for (int i = test_is_long() ? 0 : 1; i < 16; i += test_is_long() ? 1 : 4) {
		ossa_context *context = test_context(0);
		test_shape *shape = test_shape_new();
		test_shape_human(shape);
		for (size_t v = 0; v < shape->vertex_count; v++) shape->positions[3 * v + 1] *= 1 - 0.05F * (float)i;
		ossa_mesh *mesh = test_shape_mesh(context, shape);
		ossa_rig *rig = rig_of(context, mesh, OSSA_BODY_AUTO);
		const double odds = kind_odds(&rig->body);
		const char *text = test_warning_text(context, "body-doubtful");
		if (odds > bound + others) assert_string_equal(text, "");
		if (odds < bound) assert_non_null(strstr(text, ossa_body_kind_name(rig->body.kind)));
		if (odds < bound) assert_non_null(strstr(text, "insists"));
		sure += odds > bound + others;
		doubtful += odds < bound;
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
	assert_true(sure > 0 && doubtful > 0);
}

/* boxes: as long before as behind */
static void the_front_of_boxes_is_doubtful(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	test_shape *shape = test_shape_new();
	test_shape_human(shape);
	ossa_mesh *mesh = test_shape_mesh(context, shape);
	ossa_rig *rig = rig_of(context, mesh, OSSA_BODY_AUTO);
	assert_human(rig);
	assert_int_equal(test_warned(context, "front-doubtful"), 0);
	assert_true(*test_warning_text(context, "front-doubtful") != 0);
	/* the usual front */
	assert_true(test_bone(rig, "upperarm_L")->joint[0] > 0);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
	context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	rig = rig_of(context, sample->rig->mesh, OSSA_BODY_AUTO);
	assert_string_equal(test_warning_text(context, "front-doubtful"), "");
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the fingers of a scan in a T-pose that faces +Z, palms down: three bones each, the thumb first
   and the others behind it, whatever branches of the curve are kept */
static void fingers_have_three_bones(void **state)
{
	(void)state;
	const char *path = test_corpus("static/odedstein/human/human_man.obj");
	if (!path) return;
	static const char *const words[] = {"thumb", "index", "middle", "ring", "pinky"};
	ossa_context *context = test_context(0);
	ossa_mesh *mesh = NULL;
	assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
	for (int run = 0; run < 2; run++) {
		ossa_contraction_options options = ossa_contraction_default();
		if (run == 1) options.spurs = 1.5;
		ossa_rig *rig;
		assert_ok(context, ossa_rig_from_contraction(context, mesh, &options, &rig));
		for (int side = 0; side < 2; side++) {
			double before = INFINITY;
			for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
				char parent[64], name[64];
				snprintf(parent, sizeof parent, "hand_%c", "LR"[side]);
				for (int k = 1; k <= 3; k++) {
					snprintf(name, sizeof name, "%s_%02d_%c", words[i], k, "LR"[side]);
					assert_string_equal(rig->skeleton.bones[test_bone(rig, name)->parent].name, parent);
					memcpy(parent, name, sizeof parent);
				}
				const double front = test_bone(rig, name)->joint[2];
				assert_true(front < before - 0.01);
				before = front;
			}
		}
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* of a body that hides its legs what is in the lowest fifth is the hem or a foot, unless it is a
   hand */
static void a_hem_is_low(void **state)
{
	(void)state;
	const ossai_body_limbs hidden = {{OSSAI_LIMB_HIDDEN, OSSAI_LIMB_HIDDEN}, {2, OSSAI_LIMB_HIDDEN}, OSSAI_LIMB_HIDDEN};
	ossai_body body = {.limbs = hidden, .up = {0, 1, 0}, .low = -1, .height = 2};
	const ossai_figure figure = {
		.end_count = 3, .end = {{.tip = {0.3, -0.61, 0}}, {.tip = {0.3, -0.59, 0}}, {.tip = {0.3, -0.9, 0}}}};
	assert_true(ossai_body_is_hem(&figure, &body, 0));
	assert_false(ossai_body_is_hem(&figure, &body, 1));
	assert_false(ossai_body_is_hem(&figure, &body, 2));
	body.limbs.leg[0] = 1;
	assert_false(ossai_body_is_hem(&figure, &body, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_human_whichever_way_it_faces),
		cmocka_unit_test(joints_are_near_the_true_ones), cmocka_unit_test(samples_are_what_they_are),
		cmocka_unit_test(a_quadruped_whichever_way_it_faces), cmocka_unit_test(legs_have_their_bones),
		cmocka_unit_test(a_hand_begins_at_its_wrist), cmocka_unit_test(a_body_is_insisted_on_or_forbidden),
		cmocka_unit_test(a_kind_that_is_not_sure_is_a_warning), cmocka_unit_test(the_front_of_boxes_is_doubtful),
		cmocka_unit_test(fingers_have_three_bones), cmocka_unit_test(a_hem_is_low)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
