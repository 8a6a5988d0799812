/* import/cache/cache.c: what the point cache formats share: see cache.h.

   Place in the path: file → ossa_frames.
   Input: a view of a file's bytes.
   Output: positions and times. */
#include "import/cache/cache.h"

#include "base/bytes.h"
#include "base/clones.h"
#include "base/scan.h"

#include <math.h>

static float float_at(const uint8_t *at, bool big_endian)
{
	return ossai_float_of_bits(big_endian ? ossai_big_32(at) : ossai_little_32(at));
}

/* the byte order is tested outside of the loops, so that the compiler vectorises them */
OSSAI_CLONES static void decode_little(const uint8_t *at, size_t count, float *positions)
{
	for (size_t i = 0; i < count; i++) positions[i] = float_at(at + 4 * i, false);
}

OSSAI_CLONES static void decode_big(const uint8_t *at, size_t count, float *positions)
{
	for (size_t i = 0; i < count; i++) positions[i] = float_at(at + 4 * i, true);
}

static ossa_status not_finite(ossa_context *context, const ossai_cache *cache, size_t frame, size_t vertex, const uint8_t *at)
{
	ossai_place place = ossai_in_file(cache->source->path);
	place.offset = at - cache->source->bytes;
	place.frame = (int64_t)frame;
	place.vertex = (int64_t)vertex;
	return ossai_fail(context, OSSA_ERROR_INPUT, &place, "the position is not finite: export the cache again");
}

ossa_status ossai_cache_frame(ossa_context *context, const ossai_cache *cache, size_t frame, float *positions)
{
	if (cache->read_frame) return cache->read_frame(context, cache, frame, positions);
	const size_t count = 3 * cache->vertex_count;
	const uint8_t *at = cache->positions + 4 * frame * count;
	if (cache->big_endian) decode_big(at, count, positions);
	else decode_little(at, count, positions);
	if (ossai_all_finite(positions, count)) return OSSA_OK;
	size_t i = 0;
	while (isfinite(positions[i])) i++;
	return not_finite(context, cache, frame, i / 3, at + 4 * i);
}

void ossai_cache_check_end(ossa_context *context, const ossai_source *source, size_t end)
{
	if (source->size == end) return;
	ossai_warn(context, "cache-bytes-left", (int64_t)(source->size - end),
		"%s: there are bytes after the frames that its header declares; they are ignored", source->path);
}

/* ---- times ---- */

static bool has_times(const ossai_cache *cache) { return cache->times || cache->seconds; }

static double second_of(const ossai_cache *cache, size_t frame)
{
	return cache->seconds ? cache->seconds[frame] : (double)float_at(cache->times + 4 * frame, cache->big_endian);
}

bool ossai_cache_is_timed(const ossai_cache *cache)
{
	if (!has_times(cache)) return false;
	const double first = second_of(cache, 0);
	double before = -1;
	for (size_t i = 0; i < cache->frame_count; i++) {
		const double time = second_of(cache, i) - first;
		if (!isfinite(time) || !(time > before)) return false;
		before = time;
	}
	return true;
}

void ossai_cache_times(ossa_context *context, const ossai_cache *cache, double frames_per_second, double *times)
{
	if (ossai_cache_is_timed(cache)) {
		const double first = second_of(cache, 0);
		for (size_t i = 0; i < cache->frame_count; i++) times[i] = second_of(cache, i) - first;
		return;
	}
	if (has_times(cache)) {
		ossai_warn(context, "cache-times", 1, "%s: the times of the frames do not increase; they are taken at %g a second",
			cache->source->path, frames_per_second);
	}
	for (size_t i = 0; i < cache->frame_count; i++) times[i] = (double)i * cache->frames_per_sample / frames_per_second;
}

void ossai_cache_close(ossa_context *context, ossai_cache *cache)
{
	if (cache->close) cache->close(context, cache);
	*cache = (ossai_cache){0};
}
