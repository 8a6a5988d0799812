/* import/glb_accessor.c: the numbers of a glTF file.

   Place in the path: below the GLB reader's parts.  In: accessors: strided, sparse, normalised, of any component type, or
   without data (zeros).  Out: plain arrays.  Nothing outside a buffer is touched whatever the JSON says.
   Source: glTF 2.0 specification, 3.6.2; KHR_mesh_quantization. */
#include "import/glb_document.h"

#include <string.h>

/* a run of equal elements in a buffer; data NULL: zeros */
typedef struct element_run {
	const uint8_t *data;
	size_t stride, count, width;
	size_t component; /* glTF's number */
	bool normalized;
} element_run;

static size_t component_size(size_t component)
{
	switch (component) {
	case 5120:
	case 5121: return 1;
	case 5122:
	case 5123: return 2;
	case 5125:
	case 5126: return 4;
	default: return 0;
	}
}

static size_t type_width(const char *type)
{
	static const struct {
		const char *name;
		size_t width;
	} types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
	for (size_t i = 0; type && i < sizeof types / sizeof types[0]; i++) {
		if (strcmp(type, types[i].name) == 0) return types[i].width;
	}
	return 0;
}

size_t ossai_gltf_width(const ossai_gltf *document, size_t accessor)
{
	return type_width(json_string_value(json_object_get(ossai_gltf_item(document, "accessors", accessor), "type")));
}

/* points `run`, whose count, width and component are set, into the view that `item` names from its byteOffset on */
static ossa_status locate(const ossai_gltf *document, const json_t *item, const char *what, size_t index, element_run *run)
{
	size_t view_index, buffer, offset, view_offset, view_length, stride;
	const size_t size = run->width * component_size(run->component);
	OSSAI_TRY(ossai_gltf_index(document, item, "bufferView", "bufferViews", &view_index));
	if (view_index == SIZE_MAX) return OSSA_OK;
	const json_t *view = ossai_gltf_item(document, "bufferViews", view_index);
	OSSAI_TRY(ossai_gltf_whole(document, item, "byteOffset", 0, &offset));
	OSSAI_TRY(ossai_gltf_index(document, view, "buffer", "buffers", &buffer));
	OSSAI_TRY(ossai_gltf_whole(document, view, "byteOffset", 0, &view_offset));
	OSSAI_TRY(ossai_gltf_whole(document, view, "byteLength", 0, &view_length));
	OSSAI_TRY(ossai_gltf_whole(document, view, "byteStride", size, &stride));
	if (buffer == SIZE_MAX) return ossai_gltf_fail(document, "buffer view %zu has no buffer", view_index);
	const ossai_gltf_bytes bytes = document->buffers[buffer];
	if (view_offset > bytes.size || view_length > bytes.size - view_offset) {
		return ossai_gltf_fail(document, "buffer view %zu reaches past the %zu bytes of its buffer", view_index, bytes.size);
	}
	if (stride < size)
		return ossai_gltf_fail(document, "%s %zu: elements of %zu bytes every %zu bytes", what, index, size, stride);
	const bool fits = offset <= view_length && size <= view_length - offset &&
		run->count - 1 <= (view_length - offset - size) / stride;
	if (run->count > 0 && !fits) {
		return ossai_gltf_fail(document, "%s %zu: %zu elements from byte %zu on are not in the %zu bytes of its view", what,
			index, run->count, offset, view_length);
	}
	run->data = bytes.data + view_offset + offset;
	run->stride = stride;
	return OSSA_OK;
}

static ossa_status open_run(ossai_gltf *document, size_t index, size_t width, element_run *run)
{
	const json_t *item = ossai_gltf_item(document, "accessors", index);
	*run = (element_run){.width = ossai_gltf_width(document, index)};
	if (!item) return ossai_gltf_fail(document, "there is no accessor %zu", index);
	OSSAI_TRY(ossai_gltf_whole(document, item, "count", 0, &run->count));
	OSSAI_TRY(ossai_gltf_whole(document, item, "componentType", 0, &run->component));
	run->normalized = json_is_true(json_object_get(item, "normalized"));
	if (component_size(run->component) == 0) {
		return ossai_gltf_fail(document, "accessor %zu: %zu is no component type", index, run->component);
	}
	if (run->width != width) {
		const char *type = json_string_value(json_object_get(item, "type"));
		return ossai_gltf_fail(
			document, "accessor %zu is %.16s where elements of %zu numbers are needed", index, type ? type : "untyped", width);
	}
	OSSAI_TRY(ossai_gltf_charge(document, run->count, width));
	return locate(document, item, "accessor", index, run);
}

/* the k-th number of element i, as it is written */
static double raw_number(const element_run *run, size_t i, size_t k)
{
	if (!run->data) return 0;
	const uint8_t *at = run->data + i * run->stride + k * component_size(run->component);
	uint16_t half;
	uint32_t word;
	float real;
	switch (run->component) {
	case 5120: return (double)(int8_t)at[0];
	case 5121: return (double)at[0];
	case 5122: memcpy(&half, at, 2); return (double)(int16_t)half;
	case 5123: memcpy(&half, at, 2); return (double)half;
	case 5125: memcpy(&word, at, 4); return (double)word;
	default: memcpy(&real, at, 4); return (double)real;
	}
}

static float as_float(const element_run *run, size_t i, size_t k)
{
	const double raw = raw_number(run, i, k);
	if (!run->normalized) return (float)raw;
	switch (run->component) {
	case 5120: return (float)fmax(raw / 127, -1);
	case 5121: return (float)raw / 255.0f;
	case 5122: return (float)fmax(raw / 32767, -1);
	case 5123: return (float)raw / 65535.0f;
	default: return (float)raw;
	}
}

/* the places and values that a sparse accessor changes; places.count 0 for any other */
static ossa_status open_sparse(
	ossai_gltf *document, size_t index, const element_run *base, element_run *places, element_run *values)
{
	const json_t *sparse = json_object_get(ossai_gltf_item(document, "accessors", index), "sparse");
	const json_t *place_item = json_object_get(sparse, "indices");
	*places = (element_run){.width = 1};
	*values = *base;
	if (!sparse) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_whole(document, sparse, "count", 0, &places->count));
	OSSAI_TRY(ossai_gltf_whole(document, place_item, "componentType", 0, &places->component));
	if (places->count > base->count || (places->component != 5121 && places->component != 5123 && places->component != 5125)) {
		return ossai_gltf_fail(document, "accessor %zu: its sparse indices are no good", index);
	}
	values->count = places->count;
	values->data = NULL;
	OSSAI_TRY(ossai_gltf_charge(document, places->count, base->width));
	OSSAI_TRY(locate(document, place_item, "sparse accessor", index, places));
	return locate(document, json_object_get(sparse, "values"), "sparse accessor", index, values);
}

static ossa_status sparse_place(
	const ossai_gltf *document, size_t index, const element_run *places, size_t i, size_t count, size_t *place)
{
	*place = (size_t)raw_number(places, i, 0);
	if (*place < count) return OSSA_OK;
	return ossai_gltf_fail(document, "accessor %zu: sparse index %zu is not below %zu", index, *place, count);
}

static ossa_status check_finite(const ossai_gltf *document, size_t index, const float *values, size_t count, size_t width)
{
	for (size_t i = 0; i < count * width; i++) {
		if (!isfinite(values[i]))
			return ossai_gltf_fail(document, "accessor %zu: element %zu is not a finite number", index, i / width);
	}
	return OSSA_OK;
}

ossa_status ossai_gltf_floats(ossai_gltf *document, size_t accessor, size_t width, size_t *count, float **values)
{
	element_run run, places, changes;
	OSSAI_TRY(open_run(document, accessor, width, &run));
	OSSAI_TRY(open_sparse(document, accessor, &run, &places, &changes));
	float *out = ossai_arena_new(&document->arena, run.count, width * sizeof *out);
	if (!out) return ossa_context_error(document->context)->status;
	for (size_t i = 0; i < run.count; i++) {
		for (size_t k = 0; k < width; k++) out[i * width + k] = as_float(&run, i, k);
	}
	for (size_t i = 0; i < places.count; i++) {
		size_t place;
		OSSAI_TRY(sparse_place(document, accessor, &places, i, run.count, &place));
		for (size_t k = 0; k < width; k++) out[place * width + k] = as_float(&changes, i, k);
	}
	*count = run.count;
	*values = out;
	return check_finite(document, accessor, out, run.count, width);
}

ossa_status ossai_gltf_integers(ossai_gltf *document, size_t accessor, size_t width, size_t *count, uint32_t **values)
{
	element_run run, places, changes;
	OSSAI_TRY(open_run(document, accessor, width, &run));
	if (run.component != 5121 && run.component != 5123 && run.component != 5125) {
		return ossai_gltf_fail(document, "accessor %zu must hold unsigned integers", accessor);
	}
	OSSAI_TRY(open_sparse(document, accessor, &run, &places, &changes));
	uint32_t *out = ossai_arena_new(&document->arena, run.count, width * sizeof *out);
	if (!out) return ossa_context_error(document->context)->status;
	for (size_t i = 0; i < run.count; i++) {
		for (size_t k = 0; k < width; k++) out[i * width + k] = (uint32_t)raw_number(&run, i, k);
	}
	for (size_t i = 0; i < places.count; i++) {
		size_t place;
		OSSAI_TRY(sparse_place(document, accessor, &places, i, run.count, &place));
		for (size_t k = 0; k < width; k++) out[place * width + k] = (uint32_t)raw_number(&changes, i, k);
	}
	*count = run.count;
	*values = out;
	return OSSA_OK;
}
