/* import/cache/pc2.c: PC2 point caches.

   Place in the path: file → ossa_frames.
   Input: bytes.
   Output: a view of the frames.
   Layout, little-endian: "POINTCACHE2\0", int32 version 1, int32 points, float first frame, float
   frames per sample, int32 samples, then samples x points x 3 floats.
   Source: 3ds Max point cache, as Blender's io_export_pc2 writes it. */
#include "base/bytes.h"
#include "import/readers.h"

#include <math.h>
#include <string.h>

enum { VERSION_AT = 12, POINTS_AT = 16, RATE_AT = 24, SAMPLES_AT = 28, HEADER_SIZE = 32 };

bool ossai_pc2_detect(const uint8_t *bytes, size_t size) { return size >= 12 && memcmp(bytes, "POINTCACHE2", 12) == 0; }

ossa_status ossai_pc2_open(ossa_context *context, const ossai_source *source, ossai_cache *cache)
{
	ossai_place place = ossai_in_file(source->path);
	if (!ossai_pc2_detect(source->bytes, source->size) || source->size < HEADER_SIZE) {
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "has no whole PC2 header: is the file cut off?");
	}
	const uint32_t version = ossai_little_32(source->bytes + VERSION_AT);
	const uint32_t points = ossai_little_32(source->bytes + POINTS_AT), samples = ossai_little_32(source->bytes + SAMPLES_AT);
	if (version != 1) {
		place.offset = VERSION_AT;
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "is PC2 of version %u; ossa reads version 1", (unsigned)version);
	}
	if (points == 0 || samples == 0 || points > INT32_MAX || samples > INT32_MAX) {
		place.offset = POINTS_AT;
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "its header declares %d frames of %d vertices: export it again",
			(int)(int32_t)samples, (int)(int32_t)points);
	}
	const size_t held = (source->size - HEADER_SIZE) / 12 / points;
	if (held < samples) {
		place.offset = (int64_t)source->size;
		return ossai_fail(context, OSSA_ERROR_INPUT, &place,
			"its header declares %u frames of %u vertices, but it ends after %zu: is the file cut off?", (unsigned)samples,
			(unsigned)points, held);
	}
	ossai_cache_check_end(context, source, HEADER_SIZE + 12 * (size_t)points * samples);
	const float rate = ossai_float_of_bits(ossai_little_32(source->bytes + RATE_AT));
	const bool has_rate = isfinite(rate) && rate > 0;
	if (!has_rate) {
		ossai_warn(context, "cache-times", 1, "%s: its header declares %g frames between two samples; 1 is taken", source->path,
			(double)rate);
	}
	*cache = (ossai_cache){.source = source,
		.frame_count = samples,
		.vertex_count = points,
		.positions = source->bytes + HEADER_SIZE,
		.frames_per_sample = has_rate ? (double)rate : 1};
	return OSSA_OK;
}
