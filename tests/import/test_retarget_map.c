/* tests/import/test_retarget_map.c: what a person knows better about the bones of two skeletons:
   read, refused, and obeyed. */
#include "support/rich_rig.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static ossa_status read_map(ossa_context *context, const char *text, ossa_retarget_map **map)
{
	return ossa_retarget_map_read(context, test_file("map.json", text, strlen(text)), map);
}

static void roles_and_pairs_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_retarget_map *map;
	assert_ok(context,
		read_map(context,
			"{\"rig\": {\"a\": \"left thigh\", \"b\": null}, \"motion\": {\"c\": \"spine 2\"},"
			" \"pairs\": {\"jaw\": \"Jaw M\", \"cape\": null}}",
			&map));
	assert_int_equal(map->count, 5);
	assert_int_equal(map->entries[0].kind, OSSA_MAP_RIG_ROLE);
	assert_string_equal(map->entries[0].bone, "a");
	assert_int_equal(map->entries[0].role.part, OSSA_PART_UPPER_LEG);
	assert_int_equal(map->entries[0].role.side, 1);
	assert_int_equal(map->entries[1].role.part, OSSA_PART_NONE);
	assert_int_equal(map->entries[2].kind, OSSA_MAP_SOURCE_ROLE);
	assert_int_equal(map->entries[2].role.part, OSSA_PART_SPINE);
	assert_int_equal(map->entries[2].role.number, 2);
	assert_string_equal(map->entries[3].source, "Jaw M");
	assert_string_equal(map->entries[4].source, "");
	ossa_retarget_map_free(context, map);
	test_context_end(context);
}

static void what_is_no_map_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *words;
	} cases[] = {
		{"{", "map.json:"},
		{"{}", "holds no bone"},
		{"[1]", "holds no bone"},
		{"{\"rigs\": {}}", "\"rigs\" is not one of"},
		{"{\"rig\": [1]}", "\"rig\" is not one of"},
		{"{\"rig\": {\"a\": \"left leggings\"}}", "what the bone is"},
		{"{\"rig\": {\"a\": \"thigh 1x\"}}", "what the bone is"},
		{"{\"rig\": {\"a\": 3}}", "a text or null"},
		{"{\"rig\": {\"\": \"hips\"}}", "1 to 63 characters"},
		{"{\"pairs\": {\"a\": \"\"}}", "the name of a bone"},
		{"{\"rig\": {\"a\": \"hips\", \"a\": \"head\"}}", "duplicate"},
	};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossa_retarget_map *map;
		assert_fails(context, read_map(context, cases[i].text, &map), OSSA_ERROR_INPUT, cases[i].words);
		assert_null(map);
		ossa_context_reset(context);
	}
	ossa_retarget_map *map;
	assert_fails(context, ossa_retarget_map_read(context, test_path("none.json"), &map), OSSA_ERROR_READ, "none.json");
	test_context_end(context);
}

/* a pair that a map gives moves its bone as the other one moves, and null keeps it at rest */
static void pairs_are_obeyed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 6, 4, &rig));
	const size_t last = rig->skeleton.bone_count - 1;
	ossa_map_entry entry = {.kind = OSSA_MAP_PAIR};
	const ossa_retarget_map map = {1, &entry};
	ossa_retarget_options options = ossa_retarget_default();
	ossa_retarget_facts facts;
	ossa_clip *clip;
	strcpy(entry.bone, rig->skeleton.bones[last].name);
	options.match = OSSA_RETARGET_NAMES;
	options.map = &map;
	assert_ok(context, ossa_rig_retarget(context, rig, rig, "itself", &options, &clip, &facts));
	assert_int_equal(facts.matched, last);
	for (size_t f = 1; f < clip->frame_count; f++) {
		const double *q = clip->rotations + 4 * (f * clip->bone_count + last);
		for (int k = 0; k < 4; k++) assert_near(q[k], clip->rotations[4 * last + (size_t)k], 1e-9);
	}
	ossa_clip_free(context, clip);
	strcpy(entry.source, entry.bone);
	assert_ok(context, ossa_rig_retarget(context, rig, rig, "itself", &options, &clip, &facts));
	assert_int_equal(facts.matched, last + 1);
	ossa_clip_free(context, clip);
	strcpy(entry.source, "stranger");
	assert_fails(
		context, ossa_rig_retarget(context, rig, rig, "itself", &options, &clip, NULL), OSSA_ERROR_ARGUMENT, "stranger");
	assert_null(clip);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status read_whole_map(ossa_context *context, void *path)
{
	ossa_retarget_map *map;
	const ossa_status status = ossa_retarget_map_read(context, path, &map);
	ossa_retarget_map_free(context, map);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	const char *text = "{\"rig\": {\"a\": \"hips\", \"b\": \"head\"}, \"pairs\": {\"c\": null}}";
	ossa_context *context = test_context(1);
	char path[4096];
	snprintf(path, sizeof path, "%s", test_file("map.json", text, strlen(text)));
	test_context_end(context);
	assert_true(test_allocation_sweep(read_whole_map, path, 1000, 1) > 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(roles_and_pairs_are_read), cmocka_unit_test(what_is_no_map_is_refused),
		cmocka_unit_test(pairs_are_obeyed), cmocka_unit_test(every_allocation_may_fail)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
