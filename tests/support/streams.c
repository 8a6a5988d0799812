/* tests/support/streams.c: see streams.h. */
#include "support/streams.h"

#include "support/support.h"

#include <string.h>
#include "support/rich_rig.h"
#include <stdio.h>

static void check_frame(ossa_context *context, ossa_frame_stream *stream, const ossa_frames *frames, size_t f, float *positions)
{
	const size_t count = 3 * frames->vertex_count;
	memset(positions, 0xff, count * sizeof *positions);
	assert_ok(context, ossa_frame_stream_read(context, stream, f, positions));
	assert_memory_equal(positions, frames->positions + f * count, count * sizeof *positions);
}

void test_stream_agrees(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
	const ossa_read_options *options, const ossa_frames *frames)
{
	ossa_frame_stream *stream;
	const size_t count = frames->frame_count;
	assert_ok(context, ossa_frame_stream_open(context, rest, path_count, paths, false, options, &stream));
	assert_int_equal(ossa_frame_stream_frame_count(stream), count);
	assert_int_equal(ossa_frame_stream_vertex_count(stream), frames->vertex_count);
	assert_memory_equal(ossa_frame_stream_times(stream), frames->times, count * sizeof *frames->times);
	float *positions = ossa_alloc(context, frames->vertex_count, 3 * sizeof *positions);
	assert_non_null(positions);
	for (size_t f = count; f-- > 0;) {
		assert_string_equal(ossa_frame_stream_name(stream, f), frames->names[f]);
		check_frame(context, stream, frames, f, positions);
	}
	for (size_t f = 0; f < count; f++) check_frame(context, stream, frames, f, positions);
	ossa_frames *all;
	assert_ok(context, ossa_frame_stream_frames(context, stream, 0, NULL, &all));
	assert_memory_equal(all->positions, frames->positions, 3 * count * frames->vertex_count * sizeof *positions);
	assert_memory_equal(all->times, frames->times, count * sizeof *frames->times);
	assert_fails(context, ossa_frame_stream_read(context, stream, count, positions), OSSA_ERROR_ARGUMENT, "there is no frame");
	ossa_frames_free(context, all);
	ossa_free(context, positions);
	ossa_frame_stream_free(context, stream);
}

test_stream test_stream_begin(int threads)
{
	test_stream f = {.context = test_context(threads)};
	assert_ok(f.context, test_rich_rig(f.context, 1000, 7, 4, &f.rig));
	assert_ok(f.context, ossa_rig_frames(f.context, f.rig, NULL, &f.wanted));
	return f;
}

void test_stream_end(test_stream *f)
{
	ossa_frames_free(f->context, f->wanted);
	ossa_rig_free(f->context, f->rig);
	test_context_end(f->context);
}

const char *const test_rest_text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nf 1 2 3 4\nf 2 5 3\n";

const char *test_pose_file(const char *name, int height)
{
	char text[256];
	snprintf(text, sizeof text, "v 0 0 %d\nv 1 0 %d\nv 1 1 %d\nv 0 1 %d\nv 2 0 %d\nf 1 2 3 4\nf 2 5 3\n", height, height,
		height, height, height);
	return test_file(name, text, 0);
}

ossa_mesh *test_read_rest(ossa_context *context)
{
	ossa_mesh *rest;
	assert_ok(context, ossa_read_mesh(context, test_file("rest.obj", test_rest_text, 0), NULL, &rest));
	return rest;
}

test_animated test_animated_begin(int kind, int frames, int threads)
{
	test_animated a = {.context = test_context(threads)};
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = 3000;
	options.frames = frames;
	assert_ok(a.context, ossa_sample_create(a.context, &options, &a.sample));
	assert_ok(a.context, ossa_frame_stream_of_frames(a.context, a.sample->frames, &a.stream));
	return a;
}

void test_animated_end(test_animated *animated)
{
	ossa_frame_stream_free(animated->context, animated->stream);
	ossa_sample_free(animated->context, animated->sample);
	test_context_end(animated->context);
}
