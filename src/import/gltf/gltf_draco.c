/* import/gltf/gltf_draco.c: primitives that Draco compressed.

   Place in the path: inside the glTF reader, before anything is read.
   Input: a primitive with its extension, whose accessors have no data.
   Output: buffers with the data that the accessors describe. Morph targets are not compressed:
   their vertices are in the order of Draco's points.
   Source: KHR_draco_mesh_compression. */
#include "import/gltf/draco_decoder.h"
#include "import/gltf/gltf_expand.h"

#include <string.h>

/* attributes and their numbers that a stream may have besides those that the file names */
enum { MORE_ATTRIBUTES = 8, MORE_NUMBERS = 32 };

/* bytes that the decoder needs at once for a face and for a number: counted as the context's while
   it works */
enum { FACE_BYTES = 128, NUMBER_BYTES = 16 };

enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

typedef struct primitive {
	ossai_gltf *document;
	json_t *item;
	const json_t *attributes; /* of the extension: names and identifiers */
	size_t indices;           /* accessor */
	size_t corner_count, point_count;
	ossai_draco_limits limits;
	ossai_draco_mesh *mesh;
} primitive;

static const char name_of_extension[] = "KHR_draco_mesh_compression";

/* ---- what the accessors ask for ---- */

static ossa_status read_indices(primitive *p)
{
	ossai_gltf *document = p->document;
	size_t mode;
	OSSAI_TRY(ossai_gltf_whole(document, p->item, "mode", 4, &mode));
	OSSAI_TRY(ossai_gltf_index(document, p->item, "indices", "accessors", &p->indices));
	if (mode != 4 || p->indices == SIZE_MAX) {
		return ossai_asset_fail(document->asset, "a primitive with %s is not an indexed list of triangles", name_of_extension);
	}
	OSSAI_TRY(ossai_gltf_whole(document, ossai_gltf_item(document, "accessors", p->indices), "count", 0, &p->corner_count));
	p->limits.faces = p->corner_count / 3;
	return ossai_gltf_charge(document, p->corner_count, 1);
}

/* the accessor of an attribute that the extension names; its numbers are counted */
static ossa_status read_attribute(primitive *p, const char *name, size_t *accessor)
{
	ossai_gltf *document = p->document;
	size_t count;
	OSSAI_TRY(ossai_gltf_index(document, json_object_get(p->item, "attributes"), name, "accessors", accessor));
	if (*accessor == SIZE_MAX) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_whole(document, ossai_gltf_item(document, "accessors", *accessor), "count", 0, &count));
	if (p->limits.attributes == 0) p->point_count = count;
	if (count != p->point_count) {
		return ossai_asset_fail(document->asset, "a primitive with %s has accessors of %zu and of %zu vertices",
			name_of_extension, p->point_count, count);
	}
	const size_t width = ossai_gltf_width(document, *accessor);
	p->limits.attributes++;
	p->limits.numbers += width;
	return ossai_gltf_charge(document, count, width + 1);
}

static ossa_status read_limits(primitive *p)
{
	const char *name;
	json_t *id;
	size_t accessor;
	OSSAI_TRY(read_indices(p));
	json_object_foreach((json_t *)(uintptr_t)p->attributes, name, id) OSSAI_TRY(read_attribute(p, name, &accessor));
	p->limits.points = p->point_count;
	p->limits.attributes += MORE_ATTRIBUTES;
	p->limits.numbers += MORE_NUMBERS;
	return OSSA_OK;
}

/* ---- decoding ---- */

static ossa_status decode(primitive *p, const ossai_gltf_bytes *bytes)
{
	ossa_context *context = p->document->context;
	/* no overflow: both counts were paid for */
	const size_t taken = (p->limits.faces + 1) * FACE_BYTES + (p->point_count + 1) * p->limits.numbers * NUMBER_BYTES;
	OSSAI_TRY(ossai_foreign_take(context, taken));
	const ossai_draco_outcome outcome = ossai_draco_open(bytes->data, bytes->size, &p->limits, &p->mesh);
	ossai_foreign_give(context, taken);
	const ossai_place place = ossai_in_file(p->document->source->path);
	switch (outcome) {
	case OSSAI_DRACO_DONE: break;
	case OSSAI_DRACO_NO_MEMORY:
		return ossai_fail(context, OSSA_ERROR_MEMORY, &place, "there is no memory left to read %s", name_of_extension);
	case OSSAI_DRACO_TOO_LARGE:
		return ossai_asset_fail(p->document->asset,
			"%s holds more than the %zu indices and %zu vertices of its accessors: the file is damaged", name_of_extension,
			p->corner_count, p->point_count);
	case OSSAI_DRACO_DAMAGED:
		return ossai_asset_fail(p->document->asset,
			"what %s holds is damaged, or not of Draco's bitstream 2.2: export the file again", name_of_extension);
	}
	const size_t corners = 3 * ossai_draco_face_count(p->mesh), points = ossai_draco_point_count(p->mesh);
	if (corners == p->corner_count && points == p->point_count) return OSSA_OK;
	return ossai_asset_fail(p->document->asset,
		"%s holds %zu indices and %zu vertices, its accessors have %zu and %zu: the file is damaged", name_of_extension,
		corners, points, p->corner_count, p->point_count);
}

/* ---- results ---- */

/* `bytes` as the data of an accessor */
static ossa_status put_data(const primitive *p, size_t accessor, const uint8_t *bytes, size_t size, size_t stride, int target)
{
	ossai_gltf *document = p->document;
	json_t *item = ossai_gltf_item(document, "accessors", accessor), *views = json_object_get(document->root, "bufferViews");
	size_t buffer;
	OSSAI_TRY(ossai_gltf_add_buffer(document, bytes, size, &buffer));
	json_t *view = json_pack("{s:I, s:I, s:i}", "buffer", (json_int_t)buffer, "byteLength", (json_int_t)size, "target", target);
	if (view && stride > 0) json_object_set_new(view, "byteStride", json_integer((json_int_t)stride));
	if (json_array_append_new(views, view) != 0) return ossai_gltf_no_json(document);
	json_object_del(item, "byteOffset");
	const bool set = json_object_set_new(item, "bufferView", json_integer((json_int_t)json_array_size(views) - 1)) == 0;
	return set ? OSSA_OK : ossai_gltf_no_json(document);
}

/* an accessor's component: false where there is none of that number */
static bool find_type(const ossai_gltf *document, size_t accessor, ossai_draco_type *type, size_t *size)
{
	static const struct {
		ossai_draco_type type;
		size_t size;
	} types[] = {{OSSAI_DRACO_I8, 1}, {OSSAI_DRACO_U8, 1}, {OSSAI_DRACO_I16, 2}, {OSSAI_DRACO_U16, 2}, {OSSAI_DRACO_U32, 4},
		{OSSAI_DRACO_U32, 4}, {OSSAI_DRACO_F32, 4}};
	const json_t *value = json_object_get(ossai_gltf_item(document, "accessors", accessor), "componentType");
	const json_int_t number = json_integer_value(value);
	if (number < 5120 || number > 5126 || number == 5124) return false;
	*type = types[number - 5120].type;
	*size = types[number - 5120].size;
	return true;
}

static ossa_status put_indices(const primitive *p)
{
	ossai_draco_type type = OSSAI_DRACO_F32;
	size_t size = 0;
	uint32_t *corners;
	const bool is_known = find_type(p->document, p->indices, &type, &size) && type != OSSAI_DRACO_F32;
	if (!is_known || (size < 4 && p->point_count > (size_t)1 << (8 * size))) {
		return ossai_asset_fail(
			p->document->asset, "accessor %zu cannot hold indices of %zu vertices", p->indices, p->point_count);
	}
	OSSAI_TRY(ossai_gltf_scratch(p->document, &corners, p->corner_count, sizeof *corners));
	ossai_draco_corners(p->mesh, corners);
	uint8_t *bytes = (uint8_t *)corners;
	/* in place: narrow ones come to lie before those that are still read */
	for (size_t i = 0; i < p->corner_count && size < 4; i++) {
		const uint16_t narrow = (uint16_t)corners[i];
		if (size == 1) bytes[i] = (uint8_t)narrow;
		else memcpy(bytes + 2 * i, &narrow, 2);
	}
	return put_data(p, p->indices, bytes, p->corner_count * size, 0, ELEMENT_ARRAY_BUFFER);
}

static ossa_status put_attribute(const primitive *p, const char *name, const json_t *id)
{
	ossai_gltf *document = p->document;
	size_t accessor, number, size = 0;
	ossai_draco_type type = OSSAI_DRACO_F32;
	uint8_t *bytes;
	OSSAI_TRY(ossai_gltf_index(document, json_object_get(p->item, "attributes"), name, "accessors", &accessor));
	if (accessor == SIZE_MAX) return OSSA_OK;
	const size_t width = ossai_gltf_width(document, accessor);
	const bool is_known = find_type(document, accessor, &type, &size) && ossai_gltf_is_whole(id, &number) &&
		number <= UINT32_MAX;
	if (!is_known || width == 0 || ossai_draco_width(p->mesh, (uint32_t)number) != width) {
		return ossai_asset_fail(document->asset, "%s has no %s of the type of accessor %zu", name_of_extension, name, accessor);
	}
	/* vertices begin at multiples of four bytes */
	const size_t packed = width * size, stride = (packed + 3) & ~(size_t)3;
	OSSAI_TRY(ossai_gltf_scratch(document, &bytes, p->point_count, stride));
	memset(bytes, 0, p->point_count * stride);
	if (!ossai_draco_values(p->mesh, (uint32_t)number, type, bytes, stride)) {
		return ossai_asset_fail(document->asset, "%s of %s does not fit accessor %zu", name, name_of_extension, accessor);
	}
	return put_data(p, accessor, bytes, p->point_count * stride, stride == packed ? 0 : stride, ARRAY_BUFFER);
}

static ossa_status put_all(const primitive *p)
{
	const char *name;
	json_t *id;
	OSSAI_TRY(put_indices(p));
	json_object_foreach((json_t *)(uintptr_t)p->attributes, name, id) OSSAI_TRY(put_attribute(p, name, id));
	return OSSA_OK;
}

ossa_status ossai_gltf_expand_primitive(ossai_gltf *document, json_t *item, const json_t *extension)
{
	primitive p = {.document = document, .item = item, .attributes = json_object_get(extension, "attributes")};
	ossai_gltf_bytes bytes;
	size_t view;
	OSSAI_TRY(ossai_gltf_index(document, extension, "bufferView", "bufferViews", &view));
	if (view == SIZE_MAX) return ossai_asset_fail(document->asset, "%s names no buffer view", name_of_extension);
	OSSAI_TRY(ossai_gltf_bytes_of(document, ossai_gltf_item(document, "bufferViews", view), "buffer view", view, &bytes));
	OSSAI_TRY(read_limits(&p));
	ossa_status status = decode(&p, &bytes);
	if (status == OSSA_OK) status = put_all(&p);
	ossai_draco_close(p.mesh);
	return status;
}
