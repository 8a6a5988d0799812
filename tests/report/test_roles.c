/* tests/report/test_roles.c: bones in the colours of their roles, the legend, rings of doubt. */
#include "report/roles.h"
#include "support/support.h"
#include "support/still.h"

#include <string.h>

enum { FACES = 3000 };

static ossa_rig *human(ossa_context *context)
{
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_contraction_options options = ossa_contraction_default();
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_contraction(context, sample->rig->mesh, &options, &rig));
	ossa_sample_free(context, sample);
	return rig;
}

static void parts_and_sides_differ(void **state)
{
	(void)state;
	for (int part = OSSA_PART_NONE + 1; part <= OSSA_PART_BODY; part++) {
		const ossai_color left = ossai_role_color((ossa_role){.part = (ossa_body_part)part, .side = 1});
		const ossai_color right = ossai_role_color((ossa_role){.part = (ossa_body_part)part, .side = -1});
		/* warm and cool */
		assert_true(left.b > 0 && right.b < 0);
		const ossai_color next = ossai_role_color((ossa_role){.part = (ossa_body_part)(part - 1), .side = 1});
		assert_true(fabsf(left.l - next.l) > 0.02F);
	}
	const ossai_color grey = ossai_role_color((ossa_role){.part = OSSA_PART_NONE});
	assert_true(grey.a == 0 && grey.b == 0);
}

static void the_legend_lists_each_part_once(void **state)
{
	(void)state;
	ossa_bone bones[5] = {{.role = {.part = OSSA_PART_HIPS}}, {.role = {.part = OSSA_PART_SPINE, .number = 1}},
		{.role = {.part = OSSA_PART_SPINE, .number = 2}}, {.role = {.part = OSSA_PART_NONE}},
		{.role = {.part = OSSA_PART_UPPER_LEG, .side = 1}}};
	const ossa_skeleton skeleton = {.bone_count = 5, .bones = bones};
	ossai_legend_row rows[5];
	assert_int_equal(ossai_role_rows(&skeleton, rows), 4);
	assert_string_equal(rows[0].text, "pelvis");
	assert_string_equal(rows[1].text, "spine");
	assert_string_equal(rows[2].text, "left thigh");
	assert_string_equal(rows[3].text, "no part known");
}

static ossa_picture *draw(ossa_context *context, const ossa_rig *rig, bool legend)
{
	ossa_picture_options options = ossa_picture_default();
	options.width = 320;
	options.height = 240;
	options.color = OSSA_PICTURE_ROLES;
	options.legend = legend;
	ossa_picture *picture;
	assert_ok(context, ossa_picture_rig(context, rig, (int[]){-1}, 1, &options, &picture));
	return picture;
}

static size_t count_differences(const ossa_picture *a, const ossa_picture *b)
{
	size_t count = 0;
	for (size_t i = 0; i < a->width * a->height; i++) count += memcmp(a->pixels + 4 * i, b->pixels + 4 * i, 4) != 0;
	return count;
}

static void doubts_are_drawn_as_rings(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = human(context);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) rig->skeleton.bones[b].deviation = 0;
	ossa_picture *sure = draw(context, rig, false);
	rig->skeleton.bones[ossa_rig_bone(rig, "lowerarm_L")].deviation = 0.1;
	ossa_picture *unsure = draw(context, rig, false);
	assert_true(count_differences(sure, unsure) > 20);
	ossa_picture_free(context, unsure);
	unsure = draw(context, rig, true);
	assert_true(count_differences(sure, unsure) > 1000);
	ossa_picture_free(context, unsure);
	ossa_picture_free(context, sure);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_rig_without_roles_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = human(context);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) rig->skeleton.bones[b].role.part = OSSA_PART_NONE;
	ossa_picture_options options = ossa_picture_default();
	options.color = OSSA_PICTURE_ROLES;
	ossa_picture *picture;
	assert_fails(
		context, ossa_picture_rig(context, rig, (int[]){-1}, 1, &options, &picture), OSSA_ERROR_INPUT, "part of a body");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parts_and_sides_differ),
		cmocka_unit_test(the_legend_lists_each_part_once), cmocka_unit_test(doubts_are_drawn_as_rings),
		cmocka_unit_test(a_rig_without_roles_is_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
