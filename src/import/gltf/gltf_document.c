/* import/gltf/gltf_document.c: opening glTF: the container's chunks, JSON, version, extensions.

   Place in the path: below the glTF reader's parts.
   Input: a file's bytes.
   Output: ossai_gltf.
   Source: glTF 2.0 specification, 3.12 (extensions) and 4 (GLB). */
#include "import/gltf/gltf_document.h"
#include "import/gltf/gltf_expand.h"

#include <stdio.h>
#include <string.h>

/* a JSON value takes about 100 bytes in memory: more of them than this are malicious */
enum { JSON_VALUES_MAX = 8 << 20 };

/* bytes of a data URI from which on it is kept out of the JSON; bytes that an error may show */
enum { LONG_DATA = 1024, SHOWN = 64 };

/* bytes of a GLB's header, and of that of a chunk */
enum { GLB_HEADER = 12, CHUNK_HEADER = 8 };

ossa_status ossai_gltf_charge(ossai_gltf *document, size_t count, size_t size)
{
	const ossai_place place = ossai_in_file(document->source->path);
	if (size == 0 || count <= document->budget / size) {
		document->budget -= count * size;
		return OSSA_OK;
	}
	return ossai_fail(document->context, OSSA_ERROR_LIMIT, &place,
		"asks for far more numbers than its %zu bytes can hold; it is damaged or malicious", document->source->size);
}

static ossa_status set_array(ossai_gltf *document, void *array_pointer, void *array)
{
	memcpy(array_pointer, &array, sizeof array);
	return array ? OSSA_OK : ossa_context_error(document->context)->status;
}

ossa_status ossai_gltf_scratch(ossai_gltf *document, void *array_pointer, size_t count, size_t size)
{
	return set_array(document, array_pointer, ossai_arena_new(&document->scratch, count, size));
}

ossa_status ossai_gltf_keep(ossai_gltf *document, void *array_pointer, size_t count, size_t size)
{
	return set_array(document, array_pointer, ossai_arena_zero(&document->asset->arena, count, size));
}

/* ---- container ---- */

static uint32_t get_u32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* the file is what its header says; what follows may be of another file */
static void warn_of_rest(const ossai_gltf *document, size_t size)
{
	const size_t rest = document->source->size - size;
	if (rest == 0) return;
	ossai_warn(document->context, "glb-bytes-left", (int64_t)rest, "%s: its header says %zu bytes, and %zu more follow",
		document->source->path, size, rest);
}

/* no kind of chunk is zero: the file was filled up, or lost what was there */
static void warn_of_zeros(const ossai_gltf *document, size_t at, size_t size)
{
	ossai_warn(document->context, "glb-bytes-left", (int64_t)(size - at),
		"%s: zeros stand at byte %zu, where a chunk must begin: the %zu bytes from there on are left", document->source->path,
		at, size - at);
}

/* Whether it begins as a GLB does, of which not even the mark may be whole. */
static bool is_glb(const ossai_source *source)
{
	return source->size > 0 && memcmp(source->bytes, "glTF", source->size < 4 ? source->size : 4) == 0;
}

/* of a file that has a header and as many bytes as it says */
static ossa_status check_header(const ossai_gltf *document)
{
	const uint8_t *bytes = document->source->bytes;
	const size_t there = document->source->size;
	if (there < GLB_HEADER) {
		return ossai_asset_fail(
			document->asset, "is cut off: a GLB begins with a header of %d bytes, there are %zu", GLB_HEADER, there);
	}
	const uint32_t version = get_u32(bytes + 4);
	const size_t size = get_u32(bytes + 8);
	if (version != 2) {
		return ossai_asset_fail(
			document->asset, "is GLB version %u; ossa reads version 2: export it again as glTF 2.0", version);
	}
	if (size <= there) return OSSA_OK;
	return ossai_asset_fail(document->asset, "is cut off: its header says %zu bytes, there are %zu", size, there);
}

static ossa_status no_json_chunk(const ossai_gltf *document, size_t at, size_t size)
{
	const size_t left = size > at ? size - at : 0;
	if (left >= CHUNK_HEADER) return ossai_asset_fail(document->asset, "has no JSON chunk");
	return ossai_asset_fail(document->asset,
		"has no JSON chunk: its header says %zu bytes, and at byte %zu a chunk should begin with %d bytes, of which %zu are "
		"left; is it cut off?",
		size, at, CHUNK_HEADER, left);
}

/* finds the first JSON and BIN chunks of a GLB; other kinds are skipped as the specification
   asks */
static ossa_status split_chunks(ossai_gltf *document, ossai_gltf_bytes *text)
{
	OSSAI_TRY(check_header(document));
	const uint8_t *bytes = document->source->bytes;
	const size_t size = get_u32(bytes + 8);
	size_t at = GLB_HEADER;
	warn_of_rest(document, size);
	while (at + CHUNK_HEADER <= size) {
		const size_t length = get_u32(bytes + at);
		const uint32_t kind = get_u32(bytes + at + 4);
		if (length > size - at - CHUNK_HEADER) {
			return ossai_asset_fail(document->asset, "is cut off: the chunk at byte %zu says %zu bytes, %zu are left", at,
				length, size - at - CHUNK_HEADER);
		}
		if (kind == 0) {
			warn_of_zeros(document, at, size);
			break;
		}
		ossai_gltf_bytes *chunk = kind == 0x4E4F534A ? text : kind == 0x004E4942 ? &document->binary : NULL;
		if (chunk && !chunk->data) *chunk = (ossai_gltf_bytes){bytes + at + CHUNK_HEADER, length};
		at += CHUNK_HEADER + length;
	}
	return text->data ? OSSA_OK : no_json_chunk(document, at, size);
}

/* ---- JSON ---- */

/* the position of the quote that ends the string whose first quote is at `begin`; the text's size
   without one */
static size_t string_end(ossai_gltf_bytes text, size_t begin)
{
	const uint8_t *first = text.data + begin + 1, *quote = memchr(first, '"', text.size - begin - 1);
	if (!quote) return text.size;
	if (!memchr(first, '\\', (size_t)(quote - first))) return (size_t)(quote - text.data);
	size_t at = begin + 1;
	while (at < text.size && text.data[at] != '"') at += text.data[at] == '\\' ? 2 : 1;
	return at < text.size ? at : text.size;
}

/* A data URI so long that the JSON library should not parse it byte by byte. */
static bool is_long_data(ossai_gltf_bytes text, size_t begin, size_t end)
{
	static const char mark[] = "\"data:";
	return end < text.size && end - begin > LONG_DATA && memcmp(text.data + begin, mark, strlen(mark)) == 0 &&
		!memchr(text.data + begin, '\\', end - begin);
}

/* What a JSON text holds at most: each value but the first follows a comma, a colon or an opening
   bracket. */
static void survey(ossai_gltf_bytes text, size_t *values, size_t *long_data, size_t *long_bytes)
{
	*values = 1;
	*long_data = *long_bytes = 0;
	for (size_t i = 0; i < text.size; i++) {
		const uint8_t c = text.data[i];
		*values += c == ',' || c == '[' || c == '{' || c == ':';
		if (c != '"') continue;
		const size_t end = string_end(text, i);
		if (is_long_data(text, i, end)) {
			++*long_data;
			*long_bytes += end - i;
		}
		i = end;
	}
}

/* Long data URIs are moved out: in the text that is parsed "data:3" refers to the fourth. A real
   one has a comma. */
static ossa_status set_data_aside(ossai_gltf *document, size_t count, size_t bytes, ossai_gltf_bytes *text)
{
	char *parsed;
	size_t size = 0, copied = 0;
	OSSAI_TRY(ossai_gltf_scratch(document, &document->long_data, count, sizeof *document->long_data));
	OSSAI_TRY(ossai_gltf_scratch(document, &parsed, text->size - bytes + count * 32, 1));
	for (size_t i = 0; i < text->size; i++) {
		if (text->data[i] != '"') continue;
		const size_t end = string_end(*text, i);
		if (is_long_data(*text, i, end)) {
			memcpy(parsed + size, text->data + copied, i - copied);
			size += i - copied;
			size += (size_t)snprintf(parsed + size, 32, "\"data:%zu\"", document->long_data_count);
			document->long_data[document->long_data_count++] = (ossai_gltf_bytes){text->data + i + 1, end - i - 1};
			copied = end + 1;
		}
		i = end;
	}
	memcpy(parsed + size, text->data + copied, text->size - copied);
	*text = (ossai_gltf_bytes){(const uint8_t *)parsed, size + text->size - copied};
	return OSSA_OK;
}

static ossa_status bad_json(const ossai_gltf *document, ossai_gltf_bytes text, const json_error_t *error)
{
	if (text.size == 0 || json_error_code(error) != json_error_premature_end_of_input)
		return ossai_asset_fail(document->asset, "is not good JSON: line %d: %s", error->line, error->text);
	return ossai_asset_fail(document->asset,
		"is not good JSON: the text ends too early, after %zu bytes: line %d: %s; is it cut off?", text.size, error->line,
		error->text);
}

static ossa_status parse(ossai_gltf *document, ossai_gltf_bytes text)
{
	/* bytes that some exporters leave around the text; JSON holds no zero */
	if (text.size >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0) text = (ossai_gltf_bytes){text.data + 3, text.size - 3};
	const uint8_t *zero = text.size > 0 ? memchr(text.data, 0, text.size) : NULL;
	if (zero) text.size = (size_t)(zero - text.data);
	size_t values, long_data, long_bytes;
	/* what begins otherwise is no JSON, which its beginning says as well as all of it */
	if (text.size > SHOWN && !strchr(" \t\r\n{[", text.data[0])) text.size = SHOWN;
	survey(text, &values, &long_data, &long_bytes);
	if (values > JSON_VALUES_MAX) return ossai_asset_fail(document->asset, "has more than %d JSON values", JSON_VALUES_MAX);
	if (long_data > 0) OSSAI_TRY(set_data_aside(document, long_data, long_bytes, &text));
	json_error_t error;
	document->root = json_loadb((const char *)text.data, text.size, 0, &error);
	if (!document->root && json_error_code(&error) == json_error_numeric_overflow) {
		OSSAI_TRY(ossai_gltf_hold_numbers(document, &text));
		document->root = json_loadb((const char *)text.data, text.size, 0, &error);
	}
	if (!document->root) return bad_json(document, text, &error);
	return json_is_object(document->root) ? OSSA_OK : ossai_asset_fail(document->asset, "holds no glTF object");
}

/* ---- version and extensions ---- */

static ossa_status check_version(const ossai_gltf *document)
{
	const json_t *asset = json_object_get(document->root, "asset");
	const char *version = json_string_value(json_object_get(asset, "version"));
	const char *needed = json_string_value(json_object_get(asset, "minVersion"));
	/* "2.1" files may be read by readers of 2.0, unless they say otherwise */
	if (needed && strcmp(needed, "2.0") != 0) version = needed;
	else if (version && strncmp(version, "2.", 2) == 0) return OSSA_OK;
	if (!version) return ossai_asset_fail(document->asset, "does not say that it is glTF 2.0 (\"asset\" has no \"version\")");
	return ossai_asset_fail(
		document->asset, "is glTF version %.16s; ossa reads version 2.0: export it again as glTF 2.0", version);
}

/* extensions that change nothing of what is read here, by the beginnings of their names; and
   numbers as integers, which are read */
static bool is_harmless(const char *extension)
{
	static const char *const starts[] = {"KHR_mesh_quantization", "KHR_materials_", "KHR_texture_", "EXT_texture_",
		"MSFT_texture_", "KHR_lights_", "EXT_lights_", "KHR_xmp", "KHR_audio", "ADOBE_materials_", "KHR_techniques_webgl"};
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		if (strncmp(extension, starts[i], strlen(starts[i])) == 0) return true;
	}
	return false;
}

/* adds the names of extensions that a value has on it or below it */
static int collect(json_t *value, json_t *names)
{
	const char *key, *extension;
	json_t *item, *held;
	size_t i;
	int failed = 0;
	json_array_foreach(value, i, item) failed |= collect(item, names);
	json_object_foreach(value, key, item)
	{
		const bool is_list = strcmp(key, "extensions") == 0;
		json_object_foreach(is_list ? item : NULL, extension, held)
			failed |= json_object_set_new(names, extension, json_true());
		failed |= collect(item, names);
	}
	return failed;
}

/* Extensions by name: those that only looks use, which pass through. One that is used nowhere may
   mean all of the file, as KHR_mesh_quantization does. NULL: no memory. */
static json_t *list_looks(const ossai_gltf *document)
{
	static const char *const looks[] = {"materials", "textures", "images", "samplers", "cameras"};
	json_t *inside = json_object(), *outside = json_object(), *rest = json_copy(document->root), *held;
	const char *extension;
	int failed = inside && outside && rest ? 0 : -1;
	for (size_t i = 0; failed == 0 && i < sizeof looks / sizeof looks[0]; i++) {
		failed |= collect(json_object_get(rest, looks[i]), inside);
		json_object_del(rest, looks[i]);
	}
	if (failed == 0) failed = collect(rest, outside);
	json_object_foreach(outside, extension, held) json_object_del(inside, extension);
	json_decref(rest);
	json_decref(outside);
	if (failed == 0) return inside;
	json_decref(inside);
	return NULL;
}

/* advice about an unsupported extension */
static const char *advice(const char *extension)
{
	static const struct {
		const char *name, *advice;
	} known[] = {
		{"EXT_mesh_gpu_instancing", "export it again without instancing"},
	};
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (strcmp(extension, known[i].name) == 0) return known[i].advice;
	}
	return "export it again without it";
}

/* `looks`: extensions that pass through */
static ossa_status check_extension(const ossai_gltf *document, const char *name, const json_t *looks)
{
	const ossai_gltf_compression *compression = name ? ossai_gltf_compression_of(name) : NULL;
	if (name && (is_harmless(name) || (compression && compression->is_read))) return OSSA_OK;
	if (compression) return ossai_gltf_refuse_compressed(document, compression);
	if (name && json_object_get(looks, name)) return OSSA_OK;
	return ossai_asset_fail(document->asset, "needs the extension %.64s, which ossa does not read: %s",
		name ? name : "(no name)", advice(name ? name : ""));
}

static ossa_status check_extensions(const ossai_gltf *document)
{
	const json_t *required = json_object_get(document->root, "extensionsRequired");
	if (json_array_size(required) == 0) return OSSA_OK;
	json_t *looks = list_looks(document);
	if (!looks) return ossai_fail(document->context, OSSA_ERROR_MEMORY, NULL, "no memory for the names of extensions");
	ossa_status status = OSSA_OK;
	for (size_t i = 0; i < json_array_size(required) && status == OSSA_OK; i++)
		status = check_extension(document, json_string_value(json_array_get(required, i)), looks);
	json_decref(looks);
	return status;
}

/* ---- open and close ---- */

ossa_status ossai_gltf_open(ossa_context *context, const ossai_source *source, ossai_asset *asset, ossai_gltf *document)
{
	*document = (ossai_gltf){.context = context, .asset = asset, .source = source, .scratch = ossai_arena_begin(context)};
	document->budget = ((size_t)1 << 22) + (source->size < SIZE_MAX / 128 ? source->size * 64 : SIZE_MAX / 2);
	ossai_gltf_bytes text = {source->bytes, source->size};
	if (is_glb(source)) {
		text.data = NULL;
		OSSAI_TRY(split_chunks(document, &text));
	}
	OSSAI_TRY(parse(document, text));
	OSSAI_TRY(check_version(document));
	OSSAI_TRY(check_extensions(document));
	OSSAI_TRY(ossai_gltf_begin_buffers(document));
	return ossai_gltf_expand(document);
}

void ossai_gltf_close(ossai_gltf *document)
{
	for (size_t i = 0; i < document->buffer_count; i++) ossai_file_close(document->context, &document->buffers[i].file);
	json_decref(document->root);
	ossai_arena_end(&document->scratch);
}
