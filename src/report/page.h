/* report/page.h: a growing text: markup, escaped words, numbers, pictures as data.

   Place in the path: under the HTML report and its plots.
   Input: pieces.
   Output: one text.
   Calls need no checks: after a failure nothing is added any more, and ossai_page_end returns the
   error. Bytes that are not UTF-8, or no character of XML, become '?'. Numbers have a decimal point
   whatever the locale. */
#ifndef OSSAI_REPORT_PAGE_H
#define OSSAI_REPORT_PAGE_H

#include "base/context.h"

typedef struct ossai_page {
	ossa_context *context;
	ossa_status status;
	char *text; /* zero-terminated where it is not NULL */
	size_t size, capacity;
} ossai_page;

ossai_page ossai_page_begin(ossa_context *context);

/* The text, which is the caller's: ossa_free; or the first failure. */
ossa_status ossai_page_end(ossai_page *page, char **text);

/* Records a failure of another call; returns whether there is none so far. */
bool ossai_page_check(ossai_page *page, ossa_status status);

/* Markup as it is. */
void ossai_page_markup(ossai_page *page, const char *markup);

/* Markup by a format: literals, whole numbers, and with %s only what is markup. No numbers with a
   point. At most 1000 bytes. */
void ossai_page_format(ossai_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Any text, escaped for content and for attributes in quotes. */
void ossai_page_words(ossai_page *page, const char *words);

/* The same with `words in backquotes` as code. */
void ossai_page_advice(ossai_page *page, const char *words);

/* So many significant digits; "-" for what is not finite. */
void ossai_page_number(ossai_page *page, double value, int digits);

/* A coordinate: at most two digits after the decimal point. */
void ossai_page_place(ossai_page *page, double value);

/* Bytes in base 64. */
void ossai_page_bytes(ossai_page *page, const uint8_t *bytes, size_t count);

/* A number as ossai_page_number writes it. */
enum { OSSAI_NUMBER_TEXT = 32 };
const char *ossai_number_text(double value, int digits, char text[OSSAI_NUMBER_TEXT]);

#endif
