/* import/gltf/gltf_expand.c: compressed geometry in glTF files, expanded before anything else is
   read: the outline.

   Place in the path: inside the glTF reader, after the container was opened.
   Input: the JSON, the buffers.
   Output: the same file as it would be without compression: the rest of the reader, and what keeps
   the file for a writer, know nothing of it.
   Source: KHR_draco_mesh_compression, EXT_meshopt_compression. */
#include "import/gltf/gltf_expand.h"

#include <string.h>

#ifdef OSSA_DRACO
enum { READS_DRACO = 1 };
#else
enum { READS_DRACO = 0 };
#endif
#ifdef OSSA_MESHOPT
enum { READS_MESHOPT = 1 };
#else
enum { READS_MESHOPT = 0 };
#endif

static const ossai_gltf_compression compressions[] = {
	{"KHR_draco_mesh_compression", "libdraco-dev", READS_DRACO},
	{"EXT_meshopt_compression", "libmeshoptimizer-dev", READS_MESHOPT},
	/* the same by its later name; newer streams are refused when they are read */
	{"KHR_meshopt_compression", "libmeshoptimizer-dev", READS_MESHOPT},
};
enum { COMPRESSION_COUNT = sizeof compressions / sizeof compressions[0], DRACO = 0 };

const ossai_gltf_compression *ossai_gltf_compression_of(const char *name)
{
	for (size_t i = 0; i < COMPRESSION_COUNT; i++) {
		if (strcmp(name, compressions[i].name) == 0) return &compressions[i];
	}
	return NULL;
}

ossa_status ossai_gltf_refuse_compressed(const ossai_gltf *document, const ossai_gltf_compression *compression)
{
	return ossai_asset_fail(document->asset,
		"needs the extension %s, which this build of ossa does not read: install %s and build ossa again, or expand the file "
		"with `npx @gltf-transform/cli copy IN OUT`",
		compression->name, compression->package);
}

ossa_status ossai_gltf_no_json(const ossai_gltf *document)
{
	return ossai_fail(document->context, OSSA_ERROR_MEMORY, NULL, "there is no memory left for the JSON of the file");
}

/* ---- buffers ---- */

ossa_status ossai_gltf_add_buffer(ossai_gltf *document, const uint8_t *bytes, size_t size, size_t *index)
{
	json_t *item = json_pack("{s:I}", "byteLength", (json_int_t)size);
	if (json_array_append_new(json_object_get(document->root, "buffers"), item) != 0) return ossai_gltf_no_json(document);
	*index = document->buffer_count++;
	document->buffers[*index] = (ossai_gltf_buffer){.is_loaded = true, .bytes = {bytes, size}};
	return OSSA_OK;
}

ossa_status ossai_gltf_bytes_of(
	ossai_gltf *document, const json_t *item, const char *what, size_t number, ossai_gltf_bytes *bytes)
{
	size_t buffer, offset, length;
	OSSAI_TRY(ossai_gltf_index(document, item, "buffer", "buffers", &buffer));
	OSSAI_TRY(ossai_gltf_whole(document, item, "byteOffset", 0, &offset));
	OSSAI_TRY(ossai_gltf_whole(document, item, "byteLength", 0, &length));
	if (buffer == SIZE_MAX) return ossai_asset_fail(document->asset, "%s %zu has no buffer", what, number);
	OSSAI_TRY(ossai_gltf_load_buffer(document, buffer, bytes));
	if (offset > bytes->size || length > bytes->size - offset) {
		return ossai_asset_fail(document->asset, "%s %zu reaches past the %zu bytes of its buffer", what, number, bytes->size);
	}
	*bytes = (ossai_gltf_bytes){bytes->data + offset, length};
	return OSSA_OK;
}

/* whether a buffer is a mere statement of its length, as stands behind compressed views */
static bool is_placeholder(const ossai_gltf *document, size_t index)
{
	const json_t *item = ossai_gltf_item(document, "buffers", index);
	if (json_object_get(item, "uri") || document->buffers[index].is_loaded) return false;
	return index > 0 || !document->binary.data;
}

/* placeholders are empty from now on */
static void empty_placeholders(ossai_gltf *document)
{
	for (size_t i = 0; i < document->buffer_count; i++) {
		if (is_placeholder(document, i)) document->buffers[i] = (ossai_gltf_buffer){.is_loaded = true};
	}
}

/* space for the buffers of all that is compressed */
static ossa_status reserve_buffers(ossai_gltf *document, size_t more)
{
	ossai_gltf_buffer *buffers;
	OSSAI_TRY(ossai_gltf_scratch(document, &buffers, document->buffer_count + more, sizeof *buffers));
	memcpy(buffers, document->buffers, document->buffer_count * sizeof *buffers);
	document->buffers = buffers;
	return OSSA_OK;
}

/* ---- extensions of items ---- */

static const json_t *extension_of(const json_t *item, size_t compression)
{
	return json_object_get(json_object_get(item, "extensions"), compressions[compression].name);
}

static void drop_extension(json_t *item, const char *name)
{
	json_t *extensions = json_object_get(item, "extensions");
	json_object_del(extensions, name);
	if (extensions && json_object_size(extensions) == 0) json_object_del(item, "extensions");
}

static void drop_name(json_t *root, const char *key, const char *name)
{
	json_t *names = json_object_get(root, key);
	for (size_t i = json_array_size(names); i-- > 0;) {
		const char *item = json_string_value(json_array_get(names, i));
		if (item && strcmp(item, name) == 0) json_array_remove(names, i);
	}
	if (names && json_array_size(names) == 0) json_object_del(root, key);
}

static void drop_names(ossai_gltf *document)
{
	json_t *buffer;
	size_t b;
	for (size_t i = 0; i < COMPRESSION_COUNT; i++) {
		drop_name(document->root, "extensionsUsed", compressions[i].name);
		drop_name(document->root, "extensionsRequired", compressions[i].name);
		json_array_foreach(json_object_get(document->root, "buffers"), b, buffer) drop_extension(buffer, compressions[i].name);
	}
}

/* ---- what is compressed ---- */

/* views, and buffers that their contents and those of primitives need */
static size_t count_compressed(const ossai_gltf *document, size_t *buffers)
{
	json_t *item, *primitive;
	size_t count = 0, v, m, p;
	*buffers = 0;
	json_array_foreach(json_object_get(document->root, "bufferViews"), v, item)
	{
		for (size_t i = DRACO + 1; i < COMPRESSION_COUNT; i++) count += extension_of(item, i) != NULL;
	}
	*buffers = count;
	json_array_foreach(json_object_get(document->root, "meshes"), m, item)
	{
		json_array_foreach(json_object_get(item, "primitives"), p, primitive)
		{
			const json_t *extension = extension_of(primitive, DRACO);
			count += extension != NULL;
			if (extension) *buffers += 1 + json_object_size(json_object_get(extension, "attributes"));
		}
	}
	return count;
}

/* Without the library, what the file brings uncompressed beside it is read. */
static ossa_status expand_view(ossai_gltf *document, size_t index, json_t *view, size_t compression)
{
	const char *name = compressions[compression].name;
#ifdef OSSA_MESHOPT
	OSSAI_TRY(ossai_gltf_expand_view(document, index, view, name, extension_of(view, compression)));
#else
	size_t buffer;
	(void)index;
	OSSAI_TRY(ossai_gltf_index(document, view, "buffer", "buffers", &buffer));
	if (buffer != SIZE_MAX && is_placeholder(document, buffer))
		return ossai_gltf_refuse_compressed(document, &compressions[compression]);
#endif
	drop_extension(view, name);
	return OSSA_OK;
}

static ossa_status expand_views(ossai_gltf *document)
{
	json_t *view;
	size_t v;
	json_array_foreach(json_object_get(document->root, "bufferViews"), v, view)
	{
		for (size_t i = DRACO + 1; i < COMPRESSION_COUNT; i++) {
			if (extension_of(view, i)) OSSAI_TRY(expand_view(document, v, view, i));
		}
	}
	return OSSA_OK;
}

static bool lacks_data(const ossai_gltf *document, const json_t *number)
{
	size_t index;
	if (!number || !ossai_gltf_is_whole(number, &index)) return false;
	const json_t *accessor = ossai_gltf_item(document, "accessors", index);
	return accessor && !json_object_get(accessor, "bufferView");
}

/* Whether a primitive has nothing but what is compressed; some files bring both, and primitives may
   share accessors. */
static bool needs_expansion(const ossai_gltf *document, const json_t *primitive)
{
	const char *name;
	json_t *id;
	if (lacks_data(document, json_object_get(primitive, "indices"))) return true;
	json_object_foreach(json_object_get(extension_of(primitive, DRACO), "attributes"), name, id)
	{
		if (lacks_data(document, json_object_get(json_object_get(primitive, "attributes"), name))) return true;
	}
	return false;
}

static ossa_status expand_primitive(ossai_gltf *document, json_t *primitive)
{
	if (needs_expansion(document, primitive)) {
#ifdef OSSA_DRACO
		OSSAI_TRY(ossai_gltf_expand_primitive(document, primitive, extension_of(primitive, DRACO)));
#else
		return ossai_gltf_refuse_compressed(document, &compressions[DRACO]);
#endif
	}
	drop_extension(primitive, compressions[DRACO].name);
	return OSSA_OK;
}

static ossa_status expand_primitives(ossai_gltf *document)
{
	json_t *mesh, *primitive;
	size_t m, p;
	json_array_foreach(json_object_get(document->root, "meshes"), m, mesh)
	{
		json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
		{
			if (extension_of(primitive, DRACO)) OSSAI_TRY(expand_primitive(document, primitive));
		}
	}
	return OSSA_OK;
}

/* ---- least and largest values ---- */

static ossa_status set_bound(const ossai_gltf *document, json_t *item, const char *key, size_t width, const float *values)
{
	json_t *list = json_object_get(item, key);
	for (size_t k = 0; k < width && json_array_size(list) == width; k++) {
		if ((float)json_number_value(json_array_get(list, k)) == values[k]) continue;
		if (json_array_set_new(list, k, json_real((double)values[k])) != 0) return ossai_gltf_no_json(document);
	}
	return OSSA_OK;
}

static void find_bounds(const float *values, size_t count, size_t width, float *least, float *largest)
{
	for (size_t i = 0; i < count * width; i++) {
		const size_t k = i % width;
		if (i < width || values[i] < least[k]) least[k] = values[i];
		if (i < width || values[i] > largest[k]) largest[k] = values[i];
	}
}

/* Compression moves values: those that an accessor states are found again. */
static ossa_status bound_accessor(ossai_gltf *document, size_t index, json_t *item)
{
	const size_t budget = document->budget;
	float least[16], largest[16];
	ossai_gltf_accessor accessor;
	OSSAI_TRY(ossai_gltf_open_accessor(document, index, 0, &accessor));
	document->budget = budget;
	const ossai_gltf_run *run = &accessor.run;
	if (run->count == 0 || run->component == OSSAI_GLTF_U32) return OSSA_OK;
	accessor.run.normalized = false;
	float *values = ossai_new(document->context, run->count, run->width * sizeof *values);
	if (!values) return ossa_context_error(document->context)->status;
	const ossa_status status = ossai_gltf_floats(document, &accessor, values, run->width);
	if (status == OSSA_OK) find_bounds(values, run->count, run->width, least, largest);
	ossa_free(document->context, values);
	OSSAI_TRY(status);
	OSSAI_TRY(set_bound(document, item, "min", run->width, least));
	return set_bound(document, item, "max", run->width, largest);
}

/* of accessors of buffers from `first` on */
static ossa_status bound_accessors(ossai_gltf *document, size_t first)
{
	json_t *item;
	size_t i, view, buffer;
	json_array_foreach(json_object_get(document->root, "accessors"), i, item)
	{
		if (!json_object_get(item, "min") && !json_object_get(item, "max")) continue;
		OSSAI_TRY(ossai_gltf_index(document, item, "bufferView", "bufferViews", &view));
		if (view == SIZE_MAX) continue;
		OSSAI_TRY(ossai_gltf_index(document, ossai_gltf_item(document, "bufferViews", view), "buffer", "buffers", &buffer));
		if (buffer != SIZE_MAX && buffer >= first) OSSAI_TRY(bound_accessor(document, i, item));
	}
	return OSSA_OK;
}

/* ---- all ---- */

ossa_status ossai_gltf_expand(ossai_gltf *document)
{
	const size_t first = document->buffer_count;
	size_t buffers;
	document->expanded = count_compressed(document, &buffers);
	if (document->expanded == 0) return OSSA_OK;
	OSSAI_TRY(reserve_buffers(document, buffers));
	OSSAI_TRY(expand_views(document));
	OSSAI_TRY(expand_primitives(document));
	OSSAI_TRY(bound_accessors(document, first));
	empty_placeholders(document);
	drop_names(document);
	return OSSA_OK;
}
