/* tests/export/gltf/test_vrm.c: the humanoid of VRM files, and what cannot be one. */
#include "support/people.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <jansson.h>
#include <string.h>

static ossa_rig *make_human(ossa_context *context)
{
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	test_rich_rig_roles(rig);
	return rig;
}

/* the extension of a file in memory, whose JSON is behind the 20 bytes of the head */
static json_t *read_extension(const ossa_files *files, const char *path)
{
	const ossa_file *file = ossa_files_find(files, path);
	uint32_t size;
	assert_non_null(file);
	memcpy(&size, file->bytes + 12, sizeof size);
	json_t *root = json_loadb((const char *)file->bytes + 20, size, 0, NULL);
	json_t *vrm = json_object_get(json_object_get(root, "extensions"), "VRMC_vrm");
	assert_non_null(vrm);
	json_incref(vrm);
	json_decref(root);
	return vrm;
}

static json_t *write_and_read(ossa_context *context, const ossa_rig *rig, const ossa_write_options *options)
{
	ossa_files *files;
	assert_ok(context, ossa_files_create(context, &files));
	ossa_context_use_files(context, files);
	assert_ok(context, ossa_write_rig(context, rig, "hero.vrm", options));
	json_t *vrm = read_extension(files, "hero.vrm");
	ossa_context_use_files(context, NULL);
	ossa_files_free(files);
	return vrm;
}

static int node_of(const json_t *vrm, const char *bone)
{
	const json_t *bones = json_object_get(json_object_get(vrm, "humanoid"), "humanBones");
	const json_t *found = json_object_get(bones, bone);
	return found ? (int)json_integer_value(json_object_get(found, "node")) : -1;
}

/* the mesh's node is the first, then come the bones */
static void human_bones(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_human(context);
	json_t *vrm = write_and_read(context, rig, NULL);
	assert_int_equal(node_of(vrm, "hips"), 1);
	assert_int_equal(node_of(vrm, "spine"), 2);
	assert_int_equal(node_of(vrm, "leftUpperArm"), 4);
	assert_int_equal(node_of(vrm, "rightFoot"), 15);
	assert_int_equal(node_of(vrm, "chest"), -1);
	assert_string_equal(json_string_value(json_object_get(vrm, "specVersion")), "1.0");
	assert_int_equal(test_warned(context, "no-author"), 1);
	json_decref(vrm);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void the_author(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_human(context);
	ossa_write_options options = ossa_write_default();
	strcpy(options.author, "A. \"Maker\"");
	json_t *vrm = write_and_read(context, rig, &options);
	const json_t *meta = json_object_get(vrm, "meta");
	assert_string_equal(json_string_value(json_array_get(json_object_get(meta, "authors"), 0)), "A. \"Maker\"");
	assert_string_equal(json_string_value(json_object_get(meta, "name")), "hero");
	assert_string_equal(json_string_value(json_object_get(meta, "licenseUrl")), "https://vrm.dev/licenses/1.0/");
	assert_string_equal(test_warning_text(context, "no-author"), "");
	json_decref(vrm);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a person in a T is as VRM wants it; one in an A is written, too */
static void the_rest_pose(void **state)
{
	(void)state;
	for (int pose = OSSA_REST_T; pose <= OSSA_REST_A; pose++) {
		ossa_context *context = test_context(1);
		person p = person_make(context, (person_form){.names = PERSON_VRM});
		ossa_write_options options = ossa_write_default();
		strcpy(options.author, "A. Maker");
		options.rest_pose = pose;
		json_decref(write_and_read(context, p.rig, &options));
		if (pose == OSSA_REST_T) assert_no_warnings(context);
		else assert_non_null(strstr(test_warning_text(context, "rest-pose"), "45 degrees"));
		person_end(&p);
		test_context_end(context);
	}
}

/* in any direction but +z avatars look aside */
static void a_body_that_faces_aside(void **state)
{
	(void)state;
	static const double fronts[2][3] = {{0, 0, 1}, {1, 0, 0}};
	for (int i = 0; i < 2; i++) {
		ossa_context *context = test_context(0);
		ossa_rig *rig = make_human(context);
		rig->body.kind = OSSA_BODY_HUMAN;
		rig->body.up[1] = 1;
		memcpy(rig->body.front, fronts[i], sizeof rig->body.front);
		json_decref(write_and_read(context, rig, NULL));
		assert_int_equal(test_warned(context, "vrm-front"), i);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

/* a finger's outer bone has no place without those before it */
static void fingers_with_gaps(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_human(context);
	rig->skeleton.bones[15].role = (ossa_role){.part = OSSA_PART_INDEX, .side = 1, .number = 3};
	rig->skeleton.bones[16].role = (ossa_role){.part = OSSA_PART_THUMB, .side = 1, .number = 1};
	json_t *vrm = write_and_read(context, rig, NULL);
	assert_int_equal(node_of(vrm, "leftIndexDistal"), -1);
	assert_int_equal(node_of(vrm, "leftThumbMetacarpal"), 17);
	json_decref(vrm);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_is_no_vrm(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_human(context);
	ossa_write_options options = ossa_write_default();
	const char *path = test_path("a.vrm");
	options.up = OSSA_UP_Z;
	assert_fails(context, ossa_write_rig(context, rig, path, &options), OSSA_ERROR_ARGUMENT, "Y up");
	options = ossa_write_default();
	options.unit = 0.01;
	assert_fails(context, ossa_write_rig(context, rig, path, &options), OSSA_ERROR_ARGUMENT, "metres");
	rig->skeleton.bones[11].role = (ossa_role){.part = OSSA_PART_NONE};
	assert_fails(context, ossa_write_rig(context, rig, path, NULL), OSSA_ERROR_INPUT, "left foot");
	assert_fails(context, ossa_write_mesh(context, rig->mesh, NULL, path, NULL), OSSA_ERROR_ARGUMENT, "VRM");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void no_memory(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_human(context);
	test_sweep_write(&(test_writing){.rig = rig}, "a.vrm", 10);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(human_bones),
		cmocka_unit_test(the_author),
		cmocka_unit_test(the_rest_pose),
		cmocka_unit_test(a_body_that_faces_aside),
		cmocka_unit_test(fingers_with_gaps),
		cmocka_unit_test(what_is_no_vrm),
		cmocka_unit_test(no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
