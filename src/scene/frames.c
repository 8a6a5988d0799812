/* scene/frames.c: making, checking and freeing frames.

   Place in the path: what the pose and cache readers make and every method takes.
   Input and output: ossa_frames. */
#include "base/context.h"
#include <ossa/frames.h>

#include <math.h>
#include <string.h>

ossa_status ossa_frames_create(
	ossa_context *context, size_t frame_count, size_t vertex_count, double frames_per_second, ossa_frames **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, result);
	if (!(frames_per_second > 0) || !isfinite(frames_per_second)) {
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "%g frames per second: it must be more than 0", frames_per_second);
	}
	if (vertex_count != 0 && frame_count > SIZE_MAX / 12 / vertex_count) {
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL, "%zu frames of %zu vertices are more than this machine can address",
			frame_count, vertex_count);
	}
	ossa_frames *frames = ossa_alloc(context, 1, sizeof *frames);
	if (!frames) return ossa_context_error(context)->status;
	frames->frame_count = frame_count;
	frames->vertex_count = vertex_count;
	frames->positions = ossa_alloc(context, frame_count * vertex_count, 3 * sizeof *frames->positions);
	frames->times = ossa_alloc(context, frame_count, sizeof *frames->times);
	if (!frames->positions || !frames->times) {
		ossa_frames_free(context, frames);
		return ossa_context_error(context)->status;
	}
	for (size_t i = 0; i < frame_count; i++) frames->times[i] = (double)i / frames_per_second;
	*result = frames;
	return OSSA_OK;
}

ossa_status ossa_frames_validate(ossa_context *context, const ossa_frames *frames)
{
	OSSAI_NEED(context, frames);
	ossai_place place = OSSAI_NOWHERE;
	for (size_t f = 0; f < frames->frame_count; f++) {
		place.frame = (int64_t)f;
		place.vertex = -1;
		const double time = frames->times[f];
		if (!(f == 0 ? time >= 0 : time > frames->times[f - 1]) || !isfinite(time)) {
			return ossai_fail(context, OSSA_ERROR_INPUT, &place, "the time %g does not follow the one before", time);
		}
		if (frames->names && !memchr(frames->names[f], 0, sizeof frames->names[f])) {
			return ossai_fail(context, OSSA_ERROR_INPUT, &place, "the name is not terminated");
		}
		const float *positions = frames->positions + 3 * f * frames->vertex_count;
		for (size_t i = 0; i < 3 * frames->vertex_count; i++) {
			if (isfinite(positions[i])) continue;
			place.vertex = (int64_t)(i / 3);
			return ossai_fail(context, OSSA_ERROR_INPUT, &place, "the position is not finite");
		}
	}
	return OSSA_OK;
}

void ossa_frames_free(ossa_context *context, ossa_frames *frames)
{
	if (!frames) return;
	ossa_free(context, frames->positions);
	ossa_free(context, frames->times);
	ossa_free(context, frames->names);
	ossa_free(context, frames);
}
