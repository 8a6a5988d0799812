/* tests/body/test_body_kept.c: what was recognized, in words and in files. */
#include "support/support.h"
#include "support/still.h"

#include <stdlib.h>
#include <string.h>

enum { FACES = 4000, TEXT_SIZE = 1 << 21 };

static void odds_in_words(void **state)
{
	(void)state;
	char text[64];
	assert_string_equal(ossa_odds_print(log(3.2), text, sizeof text), "3.2 to 1");
	assert_string_equal(ossa_odds_print(log(50), text, sizeof text), "50 to 1");
	assert_string_equal(ossa_odds_print(log(1e6), text, sizeof text), "1e6 to 1");
	assert_string_equal(ossa_odds_print(-log(40), text, sizeof text), "1 to 40");
	assert_string_equal(ossa_odds_print(0, text, sizeof text), "1.0 to 1");
	assert_string_equal(ossa_odds_print(1e9, text, sizeof text), "1e261 to 1");
}

static void words_lead_back_to_kinds_and_parts(void **state)
{
	(void)state;
	assert_int_equal(ossa_body_kind_of_name("human"), OSSA_BODY_HUMAN);
	assert_int_equal(ossa_body_kind_of_name("auto"), OSSA_BODY_NONE);
	assert_int_equal(ossa_body_kind_of_name(NULL), OSSA_BODY_NONE);
	assert_string_equal(ossa_body_kind_name((ossa_body_kind)-1), "none");
	assert_string_equal(ossa_body_kind_name((ossa_body_kind)1000), "none");
	for (int part = OSSA_PART_NONE; part <= OSSA_PART_BODY; part++) {
		const char *word = ossa_body_part_name((ossa_body_part)part);
		assert_int_equal(ossa_body_part_of_name(word), part);
	}
	assert_int_equal(ossa_body_part_of_name("wheel"), OSSA_PART_NONE);
	char text[64];
	assert_string_equal(ossa_role_print((ossa_role){.part = OSSA_PART_UPPER_LEG, .side = 1}, text, sizeof text), "left thigh");
	assert_string_equal(ossa_role_print((ossa_role){.part = OSSA_PART_SPINE, .number = 2}, text, sizeof text), "spine 2");
	assert_string_equal(ossa_role_print((ossa_role){.side = 1, .number = 2}, text, sizeof text), "");
}

static void a_body_in_words(void **state)
{
	(void)state;
	char text[OSSA_BODY_TEXT];
	ossa_body body = {.kind = OSSA_BODY_HUMAN,
		.score = log(1e6),
		.runner_up = OSSA_BODY_QUADRUPED,
		.runner_up_score = log(1e6 / 300),
		.front_odds = log(20),
		.up = {0, 0, 1},
		.front = {0, -1, 0}};
	assert_string_equal(
		ossa_body_print(&body, text, sizeof text), "human, score 13.8: 1e6 to 1 against no body, 300 to 1 against quadruped");
	assert_string_equal(
		ossa_body_front_print(&body, text, sizeof text), "-y, up +z; 20 to 1 that left and right are not exchanged");
	body.runner_up = OSSA_BODY_NONE;
	assert_string_equal(ossa_body_print(&body, text, sizeof text), "human, score 13.8: 1e6 to 1 against no body");
	body.kind = OSSA_BODY_NONE;
	assert_string_equal(ossa_body_print(&body, text, sizeof text), "none");
	assert_string_equal(ossa_body_front_print(&body, text, sizeof text), "");
}

static ossa_rig *human(ossa_context *context)
{
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_contraction_options options = ossa_contraction_default();
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_contraction(context, sample->rig->mesh, &options, &rig));
	ossa_sample_free(context, sample);
	assert_int_equal(rig->body.kind, OSSA_BODY_HUMAN);
	rig->skeleton.bones[3].deviation = 0.0125;
	return rig;
}

static void assert_same_roles(const ossa_rig *rig, const ossa_rig *other)
{
	assert_int_equal(rig->skeleton.bone_count, other->skeleton.bone_count);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		const int32_t same = ossa_rig_bone(other, bone->name);
		assert_true(same >= 0);
		assert_memory_equal(&bone->role, &other->skeleton.bones[same].role, sizeof bone->role);
		assert_near(other->skeleton.bones[same].deviation, bone->deviation, 1e-9);
	}
}

/* glTF files keep everything, whatever their units and axes */
static void gltf_keeps_body_and_roles(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = human(context), *read;
	for (int unit = 0; unit < 2; unit++) {
		ossa_write_options options = ossa_write_default();
		if (unit == 1) options.unit = 0.01;
		assert_ok(context, ossa_write_rig(context, rig, test_path("human.glb"), &options));
		assert_ok(context, ossa_read_rig(context, test_path("human.glb"), NULL, &read));
		assert_int_equal(read->body.kind, OSSA_BODY_HUMAN);
		assert_int_equal(read->body.runner_up, rig->body.runner_up);
		assert_near(read->body.score, rig->body.score, 1e-9);
		assert_near(read->body.runner_up_score, rig->body.runner_up_score, 1e-9);
		assert_near(read->body.front_odds, rig->body.front_odds, 1e-9);
		assert_near_array(3, read->body.up, rig->body.up, 1e-6);
		assert_near_array(3, read->body.front, rig->body.front, 1e-6);
		if (unit == 0) assert_same_roles(rig, read);
		assert_near(read->skeleton.bones[3].deviation, unit == 1 ? 1.25 : 0.0125, 1e-6);
		ossa_rig_free(context, read);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void tables_tell_body_and_roles(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = human(context);
	char *text = malloc(TEXT_SIZE);
	ossa_write_options options = ossa_write_default();
	options.up = OSSA_UP_Z;
	assert_ok(context, ossa_write_rig(context, rig, test_path("human.json"), &options));
	text[test_read_bytes(test_path("human.json"), text, TEXT_SIZE - 1)] = 0;
	assert_non_null(strstr(text, "\"body\": {\"kind\": \"human\""));
	double up[3] = {0, 0, 0};
	const char *at = strstr(text, "\"up\": [");
	assert_non_null(at);
	at += strlen("\"up\": [");
	for (int k = 0; k < 3; k++, at += strcspn(at, "0123456789-")) {
		char *end;
		up[k] = strtod(at, &end);
		at = end;
	}
	assert_near_vec3(ossai_v3_of(up), ossai_v3(0, 0, 1), 1e-9);
	assert_non_null(strstr(text, "\"part\": \"thigh\", \"side\": \"left\", \"number\": 0"));
	assert_non_null(strstr(text, "\"deviation\": 0.0125"));
	free(text);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void edits_keep_the_body(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = human(context);
	ossa_editor *editor;
	assert_ok(context, ossa_editor_create(context, rig, NULL, &editor));
	assert_ok(context, ossa_editor_do_line(context, editor, "rename head skull"));
	assert_ok(context, ossa_editor_do_line(context, editor, "split thigh_L"));
	const ossa_rig *now = ossa_editor_rig(editor);
	assert_memory_equal(&now->body, &rig->body, sizeof rig->body);
	const ossa_bone *skull = &now->skeleton.bones[ossa_rig_bone(now, "skull")];
	assert_int_equal(skull->role.part, OSSA_PART_HEAD);
	size_t thighs = 0;
	for (size_t b = 0; b < now->skeleton.bone_count; b++) {
		thighs += now->skeleton.bones[b].role.part == OSSA_PART_UPPER_LEG && now->skeleton.bones[b].role.side > 0;
	}
	assert_int_equal(thighs, 1);
	ossa_editor_free(context, editor);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void faults_of_bodies_are_found(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = human(context);
	const ossa_body good = rig->body;
	rig->body.kind = (ossa_body_kind)99;
	assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, "kind 99");
	rig->body = good;
	rig->body.score = NAN;
	assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, "score");
	rig->body = good;
	rig->body.front[0] = 7;
	assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, "front");
	rig->body = good;
	rig->skeleton.bones[2].deviation = -1;
	assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, "deviation");
	rig->skeleton.bones[2].deviation = 0;
	rig->skeleton.bones[2].role.side = 2;
	assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, "side 2");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_is_no_human_is_refused_with_reasons(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *octopus = test_sample(context, OSSA_SAMPLE_OCTOPUS, FACES);
	ossa_contraction_options options = ossa_contraction_default();
	options.body = OSSA_BODY_HUMAN;
	ossa_rig *rig;
	assert_fails(context, ossa_rig_from_contraction(context, octopus->rig->mesh, &options, &rig), OSSA_ERROR_INPUT, "no human");
	assert_null(rig);
	ossa_sample_free(context, octopus);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(odds_in_words), cmocka_unit_test(words_lead_back_to_kinds_and_parts),
		cmocka_unit_test(a_body_in_words), cmocka_unit_test(gltf_keeps_body_and_roles),
		cmocka_unit_test(tables_tell_body_and_roles), cmocka_unit_test(edits_keep_the_body),
		cmocka_unit_test(faults_of_bodies_are_found), cmocka_unit_test(what_is_no_human_is_refused_with_reasons)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
