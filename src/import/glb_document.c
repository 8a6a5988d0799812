/* import/glb_document.c: opening glTF: chunks, JSON, buffers, and checked access to the JSON.

   Place in the path: below the GLB reader's parts.  In: a file's bytes.  Out: ossai_gltf.
   Source: glTF 2.0 specification, 3.6.1 (buffers) and 4 (GLB). */
#include "import/glb_document.h"

#include <stdio.h>
#include <string.h>

/* a JSON value takes about 100 bytes in memory: more of them than this is not a model but an attack */
enum { JSON_VALUES_MAX = 8 << 20 };

ossa_status ossai_gltf_fail(const ossai_gltf *document, const char *format, ...)
{
	char message[400];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	ossai_place place = OSSAI_NOWHERE;
	place.file = document->path;
	return ossai_fail(document->context, OSSA_ERROR_INPUT, &place, "%s", message);
}

ossa_status ossai_gltf_charge(ossai_gltf *document, size_t count, size_t size)
{
	ossai_place place = OSSAI_NOWHERE;
	place.file = document->path;
	if (size == 0 || count <= document->budget / size) {
		document->budget -= count * size;
		return OSSA_OK;
	}
	return ossai_fail(document->context, OSSA_ERROR_LIMIT, &place,
		"asks for far more numbers than its %zu bytes can hold; it is broken or made to harm", document->bytes.size);
}

size_t ossai_gltf_length(const ossai_gltf *document, const char *name)
{
	return json_array_size(json_object_get(document->root, name));
}

json_t *ossai_gltf_item(const ossai_gltf *document, const char *name, size_t index)
{
	json_t *item = json_array_get(json_object_get(document->root, name), index);
	return json_is_object(item) ? item : NULL;
}

/* some exporters write whole numbers as 3.0 */
static bool whole_number(const json_t *value, size_t *number)
{
	const double real = json_number_value(value);
	if (!json_is_number(value) || !(real >= 0) || real > 9007199254740992.0 || real != floor(real)) return false;
	*number = (size_t)real;
	return true;
}

ossa_status ossai_gltf_whole(const ossai_gltf *document, const json_t *object, const char *key, size_t fallback, size_t *value)
{
	const json_t *item = json_object_get(object, key);
	*value = fallback;
	if (!item || whole_number(item, value)) return OSSA_OK;
	return ossai_gltf_fail(document, "\"%s\" must be a whole number from 0 on", key);
}

ossa_status ossai_gltf_index(const ossai_gltf *document, const json_t *object, const char *key, const char *name, size_t *index)
{
	OSSAI_TRY(ossai_gltf_whole(document, object, key, SIZE_MAX, index));
	const size_t length = ossai_gltf_length(document, name);
	if (*index == SIZE_MAX || *index < length) return OSSA_OK;
	return ossai_gltf_fail(document, "\"%s\" is %zu, but there are only %zu %s", key, *index, length, name);
}

bool ossai_gltf_numbers(const json_t *object, const char *key, size_t count, double *values)
{
	const json_t *array = json_object_get(object, key);
	if (json_array_size(array) != count) return false;
	for (size_t i = 0; i < count; i++) {
		const json_t *value = json_array_get(array, i);
		if (!json_is_number(value) || !isfinite(json_number_value(value))) return false;
	}
	for (size_t i = 0; i < count; i++) values[i] = json_number_value(json_array_get(array, i));
	return true;
}

/* ---- container ---- */

static uint32_t get_u32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* finds the first JSON and BIN chunks of a GLB; other kinds are passed over as the specification asks */
static ossa_status split_chunks(const ossai_gltf *document, ossai_gltf_bytes *text, ossai_gltf_bytes *binary)
{
	const uint8_t *bytes = document->bytes.data;
	const size_t size = document->bytes.size;
	if (get_u32(bytes + 4) != 2)
		return ossai_gltf_fail(document, "is GLB version %u; ossa reads version 2", get_u32(bytes + 4));
	if (get_u32(bytes + 8) > size) {
		return ossai_gltf_fail(document, "is cut off: its header says %u bytes, there are %zu", get_u32(bytes + 8), size);
	}
	for (size_t at = 12; size - at >= 8;) {
		const size_t length = get_u32(bytes + at);
		const uint32_t kind = get_u32(bytes + at + 4);
		if (length > size - at - 8) {
			return ossai_gltf_fail(
				document, "is cut off: the chunk at byte %zu says %zu bytes, %zu are left", at, length, size - at - 8);
		}
		ossai_gltf_bytes *chunk = kind == 0x4E4F534A ? text : kind == 0x004E4942 ? binary : NULL;
		if (chunk && !chunk->data) *chunk = (ossai_gltf_bytes){bytes + at + 8, length};
		at += 8 + length;
	}
	return text->data ? OSSA_OK : ossai_gltf_fail(document, "has no JSON chunk");
}

/* values in a JSON text, at most: each one but the first follows a comma, a colon or an opening bracket */
static size_t count_values(ossai_gltf_bytes text)
{
	size_t count = 1;
	bool in_string = false;
	for (size_t i = 0; i < text.size; i++) {
		const uint8_t c = text.data[i];
		if (in_string && c == '\\') i++;
		else if (c == '"') in_string = !in_string;
		else if (!in_string) count += c == ',' || c == '[' || c == '{' || c == ':';
	}
	return count;
}

static ossa_status parse(ossai_gltf *document, ossai_gltf_bytes text)
{
	/* bytes that some exporters leave around the text */
	if (text.size >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0) text = (ossai_gltf_bytes){text.data + 3, text.size - 3};
	while (text.size > 0 && text.data[text.size - 1] == 0) text.size--;
	if (count_values(text) > JSON_VALUES_MAX) return ossai_gltf_fail(document, "has more than %d JSON values", JSON_VALUES_MAX);
	json_error_t error;
	document->root = json_loadb((const char *)text.data, text.size, 0, &error);
	if (!document->root) return ossai_gltf_fail(document, "is not good JSON: line %d: %s", error.line, error.text);
	return json_is_object(document->root) ? OSSA_OK : ossai_gltf_fail(document, "holds no glTF object");
}

static ossa_status check_version(const ossai_gltf *document)
{
	const char *version = json_string_value(json_object_get(json_object_get(document->root, "asset"), "version"));
	if (version && strncmp(version, "2.", 2) == 0) return OSSA_OK;
	return ossai_gltf_fail(document, "is glTF version %.16s; ossa reads version 2", version ? version : "unknown");
}

/* whether a required extension changes nothing of what is read here */
static bool is_harmless(const char *extension)
{
	static const char *const starts[] = {
		"KHR_mesh_quantization", "KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"};
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		if (strncmp(extension, starts[i], strlen(starts[i])) == 0) return true;
	}
	return false;
}

static ossa_status check_extensions(const ossai_gltf *document)
{
	const json_t *required = json_object_get(document->root, "extensionsRequired");
	for (size_t i = 0; i < json_array_size(required); i++) {
		const char *name = json_string_value(json_array_get(required, i));
		if (name && is_harmless(name)) continue;
		return ossai_gltf_fail(document, "needs the extension %.64s, which ossa does not read; save it without compression",
			name ? name : "(no name)");
	}
	return OSSA_OK;
}

/* ---- buffers ---- */

static int base64_value(uint8_t c)
{
	if (c >= 'A' && c <= 'Z') return c - 'A';
	if (c >= 'a' && c <= 'z') return c - 'a' + 26;
	if (c >= '0' && c <= '9') return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static ossa_status decode_base64(ossai_gltf *document, const char *text, ossai_gltf_bytes *bytes)
{
	const size_t length = strlen(text);
	uint8_t *data = ossai_arena_new(&document->arena, length / 4 * 3 + 3, 1);
	if (!data) return ossa_context_error(document->context)->status;
	size_t size = 0, bits = 0;
	uint32_t held = 0;
	for (size_t i = 0; i < length && text[i] != '='; i++) {
		const int value = base64_value((uint8_t)text[i]);
		if (value < 0) return ossai_gltf_fail(document, "a data URI holds a character that is not base64 at %zu", i);
		held = held << 6 | (uint32_t)value;
		bits += 6;
		if (bits < 8) continue;
		bits -= 8;
		data[size++] = (uint8_t)(held >> bits);
	}
	*bytes = (ossai_gltf_bytes){data, size};
	return OSSA_OK;
}

static ossa_status load_buffer(ossai_gltf *document, size_t index, ossai_gltf_bytes binary)
{
	const json_t *item = ossai_gltf_item(document, "buffers", index);
	const char *uri = json_string_value(json_object_get(item, "uri"));
	ossai_gltf_bytes *buffer = &document->buffers[index];
	size_t length;
	OSSAI_TRY(ossai_gltf_whole(document, item, "byteLength", 0, &length));
	if (uri && strncmp(uri, "data:", 5) != 0) {
		return ossai_gltf_fail(document, "keeps its data in another file, \"%.128s\"; save it as one .glb file", uri);
	}
	if (uri) {
		const char *start = strstr(uri, ";base64,");
		if (!start) return ossai_gltf_fail(document, "buffer %zu has a data URI that is not base64", index);
		OSSAI_TRY(decode_base64(document, start + 8, buffer));
	} else if (index == 0) {
		*buffer = binary;
	}
	if (buffer->size < length) {
		return ossai_gltf_fail(document, "buffer %zu says %zu bytes, there are %zu", index, length, buffer->size);
	}
	buffer->size = length;
	return OSSA_OK;
}

static ossa_status load_buffers(ossai_gltf *document, ossai_gltf_bytes binary)
{
	document->buffer_count = ossai_gltf_length(document, "buffers");
	document->buffers = ossai_arena_zero(&document->arena, document->buffer_count, sizeof *document->buffers);
	if (!document->buffers) return ossa_context_error(document->context)->status;
	for (size_t i = 0; i < document->buffer_count; i++) OSSAI_TRY(load_buffer(document, i, binary));
	return OSSA_OK;
}

ossa_status ossai_gltf_open(ossa_context *context, const char *path, const uint8_t *bytes, size_t size, ossai_gltf *document)
{
	*document = (ossai_gltf){
		.context = context, .arena = ossai_arena_begin(context), .path = path, .bytes = {bytes, size}, .buffers = NULL};
	document->budget = ((size_t)1 << 24) + (size < SIZE_MAX / 128 ? size * 64 : SIZE_MAX / 2);
	ossai_gltf_bytes text = {NULL, 0}, binary = {NULL, 0};
	if (size >= 12 && memcmp(bytes, "glTF", 4) == 0) OSSAI_TRY(split_chunks(document, &text, &binary));
	else text = document->bytes;
	OSSAI_TRY(parse(document, text));
	OSSAI_TRY(check_version(document));
	OSSAI_TRY(check_extensions(document));
	return load_buffers(document, binary);
}

void ossai_gltf_close(ossai_gltf *document)
{
	json_decref(document->root);
	ossai_arena_end(&document->arena);
}
