/* tests/support/gltf_file.c: see gltf_file.h. */
#include "support/gltf_file.h"
#include "import/gltf/gltf.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *test_json(const char *text)
{
	char *copy = strdup(text);
	assert_non_null(copy);
	for (char *at = copy; *at; at++) {
		if (*at == '\'') *at = '"';
	}
	json_t *value = json_loads(copy, JSON_DECODE_ANY, NULL);
	if (!value) fail_msg("the test's own JSON is broken: %s", text);
	free(copy);
	return value;
}

void test_json_change(json_t *root, const char *path, const char *value)
{
	char copy[128];
	assert_true(strlen(path) < sizeof copy);
	strcpy(copy, path);
	char *last = strrchr(copy, '/');
	json_t *at = root;
	if (last) *last++ = 0;
	else last = copy;
	for (char *key = last == copy ? NULL : strtok(copy, "/"); key; key = strtok(NULL, "/")) {
		at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);
	}
	assert_non_null(at);
	if (strcmp(value, "null") == 0) json_object_del(at, last);
	else if (json_is_array(at) && (size_t)atoi(last) < json_array_size(at))
		json_array_set_new(at, (size_t)atoi(last), test_json(value));
	else if (json_is_array(at)) json_array_append_new(at, test_json(value));
	else json_object_set_new(at, last, test_json(value));
}

void test_gltf_begin(test_gltf *file, const char *text)
{
	*file = (test_gltf){.root = test_json(text)};
	static const char *const lists[] = {"buffers", "bufferViews", "accessors"};
	for (size_t i = 0; i < 3; i++) json_object_set_new(file->root, lists[i], json_array());
	json_array_append_new(json_object_get(file->root, "buffers"), json_object());
	if (!json_object_get(file->root, "asset")) json_object_set_new(file->root, "asset", test_json("{'version':'2.0'}"));
}

static size_t append(test_gltf *file, const char *list, json_t *item)
{
	json_t *array = json_object_get(file->root, list);
	assert_int_equal(json_array_append_new(array, item), 0);
	return json_array_size(array) - 1;
}

size_t test_gltf_view(test_gltf *file, const void *data, size_t size)
{
	file->size = (file->size + 3) & ~(size_t)3;
	assert_true(size <= sizeof file->bytes - file->size);
	memcpy(file->bytes + file->size, data, size);
	json_t *view = json_pack(
		"{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)file->size, "byteLength", (json_int_t)size);
	file->size += size;
	return append(file, "bufferViews", view);
}

size_t test_gltf_accessor(test_gltf *file, const void *data, size_t count, int component, const char *type)
{
	const size_t size = component <= TEST_U8 ? 1 : component <= TEST_U16 ? 2 : 4;
	const size_t width = strcmp(type, "SCALAR") == 0 ? 1 : strcmp(type, "MAT4") == 0 ? 16 : (size_t)(type[3] - '0');
	const size_t view = test_gltf_view(file, data, count * width * size);
	json_t *item = json_pack("{s:I,s:i,s:I,s:s}", "bufferView", (json_int_t)view, "componentType", component, "count",
		(json_int_t)count, "type", type);
	return append(file, "accessors", item);
}

void test_gltf_change(test_gltf *file, const char *path, const char *value) { test_json_change(file->root, path, value); }

/* the buffer's length into the JSON, and the JSON as text, to be freed */
static char *finish(test_gltf *file, const char *uri)
{
	json_t *buffer = json_array_get(json_object_get(file->root, "buffers"), 0);
	if (!json_object_get(buffer, "byteLength")) {
		json_object_set_new(buffer, "byteLength", json_integer((json_int_t)file->size));
	}
	if (uri) json_object_set_new(buffer, "uri", json_string(uri));
	char *text = json_dumps(file->root, JSON_COMPACT);
	assert_non_null(text);
	json_decref(file->root);
	file->root = NULL;
	return text;
}

const char *test_gltf_write_glb(test_gltf *file, const char *name)
{
	static uint8_t bytes[1 << 16];
	char *text = finish(file, NULL);
	const size_t length = strlen(text);
	const uint32_t text_size = (uint32_t)((length + 3) & ~(size_t)3), size = (uint32_t)((file->size + 3) & ~(size_t)3);
	const uint32_t header[5] = {0x46546C67, 2, 28 + text_size + size, text_size, 0x4E4F534A}, chunk[2] = {size, 0x004E4942};
	assert_true(28 + text_size + size <= sizeof bytes);
	memset(bytes, ' ', sizeof bytes);
	memcpy(bytes, header, 20);
	memcpy(bytes + 20, text, length);
	memcpy(bytes + 20 + text_size, chunk, 8);
	memset(bytes + 28 + text_size, 0, size);
	memcpy(bytes + 28 + text_size, file->bytes, file->size);
	free(text);
	return test_file(name, bytes, 28 + text_size + size);
}

const char *test_gltf_write_text(test_gltf *file, const char *name, const char *uri)
{
	char *text = finish(file, uri);
	const char *path = test_file(name, text, 0);
	free(text);
	return path;
}

char *test_gltf_data_uri(const test_gltf *file)
{
	static const char head[] = "data:application/octet-stream;base64,";
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *text = malloc(sizeof head + file->size / 3 * 4 + 8);
	assert_non_null(text);
	strcpy(text, head);
	char *at = text + strlen(head);
	for (size_t i = 0; i < file->size; i += 3) {
		const size_t count = file->size - i < 3 ? file->size - i : 3;
		uint32_t bits = 0;
		for (size_t k = 0; k < 3; k++) bits = bits << 8 | (k < count ? file->bytes[i + k] : 0);
		for (size_t k = 0; k < 4; k++) *at++ = k <= count ? letters[bits >> (18 - 6 * k) & 63] : '=';
	}
	*at = 0;
	return text;
}

ossa_status test_asset_open(ossa_context *context, const char *path, test_asset *opened)
{
	OSSAI_TRY(ossai_file_open(context, path, &opened->file));
	const ossai_source source = {.path = path, .bytes = opened->file.bytes, .size = opened->file.size};
	const ossa_status status = ossai_asset_open(context, &source, ossai_gltf_read_asset, NULL, &opened->asset);
	if (status != OSSA_OK) ossai_file_close(context, &opened->file);
	return status;
}

void test_asset_close(ossa_context *context, test_asset *opened)
{
	ossai_asset_close(&opened->asset);
	ossai_file_close(context, &opened->file);
}

const float test_gltf_square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

void test_gltf_begin_square(test_gltf *file, const char *text)
{
	test_gltf_begin(file, text);
	test_gltf_accessor(file, test_gltf_square, 4, TEST_F32, "VEC3");
}

void test_gltf_open(ossa_context *context, test_gltf *file, test_asset *opened)
{
	assert_ok(context, test_asset_open(context, test_gltf_write_glb(file, "motion.glb"), opened));
}
