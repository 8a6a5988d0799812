/* import/gltf/gltf_kept.c: the glTF file that is kept behind a mesh, to be written again with a
   rig.

   Place in the path: the end of the glTF reader.
   Input: the open file, and which of its meshes the asset has.
   Output: ossa_document: the JSON as it was read and the bytes of all buffers. Images in files of
   their own stay there.
   Source: glTF 2.0 specification, 3.6.1 (buffers) and 3.9.1 (images). */
#include "import/gltf/gltf_document.h"
#include "scene/document.h"
#include "scene/document_links.h"

#include <string.h>

/* ---- JSON ---- */

/* Puts the long data URIs back into the texts that stand for them. The parser limits how deep
   values are nested. */
static bool restore_uris(const ossai_gltf *document, json_t *value)
{
	const char *key;
	json_t *item;
	size_t index;
	void *next;
	bool whole = true;
	if (json_is_string(value) && strncmp(json_string_value(value), "data:", 5) == 0) {
		const ossai_gltf_bytes uri = ossai_gltf_whole_uri(document, json_string_value(value));
		if (uri.size > json_string_length(value)) whole = json_string_setn(value, (const char *)uri.data, uri.size) == 0;
	}
	json_object_foreach_safe(value, next, key, item) whole = restore_uris(document, item) && whole;
	json_array_foreach(value, index, item) whole = restore_uris(document, item) && whole;
	return whole;
}

/* the JSON without what buffers hold, which is kept as bytes */
static ossa_status take_json(ossai_gltf *document, ossa_document *kept)
{
	json_t *buffer;
	size_t index;
	json_array_foreach(json_object_get(document->root, "buffers"), index, buffer) json_object_del(buffer, "uri");
	kept->root = json_incref(document->root);
	kept->expanded = document->expanded;
	if (document->long_data_count == 0 || restore_uris(document, document->root)) return OSSA_OK;
	return ossai_fail(document->context, OSSA_ERROR_MEMORY, NULL, "there is no memory left for the JSON of the file");
}

typedef struct link_check {
	size_t count; /* of the items that numbers name */
} link_check;

static bool is_in_range(void *user, json_t *number)
{
	const link_check *check = user;
	return json_integer_value(number) >= 0 && (size_t)json_integer_value(number) < check->count;
}

/* whether all that is named is there: the reader itself looks only at what it reads */
static bool links_are_good(json_t *root)
{
	static const struct {
		ossai_link kind;
		const char *list;
	} kinds[] = {{OSSAI_LINK_ACCESSOR, "accessors"}, {OSSAI_LINK_VIEW, "bufferViews"}, {OSSAI_LINK_BUFFER, "buffers"},
		{OSSAI_LINK_NODE, "nodes"}, {OSSAI_LINK_MESH, "meshes"}, {OSSAI_LINK_SKIN, "skins"}};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		link_check check = {json_array_size(json_object_get(root, kinds[i].list))};
		if (!ossai_document_visit(root, kinds[i].kind, is_in_range, &check)) return false;
	}
	return true;
}

/* whether every view lies in its buffer */
static bool views_are_good(const json_t *root, const ossa_document *kept)
{
	json_t *view;
	size_t i;
	json_array_foreach(json_object_get(root, "bufferViews"), i, view)
	{
		const json_t *buffer = json_object_get(view, "buffer"), *offset = json_object_get(view, "byteOffset");
		const json_t *length = json_object_get(view, "byteLength");
		size_t begin = 0, size = 0;
		if (!json_is_integer(buffer) || (offset && !json_is_integer(offset)) || !json_is_integer(length)) return false;
		if (offset && !ossai_gltf_is_whole(offset, &begin)) return false;
		if (!ossai_gltf_is_whole(length, &size)) return false;
		const size_t whole = kept->buffers[json_integer_value(buffer)].size;
		if (begin > whole || size > whole - begin) return false;
	}
	return true;
}

/* ---- binary data ---- */

/* a part of a mapped file after the other, which then leaves the memory: large files are there
   once */
static void copy_bytes(const ossai_gltf *document, const ossai_gltf_buffer *buffer, const ossai_gltf_bytes *bytes, uint8_t *to)
{
	enum { STEP = 1 << 22 };
	const ossai_file own = {document->source->bytes, document->source->size, document->source->is_mapped, false};
	const ossai_file *file = buffer->file.size > 0 ? &buffer->file : &own;
	const bool is_inside = bytes->data >= file->bytes && bytes->data + bytes->size <= file->bytes + file->size;
	for (size_t at = 0; at < bytes->size; at += STEP) {
		const size_t size = bytes->size - at < STEP ? bytes->size - at : STEP;
		memcpy(to + at, bytes->data + at, size);
		/* a small file may be read again soon */
		if (is_inside && bytes->size > STEP) ossai_file_forget(file, bytes->data + at, size);
	}
}

/* *whole false where a buffer of images alone cannot be read */
static ossa_status take_buffers(ossai_gltf *document, ossa_document *kept, bool *whole)
{
	*whole = true;
	kept->buffers = ossai_arena_zero(&kept->arena, document->buffer_count, sizeof *kept->buffers);
	if (!kept->buffers) return ossa_context_error(document->context)->status;
	kept->buffer_count = document->buffer_count;
	for (size_t i = 0; i < document->buffer_count; i++) {
		ossai_gltf_bytes bytes;
		const ossa_status status = ossai_gltf_load_buffer(document, i, &bytes);
		*whole = status == OSSA_OK;
		if (status == OSSA_ERROR_MEMORY) return status;
		if (status != OSSA_OK) return OSSA_OK;
		uint8_t *copy = ossai_arena_new(&kept->arena, bytes.size, 1);
		if (!copy) return ossa_context_error(document->context)->status;
		copy_bytes(document, &document->buffers[i], &bytes, copy);
		kept->buffers[i] = (ossai_document_buffer){copy, bytes.size};
	}
	return OSSA_OK;
}

/* ---- meshes ---- */

static ossa_status take_meshes(const ossai_gltf *document, ossa_document *kept)
{
	const ossai_asset *asset = document->asset;
	size_t primitives = 0;
	for (size_t m = 0; m < asset->mesh_count; m++) primitives += document->sources[m].primitive_count;
	kept->meshes = ossai_arena_zero(&kept->arena, asset->mesh_count, sizeof *kept->meshes);
	kept->primitive_vertex = ossai_arena_new(&kept->arena, primitives, sizeof *kept->primitive_vertex);
	if (!kept->meshes || !kept->primitive_vertex) return ossa_context_error(document->context)->status;
	kept->mesh_count = asset->mesh_count;
	for (size_t m = 0, first = 0; m < asset->mesh_count; m++) {
		const ossai_gltf_source *source = &document->sources[m];
		kept->meshes[m] = (ossai_document_mesh){.node = asset->meshes[m].node,
			.mesh = source->mesh,
			.vertex_count = source->vertex_count,
			.first_primitive = first,
			.primitive_count = source->primitive_count};
		memcpy(kept->primitive_vertex + first, source->vertex_of_primitive,
			source->primitive_count * sizeof *kept->primitive_vertex);
		first += source->primitive_count;
	}
	return OSSA_OK;
}

static ossa_status take_path(const ossai_gltf *document, ossa_document *kept)
{
	const size_t size = strlen(document->source->path) + 1;
	char *path = ossai_arena_new(&kept->arena, size, 1);
	if (!path) return ossa_context_error(document->context)->status;
	memcpy(path, document->source->path, size);
	kept->path = path;
	return OSSA_OK;
}

/* ---- all ---- */

static ossa_status take_file(ossai_gltf *document, ossa_document *kept, bool *whole)
{
	OSSAI_TRY(take_path(document, kept));
	*whole = links_are_good(document->root);
	if (*whole) OSSAI_TRY(take_buffers(document, kept, whole));
	*whole = *whole && views_are_good(document->root, kept);
	if (!*whole) return OSSA_OK;
	OSSAI_TRY(take_meshes(document, kept));
	return take_json(document, kept);
}

ossa_status ossai_gltf_keep_file(ossai_gltf *document)
{
	bool whole;
	/* without a mesh there is nothing that could carry it */
	if (document->asset->mesh_count == 0) return OSSA_OK;
	ossa_document *kept = ossai_document_new(document->context);
	if (!kept) return ossa_context_error(document->context)->status;
	const ossa_status status = take_file(document, kept, &whole);
	if (status == OSSA_OK && whole) {
		document->asset->document = kept;
		return OSSA_OK;
	}
	ossai_document_release(kept);
	if (status == OSSA_OK) {
		ossai_warn(document->context, "file-not-kept", 1,
			"%s: its buffers are not whole, or it names parts that are not there: materials, images and morph targets will be "
			"missing in files written from it",
			document->source->path);
	}
	return status;
}
