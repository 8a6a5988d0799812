/* import/mesh/off.c: Geomview OFF, text, with its variants for colours, normals and texture
   coordinates.

   Place in the path: file → ossa_mesh.
   Input: text.
   Output: polygons; COFF's vertex colours, NOFF's normals, STOFF's texture coordinates; colours of
   faces are ignored.
   Source: Geomview manual, section OFF files. Vertices may break over lines; a face ends with its
   line. */
#include "import/readers.h"

#include <string.h>

typedef struct off_reader {
	ossai_text text;
	ossai_builder builder;
	/* as the first word says */
	bool has_texcoords, has_colors, has_normals, has_fourth, has_dimension;
	size_t vertex_count, face_count;
} off_reader;

/* [ST][C][N][4][n]OFF, with or without a blank before the counts; false where something else is
   there */
static bool parse_keyword(ossai_text *text, off_reader *reader)
{
	const char *at = text->at, *const end = text->end;
	if (end - at >= 2 && memcmp(at, "ST", 2) == 0) {
		reader->has_texcoords = true;
		at += 2;
	}
	const struct {
		char letter;
		bool *flag;
	} flags[] = {
		{'C', &reader->has_colors}, {'N', &reader->has_normals}, {'4', &reader->has_fourth}, {'n', &reader->has_dimension}};
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
		*flags[i].flag = at < end && *at == flags[i].letter;
		at += *flags[i].flag;
	}
	if (end - at < 3 || memcmp(at, "OFF", 3) != 0) return false;
	text->at = at + 3;
	return text->at == end || ossai_is_blank(at[3]) || ossai_is_line_end(at[3]) || ossai_is_digit(at[3]);
}

bool ossai_off_detect(const uint8_t *bytes, size_t size)
{
	ossai_text text = ossai_text_begin(NULL, "", bytes, size < 1 << 16 ? size : 1 << 16);
	off_reader reader = {0};
	ossai_text_space(&text, '#');
	return parse_keyword(&text, &reader);
}

/* the next whole number, on this line or the next */
static ossa_status read_count(off_reader *reader, const char *what, size_t *count)
{
	ossai_text *text = &reader->text;
	int64_t value;
	char shown[32];
	ossai_text_space(text, '#');
	if (ossai_text_ended(text))
		return ossai_text_fail(text, "the file ends where the number of %s must be: is it cut off?", what);
	const char *const before = text->at;
	if (!ossai_text_integer(text, &value) || value < 0) {
		text->at = before;
		return ossai_text_fail(text, "\"%s\" where the number of %s must be", ossai_text_show(text, shown), what);
	}
	*count = (size_t)value;
	return OSSA_OK;
}

static ossa_status read_header(off_reader *reader)
{
	ossai_text *text = &reader->text;
	ossai_text_space(text, '#');
	if (!parse_keyword(text, reader)) return ossai_text_fail(text, "does not begin with OFF");
	if (reader->has_fourth || reader->has_dimension) {
		return ossai_text_fail(text, "holds vertices of another dimension than 3: export it as plain OFF");
	}
	ossai_text_blanks(text);
	ossai_text ahead = *text;
	if (ossai_word_is(ossai_text_word(&ahead), "BINARY")) {
		return ossai_text_fail(text, "is binary OFF, which ossa does not read: export it as text, or as PLY");
	}
	size_t edges;
	OSSAI_TRY(read_count(reader, "vertices", &reader->vertex_count));
	OSSAI_TRY(read_count(reader, "faces", &reader->face_count));
	ossai_text_blanks(text);
	/* some writers leave the number of edges out */
	if (!ossai_text_line_done(text)) OSSAI_TRY(read_count(reader, "edges", &edges));
	/* a vertex takes six bytes and a face eight, so an impossible count is noticed before memory is
	   allocated */
	const size_t left = (size_t)(text->end - text->at) + 1;
	if (reader->vertex_count <= left / 6 && reader->face_count <= left / 2) return OSSA_OK;
	OSSAI_TRY(ossai_text_end(text));
	return ossai_text_fail(text, "%zu vertices and %zu faces cannot be in the %zu bytes that follow: is the file cut off?",
		reader->vertex_count, reader->face_count, left - 1);
}

/* a number on this line or the next; attributes may be nan, positions not */
static ossa_status read_number(off_reader *reader, float *value)
{
	ossai_text *text = &reader->text;
	ossai_text_space(text, '#');
	if (ossai_text_ended(text)) {
		return ossai_text_fail(text, "the file ends after %zu of %zu vertices: is it cut off?",
			reader->builder.mesh->vertex_count, reader->vertex_count);
	}
	return ossai_text_numbers(text, "vertex", 1, value);
}

/* further values on a vertex's line: a colour that the header does not declare */
static ossa_status read_rest(off_reader *reader, float *values, int *count)
{
	ossai_text *text = &reader->text;
	for (*count = 0; *count < 8 && !ossai_text_line_done(text); (*count)++) {
		if (ossai_text_number(text, &values[*count]) != OSSAI_NUMBER_NONE) continue;
		char shown[32];
		return ossai_text_fail(text, "vertex has \"%s\" where a number must be", ossai_text_show(text, shown));
	}
	return OSSA_OK;
}

static ossa_status read_vertex(off_reader *reader)
{
	ossai_builder *builder = &reader->builder;
	float position[3], normal[3], rest[8] = {0};
	int count;
	for (int k = 0; k < 3; k++) OSSAI_TRY(read_number(reader, &position[k]));
	OSSAI_TRY(ossai_builder_vertex(builder, position));
	for (int k = 0; reader->has_normals && k < 3; k++) OSSAI_TRY(read_number(reader, &normal[k]));
	OSSAI_TRY(read_rest(reader, rest, &count));
	if (builder->parts != OSSAI_PARTS_ALL) return OSSA_OK;
	if (reader->has_normals) OSSAI_TRY(ossai_builder_normal(builder, normal));
	if (reader->has_texcoords) {
		const int at = count >= 2 ? count - 2 : 0;
		OSSAI_TRY(ossai_builder_texcoord(builder, rest[at], rest[at + 1]));
		count -= 2;
	}
	if (count < 3) return OSSA_OK;
	const float color[4] = {rest[0], rest[1], rest[2], count > 3 ? rest[3] : 1};
	return ossai_builder_color(builder, color);
}

static ossa_status read_corner(off_reader *reader, size_t size)
{
	ossai_text *text = &reader->text;
	const size_t face = reader->builder.mesh->polygon_count;
	int64_t index;
	char shown[32];
	if (ossai_text_line_done(text)) {
		return ossai_text_fail(text, "face %zu ends after %zu of %zu corners: is the file cut off?", face,
			ossai_builder_open_corners(&reader->builder), size);
	}
	if (!ossai_text_integer(text, &index)) {
		return ossai_text_fail(text, "face %zu has \"%s\" where a vertex index must be", face, ossai_text_show(text, shown));
	}
	if (index < 0 || (size_t)index >= reader->vertex_count) {
		return ossai_text_fail(text, "face %zu has the vertex index %lld, but there are only %zu vertices", face,
			(long long)index, reader->vertex_count);
	}
	const uint32_t vertex = (uint32_t)index;
	return ossai_builder_corner(
		&reader->builder, vertex, reader->has_texcoords ? vertex : OSSA_NONE, reader->has_normals ? vertex : OSSA_NONE);
}

static ossa_status read_face(off_reader *reader)
{
	ossai_text *text = &reader->text;
	size_t size;
	OSSAI_TRY(read_count(reader, "corners of a face", &size));
	if (size < 3) {
		return ossai_text_fail(
			text, "face %zu has %zu corners, but needs at least 3", reader->builder.mesh->polygon_count, size);
	}
	for (size_t i = 0; i < size; i++) OSSAI_TRY(read_corner(reader, size));
	/* what follows is the face's colour */
	ossai_text_next_line(text);
	return ossai_builder_polygon(&reader->builder);
}

static ossa_status read_all(off_reader *reader)
{
	OSSAI_TRY(read_header(reader));
	if (reader->vertex_count) OSSAI_TRY(ossai_builder_expect(&reader->builder, reader->vertex_count, 0, 0));
	for (size_t i = 0; i < reader->vertex_count; i++) OSSAI_TRY(read_vertex(reader));
	if (reader->builder.parts == OSSAI_PARTS_POSITIONS) return OSSA_OK;
	for (size_t i = 0; i < reader->face_count; i++) OSSAI_TRY(read_face(reader));
	return OSSA_OK;
}

ossa_status ossai_off_read(ossa_context *context, const ossai_source *source, ossai_parts parts, ossa_mesh **mesh)
{
	*mesh = NULL;
	off_reader reader = {.text = ossai_text_of_file(context, source->path, source->bytes, source->size)};
	OSSAI_TRY(ossai_builder_begin(context, source, parts, &reader.builder));
	return ossai_builder_end(&reader.builder, read_all(&reader), mesh);
}
