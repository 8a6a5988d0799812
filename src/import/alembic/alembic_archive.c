/* import/alembic/alembic_archive.c: objects, properties and samples of Alembic files: see
   alembic_archive.h.

   Place in the path: between the container (alembic_ogawa.c) and the readers of what is in it.
   Input: groups and data.
   Output: names, types, values.
   Layout: root: file version, library version, top object, metadata, time samplings, indexed
   metadata. An object: its properties, its children, their headers; a compound: its properties,
   their headers. Every sample begins with a key of 16 bytes; an array's samples are pairs of values
   and dimensions.
   Source: Alembic's library, lib/Alembic/AbcCoreOgawa (ReadUtil, OrData, CprData). */
#include "import/alembic/alembic_archive.h"

#include "base/bytes.h"
#include "base/format.h"
#include "import/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROOT_CHILDREN = 6, HASHES_SIZE = 32, KEY_SIZE = 16, INLINE_METADATA = 255, MOST_RANKS = 16 };

/* the time of a cycle that means none: a 32th of the largest double */
#define ACYCLIC (1.7976931348623157e308 / 32)

/* samples that may be declared without being stored, for each that is, and besides */
static const size_t most_repeats = 16, most_repeats_besides = 4096;

/* ---- the root ---- */

/* a reader of headers: checks that their contents exist */
typedef struct header_cursor {
	const ossai_ogawa *file;
	const uint8_t *at, *end;
} header_cursor;

static ossa_status take(header_cursor *cursor, size_t size, const uint8_t **bytes)
{
	*bytes = cursor->at;
	if ((size_t)(cursor->end - cursor->at) < size) {
		return ossai_ogawa_fail(cursor->file, cursor->at, "a header ends in its middle: the file is broken; export it again");
	}
	cursor->at += size;
	return OSSA_OK;
}

/* a whole number of 1, 2 or 4 bytes */
static ossa_status take_number(header_cursor *cursor, unsigned hint, size_t *number)
{
	const uint8_t *bytes;
	if (hint > 2) return ossai_ogawa_fail(cursor->file, cursor->at, "a header has numbers of no known size; export it again");
	OSSAI_TRY(take(cursor, (size_t)1 << hint, &bytes));
	*number = hint == 0 ? bytes[0] : hint == 1 ? ossai_little_16(bytes) : ossai_little_32(bytes);
	return OSSA_OK;
}

static ossa_status take_word(header_cursor *cursor, size_t size, ossai_word *word)
{
	const uint8_t *bytes;
	OSSAI_TRY(take(cursor, size, &bytes));
	*word = (ossai_word){(const char *)bytes, size};
	return OSSA_OK;
}

static ossa_status take_sampling(header_cursor *cursor, ossai_alembic_sampling *sampling)
{
	const uint8_t *bytes;
	OSSAI_TRY(take(cursor, 16, &bytes));
	*sampling = (ossai_alembic_sampling){
		.seconds_per_cycle = ossai_double_of_bits(ossai_little_64(bytes + 4)), .count = ossai_little_32(bytes + 12)};
	sampling->is_acyclic = sampling->seconds_per_cycle >= ACYCLIC;
	if (sampling->count > (size_t)(cursor->end - cursor->at) / 8) return take(cursor, SIZE_MAX, &bytes);
	return take(cursor, 8 * sampling->count, &sampling->times);
}

static ossa_status read_samplings(ossai_arena *arena, const ossai_ogawa_data *data, ossai_alembic_archive *archive)
{
	/* one takes at least 16 bytes */
	archive->samplings = ossai_arena_new(arena, data->size / 16, sizeof *archive->samplings);
	if (!archive->samplings) return ossa_context_error(arena->context)->status;
	header_cursor cursor = {&archive->file, data->bytes, data->bytes + data->size};
	while (cursor.at < cursor.end) OSSAI_TRY(take_sampling(&cursor, &archive->samplings[archive->sampling_count++]));
	return OSSA_OK;
}

static ossa_status read_metadata(ossai_arena *arena, const ossai_ogawa_data *data, ossai_alembic_archive *archive)
{
	/* headers have one byte for its number */
	archive->metadata = ossai_arena_zero(arena, INLINE_METADATA, sizeof *archive->metadata);
	if (!archive->metadata) return ossa_context_error(arena->context)->status;
	archive->metadata_count = 1;
	header_cursor cursor = {&archive->file, data->bytes, data->bytes + data->size};
	while (cursor.at < cursor.end && archive->metadata_count < INLINE_METADATA) {
		size_t size = 0;
		OSSAI_TRY(take_number(&cursor, 0, &size));
		OSSAI_TRY(take_word(&cursor, size, &archive->metadata[archive->metadata_count++]));
	}
	return OSSA_OK;
}

ossa_status ossai_alembic_open(ossai_arena *arena, const ossai_source *source, ossai_alembic_archive *archive)
{
	*archive = (ossai_alembic_archive){0};
	ossai_ogawa_group root;
	ossai_ogawa_data data[ROOT_CHILDREN];
	const ossai_ogawa *file = &archive->file;
	OSSAI_TRY(ossai_ogawa_open(arena->context, source, &archive->file, &root));
	if (root.count < ROOT_CHILDREN) return ossai_ogawa_fail(file, NULL, "is Ogawa, but no Alembic archive: is it cut off?");
	for (size_t i = 0; i < ROOT_CHILDREN; i++) {
		if (i != 2) OSSAI_TRY(ossai_ogawa_data_of(file, &root, i, &data[i]));
	}
	OSSAI_TRY(ossai_ogawa_child(file, &root, 2, &archive->top));
	if (data[0].size != 4 || ossai_little_32(data[0].bytes) != 0) {
		return ossai_ogawa_fail(
			file, data[0].bytes, "is Alembic of a version that ossa does not know: export it as Ogawa again");
	}
	OSSAI_TRY(read_samplings(arena, &data[4], archive));
	return read_metadata(arena, &data[5], archive);
}

/* ---- metadata ---- */

ossai_word ossai_alembic_value(ossai_word metadata, const char *key)
{
	const size_t key_size = strlen(key);
	if (metadata.size == 0) return (ossai_word){"", 0};
	const char *at = metadata.bytes, *const end = at + metadata.size;
	while (at < end) {
		const char *stop = memchr(at, ';', (size_t)(end - at));
		if (!stop) stop = end;
		if ((size_t)(stop - at) > key_size && memcmp(at, key, key_size) == 0 && at[key_size] == '=') {
			return (ossai_word){at + key_size + 1, (size_t)(stop - at) - key_size - 1};
		}
		at = stop < end ? stop + 1 : end;
	}
	return (ossai_word){"", 0};
}

bool ossai_alembic_says(ossai_word metadata, const char *key, const char *value)
{
	return ossai_word_is(ossai_alembic_value(metadata, key), value);
}

static ossa_status take_metadata(
	ossai_alembic_archive *archive, header_cursor *cursor, size_t index, unsigned size_hint, ossai_word *metadata)
{
	if (index == INLINE_METADATA) {
		size_t size = 0;
		OSSAI_TRY(take_number(cursor, size_hint, &size));
		return take_word(cursor, size, metadata);
	}
	if (index >= archive->metadata_count) {
		return ossai_ogawa_fail(
			&archive->file, cursor->at, "a header names metadata %zu of %zu; export it again", index, archive->metadata_count);
	}
	*metadata = archive->metadata[index];
	return OSSA_OK;
}

/* ---- objects ---- */

ossa_status ossai_alembic_children_begin(
	ossai_alembic_archive *archive, const ossai_ogawa_group *group, ossai_alembic_children *children)
{
	*children = (ossai_alembic_children){.group = *group};
	/* an object without children and properties is an empty group */
	if (group->count == 0 || !ossai_ogawa_is_data(group, group->count - 1)) return OSSA_OK;
	ossai_ogawa_data data;
	OSSAI_TRY(ossai_ogawa_data_of(&archive->file, group, group->count - 1, &data));
	if (data.size <= HASHES_SIZE) return OSSA_OK;
	children->at = data.bytes;
	children->end = data.bytes + data.size - HASHES_SIZE;
	return OSSA_OK;
}

ossa_status ossai_alembic_children_next(
	ossai_alembic_archive *archive, ossai_alembic_children *children, ossai_alembic_object *object, bool *found)
{
	*found = children->at < children->end;
	if (!*found) return OSSA_OK;
	header_cursor cursor = {&archive->file, children->at, children->end};
	size_t size = 0, metadata = 0;
	OSSAI_TRY(take_number(&cursor, 2, &size));
	OSSAI_TRY(take_word(&cursor, size, &object->name));
	OSSAI_TRY(take_number(&cursor, 0, &metadata));
	OSSAI_TRY(take_metadata(archive, &cursor, metadata, 2, &object->metadata));
	OSSAI_TRY(ossai_ogawa_charge(&archive->file, (size_t)(cursor.at - children->at) + sizeof(ossai_alembic_object)));
	children->at = cursor.at;
	/* child 0 are the properties */
	return ossai_ogawa_child(&archive->file, &children->group, ++children->index, &object->group);
}

/* ---- properties ---- */

ossa_status ossai_alembic_properties(
	const ossai_alembic_archive *archive, const ossai_alembic_object *object, ossai_ogawa_group *properties)
{
	*properties = (ossai_ogawa_group){0, NULL};
	if (object->group.count == 0 || ossai_ogawa_is_data(&object->group, 0)) return OSSA_OK;
	return ossai_ogawa_child(&archive->file, &object->group, 0, properties);
}

/* the numbers of a header about samples */
static ossa_status take_samples(header_cursor *cursor, uint32_t info, ossai_alembic_property *property)
{
	const unsigned hint = info >> 2 & 3;
	property->pod = (ossai_alembic_pod)(info >> 4 & 15);
	property->extent = info >> 12 & 255;
	if (property->pod > OSSAI_POD_WSTRING) {
		return ossai_ogawa_fail(cursor->file, cursor->at, "a property has values of no known type; export it again");
	}
	OSSAI_TRY(take_number(cursor, hint, &property->sample_count));
	property->first_change = 1;
	property->last_change = property->sample_count > 0 ? property->sample_count - 1 : 0;
	if (info & 0x200) {
		OSSAI_TRY(take_number(cursor, hint, &property->first_change));
		OSSAI_TRY(take_number(cursor, hint, &property->last_change));
		if (property->first_change > property->last_change) {
			return ossai_ogawa_fail(
				cursor->file, cursor->at, "a property changes last before it changes first; export it again");
		}
	} else if (info & 0x800) property->first_change = property->last_change = 0;
	return info & 0x100 ? take_number(cursor, hint, &property->sampling) : OSSA_OK;
}

static ossa_status take_property(ossai_alembic_archive *archive, header_cursor *cursor, ossai_alembic_property *property)
{
	const uint8_t *bytes;
	OSSAI_TRY(take(cursor, 4, &bytes));
	const uint32_t info = ossai_little_32(bytes);
	*property = (ossai_alembic_property){.kind = OSSAI_ALEMBIC_COMPOUND};
	if (info & 3) {
		property->kind = (info & 3) == 1 ? OSSAI_ALEMBIC_SCALAR : OSSAI_ALEMBIC_ARRAY;
		OSSAI_TRY(take_samples(cursor, info, property));
	}
	size_t name_size = 0;
	OSSAI_TRY(take_number(cursor, info >> 2 & 3, &name_size));
	OSSAI_TRY(take_word(cursor, name_size, &property->name));
	return take_metadata(archive, cursor, info >> 20 & 255, info >> 2 & 3, &property->metadata);
}

ossa_status ossai_alembic_find(
	ossai_alembic_archive *archive, const ossai_ogawa_group *compound, const char *name, ossai_alembic_property *property)
{
	*property = (ossai_alembic_property){.kind = OSSAI_ALEMBIC_NONE};
	if (compound->count == 0) return OSSA_OK;
	ossai_ogawa_data data;
	OSSAI_TRY(ossai_ogawa_data_of(&archive->file, compound, compound->count - 1, &data));
	OSSAI_TRY(ossai_ogawa_charge(&archive->file, data.size));
	header_cursor cursor = {&archive->file, data.bytes, data.bytes + data.size};
	for (size_t i = 0; cursor.at < cursor.end; i++) {
		OSSAI_TRY(take_property(archive, &cursor, property));
		if (ossai_word_is(property->name, name)) return ossai_ogawa_child(&archive->file, compound, i, &property->group);
	}
	*property = (ossai_alembic_property){.kind = OSSAI_ALEMBIC_NONE};
	return OSSA_OK;
}

/* ---- samples ---- */

ossa_status ossai_alembic_fail(
	const ossai_alembic_archive *archive, const ossai_alembic_property *property, const uint8_t *at, const char *format, ...)
{
	char text[384], name[64];
	va_list list;
	va_start(list, format);
	ossai_vformat(text, sizeof text, format, list);
	va_end(list);
	ossai_name_copy(name, property->name);
	return ossai_ogawa_fail(&archive->file, at, "property \"%s\" %s", name, text);
}

static const uint8_t size_of_pod[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 1, 4};

/* which of the stored samples sample `index` is */
static size_t stored_index(const ossai_alembic_property *property, size_t index)
{
	const size_t first = property->first_change, last = property->last_change;
	if (index < first || (first == 0 && last == 0)) return 0;
	return (index < last ? index : last) - first + 1;
}

/* an array's dimensions are redundant, but must not contradict its size */
static ossa_status check_dimensions(
	const ossai_alembic_archive *archive, const ossai_alembic_property *property, size_t stored, size_t count)
{
	ossai_ogawa_data data;
	OSSAI_TRY(ossai_ogawa_data_of(&archive->file, &property->group, 2 * stored + 1, &data));
	if (data.size == 0) return OSSA_OK;
	uint64_t product = 1;
	bool fits = data.size % 8 == 0 && data.size / 8 <= MOST_RANKS;
	for (size_t i = 0; fits && i < data.size / 8; i++) {
		const uint64_t dimension = ossai_little_64(data.bytes + 8 * i);
		fits = dimension == 0 || product <= UINT64_MAX / dimension;
		product *= dimension;
	}
	if (fits && product == count) return OSSA_OK;
	return ossai_alembic_fail(archive, property, data.bytes, "has other dimensions than values; export it again");
}

ossa_status ossai_alembic_sample_at(
	const ossai_alembic_archive *archive, const ossai_alembic_property *property, size_t index, ossai_alembic_sample *sample)
{
	*sample = (ossai_alembic_sample){NULL, 0};
	const bool is_array = property->kind == OSSAI_ALEMBIC_ARRAY;
	const size_t stored = stored_index(property, index);
	ossai_ogawa_data data;
	OSSAI_TRY(ossai_ogawa_data_of(&archive->file, &property->group, is_array ? 2 * stored : stored, &data));
	if (data.size == 0) return OSSA_OK;
	const size_t size = size_of_pod[property->pod];
	const bool is_text = property->pod >= OSSAI_POD_STRING;
	const size_t value = property->extent * size;
	if (data.size == KEY_SIZE) return OSSA_OK;
	if (data.size < KEY_SIZE || value == 0 || (!is_text && (data.size - KEY_SIZE) % value != 0)) {
		return ossai_alembic_fail(
			archive, property, data.bytes, "has a size in sample %zu that is no number of values; export it again", index + 1);
	}
	*sample = (ossai_alembic_sample){data.bytes + KEY_SIZE, (data.size - KEY_SIZE) / size};
	if (is_text) return OSSA_OK;
	if (is_array) return check_dimensions(archive, property, stored, sample->count / property->extent);
	if (sample->count == property->extent) return OSSA_OK;
	return ossai_alembic_fail(archive, property, data.bytes, "has %zu numbers in sample %zu; it should have %zu", sample->count,
		index + 1, property->extent);
}

/* 1 sign, 5 exponent and 10 fraction bits */
static double real_of_half(uint16_t bits)
{
	const int exponent = bits >> 10 & 31, fraction = bits & 1023;
	double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
	if (exponent == 31) value = fraction ? (double)NAN : (double)INFINITY;
	return bits & 0x8000 ? -value : value;
}

int64_t ossai_alembic_whole(ossai_alembic_pod pod, const ossai_alembic_sample *sample, size_t index)
{
	const uint8_t *at = sample->bytes + index * size_of_pod[pod];
	uint64_t large;
	switch (pod) {
	case OSSAI_POD_BOOL: return at[0] != 0;
	case OSSAI_POD_U8: return at[0];
	case OSSAI_POD_I8: return (int8_t)at[0];
	case OSSAI_POD_U16: return ossai_little_16(at);
	case OSSAI_POD_I16: return (int16_t)ossai_little_16(at);
	case OSSAI_POD_U32: return ossai_little_32(at);
	case OSSAI_POD_I32: return (int32_t)ossai_little_32(at);
	case OSSAI_POD_U64: large = ossai_little_64(at); return large > INT64_MAX ? INT64_MAX : (int64_t)large;
	case OSSAI_POD_I64: return (int64_t)ossai_little_64(at);
	default: return 0;
	}
}

double ossai_alembic_real(ossai_alembic_pod pod, const ossai_alembic_sample *sample, size_t index)
{
	const uint8_t *at = sample->bytes + index * size_of_pod[pod];
	switch (pod) {
	case OSSAI_POD_F16: return real_of_half(ossai_little_16(at));
	case OSSAI_POD_F32: return (double)ossai_float_of_bits(ossai_little_32(at));
	case OSSAI_POD_F64: return ossai_double_of_bits(ossai_little_64(at));
	default: return (double)ossai_alembic_whole(pod, sample, index);
	}
}

/* ---- times ---- */

ossa_status ossai_alembic_check_count(const ossai_alembic_archive *archive, const ossai_alembic_property *property)
{
	const size_t stored = property->group.count;
	if (property->sample_count <= most_repeats * stored + most_repeats_besides) return OSSA_OK;
	return ossai_alembic_fail(archive, property, NULL,
		"declares %zu samples and holds %zu: the file is broken, or holds still for too long", property->sample_count, stored);
}

static double time_at(const ossai_alembic_sampling *sampling, size_t index)
{
	const size_t cycle = sampling->is_acyclic ? 0 : index / sampling->count;
	const uint8_t *at = sampling->times + 8 * (sampling->is_acyclic ? index : index % sampling->count);
	return ossai_double_of_bits(ossai_little_64(at)) + (cycle > 0 ? (double)cycle * sampling->seconds_per_cycle : 0);
}

ossa_status ossai_alembic_times(const ossai_alembic_archive *archive, const ossai_alembic_property *property, double *times)
{
	if (property->sampling >= archive->sampling_count) {
		return ossai_alembic_fail(archive, property, NULL, "has the times number %zu of %zu; export it again",
			property->sampling, archive->sampling_count);
	}
	const ossai_alembic_sampling *sampling = &archive->samplings[property->sampling];
	bool good = sampling->count > 0 && (!sampling->is_acyclic || sampling->count >= property->sample_count);
	for (size_t i = 0; good && i < property->sample_count; i++) {
		times[i] = time_at(sampling, i);
		good = isfinite(times[i]) && (i == 0 || times[i] > times[i - 1]);
	}
	if (good) return OSSA_OK;
	for (size_t i = 0; i < property->sample_count; i++) times[i] = (double)i / OSSAI_DEFAULT_RATE;
	ossai_warn(archive->file.context, "alembic-times", 1,
		"%s: times of samples do not increase, or are fewer than the samples; these are taken at %g a second",
		archive->file.source->path, OSSAI_DEFAULT_RATE);
	return OSSA_OK;
}
