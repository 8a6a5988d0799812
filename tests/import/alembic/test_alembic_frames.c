/* tests/import/alembic/test_alembic_frames.c: Alembic files as animations and as poses, as the
   public calls give them. */
#include "support/alembic_scene.h"
#include "support/streams.h"
#include "support/support.h"

#include <string.h>

/* a transform and the mesh in it, both moving at the same two times */
static const char *write_moving(const char *name, bool mesh_moves)
{
	const alembic_xform move = {
		.op_count = 1, .width = 3, .samples = 2, .ops = {16}, .sampling = 1, .values = {1, 2, 3, 1, 2, 4}};
	const alembic_form form = {.stored = mesh_moves ? 2 : 1, .positions = {.sampling = 1, .is_constant = !mesh_moves}};
	ogawa_bytes file = ogawa_begin();
	ogawa_list out = ogawa_object(alembic_make_xform(&file, &move));
	ogawa_add_object(&out, "shape", NULL, 1, alembic_make_mesh(&file, &form, true));
	ogawa_list top = ogawa_object(0);
	const uint64_t position = ogawa_close_object(&file, &out);
	ogawa_add_object(&top, "outer", NULL, 2, position);
	alembic_finish(&file, &top);
	const char *path = test_file(name, file.bytes, file.size);
	ogawa_free(&file);
	return path;
}

/* frames at these shares of the motion */
static void check_motion(ossa_context *context, const ossa_frames *frames, size_t count, const double *shares, bool mesh_moves)
{
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, count);
	assert_int_equal(frames->vertex_count, ALEMBIC_VERTICES);
	for (size_t f = 0; f < count; f++) {
		const double shift[3] = {1, 2 + (mesh_moves ? shares[f] : 0), 3 + shares[f]};
		for (size_t i = 0; i < 15; i++) {
			assert_near(frames->positions[15 * f + i], (double)alembic_rest[i] + shift[i % 3], 1e-6);
		}
	}
}

static void animations_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_mesh *mesh;
	ossa_frames *frames;
	for (int moves = 0; moves < 2; moves++) {
		const char *path = write_moving("moving.abc", moves);
		const ossa_read_format *format;
		assert_ok(context, ossa_read_detect(context, path, &format));
		assert_string_equal(format->name, "abc");
		assert_ok(context, ossa_read_animation(context, path, NULL, &mesh, &frames));
		assert_ok(context, ossa_mesh_validate(context, mesh));
		check_motion(context, frames, 2, (const double[]){0, 1}, moves);
		assert_near(frames->times[1], 1 / 24.0, 1e-9);
		ossa_frames_free(context, frames);
		ossa_mesh_free(context, mesh);
		ossa_read_options options = ossa_read_default();
		options.frames_per_second = 96;
		options.frames = (ossa_range){2, 0, 2};
		assert_ok(context, ossa_read_animation(context, path, &options, &mesh, &frames));
		check_motion(context, frames, 2, (const double[]){0.25, 0.75}, moves);
		ossa_frames_free(context, frames);
		ossa_mesh_free(context, mesh);
	}
	assert_int_equal(ossa_context_warning_count(context), 0);
	test_context_end(context);
}

static void animations_are_poses(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	const char *paths[] = {write_moving("walk-1.abc", true), write_moving("walk-2.abc", false), test_path("walk-3.abc")};
	ogawa_bytes file = alembic_make_scene(&(alembic_form){.stored = 1, .positions.is_constant = 1});
	test_file("walk-3.abc", file.bytes, file.size);
	ogawa_free(&file);
	assert_ok(context, ossa_read_mesh(context, paths[0], NULL, &mesh));
	assert_ok(context, ossa_read_frames(context, mesh, 1, paths, false, NULL, &frames));
	check_motion(context, frames, 2, (const double[]){0, 1}, true);
	assert_string_equal(frames->names[1], "walk-1-2");
	ossa_frames_free(context, frames);
	/* one after the other, the last a static pose */
	assert_ok(context, ossa_read_frames(context, mesh, 3, paths, false, NULL, &frames));
	assert_int_equal(frames->frame_count, 5);
	test_stream_agrees(context, mesh, 3, paths, NULL, frames);
	assert_near(frames->positions[15 * 3 + 2], 4, 1e-6);
	assert_true(frames->positions[15 * 4 + 2] == 0);
	for (size_t f = 0; f < 5; f++) assert_near(frames->times[f], (double)f / 24, 1e-9);
	assert_string_equal(frames->names[4], "walk-3");
	ossa_frames_free(context, frames);
	ossa_read_options options = ossa_read_default();
	options.frames = (ossa_range){2, 2, 0};
	for (size_t count = 1; count < 4; count += 2) {
		assert_ok(context, ossa_read_frames(context, mesh, count, paths, false, &options, &frames));
		check_motion(context, frames, 1, (const double[]){1}, true);
		ossa_frames_free(context, frames);
	}
	/* turned once, not twice */
	options = ossa_read_default();
	options.input_up = OSSA_UP_Z;
	assert_ok(context, ossa_read_frames(context, mesh, 1, paths, false, &options, &frames));
	assert_near(frames->positions[1], 3, 1e-6);
	assert_near(frames->positions[2], -2, 1e-6);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	assert_ok(context, ossa_mesh_create(context, 3, alembic_rest, 1, (const uint32_t[]){0, 1, 2}, &mesh));
	assert_fails(context, ossa_read_frames(context, mesh, 1, paths, false, NULL, &frames), OSSA_ERROR_INPUT,
		"walk-1.abc: has another number of vertices than the rest mesh mesh, which has 3");
	ossa_mesh_free(context, mesh);
	assert_fails(
		context, ossa_read_frames(context, NULL, 1, paths, false, NULL, &frames), OSSA_ERROR_INPUT, "need the rest mesh");
	test_context_end(context);
}

static void every_allocation_of_frames_may_fail(void **state)
{
	(void)state;
	const char *path = write_moving("sweep.abc", true);
	test_sweep_read_frames(path, 2, (const char *const[]){path, path}, 101);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(animations_are_read),
		cmocka_unit_test(animations_are_poses),
		cmocka_unit_test(every_allocation_of_frames_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
