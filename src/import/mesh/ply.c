/* import/mesh/ply.c: Stanford PLY, ascii and binary of both byte orders.

   Place in the path: file → ossa_mesh.
   Input: bytes.
   Output: polygons with vertex normals, colours and texture coordinates (of vertices, or of face
   corners as MeshLab writes them). Other elements and properties are passed over.
   Source: see ply_header.c. */
#include "base/bytes.h"
#include "import/mesh/ply_header.h"
#include "import/readers.h"

#include <math.h>
#include <string.h>

typedef struct ply_reader {
	ossai_text text; /* the cursor, for binary files too */
	const char *begin;
	ossai_ply_header header;
	ossai_builder builder;
	size_t vertex_count; /* as the header says */
	uint32_t vertex_roles;
	uint32_t *indices; /* of the face being read */
	size_t index_count, index_capacity;
	float *texcoords;
	size_t texcoord_count, texcoord_capacity;
} ply_reader;

bool ossai_ply_detect(const uint8_t *bytes, size_t size)
{
	return size >= 4 && memcmp(bytes, "ply", 3) == 0 && (ossai_is_line_end((char)bytes[3]) || ossai_is_blank((char)bytes[3]));
}

static bool is_ascii(const ply_reader *reader) { return reader->header.format == OSSAI_PLY_ASCII; }

/* at the line, or at the byte of a binary file */
static ossai_place place_of(const ply_reader *reader)
{
	ossai_place place = ossai_text_place(&reader->text);
	if (is_ascii(reader)) return place;
	place.line = -1;
	place.offset = reader->text.at - reader->begin;
	return place;
}

static ossa_status cut_off(const ply_reader *reader)
{
	const ossai_place place = place_of(reader);
	return ossai_fail(reader->text.context, OSSA_ERROR_INPUT, &place,
		"the file ends before the values that its header names: is it cut off?");
}

static size_t bytes_left(const ply_reader *reader) { return (size_t)(reader->text.end - reader->text.at); }

/* ---- values ---- */

/* false where the word at the cursor is no value of the type */
static bool take_ascii(ossai_text *text, ossai_ply_type type, double *value)
{
	if (type >= OSSAI_PLY_FLOAT) {
		float number;
		if (ossai_text_number(text, &number) == OSSAI_NUMBER_NONE) return false;
		*value = number;
	} else {
		int64_t number;
		if (!ossai_text_integer(text, &number)) return false;
		*value = (double)number;
	}
	return text->at == text->end || ossai_is_blank(*text->at) || ossai_is_line_end(*text->at);
}

static ossa_status read_ascii(ply_reader *reader, ossai_ply_type type, double *value)
{
	ossai_text *text = &reader->text;
	ossai_text_blanks(text);
	const ossai_text before = *text;
	if (take_ascii(text, type, value)) return OSSA_OK;
	char shown[32];
	ossai_text_show(&before, shown);
	if (!shown[0]) return ossai_text_fail(text, "the line ends before the values that the header names: is the file cut off?");
	return ossai_text_fail(text, "\"%s\" where a %s must be", shown, type >= OSSAI_PLY_FLOAT ? "number" : "whole number");
}

static double value_of(ossai_ply_type type, uint64_t bits)
{
	double real;
	switch (type) {
	case OSSAI_PLY_INT8: return (int8_t)bits;
	case OSSAI_PLY_UINT8: return (uint8_t)bits;
	case OSSAI_PLY_INT16: return (int16_t)bits;
	case OSSAI_PLY_UINT16: return (uint16_t)bits;
	case OSSAI_PLY_INT32: return (int32_t)bits;
	case OSSAI_PLY_UINT32: return (uint32_t)bits;
	case OSSAI_PLY_FLOAT: return ossai_float_of_bits((uint32_t)bits);
	case OSSAI_PLY_DOUBLE: break;
	}
	memcpy(&real, &bits, sizeof real);
	return real;
}

/* the caller has seen that the bytes are there */
static double take_binary(ply_reader *reader, ossai_ply_type type)
{
	const size_t size = ossai_ply_size(type);
	const uint8_t *at = (const uint8_t *)reader->text.at;
	const bool big = reader->header.format == OSSAI_PLY_BIG;
	uint64_t bits = at[0];
	if (size == 2) bits = big ? (uint64_t)at[0] << 8 | at[1] : (uint64_t)at[1] << 8 | at[0];
	if (size == 4) bits = big ? ossai_big_32(at) : ossai_little_32(at);
	if (size == 8) {
		bits = big ? (uint64_t)ossai_big_32(at) << 32 | ossai_big_32(at + 4)
				   : (uint64_t)ossai_little_32(at + 4) << 32 | ossai_little_32(at);
	}
	reader->text.at += size;
	return value_of(type, bits);
}

static ossa_status read_value(ply_reader *reader, ossai_ply_type type, double *value)
{
	if (is_ascii(reader)) return read_ascii(reader, type, value);
	if (bytes_left(reader) < ossai_ply_size(type)) return cut_off(reader);
	*value = take_binary(reader, type);
	return OSSA_OK;
}

/* a list's length, checked against what the file can still hold */
static ossa_status read_length(ply_reader *reader, const ossai_ply_property *property, size_t *length)
{
	double value;
	OSSAI_TRY(read_value(reader, property->count_type, &value));
	if (value < 0) {
		const ossai_place place = place_of(reader);
		return ossai_fail(reader->text.context, OSSA_ERROR_INPUT, &place, "a list has the length %.0f", value);
	}
	*length = (size_t)value;
	/* a value of an ascii file takes a digit and a blank before it */
	const size_t size = is_ascii(reader) ? 2 : ossai_ply_size(property->type);
	return *length > bytes_left(reader) / size ? cut_off(reader) : OSSA_OK;
}

static ossa_status skip_property(ply_reader *reader, const ossai_ply_property *property)
{
	size_t length = 1;
	double value;
	if (property->is_list) OSSAI_TRY(read_length(reader, property, &length));
	if (!is_ascii(reader)) {
		if (bytes_left(reader) < length * ossai_ply_size(property->type)) return cut_off(reader);
		reader->text.at += length * ossai_ply_size(property->type);
		return OSSA_OK;
	}
	for (size_t i = 0; i < length; i++) OSSAI_TRY(read_value(reader, property->type, &value));
	return OSSA_OK;
}

/* ---- vertices ---- */

/* colours of whole numbers are shares of their type's largest value */
static double color_scale(ossai_ply_type type)
{
	switch (type) {
	case OSSAI_PLY_INT8: return 1 / 127.0;
	case OSSAI_PLY_UINT8: return 1 / 255.0;
	case OSSAI_PLY_INT16: return 1 / 32767.0;
	case OSSAI_PLY_UINT16: return 1 / 65535.0;
	default: return 1;
	}
}

static ossa_status add_vertex(ply_reader *reader, const float values[OSSAI_PLY_INDICES], const ossai_place *place)
{
	ossai_builder *builder = &reader->builder;
	const uint32_t roles = reader->vertex_roles;
	if (!isfinite(values[OSSAI_PLY_X]) || !isfinite(values[OSSAI_PLY_Y]) || !isfinite(values[OSSAI_PLY_Z])) {
		return ossai_fail(builder->context, OSSA_ERROR_INPUT, place,
			"vertex %zu has a coordinate that is not finite: repair the mesh or export it again", builder->mesh->vertex_count);
	}
	OSSAI_TRY(ossai_builder_vertex(builder, values + OSSAI_PLY_X));
	if (builder->parts != OSSAI_PARTS_ALL) return OSSA_OK;
	if (roles >> OSSAI_PLY_RED & 1) OSSAI_TRY(ossai_builder_color(builder, values + OSSAI_PLY_RED));
	if (roles >> OSSAI_PLY_NX & 1) OSSAI_TRY(ossai_builder_normal(builder, values + OSSAI_PLY_NX));
	if (roles >> OSSAI_PLY_U & 1) return ossai_builder_texcoord(builder, values[OSSAI_PLY_U], values[OSSAI_PLY_V]);
	return OSSA_OK;
}

static ossa_status read_vertex(ply_reader *reader, const ossai_ply_element *element)
{
	float values[OSSAI_PLY_OTHER + 1] = {[OSSAI_PLY_ALPHA] = 1};
	const ossai_place place = place_of(reader);
	for (size_t i = 0; i < element->property_count; i++) {
		const ossai_ply_property *property = &reader->header.properties[element->first + i];
		if (property->is_list || property->role == OSSAI_PLY_OTHER) {
			OSSAI_TRY(skip_property(reader, property));
			continue;
		}
		double value;
		OSSAI_TRY(read_value(reader, property->type, &value));
		const bool color = property->role >= OSSAI_PLY_RED && property->role <= OSSAI_PLY_ALPHA;
		values[property->role] = (float)(color ? value * color_scale(property->type) : value);
	}
	return add_vertex(reader, values, &place);
}

/* ---- faces ---- */

static ossa_status read_indices(ply_reader *reader, const ossai_ply_property *property)
{
	OSSAI_TRY(read_length(reader, property, &reader->index_count));
	OSSAI_TRY(ossai_reserve(
		reader->text.context, &reader->indices, &reader->index_capacity, reader->index_count, sizeof reader->indices[0]));
	for (size_t i = 0; i < reader->index_count; i++) {
		double value;
		OSSAI_TRY(read_value(reader, property->type, &value));
		if (value >= 0 && value < (double)reader->vertex_count) {
			reader->indices[i] = (uint32_t)value;
			continue;
		}
		const ossai_place place = place_of(reader);
		return ossai_fail(reader->text.context, OSSA_ERROR_INPUT, &place,
			"face %zu has the vertex index %.0f, but there are only %zu vertices: is the file damaged?",
			reader->builder.mesh->polygon_count, value, reader->vertex_count);
	}
	return OSSA_OK;
}

static ossa_status read_texcoords(ply_reader *reader, const ossai_ply_property *property)
{
	OSSAI_TRY(read_length(reader, property, &reader->texcoord_count));
	OSSAI_TRY(ossai_reserve(reader->text.context, &reader->texcoords, &reader->texcoord_capacity, reader->texcoord_count,
		sizeof reader->texcoords[0]));
	for (size_t i = 0; i < reader->texcoord_count; i++) {
		double value;
		OSSAI_TRY(read_value(reader, property->type, &value));
		reader->texcoords[i] = (float)value;
	}
	return OSSA_OK;
}

static ossa_status add_face(ply_reader *reader)
{
	ossai_builder *builder = &reader->builder;
	const bool attributes = builder->parts == OSSAI_PARTS_ALL;
	/* texture coordinates of this face's own corners go before those of its vertices */
	const bool wedges = attributes && reader->texcoord_count == 2 * reader->index_count;
	const bool vertex_texcoords = attributes && reader->vertex_roles >> OSSAI_PLY_U & 1;
	const bool vertex_normals = attributes && reader->vertex_roles >> OSSAI_PLY_NX & 1;
	for (size_t i = 0; i < reader->index_count; i++) {
		const uint32_t vertex = reader->indices[i];
		uint32_t texcoord = vertex_texcoords ? vertex : OSSA_NONE;
		if (wedges) {
			OSSAI_TRY(ossai_builder_texcoord(builder, reader->texcoords[2 * i], reader->texcoords[2 * i + 1]));
			texcoord = (uint32_t)(builder->mesh->texcoord_count - 1);
		}
		OSSAI_TRY(ossai_builder_corner(builder, vertex, texcoord, vertex_normals ? vertex : OSSA_NONE));
	}
	return ossai_builder_polygon(builder);
}

static ossa_status read_face(ply_reader *reader, const ossai_ply_element *element)
{
	reader->index_count = reader->texcoord_count = 0;
	const ossai_place place = place_of(reader);
	for (size_t i = 0; i < element->property_count; i++) {
		const ossai_ply_property *property = &reader->header.properties[element->first + i];
		if (property->role == OSSAI_PLY_INDICES) OSSAI_TRY(read_indices(reader, property));
		else if (property->role == OSSAI_PLY_TEXCOORDS) OSSAI_TRY(read_texcoords(reader, property));
		else OSSAI_TRY(skip_property(reader, property));
	}
	if (reader->index_count >= 3) return add_face(reader);
	return ossai_fail(reader->text.context, OSSA_ERROR_INPUT, &place, "face %zu has %zu corners, but needs at least 3",
		reader->builder.mesh->polygon_count, reader->index_count);
}

/* ---- the file ---- */

static ossa_status read_item(ply_reader *reader, const ossai_ply_element *element)
{
	if (element->kind == OSSAI_PLY_VERTICES) return read_vertex(reader, element);
	if (element->kind == OSSAI_PLY_FACES) return read_face(reader, element);
	for (size_t i = 0; i < element->property_count; i++) {
		OSSAI_TRY(skip_property(reader, &reader->header.properties[element->first + i]));
	}
	return OSSA_OK;
}

/* the fewest bytes that one item of an element takes */
static size_t least_size(const ply_reader *reader, const ossai_ply_element *element)
{
	size_t size = 0;
	for (size_t i = 0; i < element->property_count; i++) {
		const ossai_ply_property *property = &reader->header.properties[element->first + i];
		size += is_ascii(reader) ? 2 : ossai_ply_size(property->is_list ? property->count_type : property->type);
	}
	return size;
}

static ossa_status read_element(ply_reader *reader, const ossai_ply_element *element)
{
	const size_t size = least_size(reader, element);
	if (size == 0) return OSSA_OK;
	/* the last line may lack its line end */
	if (element->count > (bytes_left(reader) + 1) / size) return cut_off(reader);
	if (element->kind == OSSAI_PLY_VERTICES) OSSAI_TRY(ossai_builder_expect(&reader->builder, element->count, 0, 0));
	if (element->kind == OSSAI_PLY_FACES)
		OSSAI_TRY(ossai_builder_expect(&reader->builder, 0, element->count, 3 * element->count));
	for (size_t i = 0; i < element->count; i++) {
		if (is_ascii(reader)) ossai_text_space(&reader->text, 0);
		OSSAI_TRY(read_item(reader, element));
		if (is_ascii(reader) && !ossai_text_line_done(&reader->text)) {
			return ossai_text_fail(&reader->text, "the line has more values than the header names");
		}
	}
	return OSSA_OK;
}

static ossa_status check_header(ply_reader *reader)
{
	const uint32_t xyz = 1U << OSSAI_PLY_X | 1U << OSSAI_PLY_Y | 1U << OSSAI_PLY_Z;
	for (size_t i = 0; i < reader->header.element_count; i++) {
		const ossai_ply_element *element = &reader->header.elements[i];
		if (element->kind == OSSAI_PLY_STRIPS) {
			return ossai_text_fail(&reader->text, "holds triangle strips, which ossa does not read: export it with faces");
		}
		if (element->kind == OSSAI_PLY_FACES && element->count && !(element->roles >> OSSAI_PLY_INDICES & 1)) {
			return ossai_text_fail(&reader->text, "the faces have no list vertex_indices");
		}
		if (element->kind != OSSAI_PLY_VERTICES) continue;
		if ((element->roles & xyz) != xyz) return ossai_text_fail(&reader->text, "the vertices do not have x, y and z");
		reader->vertex_count = element->count;
		reader->vertex_roles = element->roles;
	}
	if (reader->vertex_count < UINT32_MAX) return OSSA_OK;
	return ossai_text_fail(&reader->text, "%zu vertices: a mesh has at most 4294967294", reader->vertex_count);
}

static ossa_status read_all(ply_reader *reader)
{
	OSSAI_TRY(ossai_ply_header_read(&reader->text, &reader->header));
	OSSAI_TRY(check_header(reader));
	for (size_t i = 0; i < reader->header.element_count; i++) {
		const ossai_ply_element *element = &reader->header.elements[i];
		if (element->kind == OSSAI_PLY_FACES && reader->builder.parts == OSSAI_PARTS_POSITIONS) {
			/* vertices that come after the faces need the faces stepped over */
			if (reader->builder.mesh->vertex_count == reader->vertex_count) break;
		}
		OSSAI_TRY(read_element(reader, element));
	}
	return OSSA_OK;
}

ossa_status ossai_ply_read(ossa_context *context, const ossai_source *source, ossai_parts parts, ossa_mesh **mesh)
{
	*mesh = NULL;
	ply_reader reader = {.text = ossai_text_begin(context, source->path, source->bytes, source->size)};
	reader.begin = (const char *)source->bytes;
	OSSAI_TRY(ossai_builder_begin(context, source, parts, &reader.builder));
	const ossa_status status = read_all(&reader);
	ossai_ply_header_free(context, &reader.header);
	ossa_free(context, reader.indices);
	ossa_free(context, reader.texcoords);
	return ossai_builder_end(&reader.builder, status, mesh);
}
