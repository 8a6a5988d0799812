/* edit/line.c: an edit as a line of text, and back.

   Place in the path: between the log, the command or the studio and the editor.
   Input: "split thigh_L 0.4".
   Output: an ossa_edit. Words are separated by blanks or commas; each word is a field. Numbers are
   printed with enough digits to read back exactly. */
#include "edit/line.h"

#include "base/order.h"
#include "base/text.h"
#include "math/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a line of some bytes can name so many faces and no more: 64 MB */
enum { FACES_MAX = 1 << 24 };

typedef struct line_reader {
	ossa_context *context;
	const char *at, *end;
	const ossa_edit_verb *verb;
	ossa_edit *edit;
	size_t face_capacity;
} line_reader;

/* ---- words ---- */

bool ossai_parts_words(char c) { return ossai_is_blank(c) || ossai_is_line_end(c) || c == ','; }

static ossai_word next_word(line_reader *reader)
{
	while (reader->at < reader->end && ossai_parts_words(*reader->at)) reader->at++;
	const char *first = reader->at;
	while (reader->at < reader->end && !ossai_parts_words(*reader->at)) reader->at++;
	return (ossai_word){first, (size_t)(reader->at - first)};
}

static bool has_more(const line_reader *reader)
{
	line_reader ahead = *reader;
	return next_word(&ahead).size > 0;
}

/* the word as it can be shown: cut, without control characters */
static const char *show(ossai_word word, char shown[48])
{
	const size_t size = word.size < 40 ? word.size : 40;
	for (size_t i = 0; i < size; i++) shown[i] = word.bytes[i] >= 32 && word.bytes[i] < 127 ? word.bytes[i] : '?';
	memcpy(shown + size, word.size > size ? "..." : "", word.size > size ? 4 : 1);
	return shown;
}

/* every error message ends with the form of the verb */
static ossa_status refuse(const line_reader *reader, ossai_word word, const char *wanted)
{
	char shown[48];
	if (word.size == 0) {
		return ossai_fail(reader->context, OSSA_ERROR_ARGUMENT, NULL, "%s: %s is missing; the form is: %s %s",
			reader->verb->verb, wanted, reader->verb->verb, reader->verb->words);
	}
	return ossai_fail(reader->context, OSSA_ERROR_ARGUMENT, NULL, "%s: \"%s\" is not %s; the form is: %s %s",
		reader->verb->verb, show(word, shown), wanted, reader->verb->verb, reader->verb->words);
}

/* ---- fields ---- */

static ossa_status read_bone(line_reader *reader, char name[OSSA_EDIT_NAME_SIZE], const char *wanted)
{
	const ossai_word word = next_word(reader);
	if (word.size == 0 || word.size >= OSSA_EDIT_NAME_SIZE) return refuse(reader, word, wanted);
	memcpy(name, word.bytes, word.size);
	name[word.size] = 0;
	return OSSA_OK;
}

bool ossai_is_bone_name(const char *name)
{
	if (!name[0] || !memchr(name, 0, OSSA_EDIT_NAME_SIZE)) return false;
	return name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")] == 0;
}

static ossa_status read_name(line_reader *reader)
{
	static const char wanted[] = "a bone's name (up to 63 of A-Z a-z 0-9 _ -)";
	OSSAI_TRY(read_bone(reader, reader->edit->name, wanted));
	if (ossai_is_bone_name(reader->edit->name)) return OSSA_OK;
	return refuse(reader, (ossai_word){reader->edit->name, strlen(reader->edit->name)}, wanted);
}

static ossa_status read_number(line_reader *reader, double *number, const char *wanted)
{
	const ossai_word word = next_word(reader);
	ossai_text text = ossai_text_begin(reader->context, "", word.bytes, word.size);
	if (ossai_text_double(&text, number) != OSSAI_NUMBER_OK || text.at != text.end) return refuse(reader, word, wanted);
	return OSSA_OK;
}

static ossa_status read_position(line_reader *reader)
{
	static const char *const wanted[] = {"a number for X", "a number for Y", "a number for Z"};
	for (int axis = 0; axis < 3; axis++) OSSAI_TRY(read_number(reader, &reader->edit->position[axis], wanted[axis]));
	return OSSA_OK;
}

/* a number of at most ten digits at *at, which moves on */
static bool read_digits(const char **at, const char *end, uint64_t *value)
{
	const char *first = *at;
	*value = 0;
	for (; *at < end && ossai_is_digit(**at) && *at - first < 10; (*at)++) *value = 10 * *value + (uint64_t)(**at - '0');
	return *at > first;
}

static ossa_status read_relaxed(line_reader *reader)
{
	const ossai_word word = next_word(reader);
	const char *at = word.bytes;
	uint64_t number = 0;
	const bool is_number = read_digits(&at, word.bytes + word.size, &number) && at == word.bytes + word.size;
	if (!is_number || number == 0) return refuse(reader, word, "the number of a constraint, from 1 on");
	reader->edit->number = (size_t)number;
	return OSSA_OK;
}

/* "12" or "40-55" */
static ossa_status read_range(line_reader *reader, ossai_word word)
{
	static const char wanted[] = "the number of a triangle, from 0 on, or a range such as 40-55";
	const char *at = word.bytes, *end = word.bytes + word.size;
	uint64_t first, last;
	if (!read_digits(&at, end, &first)) return refuse(reader, word, wanted);
	last = first;
	if (at < end && *at == '-') {
		at++;
		if (!read_digits(&at, end, &last)) return refuse(reader, word, wanted);
	}
	if (at != end || last < first || last >= UINT32_MAX) return refuse(reader, word, wanted);
	ossa_edit *edit = reader->edit;
	if (last - first >= FACES_MAX - edit->face_count) {
		return ossai_fail(
			reader->context, OSSA_ERROR_ARGUMENT, NULL, "paint: more than %d triangles in one line", (int)FACES_MAX);
	}
	for (uint64_t face = first; face <= last; face++) {
		OSSAI_TRY(ossai_reserve(reader->context, &edit->faces, &reader->face_capacity, edit->face_count, sizeof *edit->faces));
		edit->faces[edit->face_count++] = (uint32_t)face;
	}
	return OSSA_OK;
}

/* rising, each once */
static void sort_faces(ossa_edit *edit)
{
	size_t kept = 0;
	bool rises = true;
	for (size_t i = 1; i < edit->face_count; i++) rises = rises && edit->faces[i] > edit->faces[i - 1];
	if (rises) return;
	qsort(edit->faces, edit->face_count, sizeof *edit->faces, ossai_compare_indices);
	for (size_t i = 0; i < edit->face_count; i++) {
		if (kept == 0 || edit->faces[kept - 1] != edit->faces[i]) edit->faces[kept++] = edit->faces[i];
	}
	edit->face_count = kept;
}

static ossa_status read_faces(line_reader *reader)
{
	ossai_word word = next_word(reader);
	if (word.size == 0) return refuse(reader, word, "a number of a triangle");
	for (; word.size > 0; word = next_word(reader)) OSSAI_TRY(read_range(reader, word));
	sort_faces(reader->edit);
	return OSSA_OK;
}

static ossa_status read_limits(line_reader *reader)
{
	line_reader ahead = *reader;
	if (ossai_word_is(next_word(&ahead), "none")) {
		reader->at = ahead.at;
		reader->edit->off = true;
		return OSSA_OK;
	}
	for (int i = 0; i < 6; i++) {
		OSSAI_TRY(read_number(reader, &reader->edit->limits[i / 2][i % 2], "an angle in degrees (six of them, or none)"));
	}
	return OSSA_OK;
}

static ossa_status read_lock(line_reader *reader)
{
	const ossai_word word = next_word(reader);
	reader->edit->weights = ossai_word_is(word, "weights");
	if (!reader->edit->weights && !ossai_word_is(word, "joint")) return refuse(reader, word, "weights or joint");
	return read_bone(reader, reader->edit->bone, "a bone's name");
}

static ossa_status read_solve(line_reader *reader)
{
	if (!has_more(reader)) return OSSA_OK;
	const ossai_word word = next_word(reader);
	reader->edit->all = ossai_word_is(word, "all");
	return reader->edit->all ? OSSA_OK : refuse(reader, word, "all");
}

static ossa_status read_split(line_reader *reader)
{
	if (!has_more(reader)) return OSSA_OK;
	OSSAI_TRY(read_number(reader, &reader->edit->share, "a share of the bone's length, between 0 and 1"));
	return has_more(reader) ? read_name(reader) : OSSA_OK;
}

static bool begins_with_bone(ossa_edit_kind kind)
{
	return kind != OSSA_EDIT_LOCK && kind != OSSA_EDIT_RELAX && kind != OSSA_EDIT_SOLVE;
}

static ossa_status read_words(line_reader *reader)
{
	ossa_edit *edit = reader->edit;
	if (begins_with_bone(edit->kind)) OSSAI_TRY(read_bone(reader, edit->bone, "a bone's name"));
	switch (edit->kind) {
	case OSSA_EDIT_ADD: OSSAI_TRY(read_position(reader)); return has_more(reader) ? read_name(reader) : OSSA_OK;
	case OSSA_EDIT_SPLIT: return read_split(reader);
	case OSSA_EDIT_MOVE:
	case OSSA_EDIT_TAIL: return read_position(reader);
	case OSSA_EDIT_MERGE:
	case OSSA_EDIT_CONNECT:
	case OSSA_EDIT_FORBID:
	case OSSA_EDIT_APART:
	case OSSA_EDIT_TOGETHER: return read_bone(reader, edit->other, "another bone's name");
	case OSSA_EDIT_RENAME: return read_name(reader);
	case OSSA_EDIT_LIMITS: return read_limits(reader);
	case OSSA_EDIT_LOCK: return read_lock(reader);
	case OSSA_EDIT_PAINT: return read_faces(reader);
	case OSSA_EDIT_RELAX: return read_relaxed(reader);
	case OSSA_EDIT_SOLVE: return read_solve(reader);
	case OSSA_EDIT_REMOVE:
	case OSSA_EDIT_ROOT:
	case OSSA_EDIT_INDEPENDENT:
	case OSSA_EDIT_MIRROR: break;
	}
	return OSSA_OK;
}

static ossa_status find_verb(line_reader *reader, ossai_word word)
{
	char shown[48];
	for (size_t i = 0; i < ossa_edit_verb_count(); i++) {
		if (!ossai_word_is(word, ossa_edit_verb_at(i)->verb)) continue;
		reader->verb = ossa_edit_verb_at(i);
		reader->edit->kind = (ossa_edit_kind)i;
		return OSSA_OK;
	}
	char verbs[256] = "";
	for (size_t i = 0, used = 0; i < ossa_edit_verb_count() && used < sizeof verbs; i++) {
		used += (size_t)snprintf(verbs + used, sizeof verbs - used, "%s%s", i > 0 ? ", " : "", ossa_edit_verb_at(i)->verb);
	}
	if (word.size == 0) return ossai_fail(reader->context, OSSA_ERROR_ARGUMENT, NULL, "an edit begins with one of %s", verbs);
	return ossai_fail(reader->context, OSSA_ERROR_ARGUMENT, NULL, "\"%s\" is no edit; there are %s", show(word, shown), verbs);
}

ossa_status ossai_edit_parse_bytes(ossa_context *context, const char *bytes, size_t size, ossa_edit *edit)
{
	*edit = (ossa_edit){0};
	line_reader reader = {.context = context, .at = bytes, .end = bytes + size, .edit = edit};
	ossa_status status = find_verb(&reader, next_word(&reader));
	if (status == OSSA_OK) status = read_words(&reader);
	if (status == OSSA_OK && has_more(&reader)) status = refuse(&reader, next_word(&reader), "expected behind the rest");
	if (status != OSSA_OK) ossa_edit_clear(context, edit);
	return status;
}

ossa_status ossa_edit_parse(ossa_context *context, const char *line, ossa_edit *edit)
{
	OSSAI_NEED(context, line, edit);
	return ossai_edit_parse_bytes(context, line, strlen(line), edit);
}

void ossa_edit_clear(ossa_context *context, ossa_edit *edit)
{
	if (!edit) return;
	ossa_free(context, edit->faces);
	*edit = (ossa_edit){0};
}
