/* tests/import/test_read_frames.c: poses of a rest mesh: their order, faces and times; and files
   that are not poses. */
#include "samples/samples.h"
#include "scene/poses.h"
#include "support/support.h"
#include "support/streams.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	ossa_mesh *rest = test_read_rest(context);
	const char *paths[] = {test_pose_file("pose-10.obj", 10), test_pose_file("pose-2.obj", 2), test_pose_file("pose-1.obj", 1)};
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
	ossa_mesh *rest = test_read_rest(context);
	ossa_frames *frames;
	const char *text = "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 2 0 1\nf 3 2 5\nf 3 4 1 2\n";
	assert_ok(context, read_one(context, rest, text, false, &frames));
	assert_true(frames->positions[5] == 1);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

/* the 24 poses of a sequence, of which some are written in other ways */
static void name_sequence(const char *paths[24])
{
	static char kept[24][512];
	for (int i = 0; i < 24; i++) {
		char name[32], text[256];
		snprintf(name, sizeof name, "alike-%02d.obj", i);
		const char *faces = i == 7 ? "f 3 2 5\nf 3 4 1 2\n" : i == 13 ? " f 1 2 3 4\n f 2 5 3\n" : "f 1 2 3 4\nf 2 5 3\n";
		snprintf(text, sizeof text, "v 0 0 %d\nv 1 0 %d.5\nv 1 1 %d\nv 0 1 %d\nv 2 0 %d\n%s", i, i, i, i, i, faces);
		paths[i] = strcpy(kept[i], test_file(name, text, 0));
	}
}

static void sequences_may_mix_ways_to_write_faces(void **state)
{
	(void)state;
	const char *paths[24];
	name_sequence(paths);
	for (int threads = 1; threads <= 5; threads += 2) {
		ossa_context *context = test_context(threads);
		ossa_mesh *rest = test_read_rest(context);
		ossa_frames *frames;
		assert_ok(context, ossa_read_frames(context, rest, 24, paths, false, NULL, &frames));
		for (size_t i = 0; i < 24; i++) {
			assert_true(frames->positions[15 * i + 2] == (float)i);
			assert_true(frames->positions[15 * i + 5] == (float)i + 0.5F);
		}
		ossa_frames_free(context, frames);
		ossa_mesh_free(context, rest);
		test_context_end(context);
	}
}

static void the_bad_one_of_a_sequence_is_named(void **state)
{
	(void)state;
	const char *paths[24];
	name_sequence(paths);
	test_file("alike-17.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nf 1 2 3 4\nf 2 5 4\n", 0);
	test_file("alike-19.obj", "v 0 0 0\nv 1 0 0\nv 1 1 x\nv 0 1 0\nv 2 0 0\nf 1 2 3 4\nf 2 5 3\n", 0);
	for (int threads = 1; threads <= 5; threads += 2) {
		ossa_context *context = test_context(threads);
		ossa_mesh *rest = test_read_rest(context);
		ossa_frames *frames;
		assert_fails(context, ossa_read_frames(context, rest, 24, paths, false, NULL, &frames), OSSA_ERROR_INPUT, "face 1");
		assert_non_null(strstr(ossa_context_error(context)->file, "alike-17.obj"));
		ossa_read_options options = ossa_read_default();
		options.ignore_pose_faces = true;
		assert_fails(context, ossa_read_frames(context, rest, 24, paths, false, &options, &frames), OSSA_ERROR_INPUT, "\"x\"");
		assert_non_null(strstr(ossa_context_error(context)->file, "alike-19.obj"));
		assert_int_equal(ossa_context_error(context)->line, 3);
		ossa_mesh_free(context, rest);
		test_context_end(context);
	}
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
	ossa_mesh *rest = test_read_rest(context);
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
	ossa_mesh *rest = test_read_rest(context);
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
	ossa_mesh *rest = test_read_rest(context);
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
	ossa_mesh *rest = test_read_rest(context);
	const char *paths[] = {test_pose_file("pose-1.obj", 1), test_path("missing.obj")};
	ossa_frames *frames;
	assert_fails(context, ossa_read_frames(context, rest, 2, paths, false, NULL, &frames), OSSA_ERROR_READ, "missing.obj");
	assert_fails(context, ossa_read_frames(context, rest, 0, paths, false, NULL, &frames), OSSA_ERROR_ARGUMENT, "no poses");
	ossa_read_options options = ossa_read_default();
	options.frames_per_second = -1;
	assert_fails(context, ossa_read_frames(context, rest, 1, paths, false, &options, &frames), OSSA_ERROR_ARGUMENT, "`fps`");
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

/* A few small polygons over few vertices, so that repeated vertices, rotations and duplicates are
   common. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poses_come_in_natural_order),
		cmocka_unit_test(natural_order_counts_as_people_do),
		cmocka_unit_test(faces_in_another_order_are_the_same),
		cmocka_unit_test(sequences_may_mix_ways_to_write_faces),
		cmocka_unit_test(the_bad_one_of_a_sequence_is_named),
		cmocka_unit_test(other_meshes_are_refused),
		cmocka_unit_test(faces_may_be_ignored),
		cmocka_unit_test(stl_is_no_pose),
		cmocka_unit_test(bad_calls_are_refused),
		cmocka_unit_test(frames_are_checked),
		cmocka_unit_test(face_sets_agree_with_trying_everything),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
