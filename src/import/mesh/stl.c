/* import/mesh/stl.c: STL, ascii and binary: triangles without shared vertices, welded where
   positions are equal.

   Place in the path: file → ossa_mesh.
   Input: bytes.
   Output: triangles; vertices in the order in which they are met. Exporters order triangles as they
   like, so STL cannot hold poses.
   Source: 3D Systems, StereoLithography Interface Specification, 1988. */
#include "base/bytes.h"
#include "import/readers.h"

#include <math.h>
#include <string.h>

enum { HEADER_SIZE = 80, COUNT_END = 84, FACET_SIZE = 50, NORMAL_SIZE = 12 };

typedef struct stl_reader {
	ossai_builder builder;
	const ossai_source *source;
	uint32_t *slots; /* open hash table of vertices by position */
	size_t slot_count;
} stl_reader;

/* the header's count fits the file's size exactly */
static bool is_binary(const uint8_t *bytes, size_t size)
{
	return size >= COUNT_END && (size - COUNT_END) % FACET_SIZE == 0 &&
		(size - COUNT_END) / FACET_SIZE == ossai_little_32(bytes + HEADER_SIZE);
}

static bool is_ascii(const uint8_t *bytes, size_t size)
{
	ossai_text text = ossai_text_begin(NULL, "", bytes, size < 4096 ? size : 4096);
	ossai_text_space(&text, 0);
	if (!ossai_word_is(ossai_text_word(&text), "solid")) return false;
	/* many binary files begin with "solid" too, but continue with other bytes */
	ossai_text_next_line(&text);
	ossai_text_space(&text, 0);
	const ossai_word word = ossai_text_word(&text);
	return ossai_word_is(word, "facet") || ossai_word_is(word, "endsolid");
}

bool ossai_stl_detect(const uint8_t *bytes, size_t size) { return is_binary(bytes, size) || is_ascii(bytes, size); }

/* ---- welding ---- */

static size_t position_slot(const stl_reader *reader, const float position[3])
{
	uint32_t bits[3];
	memcpy(bits, position, sizeof bits);
	uint64_t hash = 0;
	for (int k = 0; k < 3; k++) {
		hash = (hash ^ bits[k]) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 29;
	}
	size_t slot = (size_t)(hash ^ hash >> 32) & (reader->slot_count - 1);
	for (; reader->slots[slot] != OSSA_NONE; slot = (slot + 1) & (reader->slot_count - 1)) {
		const float *other = reader->builder.mesh->positions + 3 * (size_t)reader->slots[slot];
		if (other[0] == position[0] && other[1] == position[1] && other[2] == position[2]) break;
	}
	return slot;
}

/* at most half of the table is in use */
static ossa_status grow_slots(stl_reader *reader)
{
	ossa_context *context = reader->builder.context;
	const ossa_mesh *mesh = reader->builder.mesh;
	if (2 * (mesh->vertex_count + 1) <= reader->slot_count) return OSSA_OK;
	const size_t count = reader->slot_count ? 2 * reader->slot_count : 1024;
	uint32_t *slots = ossai_resize(context, reader->slots, count, sizeof *slots);
	if (!slots) return ossa_context_error(context)->status;
	memset(slots, 0xFF, count * sizeof *slots);
	reader->slots = slots;
	reader->slot_count = count;
	for (size_t i = 0; i < mesh->vertex_count; i++) slots[position_slot(reader, mesh->positions + 3 * i)] = (uint32_t)i;
	return OSSA_OK;
}

static ossa_status add_corner(stl_reader *reader, float position[3])
{
	/* -0 and 0 are the same position */
	for (int k = 0; k < 3; k++) position[k] += 0.0F;
	OSSAI_TRY(grow_slots(reader));
	const size_t slot = position_slot(reader, position);
	if (reader->slots[slot] == OSSA_NONE) {
		OSSAI_TRY(ossai_builder_vertex(&reader->builder, position));
		reader->slots[slot] = (uint32_t)(reader->builder.mesh->vertex_count - 1);
	}
	return ossai_builder_corner(&reader->builder, reader->slots[slot], OSSA_NONE, OSSA_NONE);
}

/* ---- the two forms ---- */

static ossa_status read_facet(stl_reader *reader, const uint8_t *facet)
{
	float corners[9];
	for (size_t k = 0; k < 9; k++) {
		corners[k] = ossai_float_of_bits(ossai_little_32(facet + NORMAL_SIZE + 4 * k));
		if (isfinite(corners[k])) continue;
		ossai_place place = ossai_in_file(reader->source->path);
		place.offset = facet + NORMAL_SIZE + 4 * k - reader->source->bytes;
		return ossai_fail(reader->builder.context, OSSA_ERROR_INPUT, &place,
			"triangle %zu has a coordinate that is not finite: repair the mesh or export it again",
			reader->builder.mesh->polygon_count);
	}
	for (int k = 0; k < 3; k++) OSSAI_TRY(add_corner(reader, corners + 3 * k));
	return ossai_builder_polygon(&reader->builder);
}

static ossa_status read_binary(stl_reader *reader)
{
	const ossai_source *source = reader->source;
	ossai_place place = ossai_in_file(source->path);
	place.offset = (int64_t)source->size;
	if (source->size < COUNT_END) {
		return ossai_fail(reader->builder.context, OSSA_ERROR_INPUT, &place, "is too short for STL: is it cut off?");
	}
	const size_t count = ossai_little_32(source->bytes + HEADER_SIZE);
	if (count > (source->size - COUNT_END) / FACET_SIZE) {
		return ossai_fail(reader->builder.context, OSSA_ERROR_INPUT, &place, "ends after %zu of %zu triangles: is it cut off?",
			(source->size - COUNT_END) / FACET_SIZE, count);
	}
	if (count) OSSAI_TRY(ossai_builder_expect(&reader->builder, count / 2 + 8, count, 3 * count));
	for (size_t i = 0; i < count; i++) OSSAI_TRY(read_facet(reader, source->bytes + COUNT_END + FACET_SIZE * i));
	return OSSA_OK;
}

static ossa_status end_facet(stl_reader *reader, const ossai_text *text)
{
	const size_t count = ossai_builder_open_corners(&reader->builder);
	if (count == 0) return OSSA_OK;
	if (count < 3) return ossai_text_fail(text, "facet ends after %zu of 3 vertices: is the file cut off?", count);
	return ossai_builder_polygon(&reader->builder);
}

/* only the vertices and the ends of facets matter */
static ossa_status read_ascii(stl_reader *reader)
{
	const ossai_source *source = reader->source;
	ossai_text text = ossai_text_of_file(reader->builder.context, source->path, source->bytes, source->size);
	for (; !ossai_text_ended(&text); ossai_text_next_line(&text)) {
		ossai_text_blanks(&text);
		const ossai_word word = ossai_text_word(&text);
		if (ossai_word_is(word, "endloop") || ossai_word_is(word, "endfacet")) OSSAI_TRY(end_facet(reader, &text));
		if (!ossai_word_is(word, "vertex")) continue;
		float position[3];
		OSSAI_TRY(ossai_text_numbers(&text, "vertex", 3, position));
		OSSAI_TRY(add_corner(reader, position));
	}
	if (ossai_builder_open_corners(&reader->builder) == 0) return ossai_text_end(&text);
	return ossai_text_fail(&text, "the file ends in a facet: is it cut off?");
}

static void warn_of_welded(const stl_reader *reader)
{
	const ossa_mesh *mesh = reader->builder.mesh;
	if (mesh->corner_count == mesh->vertex_count) return;
	ossai_warn(reader->builder.context, "welded-vertices", (int64_t)(mesh->corner_count - mesh->vertex_count),
		"%s: STL has no shared vertices; corners of equal position became one vertex", reader->source->path);
}

ossa_status ossai_stl_read(ossa_context *context, const ossai_source *source, ossai_parts parts, ossa_mesh **mesh)
{
	*mesh = NULL;
	stl_reader reader = {.source = source};
	OSSAI_TRY(ossai_builder_begin(context, source, parts, &reader.builder));
	const bool ascii = !is_binary(source->bytes, source->size) && is_ascii(source->bytes, source->size);
	const ossa_status status = ascii ? read_ascii(&reader) : read_binary(&reader);
	if (status == OSSA_OK) warn_of_welded(&reader);
	ossa_free(context, reader.slots);
	return ossai_builder_end(&reader.builder, status, mesh);
}
