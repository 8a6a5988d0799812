/* tests/test_names.c: names of body parts: for skeletons that are known, moved, turned, mirrored, shuffled and damaged. */
#include "samples/samples.h"
#include "support/support.h"

#include <string.h>

/* what a bone of a sample is to be called: "=" keeps its number */
typedef struct expected_name {
	const char *bone, *name;
} expected_name;

static const expected_name biped[] = {{"hips", "pelvis"}, {"spine", "spine_01"}, {"chest", "spine_02"}, {"neck", "neck_01"},
	{"head", "head"}, {"upperarm-l", "upperarm_L"}, {"forearm-l", "lowerarm_L"}, {"hand-l", "hand_L"}, {"thigh-l", "thigh_L"},
	{"shin-l", "calf_L"}, {"foot-l", "foot_L"}, {"toe-l", "toe_L"}, {"upperarm-r", "upperarm_R"}, {"forearm-r", "lowerarm_R"},
	{"hand-r", "hand_R"}, {"thigh-r", "thigh_R"}, {"shin-r", "calf_R"}, {"foot-r", "foot_R"}, {"toe-r", "toe_R"}};

static ossa_rig *make_sample(ossa_context *context, int kind)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = 4000;
	options.frames = 1;
	ossa_sample *sample;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	ossa_rig *rig = sample->rig;
	sample->rig = NULL;
	ossa_sample_free(context, sample);
	return rig;
}

static void assert_names(const ossa_rig *rig, char (*before)[64], const expected_name *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool found = false;
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			if (strcmp(before[b], expected[i].bone) != 0) continue;
			found = true;
			if (strcmp(rig->skeleton.bones[b].name, expected[i].name) == 0) continue;
			fail_msg("%s is called %s, not %s", before[b], rig->skeleton.bones[b].name, expected[i].name);
		}
		if (!found) fail_msg("there is no bone %s", expected[i].bone);
	}
}

static void check_sample(int kind, const expected_name *expected, size_t count)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_sample(context, kind);
	char before[64][64];
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) memcpy(before[b], rig->skeleton.bones[b].name, 64);
	assert_ok(context, ossa_rig_name_bones(context, rig, OSSA_NAMES_BODY));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_names(rig, before, expected, count);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_biped_has_limbs_and_a_spine(void **state)
{
	(void)state;
	check_sample(OSSA_SAMPLE_BIPED, biped, sizeof biped / sizeof biped[0]);
}

static void numbers_are_given_where_they_are_asked_for(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_sample(context, OSSA_SAMPLE_BIPED);
	assert_ok(context, ossa_rig_name_bones(context, rig, OSSA_NAMES_NUMBERS));
	assert_string_equal(rig->skeleton.bones[0].name, "root");
	assert_string_equal(rig->skeleton.bones[7].name, "bone_07");
	assert_ok(context, ossa_rig_validate(context, rig));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_biped_has_limbs_and_a_spine), cmocka_unit_test(numbers_are_given_where_they_are_asked_for)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
