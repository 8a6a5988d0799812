/* export/gltf/glb_file.c: what a glTF file is made of: JSON, binary blocks and accessors.

   Place in the path: below the GLB writer's parts.
   Input: JSON items and runs of numbers.
   Output: .glb: one file of two chunks; .gltf: the JSON, and beside it a .bin of the same name.
   Source: glTF 2.0 specification, 3.6 (buffers, accessors) and 4 (GLB). */
#include "export/gltf/glb.h"
#include "export/bytes.h"
#include "base/file.h"
#include "base/uri.h"
#include "export/export.h"
#include <ossa/ossa.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "glTF stores little-endian numbers and this writer copies them as they are"
#endif

typedef struct layout_row {
	int component; /* glTF componentType */
	const char *type;
	size_t size;  /* bytes of an element */
	size_t width; /* numbers in an element */
	bool normalized;
} layout_row;

static const layout_row layouts[] = {
	[OSSAI_GLB_INDEX_U16] = {5123, "SCALAR", 2, 1, false},
	[OSSAI_GLB_INDEX_U32] = {5125, "SCALAR", 4, 1, false},
	[OSSAI_GLB_SCALAR_U32] = {5125, "SCALAR", 4, 1, false},
	[OSSAI_GLB_SCALAR] = {5126, "SCALAR", 4, 1, false},
	[OSSAI_GLB_VEC2] = {5126, "VEC2", 8, 2, false},
	[OSSAI_GLB_VEC3] = {5126, "VEC3", 12, 3, false},
	[OSSAI_GLB_VEC4] = {5126, "VEC4", 16, 4, false},
	[OSSAI_GLB_VEC4_U8] = {5121, "VEC4", 4, 4, false},
	[OSSAI_GLB_VEC4_U8_NORMALIZED] = {5121, "VEC4", 4, 4, true},
	[OSSAI_GLB_VEC4_U16] = {5123, "VEC4", 8, 4, false},
	[OSSAI_GLB_MAT4] = {5126, "MAT4", 64, 16, false},
};

ossa_status ossai_glb_no_memory(ossa_context *context)
{
	return ossai_fail(context, OSSA_ERROR_MEMORY, NULL, "there is no memory left for the JSON of the file");
}

ossa_status ossai_glb_begin(ossa_context *context, const ossa_write_options *options, ossai_glb_writer *writer)
{
	*writer = (ossai_glb_writer){.context = context, .arena = ossai_arena_begin(context), .image_names = options->image_names};
	ossai_batch_begin(context, &writer->batch);
	writer->root = json_pack("{s:{s:s,s:s}}", "asset", "version", "2.0", "generator", "ossa " OSSA_VERSION);
	writer->names = json_object();
	return writer->root && writer->names ? OSSA_OK : ossai_glb_no_memory(context);
}

void ossai_glb_end(ossai_glb_writer *writer)
{
	/* nothing is left of a file that failed */
	if (!writer->is_saved) ossai_batch_end(&writer->batch, OSSA_ERROR_WRITE);
	json_decref(writer->root);
	json_decref(writer->names);
	json_decref(writer->joints);
	for (size_t i = 0; i < writer->file_count; i++) ossai_file_close(writer->context, &writer->files[i]);
	ossa_free(writer->context, writer->files);
	ossa_free(writer->context, writer->blocks);
	ossai_arena_end(&writer->arena);
}

ossa_status ossai_glb_put(ossai_glb_writer *writer, const char *name, json_t *item, size_t *index)
{
	json_t *array = json_object_get(writer->root, name);
	if (!array) {
		array = json_array();
		if (json_object_set_new(writer->root, name, array) != 0) {
			json_decref(item);
			return ossai_glb_no_memory(writer->context);
		}
	}
	if (index) *index = json_array_size(array);
	return json_array_append_new(array, item) == 0 ? OSSA_OK : ossai_glb_no_memory(writer->context);
}

static ossa_status put_view(ossai_glb_writer *writer, const void *data, size_t size, ossai_glb_use use, size_t *view)
{
	json_t *item = json_pack(
		"{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)writer->size, "byteLength", (json_int_t)size);
	if (item && use != OSSAI_GLB_DATA && json_object_set_new(item, "target", json_integer(use)) != 0) {
		json_decref(item);
		item = NULL;
	}
	OSSAI_TRY(ossai_glb_put(writer, "bufferViews", item, view));
	writer->blocks[writer->block_count++] = (ossai_glb_block){data, size};
	writer->size += (size + 3) & ~(size_t)3;
	return OSSA_OK;
}

const uint8_t *ossai_glb_view_bytes(const ossai_glb_writer *writer, size_t view, size_t *size)
{
	const json_t *item = json_array_get(json_object_get(writer->root, "bufferViews"), view);
	const size_t at = (size_t)json_integer_value(json_object_get(item, "byteOffset"));
	*size = (size_t)json_integer_value(json_object_get(item, "byteLength"));
	for (size_t b = 0, begin = 0; item && b < writer->block_count; b++) {
		const ossai_glb_block *block = &writer->blocks[b];
		if (at >= begin && at - begin < block->size && *size <= block->size - (at - begin))
			return (const uint8_t *)block->data + (at - begin);
		begin += (block->size + 3) & ~(size_t)3;
	}
	return NULL;
}

static ossa_status reserve_block(ossai_glb_writer *writer)
{
	return ossai_reserve(
		writer->context, &writer->blocks, &writer->block_capacity, writer->block_count, sizeof *writer->blocks);
}

void *ossai_glb_put_block(ossai_glb_writer *writer, size_t size, ossai_glb_use use, size_t *view)
{
	if (reserve_block(writer) != OSSA_OK) return NULL;
	void *data = ossai_arena_new(&writer->arena, size, 1);
	return data && put_view(writer, data, size, use, view) == OSSA_OK ? data : NULL;
}

ossa_status ossai_glb_put_bytes(ossai_glb_writer *writer, const void *bytes, size_t size, size_t *view)
{
	OSSAI_TRY(reserve_block(writer));
	return put_view(writer, bytes, size, OSSAI_GLB_DATA, view);
}

/* sets `min` and `max` of an accessor to the exact extremes of its float data */
static bool set_bounds(json_t *item, const float *values, size_t count, size_t width)
{
	double low[4], high[4];
	for (size_t k = 0; k < width; k++) low[k] = high[k] = (double)values[k];
	for (size_t i = 1; i < count; i++) {
		for (size_t k = 0; k < width; k++) {
			const double value = (double)values[i * width + k];
			if (value < low[k]) low[k] = value;
			if (value > high[k]) high[k] = value;
		}
	}
	return json_object_set_new(item, "min", ossai_glb_numbers(low, width)) == 0 &&
		json_object_set_new(item, "max", ossai_glb_numbers(high, width)) == 0;
}

ossa_status ossai_glb_put_accessor(ossai_glb_writer *writer, size_t view, size_t offset, ossai_glb_layout layout, size_t count,
	const float *bounded, size_t *accessor)
{
	const layout_row *row = &layouts[layout];
	json_t *item = json_pack("{s:I,s:i,s:I,s:s}", "bufferView", (json_int_t)view, "componentType", row->component, "count",
		(json_int_t)count, "type", row->type);
	const bool complete = item &&
		(offset == 0 || json_object_set_new(item, "byteOffset", json_integer((json_int_t)offset)) == 0) &&
		(!row->normalized || json_object_set_new(item, "normalized", json_true()) == 0) &&
		(!bounded || set_bounds(item, bounded, count, row->width));
	if (!complete) {
		json_decref(item);
		return ossai_glb_no_memory(writer->context);
	}
	return ossai_glb_put(writer, "accessors", item, accessor);
}

ossa_status ossai_glb_put_sparse_accessor(ossai_glb_writer *writer, size_t index_view, ossai_glb_layout index_layout,
	size_t value_view, size_t kept, size_t count, const float *bounded, size_t *accessor)
{
	json_t *item = json_pack("{s:i,s:I,s:s,s:{s:I,s:{s:I,s:i},s:{s:I}}}", "componentType", layouts[OSSAI_GLB_VEC3].component,
		"count", (json_int_t)count, "type", layouts[OSSAI_GLB_VEC3].type, "sparse", "count", (json_int_t)kept, "indices",
		"bufferView", (json_int_t)index_view, "componentType", layouts[index_layout].component, "values", "bufferView",
		(json_int_t)value_view);
	if (!item || !set_bounds(item, bounded, count, 3)) {
		json_decref(item);
		return ossai_glb_no_memory(writer->context);
	}
	return ossai_glb_put(writer, "accessors", item, accessor);
}

void *ossai_glb_put_array(ossai_glb_writer *writer, ossai_glb_layout layout, size_t count, ossai_glb_use use, size_t *accessor)
{
	size_t view;
	if (count > SIZE_MAX / 64) {
		ossai_fail(writer->context, OSSA_ERROR_LIMIT, NULL, "a GLB cannot hold %zu elements", count);
		return NULL;
	}
	void *data = ossai_glb_put_block(writer, count * layouts[layout].size, use, &view);
	if (!data || ossai_glb_put_accessor(writer, view, 0, layout, count, NULL, accessor) != OSSA_OK) return NULL;
	return data;
}

json_t *ossai_glb_text(const char *text)
{
	json_t *value = json_string(text);
	if (value) return value;
	char copy[256];
	size_t length = 0;
	for (; text[length] && length < sizeof copy - 1; length++) {
		copy[length] = (unsigned char)text[length] < 0x80 ? text[length] : '_';
	}
	copy[length] = 0;
	return json_string(copy);
}

json_t *ossai_glb_numbers(const double *values, size_t count)
{
	json_t *array = json_array();
	for (size_t i = 0; array && i < count; i++) {
		if (json_array_append_new(array, json_real(isfinite(values[i]) ? values[i] : 0)) == 0) continue;
		json_decref(array);
		array = NULL;
	}
	return array;
}

json_t *ossai_glb_node_name(ossai_glb_writer *writer, const char *base)
{
	char name[128];
	size_t length = 0;
	for (; base[length] && length < 96; length++) {
		const char c = base[length];
		const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
		name[length] = safe ? c : '_';
	}
	name[length] = 0;
	for (size_t number = 2; json_object_get(writer->names, name); number++) {
		snprintf(name + length, sizeof name - length, "_%zu", number);
	}
	return json_object_set_new(writer->names, name, json_true()) == 0 ? json_string(name) : NULL;
}

static void write_padded(FILE *stream, const void *data, size_t size, char pad)
{
	fwrite(data, 1, size, stream);
	for (; size % 4 != 0; size++) fputc(pad, stream);
}

/* header, JSON chunk padded by spaces, binary chunk padded by zeros where there is one */
static ossa_status write_chunks(ossai_glb_writer *writer, const char *path, const char *text)
{
	const size_t text_length = strlen(text), text_size = (text_length + 3) & ~(size_t)3;
	const size_t total = 12 + 8 + text_size + (writer->size > 0 ? 8 + writer->size : 0);
	const ossai_place place = ossai_in_file(path);
	if (total > UINT32_MAX) {
		return ossai_fail(
			writer->context, OSSA_ERROR_LIMIT, &place, "would have %zu bytes, but a GLB holds at most 4 GiB", total);
	}
	uint8_t header[20] = "glTF", chunk[8] = {0, 0, 0, 0, 'B', 'I', 'N', 0};
	ossai_bytes_put_u32(header + 4, 2);
	ossai_bytes_put_u32(header + 8, (uint32_t)total);
	ossai_bytes_put_u32(header + 12, (uint32_t)text_size);
	memcpy(header + 16, "JSON", 4);
	ossai_bytes_put_u32(chunk, (uint32_t)writer->size);

	ossai_output output;
	OSSAI_TRY(ossai_output_begin(writer->context, path, &output));
	fwrite(header, 1, sizeof header, output.stream);
	write_padded(output.stream, text, text_length, ' ');
	if (writer->size > 0) fwrite(chunk, 1, sizeof chunk, output.stream);
	for (size_t i = 0; i < writer->block_count; i++) {
		write_padded(output.stream, writer->blocks[i].data, writer->blocks[i].size, 0);
	}
	return ossai_output_commit(&output);
}

static ossa_status write_file(ossai_glb_writer *writer, const char *path, const void *data, size_t size)
{
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(writer->context, path, &output));
	if (data) fwrite(data, 1, size, output.stream);
	for (size_t i = 0; !data && i < writer->block_count; i++) {
		write_padded(output.stream, writer->blocks[i].data, writer->blocks[i].size, 0);
	}
	return ossai_output_commit(&output);
}

/* "a/b.gltf" with "a/b.bin", which is in place before it */
static ossa_status write_pair(ossai_glb_writer *writer, const char *path, const char *binary_path, const char *text)
{
	if (writer->size > 0) OSSAI_TRY(write_file(writer, binary_path, NULL, 0));
	return write_file(writer, path, text, strlen(text));
}

static ossa_status put_buffer(ossai_glb_writer *writer, const char *uri)
{
	if (writer->size == 0) return OSSA_OK;
	json_t *item = json_pack("{s:I, s:s*}", "byteLength", (json_int_t)writer->size, "uri", uri);
	return ossai_glb_put(writer, "buffers", item, NULL);
}

ossa_status ossai_glb_save(ossai_glb_writer *writer, const char *path)
{
	char binary_path[OSSAI_PATH_SIZE] = "", uri[3 * OSSAI_PATH_SIZE];
	const bool is_pair = ossai_glb_is_pair(path);
	if (is_pair && writer->size > 0) {
		OSSAI_TRY(ossai_glb_binary_path(writer->context, path, binary_path));
		ossai_glb_warn_of_name(writer->context, path, binary_path);
		ossai_encode_percent(ossai_file_name(binary_path), uri);
	}
	OSSAI_TRY(put_buffer(writer, is_pair ? uri : NULL));
	/* 17 digits give every double back exactly */
	char *text = json_dumps(writer->root, JSON_COMPACT | JSON_REAL_PRECISION(17));
	if (!text) return ossai_glb_no_memory(writer->context);
	const ossa_status status = is_pair ? write_pair(writer, path, binary_path, text) : write_chunks(writer, path, text);
	free(text);
	writer->is_saved = true;
	return ossai_batch_end(&writer->batch, status);
}
