/* tools/ossa/batch/line_reader.h: the lines of a long file, one at a time. */
#ifndef OSSA_BATCH_LINE_READER_H
#define OSSA_BATCH_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BATCH_LINE_MAX = 16 << 20 }; /* bytes; a longer line is cut */

/* One line without its end. */
typedef struct batch_line {
	const char *text; /* until the next call */
	size_t length;
	uint64_t offset; /* in the file */
	bool is_whole;   /* it has an end, as the last line may not */
	bool is_cut;     /* it is longer than BATCH_LINE_MAX */
} batch_line;

typedef struct batch_line_reader {
	int file; /* open; not owned */
	char *buffer;
	size_t capacity, begin, end; /* bytes that are not given yet */
	uint64_t offset;             /* of `begin` in the file */
	bool is_cutting;             /* inside a line that was cut */
	int error;                   /* the system's, 0: none */
} batch_line_reader;

/* Reads from where the file stands, its beginning: a byte order mark there is no part of the
   first line. False where there is no memory. */
bool batch_line_reader_begin(batch_line_reader *reader, int file);

/* The next line; false at the end and after an error. */
bool batch_line_reader_next(batch_line_reader *reader, batch_line *line);

void batch_line_reader_end(batch_line_reader *reader);

/* Whether a line holds nothing but blanks. */
bool batch_line_is_blank(const batch_line *line);

#endif
