/* scene/cache.c: what the point cache formats share: see cache.h.

   Place in the path: file → ossa_frames.  In: a view of a file's bytes.  Out: positions and times. */
#include "scene/cache.h"

#include "base/bytes.h"

#include <math.h>

static float float_at(const uint8_t *at, bool big_endian)
{
	return ossai_float_of_bits(big_endian ? ossai_big_32(at) : ossai_little_32(at));
}

ossa_status ossai_cache_positions(ossa_context *context, const ossai_cache *cache, float *positions)
{
	const size_t count = 3 * cache->frame_count * cache->vertex_count;
	for (size_t i = 0; i < count; i++) {
		positions[i] = float_at(cache->positions + 4 * i, cache->big_endian);
		if (isfinite(positions[i])) continue;
		ossai_place place = OSSAI_NOWHERE;
		place.file = cache->source->path;
		place.offset = cache->positions + 4 * i - cache->source->bytes;
		place.frame = (int64_t)(i / 3 / cache->vertex_count);
		place.vertex = (int64_t)(i / 3 % cache->vertex_count);
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "the position is not finite: export the cache again");
	}
	return OSSA_OK;
}

void ossai_cache_times(ossa_context *context, const ossai_cache *cache, double frames_per_second, double *times)
{
	bool good = cache->times != NULL;
	for (size_t i = 0; good && i < cache->frame_count; i++) {
		const double first = (double)float_at(cache->times, cache->big_endian);
		times[i] = (double)float_at(cache->times + 4 * i, cache->big_endian) - first;
		good = isfinite(times[i]) && (i == 0 || times[i] > times[i - 1]);
	}
	if (good) return;
	if (cache->times) {
		ossai_warn(context, "cache-times", 1, "%s: the times of the frames do not increase; they are taken at %g a second",
			cache->source->path, frames_per_second);
	}
	for (size_t i = 0; i < cache->frame_count; i++) times[i] = (double)i * cache->frames_per_sample / frames_per_second;
}
