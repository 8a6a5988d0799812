/* tests/support/streams.h: streams of frames against frames read whole. */
#ifndef OSSA_TEST_STREAMS_H
#define OSSA_TEST_STREAMS_H

#include <ossa/ossa.h>

/* Asserts that a stream of the files has the bytes of `frames`, read backwards, forwards and all at once. */
void test_stream_agrees(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
	const ossa_read_options *options, const ossa_frames *frames);

#endif
