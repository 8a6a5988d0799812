/* scene/frame_stream.h: the inside of a stream of frames, for files that open one. */
#ifndef OSSAI_SCENE_FRAME_STREAM_H
#define OSSAI_SCENE_FRAME_STREAM_H

#include "base/context.h"
#include <ossa/stream.h>

struct ossa_frame_stream {
	size_t frame_count, vertex_count;
	double *times;     /* F, the stream's own */
	char (*names)[64]; /* F, the stream's own; NULL: none */
	char motion[64];   /* the motion's name, or "" */
	size_t take_count; /* 0: all frames are one */
	ossa_take *takes;  /* the stream's own, or NULL */
	bool is_whole;
	bool morphs_at_rest; /* see ossa_frames */
	bool is_carried;     /* of other characters, brought to the mesh: not without error */
	size_t morph_count;  /* of the mesh; 0: none moves, or the frames hold them */
	/* F x morph_count, the stream's own: the weights that targets have in the file, or NULL */
	double *morph_weights;
	const char *path; /* for messages where there is one file, or NULL */

	/* fills V x 3 floats; they are checked afterwards, so it need not check for NaN */
	ossa_status (*read)(ossa_context *context, ossa_frame_stream *stream, size_t frame, float *positions);
	/* the same for several frames at once, of rising indices; NULL: one after the other */
	ossa_status (*read_several)(
		ossa_context *context, ossa_frame_stream *stream, size_t count, const size_t *frames, float *const *positions);
	/* releases `data`; NULL: nothing to release */
	void (*close)(ossa_context *context, ossa_frame_stream *stream);
	void *data;
	size_t next; /* after the frame that was read last */
};

/* A stream with space for times, zeroed, and for names where wanted; the caller sets the rest.
   Ownership: ossa_frame_stream_free. */
ossa_status ossai_frame_stream_new(
	ossa_context *context, size_t frame_count, size_t vertex_count, bool with_names, ossa_frame_stream **result);

/* The same for frames that are made of those of another stream, one of each: with its times, names,
   takes, and what is known of it. Weights of morph targets are copied where both meshes have the
   same ones. */
ossa_status ossai_frame_stream_over(
	ossa_context *context, const ossa_frame_stream *from, size_t vertex_count, ossa_frame_stream **result);
ossa_status ossai_frame_stream_copy_morphs(ossa_context *context, const ossa_frame_stream *from, ossa_frame_stream *to);

/* The most frames that are worth being read together: one for each thread. */
enum { OSSAI_FRAMES_AT_ONCE = 16 };
size_t ossai_frames_at_once(const ossa_context *context);

/* ossa_frame_stream_read for several frames, whose indices rise. */
ossa_status ossai_frame_stream_read_several(
	ossa_context *context, ossa_frame_stream *stream, size_t count, const size_t *frames, float *const *positions);

/* Reads all frames, or, of more than `wanted` (0: all), those that ossa_frame_stream_choose
   chooses. which: the indices of these, the arena's; NULL: all. Errors: as there. Ownership of
   the frames: ossa_frames_free. */
ossa_status ossai_frame_stream_take_keys(ossai_arena *arena, ossa_frame_stream *stream, const ossa_mesh *rest, size_t wanted,
	ossa_frames **keys, const size_t **which);

#endif
