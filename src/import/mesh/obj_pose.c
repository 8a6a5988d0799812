/* import/mesh/obj_pose.c: see obj_pose.h.

   What is skipped here, the ordinary reader (obj.c) does not need for positions and faces either:
   names, materials, groups, normals, texture coordinates, comments. */
#include "import/mesh/obj_pose.h"

#include "base/text.h"

/* what may follow x y z of a vertex: w, or a colour */
enum { EXTRAS_MOST = 4 };

/* Steps over the line; false where it ends in a way that the next one may belong to it, or has what
   no text has. `last`: behind what is on it. */
static bool skip_line(ossai_text *text, const char **last)
{
	const char *const at = text->at;
	*last = at;
	/* most vertices end here: no search is needed */
	if (at < text->end && *at == '\n') {
		text->at++;
		return true;
	}
	const char *const next = at < text->end ? memchr(at, '\n', (size_t)(text->end - at)) : NULL;
	*last = next ? next : text->end;
	text->at = next ? next + 1 : text->end;
	if (*last > at && (*last)[-1] == '\r') (*last)--;
	if (*last == at) return true;
	const size_t size = (size_t)(*last - at);
	return (*last)[-1] != '\\' && !memchr(at, '\r', size) && !memchr(at, 0, size);
}

static bool is_statement(const ossai_text *text, char letter)
{
	return *text->at == letter && (text->at + 1 == text->end || ossai_is_blank(text->at[1]) || ossai_is_line_end(text->at[1]));
}

/* a line that neither begins with blanks nor continues another */
static bool begins_plainly(const ossai_text *text) { return !ossai_is_blank(*text->at) && *text->at != '\\'; }

static bool read_vertex(ossai_text *text, float *position)
{
	const char *last;
	text->at++;
	for (size_t k = 0; k < 3; k++) {
		ossai_text_blanks(text);
		if (ossai_text_number(text, &position[k]) != OSSAI_NUMBER_OK) return false;
	}
	for (int k = 0; k < EXTRAS_MOST && !ossai_text_line_done(text); k++) {
		float extra;
		if (ossai_text_number(text, &extra) == OSSAI_NUMBER_NONE) return false;
	}
	return skip_line(text, &last);
}

static bool skip_faces(ossai_text *text, const char **last)
{
	while (!ossai_text_ended(text) && is_statement(text, 'f')) {
		if (!skip_line(text, last)) return false;
	}
	return true;
}

/* ---- faces ---- */

static ossa_status add_lines(ossai_arena *arena, ossai_face_text *faces, size_t begin, size_t size)
{
	OSSAI_TRY(ossai_arena_reserve(arena, &faces->lines, &faces->capacity, faces->count, sizeof *faces->lines));
	faces->lines[faces->count++] = (ossai_face_lines){begin, size, faces->vertex_count};
	return OSSA_OK;
}

ossa_status ossai_obj_find_faces(ossai_arena *arena, const ossai_source *source, ossai_face_text *faces, bool *is_plain)
{
	ossai_text text = ossai_text_begin(arena->context, source->path, source->bytes, source->size);
	*faces = (ossai_face_text){.bytes = source->bytes};
	*is_plain = true;
	while (*is_plain && !ossai_text_ended(&text)) {
		const char *const begin = text.at, *last;
		const bool is_face = is_statement(&text, 'f');
		faces->vertex_count += is_statement(&text, 'v');
		*is_plain = begins_plainly(&text) && (is_face ? skip_faces(&text, &last) : skip_line(&text, &last));
		if (!*is_plain || !is_face) continue;
		OSSAI_TRY(add_lines(arena, faces, (size_t)(begin - (const char *)source->bytes), (size_t)(last - begin)));
	}
	return OSSA_OK;
}

/* steps over them where they are the `index`-th of the faces that are known */
static bool match_faces(ossai_text *text, const ossai_face_text *faces, size_t index, size_t vertices)
{
	const char *last;
	if (!faces) return skip_faces(text, &last);
	if (index >= faces->count) return false;
	const ossai_face_lines *known = &faces->lines[index];
	if (known->vertices != vertices || known->size > (size_t)(text->end - text->at)) return false;
	if (memcmp(text->at, faces->bytes + known->begin, known->size) != 0) return false;
	text->at += known->size;
	if (!ossai_text_ended(text) && !ossai_is_line_end(*text->at)) return false;
	return skip_line(text, &last) && (ossai_text_ended(text) || !is_statement(text, 'f'));
}

/* ---- the file ---- */

bool ossai_obj_read_pose(const ossai_source *source, const ossai_face_text *faces, size_t vertex_count, float *positions)
{
	ossai_text text = ossai_text_begin(NULL, source->path, source->bytes, source->size);
	size_t vertices = 0, blocks = 0;
	const char *last;
	if (faces && faces->vertex_count != vertex_count) return false;
	while (!ossai_text_ended(&text)) {
		bool is_plain = begins_plainly(&text);
		if (is_plain && is_statement(&text, 'v')) {
			is_plain = vertices < vertex_count && read_vertex(&text, positions + 3 * vertices);
			vertices++;
		} else if (is_plain) {
			is_plain = is_statement(&text, 'f') ? match_faces(&text, faces, blocks++, vertices) : skip_line(&text, &last);
		}
		if (!is_plain) return false;
	}
	return vertices == vertex_count && (!faces || blocks == faces->count);
}
