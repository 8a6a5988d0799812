/* tests/import/asset/test_asset_loops.c: loops, levels of articulation and parts through files and
   back; what does not fit is left out. */
#include "support/hinge.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 3 };

/* two loops; bones whose level falls with their depth; faces in two parts */
static ossa_rig *articulated(ossa_context *context)
{
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	const size_t bones = rig->skeleton.bone_count;
	rig->loops = ossa_alloc(context, 2, sizeof *rig->loops);
	rig->last_level = ossa_alloc(context, bones, 1);
	rig->face_clusters = ossa_alloc(context, rig->mesh->triangle_count, sizeof *rig->face_clusters);
	assert_true(rig->loops && rig->last_level && rig->face_clusters && bones > 4);
	rig->loops[0] = (ossa_loop){{0.5, -0.25, 2}, {1, 2}};
	rig->loops[1] = (ossa_loop){{0, 1, 0.125}, {3, 0}};
	rig->loop_count = 2;
	rig->level_count = LEVELS;
	for (size_t b = 0; b < bones; b++) {
		const int32_t parent = rig->skeleton.bones[b].parent;
		const int above = parent < 0 ? LEVELS : rig->last_level[parent];
		/* every second bone is in the finest level alone, whatever its children are in */
		rig->last_level[b] = (uint8_t)(above > 0 && (b == 0 || b % 2) ? above - 1 : b % 3 == 0 ? 1 : 0);
	}
	for (uint32_t f = 0; f < rig->mesh->triangle_count; f++) rig->face_clusters[f] = f % 2;
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static ossa_rig *read_rig(ossa_context *context, const char *path)
{
	ossa_rig *rig = NULL;
	assert_ok(context, ossa_read_rig(context, path, NULL, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static void assert_articulated(const ossa_rig *rig, const ossa_rig *back, double tolerance)
{
	assert_int_equal(back->loop_count, 2);
	for (size_t i = 0; i < 2; i++) {
		for (int k = 0; k < 3; k++) assert_near(back->loops[i].center[k], rig->loops[i].center[k], tolerance);
		assert_memory_equal(back->loops[i].bones, rig->loops[i].bones, sizeof rig->loops[i].bones);
	}
	assert_int_equal(back->level_count, LEVELS);
	assert_memory_equal(back->last_level, rig->last_level, rig->skeleton.bone_count);
}

static size_t count_parts(ossa_context *context, const ossa_rig *rig)
{
	size_t count = 0;
	uint32_t *cluster = malloc(rig->mesh->triangle_count * sizeof *cluster);
	assert_ok(context, ossa_rig_clusters(context, rig, 1, cluster, &count));
	free(cluster);
	return count;
}

/* in other axes and units too: they are the file's, and come back */
static void loops_levels_and_parts_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = articulated(context);
	for (int turned = 0; turned < 2; turned++) {
		ossa_write_options options = ossa_write_default();
		options.leaf_bones = turned != 0;
		options.bone_axis = turned ? OSSA_AXIS_X : OSSA_AXIS_Y;
		assert_ok(context, ossa_write_rig(context, rig, test_path("loops.glb"), &options));
		ossa_rig *back = read_rig(context, test_path("loops.glb"));
		assert_articulated(rig, back, 1e-9);
		assert_int_equal(back->merge_count, 0);
		assert_int_equal(count_parts(context, back), 2);
		ossa_rig_free(context, back);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the text of a .gltf with `from` replaced by `to`, as another program may have left it */
static ossa_rig *changed(ossa_context *context, const char *from, const char *to)
{
	static char text[1 << 21];
	FILE *stream = fopen(test_path("loops.gltf"), "rb");
	assert_non_null(stream);
	const size_t size = fread(text, 1, sizeof text - 1, stream);
	fclose(stream);
	text[size] = 0;
	char *at = strstr(text, from);
	if (!at) fail_msg("no %s", from);
	stream = fopen(test_path("changed.gltf"), "wb");
	fprintf(stream, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	fclose(stream);
	return read_rig(context, test_path("changed.gltf"));
}

static void what_does_not_fit_is_left_out(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = articulated(context);
	assert_ok(context, ossa_write_rig(context, rig, test_path("loops.gltf"), NULL));
	const struct {
		const char *from, *to;
		size_t loops;
		int levels;
	} cases[] = {
		{"\"levels\":3", "\"levels\":2", 2, 0},
		{"\"levels\":3", "\"levels\":-3", 2, 0},
		{"\"levels\":3", "\"levels\":1e9", 2, 0},
		{"\"last_level\":2", "\"last_level\":0", 2, 0},
		{"\"last_level\":1", "\"last_level\":\"1\"", 2, 0},
		{"\"joints\":[1,2]", "\"joints\":[1,1]", 1, LEVELS},
		{"\"joints\":[1,2]", "\"joints\":[1,999]", 1, LEVELS},
		{"\"joints\":[3,0]", "\"joints\":[3]", 1, LEVELS},
		{"\"loops\":[", "\"loops\":[7,null,{},", 2, LEVELS},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossa_rig *back = changed(context, cases[i].from, cases[i].to);
		assert_int_equal(back->loop_count, cases[i].loops);
		assert_int_equal(back->level_count, cases[i].levels);
		ossa_rig_free(context, back);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- dependent bones ---- */

static double angle_at(const void *user, size_t hinge, size_t frame)
{
	(void)user;
	return 10 * (double)(hinge + 1) * (double)(frame % 3);
}

static ossa_rig *driven(ossa_context *context)
{
	static const int32_t parents[] = {0, 1, 2};
	static const ossa_dependency list[] = {{2, 1, -1.5, 10, 0.25, 0.125, {0}}, {3, 1, 0.8, 0, 0, 0, {0}}};
	ossa_rig *rig = test_hinges_rig(context, 3, parents, 4, angle_at, NULL);
	assert_ok(context, ossa_rig_set_dependencies(context, rig, 2, list));
	return rig;
}

/* the first bone is a ball, whose twist drives the others */
static ossa_rig *twisted(ossa_context *context)
{
	ossa_rig *rig = driven(context);
	ossa_bone *ball = &rig->skeleton.bones[1];
	ball->kind = OSSA_JOINT_BALL;
	memset(ball->axis, 0, sizeof ball->axis);
	for (size_t i = 0; i < 2; i++)
		memcpy(rig->dependencies[i].driver_axis, rig->skeleton.bones[2 + i].axis, sizeof rig->dependencies[i].driver_axis);
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

/* also in units of a centimetre, as which a glTF mesh is larger, in other axes, and in Collada */
static void check_dependencies_come_back(ossa_context *context, const ossa_rig *rig, int step)
{
	ossa_write_options options = ossa_write_default();
	options.unit = step == 1 || step == 4 ? 0.01 : 1;
	options.up = step == 2 ? OSSA_UP_Z : OSSA_UP_Y;
	assert_ok(context, ossa_write_rig(context, rig, test_path(step < 3 ? "driven.glb" : "driven.dae"), &options));
	ossa_rig *back = read_rig(context, test_path(step < 3 ? "driven.glb" : "driven.dae"));
	assert_int_equal(back->dependency_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const ossa_dependency *a = &rig->dependencies[i], *b = &back->dependencies[i];
		assert_true(a->bone == b->bone && a->driver == b->driver);
		assert_near(b->ratio, a->ratio, 1e-12);
		assert_near(b->offset_degrees, a->offset_degrees, 1e-12);
		assert_near(b->error_degrees, a->error_degrees, 1e-12);
		assert_near(b->cost, a->cost * (step == 1 ? 100 : 1), 1e-9);
		/* of a twist that of the bone, which is in the same axes */
		const bool twists = a->driver_axis[0] != 0;
		for (int k = 0; k < 3; k++) assert_near(b->driver_axis[k], twists ? back->skeleton.bones[b->bone].axis[k] : 0, 1e-9);
	}
	ossa_rig_free(context, back);
}

static void dependent_bones_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *hinges = driven(context), *twists = twisted(context);
	for (int step = 0; step < 10; step++) {
		const ossa_rig *rig = step < 5 ? hinges : twists;
		check_dependencies_come_back(context, rig, step % 5);
	}
	ossa_rig_free(context, twists);
	ossa_rig_free(context, hinges);
	test_context_end(context);
}

static void dependencies_that_do_not_fit_are_left_out(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = driven(context);
	assert_ok(context, ossa_write_rig(context, rig, test_path("loops.gltf"), NULL));
	static const struct {
		const char *from, *to;
		size_t left;
		const char *why;
	} cases[] = {
		{"\"ratio\":-1.5", "\"ratio\":0", 1, "\"hinge_2\" has a ratio that is 0"},
		{"\"ratio\":-1.5", "\"ratio\":1e300", 1, "\"hinge_2\" has a ratio that is 0, or beyond"},
		{"\"ratio\":-1.5", "\"ratio\":\"x\"", 1, "\"hinge_2\" has a ratio that is 0"},
		{"\"offset_degrees\":", "\"offset_degrees\":1e9,\"x\":", 1, "\"hinge_2\" has an offset beyond"},
		{"\"ratio\":-1.5", "\"ratio\":-1.5,\"driver_axis\":[1,0]", 1, "\"hinge_2\" has an axis that is no unit vector"},
		{"\"driver\":\"hinge_1\"", "\"driver\":\"gone\"", 1, "\"hinge_2\" names a bone that is not there"},
		{"\"driver\":\"hinge_1\"", "\"driver\":\"hinge_3\"", 1, "\"hinge_2\" has a driver that is driven itself"},
		{"\"driver\":\"hinge_1\"", "\"driver\":\"hinge_2\"", 1, "\"hinge_2\" drives a bone by itself"},
		{"\"driver\":\"hinge_1\"", "\"driver\":7", 1, "\"hinge_2\" names a bone that is not there"},
		{"\"dependency\":{", "\"dependency\":[],\"x\":{", 1, "\"hinge_2\" names a bone that is not there"},
		{"\"kind\":\"hinge\"", "\"kind\":\"ball\"", 0, "\"hinge_2\" has a driver that is no hinge"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossa_rig *back = changed(context, cases[i].from, cases[i].to);
		if (back->dependency_count != cases[i].left) fail_msg("%s: %zu are left", cases[i].to, back->dependency_count);
		assert_int_equal(test_warned(context, "dependencies-dropped"), 2 - cases[i].left);
		if (!strstr(test_warning_text(context, "dependencies-dropped"), cases[i].why))
			fail_msg("%s: not \"%s\"", cases[i].to, cases[i].why);
		ossa_rig_free(context, back);
		ossa_context_reset(context);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* without an axis a ball drives nothing; a length is none of its business */
static void twists_that_do_not_fit_are_left_out(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = twisted(context);
	assert_ok(context, ossa_write_rig(context, rig, test_path("loops.gltf"), NULL));
	static const struct {
		const char *from, *to;
		size_t left;
	} cases[] = {
		{"\"driver_axis\":[", "\"axis_of_driver\":[", 1},
		{"\"driver_axis\":[", "\"driver_axis\":[0,0,0],\"x\":[", 1},
		{"\"driver_axis\":[", "\"driver_axis\":[0,0],\"x\":[", 1},
		{"\"driver_axis\":[", "\"driver_axis\":[0,3,0],\"x\":[", 2},
		{"\"driver_axis\":[", "\"driver_axis\":[1e200,0,0],\"x\":[", 1},
		{"\"kind\":\"ball\"", "\"kind\":\"welded\"", 0},
		{"\"kind\":\"ball\"", "\"kind\":\"hinge\"", 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossa_rig *back = changed(context, cases[i].from, cases[i].to);
		assert_ok(context, ossa_rig_validate(context, back));
		if (back->dependency_count != cases[i].left) fail_msg("%s: %zu are left", cases[i].to, back->dependency_count);
		ossa_rig_free(context, back);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops_levels_and_parts_come_back),
		cmocka_unit_test(what_does_not_fit_is_left_out),
		cmocka_unit_test(dependent_bones_come_back),
		cmocka_unit_test(dependencies_that_do_not_fit_are_left_out),
		cmocka_unit_test(twists_that_do_not_fit_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
