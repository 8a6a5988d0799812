/* tools/ossa/batch/line_reader.c: lines through a buffer as long as the longest.

   Place in the path: the command's batch, below all.
   Input: an open file.
   Output: its lines. A file without ends of lines costs no more memory than BATCH_LINE_MAX. */
#include "batch/line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 1 << 18 };

bool batch_line_reader_begin(batch_line_reader *reader, int file)
{
	*reader = (batch_line_reader){.file = file, .capacity = FIRST_CAPACITY};
	reader->buffer = malloc(reader->capacity);
	return reader->buffer != NULL;
}

void batch_line_reader_end(batch_line_reader *reader)
{
	free(reader->buffer);
	reader->buffer = NULL;
}

/* moves what is left to the front, and makes the buffer larger where that fills it */
static bool make_space(batch_line_reader *reader)
{
	const size_t left = reader->end - reader->begin;
	memmove(reader->buffer, reader->buffer + reader->begin, left);
	reader->begin = 0;
	reader->end = left;
	if (left < reader->capacity) return true;
	char *larger = realloc(reader->buffer, 2 * reader->capacity);
	if (!larger) {
		reader->error = ENOMEM;
		return false;
	}
	reader->buffer = larger;
	reader->capacity *= 2;
	return true;
}

/* more bytes behind `end`; false at the end of the file */
static bool read_more(batch_line_reader *reader)
{
	if (!make_space(reader)) return false;
	ssize_t got;
	do got = read(reader->file, reader->buffer + reader->end, reader->capacity - reader->end);
	while (got < 0 && errno == EINTR);
	if (got < 0) reader->error = errno;
	if (got <= 0) return false;
	reader->end += (size_t)got;
	return true;
}

/* the line up to `length`, and `skip` bytes of its end */
static void give(batch_line_reader *reader, size_t length, size_t skip, batch_line *line)
{
	const char *text = reader->buffer + reader->begin;
	/* some editors begin files with a mark of the encoding */
	const size_t mark = reader->offset == 0 && length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	*line = (batch_line){text + mark, length - mark, reader->offset + mark, skip > 0, false};
	reader->begin += length + skip;
	reader->offset += length + skip;
}

bool batch_line_reader_next(batch_line_reader *reader, batch_line *line)
{
	size_t seen = 0;
	for (;;) {
		const char *from = reader->buffer + reader->begin + seen;
		const size_t left = reader->end - reader->begin;
		const char *end = memchr(from, '\n', left - seen);
		if (end && !reader->is_cutting) {
			give(reader, (size_t)(end - from) + seen, 1, line);
			return true;
		}
		if (end) {
			/* the rest of a line that was given already */
			give(reader, (size_t)(end - from) + seen, 1, line);
			reader->is_cutting = false;
			seen = 0;
			continue;
		}
		seen = left;
		if (left > BATCH_LINE_MAX || reader->is_cutting) {
			const bool is_first = !reader->is_cutting;
			give(reader, left, 0, line);
			line->is_cut = reader->is_cutting = true;
			seen = 0;
			if (is_first) return true;
		}
		if (read_more(reader)) continue;
		if (reader->error || reader->end == reader->begin || reader->is_cutting) return false;
		give(reader, reader->end - reader->begin, 0, line);
		return true;
	}
}

bool batch_line_is_blank(const batch_line *line)
{
	for (size_t i = 0; i < line->length; i++) {
		if (line->text[i] != ' ' && line->text[i] != '\t' && line->text[i] != '\r') return false;
	}
	return true;
}
