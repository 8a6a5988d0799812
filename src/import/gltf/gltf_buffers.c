/* import/gltf/gltf_buffers.c: the bytes of a glTF file's buffers: in the container, in a data URI,
   or in a file beside it.

   Place in the path: below the glTF reader's parts.
   Input: a buffer's URI.
   Output: its bytes, at least as many as it claims.

   The content of a file determines which other files are opened on this machine (base/uri.h).
   Source: glTF 2.0 specification, 2.8 and 3.6.1; RFC 3986 (URIs). */
#include "base/data_uri.h"
#include "base/uri.h"
#include "import/gltf/gltf_document.h"

#include <stdio.h>
#include <string.h>

/* ---- data URIs ---- */

ossai_gltf_bytes ossai_gltf_whole_uri(const ossai_gltf *document, const char *uri)
{
	size_t index = 0;
	const char *at = uri + strlen("data:");
	for (; *at >= '0' && *at <= '9' && index < document->long_data_count; at++) index = index * 10 + (size_t)(*at - '0');
	const bool stands_aside = !*at && index < document->long_data_count;
	return stands_aside ? document->long_data[index] : (ossai_gltf_bytes){(const uint8_t *)uri, strlen(uri)};
}

ossa_status ossai_gltf_decode_uri(ossai_gltf *document, const char *uri, ossai_gltf_bytes *bytes)
{
	const ossai_gltf_bytes whole = ossai_gltf_whole_uri(document, uri);
	uint8_t *data;
	size_t size, at;
	OSSAI_TRY(ossai_gltf_scratch(document, &data, ossai_data_uri_capacity((const char *)whole.data, whole.size), 1));
	switch (ossai_data_uri_decode((const char *)whole.data, whole.size, data, &size, &at)) {
	case OSSAI_DATA_URI_EMPTY: return ossai_asset_fail(document->asset, "a data URI is without data");
	case OSSAI_DATA_URI_NOT_BASE64:
		return ossai_asset_fail(document->asset, "a data URI holds a character that is not base64 near its character %zu", at);
	case OSSAI_DATA_URI_GOOD: break;
	}
	*bytes = (ossai_gltf_bytes){data, size};
	return OSSA_OK;
}

/* ---- files ---- */

/* the path that `uri` names, beside the file itself */
static ossa_status resolve(ossai_gltf *document, const char *uri, size_t index, char path[OSSAI_PATH_SIZE])
{
	switch (ossai_uri_path(document->source->path, uri, false, path)) {
	case OSSAI_URI_ELSEWHERE:
		return ossai_asset_fail(document->asset,
			"buffer %zu is at \"%.128s\": ossa reads only files in the same folder; export it as one .glb file", index, uri);
	case OSSAI_URI_OUTSIDE:
		return ossai_asset_fail(document->asset,
			"buffer %zu is at \"%.128s\", outside the file's own folder: export it as one .glb file", index, uri);
	case OSSAI_URI_GOOD: break;
	}
	return OSSA_OK;
}

static ossa_status open_file(ossai_gltf *document, const char *uri, size_t index, ossai_gltf_buffer *buffer)
{
	char path[OSSAI_PATH_SIZE];
	OSSAI_TRY(resolve(document, uri, index, path));
	if (ossai_file_open(document->context, path, &buffer->file) == OSSA_OK) {
		buffer->bytes = (ossai_gltf_bytes){buffer->file.bytes, buffer->file.size};
		return OSSA_OK;
	}
	if (ossa_context_error(document->context)->status != OSSA_ERROR_READ) return ossa_context_error(document->context)->status;
	char reason[200];
	snprintf(reason, sizeof reason, "%.199s", ossa_context_error(document->context)->message);
	const ossai_place place = ossai_in_file(document->source->path);
	return ossai_fail(document->context, OSSA_ERROR_READ, &place,
		"keeps its data in another file, \"%.128s\", which must lie beside it: %s", uri, reason);
}

/* ---- all ---- */

ossa_status ossai_gltf_begin_buffers(ossai_gltf *document)
{
	const size_t count = ossai_gltf_length(document, "buffers");
	document->buffers = ossai_arena_zero(&document->scratch, count, sizeof *document->buffers);
	if (!document->buffers) return ossa_context_error(document->context)->status;
	document->buffer_count = count;
	return OSSA_OK;
}

static ossa_status load(ossai_gltf *document, size_t index, ossai_gltf_buffer *buffer)
{
	const json_t *item = ossai_gltf_item(document, "buffers", index);
	const char *uri = json_string_value(json_object_get(item, "uri"));
	size_t length;
	OSSAI_TRY(ossai_gltf_whole(document, item, "byteLength", 0, &length));
	if (uri && ossai_is_data_uri(uri)) OSSAI_TRY(ossai_gltf_decode_uri(document, uri, &buffer->bytes));
	else if (uri) OSSAI_TRY(open_file(document, uri, index, buffer));
	else if (index == 0) buffer->bytes = document->binary;
	if (buffer->bytes.size < length) {
		return ossai_asset_fail(document->asset, "buffer %zu says %zu bytes, there are %zu%s", index, length,
			buffer->bytes.size, uri ? "" : " in the file's BIN chunk: is it cut off?");
	}
	buffer->bytes.size = length;
	/* buffers in other files may be read too */
	if (buffer->file.size > 0 && document->budget < SIZE_MAX / 4 && length < SIZE_MAX / 256) document->budget += length * 64;
	buffer->is_loaded = true;
	return OSSA_OK;
}

ossa_status ossai_gltf_load_buffer(ossai_gltf *document, size_t index, ossai_gltf_bytes *bytes)
{
	ossai_gltf_buffer *buffer = &document->buffers[index];
	if (!buffer->is_loaded) OSSAI_TRY(load(document, index, buffer));
	*bytes = buffer->bytes;
	return OSSA_OK;
}
