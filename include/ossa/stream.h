/* ossa/stream.h: frames one at a time: motion that need not fit into memory. */
#ifndef OSSA_STREAM_H
#define OSSA_STREAM_H

#include <ossa/frames.h>
#include <ossa/read.h>

#ifdef __cplusplus
extern "C" {
#endif

/* F frames of V vertices that are read when they are asked for, in any order; forwards is
   fastest. It serves the context that it was opened with. */
typedef struct ossa_frame_stream ossa_frame_stream;

/* Opens the poses of `rest` as ossa_read_frames takes them: the same files, order, checks, warnings
   and errors; what is wrong inside of a frame is reported when it is read. Caches are mapped, mesh
   files and animated scenes read frame by frame.
   Errors: as ossa_read_frames.
   Ownership: ossa_frame_stream_free; `rest` must live as long. */
OSSA_API ossa_status ossa_frame_stream_open(ossa_context *context, const ossa_mesh *rest, size_t path_count,
	const char *const *paths, bool keep_order, const ossa_read_options *options, ossa_frame_stream **stream);

/* Opens what ossa_read_animation reads, a mesh and its motion in one: an animated file, or numbered
   files of which the first is the mesh at rest. The mesh is the same as there. Frames of an
   animated file are kept in memory if they are few. The stream is NULL where nothing moves. `mesh`
   is always wanted, for the stream reads from it.
   Errors: as ossa_read_animation, what is wrong inside of a frame when it is read.
   Ownership: ossa_mesh_free, ossa_frame_stream_free; `mesh` must live as long as the stream. */
OSSA_API ossa_status ossa_frame_stream_open_animation(
	ossa_context *context, const char *path, const ossa_read_options *options, ossa_mesh **mesh, ossa_frame_stream **stream);

/* As ossa_frame_stream_open, for frames whose vertices may be in another order than those of
   `mesh`, split at seams or joined: where they do not fit as they are, each vertex of `mesh`
   corresponds to the one at its position at rest, within 1e-4 of the diagonal (warning
   `vertices-matched`). `rest`: a file of the frames' own mesh at rest; NULL: the first of their
   meshes, or of a cache the first frame.
   Errors: as ossa_frame_stream_open; OSSA_ERROR_INPUT giving the number of vertices without
   counterpart. */
OSSA_API ossa_status ossa_frame_stream_open_matched(ossa_context *context, const ossa_mesh *mesh, const char *rest,
	size_t path_count, const char *const *paths, bool keep_order, const ossa_read_options *options, ossa_frame_stream **stream);

/* A stream over frames in memory, which must live as long.
   Ownership: ossa_frame_stream_free. */
OSSA_API ossa_status ossa_frame_stream_of_frames(ossa_context *context, const ossa_frames *frames, ossa_frame_stream **stream);

/* A stream over frames of the caller's: `read` fills V x 3 floats, called from the thread that
   reads the stream. A status other than OSSA_OK becomes that of the reading call. `times` (F,
   rising from 0 on) is copied; NULL: at `frames_per_second`.
   Errors: OSSA_ERROR_ARGUMENT (times that do not rise), OSSA_ERROR_MEMORY.
   Ownership: ossa_frame_stream_free. */
typedef ossa_status (*ossa_frame_function)(void *user, size_t frame, float *positions);
OSSA_API ossa_status ossa_frame_stream_of_function(ossa_context *context, size_t frame_count, size_t vertex_count,
	const double *times, double frames_per_second, ossa_frame_function read, void *user, ossa_frame_stream **stream);

OSSA_API size_t ossa_frame_stream_frame_count(const ossa_frame_stream *stream);
OSSA_API size_t ossa_frame_stream_vertex_count(const ossa_frame_stream *stream);

/* F seconds, strictly increasing, from 0 on. */
OSSA_API const double *ossa_frame_stream_times(const ossa_frame_stream *stream);

/* The frame's name as in ossa_frames, or "". */
OSSA_API const char *ossa_frame_stream_name(const ossa_frame_stream *stream, size_t frame);

/* The motion's name as in ossa_frames, or "". */
OSSA_API const char *ossa_frame_stream_motion(const ossa_frame_stream *stream);

/* Frames that belong together: an animation of a file, a cache, or poses in a row. */
typedef struct ossa_take {
	size_t first, frame_count; /* of the stream's frames */
	char name[64];             /* that of the animation, else of the file or the numbered files */
} ossa_take;

/* The takes of a stream, in its order: at least one where there are frames. */
OSSA_API size_t ossa_frame_stream_take_count(const ossa_frame_stream *stream);

/* One of them; no frames where there is none of that index. */
OSSA_API ossa_take ossa_frame_stream_take(const ossa_frame_stream *stream, size_t index);

/* Whether all frames lie in memory. */
OSSA_API bool ossa_frame_stream_is_whole(const ossa_frame_stream *stream);

/* Reads one frame: V x 3 floats, finite.
   Errors: OSSA_ERROR_INPUT naming file, frame and vertex; OSSA_ERROR_READ; OSSA_ERROR_ARGUMENT
   where there is no such frame. */
OSSA_API ossa_status ossa_frame_stream_read(ossa_context *context, ossa_frame_stream *stream, size_t frame, float *positions);

/* Reads the frames of `count` rising indices (NULL: all frames) with their times, from 0 on, and
   names.
   Errors: OSSA_ERROR_ARGUMENT (indices that do not rise), as ossa_frame_stream_read.
   Ownership: ossa_frames_free. */
OSSA_API ossa_status ossa_frame_stream_frames(
	ossa_context *context, ossa_frame_stream *stream, size_t count, const size_t *indices, ossa_frames **frames);

/* Chooses up to `wanted` key frames: the first, then by greedy k-median those that minimize the sum
   of distances of all frames to the nearest chosen one, rigid motion of the whole aside. `rest`
   (NULL: the first frame) has the faces, of which only the vertices count. `indices`: `wanted`
   entries, filled rising; `count`: fewer where the other frames equal chosen ones. Very long
   streams are sampled.
   Errors: as ossa_frame_stream_read; OSSA_ERROR_INPUT where there are no frames or `rest` has other
   vertices.
   Threads: the context's; the same choice for any number. */
OSSA_API ossa_status ossa_frame_stream_choose(
	ossa_context *context, ossa_frame_stream *stream, const ossa_mesh *rest, size_t wanted, size_t *indices, size_t *count);

/* Frees a stream. NULL is allowed. */
OSSA_API void ossa_frame_stream_free(ossa_context *context, ossa_frame_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
