/* base/text.h: a cursor over the bytes of a text file: lines, words, whole numbers, and floats
   rounded correctly.

   Place in the path: below the readers of text formats.
   Input: bytes, not zero-terminated.
   Output: values, or errors that name file and line. A line ends with LF, CRLF or CR. Nothing
   here allocates. */
#ifndef OSSAI_BASE_TEXT_H
#define OSSAI_BASE_TEXT_H

#include "base/context.h"

#include <string.h>

typedef struct ossai_text {
	ossa_context *context;
	const char *name; /* of the file, for messages */
	const char *at, *end;
	int64_t line;   /* 1-based */
	bool continues; /* a backslash at a line's end joins it with the next (OBJ) */
	bool is_cut;    /* it ends before a zero byte of its file */
} ossai_text;

typedef struct ossai_word {
	const char *bytes;
	size_t size;
} ossai_word;

/* What was found where a number was expected. */
typedef enum ossai_number {
	OSSAI_NUMBER_OK,
	OSSAI_NUMBER_NONE,      /* something else, or the end of the line; the cursor has not moved */
	OSSAI_NUMBER_NOT_FINITE /* nan, inf, or too large for a float; the cursor is behind it */
} ossai_number;

static inline bool ossai_text_ended(const ossai_text *text) { return text->at == text->end; }
static inline bool ossai_is_line_end(char c) { return c == '\n' || c == '\r'; }
static inline bool ossai_is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
static inline bool ossai_is_digit(char c) { return (unsigned char)(c - '0') < 10; }

ossai_text ossai_text_begin(ossa_context *context, const char *name, const void *bytes, size_t size);

/* The text of a whole file. It ends before the first zero byte, which no text has and of which a
   damaged file may have gigabytes: errors at its end name that byte. */
ossai_text ossai_text_of_file(ossa_context *context, const char *name, const void *bytes, size_t size);

/* Fails with OSSA_ERROR_INPUT where a zero byte ended the text: for readers that take whatever
   comes, so that nothing else is missing. */
ossa_status ossai_text_end(const ossai_text *text);

/* To the first byte of the next line. */
void ossai_text_next_line(ossai_text *text);

/* Steps over a line end that is joined with the next line; false where there is none. */
bool ossai_text_join(ossai_text *text);

/* Over blanks, staying on the line. */
static inline void ossai_text_blanks(ossai_text *text)
{
	for (;;) {
		while (text->at < text->end && ossai_is_blank(*text->at)) text->at++;
		if (text->at == text->end || *text->at != '\\' || !ossai_text_join(text)) return;
	}
}

/* Over blanks, line ends and comments that begin with `comment` (0: none). */
void ossai_text_space(ossai_text *text, char comment);

/* Nothing more on this line but blanks or a comment that begins with #. */
static inline bool ossai_text_line_done(ossai_text *text)
{
	ossai_text_blanks(text);
	return text->at == text->end || ossai_is_line_end(*text->at) || *text->at == '#';
}

/* The bytes up to the next blank or line end (size 0 at a line's end). */
ossai_word ossai_text_word(ossai_text *text);
/* The rest of the line without blanks at its ends. */
ossai_word ossai_text_rest(ossai_text *text);

/* an empty word may have no bytes at all */
static inline bool ossai_words_are_same(ossai_word a, ossai_word b)
{
	return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

/* Here, so that compilers know the length of what is expected: readers ask this of every line. */
static inline bool ossai_word_is(ossai_word word, const char *expected)
{
	return ossai_words_are_same(word, (ossai_word){expected, strlen(expected)});
}

/* A decimal number rounded to the nearest float, ties to even, as strtof does in the C locale.
   Does not skip blanks before it. Cost: some nanoseconds; long or extreme numbers some hundred. */
ossai_number ossai_text_number(ossai_text *text, float *value);

/* The same, rounded to the nearest double. */
ossai_number ossai_text_double(ossai_text *text, double *value);

/* A whole number with an optional sign; values beyond +-2^40 are cut to that. False, cursor
   unmoved, where there is none. */
static inline bool ossai_text_integer(ossai_text *text, int64_t *value)
{
	const char *at = text->at;
	const bool negative = at < text->end && *at == '-';
	if (at < text->end && (*at == '-' || *at == '+')) at++;
	const char *first = at;
	int64_t number = 0;
	for (; at < text->end && ossai_is_digit(*at); at++) {
		if (number < (INT64_C(1) << 40)) number = 10 * number + (*at - '0');
	}
	if (at == first) return false;
	text->at = at;
	*value = negative ? -number : number;
	return true;
}

/* The next `count` numbers of this line into `values`. Errors: OSSA_ERROR_INPUT where one is
   missing, no number, or not finite; `what` names the thing, e.g. "vertex". */
ossa_status ossai_text_numbers(ossai_text *text, const char *what, int count, float *values);

/* Where the cursor is, for messages. */
ossai_place ossai_text_place(const ossai_text *text);

/* Fails with OSSA_ERROR_INPUT at the current line. Where a zero byte has ended the text there, that
   is the error. */
ossa_status ossai_text_fail(const ossai_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The word at the cursor, cut and made printable: for messages. */
const char *ossai_text_show(const ossai_text *text, char shown[32]);

/* Bytes of the UTF-8 character at `at`, of which `left` are there; 0 where it is broken (overlong
   forms and surrogates included). */
size_t ossai_utf8_size(const unsigned char *at, size_t left);

/* The code of such a character, of `size` bytes. */
uint32_t ossai_utf8_code(const unsigned char *at, size_t size);

/* Copies a name of a file: cut to 63 bytes of valid UTF-8, control characters and broken bytes
   become '_'. */
void ossai_name_copy(char name[64], ossai_word word);

/* The name of the thing in a file: the path's last part without its ending. */
void ossai_name_of_path(char name[64], const char *path);

#endif
