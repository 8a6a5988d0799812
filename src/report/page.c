/* report/page.c: see page.h. */
#include "report/page.h"
#include "base/text.h"
#include "base/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ossai_page ossai_page_begin(ossa_context *context) { return (ossai_page){.context = context, .status = OSSA_OK}; }

bool ossai_page_check(ossai_page *page, ossa_status status)
{
	if (page->status == OSSA_OK) page->status = status;
	return page->status == OSSA_OK;
}

ossa_status ossai_page_end(ossai_page *page, char **text)
{
	ossai_page_markup(page, "");
	*text = page->status == OSSA_OK ? page->text : NULL;
	if (page->status != OSSA_OK) ossa_free(page->context, page->text);
	page->text = NULL;
	return page->status;
}

/* capacity for `count` bytes and the zero after them; NULL after a failure */
static char *reserve(ossai_page *page, size_t count)
{
	if (page->status != OSSA_OK) return NULL;
	const size_t needed = page->size + count + 1;
	if (!ossai_page_check(page, ossai_reserve(page->context, &page->text, &page->capacity, needed, 1))) return NULL;
	return page->text + page->size;
}

static void put(ossai_page *page, const char *bytes, size_t count)
{
	char *to = reserve(page, count);
	if (!to) return;
	memcpy(to, bytes, count);
	to[count] = 0;
	page->size += count;
}

void ossai_page_markup(ossai_page *page, const char *markup) { put(page, markup, strlen(markup)); }

void ossai_page_format(ossai_page *page, const char *format, ...)
{
	char text[1024];
	va_list arguments;
	va_start(arguments, format);
	ossai_vformat(text, sizeof text, format, arguments);
	va_end(arguments);
	ossai_page_markup(page, text);
}

/* how one byte is written where it is not written as it is */
static const char *escape(unsigned char c)
{
	switch (c) {
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '&': return "&amp;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return c < 0x20 && c != '\t' && c != '\n' ? "?" : NULL;
	}
}

/* the bytes of the character at `at`, 0 where it cannot stand in XML */
static size_t character_size(const unsigned char *at, size_t left)
{
	const size_t size = ossai_utf8_size(at, left);
	/* U+FFFE and U+FFFF */
	return size == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe ? 0 : size;
}

static void put_words(ossai_page *page, const char *words, size_t length)
{
	const unsigned char *at = (const unsigned char *)words, *end = at + length;
	while (at < end) {
		const char *escaped = escape(*at);
		const size_t size = *at < 0x80 ? 1 : character_size(at, (size_t)(end - at));
		if (escaped) ossai_page_markup(page, escaped);
		else if (size == 0) ossai_page_markup(page, "?");
		else put(page, (const char *)at, size);
		at += size > 0 ? size : 1;
	}
}

void ossai_page_words(ossai_page *page, const char *words) { put_words(page, words, strlen(words)); }

void ossai_page_advice(ossai_page *page, const char *words)
{
	bool code = false;
	for (;;) {
		const size_t length = strcspn(words, "`");
		put_words(page, words, length);
		if (words[length] == 0) break;
		ossai_page_markup(page, code ? "</code>" : "<code>");
		code = !code;
		words += length + 1;
	}
	if (code) ossai_page_markup(page, "</code>");
}

const char *ossai_number_text(double value, int digits, char text[OSSAI_NUMBER_TEXT])
{
	const double size = fabs(value);
	if (!isfinite(value)) snprintf(text, OSSAI_NUMBER_TEXT, "-");
	else if (size < 1e-12) snprintf(text, OSSAI_NUMBER_TEXT, "0");
	/* whole numbers keep all their digits */
	else if (size >= pow(10, digits - 1) && size < 1e15) ossai_format(text, OSSAI_NUMBER_TEXT, "%.0f", value);
	else if (size < 1e-4 || size >= 1e15) ossai_format(text, OSSAI_NUMBER_TEXT, "%.1e", value);
	else ossai_format(text, OSSAI_NUMBER_TEXT, "%.*g", digits, value);
	return text;
}

void ossai_page_number(ossai_page *page, double value, int digits)
{
	char text[OSSAI_NUMBER_TEXT];
	ossai_page_markup(page, ossai_number_text(value, digits, text));
}

void ossai_page_place(ossai_page *page, double value)
{
	char text[OSSAI_NUMBER_TEXT];
	ossai_format(text, sizeof text, "%.2f", isfinite(value) ? fmax(fmin(value, 1e6), -1e6) : 0);
	/* "12.50" as "12.5", "12.00" as "12" */
	size_t length = strlen(text);
	while (text[length - 1] == '0') length--;
	if (text[length - 1] == '.') length--;
	put(page, text, length);
}

void ossai_page_bytes(ossai_page *page, const uint8_t *bytes, size_t count)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const size_t length = (count + 2) / 3 * 4;
	char *to = reserve(page, length);
	if (!to) return;
	for (size_t i = 0; i < count; i += 3) {
		const uint32_t second = i + 1 < count ? bytes[i + 1] : 0, third = i + 2 < count ? bytes[i + 2] : 0;
		const uint32_t all = (uint32_t)bytes[i] << 16 | second << 8 | third;
		*to++ = digits[all >> 18];
		*to++ = digits[all >> 12 & 63];
		*to++ = i + 1 < count ? digits[all >> 6 & 63] : '=';
		*to++ = i + 2 < count ? digits[all & 63] : '=';
	}
	*to = 0;
	page->size += length;
}
