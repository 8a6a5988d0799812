/* export/fbx/fbx_file.c: records and properties of a binary FBX file, and the file around them.

   Place in the path: inside the FBX writer.
   Input: names and numbers.
   Output: bytes in memory, but for those of images, then a file. A record is: where it ends, how
   many properties it has and how many bytes they take, its name, the properties, the records inside
   and, after those, an empty record. Strings and arrays begin with their lengths; arrays could be
   compressed, but are not here.
   Source: Blender Foundation, FBX binary file format specification, 2013; head and foot as its
   exporter writes them. */
#include "base/file.h"
#include "export/fbx/fbx.h"
#include "scene/appearance.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_HEAD_SIZE = 27, HEAD_SIZE = 13, EMPTY_SIZE = 13, VERSION = 7400 };

int64_t ossai_fbx_id(ossai_fbx_kind kind, size_t index)
{
	return kind == OSSAI_FBX_ROOT ? 0 : (int64_t)kind * INT64_C(1000000000) + (int64_t)index;
}

/* ---- bytes ---- */

static void store(uint8_t *at, uint64_t value, size_t count)
{
	for (size_t i = 0; i < count; i++) at[i] = (uint8_t)(value >> (8 * i));
}

/* capacity for `count` bytes more; NULL after a failure */
static uint8_t *extend(ossai_fbx_writer *writer, size_t count)
{
	if (writer->status != OSSA_OK) return NULL;
	if (count > writer->capacity - writer->size) {
		const size_t wanted = writer->size + count + writer->size / 2 + 4096;
		uint8_t *bytes = wanted > count ? ossai_resize(writer->context, writer->bytes, wanted, 1) : NULL;
		if (!bytes) {
			writer->status = ossa_context_error(writer->context)->status;
			return NULL;
		}
		writer->bytes = bytes;
		writer->capacity = wanted;
	}
	uint8_t *at = writer->bytes + writer->size;
	writer->size += count;
	return at;
}

static void put(ossai_fbx_writer *writer, uint64_t value, size_t count)
{
	uint8_t *at = extend(writer, count);
	if (at) store(at, value, count);
}

static void put_bytes(ossai_fbx_writer *writer, const void *bytes, size_t count)
{
	uint8_t *at = extend(writer, count);
	if (at) memcpy(at, bytes, count);
}

static uint64_t bits_of_double(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

void ossai_fbx_start(ossai_fbx_writer *writer)
{
	uint8_t *at = extend(writer, FILE_HEAD_SIZE);
	if (!at) return;
	memcpy(at, "Kaydara FBX Binary  \0\x1a", 23);
	store(at + 23, VERSION, 4);
}

/* where the next byte will be in the file */
static size_t place_of_end(const ossai_fbx_writer *writer) { return writer->size + writer->image_size; }

/* ---- records ---- */

/* the properties of the enclosing record are complete when the first record inside begins */
static void end_properties(ossai_fbx_writer *writer)
{
	const size_t top = writer->depth - 1;
	if (writer->status != OSSA_OK || writer->has_records[top]) return;
	writer->has_records[top] = true;
	store(writer->bytes + writer->records[top] + 8, place_of_end(writer) - writer->properties[top], 4);
}

void ossai_fbx_begin(ossai_fbx_writer *writer, const char *name)
{
	const size_t length = strlen(name);
	if (writer->depth > 0) end_properties(writer);
	writer->records[writer->depth] = writer->size;
	uint8_t *at = extend(writer, HEAD_SIZE + length);
	if (at) {
		memset(at, 0, HEAD_SIZE);
		at[HEAD_SIZE - 1] = (uint8_t)length;
		memcpy(at + HEAD_SIZE, name, length);
	}
	writer->properties[writer->depth] = place_of_end(writer);
	writer->has_records[writer->depth++] = false;
}

/* readers want the empty record after records, and in records without any properties */
void ossai_fbx_end(ossai_fbx_writer *writer)
{
	const size_t top = --writer->depth;
	if (writer->status != OSSA_OK) return;
	uint8_t *head = writer->bytes + writer->records[top];
	if (!writer->has_records[top]) store(head + 8, place_of_end(writer) - writer->properties[top], 4);
	const bool bare = head[4] == 0 && head[5] == 0 && head[6] == 0 && head[7] == 0;
	const bool is_layer = head[HEAD_SIZE - 1] == 14 && memcmp(head + HEAD_SIZE, "AnimationLayer", 14) == 0;
	if (writer->has_records[top] || bare || is_layer) {
		uint8_t *at = extend(writer, EMPTY_SIZE);
		if (!at) return;
		memset(at, 0, EMPTY_SIZE);
	}
	/* the bytes may have moved */
	if (place_of_end(writer) > UINT32_MAX) {
		writer->status = ossai_fail(writer->context, OSSA_ERROR_LIMIT, NULL, "an FBX file holds at most 4 GB: write a GLB");
		return;
	}
	store(writer->bytes + writer->records[top], place_of_end(writer), 4);
}

/* ---- properties ---- */

/* one more of the open record, of a kind */
static void begin_property(ossai_fbx_writer *writer, char letter)
{
	uint8_t *at = extend(writer, 1);
	if (!at) return;
	*at = (uint8_t)letter;
	uint8_t *count = writer->bytes + writer->records[writer->depth - 1] + 4;
	for (int i = 0; i < 4 && ++count[i] == 0; i++) continue;
}

void ossai_fbx_int(ossai_fbx_writer *writer, int32_t value)
{
	begin_property(writer, 'I');
	put(writer, (uint32_t)value, 4);
}

void ossai_fbx_long(ossai_fbx_writer *writer, int64_t value)
{
	begin_property(writer, 'L');
	put(writer, (uint64_t)value, 8);
}

void ossai_fbx_double(ossai_fbx_writer *writer, double value)
{
	begin_property(writer, 'D');
	put(writer, bits_of_double(value), 8);
}

void ossai_fbx_char(ossai_fbx_writer *writer, uint8_t value)
{
	begin_property(writer, 'C');
	put(writer, value, 1);
}

static void put_string(ossai_fbx_writer *writer, char letter, const void *bytes, size_t count)
{
	begin_property(writer, letter);
	put(writer, count, 4);
	put_bytes(writer, bytes, count);
}

void ossai_fbx_text(ossai_fbx_writer *writer, const char *text) { put_string(writer, 'S', text, strlen(text)); }

void ossai_fbx_raw(ossai_fbx_writer *writer, const uint8_t *bytes, size_t count) { put_string(writer, 'R', bytes, count); }

void ossai_fbx_image(ossai_fbx_writer *writer, const ossa_image *image, size_t size)
{
	begin_property(writer, 'R');
	put(writer, size, 4);
	if (writer->status != OSSA_OK) return;
	writer->status = ossai_reserve(
		writer->context, &writer->images, &writer->image_capacity, writer->image_count, sizeof *writer->images);
	if (writer->status != OSSA_OK) return;
	writer->images[writer->image_count++] = (ossai_fbx_inside){image, writer->size, size};
	writer->image_size += size;
}

void ossai_fbx_name(ossai_fbx_writer *writer, const char *name, const char *class_name)
{
	char both[160];
	const size_t first = strnlen(name, 96), second = strnlen(class_name, 32);
	memcpy(both, name, first);
	both[first] = 0;
	both[first + 1] = 1;
	memcpy(both + first + 2, class_name, second);
	put_string(writer, 'S', both, first + 2 + second);
}

uint8_t *ossai_fbx_array(ossai_fbx_writer *writer, char letter, size_t count)
{
	const size_t size = letter == 'd' || letter == 'l' ? 8 : 4;
	if (writer->status == OSSA_OK && count > UINT32_MAX / size) {
		writer->status = ossai_fail(writer->context, OSSA_ERROR_LIMIT, NULL, "an FBX file holds at most 4 GB: write a GLB");
	}
	begin_property(writer, letter);
	put(writer, count, 4);
	put(writer, 0, 4);
	put(writer, count * size, 4);
	return extend(writer, count * size);
}

void ossai_fbx_put_double(uint8_t *array, size_t index, double value) { store(array + 8 * index, bits_of_double(value), 8); }

void ossai_fbx_put_float(uint8_t *array, size_t index, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	store(array + 4 * index, bits, 4);
}

void ossai_fbx_put_int(uint8_t *array, size_t index, int32_t value) { store(array + 4 * index, (uint32_t)value, 4); }

void ossai_fbx_put_long(uint8_t *array, size_t index, int64_t value) { store(array + 8 * index, (uint64_t)value, 8); }

/* ---- common records ---- */

void ossai_fbx_int_record(ossai_fbx_writer *writer, const char *name, int32_t value)
{
	ossai_fbx_begin(writer, name);
	ossai_fbx_int(writer, value);
	ossai_fbx_end(writer);
}

void ossai_fbx_text_record(ossai_fbx_writer *writer, const char *name, const char *text)
{
	ossai_fbx_begin(writer, name);
	ossai_fbx_text(writer, text);
	ossai_fbx_end(writer);
}

static void begin_p(ossai_fbx_writer *writer, const char *name, const char *type, const char *label, const char *flags)
{
	ossai_fbx_begin(writer, "P");
	ossai_fbx_text(writer, name);
	ossai_fbx_text(writer, type);
	ossai_fbx_text(writer, label);
	ossai_fbx_text(writer, flags);
}

void ossai_fbx_p_int(ossai_fbx_writer *writer, const char *name, const char *type, const char *label, int32_t value)
{
	begin_p(writer, name, type, label, "");
	ossai_fbx_int(writer, value);
	ossai_fbx_end(writer);
}

void ossai_fbx_p_double(
	ossai_fbx_writer *writer, const char *name, const char *type, const char *label, const char *flags, double value)
{
	begin_p(writer, name, type, label, flags);
	ossai_fbx_double(writer, value);
	ossai_fbx_end(writer);
}

void ossai_fbx_p_text(ossai_fbx_writer *writer, const char *name, const char *type, const char *text)
{
	begin_p(writer, name, type, "", "");
	ossai_fbx_text(writer, text);
	ossai_fbx_end(writer);
}

void ossai_fbx_p_time(ossai_fbx_writer *writer, const char *name, double seconds)
{
	begin_p(writer, name, "KTime", "Time", "");
	ossai_fbx_long(writer, ossai_fbx_time(seconds));
	ossai_fbx_end(writer);
}

/* `type` and label are the same for animatable properties */
void ossai_fbx_p_vector(ossai_fbx_writer *writer, const char *name, const char *type, const char *flags, const double values[3])
{
	begin_p(writer, name, type, strcmp(type, "Vector3D") == 0 ? "Vector" : "", flags);
	for (int k = 0; k < 3; k++) ossai_fbx_double(writer, values[k]);
	ossai_fbx_end(writer);
}

void ossai_fbx_link_objects(ossai_fbx_writer *writer, int64_t child, int64_t parent, const char *property)
{
	if (writer->status != OSSA_OK) return;
	writer->status = ossai_reserve(
		writer->context, &writer->links, &writer->link_capacity, writer->link_count, sizeof *writer->links);
	if (writer->status == OSSA_OK) writer->links[writer->link_count++] = (ossai_fbx_link){child, parent, property};
}

void ossai_fbx_begin_model(ossai_fbx_writer *writer, int64_t id, const char *name, const char *kind)
{
	ossai_fbx_begin(writer, "Model");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, name, "Model");
	ossai_fbx_text(writer, kind);
	ossai_fbx_int_record(writer, "Version", 232);
	ossai_fbx_begin(writer, "Properties70");
	ossai_fbx_p_int(writer, "DefaultAttributeIndex", "int", "Integer", 0);
	/* children are scaled along with their parents */
	ossai_fbx_p_int(writer, "InheritType", "enum", "", 1);
}

void ossai_fbx_end_model(ossai_fbx_writer *writer, int64_t id, int64_t parent)
{
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "Shading");
	ossai_fbx_char(writer, 1);
	ossai_fbx_end(writer);
	ossai_fbx_text_record(writer, "Culling", "CullingOff");
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, id, parent, NULL);
}

/* ---- the file ---- */

/* an empty record ends the list; the rest is the same in every file, filled up to a multiple of 16
   bytes */
static void put_foot(FILE *stream, size_t size)
{
	static const uint8_t zeros[128],
		id[16] = {0xFA, 0xBC, 0xAB, 0x09, 0xD0, 0xC8, 0xD4, 0x66, 0xB1, 0x76, 0xFB, 0x83, 0x1C, 0xF7, 0x26, 0x7E},
		end[16] = {0xF8, 0x5A, 0x8C, 0x6A, 0xDE, 0xF5, 0xD9, 0x7E, 0xEC, 0xE9, 0x0C, 0xE3, 0x75, 0x8F, 0x29, 0x0B};
	const size_t used = size + EMPTY_SIZE + sizeof id + 4;
	uint8_t version[4];
	store(version, VERSION, sizeof version);
	fwrite(zeros, 1, EMPTY_SIZE, stream);
	fwrite(id, 1, sizeof id, stream);
	fwrite(zeros, 1, 4 + (16 - used % 16), stream);
	fwrite(version, 1, sizeof version, stream);
	fwrite(zeros, 1, 120, stream);
	fwrite(end, 1, sizeof end, stream);
}

/* records say where they end: the image must have as many bytes as it had then */
static ossa_status copy_image(const ossai_fbx_writer *writer, const ossai_fbx_inside *inside, FILE *stream)
{
	ossai_file file;
	OSSAI_TRY(ossai_image_open(writer->context, inside->image, &file));
	const bool is_same = file.size == inside->size;
	if (is_same && file.size > 0) fwrite(file.bytes, 1, file.size, stream);
	ossai_file_close(writer->context, &file);
	if (is_same) return OSSA_OK;
	const ossai_place place = ossai_in_file(inside->image->path);
	return ossai_fail(writer->context, OSSA_ERROR_READ, &place, "the image changed while it was copied");
}

static ossa_status put_contents(const ossai_fbx_writer *writer, FILE *stream)
{
	size_t written = 0;
	for (size_t i = 0; i < writer->image_count; i++) {
		const ossai_fbx_inside *inside = &writer->images[i];
		fwrite(writer->bytes + written, 1, inside->at - written, stream);
		OSSAI_TRY(copy_image(writer, inside, stream));
		written = inside->at;
	}
	fwrite(writer->bytes + written, 1, writer->size - written, stream);
	put_foot(stream, place_of_end(writer));
	return OSSA_OK;
}

static ossa_status save(ossai_fbx_writer *writer, const char *path)
{
	ossai_output output;
	OSSAI_TRY(writer->status);
	OSSAI_TRY(ossai_output_begin(writer->context, path, &output));
	const ossa_status status = put_contents(writer, output.stream);
	if (status == OSSA_OK) return ossai_output_commit(&output);
	ossai_output_abort(&output);
	return status;
}

ossa_status ossai_fbx_save(ossai_fbx_writer *writer, const char *path)
{
	const ossa_status status = save(writer, path);
	ossa_free(writer->context, writer->bytes);
	ossa_free(writer->context, writer->links);
	ossa_free(writer->context, writer->images);
	writer->bytes = NULL;
	writer->images = NULL;
	writer->links = NULL;
	ossai_arena_end(&writer->arena);
	return status;
}
