/* edit/log.c: writes the edits of a history as text, and replays them.

   Place in the path: between the editor and files, the command, the studio.
   Input: an editor.
   Output: text; or the editor after the edits of a text. The first line has the version of the
   format and the size of the rig before the edits; then each edit has a line. */
#include "base/file.h"
#include "base/text.h"
#include "edit/editor.h"

#include <stdio.h>
#include <string.h>

static const char HEAD[] = "ossa edits 1:";

enum { HEAD_SIZE = 96 };

static size_t print_head(const ossa_rig *rig, char head[HEAD_SIZE])
{
	return (size_t)snprintf(
		head, HEAD_SIZE, "%s %zu vertices, %zu bones", HEAD, rig->mesh->vertex_count, rig->skeleton.bone_count);
}

ossa_status ossa_editor_log(ossa_context *context, const ossa_editor *editor, char **text)
{
	if (text) *text = NULL;
	OSSAI_NEED(context, editor, text);
	char head[HEAD_SIZE];
	const size_t size = print_head(ossai_editor_first(editor), head), count = ossa_editor_done_count(editor);
	size_t capacity = size + 2;
	for (size_t i = 0; i < count; i++) capacity += strlen(ossa_editor_line(editor, i)) + 1;
	*text = ossai_new(context, capacity, 1);
	if (!*text) return ossa_context_error(context)->status;
	memcpy(*text, head, size);
	char *at = *text + size;
	*at++ = '\n';
	for (size_t i = 0; i < count; i++) {
		const char *line = ossa_editor_line(editor, i);
		memcpy(at, line, strlen(line));
		at += strlen(line);
		*at++ = '\n';
	}
	*at = 0;
	return OSSA_OK;
}

ossa_status ossa_editor_write_log(ossa_context *context, const ossa_editor *editor, const char *path)
{
	OSSAI_NEED(context, editor, path);
	char *text;
	OSSAI_TRY(ossa_editor_log(context, editor, &text));
	const ossa_status status = ossai_output_text(context, path, text);
	ossa_free(context, text);
	return status;
}

/* ---- replaying ---- */

typedef struct log_reader {
	ossa_context *context;
	ossa_editor *editor;
	const char *path; /* NULL: none */
	int64_t line;
} log_reader;

static ossa_status refuse(const log_reader *reader, const char *message)
{
	const ossai_place place = {reader->path, reader->line, -1, -1, -1};
	return ossai_fail(reader->context, OSSA_ERROR_INPUT, &place, "%s", message);
}

/* the first line: whether the log is one, and of a rig of this size */
static ossa_status check_head(const log_reader *reader, ossai_word line)
{
	char wanted[HEAD_SIZE], message[256];
	const size_t size = print_head(ossa_editor_rig(reader->editor), wanted);
	while (line.size > 0 && (line.bytes[line.size - 1] == '\r' || line.bytes[line.size - 1] == ' ')) line.size--;
	if (line.size == size && memcmp(line.bytes, wanted, size) == 0) return OSSA_OK;
	const bool is_log = line.size >= sizeof HEAD - 1 && memcmp(line.bytes, HEAD, sizeof HEAD - 1) == 0;
	snprintf(message, sizeof message,
		is_log ? "the log is for a rig of another size; a log for this one begins with \"%s\""
			   : "is no log of edits: one begins with \"%s\"",
		wanted);
	return refuse(reader, message);
}

static ossa_status do_line(const log_reader *reader, ossai_word line)
{
	size_t blank = 0;
	while (blank < line.size && (ossai_is_blank(line.bytes[blank]) || line.bytes[blank] == '\r')) blank++;
	if (blank == line.size || line.bytes[blank] == '#') return OSSA_OK;
	const ossa_status status = ossai_editor_do_bytes(reader->context, reader->editor, line.bytes, line.size);
	if (status != OSSA_ERROR_ARGUMENT && status != OSSA_ERROR_INPUT) return status;
	const ossa_error error = *ossa_context_error(reader->context);
	return refuse(reader, error.message);
}

static ossa_status replay(log_reader *reader, const char *bytes, size_t size)
{
	const char *at = bytes, *end = bytes + size;
	for (reader->line = 1; at < end || reader->line == 1; reader->line++) {
		const char *line_end = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
		const ossai_word line = {at, (size_t)((line_end ? line_end : end) - at)};
		OSSAI_TRY(reader->line == 1 ? check_head(reader, line) : do_line(reader, line));
		at = line_end ? line_end + 1 : end;
	}
	return OSSA_OK;
}

ossa_status ossa_editor_replay(ossa_context *context, ossa_editor *editor, const char *text)
{
	OSSAI_NEED(context, editor, text);
	log_reader reader = {.context = context, .editor = editor};
	return replay(&reader, text, strlen(text));
}

ossa_status ossa_editor_replay_file(ossa_context *context, ossa_editor *editor, const char *path)
{
	OSSAI_NEED(context, editor, path);
	ossai_file file;
	log_reader reader = {.context = context, .editor = editor, .path = path};
	OSSAI_TRY(ossai_file_open(context, path, &file));
	const ossa_status status = replay(&reader, (const char *)file.bytes, file.size);
	ossai_file_close(context, &file);
	return status;
}
