/* tests/import/test_numbered_files.c: patterns for numbered files, ranges of them, axes and
   units. */
#include "samples/samples.h"
#include "scene/poses.h"
#include "support/support.h"
#include "support/streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- numbered files, ranges, axes ---- */

/* a folder of its own with files of these numbers, each a pose as high as its number; static */
static const char *make_sequence(const char *folder, const char *const *numbers, size_t count)
{
	static char path[600];
	char name[64];
	snprintf(path, sizeof path, "%s/%s", test_folder(), folder);
	assert_int_equal(mkdir(path, 0777), 0);
	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "%s/walk_%s.obj", folder, numbers[i]);
		test_pose_file(name, atoi(numbers[i]));
	}
	/* none of these is of the sequence */
	const char *const others[] = {"walk_.obj", "walk_12.ply", "walk_12.obj.bak", "swalk_12.obj", "walk_a1.obj", "walk_1a.obj"};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		snprintf(name, sizeof name, "%s/%s", folder, others[i]);
		test_pose_file(name, 99);
	}
	return path;
}

static const char *in_folder(const char *folder, const char *name)
{
	static char path[700];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

/* reads with --frames and expects these heights, a 24th of a second times the distance of their
   numbers apart */
static void check_range(
	ossa_context *context, const ossa_mesh *rest, const char *path, const char *range, size_t count, const int *heights)
{
	ossa_read_options options = ossa_read_default();
	assert_ok(context, ossa_option_set(context, ossa_read_option_table(), &options, "frames", range));
	ossa_frames *frames;
	assert_ok(context, ossa_read_frames(context, rest, 1, &path, false, &options, &frames));
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, count);
	for (size_t i = 0; i < count; i++) {
		assert_true(frames->positions[15 * i + 2] == (float)heights[i]);
		assert_near(24 * frames->times[i], heights[i] - heights[0], 1e-9);
	}
	ossa_frames_free(context, frames);
}

static void a_pattern_stands_for_numbered_files(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = test_read_rest(context);
	const char *const numbers[] = {"1", "02", "3", "04", "0005", "6", "7", "8", "9", "10", "11", "12"};
	const char *folder = make_sequence("walk", numbers, 12);
	const int all[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	check_range(context, rest, in_folder(folder, "walk_#.obj"), "", 12, all);
	check_range(context, rest, in_folder(folder, "walk_####.obj"), "", 12, all);
	check_range(context, rest, in_folder(folder, "walk_#.obj"), "3:10:3", 3, (const int[]){3, 6, 9});
	check_range(context, rest, in_folder(folder, "walk_#.obj"), "12", 1, (const int[]){12});
	check_range(context, rest, in_folder(folder, "walk_#.obj"), "::11", 2, (const int[]){1, 12});
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void patterns_that_fit_nothing_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = test_read_rest(context);
	const char *folder = make_sequence("few", (const char *const[]){"2", "4", "6", "12"}, 4);
	ossa_frames *frames;
	const char *path = in_folder(folder, "run_#.obj");
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames), OSSA_ERROR_READ,
		"few/: there is no file run_#.obj with a number");
	path = in_folder(folder, "#_#.obj");
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames), OSSA_ERROR_ARGUMENT, "marked twice");
	path = in_folder(folder, "none/walk_#.obj");
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames), OSSA_ERROR_READ, "looked into");
	/* 8 and 10 are missing: every second file has a number */
	path = in_folder(folder, "walk_#.obj");
	assert_ok(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames));
	assert_int_equal(frames->frame_count, 4);
	ossa_frames_free(context, frames);
	assert_string_equal(ossa_context_warning(context, 0)->code, "sequence-gaps");
	assert_int_equal(ossa_context_warning(context, 0)->count, 2);
	assert_non_null(strstr(ossa_context_warning(context, 0)->message, "the first after walk_6.obj"));
	test_pose_file("few/walk_004.obj", 4);
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames), OSSA_ERROR_ARGUMENT, "same number");
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void a_file_may_have_a_hash_in_its_name(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = test_read_rest(context);
	const char *path = test_pose_file("take#1.obj", 5);
	ossa_frames *frames;
	assert_ok(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames));
	assert_string_equal(frames->names[0], "take#1");
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void what_a_range_leaves_out_is_not_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = test_read_rest(context);
	const char *folder = make_sequence("broken", (const char *const[]){"1", "2", "3"}, 3);
	test_file("broken/walk_2.obj", "v 0 0 0\nf 1 2 9\n", 0);
	check_range(context, rest, in_folder(folder, "walk_#.obj"), "1:3:2", 2, (const int[]){1, 3});
	ossa_read_options options = ossa_read_default();
	ossa_frames *frames;
	const char *path = in_folder(folder, "walk_#.obj");
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, &options, &frames), OSSA_ERROR_INPUT, "walk_2.obj");
	options.frames = (ossa_range){4, 4, 0};
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, &options, &frames), OSSA_ERROR_ARGUMENT,
		"`frames 4` asks for more than there are: the frames are 1 to 3");
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void z_up_and_units_become_y_up_and_metres(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *text = "v 1 2 3\nv 100 0 0\nv 0 100 7\nvn 0 0 1\nvn 0 1 0\nf 1//1 2//2 3//1\n";
	const char *path = test_file("axes.obj", text, 0);
	ossa_read_options options = ossa_read_default();
	options.input_up = OSSA_UP_Z;
	options.input_unit = 0.01;
	ossa_mesh *plain, *turned;
	ossa_frames *frames;
	assert_ok(context, ossa_read_mesh(context, path, NULL, &plain));
	assert_ok(context, ossa_read_mesh(context, path, &options, &turned));
	assert_ok(context, ossa_read_frames(context, turned, 1, &path, false, &options, &frames));
	const float as_written[] = {1, 2, 3, 100, 0, 0, 0, 100, 7};
	const float positions[] = {0.01F, 0.03F, -0.02F, 1, 0, 0, 0, 0.07F, -1}, normals[] = {0, 1, 0, 0, 0, -1};
	for (size_t i = 0; i < 9; i++) {
		assert_true(plain->positions[i] == as_written[i]);
		assert_true(turned->positions[i] == positions[i] && !signbit(turned->positions[i]) == (positions[i] >= 0));
		assert_true(frames->positions[i] == positions[i]);
	}
	assert_memory_equal(plain->normals, ((const float[]){0, 0, 1, 0, 1, 0}), 24);
	for (size_t i = 0; i < 6; i++) assert_true(turned->normals[i] == normals[i]);
	ossa_mesh_free(context, turned);
	/* y up in metres is what ossa has: not a bit changes */
	options.input_up = OSSA_UP_Y;
	options.input_unit = 1;
	assert_ok(context, ossa_read_mesh(context, path, &options, &turned));
	assert_memory_equal(plain->positions, turned->positions, 36);
	ossa_mesh_free(context, turned);
	ossa_mesh_free(context, plain);
	ossa_frames_free(context, frames);
	options.input_unit = 1e6;
	path = test_file("far.obj", "v 1e35 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 0);
	assert_fails(
		context, ossa_read_mesh(context, path, &options, &turned), OSSA_ERROR_ARGUMENT, "far.obj: vertex 0 is too far");
	assert_null(turned);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	/* the second pose has its faces in another order, so that the set of faces is made */
	const char *paths[] = {test_file("rest.obj", test_rest_text, 0), test_pose_file("pose-1.obj", 1),
		test_file("pose-2.obj", "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 2 0 1\nf 2 5 3\nf 1 2 3 4\n", 0)};
	test_sweep_read_frames(paths[0], 2, paths + 1, 21);
	char pattern[700];
	strcpy(pattern, in_folder(make_sequence("sweep", (const char *const[]){"1", "2", "5"}, 3), "walk_#.obj"));
	paths[2] = pattern;
	test_sweep_read_frames(paths[0], 2, paths + 1, 41);
}

static void the_lion_has_nine_poses(void **state)
{
	(void)state;
	const char *found = test_corpus("poses/lion-poses/lion-reference.obj");
	if (!found) skip();
	char paths[10][600];
	const char *poses[9];
	snprintf(paths[9], sizeof paths[9], "%s", found);
	for (int i = 0; i < 9; i++) {
		snprintf(paths[i], sizeof paths[i], "%.*s/%d.obj", (int)(strrchr(found, '/') - found), found, 9 - i);
		poses[i] = paths[i];
	}
	ossa_context *context = test_context(1);
	ossa_mesh *rest;
	ossa_frames *frames;
	assert_ok(context, ossa_read_mesh(context, paths[9], NULL, &rest));
	assert_ok(context, ossa_read_frames(context, rest, 9, poses, false, NULL, &frames));
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->vertex_count, 5000);
	assert_string_equal(frames->names[0], "1");
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

/* the status of reading the sample's frames from a cache; `change` does something to all of them
   before */
typedef enum cache_change { CHANGE_NOTHING, CHANGE_SIZE, CHANGE_CRUMPLE, CHANGE_ORDER } cache_change;

static ossa_status read_cache_of(ossa_context *context, cache_change change, bool ignore, ossa_frames **read)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = 2000;
	options.frames = 3;
	ossa_sample *sample;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	ossa_frames *frames = sample->frames;
	const size_t vertices = frames->vertex_count, count = 3 * vertices * frames->frame_count;
	float *own = malloc(count * sizeof *own);
	memcpy(own, frames->positions, count * sizeof *own);
	for (size_t i = 0; i < count; i++) {
		/* 7 has no divisor in common with the number of vertices */
		const size_t frame = i / 3 / vertices, other = (i / 3 % vertices * 7 + 1) % vertices;
		if (change == CHANGE_SIZE) frames->positions[i] = 100 * own[i];
		if (change == CHANGE_CRUMPLE) frames->positions[i] = 0.01f * own[i];
		if (change == CHANGE_ORDER) frames->positions[i] = own[3 * (frame * vertices + other) + i % 3];
	}
	assert_true(vertices % 7 != 0);
	const char *path = test_path("order.mdd");
	assert_ok(context, ossa_write_frames(context, NULL, frames, path, NULL));
	ossa_read_options reading = ossa_read_default();
	reading.ignore_pose_faces = ignore;
	const ossa_status status = ossa_read_frames(context, sample->rig->mesh, 1, &path, false, &reading, read);
	free(own);
	ossa_sample_free(context, sample);
	return status;
}

/* a cache has no faces that could tell; neither units nor folds are another order */
static void another_order_of_vertices_is_seen(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_frames *frames;
	for (int change = CHANGE_NOTHING; change < CHANGE_ORDER; change++) {
		assert_ok(context, read_cache_of(context, change, false, &frames));
		ossa_frames_free(context, frames);
	}
	assert_fails(
		context, read_cache_of(context, CHANGE_ORDER, false, &frames), OSSA_ERROR_INPUT, "order.mdd: its vertices are in");
	assert_null(frames);
	assert_int_equal(test_warned(context, "pose-order"), 0);
	assert_ok(context, read_cache_of(context, CHANGE_ORDER, true, &frames));
	assert_int_equal(test_warned(context, "pose-order"), 1);
	ossa_frames_free(context, frames);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_order_of_vertices_is_seen),
		cmocka_unit_test(a_pattern_stands_for_numbered_files),
		cmocka_unit_test(patterns_that_fit_nothing_are_refused),
		cmocka_unit_test(a_file_may_have_a_hash_in_its_name),
		cmocka_unit_test(what_a_range_leaves_out_is_not_read),
		cmocka_unit_test(z_up_and_units_become_y_up_and_metres),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(the_lion_has_nine_poses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
