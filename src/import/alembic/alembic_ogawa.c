/* import/alembic/alembic_ogawa.c: the container of Alembic files: see alembic_ogawa.h.

   Place in the path: below everything that reads Alembic.
   Input: a file's bytes.
   Output: views of its groups and data. Layout, little-endian: "Ogawa", 0xFF once the file is
   finished, 0, 1, the position of the root group; a group is a count and that many positions, a
   position with its highest bit set leads to data: a size and the bytes; 0 and the bit alone are
   empty.
   Source: Alembic's library, lib/Alembic/Ogawa. */
#include "import/alembic/alembic_ogawa.h"

#include "base/bytes.h"

#include <stdio.h>

enum { HEADER_SIZE = 16, FINISHED_AT = 5, VERSION_AT = 6, ROOT_AT = 8 };

static const uint64_t data_bit = UINT64_C(1) << 63;

/* the multiple of a file that may be read, and bytes in addition, for small ones that use parts
   many times */
static const size_t most_readings = 64, most_besides = (size_t)16 << 20;

ossa_status ossai_ogawa_fail(const ossai_ogawa *file, const uint8_t *at, const char *format, ...)
{
	ossai_place place = ossai_in_file(file->source->path);
	if (at) place.offset = at - file->source->bytes;
	va_list list;
	va_start(list, format);
	ossai_fail_list(file->context, OSSA_ERROR_INPUT, &place, format, list);
	va_end(list);
	return OSSA_ERROR_INPUT;
}

ossa_status ossai_ogawa_charge(ossai_ogawa *file, size_t bytes)
{
	if (bytes <= file->budget) {
		file->budget -= bytes;
		return OSSA_OK;
	}
	const ossai_place place = ossai_in_file(file->source->path);
	return ossai_fail(file->context, OSSA_ERROR_LIMIT, &place,
		"uses parts of itself (instances) so often that it is far larger than its size: export it without instances");
}

/* ---- groups and data ---- */

/* the number that groups and data begin with */
static ossa_status read_size(const ossai_ogawa *file, uint64_t position, const char *what, uint64_t *number)
{
	const size_t size = file->source->size;
	if (position < HEADER_SIZE || position > size || size - position < 8) {
		return ossai_ogawa_fail(
			file, NULL, "%s lies at byte %llu, outside of the file: is the file cut off?", what, (unsigned long long)position);
	}
	*number = ossai_little_64(file->source->bytes + position);
	return OSSA_OK;
}

static ossa_status group_at(const ossai_ogawa *file, uint64_t position, ossai_ogawa_group *group)
{
	*group = (ossai_ogawa_group){0, NULL};
	if (position == 0) return OSSA_OK;
	uint64_t count = 0;
	OSSAI_TRY(read_size(file, position, "a group", &count));
	const uint8_t *at = file->source->bytes + position;
	if (count > (file->source->size - position - 8) / 8) {
		return ossai_ogawa_fail(
			file, at, "a group of %llu children does not fit into the file: is the file cut off?", (unsigned long long)count);
	}
	if (count > 0) *group = (ossai_ogawa_group){(size_t)count, at + 8};
	return OSSA_OK;
}

static uint64_t child_position(const ossai_ogawa_group *group, size_t index)
{
	return ossai_little_64(group->children + 8 * index);
}

bool ossai_ogawa_is_data(const ossai_ogawa_group *group, size_t index)
{
	return index < group->count && (child_position(group, index) & data_bit) != 0;
}

ossa_status ossai_ogawa_child(const ossai_ogawa *file, const ossai_ogawa_group *group, size_t index, ossai_ogawa_group *child)
{
	if (index >= group->count || ossai_ogawa_is_data(group, index)) {
		return ossai_ogawa_fail(file, group->children, "child %zu of a group of %zu should be a group", index, group->count);
	}
	return group_at(file, child_position(group, index), child);
}

ossa_status ossai_ogawa_data_of(const ossai_ogawa *file, const ossai_ogawa_group *group, size_t index, ossai_ogawa_data *data)
{
	*data = (ossai_ogawa_data){file->source->bytes, 0};
	if (!ossai_ogawa_is_data(group, index)) {
		return ossai_ogawa_fail(file, group->children, "child %zu of a group of %zu should be data", index, group->count);
	}
	const uint64_t position = child_position(group, index) & ~data_bit;
	if (position == 0) return OSSA_OK;
	uint64_t bytes = 0;
	OSSAI_TRY(read_size(file, position, "data", &bytes));
	const uint8_t *at = file->source->bytes + position;
	if (bytes > file->source->size - position - 8) {
		return ossai_ogawa_fail(
			file, at, "%llu bytes of data do not fit into the file: is the file cut off?", (unsigned long long)bytes);
	}
	*data = (ossai_ogawa_data){at + 8, (size_t)bytes};
	return OSSA_OK;
}

/* ---- the header ---- */

ossa_status ossai_ogawa_open(ossa_context *context, const ossai_source *source, ossai_ogawa *file, ossai_ogawa_group *root)
{
	const size_t readings = source->size < SIZE_MAX / 2 / most_readings ? source->size * most_readings : SIZE_MAX / 2;
	*file = (ossai_ogawa){context, source, readings + most_besides};
	const uint8_t *bytes = source->bytes;
	if (source->size < HEADER_SIZE) {
		return ossai_ogawa_fail(file, NULL, "has no whole Alembic header: is the file cut off?");
	}
	if (bytes[FINISHED_AT] != 0xFF) {
		return ossai_ogawa_fail(
			file, bytes + FINISHED_AT, "was not finished when it was written (the writer stopped): export it again");
	}
	if (bytes[VERSION_AT] != 0 || bytes[VERSION_AT + 1] != 1) {
		return ossai_ogawa_fail(file, bytes + VERSION_AT, "is Ogawa of version %d; ossa reads version 1",
			bytes[VERSION_AT] << 8 | bytes[VERSION_AT + 1]);
	}
	return group_at(file, ossai_little_64(bytes + ROOT_AT), root);
}
