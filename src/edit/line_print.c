/* edit/line_print.c: an edit as a line of text; line.c reads it back.

   Place in the path: between the editor and the log, the command or the studio.
   Input: an ossa_edit.
   Output: "split thigh_L 0.4". Numbers have enough digits to read back exactly. */
#include "edit/line.h"

#include "base/text.h"
#include "base/format.h"

#include <stdio.h>
#include <string.h>

/* ---- printing ---- */

typedef struct line_writer {
	ossa_context *context;
	char *text;
	size_t size, capacity;
	ossa_status status; /* the first failure; then nothing more is written */
} line_writer;

static void put_text(line_writer *writer, const char *text)
{
	for (; writer->status == OSSA_OK; text++) {
		writer->status = ossai_reserve(writer->context, &writer->text, &writer->capacity, writer->size, 1);
		if (writer->status != OSSA_OK) return;
		/* the last zero is overwritten by what follows */
		writer->text[writer->size] = *text;
		if (!*text) return;
		writer->size++;
	}
}

static void put_word(line_writer *writer, const char *word)
{
	if (writer->size > 0) put_text(writer, " ");
	put_text(writer, word);
}

static void put_bone(line_writer *writer, const char *name)
{
	bool is_word = name[0] && memchr(name, 0, OSSA_EDIT_NAME_SIZE);
	for (const char *at = name; is_word && *at; at++) is_word = !ossai_parts_words(*at);
	if (!is_word && writer->status == OSSA_OK) {
		writer->status = ossai_fail(writer->context, OSSA_ERROR_ARGUMENT, NULL, "\"%.*s\" cannot be a bone's name in a line",
			OSSA_EDIT_NAME_SIZE - 1, name);
	}
	put_word(writer, name);
}

/* the fewest of 15 to 17 digits that read back exactly */
static void put_number(line_writer *writer, double number)
{
	char text[40];
	for (int digits = 15; digits <= 17; digits++) {
		double again = 0;
		ossai_format(text, sizeof text, "%.*g", digits, number);
		ossai_text read = ossai_text_begin(writer->context, "", text, strlen(text));
		if (ossai_text_double(&read, &again) == OSSAI_NUMBER_OK && again == number) break;
		if (digits == 17 && writer->status == OSSA_OK) {
			writer->status = ossai_fail(
				writer->context, OSSA_ERROR_ARGUMENT, NULL, "%s is no number that an edit can have", text);
		}
	}
	put_word(writer, text);
}

static void put_faces(line_writer *writer, const ossa_edit *edit)
{
	for (size_t i = 0; i < edit->face_count && writer->status == OSSA_OK;) {
		char text[32];
		size_t last = i;
		while (last + 1 < edit->face_count && edit->faces[last + 1] == edit->faces[last] + 1) last++;
		if (last == i) snprintf(text, sizeof text, "%s%u", i > 0 ? "," : " ", edit->faces[i]);
		else snprintf(text, sizeof text, "%s%u-%u", i > 0 ? "," : " ", edit->faces[i], edit->faces[last]);
		put_text(writer, text);
		i = last + 1;
	}
}

static void put_split(line_writer *writer, const ossa_edit *edit)
{
	put_bone(writer, edit->bone);
	if (edit->share != 0 || edit->name[0]) put_number(writer, edit->share);
	if (edit->name[0]) put_bone(writer, edit->name);
}

static void put_limits(line_writer *writer, const ossa_edit *edit)
{
	put_bone(writer, edit->bone);
	if (edit->off) put_word(writer, "none");
	else
		for (int i = 0; i < 6; i++) put_number(writer, edit->limits[i / 2][i % 2]);
}

static void put_position(line_writer *writer, const ossa_edit *edit)
{
	put_bone(writer, edit->bone);
	for (int axis = 0; axis < 3; axis++) put_number(writer, edit->position[axis]);
	if (edit->kind == OSSA_EDIT_ADD && edit->name[0]) put_bone(writer, edit->name);
}

static void put_edit(line_writer *writer, const ossa_edit *edit)
{
	char number[32];
	put_word(writer, ossa_edit_verb_at((size_t)edit->kind)->verb);
	switch (edit->kind) {
	case OSSA_EDIT_SPLIT: put_split(writer, edit); return;
	case OSSA_EDIT_ADD:
	case OSSA_EDIT_MOVE:
	case OSSA_EDIT_TAIL: put_position(writer, edit); return;
	case OSSA_EDIT_MERGE:
	case OSSA_EDIT_CONNECT:
	case OSSA_EDIT_FORBID:
	case OSSA_EDIT_APART:
	case OSSA_EDIT_TOGETHER:
		put_bone(writer, edit->bone);
		put_bone(writer, edit->other);
		return;
	case OSSA_EDIT_RENAME:
		put_bone(writer, edit->bone);
		put_bone(writer, edit->name);
		return;
	case OSSA_EDIT_LIMITS: put_limits(writer, edit); return;
	case OSSA_EDIT_LOCK:
		put_word(writer, edit->weights ? "weights" : "joint");
		put_bone(writer, edit->bone);
		return;
	case OSSA_EDIT_PAINT:
		put_bone(writer, edit->bone);
		put_faces(writer, edit);
		return;
	case OSSA_EDIT_RELAX:
		snprintf(number, sizeof number, "%zu", edit->number);
		put_word(writer, number);
		return;
	case OSSA_EDIT_SOLVE:
		if (edit->all) put_word(writer, "all");
		return;
	case OSSA_EDIT_REMOVE:
	case OSSA_EDIT_ROOT:
	case OSSA_EDIT_INDEPENDENT:
	case OSSA_EDIT_MIRROR: put_bone(writer, edit->bone); return;
	}
}

ossa_status ossa_edit_print(ossa_context *context, const ossa_edit *edit, char **line)
{
	if (line) *line = NULL;
	OSSAI_NEED(context, edit, line);
	if (edit->face_count > 0) OSSAI_NEED(context, edit->faces);
	line_writer writer = {.context = context};
	if ((size_t)edit->kind >= ossa_edit_verb_count()) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no edit of kind %d", (int)edit->kind);
	}
	put_edit(&writer, edit);
	if (writer.status == OSSA_OK) *line = writer.text;
	else ossa_free(context, writer.text);
	return writer.status;
}
