/* import/mesh/ply_header.c: the header of a PLY file: see ply_header.h.

   Place in the path: below ply.c.
   Input: text.
   Output: elements and their properties, in file order.
   Source: G. Turk, The PLY Polygon File Format, 1994; property names as Blender, MeshLab, Open3D
   and scanners write them. */
#include "import/mesh/ply_header.h"

#include <string.h>

static const struct {
	const char *name;
	ossai_ply_type type;
} types[] = {
	{"char", OSSAI_PLY_INT8},
	{"int8", OSSAI_PLY_INT8},
	{"uchar", OSSAI_PLY_UINT8},
	{"uint8", OSSAI_PLY_UINT8},
	{"short", OSSAI_PLY_INT16},
	{"int16", OSSAI_PLY_INT16},
	{"ushort", OSSAI_PLY_UINT16},
	{"uint16", OSSAI_PLY_UINT16},
	{"int", OSSAI_PLY_INT32},
	{"int32", OSSAI_PLY_INT32},
	{"uint", OSSAI_PLY_UINT32},
	{"uint32", OSSAI_PLY_UINT32},
	{"float", OSSAI_PLY_FLOAT},
	{"float32", OSSAI_PLY_FLOAT},
	{"double", OSSAI_PLY_DOUBLE},
	{"float64", OSSAI_PLY_DOUBLE},
};

static const struct {
	const char *name;
	ossai_ply_role role;
} roles[] = {
	{"x", OSSAI_PLY_X},
	{"y", OSSAI_PLY_Y},
	{"z", OSSAI_PLY_Z},
	{"nx", OSSAI_PLY_NX},
	{"ny", OSSAI_PLY_NY},
	{"nz", OSSAI_PLY_NZ},
	{"s", OSSAI_PLY_U},
	{"t", OSSAI_PLY_V},
	{"u", OSSAI_PLY_U},
	{"v", OSSAI_PLY_V},
	{"texture_u", OSSAI_PLY_U},
	{"texture_v", OSSAI_PLY_V},
	{"red", OSSAI_PLY_RED},
	{"green", OSSAI_PLY_GREEN},
	{"blue", OSSAI_PLY_BLUE},
	{"alpha", OSSAI_PLY_ALPHA},
	{"diffuse_red", OSSAI_PLY_RED},
	{"diffuse_green", OSSAI_PLY_GREEN},
	{"diffuse_blue", OSSAI_PLY_BLUE},
	{"vertex_indices", OSSAI_PLY_INDICES},
	{"vertex_index", OSSAI_PLY_INDICES},
	{"texcoord", OSSAI_PLY_TEXCOORDS},
};

size_t ossai_ply_size(ossai_ply_type type)
{
	static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
	return sizes[type];
}

void ossai_ply_header_free(ossa_context *context, ossai_ply_header *header)
{
	ossa_free(context, header->elements);
	ossa_free(context, header->properties);
	*header = (ossai_ply_header){0};
}

static ossai_word next_word(ossai_text *text)
{
	ossai_text_blanks(text);
	return ossai_text_word(text);
}

static ossa_status read_format(ossai_text *text, ossai_ply_header *header)
{
	ossai_text_blanks(text);
	const ossai_text before = *text;
	const ossai_word word = ossai_text_word(text);
	char shown[32];
	if (ossai_word_is(word, "ascii")) header->format = OSSAI_PLY_ASCII;
	else if (ossai_word_is(word, "binary_little_endian")) header->format = OSSAI_PLY_LITTLE;
	else if (ossai_word_is(word, "binary_big_endian")) header->format = OSSAI_PLY_BIG;
	else {
		return ossai_text_fail(&before, "format \"%s\" is none of ascii, binary_little_endian, binary_big_endian",
			ossai_text_show(&before, shown));
	}
	return OSSA_OK;
}

static ossa_status read_element(ossai_text *text, ossai_ply_header *header)
{
	OSSAI_TRY(ossai_reserve(
		text->context, &header->elements, &header->element_capacity, header->element_count, sizeof header->elements[0]));
	const ossai_word name = next_word(text);
	ossai_ply_element element = {.kind = OSSAI_PLY_UNKNOWN, .first = header->property_count};
	if (ossai_word_is(name, "vertex")) element.kind = OSSAI_PLY_VERTICES;
	if (ossai_word_is(name, "face")) element.kind = OSSAI_PLY_FACES;
	if (ossai_word_is(name, "tristrips")) element.kind = OSSAI_PLY_STRIPS;
	if (ossai_word_is(name, "range_grid")) element.kind = OSSAI_PLY_GRID;
	for (size_t i = 0; i < header->element_count; i++) {
		if (element.kind == OSSAI_PLY_UNKNOWN || header->elements[i].kind != element.kind) continue;
		return ossai_text_fail(text, "element %.*s is there twice", (int)name.size, name.bytes);
	}
	int64_t count = 0;
	ossai_text_blanks(text);
	if (!ossai_text_integer(text, &count) || count < 0) return ossai_text_fail(text, "element without a count");
	element.count = (size_t)count;
	header->elements[header->element_count++] = element;
	return OSSA_OK;
}

static ossa_status read_type(ossai_text *text, ossai_ply_type *type)
{
	ossai_text_blanks(text);
	const ossai_text before = *text;
	const ossai_word word = ossai_text_word(text);
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		if (!ossai_word_is(word, types[i].name)) continue;
		*type = types[i].type;
		return OSSA_OK;
	}
	char shown[32];
	return ossai_text_fail(&before, "property has the unknown type \"%s\"", ossai_text_show(&before, shown));
}

static ossai_ply_role role_of(ossai_word name, bool is_list)
{
	for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
		const bool list_role = roles[i].role == OSSAI_PLY_INDICES || roles[i].role == OSSAI_PLY_TEXCOORDS;
		if (list_role == is_list && ossai_word_is(name, roles[i].name)) return roles[i].role;
	}
	return OSSAI_PLY_OTHER;
}

static ossa_status read_property(ossai_text *text, ossai_ply_header *header)
{
	if (header->element_count == 0) return ossai_text_fail(text, "property before any element");
	OSSAI_TRY(ossai_reserve(
		text->context, &header->properties, &header->property_capacity, header->property_count, sizeof header->properties[0]));
	ossai_ply_property property = {.role = OSSAI_PLY_OTHER};
	ossai_text_blanks(text);
	ossai_text ahead = *text;
	property.is_list = ossai_word_is(ossai_text_word(&ahead), "list");
	if (property.is_list) {
		*text = ahead;
		OSSAI_TRY(read_type(text, &property.count_type));
		if (property.count_type >= OSSAI_PLY_FLOAT) return ossai_text_fail(text, "a list's length cannot be a fraction");
	}
	OSSAI_TRY(read_type(text, &property.type));
	property.role = role_of(next_word(text), property.is_list);
	ossai_ply_element *element = &header->elements[header->element_count - 1];
	element->property_count++;
	element->roles |= 1U << property.role;
	header->properties[header->property_count++] = property;
	return OSSA_OK;
}

ossa_status ossai_ply_header_read(ossai_text *text, ossai_ply_header *header)
{
	*header = (ossai_ply_header){0};
	bool has_format = false;
	if (!ossai_word_is(ossai_text_word(text), "ply")) return ossai_text_fail(text, "does not begin with \"ply\"");
	for (;;) {
		ossai_text_next_line(text);
		if (ossai_text_ended(text)) return ossai_text_fail(text, "the header has no end_header: is the file cut off?");
		const ossai_word word = next_word(text);
		if (ossai_word_is(word, "end_header")) break;
		if (ossai_word_is(word, "format")) {
			OSSAI_TRY(read_format(text, header));
			has_format = true;
		} else if (ossai_word_is(word, "element")) OSSAI_TRY(read_element(text, header));
		else if (ossai_word_is(word, "property")) OSSAI_TRY(read_property(text, header));
		else if (word.size && !ossai_word_is(word, "comment") && !ossai_word_is(word, "obj_info")) {
			return ossai_text_fail(text, "the header has a line that PLY does not know");
		}
	}
	if (!has_format) return ossai_text_fail(text, "the header has no format line");
	ossai_text_next_line(text);
	return OSSA_OK;
}
