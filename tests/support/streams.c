/* tests/support/streams.c: see streams.h. */
#include "support/streams.h"

#include "support/support.h"

#include <string.h>

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
