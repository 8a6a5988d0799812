/* import/mesh/obj.c: Wavefront OBJ.

   Place in the path: file → ossa_mesh.
   Input: text.
   Output: polygons with texture coordinates, normals, vertex colours and materials, which are in
   libraries beside the file (mtl.c); objects by `o`, and where there is none by `g`, if no two of
   these groups share a vertex: groups of one surface are no objects. Smoothing, lines, points and
   free-form surfaces are ignored.
   Source: Wavefront Technologies, Advanced Visualizer manual, appendix B1 (Object Files); vertex
   colours after x y z as MeshLab and Blender write them. Indices may refer to later lines of the
   file, as most readers allow. */
#include "import/mesh/mtl.h"
#include "import/readers.h"

#include <string.h>

typedef struct obj_reader {
	ossai_text text;
	ossai_builder builder;
	int64_t largest_vertex; /* 1-based index of a face, and the line of its first use */
	int64_t largest_line;
	ossai_mtl_lines libraries;
	bool has_objects; /* an `o` was read */
} obj_reader;

/* one corner as in the file, 0 for missing indices */
typedef struct obj_corner {
	int64_t vertex, texcoord, normal;
} obj_corner;

/* ---- detection ---- */

/* a statement that only OBJ files have, for the first lines of a file */
static bool is_statement(ossai_word word)
{
	static const char *const statements[] = {
		"v", "vt", "vn", "vp", "f", "o", "g", "s", "l", "p", "mtllib", "usemtl", "usemap", "maplib", "mg", "cstype", "deg"};
	for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
		if (ossai_word_is(word, statements[i])) return true;
	}
	return false;
}

bool ossai_obj_detect(const uint8_t *bytes, size_t size)
{
	/* the first line that is not empty and no comment decides */
	ossai_text text = ossai_text_begin(NULL, "", bytes, size < 1 << 20 ? size : 1 << 20);
	ossai_text_space(&text, '#');
	const ossai_word word = ossai_text_word(&text);
	return is_statement(word) && !memchr(bytes, 0, size < 512 ? size : 512);
}

/* ---- vertices ---- */

/* what may follow x y z: w; or red green blue, with or without alpha */
static ossa_status read_vertex_extras(obj_reader *reader)
{
	ossai_text *text = &reader->text;
	float extras[4] = {1, 1, 1, 1};
	int count = 0;
	for (; count < 4 && !ossai_text_line_done(text); count++) {
		/* a colour that is not finite is repaired and counted by the builder */
		if (ossai_text_number(text, &extras[count]) == OSSAI_NUMBER_NONE) {
			char shown[32];
			return ossai_text_fail(text, "vertex has \"%s\" where a number must be", ossai_text_show(text, shown));
		}
	}
	return count >= 3 ? ossai_builder_color(&reader->builder, extras) : OSSA_OK;
}

static ossa_status read_vertex(obj_reader *reader)
{
	float position[3];
	OSSAI_TRY(ossai_text_numbers(&reader->text, "vertex", 3, position));
	OSSAI_TRY(ossai_builder_vertex(&reader->builder, position));
	return ossai_text_line_done(&reader->text) ? OSSA_OK : read_vertex_extras(reader);
}

/* the numbers of a vt or vn line: as many as there are, up to `count`; the rest stay 0 */
static ossa_status read_attribute(obj_reader *reader, const char *what, int count, float *values)
{
	ossai_text *text = &reader->text;
	for (int i = 0; i < count && !ossai_text_line_done(text); i++) {
		if (ossai_text_number(text, &values[i]) != OSSAI_NUMBER_NONE) continue;
		char shown[32];
		return ossai_text_fail(text, "%s has \"%s\" where a number must be", what, ossai_text_show(text, shown));
	}
	return OSSA_OK;
}

static ossa_status read_texcoord(obj_reader *reader)
{
	float values[2] = {0, 0};
	if (reader->builder.parts != OSSAI_PARTS_ALL) return OSSA_OK;
	OSSAI_TRY(read_attribute(reader, "texture coordinate", 2, values));
	return ossai_builder_texcoord(&reader->builder, values[0], values[1]);
}

static ossa_status read_normal(obj_reader *reader)
{
	float values[3] = {0, 0, 0};
	if (reader->builder.parts != OSSAI_PARTS_ALL) return OSSA_OK;
	OSSAI_TRY(read_attribute(reader, "normal", 3, values));
	return ossai_builder_normal(&reader->builder, values);
}

/* ---- faces ---- */

/* vertex, vertex/texcoord, vertex//normal or vertex/texcoord/normal; false where there is none of
   them */
static bool read_corner(ossai_text *text, obj_corner *corner)
{
	*corner = (obj_corner){0, 0, 0};
	if (!ossai_text_integer(text, &corner->vertex)) return false;
	if (text->at == text->end || *text->at != '/') return true;
	text->at++;
	ossai_text_integer(text, &corner->texcoord);
	if (text->at == text->end || *text->at != '/') return true;
	text->at++;
	ossai_text_integer(text, &corner->normal);
	return true;
}

/* 1-based from the beginning, or negative from the last one, 0 for none; an invalid one becomes an
   index out of range, which the builder counts and drops */
static uint32_t attribute_index(int64_t index, size_t count)
{
	if (index == 0) return OSSA_NONE;
	if (index < 0) index += (int64_t)count + 1;
	return index > 0 && index < UINT32_MAX ? (uint32_t)(index - 1) : UINT32_MAX - 1;
}

static ossa_status vertex_out_of_range(obj_reader *reader, int64_t index, int64_t line)
{
	reader->text.line = line;
	if (index == 0) return ossai_text_fail(&reader->text, "face has the vertex index 0, but indices begin at 1");
	return ossai_text_fail(&reader->text,
		"face has the vertex index %lld, but there are only %zu vertices%s: is the file cut off?", (long long)index,
		reader->builder.mesh->vertex_count, index < 0 ? " before it" : "");
}

static ossa_status add_corner(obj_reader *reader, const obj_corner *corner)
{
	const ossa_mesh *mesh = reader->builder.mesh;
	int64_t vertex = corner->vertex;
	if (vertex < 0) vertex += (int64_t)mesh->vertex_count + 1;
	if (vertex <= 0 || vertex > UINT32_MAX - 1) return vertex_out_of_range(reader, corner->vertex, reader->text.line);
	if (vertex > reader->largest_vertex) {
		reader->largest_vertex = vertex;
		reader->largest_line = reader->text.line;
	}
	return ossai_builder_corner(&reader->builder, (uint32_t)(vertex - 1),
		attribute_index(corner->texcoord, mesh->texcoord_count), attribute_index(corner->normal, mesh->normal_count));
}

static ossa_status read_face(obj_reader *reader)
{
	ossai_text *text = &reader->text;
	if (reader->builder.parts == OSSAI_PARTS_POSITIONS) return OSSA_OK;
	while (!ossai_text_line_done(text)) {
		obj_corner corner;
		char shown[32];
		if (!read_corner(text, &corner)) {
			return ossai_text_fail(text, "face has \"%s\" where a vertex index must be", ossai_text_show(text, shown));
		}
		OSSAI_TRY(add_corner(reader, &corner));
	}
	const size_t count = ossai_builder_open_corners(&reader->builder);
	if (count < 3) return ossai_text_fail(text, "face has %zu corners, but needs at least 3: is the file cut off?", count);
	return ossai_builder_polygon(&reader->builder);
}

/* ---- objects ---- */

static ossa_status read_object(obj_reader *reader, bool is_group)
{
	if (is_group && reader->has_objects) return OSSA_OK;
	if (!is_group && !reader->has_objects) ossai_builder_forget_objects(&reader->builder);
	reader->has_objects = reader->has_objects || !is_group;
	reader->builder.are_groups = is_group;
	return ossai_builder_object(&reader->builder, ossai_text_rest(&reader->text));
}

/* ---- the file ---- */

static ossa_status read_material(obj_reader *reader)
{
	const ossai_word name = ossai_text_rest(&reader->text);
	return ossai_builder_material(&reader->builder, name, name);
}

static ossa_status read_statement(obj_reader *reader)
{
	ossai_text *text = &reader->text;
	const ossai_word word = ossai_text_word(text);
	if (ossai_word_is(word, "v")) return read_vertex(reader);
	if (ossai_word_is(word, "f")) return read_face(reader);
	if (ossai_word_is(word, "vt")) return read_texcoord(reader);
	if (ossai_word_is(word, "vn")) return read_normal(reader);
	if (ossai_word_is(word, "o") || ossai_word_is(word, "g")) return read_object(reader, ossai_word_is(word, "g"));
	if (ossai_word_is(word, "usemtl")) return read_material(reader);
	if (ossai_word_is(word, "mtllib")) ossai_mtl_add_line(&reader->libraries, ossai_text_rest(text));
	return OSSA_OK;
}

static ossa_status read_all(obj_reader *reader)
{
	ossai_text *text = &reader->text;
	while (!ossai_text_ended(text)) {
		ossai_text_blanks(text);
		if (text->at < text->end && *text->at != '#') OSSAI_TRY(read_statement(reader));
		ossai_text_next_line(text);
	}
	OSSAI_TRY(ossai_text_end(text));
	if (reader->largest_vertex > (int64_t)reader->builder.mesh->vertex_count)
		return vertex_out_of_range(reader, reader->largest_vertex, reader->largest_line);
	return ossai_mtl_read(&reader->builder, &reader->libraries);
}

ossa_status ossai_obj_read(ossa_context *context, const ossai_source *source, ossai_parts parts, ossa_mesh **mesh)
{
	*mesh = NULL;
	obj_reader reader = {.text = ossai_text_of_file(context, source->path, source->bytes, source->size)};
	reader.text.continues = true;
	OSSAI_TRY(ossai_builder_begin(context, source, parts, &reader.builder));
	return ossai_builder_end(&reader.builder, read_all(&reader), mesh);
}
