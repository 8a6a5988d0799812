/* import/maya/maya_positions.c: the positions of a frame, out of the files' records: see
   maya_parts.h. */
#include "import/maya/maya_parts.h"

#include "base/bytes.h"

#include <math.h>

static ossa_status decode(
	const ossai_maya_cache *cache, const ossai_source *source, const ossai_maya_record *record, size_t frame, float *positions)
{
	ossai_place place = ossai_in_file(source->path);
	const size_t size = record->is_double ? 8 : 4;
	/* it was checked when the cache was opened, but may have been rewritten since then */
	if (record->offset > source->size || (source->size - record->offset) / size / 3 < record->count) {
		return ossai_fail(cache->arena.context, OSSA_ERROR_READ, &place, "has become shorter while it was read");
	}
	const uint8_t *at = source->bytes + record->offset;
	for (size_t i = 0; i < 3 * record->count; i++, at += size) {
		positions[i] = record->is_double ? (float)ossai_double_of_bits(ossai_big_64(at))
										 : ossai_float_of_bits(ossai_big_32(at));
		if (isfinite(positions[i])) continue;
		place.offset = at - source->bytes;
		place.frame = (int64_t)frame;
		place.vertex = (int64_t)(i / 3);
		return ossai_fail(cache->arena.context, OSSA_ERROR_INPUT, &place, "the position is not finite: export the cache again");
	}
	return OSSA_OK;
}

/* all channels of a frame that lie in one file, beginning with channel `k`, which is moved after
   them */
static ossa_status decode_file(
	const ossai_maya_cache *cache, const ossai_source *source, size_t frame, size_t *k, float *positions)
{
	const ossai_maya_record *const *records = cache->frames + frame * cache->channel_count;
	const uint32_t file = records[*k]->file;
	for (; *k < cache->channel_count && records[*k]->file == file; ++*k) {
		OSSAI_TRY(decode(cache, source, records[*k], frame, positions + 3 * cache->first[*k]));
	}
	return OSSA_OK;
}

ossa_status ossai_maya_read_frame(ossa_context *context, const ossai_cache *view, size_t frame, float *positions)
{
	const ossai_maya_cache *cache = view->data;
	for (size_t k = 0; k < cache->channel_count;) {
		const char *path = cache->paths[cache->frames[frame * cache->channel_count + k]->file];
		ossai_file file = cache->single;
		const bool is_source = strcmp(path, cache->source->path) == 0, is_held = is_source || cache->single.bytes;
		if (!is_held) OSSAI_TRY(ossai_file_open(context, path, &file));
		const ossai_source source = is_source ? *cache->source
											  : (ossai_source){.path = path, .bytes = file.bytes, .size = file.size};
		const ossa_status status = decode_file(cache, &source, frame, &k, positions);
		if (!is_held) ossai_file_close(context, &file);
		OSSAI_TRY(status);
	}
	return OSSA_OK;
}
