/* import/gltf/gltf_accessor.c: the numbers of a glTF file.

   Place in the path: below the glTF reader's parts.
   Input: accessors: strided, sparse, normalised, of any component type, or without data (zeros).
   Output: plain arrays.  Nothing outside a buffer is touched whatever the JSON says.

   Large files are almost all numbers in a few layouts: each pair of component type and layout
   (packed, or strided) gets a loop of its own, made by the compiler from one inline function, so
   that packed ones become copies or wide conversions.
   Source: glTF 2.0 specification, 3.6.2 and 3.11 (normalised integers); KHR_mesh_quantization. */
#include "base/scan.h"
#include "import/gltf/gltf_document.h"

#include <string.h>

static inline size_t component_size(ossai_gltf_component component)
{
	switch (component) {
	case OSSAI_GLTF_I8:
	case OSSAI_GLTF_U8: return 1;
	case OSSAI_GLTF_I16:
	case OSSAI_GLTF_U16: return 2;
	case OSSAI_GLTF_U32:
	case OSSAI_GLTF_F32: return 4;
	case OSSAI_GLTF_NO_COMPONENT: break;
	}
	return 0;
}

static ossai_gltf_component component_of(size_t number)
{
	switch (number) {
	case 5120: return OSSAI_GLTF_I8;
	case 5121: return OSSAI_GLTF_U8;
	case 5122: return OSSAI_GLTF_I16;
	case 5123: return OSSAI_GLTF_U16;
	case 5125: return OSSAI_GLTF_U32;
	case 5126: return OSSAI_GLTF_F32;
	default: return OSSAI_GLTF_NO_COMPONENT;
	}
}

static bool is_unsigned(ossai_gltf_component component)
{
	return component == OSSAI_GLTF_U8 || component == OSSAI_GLTF_U16 || component == OSSAI_GLTF_U32;
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

/* ---- where the numbers are ---- */

/* the bytes of a view, as a run that begins at its start; whole elements of `size` bytes every
   `run->stride` */
static ossa_status open_view(ossai_gltf *document, size_t index, size_t size, ossai_gltf_run *run, size_t *length)
{
	const json_t *view = ossai_gltf_item(document, "bufferViews", index);
	size_t buffer, offset;
	ossai_gltf_bytes bytes;
	OSSAI_TRY(ossai_gltf_index(document, view, "buffer", "buffers", &buffer));
	OSSAI_TRY(ossai_gltf_whole(document, view, "byteOffset", 0, &offset));
	OSSAI_TRY(ossai_gltf_whole(document, view, "byteLength", 0, length));
	OSSAI_TRY(ossai_gltf_whole(document, view, "byteStride", size, &run->stride));
	if (buffer == SIZE_MAX) return ossai_asset_fail(document->asset, "buffer view %zu has no buffer", index);
	OSSAI_TRY(ossai_gltf_load_buffer(document, buffer, &bytes));
	if (offset > bytes.size || *length > bytes.size - offset) {
		return ossai_asset_fail(document->asset, "buffer view %zu reaches past the %zu bytes of its buffer", index, bytes.size);
	}
	run->data = bytes.size > 0 ? bytes.data + offset : NULL;
	return OSSA_OK;
}

/* points `run`, whose count, width and component are set, into the view that `item` names from its
   byteOffset on */
static ossa_status locate(ossai_gltf *document, const json_t *item, const char *what, size_t index, ossai_gltf_run *run)
{
	const size_t size = run->width * component_size(run->component);
	size_t view, offset, length;
	OSSAI_TRY(ossai_gltf_index(document, item, "bufferView", "bufferViews", &view));
	if (view == SIZE_MAX) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_whole(document, item, "byteOffset", 0, &offset));
	OSSAI_TRY(open_view(document, view, size, run, &length));
	if (run->stride < size) {
		return ossai_asset_fail(
			document->asset, "%s %zu: elements of %zu bytes every %zu bytes", what, index, size, run->stride);
	}
	const bool fits = offset <= length && size <= length - offset && run->count - 1 <= (length - offset - size) / run->stride;
	if (run->count > 0 && !fits) {
		return ossai_asset_fail(document->asset, "%s %zu: %zu elements from byte %zu on are not in the %zu bytes of its view",
			what, index, run->count, offset, length);
	}
	run->data = run->count > 0 ? run->data + offset : NULL;
	return OSSA_OK;
}

/* the indices and values that a sparse accessor changes */
static ossa_status open_sparse(ossai_gltf *document, const json_t *sparse, ossai_gltf_accessor *accessor)
{
	const json_t *place_item = json_object_get(sparse, "indices");
	const ossai_gltf_run *base = &accessor->run;
	size_t count, component;
	OSSAI_TRY(ossai_gltf_whole(document, sparse, "count", 0, &count));
	OSSAI_TRY(ossai_gltf_whole(document, place_item, "componentType", 0, &component));
	ossai_gltf_run places = {.count = count, .width = 1, .component = component_of(component)};
	ossai_gltf_run values = {.count = count, .width = base->width, .component = base->component};
	if (count > base->count || !is_unsigned(places.component)) {
		return ossai_asset_fail(document->asset, "accessor %zu: its sparse indices are invalid", accessor->index);
	}
	OSSAI_TRY(ossai_gltf_charge(document, count, base->width + 1));
	OSSAI_TRY(locate(document, place_item, "sparse accessor", accessor->index, &places));
	OSSAI_TRY(locate(document, json_object_get(sparse, "values"), "sparse accessor", accessor->index, &values));
	if (count > 0 && (!places.data || !values.data)) {
		return ossai_asset_fail(document->asset, "accessor %zu: its sparse indices or values have no data", accessor->index);
	}
	accessor->changed = count;
	accessor->places = places.data;
	accessor->place_stride = places.stride;
	accessor->place_component = places.component;
	accessor->values = values.data;
	accessor->value_stride = values.stride;
	return OSSA_OK;
}

ossa_status ossai_gltf_open_accessor(ossai_gltf *document, size_t index, size_t width, ossai_gltf_accessor *accessor)
{
	const json_t *item = ossai_gltf_item(document, "accessors", index);
	size_t component;
	*accessor = (ossai_gltf_accessor){.index = index, .run = {.width = ossai_gltf_width(document, index)}};
	ossai_gltf_run *run = &accessor->run;
	if (!item) return ossai_asset_fail(document->asset, "there is no accessor %zu", index);
	OSSAI_TRY(ossai_gltf_whole(document, item, "count", 0, &run->count));
	OSSAI_TRY(ossai_gltf_whole(document, item, "componentType", 0, &component));
	run->component = component_of(component);
	run->normalized = json_is_true(json_object_get(item, "normalized"));
	if (run->component == OSSAI_GLTF_NO_COMPONENT) {
		return ossai_asset_fail(document->asset, "accessor %zu: %zu is no component type", index, component);
	}
	if (run->width == 0 || (width != 0 && run->width != width)) {
		const char *type = json_string_value(json_object_get(item, "type"));
		return ossai_asset_fail(document->asset, "accessor %zu is %.16s where elements of %zu numbers are needed", index,
			type ? type : "untyped", width);
	}
	OSSAI_TRY(ossai_gltf_charge(document, run->count, run->width));
	OSSAI_TRY(locate(document, item, "accessor", index, run));
	const json_t *sparse = json_object_get(item, "sparse");
	return sparse ? open_sparse(document, sparse, accessor) : OSSA_OK;
}

/* ---- floats ---- */

static inline __attribute__((always_inline)) float load_float(
	const uint8_t *at, ossai_gltf_component component, bool normalized)
{
	uint16_t half;
	uint32_t word;
	float real;
	switch (component) {
	case OSSAI_GLTF_I8: real = (float)(int8_t)*at; return normalized ? (real < -127 ? -1 : real / 127) : real;
	case OSSAI_GLTF_U8: return normalized ? (float)*at / 255 : (float)*at;
	case OSSAI_GLTF_I16:
		memcpy(&half, at, 2);
		real = (float)(int16_t)half;
		return normalized ? (real < -32767 ? -1 : real / 32767) : real;
	case OSSAI_GLTF_U16: memcpy(&half, at, 2); return normalized ? (float)half / 65535 : (float)half;
	case OSSAI_GLTF_U32: memcpy(&word, at, 4); return normalized ? (float)((double)word / 4294967295.0) : (float)word;
	default: memcpy(&real, at, 4); return real;
	}
}

/* with constant `component` and `normalized` a loop of its own; a packed run is one row of
   numbers */
static inline __attribute__((always_inline)) void convert_floats(
	const ossai_gltf_run *run, ossai_gltf_component component, bool normalized, float *restrict to, size_t step)
{
	const size_t size = component_size(component);
	const uint8_t *restrict at = run->data;
	if (run->stride == size * run->width && step == run->width) {
		const size_t count = run->count * run->width;
		for (size_t i = 0; i < count; i++) to[i] = load_float(at + i * size, component, normalized);
		return;
	}
	for (size_t i = 0; i < run->count; i++, at += run->stride, to += step) {
		for (size_t k = 0; k < run->width; k++) to[k] = load_float(at + k * size, component, normalized);
	}
}

static void run_floats(const ossai_gltf_run *run, float *to, size_t step)
{
	if (!run->data) {
		for (size_t i = 0; i < run->count; i++) memset(to + i * step, 0, run->width * sizeof *to);
		return;
	}
	switch (run->component) {
	case OSSAI_GLTF_I8:
		if (run->normalized) convert_floats(run, OSSAI_GLTF_I8, true, to, step);
		else convert_floats(run, OSSAI_GLTF_I8, false, to, step);
		break;
	case OSSAI_GLTF_U8:
		if (run->normalized) convert_floats(run, OSSAI_GLTF_U8, true, to, step);
		else convert_floats(run, OSSAI_GLTF_U8, false, to, step);
		break;
	case OSSAI_GLTF_I16:
		if (run->normalized) convert_floats(run, OSSAI_GLTF_I16, true, to, step);
		else convert_floats(run, OSSAI_GLTF_I16, false, to, step);
		break;
	case OSSAI_GLTF_U16:
		if (run->normalized) convert_floats(run, OSSAI_GLTF_U16, true, to, step);
		else convert_floats(run, OSSAI_GLTF_U16, false, to, step);
		break;
	case OSSAI_GLTF_U32:
		if (run->normalized) convert_floats(run, OSSAI_GLTF_U32, true, to, step);
		else convert_floats(run, OSSAI_GLTF_U32, false, to, step);
		break;
	default: convert_floats(run, OSSAI_GLTF_F32, false, to, step); break;
	}
}

/* ---- integers ---- */

static inline __attribute__((always_inline)) uint32_t load_integer(const uint8_t *at, ossai_gltf_component component)
{
	uint16_t half;
	uint32_t word;
	switch (component) {
	case OSSAI_GLTF_U8: return *at;
	case OSSAI_GLTF_U16: memcpy(&half, at, 2); return half;
	default: memcpy(&word, at, 4); return word;
	}
}

static inline __attribute__((always_inline)) void convert_integers(
	const ossai_gltf_run *run, ossai_gltf_component component, uint32_t *restrict to, size_t step)
{
	const size_t size = component_size(component);
	const uint8_t *restrict at = run->data;
	if (run->stride == size * run->width && step == run->width) {
		const size_t count = run->count * run->width;
		for (size_t i = 0; i < count; i++) to[i] = load_integer(at + i * size, component);
		return;
	}
	for (size_t i = 0; i < run->count; i++, at += run->stride, to += step) {
		for (size_t k = 0; k < run->width; k++) to[k] = load_integer(at + k * size, component);
	}
}

/* of a run of unsigned integers */
static void run_integers(const ossai_gltf_run *run, uint32_t *to, size_t step)
{
	if (!run->data) {
		for (size_t i = 0; i < run->count; i++) memset(to + i * step, 0, run->width * sizeof *to);
		return;
	}
	switch (run->component) {
	case OSSAI_GLTF_U8: convert_integers(run, OSSAI_GLTF_U8, to, step); break;
	case OSSAI_GLTF_U16: convert_integers(run, OSSAI_GLTF_U16, to, step); break;
	default: convert_integers(run, OSSAI_GLTF_U32, to, step); break;
	}
}

/* ---- sparse ---- */

/* glTF asks for places that increase: what programs make of others differs */
static void check_order(const ossai_gltf *document, size_t index, const uint32_t *places, size_t count)
{
	int64_t wrong = 0;
	for (size_t i = 1; i < count; i++) wrong += places[i] <= places[i - 1];
	if (wrong == 0) return;
	ossai_warn(document->context, "sparse-order", wrong,
		"%s: indices of sparse accessors do not increase, e.g. in accessor %zu: of equal ones the last counts",
		document->source->path, index);
}

/* the elements that a sparse accessor replaces, each below its count */
static ossa_status read_places(ossai_gltf *document, const ossai_gltf_accessor *accessor, uint32_t **places)
{
	const ossai_gltf_run run = {
		accessor->places, accessor->place_stride, accessor->changed, 1, accessor->place_component, false};
	OSSAI_TRY(ossai_gltf_scratch(document, places, run.count, sizeof **places));
	run_integers(&run, *places, 1);
	for (size_t i = 0; i < run.count; i++) {
		if ((*places)[i] < accessor->run.count) continue;
		return ossai_asset_fail(document->asset, "accessor %zu: sparse index %u is not below %zu", accessor->index,
			(unsigned)(*places)[i], accessor->run.count);
	}
	check_order(document, accessor->index, *places, run.count);
	return OSSA_OK;
}

/* the values that replace them: a run like the accessor's own */
static ossai_gltf_run changed_run(const ossai_gltf_accessor *accessor)
{
	ossai_gltf_run run = accessor->run;
	run.data = accessor->values;
	run.stride = accessor->value_stride;
	run.count = accessor->changed;
	return run;
}

ossa_status ossai_gltf_floats(ossai_gltf *document, const ossai_gltf_accessor *accessor, float *to, size_t step)
{
	const size_t width = accessor->run.width;
	uint32_t *places;
	float *values;
	run_floats(&accessor->run, to, step);
	if (accessor->changed == 0) return OSSA_OK;
	const ossai_gltf_run run = changed_run(accessor);
	OSSAI_TRY(read_places(document, accessor, &places));
	OSSAI_TRY(ossai_gltf_scratch(document, &values, run.count, width * sizeof *values));
	run_floats(&run, values, width);
	for (size_t i = 0; i < run.count; i++) memcpy(to + places[i] * step, values + i * width, width * sizeof *to);
	return OSSA_OK;
}

ossa_status ossai_gltf_integers(ossai_gltf *document, const ossai_gltf_accessor *accessor, uint32_t *to, size_t step)
{
	const size_t width = accessor->run.width;
	uint32_t *places, *values;
	if (!is_unsigned(accessor->run.component)) {
		return ossai_asset_fail(document->asset, "accessor %zu must hold unsigned integers", accessor->index);
	}
	run_integers(&accessor->run, to, step);
	if (accessor->changed == 0) return OSSA_OK;
	const ossai_gltf_run run = changed_run(accessor);
	OSSAI_TRY(read_places(document, accessor, &places));
	OSSAI_TRY(ossai_gltf_scratch(document, &values, run.count, width * sizeof *values));
	run_integers(&run, values, width);
	for (size_t i = 0; i < run.count; i++) memcpy(to + places[i] * step, values + i * width, width * sizeof *to);
	return OSSA_OK;
}

/* ---- finite ---- */

ossa_status ossai_gltf_check_finite(
	const ossai_gltf *document, const ossai_gltf_accessor *accessor, const float *values, size_t count)
{
	if (ossai_all_finite(values, count)) return OSSA_OK;
	size_t first = 0;
	while (isfinite(values[first])) first++;
	return ossai_asset_fail(
		document->asset, "accessor %zu: element %zu is not a finite number", accessor->index, first / accessor->run.width);
}

size_t ossai_gltf_repair_finite(float *values, size_t count)
{
	if (ossai_all_finite(values, count)) return 0;
	size_t repaired = 0;
	for (size_t i = 0; i < count; i++) {
		if (isfinite(values[i])) continue;
		values[i] = 0;
		repaired++;
	}
	return repaired;
}

ossa_status ossai_gltf_read_floats(ossai_gltf *document, const json_t *object, const char *key, size_t width, bool normalized,
	ossai_arena *arena, size_t *count, float **values)
{
	ossai_gltf_accessor accessor;
	size_t index;
	*count = 0;
	*values = NULL;
	OSSAI_TRY(ossai_gltf_index(document, object, key, "accessors", &index));
	if (index == SIZE_MAX) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_open_accessor(document, index, width, &accessor));
	accessor.run.normalized |= normalized;
	*count = accessor.run.count;
	*values = ossai_arena_new(arena, *count, width * sizeof **values);
	if (!*values) return ossa_context_error(document->context)->status;
	OSSAI_TRY(ossai_gltf_floats(document, &accessor, *values, width));
	return ossai_gltf_check_finite(document, &accessor, *values, *count * width);
}
