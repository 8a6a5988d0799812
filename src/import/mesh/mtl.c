/* import/mesh/mtl.c: the material libraries (.mtl) of an OBJ file.

   Place in the path: inside the OBJ reader, after the faces.
   Input: what the OBJ's mtllib lines name.
   Output: the mesh's appearance. Lines that make no sense are passed over, as programs do: a
   library that is missing or broken leaves a white mesh and a warning.
   Source: Wavefront Technologies, Advanced Visualizer manual, appendix B2 (Material Library
   Files). */
#include "import/mesh/mtl.h"
#include "import/mesh/mtl_material.h"
#include "base/uri.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct libraries {
	ossai_builder *builder;
	ossai_appearance *appearance;
	uint8_t *is_read; /* by material of the mesh */
	size_t read_count;
	int64_t missing;
	char missing_name[128];
} libraries;

void ossai_mtl_add_line(ossai_mtl_lines *lines, ossai_word line)
{
	for (size_t i = 0; i < lines->count; i++) {
		if (ossai_words_are_same(lines->items[i], line)) return;
	}
	if (lines->count < OSSAI_MTL_LINES_MAX) lines->items[lines->count++] = line;
	else lines->left_out++;
}

/* ---- one library ---- */

/* ends the material that is being read, OSSA_NONE: none that counts */
static ossa_status end_material(libraries *all, const char *path, uint32_t index, const ossai_mtl_material *material)
{
	if (index == OSSA_NONE) return OSSA_OK;
	all->is_read[index] = 1;
	all->read_count++;
	return ossai_mtl_material_end(material, all->appearance, path, &all->appearance->materials[index]);
}

/* the mesh's material that a "newmtl" begins; OSSA_NONE: it has none of that name, or it is read
   already */
static uint32_t begin_material(const libraries *all, ossai_text *text)
{
	const uint32_t index = ossai_builder_find_material(all->builder, ossai_text_rest(text));
	return index != OSSA_NONE && all->is_read[index] ? OSSA_NONE : index;
}

static ossa_status read_statements(libraries *all, ossai_text *text, bool *has_material)
{
	ossai_mtl_material material = ossai_mtl_material_begin();
	uint32_t index = OSSA_NONE;
	for (; !ossai_text_ended(text); ossai_text_next_line(text)) {
		ossai_text_blanks(text);
		const ossai_word word = ossai_text_word(text);
		if (word.size == 6 && strncasecmp(word.bytes, "newmtl", 6) == 0) {
			OSSAI_TRY(end_material(all, text->name, index, &material));
			index = begin_material(all, text);
			material = ossai_mtl_material_begin();
			*has_material = true;
		} else if (index != OSSA_NONE) {
			ossai_mtl_material_take(&material, word, text);
		}
	}
	return end_material(all, text->name, index, &material);
}

static void count_missing(libraries *all, ossai_word name)
{
	if (all->missing++ > 0) return;
	const int size = (int)(name.size < sizeof all->missing_name ? name.size : sizeof all->missing_name - 1);
	snprintf(all->missing_name, sizeof all->missing_name, "%.*s", size, name.bytes);
}

/* the file that is named, or its last part beside the OBJ, as programs write paths of other
   machines */
static bool find_library(const libraries *all, ossai_word word, char path[OSSAI_PATH_SIZE])
{
	const ossai_builder *builder = all->builder;
	char name[OSSAI_PATH_SIZE];
	if (word.size >= sizeof name) return false;
	snprintf(name, sizeof name, "%.*s", (int)word.size, word.bytes);
	return ossai_uri_find(builder->context, builder->path, name, true, path);
}

static ossa_status read_library(libraries *all, ossai_word name)
{
	ossa_context *context = all->builder->context;
	char path[OSSAI_PATH_SIZE];
	ossai_file file;
	bool has_material = false;
	if (!find_library(all, name, path) || ossai_file_open(context, path, &file) != OSSA_OK) {
		count_missing(all, name);
		return OSSA_OK;
	}
	ossai_text text = ossai_text_of_file(context, path, file.bytes, file.size);
	text.continues = true;
	const ossa_status status = read_statements(all, &text, &has_material);
	ossai_file_close(context, &file);
	if (!has_material || text.is_cut) count_missing(all, name);
	return status;
}

/* ---- all of them ---- */

static bool ends_library(ossai_word word) { return word.size > 4 && strncasecmp(word.bytes + word.size - 4, ".mtl", 4) == 0; }

/* "a.mtl my b.mtl": names have spaces, and end with their ending or the line */
static ossa_status read_line(libraries *all, ossai_word line)
{
	ossai_text text = ossai_text_begin(all->builder->context, all->builder->path, line.bytes, line.size);
	while (!ossai_text_line_done(&text)) {
		ossai_word name = {text.at, 0}, word;
		do {
			word = ossai_text_word(&text);
			name.size = (size_t)(text.at - name.bytes);
		} while (!ends_library(word) && !ossai_text_line_done(&text));
		if (all->read_count < all->builder->mesh->material_count) OSSAI_TRY(read_library(all, name));
	}
	return OSSA_OK;
}

static ossa_status read_lines(libraries *all, const ossai_mtl_lines *lines)
{
	const ossai_builder *builder = all->builder;
	for (size_t i = 0; i < lines->count; i++) OSSAI_TRY(read_line(all, lines->items[i]));
	all->missing += lines->left_out;
	if (all->missing > 0) {
		ossai_warn(builder->context, "library-missing", all->missing,
			"%s: material libraries that it names are not beside it, hold no material or are damaged, e.g. \"%s\"",
			builder->path, all->missing_name);
	}
	if (all->read_count == 0) return OSSA_OK;
	builder->mesh->appearance = ossai_appearance_share(&all->appearance->shown);
	return OSSA_OK;
}

ossa_status ossai_mtl_read(ossai_builder *builder, const ossai_mtl_lines *lines)
{
	const size_t count = builder->mesh->material_count;
	libraries all = {.builder = builder};
	if (count == 0 || lines->count == 0) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(builder->context);
	all.is_read = ossai_arena_zero(&arena, count, 1);
	all.appearance = all.is_read ? ossai_appearance_new(builder->context, count) : NULL;
	const ossa_status status = all.appearance ? read_lines(&all, lines) : ossa_context_error(builder->context)->status;
	if (all.appearance) ossai_appearance_release(&all.appearance->shown);
	ossai_arena_end(&arena);
	return status;
}
