/* import/maya/maya_records.c: the files of Maya caches (.mc, .mcx): see maya_records.h.

   Place in the path: file → maya_cache.c.
   Input: bytes.
   Output: where the positions of each channel and time are. Layout, big-endian IFF: FOR4 (.mc):
   chunks are a tag, 4 bytes of size, and data padded to 4; FOR8 (.mcx): a tag, 4 bytes of nothing,
   8 bytes of size, and data padded to 8 from the chunk's own begin. A group CACH holds STIM and
   ETIM, the first and last time; groups MYCH hold [TIME], and for each channel its name CHNM, its
   count SIZE, and FVCA (floats) or DVCA (doubles), three for each vertex; FBCA and DBLA hold single
   numbers. Groups' contents follow their type, so that a file is read as a sequence of chunks.
   Source: Maya's nCache files as ufbx reads them (ufbx.c, ufbxi_cache_load_mc). */
#include "import/maya/maya_records.h"

#include "base/bytes.h"

#include <string.h>

/* a file while it is read */
typedef struct chunk_cursor {
	ossai_maya_records *records;
	const ossai_source *source;
	uint32_t file;
	size_t at;
	bool is_wide; /* FOR8 */
	/* the values of the chunks before */
	int64_t ticks;
	uint32_t channel;
	bool has_count;
	size_t count;
} chunk_cursor;

typedef struct chunk {
	const uint8_t *tag;
	size_t begin, size; /* of its data */
} chunk;

ossai_maya_records ossai_maya_records_begin(ossai_arena *arena)
{
	return (ossai_maya_records){.arena = arena, .last_ticks = INT64_MIN};
}

bool ossai_maya_is_records(const uint8_t *bytes, size_t size)
{
	if (size >= 12 && memcmp(bytes, "FOR4", 4) == 0) return memcmp(bytes + 8, "CACH", 4) == 0;
	return size >= 20 && memcmp(bytes, "FOR8", 4) == 0 && memcmp(bytes + 16, "CACH", 4) == 0;
}

static ossa_status fail_at(const chunk_cursor *cursor, size_t offset, const char *what)
{
	ossai_place place = ossai_in_file(cursor->source->path);
	place.offset = (int64_t)offset;
	return ossai_fail(cursor->records->arena->context, OSSA_ERROR_INPUT, &place, "%s", what);
}

/* ---- channels by name ---- */

static size_t slot_of(const ossai_maya_records *records, ossai_word name)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < name.size; i++) hash = (hash ^ (unsigned char)name.bytes[i]) * UINT64_C(1099511628211);
	size_t slot = (size_t)(hash ^ hash >> 32) & (records->slot_count - 1);
	for (; records->slots[slot] != OSSA_NONE; slot = (slot + 1) & (records->slot_count - 1)) {
		if (ossai_words_are_same(records->channels[records->slots[slot]], name)) break;
	}
	return slot;
}

/* at most half of the table is in use */
static ossa_status grow_slots(ossai_maya_records *records)
{
	if (2 * (records->channel_count + 1) <= records->slot_count) return OSSA_OK;
	records->slot_count = records->slot_count ? 2 * records->slot_count : 16;
	records->slots = ossai_arena_new(records->arena, records->slot_count, sizeof *records->slots);
	if (!records->slots) return ossa_context_error(records->arena->context)->status;
	memset(records->slots, 0xFF, records->slot_count * sizeof *records->slots);
	for (size_t i = 0; i < records->channel_count; i++) records->slots[slot_of(records, records->channels[i])] = (uint32_t)i;
	return OSSA_OK;
}

/* the channel of that name; a new one is copied, as the file may be closed before the records are
   used */
static ossa_status find_channel(ossai_maya_records *records, ossai_word name, uint32_t *channel)
{
	OSSAI_TRY(grow_slots(records));
	const size_t slot = slot_of(records, name);
	if (records->slots[slot] == OSSA_NONE) {
		OSSAI_TRY(ossai_arena_reserve(
			records->arena, &records->channels, &records->channel_capacity, records->channel_count, sizeof *records->channels));
		char *copy = ossai_arena_new(records->arena, name.size + 1, 1);
		if (!copy) return ossa_context_error(records->arena->context)->status;
		memcpy(copy, name.bytes, name.size);
		copy[name.size] = 0;
		records->channels[records->channel_count] = (ossai_word){copy, name.size};
		records->slots[slot] = (uint32_t)records->channel_count++;
	}
	*channel = records->slots[slot];
	return OSSA_OK;
}

/* ---- chunks ---- */

static bool is_tag(const uint8_t *at, const char *tag) { return memcmp(at, tag, 4) == 0; }

/* the next chunk; a group's begins with its own type, which is skipped. `found` is false at
   the end. */
static ossa_status next_chunk(chunk_cursor *cursor, chunk *next, bool *found)
{
	const ossai_source *source = cursor->source;
	for (;;) {
		const size_t left = source->size - cursor->at;
		const uint8_t *tag = source->bytes + cursor->at;
		*found = left >= 4 && ossai_big_32(tag) != 0;
		if (!*found) return OSSA_OK;
		if (is_tag(tag, "CACH") || is_tag(tag, "MYCH")) {
			cursor->at += 4;
			continue;
		}
		const bool is_group = is_tag(tag, "FOR4") || is_tag(tag, "FOR8");
		if (is_group) cursor->is_wide = tag[3] == '8';
		const size_t head = cursor->is_wide ? 16 : 8;
		if (left < head) return fail_at(cursor, cursor->at, "a chunk has no whole head: is the file cut off?");
		const uint64_t size = cursor->is_wide ? ossai_big_64(tag + 8) : ossai_big_32(tag + 4);
		/* a little beyond the end is padding that was counted and not written */
		if (size > left - head + (is_group ? 8 : 0)) {
			return fail_at(cursor, cursor->at, "a chunk is longer than the file: is it cut off?");
		}
		*next = (chunk){tag, cursor->at + head, (size_t)size};
		cursor->at += head;
		if (is_group) continue;
		const size_t align = cursor->is_wide ? 8 : 4, padded = ((size_t)size + align - 1) / align * align;
		cursor->at = padded < source->size - next->begin ? next->begin + padded : source->size;
		return OSSA_OK;
	}
}

static ossa_status whole_number(const chunk_cursor *cursor, const chunk *c, uint32_t *number)
{
	if (c->size < 4) return fail_at(cursor, c->begin, "a chunk should hold a number and is too short; export the cache again");
	*number = ossai_big_32(cursor->source->bytes + c->begin);
	return OSSA_OK;
}

static ossa_status read_name(chunk_cursor *cursor, const chunk *c)
{
	const char *bytes = (const char *)cursor->source->bytes + c->begin;
	/* text may end with zeros */
	const char *end = memchr(bytes, 0, c->size);
	cursor->has_count = false;
	return find_channel(cursor->records, (ossai_word){bytes, end ? (size_t)(end - bytes) : c->size}, &cursor->channel);
}

static ossa_status add_record(chunk_cursor *cursor, const chunk *c, bool is_double)
{
	ossai_maya_records *records = cursor->records;
	const size_t vector = is_double ? 24 : 12, held = c->size / vector;
	const size_t count = cursor->has_count ? cursor->count : held;
	if (count > held) return fail_at(cursor, c->begin, "a channel holds fewer vectors than it says; export the cache again");
	/* a channel without a name is one, too */
	if (cursor->channel == OSSA_NONE) OSSAI_TRY(find_channel(records, (ossai_word){"", 0}, &cursor->channel));
	OSSAI_TRY(ossai_arena_reserve(records->arena, &records->items, &records->capacity, records->count, sizeof *records->items));
	records->items[records->count++] = (ossai_maya_record){
		cursor->ticks, cursor->channel, cursor->file, c->begin, count, is_double};
	return OSSA_OK;
}

static ossa_status read_chunk(chunk_cursor *cursor, const chunk *c)
{
	uint32_t number = 0;
	if (is_tag(c->tag, "CHNM")) return read_name(cursor, c);
	if (is_tag(c->tag, "FVCA") || is_tag(c->tag, "DVCA")) return add_record(cursor, c, c->tag[0] == 'D');
	if (is_tag(c->tag, "SIZE")) {
		OSSAI_TRY(whole_number(cursor, c, &number));
		cursor->has_count = true;
		cursor->count = number;
	} else if (is_tag(c->tag, "STIM") || is_tag(c->tag, "TIME")) {
		OSSAI_TRY(whole_number(cursor, c, &number));
		cursor->ticks = (int32_t)number;
	} else if (is_tag(c->tag, "ETIM")) {
		OSSAI_TRY(whole_number(cursor, c, &number));
		if ((int32_t)number > cursor->records->last_ticks) cursor->records->last_ticks = (int32_t)number;
	}
	return OSSA_OK;
}

ossa_status ossai_maya_records_read(ossai_maya_records *records, const ossai_source *source, uint32_t file)
{
	chunk_cursor cursor = {.records = records, .source = source, .file = file, .channel = OSSA_NONE};
	if (!ossai_maya_is_records(source->bytes, source->size)) {
		return fail_at(&cursor, 0, "has no whole header of a Maya cache: is the file cut off?");
	}
	for (;;) {
		chunk c = {0};
		bool found;
		OSSAI_TRY(next_chunk(&cursor, &c, &found));
		if (!found) return OSSA_OK;
		OSSAI_TRY(read_chunk(&cursor, &c));
	}
}
