/* import/cache/mdd.c: MDD point caches.

   Place in the path: file → ossa_frames.
   Input: bytes.
   Output: a view of the frames.
   Layout, big-endian: int32 frames, int32 points, frames floats (seconds), then frames x points x 3
   floats. There is no magic number: a file is MDD if its size is exactly that of the counts.
   Source: LightWave MDD, as Blender's io_shape_mdd writes it. */
#include "base/bytes.h"
#include "import/readers.h"

enum { HEADER_SIZE = 8 };

/* frames that a file of that size can hold; a frame is its time and its points */
static size_t frames_held(size_t size, uint32_t points) { return (size - HEADER_SIZE) / (4 + 12 * (size_t)points); }

bool ossai_mdd_detect(const uint8_t *bytes, size_t size)
{
	if (size < HEADER_SIZE) return false;
	const uint32_t frames = ossai_big_32(bytes), points = ossai_big_32(bytes + 4);
	if (frames == 0 || points == 0 || frames > INT32_MAX || points > INT32_MAX) return false;
	return frames_held(size, points) == frames && (size - HEADER_SIZE) % (4 + 12 * (size_t)points) == 0;
}

ossa_status ossai_mdd_open(ossa_context *context, const ossai_source *source, ossai_cache *cache)
{
	ossai_place place = ossai_in_file(source->path);
	place.offset = 0;
	if (source->size < HEADER_SIZE) {
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "has no whole MDD header: is the file cut off?");
	}
	const uint32_t frames = ossai_big_32(source->bytes), points = ossai_big_32(source->bytes + 4);
	if (frames == 0 || points == 0 || frames > INT32_MAX || points > INT32_MAX) {
		return ossai_fail(context, OSSA_ERROR_INPUT, &place,
			"its header declares %d frames of %d vertices: is it MDD? export it again", (int)(int32_t)frames,
			(int)(int32_t)points);
	}
	if (frames_held(source->size, points) < frames) {
		place.offset = (int64_t)source->size;
		return ossai_fail(context, OSSA_ERROR_INPUT, &place,
			"its header declares %u frames of %u vertices, but it ends after %zu: is the file cut off?", (unsigned)frames,
			(unsigned)points, frames_held(source->size, points));
	}
	ossai_cache_check_end(context, source, HEADER_SIZE + (4 + 12 * (size_t)points) * frames);
	*cache = (ossai_cache){.source = source,
		.frame_count = frames,
		.vertex_count = points,
		.big_endian = true,
		.times = source->bytes + HEADER_SIZE,
		.positions = source->bytes + HEADER_SIZE + 4 * (size_t)frames,
		.frames_per_sample = 1};
	return OSSA_OK;
}
