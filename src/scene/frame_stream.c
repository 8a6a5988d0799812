/* scene/frame_stream.c: streams of frames: the common part of all, and those over memory and over a
   function of the caller.

   Place in the path: between sources of frames and stages that need them one at a time.
   Input: frames, a function, or what import/ opens.
   Output: the positions of one frame, finite. */
#include "scene/frame_stream.h"

#include "base/scan.h"

#include <math.h>
#include <string.h>

/* ---- making ---- */

ossa_status ossai_frame_stream_new(
	ossa_context *context, size_t frame_count, size_t vertex_count, bool with_names, ossa_frame_stream **result)
{
	*result = NULL;
	ossa_frame_stream *stream = ossa_alloc(context, 1, sizeof *stream);
	if (!stream) return ossa_context_error(context)->status;
	stream->frame_count = frame_count;
	stream->vertex_count = vertex_count;
	stream->times = ossa_alloc(context, frame_count, sizeof *stream->times);
	if (with_names && stream->times) stream->names = ossa_alloc(context, frame_count, sizeof stream->names[0]);
	if (!stream->times || (with_names && !stream->names)) {
		ossa_frame_stream_free(context, stream);
		return ossa_context_error(context)->status;
	}
	*result = stream;
	return OSSA_OK;
}

ossa_status ossai_frame_stream_copy_morphs(ossa_context *context, const ossa_frame_stream *from, ossa_frame_stream *to)
{
	const size_t count = from->frame_count * from->morph_count;
	if (!from->morph_weights || count == 0) return OSSA_OK;
	to->morph_weights = ossai_new(context, count, sizeof *to->morph_weights);
	if (!to->morph_weights) return ossa_context_error(context)->status;
	memcpy(to->morph_weights, from->morph_weights, count * sizeof *to->morph_weights);
	to->morph_count = from->morph_count;
	return OSSA_OK;
}

static ossa_status copy_takes(ossa_context *context, const ossa_frame_stream *from, ossa_frame_stream *to)
{
	if (from->take_count == 0) return OSSA_OK;
	to->takes = ossa_alloc(context, from->take_count, sizeof *to->takes);
	if (!to->takes) return ossa_context_error(context)->status;
	memcpy(to->takes, from->takes, from->take_count * sizeof *to->takes);
	to->take_count = from->take_count;
	return OSSA_OK;
}

ossa_status ossai_frame_stream_over(
	ossa_context *context, const ossa_frame_stream *from, size_t vertex_count, ossa_frame_stream **result)
{
	const size_t count = from->frame_count;
	OSSAI_TRY(ossai_frame_stream_new(context, count, vertex_count, from->names != NULL, result));
	ossa_frame_stream *stream = *result;
	if (count > 0) memcpy(stream->times, from->times, count * sizeof *from->times);
	if (count > 0 && from->names) memcpy(stream->names, from->names, count * sizeof from->names[0]);
	memcpy(stream->motion, from->motion, sizeof from->motion);
	stream->is_whole = from->is_whole;
	stream->morphs_at_rest = from->morphs_at_rest;
	stream->path = from->path;
	const ossa_status status = copy_takes(context, from, stream);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_frame_stream_free(context, stream);
	*result = NULL;
	return status;
}

static ossa_status read_memory(ossa_context *context, ossa_frame_stream *stream, size_t frame, float *positions)
{
	(void)context;
	const ossa_frames *frames = stream->data;
	const size_t count = 3 * stream->vertex_count;
	if (count > 0) memcpy(positions, frames->positions + frame * count, count * sizeof *positions);
	return OSSA_OK;
}

ossa_status ossa_frame_stream_of_frames(ossa_context *context, const ossa_frames *frames, ossa_frame_stream **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, frames, result);
	const size_t count = frames->frame_count;
	OSSAI_TRY(ossai_frame_stream_new(context, count, frames->vertex_count, frames->names != NULL, result));
	ossa_frame_stream *stream = *result;
	if (count > 0) memcpy(stream->times, frames->times, count * sizeof *stream->times);
	if (count > 0 && frames->names) memcpy(stream->names, frames->names, count * sizeof stream->names[0]);
	memcpy(stream->motion, frames->name, sizeof stream->motion);
	stream->is_whole = true;
	stream->morphs_at_rest = frames->morphs_at_rest;
	stream->read = read_memory;
	/* never written to */
	stream->data = (void *)frames;
	return OSSA_OK;
}

/* What the caller reads with. */
typedef struct caller {
	ossa_frame_function read;
	void *user;
} caller;

static ossa_status read_function(ossa_context *context, ossa_frame_stream *stream, size_t frame, float *positions)
{
	const caller *c = stream->data;
	const ossa_status status = c->read(c->user, frame, positions);
	if (status == OSSA_OK) return OSSA_OK;
	ossai_place place = OSSAI_NOWHERE;
	place.frame = (int64_t)frame;
	return ossai_fail(context, status, &place, "the caller's function could not read it");
}

static void close_function(ossa_context *context, ossa_frame_stream *stream) { ossa_free(context, stream->data); }

static ossa_status fill_times(ossa_context *context, const double *times, double rate, ossa_frame_stream *stream)
{
	for (size_t f = 0; f < stream->frame_count; f++) {
		const double time = times ? times[f] : (double)f / rate;
		if (!isfinite(time) || !(f == 0 ? time >= 0 : time > stream->times[f - 1])) {
			return ossai_fail(
				context, OSSA_ERROR_ARGUMENT, NULL, "the time %g of frame %zu does not follow the one before", time, f + 1);
		}
		stream->times[f] = time;
	}
	return OSSA_OK;
}

ossa_status ossa_frame_stream_of_function(ossa_context *context, size_t frame_count, size_t vertex_count, const double *times,
	double frames_per_second, ossa_frame_function read, void *user, ossa_frame_stream **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, result);
	if (!read) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "%s: its argument read is NULL", __func__);
	OSSAI_TRY(ossai_frame_stream_new(context, frame_count, vertex_count, false, result));
	caller *c = ossa_alloc(context, 1, sizeof *c);
	ossa_status status = c ? fill_times(context, times, frames_per_second, *result) : ossa_context_error(context)->status;
	(*result)->data = c;
	(*result)->read = read_function;
	(*result)->close = close_function;
	if (status == OSSA_OK) {
		*c = (caller){read, user};
		return OSSA_OK;
	}
	ossa_frame_stream_free(context, *result);
	*result = NULL;
	return status;
}

void ossa_frame_stream_free(ossa_context *context, ossa_frame_stream *stream)
{
	if (!stream) return;
	if (stream->close) stream->close(context, stream);
	ossa_free(context, stream->times);
	ossa_free(context, stream->names);
	ossa_free(context, stream->takes);
	ossa_free(context, stream->morph_weights);
	ossa_free(context, stream);
}

/* ---- facts ---- */

size_t ossa_frame_stream_frame_count(const ossa_frame_stream *stream) { return stream ? stream->frame_count : 0; }
size_t ossa_frame_stream_vertex_count(const ossa_frame_stream *stream) { return stream ? stream->vertex_count : 0; }
const double *ossa_frame_stream_times(const ossa_frame_stream *stream) { return stream ? stream->times : NULL; }
bool ossa_frame_stream_is_whole(const ossa_frame_stream *stream) { return stream && stream->is_whole; }

const char *ossa_frame_stream_motion(const ossa_frame_stream *stream) { return stream ? stream->motion : ""; }

size_t ossa_frame_stream_take_count(const ossa_frame_stream *stream)
{
	if (!stream) return 0;
	return stream->take_count > 0 ? stream->take_count : stream->frame_count > 0;
}

ossa_take ossa_frame_stream_take(const ossa_frame_stream *stream, size_t index)
{
	if (index >= ossa_frame_stream_take_count(stream)) return (ossa_take){0};
	if (stream->take_count > 0) return stream->takes[index];
	ossa_take all = {.frame_count = stream->frame_count};
	memcpy(all.name, stream->motion, sizeof all.name);
	return all;
}

const char *ossa_frame_stream_name(const ossa_frame_stream *stream, size_t frame)
{
	return stream && stream->names && frame < stream->frame_count ? stream->names[frame] : "";
}

/* ---- reading ---- */

static ossa_status check_finite(ossa_context *context, const ossa_frame_stream *stream, size_t frame, const float *positions)
{
	if (ossai_all_finite(positions, 3 * stream->vertex_count)) return OSSA_OK;
	ossai_place place = OSSAI_NOWHERE;
	size_t i = 0;
	while (isfinite(positions[i])) i++;
	place.file = stream->path;
	place.frame = (int64_t)frame;
	place.vertex = (int64_t)(i / 3);
	return ossai_fail(context, OSSA_ERROR_INPUT, &place, "the position is not finite");
}

size_t ossai_frames_at_once(const ossa_context *context)
{
	const int threads = ossa_context_threads(context);
	return threads < 1 ? 1 : threads > OSSAI_FRAMES_AT_ONCE ? OSSAI_FRAMES_AT_ONCE : (size_t)threads;
}

static ossa_status read_each(
	ossa_context *context, ossa_frame_stream *stream, size_t count, const size_t *frames, float *const *positions)
{
	for (size_t i = 0; i < count; i++) OSSAI_TRY(stream->read(context, stream, frames[i], positions[i]));
	return OSSA_OK;
}

ossa_status ossai_frame_stream_read_several(
	ossa_context *context, ossa_frame_stream *stream, size_t count, const size_t *frames, float *const *positions)
{
	if (count == 0) return OSSA_OK;
	/* going back means reading again: the files' warnings were issued already */
	if (frames[0] < stream->next) ossai_reading_begin(context);
	stream->next = frames[count - 1] + 1;
	OSSAI_TRY((stream->read_several ? stream->read_several : read_each)(context, stream, count, frames, positions));
	for (size_t i = 0; i < count; i++) OSSAI_TRY(check_finite(context, stream, frames[i], positions[i]));
	return OSSA_OK;
}

ossa_status ossa_frame_stream_read(ossa_context *context, ossa_frame_stream *stream, size_t frame, float *positions)
{
	OSSAI_NEED(context, stream, positions);
	if (frame < stream->frame_count) return ossai_frame_stream_read_several(context, stream, 1, &frame, &positions);
	return ossai_fail(
		context, OSSA_ERROR_ARGUMENT, NULL, "there is no frame %zu: there are %zu, counted from 0", frame, stream->frame_count);
}

static ossa_status read_all(ossa_context *context, ossa_frame_stream *stream, const size_t *indices, ossa_frames *frames)
{
	const size_t most = ossai_frames_at_once(context);
	for (size_t first = 0; first < frames->frame_count; first += most) {
		const size_t left = frames->frame_count - first, count = left < most ? left : most;
		size_t at[OSSAI_FRAMES_AT_ONCE];
		float *positions[OSSAI_FRAMES_AT_ONCE];
		for (size_t i = 0; i < count; i++) {
			at[i] = indices ? indices[first + i] : first + i;
			positions[i] = frames->positions + 3 * (first + i) * stream->vertex_count;
		}
		OSSAI_TRY(ossai_frame_stream_read_several(context, stream, count, at, positions));
		for (size_t i = 0; i < count; i++) {
			frames->times[first + i] = stream->times[at[i]] - stream->times[indices ? indices[0] : 0];
			if (frames->names) memcpy(frames->names[first + i], stream->names[at[i]], sizeof frames->names[i]);
		}
		OSSAI_TRY(ossai_progress(context, (double)(first + count) / (double)frames->frame_count));
	}
	return OSSA_OK;
}

ossa_status ossa_frame_stream_frames(
	ossa_context *context, ossa_frame_stream *stream, size_t count, const size_t *indices, ossa_frames **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, stream, result);
	if (!indices) count = stream->frame_count;
	for (size_t i = 1; indices && i < count; i++) {
		if (indices[i] > indices[i - 1]) continue;
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "frame %zu comes after frame %zu: indices must rise", indices[i],
			indices[i - 1]);
	}
	OSSAI_TRY(ossa_frames_create(context, count, stream->vertex_count, 1, result));
	ossa_frames *frames = *result;
	ossa_status status = OSSA_OK;
	memcpy(frames->name, stream->motion, sizeof frames->name);
	frames->morphs_at_rest = stream->morphs_at_rest;
	if (stream->names) frames->names = ossa_alloc(context, count, sizeof frames->names[0]);
	if (stream->names && !frames->names) status = ossa_context_error(context)->status;
	if (status == OSSA_OK) status = read_all(context, stream, indices, frames);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_frames_free(context, frames);
	*result = NULL;
	return status;
}
