/* tests/export/test_target.c: what programs expect of files that are made for them. */
#include "support/support.h"

#include <string.h>

static ossa_write_options apply(const char *name, const char *path, int64_t unread)
{
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	options.limit_slack = 7;
	assert_ok(context, ossa_target_apply(context, ossa_target_find(name), path, &options));
	assert_int_equal(test_warned(context, "unread-format"), unread);
	assert_near(options.limit_slack, 7, 0);
	test_context_end(context);
	return options;
}

static void axes_and_units(void **state)
{
	(void)state;
	const ossa_write_options unreal = apply("unreal", "a.usda", 0), maya = apply("maya", "a.dae", 0);
	assert_int_equal(unreal.up, OSSA_UP_Z);
	assert_near(unreal.unit, 0.01, 0);
	assert_int_equal(unreal.bone_axis, OSSA_AXIS_X);
	assert_false(unreal.leaf_bones);
	assert_int_equal(maya.up, OSSA_UP_Y);
	assert_true(maya.leaf_bones);
}

/* joint frames are set, axes and unit are the specification's */
static void what_gltf_fixes(void **state)
{
	(void)state;
	static const char *const paths[] = {"a.glb", "a.gltf", "a.vrm"};
	for (size_t i = 0; i < 3; i++) {
		const ossa_write_options options = apply("unreal", paths[i], i == 2);
		assert_int_equal(options.up, OSSA_UP_Y);
		assert_near(options.unit, 1, 0);
		assert_int_equal(options.bone_axis, OSSA_AXIS_X);
	}
}

static void formats(void **state)
{
	(void)state;
	apply("mixamo", "a.glb", 1);
	apply("blender", "a.bvh", 0);
	assert_string_equal(ossa_target_endings(ossa_target_find("unreal")), ".fbx");
	assert_string_equal(ossa_target_endings(ossa_target_find("godot")), ".glb");
	assert_null(ossa_target_find("any"));
	assert_null(ossa_target_at(ossa_target_count()));
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	assert_fails(context, ossa_target_apply(context, ossa_target_at(0), "a.xyz", &options), OSSA_ERROR_ARGUMENT, "endings");
	test_context_end(context);
}

/* every format that is named is one that is written, and the choices are the table's */
static void the_table(void **state)
{
	(void)state;
	char choices[128] = "any";
	for (size_t t = 0; t < ossa_target_count(); t++) {
		const ossa_target *target = ossa_target_at(t);
		strcat(strcat(choices, "|"), target->name);
		for (const char *at = target->formats; *at;) {
			const size_t length = strcspn(at, "|");
			bool is_there = false;
			for (size_t f = 0; f < ossa_write_format_count(); f++) {
				const char *name = ossa_write_format_at(f)->name;
				is_there = is_there || (strlen(name) == length && strncmp(name, at, length) == 0);
			}
			assert_true(is_there);
			at += length + (at[length] == '|');
		}
	}
	assert_string_equal(choices, OSSA_TARGET_CHOICES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(axes_and_units),
		cmocka_unit_test(what_gltf_fixes),
		cmocka_unit_test(formats),
		cmocka_unit_test(the_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
