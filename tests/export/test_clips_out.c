/* tests/export/test_clips_out.c: rigs with several motions through every format that holds them. */
#include "support/many_clips.h"
#include "support/rich_rig.h"

#include <stdio.h>
#include <string.h>

static ossa_rig *make(ossa_context *context, bool slides)
{
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 7, 4, &rig));
	if (slides) assert_ok(context, test_rich_rig_slides(context, rig));
	test_add_clips(context, rig);
	return rig;
}

static ossa_rig *read_all(ossa_context *context, const char *path)
{
	ossa_rig *rig;
	ossa_read_options options = ossa_read_default();
	strcpy(options.clip, "all");
	assert_ok(context, ossa_read_rig(context, path, &options, &rig));
	return rig;
}

static void round_trip(const char *name, const ossa_write_options *options, double tolerance)
{
	for (int slides = 0; slides < 2; slides++) {
		ossa_context *context = test_context(1);
		ossa_rig *rig = make(context, slides);
		assert_ok(context, ossa_write_rig(context, rig, test_path(name), options));
		assert_int_equal(test_warned(context, "clips-left-out"), 0);
		ossa_rig *back = read_all(context, test_path(name));
		test_assert_same_clips(rig, back, tolerance);
		ossa_rig_free(context, back);
		/* one without being asked for more */
		assert_ok(context, ossa_read_rig(context, test_path(name), NULL, &back));
		assert_int_equal(ossa_rig_clip_count(back), 1);
		ossa_rig_free(context, back);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

/* a build without assimp does not */
static bool reads_fbx(void)
{
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, "fbx") == 0) return true;
	}
	return false;
}

static void every_format_gives_all_back(void **state)
{
	(void)state;
	static const char *const names[] = {"a.glb", "a.gltf", "a.dae"};
	for (size_t i = 0; i < 3; i++) round_trip(names[i], NULL, 2e-6);
	ossa_write_options options = ossa_write_default();
	options.collada = OSSA_COLLADA_1_4_1;
	round_trip("b.dae", &options, 2e-6);
	if (reads_fbx()) round_trip("a.fbx", NULL, 2e-5);
}

/* axes, units and joint frames are changed in all of them; Collada says what they are */
static void conventions_change_all(void **state)
{
	(void)state;
	ossa_write_options options = ossa_write_default();
	options.up = OSSA_UP_Z;
	options.unit = 0.01;
	options.bone_axis = OSSA_AXIS_X;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make(context, true);
	assert_ok(context, ossa_write_rig(context, rig, test_path("z.dae"), &options));
	ossa_rig *back = read_all(context, test_path("z.dae"));
	assert_int_equal(ossa_rig_clip_count(back), 3);
	test_assert_same_clips(rig, back, 2e-5);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ids in Collada and prims in USD are unique where names are not */
static void equal_names_stay_apart(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make(context, false);
	for (size_t i = 0; i < 2; i++) strcpy(rig->other_clips[i]->name, rig->clip->name);
	assert_ok(context, ossa_write_rig(context, rig, test_path("same.dae"), NULL));
	ossa_rig *back = read_all(context, test_path("same.dae"));
	assert_ok(context, ossa_write_rig(context, rig, test_path("same.usda"), NULL));
	/* what is read has names that differ */
	for (size_t i = 0; i < 2; i++) snprintf(rig->other_clips[i]->name, 64, "%.50s_%zu", rig->clip->name, i + 2);
	test_assert_same_clips(rig, back, 2e-6);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static size_t count_in(const char *path, const char *text)
{
	static char bytes[4000000];
	const size_t size = test_read_bytes(path, bytes, sizeof bytes - 1);
	size_t count = 0;
	bytes[size] = 0;
	for (const char *at = bytes; (at = strstr(at, text)) != NULL; at++) count++;
	return count;
}

static void usd_has_a_prim_for_each(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make(context, false);
	assert_ok(context, ossa_write_rig(context, rig, test_path("a.usda"), NULL));
	assert_int_equal(count_in(test_path("a.usda"), "def SkelAnimation \""), 3);
	assert_int_equal(count_in(test_path("a.usda"), "def SkelAnimation \"back\""), 1);
	assert_int_equal(count_in(test_path("a.usda"), "skel:animationSource = "), 1);
	assert_int_equal(test_warned(context, "clips-left-out"), 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_holds_one_says_so(void **state)
{
	(void)state;
	static const char *const names[] = {"one.bvh", "one.py", "one.json"};
	for (size_t i = 0; i < 3; i++) {
		ossa_context *context = test_context(1);
		ossa_rig *rig = make(context, false);
		assert_ok(context, ossa_write_rig(context, rig, test_path(names[i]), NULL));
		assert_int_equal(test_warned(context, "clips-left-out"), 2);
		assert_non_null(strstr(test_warning_text(context, "clips-left-out"), "\"back\""));
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

/* ---- memory that fails ---- */

static ossa_status read_again(ossa_context *context, void *path)
{
	ossa_rig *rig;
	ossa_read_options options = ossa_read_default();
	strcpy(options.clip, "all");
	const ossa_status status = ossa_read_rig(context, path, &options, &rig);
	ossa_rig_free(context, rig);
	return status;
}

static ossa_status carry_again(ossa_context *context, void *path)
{
	ossa_rig *rig;
	size_t count = 0;
	ossa_clip **clips = NULL;
	ossa_read_options options = ossa_read_default();
	strcpy(options.clip, "all");
	ossa_status status = ossa_read_rig(context, path, NULL, &rig);
	if (status == OSSA_OK) status = ossa_read_motions(context, rig, path, &options, &count, &clips);
	for (size_t i = 0; i < count; i++) ossa_clip_free(context, clips[i]);
	ossa_free(context, clips);
	ossa_rig_free(context, rig);
	return status;
}

static void failing_memory_leaves_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make(context, true);
	char path[512];
	snprintf(path, sizeof path, "%s", test_path("memory.glb"));
	assert_ok(context, ossa_write_rig(context, rig, path, NULL));
	test_allocation_sweep(read_again, path, 0, 7);
	test_allocation_sweep(carry_again, path, 0, 11);
	const ossa_write_options options = {
		.cookie = ossa_write_default().cookie, .up = OSSA_UP_Z, .unit = 0.01, .bone_axis = OSSA_AXIS_X, .limit_slack = 5};
	const test_writing what = {.rig = rig, .options = &options};
	static const char *const names[] = {"f.glb", "f.dae", "f.fbx", "f.usda"};
	for (size_t i = 0; i < 4; i++) test_sweep_write(&what, names[i], 3);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* every motion of another file, each as it would be alone */
static void motions_are_carried_one_by_one(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make(context, false);
	ossa_read_options options = ossa_read_default();
	size_t count;
	ossa_clip **clips;
	assert_ok(context, ossa_write_rig(context, rig, test_path("source.glb"), NULL));
	strcpy(options.clip, "half,1");
	assert_ok(context, ossa_read_motions(context, rig, test_path("source.glb"), &options, &count, &clips));
	assert_int_equal(count, 2);
	assert_string_equal(clips[0]->name, "half");
	for (size_t i = 0; i < count; i++) {
		ossa_clip *alone;
		strcpy(options.clip, i == 0 ? "half" : "1");
		assert_ok(context, ossa_read_motion(context, rig, test_path("source.glb"), &options, &alone));
		assert_string_equal(alone->name, clips[i]->name);
		assert_near_array(4 * alone->frame_count * alone->bone_count, clips[i]->rotations, alone->rotations, 0);
		ossa_clip_free(context, alone);
	}
	assert_ok(context, ossa_rig_set_clips(context, rig, count, clips));
	ossa_free(context, clips);
	assert_ok(context, ossa_rig_validate(context, rig));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_gives_all_back),
		cmocka_unit_test(conventions_change_all),
		cmocka_unit_test(equal_names_stay_apart),
		cmocka_unit_test(usd_has_a_prim_for_each),
		cmocka_unit_test(what_holds_one_says_so),
		cmocka_unit_test(failing_memory_leaves_nothing),
		cmocka_unit_test(motions_are_carried_one_by_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
