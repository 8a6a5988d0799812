/* tests/import/test_read_frames.c: poses of a rest mesh: their order, their faces, their times; and everything that is no pose. */
#include "samples/samples.h"
#include "scene/poses.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const rest_text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nf 1 2 3 4\nf 2 5 3\n";

/* a pose of the rest moved up by `height` */
static const char *pose_file(const char *name, int height)
{
	char text[256];
	snprintf(text, sizeof text, "v 0 0 %d\nv 1 0 %d\nv 1 1 %d\nv 0 1 %d\nv 2 0 %d\nf 1 2 3 4\nf 2 5 3\n", height, height,
		height, height, height);
	return test_file(name, text, 0);
}

static ossa_mesh *read_rest(ossa_context *context)
{
	ossa_mesh *rest;
	assert_ok(context, ossa_read_mesh(context, test_file("rest.obj", rest_text, 0), NULL, &rest));
	return rest;
}

/* the call for one pose of that text */
static ossa_status read_one(ossa_context *context, const ossa_mesh *rest, const char *text, bool ignore, ossa_frames **frames)
{
	const char *path = test_file("pose.obj", text, 0);
	ossa_read_options options = ossa_read_default();
	options.ignore_pose_faces = ignore;
	return ossa_read_frames(context, rest, 1, &path, false, &options, frames);
}

static void poses_come_in_natural_order(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = read_rest(context);
	const char *paths[] = {pose_file("pose-10.obj", 10), pose_file("pose-2.obj", 2), pose_file("pose-1.obj", 1)};
	ossa_frames *frames;
	assert_ok(context, ossa_read_frames(context, rest, 3, paths, false, NULL, &frames));
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, 3);
	assert_int_equal(frames->vertex_count, 5);
	const int heights[] = {1, 2, 10};
	for (size_t i = 0; i < 3; i++) {
		assert_true(frames->positions[15 * i + 2] == (float)heights[i]);
		assert_true(frames->times[i] == (double)i / 24);
	}
	assert_string_equal(frames->names[2], "pose-10");
	ossa_frames_free(context, frames);
	assert_ok(context, ossa_read_frames(context, rest, 3, paths, true, NULL, &frames));
	assert_true(frames->positions[2] == 10);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void natural_order_counts_as_people_do(void **state)
{
	(void)state;
	const char *const ordered[] = {
		"a", "a1", "a01", "a2", "a10", "a10b2", "a10b10", "a99999999999999999999999", "b", "b-1-2", "b-1-10"};
	for (int i = 0; i < 11; i++) {
		for (int j = 0; j < 11; j++) {
			const int order = ossai_natural_compare(ordered[i], ordered[j]);
			/* 1 and 01 are equal but for their bytes */
			if ((i == 1 && j == 2) || (i == 2 && j == 1)) assert_true(order != 0);
			else assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
		}
	}
}

static void faces_in_another_order_are_the_same(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = read_rest(context);
	ossa_frames *frames;
	const char *text = "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 2 0 1\nf 3 2 5\nf 3 4 1 2\n";
	assert_ok(context, read_one(context, rest, text, false, &frames));
	assert_true(frames->positions[5] == 1);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void other_meshes_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *words;
	} poses[] = {
		{"v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 2 3 4\n", "pose.obj: has 4 vertices, but the rest mesh rest has 5"},
		{"v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 2 0 1\nf 1 2 3 4\n", "has 1 faces, but the rest mesh rest has 2"},
		{"v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 2 0 1\nf 1 2 3 4\nf 2 3 5\n",
			"face 1 (vertices 1 2 4, counted from 0) is not in"},
		{"v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 2 0 1\nf 2 5 3\nf 2 5 3\n", "face 1 (vertices 1 4 2"},
		{"v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 nan 1\nv 2 0 1\nf 1 2 3 4\nf 2 5 3\n", "pose.obj, line 4"},
		{"v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 2 0 1\n", "no faces"},
	};
	ossa_context *context = test_context(1);
	ossa_mesh *rest = read_rest(context);
	for (size_t i = 0; i < sizeof poses / sizeof poses[0]; i++) {
		ossa_frames *frames = (ossa_frames *)1;
		assert_fails(context, read_one(context, rest, poses[i].text, false, &frames), OSSA_ERROR_INPUT, poses[i].words);
		assert_null(frames);
	}
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void faces_may_be_ignored(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = read_rest(context);
	ossa_frames *frames;
	const char *text = "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 2 0 7\nf 9 9 9\n";
	assert_ok(context, read_one(context, rest, text, true, &frames));
	assert_true(frames->positions[14] == 7);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void stl_is_no_pose(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = read_rest(context);
	const char *path = test_file("pose.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", 0);
	ossa_frames *frames;
	assert_fails(
		context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames), OSSA_ERROR_INPUT, "no order of their own");
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void bad_calls_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = read_rest(context);
	const char *paths[] = {pose_file("pose-1.obj", 1), test_path("missing.obj")};
	ossa_frames *frames;
	assert_fails(context, ossa_read_frames(context, rest, 2, paths, false, NULL, &frames), OSSA_ERROR_READ, "missing.obj");
	assert_fails(context, ossa_read_frames(context, rest, 0, paths, false, NULL, &frames), OSSA_ERROR_ARGUMENT, "no poses");
	ossa_read_options options = ossa_read_default();
	options.frames_per_second = -1;
	assert_fails(context, ossa_read_frames(context, rest, 1, paths, false, &options, &frames), OSSA_ERROR_ARGUMENT, "--fps");
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void frames_are_checked(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_frames *frames;
	assert_fails(context, ossa_frames_create(context, 3, 4, NAN, &frames), OSSA_ERROR_ARGUMENT, "frames per second");
	assert_fails(context, ossa_frames_create(context, SIZE_MAX / 4, 4, 24, &frames), OSSA_ERROR_LIMIT, "address");
	assert_ok(context, ossa_frames_create(context, 3, 4, 24, &frames));
	assert_ok(context, ossa_frames_validate(context, frames));
	frames->positions[3 * 4 + 7] = NAN;
	assert_fails(context, ossa_frames_validate(context, frames), OSSA_ERROR_INPUT, "frame 2, vertex 2");
	frames->positions[3 * 4 + 7] = 0;
	frames->times[2] = frames->times[1];
	assert_fails(context, ossa_frames_validate(context, frames), OSSA_ERROR_INPUT, "frame 3");
	ossa_frames_free(context, frames);
	test_context_end(context);
}

/* ---- polygons as sets, against trying everything ---- */

/* A few small polygons over few vertices, so that repeated vertices, rotations and duplicates are common. */
typedef struct toy_mesh {
	ossa_mesh mesh;
	uint32_t start[4], vertices[12];
} toy_mesh;

static void make_toy(toy_mesh *toy, uint32_t *random)
{
	memset(toy, 0, sizeof *toy);
	toy->mesh.vertex_count = 2;
	toy->mesh.polygon_count = 1 + test_random_bits(random) % 3;
	toy->mesh.polygon_start = toy->start;
	toy->mesh.corner_vertex = toy->vertices;
	for (size_t i = 0; i < toy->mesh.polygon_count; i++) {
		const uint32_t size = 3 + test_random_bits(random) % 2;
		for (uint32_t k = 0; k < size; k++) toy->vertices[toy->mesh.corner_count++] = test_random_bits(random) % 2;
		toy->start[i + 1] = (uint32_t)toy->mesh.corner_count;
	}
}

static bool same_rotated(const toy_mesh *a, size_t i, const toy_mesh *b, size_t j)
{
	const uint32_t size = a->start[i + 1] - a->start[i];
	if (b->start[j + 1] - b->start[j] != size) return false;
	for (uint32_t turn = 0; turn < size; turn++) {
		uint32_t equal = 0;
		while (equal < size && a->vertices[a->start[i] + equal] == b->vertices[b->start[j] + (equal + turn) % size]) equal++;
		if (equal == size) return true;
	}
	return false;
}

/* equality up to rotation is an equivalence, so the first free partner is as good as any */
static bool same_set(const toy_mesh *a, const toy_mesh *b)
{
	bool used[3] = {false, false, false};
	if (a->mesh.polygon_count != b->mesh.polygon_count) return false;
	for (size_t i = 0; i < a->mesh.polygon_count; i++) {
		size_t j = 0;
		while (j < b->mesh.polygon_count && (used[j] || !same_rotated(a, i, b, j))) j++;
		if (j == b->mesh.polygon_count) return false;
		used[j] = true;
	}
	return true;
}

static bool is_of_triangles(const toy_mesh *toy)
{
	for (size_t i = 0; i < toy->mesh.polygon_count; i++) {
		if (toy->start[i + 1] - toy->start[i] != 3) return false;
	}
	return true;
}

static bool has_edge(const toy_mesh *toy, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < toy->mesh.polygon_count; i++) {
		const uint32_t size = toy->start[i + 1] - toy->start[i], *corner = toy->vertices + toy->start[i];
		for (uint32_t k = 0; k < size; k++) {
			const uint32_t from = corner[k], to = corner[(k + 1) % size];
			if ((from == a && to == b) || (from == b && to == a)) return true;
		}
	}
	return false;
}

/* polygons and triangles that they may have been cut into */
static bool is_cut_into(const toy_mesh *polygons, const toy_mesh *triangles)
{
	uint32_t made = 0;
	for (size_t i = 0; i < polygons->mesh.polygon_count; i++) {
		const uint32_t size = polygons->start[i + 1] - polygons->start[i], *corner = polygons->vertices + polygons->start[i];
		made += size - 2;
		for (uint32_t k = 0; k < size; k++) {
			if (!has_edge(triangles, corner[k], corner[(k + 1) % size])) return false;
		}
	}
	return made == triangles->mesh.polygon_count;
}

static void face_sets_agree_with_trying_everything(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	uint32_t random = 1;
	int same = 0, cuts = 0;
	for (int i = 0; i < 50000; i++) {
		toy_mesh a, b;
		make_toy(&a, &random);
		make_toy(&b, &random);
		const bool cut = is_of_triangles(&a) != is_of_triangles(&b) &&
			(is_of_triangles(&b) ? is_cut_into(&a, &b) : is_cut_into(&b, &a));
		const bool expected = cut || same_set(&a, &b);
		cuts += cut;
		same += expected;
		assert_int_equal(ossai_pose_check(context, &a.mesh, &b.mesh, "toy", true) == OSSA_OK, expected);
	}
	assert_true(same > 500 && cuts > 100);
	test_context_end(context);
}

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
		pose_file(name, atoi(numbers[i]));
	}
	/* none of these is of the sequence */
	const char *const others[] = {"walk_.obj", "walk_12.ply", "walk_12.obj.bak", "swalk_12.obj", "walk_a1.obj", "walk_1a.obj"};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		snprintf(name, sizeof name, "%s/%s", folder, others[i]);
		pose_file(name, 99);
	}
	return path;
}

static const char *in_folder(const char *folder, const char *name)
{
	static char path[700];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

/* reads with --frames and expects these heights, a 24th of a second times the distance of their numbers apart */
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
		assert_float_equal(24 * frames->times[i], heights[i] - heights[0], 1e-9);
	}
	ossa_frames_free(context, frames);
}

static void a_pattern_stands_for_numbered_files(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = read_rest(context);
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
	ossa_mesh *rest = read_rest(context);
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
	pose_file("few/walk_004.obj", 4);
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames), OSSA_ERROR_ARGUMENT, "same number");
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void a_file_may_have_a_hash_in_its_name(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = read_rest(context);
	const char *path = pose_file("take#1.obj", 5);
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
	ossa_mesh *rest = read_rest(context);
	const char *folder = make_sequence("broken", (const char *const[]){"1", "2", "3"}, 3);
	test_file("broken/walk_2.obj", "v 0 0 0\nf 1 2 9\n", 0);
	check_range(context, rest, in_folder(folder, "walk_#.obj"), "1:3:2", 2, (const int[]){1, 3});
	ossa_read_options options = ossa_read_default();
	ossa_frames *frames;
	const char *path = in_folder(folder, "walk_#.obj");
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, &options, &frames), OSSA_ERROR_INPUT, "walk_2.obj");
	options.frames = (ossa_range){4, 4, 0};
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, &options, &frames), OSSA_ERROR_ARGUMENT,
		"--frames 4 asks for more than there are: the frames are 1 to 3");
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
	const char *paths[] = {test_file("rest.obj", rest_text, 0), pose_file("pose-1.obj", 1),
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

/* the status of reading the sample's frames from a cache; `change` does something to all of them before */
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
		cmocka_unit_test(poses_come_in_natural_order),
		cmocka_unit_test(natural_order_counts_as_people_do),
		cmocka_unit_test(faces_in_another_order_are_the_same),
		cmocka_unit_test(other_meshes_are_refused),
		cmocka_unit_test(faces_may_be_ignored),
		cmocka_unit_test(another_order_of_vertices_is_seen),
		cmocka_unit_test(stl_is_no_pose),
		cmocka_unit_test(bad_calls_are_refused),
		cmocka_unit_test(frames_are_checked),
		cmocka_unit_test(face_sets_agree_with_trying_everything),
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
