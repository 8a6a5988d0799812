/* tests/support/streams.h: streams of frames against frames read whole. */
#ifndef OSSA_TEST_STREAMS_H
#define OSSA_TEST_STREAMS_H

#include "samples/samples.h"

#include <ossa/ossa.h>

/* Asserts that a stream of the files has the bytes of `frames`, read backwards, forwards and all
   at once. */
void test_stream_agrees(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
	const ossa_read_options *options, const ossa_frames *frames);

/* A rig of 1000 faces, 7 bones and 4 frames, and what those frames are. */
typedef struct test_stream {
	ossa_context *context;
	ossa_rig *rig;
	ossa_frames *wanted;
} test_stream;
test_stream test_stream_begin(int threads);
void test_stream_end(test_stream *stream);

/* A creature of 3000 faces (ossa_sample_kind) with so many frames, and a stream of these. */
typedef struct test_animated {
	ossa_context *context;
	ossa_sample *sample;
	ossa_frame_stream *stream;
} test_animated;
test_animated test_animated_begin(int kind, int frames, int threads);
void test_animated_end(test_animated *animated);

/* A quad and a triangle as OBJ text; a file of a pose, moved up by `height`; and the rest read
   from a file. */
extern const char *const test_rest_text;
const char *test_pose_file(const char *name, int height);
ossa_mesh *test_read_rest(ossa_context *context);

#endif
