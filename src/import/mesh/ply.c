/* import/mesh/ply.c: Stanford PLY, ascii and binary of both byte orders.

   Place in the path: file → ossa_mesh.
   Input: bytes.
   Output: polygons with vertex normals, colours and texture coordinates (of vertices, or of face
   corners as MeshLab writes them), triangles of strips. Other elements and properties are ignored.
   Source: see ply_header.c. */
#include "import/mesh/ply_strips.h"
#include "import/readers.h"

#include <math.h>
#include <string.h>

typedef struct ply_reader {
	ossai_ply_cursor cursor;
	ossai_ply_header header;
	ossai_builder builder;
	ossai_ply_corners corners;
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
	const ossai_place place = ossai_ply_place(&reader->cursor);
	for (size_t i = 0; i < element->property_count; i++) {
		const ossai_ply_property *property = &reader->header.properties[element->first + i];
		if (property->is_list || property->role == OSSAI_PLY_OTHER) {
			OSSAI_TRY(ossai_ply_skip(&reader->cursor, property));
			continue;
		}
		double value;
		OSSAI_TRY(ossai_ply_read_value(&reader->cursor, property->type, &value));
		const bool color = property->role >= OSSAI_PLY_RED && property->role <= OSSAI_PLY_ALPHA;
		values[property->role] = (float)(color ? value * color_scale(property->type) : value);
	}
	return add_vertex(reader, values, &place);
}

/* ---- faces ---- */

static ossa_status read_indices(ply_reader *reader, const ossai_ply_property *property)
{
	OSSAI_TRY(ossai_ply_read_length(&reader->cursor, property, &reader->index_count));
	OSSAI_TRY(ossai_reserve(reader->cursor.text.context, &reader->indices, &reader->index_capacity, reader->index_count,
		sizeof reader->indices[0]));
	for (size_t i = 0; i < reader->index_count; i++) {
		double value;
		OSSAI_TRY(ossai_ply_read_value(&reader->cursor, property->type, &value));
		if (value >= 0 && value < (double)reader->corners.vertex_count) {
			reader->indices[i] = (uint32_t)value;
			continue;
		}
		const ossai_place place = ossai_ply_place(&reader->cursor);
		return ossai_fail(reader->cursor.text.context, OSSA_ERROR_INPUT, &place,
			"face %zu has the vertex index %.0f, but there are only %zu vertices: is the file damaged?",
			reader->builder.mesh->polygon_count, value, reader->corners.vertex_count);
	}
	return OSSA_OK;
}

static ossa_status read_texcoords(ply_reader *reader, const ossai_ply_property *property)
{
	OSSAI_TRY(ossai_ply_read_length(&reader->cursor, property, &reader->texcoord_count));
	OSSAI_TRY(ossai_reserve(reader->cursor.text.context, &reader->texcoords, &reader->texcoord_capacity, reader->texcoord_count,
		sizeof reader->texcoords[0]));
	for (size_t i = 0; i < reader->texcoord_count; i++) {
		double value;
		OSSAI_TRY(ossai_ply_read_value(&reader->cursor, property->type, &value));
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
	for (size_t i = 0; i < reader->index_count; i++) {
		const uint32_t vertex = reader->indices[i];
		if (!wedges) {
			OSSAI_TRY(ossai_ply_add_corner(builder, &reader->corners, vertex));
			continue;
		}
		OSSAI_TRY(ossai_builder_texcoord(builder, reader->texcoords[2 * i], reader->texcoords[2 * i + 1]));
		const uint32_t texcoord = (uint32_t)(builder->mesh->texcoord_count - 1);
		OSSAI_TRY(ossai_builder_corner(builder, vertex, texcoord, reader->corners.normals ? vertex : OSSA_NONE));
	}
	return ossai_builder_polygon(builder);
}

static ossa_status read_face(ply_reader *reader, const ossai_ply_element *element)
{
	reader->index_count = reader->texcoord_count = 0;
	const ossai_place place = ossai_ply_place(&reader->cursor);
	for (size_t i = 0; i < element->property_count; i++) {
		const ossai_ply_property *property = &reader->header.properties[element->first + i];
		if (property->role == OSSAI_PLY_INDICES) OSSAI_TRY(read_indices(reader, property));
		else if (property->role == OSSAI_PLY_TEXCOORDS) OSSAI_TRY(read_texcoords(reader, property));
		else OSSAI_TRY(ossai_ply_skip(&reader->cursor, property));
	}
	if (reader->index_count >= 3) return add_face(reader);
	return ossai_fail(reader->cursor.text.context, OSSA_ERROR_INPUT, &place, "face %zu has %zu corners, but needs at least 3",
		reader->builder.mesh->polygon_count, reader->index_count);
}

/* ---- the file ---- */

static ossa_status read_strips(ply_reader *reader, const ossai_ply_element *element)
{
	for (size_t i = 0; i < element->property_count; i++) {
		const ossai_ply_property *property = &reader->header.properties[element->first + i];
		if (property->role != OSSAI_PLY_INDICES) OSSAI_TRY(ossai_ply_skip(&reader->cursor, property));
		else OSSAI_TRY(ossai_ply_read_strips(&reader->cursor, property, &reader->corners, &reader->builder));
	}
	return OSSA_OK;
}

static ossa_status read_item(ply_reader *reader, const ossai_ply_element *element)
{
	if (element->kind == OSSAI_PLY_VERTICES) return read_vertex(reader, element);
	if (element->kind == OSSAI_PLY_FACES) return read_face(reader, element);
	if (element->kind == OSSAI_PLY_STRIPS) return read_strips(reader, element);
	for (size_t i = 0; i < element->property_count; i++) {
		OSSAI_TRY(ossai_ply_skip(&reader->cursor, &reader->header.properties[element->first + i]));
	}
	return OSSA_OK;
}

/* the fewest bytes that one item of an element takes */
static size_t least_size(const ply_reader *reader, const ossai_ply_element *element)
{
	size_t size = 0;
	for (size_t i = 0; i < element->property_count; i++) {
		const ossai_ply_property *property = &reader->header.properties[element->first + i];
		size += ossai_ply_is_ascii(&reader->cursor) ? 2
													: ossai_ply_size(property->is_list ? property->count_type : property->type);
	}
	return size;
}

static ossa_status read_element(ply_reader *reader, const ossai_ply_element *element)
{
	const size_t size = least_size(reader, element);
	if (size == 0) return OSSA_OK;
	/* the last line may lack its line end */
	if (element->count > (ossai_ply_bytes_left(&reader->cursor) + 1) / size) return ossai_ply_cut_off(&reader->cursor);
	if (element->kind == OSSAI_PLY_VERTICES) OSSAI_TRY(ossai_builder_expect(&reader->builder, element->count, 0, 0));
	if (element->kind == OSSAI_PLY_FACES)
		OSSAI_TRY(ossai_builder_expect(&reader->builder, 0, element->count, 3 * element->count));
	for (size_t i = 0; i < element->count; i++) {
		if (ossai_ply_is_ascii(&reader->cursor)) ossai_text_space(&reader->cursor.text, 0);
		OSSAI_TRY(read_item(reader, element));
		if (ossai_ply_is_ascii(&reader->cursor) && !ossai_text_line_done(&reader->cursor.text)) {
			return ossai_text_fail(&reader->cursor.text, "the line has more values than the header names");
		}
	}
	return OSSA_OK;
}

/* what every element must have, and which attributes of vertices corners use */
static ossa_status check_element(ply_reader *reader, const ossai_ply_element *element)
{
	const uint32_t xyz = 1U << OSSAI_PLY_X | 1U << OSSAI_PLY_Y | 1U << OSSAI_PLY_Z;
	const uint32_t roles = element->roles;
	const ossai_text *text = &reader->cursor.text;
	const bool has_indices = element->count == 0 || roles >> OSSAI_PLY_INDICES & 1;
	if (element->kind == OSSAI_PLY_STRIPS && !has_indices)
		return ossai_text_fail(text, "the triangle strips have no list vertex_indices");
	if (element->kind == OSSAI_PLY_FACES && !has_indices) return ossai_text_fail(text, "the faces have no list vertex_indices");
	if (element->kind != OSSAI_PLY_VERTICES) return OSSA_OK;
	if ((roles & xyz) != xyz) return ossai_text_fail(text, "the vertices do not have x, y and z");
	const bool attributes = reader->builder.parts == OSSAI_PARTS_ALL;
	reader->vertex_roles = roles;
	reader->corners = (ossai_ply_corners){
		.vertex_count = element->count,
		.texcoords = attributes && roles >> OSSAI_PLY_U & 1,
		.normals = attributes && roles >> OSSAI_PLY_NX & 1,
	};
	return OSSA_OK;
}

static ossa_status check_header(ply_reader *reader)
{
	bool has_faces = false, has_grid = false;
	for (size_t i = 0; i < reader->header.element_count; i++) {
		const ossai_ply_element *element = &reader->header.elements[i];
		OSSAI_TRY(check_element(reader, element));
		has_faces = has_faces || element->kind == OSSAI_PLY_FACES || element->kind == OSSAI_PLY_STRIPS;
		has_grid = has_grid || element->kind == OSSAI_PLY_GRID;
	}
	if (has_grid && !has_faces) {
		return ossai_text_fail(
			&reader->cursor.text, "holds a range scan (range_grid) without faces: make a surface of the scan first");
	}
	if (reader->corners.vertex_count < UINT32_MAX) return OSSA_OK;
	return ossai_text_fail(&reader->cursor.text, "more vertices than a mesh can have: at most 4294967294");
}

static ossa_status read_all(ply_reader *reader)
{
	OSSAI_TRY(ossai_ply_header_read(&reader->cursor.text, &reader->header));
	ossai_ply_begin_values(&reader->cursor, reader->header.format);
	OSSAI_TRY(check_header(reader));
	for (size_t i = 0; i < reader->header.element_count; i++) {
		const ossai_ply_element *element = &reader->header.elements[i];
		const bool is_surface = element->kind == OSSAI_PLY_FACES || element->kind == OSSAI_PLY_STRIPS;
		if (is_surface && reader->builder.parts == OSSAI_PARTS_POSITIONS) {
			/* if vertices come after the faces, the faces are skipped first */
			if (reader->builder.mesh->vertex_count == reader->corners.vertex_count) break;
		}
		OSSAI_TRY(read_element(reader, element));
	}
	return OSSA_OK;
}

ossa_status ossai_ply_read(ossa_context *context, const ossai_source *source, ossai_parts parts, ossa_mesh **mesh)
{
	*mesh = NULL;
	ply_reader reader = {.cursor = ossai_ply_cursor_begin(context, source)};
	OSSAI_TRY(ossai_builder_begin(context, source, parts, &reader.builder));
	const ossa_status status = read_all(&reader);
	ossai_ply_header_free(context, &reader.header);
	ossa_free(context, reader.indices);
	ossa_free(context, reader.texcoords);
	return ossai_builder_end(&reader.builder, status, mesh);
}
