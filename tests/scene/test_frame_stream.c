/* tests/scene/test_frame_stream.c: frames one at a time are those read at once, whatever their
   source. */
#include "support/rich_rig.h"
#include "support/streams.h"
#include "support/support.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the same bytes as whole ---- */

static void check(ossa_context *context, const ossa_mesh *rest, size_t count, const char *const *paths, const char *range)
{
	ossa_frames *frames;
	ossa_read_options options = ossa_read_default();
	assert_ok(context, ossa_option_set(context, ossa_read_option_table(), &options, "frames", range));
	assert_ok(context, ossa_read_frames(context, rest, count, paths, false, &options, &frames));
	assert_ok(context, ossa_frames_validate(context, frames));
	test_stream_agrees(context, rest, count, paths, &options, frames);
	ossa_frames_free(context, frames);
}

static void caches_and_numbered_files_stream(void **state)
{
	(void)state;
	test_stream f = test_stream_begin(2);
	static const char *const names[] = {"a.pc2", "b.mdd", "numbered/w_###.obj", "numbered/w_#.ply"};
	const char *paths[4];
	assert_int_equal(mkdir(test_path("numbered"), 0777), 0);
	for (size_t i = 0; i < 4; i++) {
		paths[i] = test_path(names[i]);
		assert_ok(f.context, ossa_write_frames(f.context, f.rig->mesh, f.wanted, paths[i], NULL));
		check(f.context, f.rig->mesh, 1, &paths[i], "");
		check(f.context, f.rig->mesh, 1, &paths[i], "2:6:2");
	}
	/* behind each other, cut where one ends and inside of one */
	check(f.context, f.rig->mesh, 4, paths, "");
	check(f.context, f.rig->mesh, 4, paths, "5:20:3");
	test_stream_end(&f);
}

static bool reads_fbx(void)
{
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, "fbx") == 0) return true;
	}
	return false;
}

static void animated_scenes_stream(void **state)
{
	(void)state;
	test_stream f = test_stream_begin(2);
	static const char *const names[] = {"rig.glb", "rig.dae", "rig.fbx", "still.glb"};
	const char *paths[4];
	for (size_t i = 0; i < 4; i++) {
		paths[i] = test_path(names[i]);
		if (i < 3) assert_ok(f.context, ossa_write_rig(f.context, f.rig, paths[i], NULL));
		else assert_ok(f.context, ossa_write_mesh(f.context, f.rig->mesh, NULL, paths[i], NULL));
		if (i == 2 && !reads_fbx()) paths[i] = paths[0];
		ossa_mesh *rest;
		assert_ok(f.context, ossa_read_mesh(f.context, paths[i], NULL, &rest));
		check(f.context, rest, 1, &paths[i], "");
		if (i < 3) check(f.context, rest, 1, &paths[i], "3:");
		ossa_mesh_free(f.context, rest);
	}
	/* several: scenes are opened in turn */
	const char *const turns[] = {paths[0], paths[3], paths[0]};
	check(f.context, f.rig->mesh, 3, turns, "");
	check(f.context, f.rig->mesh, 3, turns, "3:13:2");
	test_stream_end(&f);
}

/* the rig with three vertices of its own for every triangle */
static ossa_rig *cut_apart(test_stream *f)
{
	const ossa_mesh *mesh = f->rig->mesh;
	const size_t corners = 3 * mesh->triangle_count, pairs = (size_t)f->rig->weights.influences;
	float *positions = ossa_alloc(f->context, corners, 3 * sizeof *positions);
	uint32_t *triangles = ossa_alloc(f->context, corners, sizeof *triangles);
	ossa_mesh *cut;
	ossa_rig *rig;
	for (size_t i = 0; i < corners; i++) {
		memcpy(positions + 3 * i, mesh->positions + 3 * (size_t)mesh->triangles[i], 3 * sizeof *positions);
		triangles[i] = (uint32_t)i;
	}
	assert_ok(f->context, ossa_mesh_create(f->context, corners, positions, mesh->triangle_count, triangles, &cut));
	assert_ok(f->context, ossa_rig_create(f->context, cut, f->rig->skeleton.bone_count, (int)pairs, &rig));
	memcpy(rig->skeleton.bones, f->rig->skeleton.bones, rig->skeleton.bone_count * sizeof *rig->skeleton.bones);
	for (size_t i = 0; i < corners; i++) {
		const size_t from = mesh->triangles[i] * pairs;
		memcpy(rig->weights.bones + i * pairs, f->rig->weights.bones + from, pairs * sizeof *rig->weights.bones);
		memcpy(rig->weights.values + i * pairs, f->rig->weights.values + from, pairs * sizeof *rig->weights.values);
	}
	rig->clip = f->rig->clip;
	f->rig->clip = NULL;
	ossa_mesh_free(f->context, cut);
	ossa_free(f->context, triangles);
	ossa_free(f->context, positions);
	return rig;
}

/* the rest has its vertices joined, which only a look at all frames does */
static void joined_vertices_stream(void **state)
{
	(void)state;
	test_stream f = test_stream_begin(1);
	ossa_mesh *joined;
	ossa_frames *frames;
	ossa_frame_stream *stream;
	ossa_rig *cut = cut_apart(&f);
	const char *path = test_path("cut.glb"), *const twice[] = {path, path};
	assert_ok(f.context, ossa_write_rig(f.context, cut, path, NULL));
	assert_ok(f.context, ossa_read_animation(f.context, path, NULL, &joined, &frames));
	assert_true(joined->vertex_count < cut->mesh->vertex_count);
	assert_ok(f.context, ossa_frame_stream_open(f.context, cut->mesh, 1, &path, false, NULL, &stream));
	assert_false(ossa_frame_stream_is_whole(stream));
	ossa_frame_stream_free(f.context, stream);
	assert_ok(f.context, ossa_frame_stream_open(f.context, joined, 1, &path, false, NULL, &stream));
	assert_false(ossa_frame_stream_is_whole(stream));
	ossa_frame_stream_free(f.context, stream);
	check(f.context, cut->mesh, 1, &path, "");
	check(f.context, joined, 1, &path, "");
	check(f.context, joined, 2, twice, "3:");
	ossa_frames_free(f.context, frames);
	ossa_mesh_free(f.context, joined);
	ossa_rig_free(f.context, cut);
	test_stream_end(&f);
}

/* ---- a mesh and its motion in one ---- */

static void check_animation(ossa_context *context, const char *path, const char *range, bool keep)
{
	ossa_mesh *meshes[2];
	ossa_frames *frames[2];
	ossa_frame_stream *stream;
	ossa_read_options options = ossa_read_default();
	assert_ok(context, ossa_option_set(context, ossa_read_option_table(), &options, "frames", range));
	options.keep_vertices = keep;
	assert_ok(context, ossa_read_animation(context, path, &options, &meshes[0], &frames[0]));
	assert_ok(context, ossa_frame_stream_open_animation(context, path, &options, &meshes[1], &stream));
	assert_int_equal(meshes[0]->vertex_count, meshes[1]->vertex_count);
	assert_memory_equal(meshes[0]->positions, meshes[1]->positions, 12 * meshes[0]->vertex_count);
	assert_memory_equal(meshes[0]->triangles, meshes[1]->triangles, 12 * meshes[0]->triangle_count);
	assert_true(!frames[0] == !stream);
	if (stream) {
		assert_ok(context, ossa_frame_stream_frames(context, stream, 0, NULL, &frames[1]));
		assert_int_equal(frames[0]->frame_count, frames[1]->frame_count);
		assert_string_equal(frames[0]->name, frames[1]->name);
		assert_memory_equal(frames[0]->times, frames[1]->times, frames[0]->frame_count * sizeof(double));
		assert_memory_equal(frames[0]->positions, frames[1]->positions, 12 * frames[0]->frame_count * frames[0]->vertex_count);
		ossa_frames_free(context, frames[1]);
	}
	ossa_frame_stream_free(context, stream);
	ossa_frames_free(context, frames[0]);
	ossa_mesh_free(context, meshes[0]);
	ossa_mesh_free(context, meshes[1]);
}

static void animations_open_as_they_are_read(void **state)
{
	(void)state;
	test_stream f = test_stream_begin(2);
	ossa_rig *cut = cut_apart(&f);
	const char *moving = test_path("apart.glb"), *still = test_path("unmoved.obj"), *files = test_path("walk_##.obj");
	assert_ok(f.context, ossa_write_rig(f.context, cut, moving, NULL));
	assert_ok(f.context, ossa_write_mesh(f.context, f.rig->mesh, NULL, still, NULL));
	assert_ok(f.context, ossa_write_frames(f.context, f.rig->mesh, f.wanted, files, NULL));
	check_animation(f.context, moving, "", false);
	check_animation(f.context, moving, "", true);
	check_animation(f.context, moving, "2:6:2", false);
	check_animation(f.context, files, "", false);
	check_animation(f.context, files, "3:", false);
	check_animation(f.context, still, "", false);
	ossa_rig_free(f.context, cut);
	test_stream_end(&f);
}

/* sampled so often that all frames take half a gigabyte */
static void long_animations_do_not_lie_in_memory(void **state)
{
	(void)state;
	test_stream f = test_stream_begin(2);
	ossa_rig *cut = cut_apart(&f);
	ossa_mesh *mesh;
	ossa_frame_stream *streams[2];
	ossa_read_options options = ossa_read_default();
	const char *path = test_path("often.glb");
	assert_ok(f.context, ossa_write_rig(f.context, cut, path, NULL));
	options.frames_per_second = 60000;
	options.keep_vertices = true;
	assert_ok(f.context, ossa_frame_stream_open_animation(f.context, path, &options, &mesh, &streams[0]));
	assert_ok(f.context, ossa_frame_stream_open(f.context, mesh, 1, &path, false, &options, &streams[1]));
	const size_t count = ossa_frame_stream_frame_count(streams[0]), size = 3 * mesh->vertex_count * sizeof(float);
	assert_true(count * size > (size_t)500 << 20);
	assert_int_equal(count, ossa_frame_stream_frame_count(streams[1]));
	float *positions[2] = {ossa_alloc(f.context, 1, size), ossa_alloc(f.context, 1, size)};
	for (size_t at = 0; at < count; at += count / 3) {
		for (size_t i = 0; i < 2; i++) assert_ok(f.context, ossa_frame_stream_read(f.context, streams[i], at, positions[i]));
		assert_memory_equal(positions[0], positions[1], size);
	}
	assert_true(ossa_context_peak_bytes(f.context) < (size_t)64 << 20);
	for (size_t i = 0; i < 2; i++) {
		ossa_free(f.context, positions[i]);
		ossa_frame_stream_free(f.context, streams[i]);
	}
	ossa_mesh_free(f.context, mesh);
	ossa_rig_free(f.context, cut);
	test_stream_end(&f);
}

/* ---- streams over memory and functions ---- */

static ossa_status give_frame(void *user, size_t frame, float *positions)
{
	const ossa_frames *frames = user;
	memcpy(positions, frames->positions + 3 * frame * frames->vertex_count, 3 * frames->vertex_count * sizeof *positions);
	return frame == 5 ? OSSA_ERROR_READ : OSSA_OK;
}

static void memory_and_functions_stream(void **state)
{
	(void)state;
	test_stream f = test_stream_begin(1);
	ossa_frame_stream *stream;
	ossa_frames *all;
	const size_t indices[] = {1, 2, 4};
	assert_ok(f.context, ossa_frame_stream_of_frames(f.context, f.wanted, &stream));
	assert_true(ossa_frame_stream_is_whole(stream));
	assert_string_equal(ossa_frame_stream_name(stream, 1), "");
	assert_ok(f.context, ossa_frame_stream_frames(f.context, stream, 3, indices, &all));
	const size_t count = 3 * f.wanted->vertex_count;
	for (size_t i = 0; i < 3; i++) {
		assert_memory_equal(all->positions + i * count, f.wanted->positions + indices[i] * count, count * sizeof(float));
		assert_true(all->times[i] == f.wanted->times[indices[i]] - f.wanted->times[1]);
	}
	ossa_frames_free(f.context, all);
	ossa_frame_stream_free(f.context, stream);

	assert_ok(f.context,
		ossa_frame_stream_of_function(f.context, 7, f.wanted->vertex_count, f.wanted->times, 0, give_frame, f.wanted, &stream));
	assert_false(ossa_frame_stream_is_whole(stream));
	assert_memory_equal(ossa_frame_stream_times(stream), f.wanted->times, 7 * sizeof(double));
	assert_fails(f.context, ossa_frame_stream_frames(f.context, stream, 0, NULL, &all), OSSA_ERROR_READ, "frame 6");
	f.wanted->positions[2 * count + 4] = NAN;
	assert_fails(f.context, ossa_frame_stream_frames(f.context, stream, 0, NULL, &all), OSSA_ERROR_INPUT, "frame 3, vertex 1");
	assert_null(all);
	ossa_frame_stream_free(f.context, stream);
	const double falling[] = {0, 1, 1};
	assert_fails(f.context, ossa_frame_stream_of_function(f.context, 3, 4, falling, 0, give_frame, NULL, &stream),
		OSSA_ERROR_ARGUMENT, "frame 3");
	assert_null(stream);
	assert_fails(f.context, ossa_frame_stream_of_function(f.context, 3, 4, NULL, 0, give_frame, NULL, &stream),
		OSSA_ERROR_ARGUMENT, "frame 1");
	test_stream_end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(caches_and_numbered_files_stream),
		cmocka_unit_test(animated_scenes_stream),
		cmocka_unit_test(joined_vertices_stream),
		cmocka_unit_test(animations_open_as_they_are_read),
		cmocka_unit_test(long_animations_do_not_lie_in_memory),
		cmocka_unit_test(memory_and_functions_stream),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
