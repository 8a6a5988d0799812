/* tests/scene/test_frame_stream_bad.c: faults late in a stream of frames are reported when they
   are reached; bad calls, failing memory. */
#include "support/rich_rig.h"
#include "support/streams.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what is wrong late ---- */

static void spoil(const char *path, long offset, const void *bytes, size_t size)
{
	FILE *stream = fopen(path, "r+b");
	assert_non_null(stream);
	assert_int_equal(fseek(stream, offset, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	assert_int_equal(fclose(stream), 0);
}

static void a_bad_frame_is_reported_when_it_is_read(void **state)
{
	(void)state;
	test_stream f = test_stream_begin(1);
	const char *path = test_path("late.pc2");
	const size_t count = 3 * f.wanted->vertex_count;
	ossa_frame_stream *stream;
	float *positions = ossa_alloc(f.context, count, sizeof *positions);
	assert_ok(f.context, ossa_write_frames(f.context, NULL, f.wanted, path, NULL));
	spoil(path, (long)(32 + 4 * (4 * count + 7)), "\0\0\xc0\x7f", 4);
	assert_ok(f.context, ossa_frame_stream_open(f.context, f.rig->mesh, 1, &path, false, NULL, &stream));
	assert_ok(f.context, ossa_frame_stream_read(f.context, stream, 3, positions));
	assert_fails(f.context, ossa_frame_stream_read(f.context, stream, 4, positions), OSSA_ERROR_INPUT, "late.pc2, byte");
	assert_fails(f.context, ossa_frame_stream_read(f.context, stream, 4, positions), OSSA_ERROR_INPUT, "frame 5, vertex 2");
	/* the stream lives on */
	assert_ok(f.context, ossa_frame_stream_read(f.context, stream, 5, positions));
	assert_memory_equal(positions, f.wanted->positions + 5 * count, count * sizeof *positions);
	ossa_frame_stream_free(f.context, stream);
	ossa_free(f.context, positions);
	test_stream_end(&f);
}

static const char *const rest_text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

static void files_of_a_sequence_are_checked_one_by_one(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest;
	ossa_frame_stream *stream;
	float positions[12];
	assert_int_equal(mkdir(test_path("gap"), 0777), 0);
	test_file("gap/w_1.obj", "v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 2 3 4\n", 0);
	test_file("gap/w_2.obj", "v 0 0 2\nv 1 0 2\nv 1 1 2\nv 0 1 2\nf 3 4 1 2\n", 0);
	test_file("gap/w_4.obj", "v 0 0 4\nv 1 0 4\nv 1 1 4\nv 0 1 4\nf 1 3 2 4\n", 0);
	const char *pattern = test_path("gap/w_#.obj");
	assert_ok(context, ossa_read_mesh(context, test_file("quad.obj", rest_text, 0), NULL, &rest));
	assert_ok(context, ossa_frame_stream_open(context, rest, 1, &pattern, false, NULL, &stream));
	assert_string_equal(ossa_context_warning(context, 0)->code, "sequence-gaps");
	assert_int_equal(ossa_frame_stream_frame_count(stream), 3);
	assert_ok(context, ossa_frame_stream_read(context, stream, 1, positions));
	assert_true(positions[2] == 2);
	assert_fails(context, ossa_frame_stream_read(context, stream, 2, positions), OSSA_ERROR_INPUT, "w_4.obj: face 0");
	ossa_frame_stream_free(context, stream);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

/* a scene that is opened again has become another */
static void a_scene_that_changes_is_noticed(void **state)
{
	(void)state;
	test_stream f = test_stream_begin(1);
	ossa_rig *other;
	ossa_frame_stream *stream;
	assert_ok(f.context, test_rich_rig(f.context, 1600, 3, 4, &other));
	const char *paths[] = {test_path("one.glb"), test_path("two.glb")};
	assert_ok(f.context, ossa_write_rig(f.context, f.rig, paths[0], NULL));
	assert_ok(f.context, ossa_write_rig(f.context, f.rig, paths[1], NULL));
	float *positions = ossa_alloc(f.context, f.wanted->vertex_count, 3 * sizeof *positions);
	assert_ok(f.context, ossa_frame_stream_open(f.context, f.rig->mesh, 2, paths, false, NULL, &stream));
	assert_ok(f.context, ossa_write_rig(f.context, other, paths[0], NULL));
	assert_fails(f.context, ossa_frame_stream_read(f.context, stream, 0, positions), OSSA_ERROR_READ, "has changed");
	assert_fails(f.context, ossa_frame_stream_read(f.context, stream, 1, positions), OSSA_ERROR_READ, "has changed");
	assert_ok(f.context, ossa_frame_stream_read(f.context, stream, 8, positions));
	ossa_frame_stream_free(f.context, stream);
	ossa_free(f.context, positions);
	ossa_rig_free(f.context, other);
	test_stream_end(&f);
}

/* what files say reaches clips and frames alike */
static void motion_has_a_name(void **state)
{
	(void)state;
	test_stream f = test_stream_begin(1);
	ossa_frame_stream *stream;
	ossa_frames *frames;
	const char *paths[] = {test_path("run.pc2"), test_path("hop.glb"), test_path("hop-2.glb")};
	snprintf(f.rig->clip->name, sizeof f.rig->clip->name, "skip");
	assert_ok(f.context, ossa_write_frames(f.context, NULL, f.wanted, paths[0], NULL));
	assert_ok(f.context, ossa_write_rig(f.context, f.rig, paths[1], NULL));
	assert_ok(f.context, ossa_write_rig(f.context, f.rig, paths[2], NULL));
	static const struct {
		size_t first, count;
		const char *name;
	} cases[] = {{0, 1, "run"}, {1, 1, "skip"}, {1, 2, "hop"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_ok(f.context,
			ossa_frame_stream_open(f.context, f.rig->mesh, cases[i].count, paths + cases[i].first, true, NULL, &stream));
		assert_string_equal(ossa_frame_stream_motion(stream), cases[i].name);
		assert_ok(f.context, ossa_frame_stream_frames(f.context, stream, 0, NULL, &frames));
		assert_string_equal(frames->name, cases[i].name);
		ossa_frame_stream_free(f.context, stream);
		assert_ok(f.context, ossa_frame_stream_of_frames(f.context, frames, &stream));
		assert_string_equal(ossa_frame_stream_motion(stream), cases[i].name);
		ossa_frame_stream_free(f.context, stream);
		ossa_frames_free(f.context, frames);
	}
	assert_ok(f.context, ossa_rig_frames(f.context, f.rig, NULL, &frames));
	assert_string_equal(frames->name, "skip");
	ossa_frames_free(f.context, frames);
	test_stream_end(&f);
}

static void bad_streams_are_refused(void **state)
{
	(void)state;
	test_stream f = test_stream_begin(1);
	ossa_frame_stream *stream = (ossa_frame_stream *)1;
	const char *path = test_path("short.pc2");
	assert_fails(f.context, ossa_frame_stream_open(f.context, f.rig->mesh, 0, &path, false, NULL, &stream), OSSA_ERROR_ARGUMENT,
		"name at least one");
	assert_null(stream);
	assert_ok(f.context, ossa_write_frames(f.context, NULL, f.wanted, path, NULL));
	spoil(path, 28, "\x08\0\0\0", 4);
	assert_fails(f.context, ossa_frame_stream_open(f.context, f.rig->mesh, 1, &path, false, NULL, &stream), OSSA_ERROR_INPUT,
		"but it ends after 7");
	assert_null(stream);
	test_stream_end(&f);
}

/* ---- memory ---- */

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const char *const *paths = arg;
	ossa_mesh *rest = NULL;
	ossa_frame_stream *stream = NULL;
	ossa_frames *frames = NULL;
	ossa_status status = ossa_read_mesh(context, paths[0], NULL, &rest);
	if (status == OSSA_OK) status = ossa_frame_stream_open(context, rest, 3, paths, false, NULL, &stream);
	if (status == OSSA_OK) status = ossa_frame_stream_frames(context, stream, 0, NULL, &frames);
	ossa_frames_free(context, frames);
	ossa_frame_stream_free(context, stream);
	ossa_mesh_free(context, rest);
	return status;
}

static ossa_status animation_body(ossa_context *context, void *arg)
{
	ossa_mesh *mesh;
	ossa_frame_stream *stream;
	const ossa_status status = ossa_frame_stream_open_animation(context, arg, NULL, &mesh, &stream);
	ossa_frame_stream_free(context, stream);
	ossa_mesh_free(context, mesh);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	ossa_frames *frames;
	assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	const char *paths[] = {test_path("sweep.glb"), test_path("sweep.dae"), test_path("sweep.pc2")};
	assert_ok(context, ossa_write_rig(context, rig, paths[0], NULL));
	assert_ok(context, ossa_write_rig(context, rig, paths[1], NULL));
	assert_ok(context, ossa_write_frames(context, NULL, frames, paths[2], NULL));
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
	assert_true(test_allocation_sweep(sweep_body, paths, 60, 5) > 100);
	assert_true(test_allocation_sweep(animation_body, (void *)paths[0], 60, 5) > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bad_frame_is_reported_when_it_is_read),
		cmocka_unit_test(files_of_a_sequence_are_checked_one_by_one),
		cmocka_unit_test(a_scene_that_changes_is_noticed),
		cmocka_unit_test(motion_has_a_name),
		cmocka_unit_test(bad_streams_are_refused),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
