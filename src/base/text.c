/* base/text.c: scanning text and reading numbers: see text.h.

   Place in the path: below the readers of text formats.
   Fast path of the numbers: up to 19 digits fit a 64-bit mantissa m, and doubles of the powers of
   ten from 10^-22 to 10^22 are wrong by half a unit in their last place at most, so m * 10^e in
   double is wrong by less than 3 units in its last place. A float's rounding boundary is a double
   whose low 29 bits are 2^28: where the double is farther than that from the boundary it lies on
   the same side as the exact value and the cast rounds correctly (W. Clinger, How to Read Floating
   Point Numbers Accurately, PLDI 1990, has the idea). */
#include "base/text.h"

#include "base/file.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* digits after which a number cannot change a float but as "something more": boundaries have at
   most 113 */
enum { DIGITS_MAX = 160, EXPONENT_MAX = 100000 };

ossai_text ossai_text_begin(ossa_context *context, const char *name, const void *bytes, size_t size)
{
	const char *first = bytes;
	ossai_text text = {context, name, first, first + size, 1, false, false};
	/* the byte order mark that some editors write */
	if (size >= 3 && memcmp(first, "\xEF\xBB\xBF", 3) == 0) text.at += 3;
	return text;
}

ossai_text ossai_text_of_file(ossa_context *context, const char *name, const void *bytes, size_t size)
{
	const char *zero = size > 0 ? memchr(bytes, 0, size) : NULL;
	ossai_text text = ossai_text_begin(context, name, bytes, zero ? (size_t)(zero - (const char *)bytes) : size);
	text.is_cut = zero != NULL;
	return text;
}

void ossai_text_next_line(ossai_text *text)
{
	const char *at = text->at;
	while (at < text->end && !ossai_is_line_end(*at)) at++;
	if (at < text->end) {
		const bool two = *at == '\r' && at + 1 < text->end && at[1] == '\n';
		at += two ? 2 : 1;
		text->line++;
	}
	text->at = at;
}

bool ossai_text_join(ossai_text *text)
{
	const char *after = text->at + 1;
	if (!text->continues || after == text->end || !ossai_is_line_end(*after)) return false;
	text->at = after;
	ossai_text_next_line(text);
	return true;
}

void ossai_text_space(ossai_text *text, char comment)
{
	for (;;) {
		ossai_text_blanks(text);
		if (text->at == text->end) return;
		if (!ossai_is_line_end(*text->at) && (!comment || *text->at != comment)) return;
		ossai_text_next_line(text);
	}
}

ossai_word ossai_text_word(ossai_text *text)
{
	const char *first = text->at;
	while (text->at < text->end && !ossai_is_blank(*text->at) && !ossai_is_line_end(*text->at)) text->at++;
	return (ossai_word){first, (size_t)(text->at - first)};
}

ossai_word ossai_text_rest(ossai_text *text)
{
	ossai_text_blanks(text);
	const char *first = text->at;
	while (text->at < text->end && !ossai_is_line_end(*text->at)) text->at++;
	const char *last = text->at;
	while (last > first && ossai_is_blank(last[-1])) last--;
	return (ossai_word){first, (size_t)(last - first)};
}

/* ---- numbers ---- */

/* "nan", "inf" and "infinity" in any case, with what may follow them up to the word's end */
static bool is_not_finite_word(const char *at, const char *end)
{
	if (end - at < 3) return false;
	const char lower[3] = {(char)(at[0] | 32), (char)(at[1] | 32), (char)(at[2] | 32)};
	return memcmp(lower, "nan", 3) == 0 || memcmp(lower, "inf", 3) == 0;
}

/* the number's digits again, as "<digits>e<exponent>" for strtof and strtod: no decimal point, so
   no locale */
static void print_digits(const char *first, const char *last, int64_t exponent, char buffer[DIGITS_MAX + 32])
{
	int count = 0;
	bool more = false, point = false;
	for (const char *at = first; at < last; at++) {
		if (*at == '.') {
			point = true;
			continue;
		}
		if (count < DIGITS_MAX && (count > 0 || *at != '0')) buffer[count++] = *at;
		else if (count == DIGITS_MAX) {
			more |= *at != '0';
			exponent += !point;
			continue;
		}
		exponent -= point;
	}
	/* any digit more than these only says on which side of a boundary the number is */
	if (more) {
		buffer[count++] = '1';
		exponent--;
	}
	if (count == 0) buffer[count++] = '0';
	if (exponent > EXPONENT_MAX) exponent = EXPONENT_MAX;
	if (exponent < -EXPONENT_MAX) exponent = -EXPONENT_MAX;
	snprintf(buffer + count, (size_t)(DIGITS_MAX + 32 - count), "e%d", (int)exponent);
}

/* true where `scaled` is so far from a float's rounding boundary that the cast is right */
static bool rounds_safely(double scaled)
{
	uint64_t bits;
	memcpy(&bits, &scaled, sizeof bits);
	const int64_t from_boundary = (int64_t)(bits & 0x1FFFFFFF) - 0x10000000;
	return (from_boundary > 8 || from_boundary < -8) && scaled < FLT_MAX;
}

/* the exponent after the digits, if one is there */
static const char *scan_exponent(const char *at, const char *end, int64_t *exponent)
{
	const char *digit = at + 1;
	if (at == end || (*at != 'e' && *at != 'E')) return at;
	const bool negative = digit < end && *digit == '-';
	if (digit < end && (*digit == '-' || *digit == '+')) digit++;
	if (digit == end || !ossai_is_digit(*digit)) return at;
	int64_t value = 0;
	for (; digit < end && ossai_is_digit(*digit); digit++) {
		if (value < INT64_C(1) << 40) value = 10 * value + (*digit - '0');
	}
	*exponent = negative ? -value : value;
	return digit;
}

/* A number as it is written: digits, where they are, and the power of ten. */
typedef struct decimal {
	bool negative;
	uint64_t mantissa; /* the first 19 digits or so */
	int64_t shift;     /* of the mantissa, in powers of ten */
	int64_t exponent;  /* what stands behind the E */
	const char *first, *last;
} decimal;

/* the nearest doubles: a product with one is wrong by less than 3 units in its last place, too, and
   costs a fifth of a division */
static const double inverse_powers[] = {1e-0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13,
	1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22};

static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static ossai_number not_finite(ossai_text *text)
{
	ossai_text_word(text);
	return OSSAI_NUMBER_NOT_FINITE;
}

/* Eight digits at once: pairs, then fours, then all are put together in the lanes of one word.
   False where one of them is no digit.
   Source: D. Lemire, Number Parsing at a Gigabyte per Second, Software: Practice and Experience
   51(8), 2021. */
static inline bool eight_digits(const char *at, uint64_t *value)
{
	uint64_t word;
	memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	const uint64_t high = word & UINT64_C(0xF0F0F0F0F0F0F0F0);
	const uint64_t above_nine = (word + UINT64_C(0x0606060606060606)) & UINT64_C(0xF0F0F0F0F0F0F0F0);
	if ((high | above_nine >> 4) != UINT64_C(0x3333333333333333)) return false;
	word = (word & UINT64_C(0x0F0F0F0F0F0F0F0F)) * (10 * 256 + 1) >> 8;
	word = (word & UINT64_C(0x00FF00FF00FF00FF)) * (UINT64_C(100) << 16 | 1) >> 16;
	*value = (word & UINT64_C(0x0000FFFF0000FFFF)) * (UINT64_C(10000) << 32 | 1) >> 32;
	return true;
}

static inline ossai_number scan_decimal(ossai_text *text, decimal *number)
{
	const uint64_t full = UINT64_C(1000000000000000000);
	const char *at = text->at, *const end = text->end;
	number->negative = at < end && *at == '-';
	if (at < end && (*at == '-' || *at == '+')) at++;
	const char *const first = at;

	/* whole part and fraction as one whole number; digits that do not fit only shift it */
	uint64_t mantissa = 0;
	int64_t shift = 0;
	for (; at < end && ossai_is_digit(*at); at++) {
		if (mantissa < full) mantissa = 10 * mantissa + (uint64_t)(*at - '0');
		else shift++;
	}
	ptrdiff_t digits = at - first;
	if (at < end && *at == '.') {
		const char *const point = at++;
		uint64_t eight;
		for (; mantissa < UINT64_C(10000000000) && end - at >= 8 && eight_digits(at, &eight); at += 8) {
			mantissa = mantissa * 100000000 + eight;
		}
		for (; at < end && ossai_is_digit(*at) && mantissa < full; at++) mantissa = 10 * mantissa + (uint64_t)(*at - '0');
		shift -= at - point - 1;
		while (at < end && ossai_is_digit(*at)) at++;
		digits += at - point - 1;
	}
	if (digits == 0) return is_not_finite_word(first, end) ? not_finite(text) : OSSAI_NUMBER_NONE;
	number->first = first;
	number->last = at;
	number->exponent = 0;
	at = scan_exponent(at, end, &number->exponent);
	/* what some compilers of old print for nan: 1.#QNAN */
	if (at < end && *at == '#') return not_finite(text);
	text->at = at;
	number->mantissa = mantissa;
	number->shift = shift + number->exponent;
	return OSSAI_NUMBER_OK;
}

ossai_number ossai_text_number(ossai_text *text, float *value)
{
	decimal d;
	const ossai_number kind = scan_decimal(text, &d);
	if (kind != OSSAI_NUMBER_OK) {
		if (kind == OSSAI_NUMBER_NOT_FINITE) *value = NAN;
		return kind;
	}
	double scaled = 0;
	float number;
	if (d.mantissa == 0) number = 0;
	else if (d.shift >= -22 && d.shift <= 22 &&
		rounds_safely(scaled = (double)d.mantissa * (d.shift < 0 ? inverse_powers[-d.shift] : powers[d.shift]))) {
		number = (float)scaled;
	} else {
		char buffer[DIGITS_MAX + 32];
		print_digits(d.first, d.last, d.exponent, buffer);
		number = strtof(buffer, NULL);
	}
	*value = d.negative ? -number : number;
	return isfinite(number) ? OSSAI_NUMBER_OK : OSSAI_NUMBER_NOT_FINITE;
}

ossai_number ossai_text_double(ossai_text *text, double *value)
{
	decimal d;
	const ossai_number kind = scan_decimal(text, &d);
	if (kind != OSSAI_NUMBER_OK) {
		if (kind == OSSAI_NUMBER_NOT_FINITE) *value = NAN;
		return kind;
	}
	double number;
	if (d.mantissa == 0) number = 0;
	/* both factors are exact doubles, so the one operation rounds correctly */
	else if (d.mantissa < UINT64_C(1) << 53 && d.shift >= -22 && d.shift <= 22) {
		number = d.shift < 0 ? (double)d.mantissa / powers[-d.shift] : (double)d.mantissa * powers[d.shift];
	} else {
		char buffer[DIGITS_MAX + 32];
		print_digits(d.first, d.last, d.exponent, buffer);
		number = strtod(buffer, NULL);
	}
	*value = d.negative ? -number : number;
	return isfinite(number) ? OSSAI_NUMBER_OK : OSSAI_NUMBER_NOT_FINITE;
}

ossa_status ossai_text_numbers(ossai_text *text, const char *what, int count, float *values)
{
	for (int i = 0; i < count; i++) {
		ossai_text_blanks(text);
		const char *const before = text->at;
		const ossai_number kind = ossai_text_number(text, &values[i]);
		if (kind == OSSAI_NUMBER_OK) continue;
		char shown[32];
		const bool ended = ossai_text_line_done(text);
		text->at = before;
		ossai_text_show(text, shown);
		if (kind == OSSAI_NUMBER_NOT_FINITE) {
			return ossai_text_fail(text, "%s has %s where a finite number must be: export the file again", what, shown);
		}
		if (ended) return ossai_text_fail(text, "%s ends after %d of %d numbers: is the file cut off?", what, i, count);
		return ossai_text_fail(text, "%s has \"%s\" where a number must be", what, shown);
	}
	return OSSA_OK;
}

/* ---- messages and names ---- */

ossai_place ossai_text_place(const ossai_text *text)
{
	ossai_place place = ossai_in_file(text->name);
	place.line = text->line;
	return place;
}

static ossa_status fail_at_zero(const ossai_text *text)
{
	const ossai_place place = ossai_text_place(text);
	return ossai_fail(
		text->context, OSSA_ERROR_INPUT, &place, "holds a zero byte, as no text does: the file is damaged, export it again");
}

ossa_status ossai_text_end(const ossai_text *text) { return text->is_cut ? fail_at_zero(text) : OSSA_OK; }

ossa_status ossai_text_fail(const ossai_text *text, const char *format, ...)
{
	if (text->is_cut && ossai_text_ended(text)) return fail_at_zero(text);
	const ossai_place place = ossai_text_place(text);
	va_list arguments;
	va_start(arguments, format);
	ossai_fail_list(text->context, OSSA_ERROR_INPUT, &place, format, arguments);
	va_end(arguments);
	return OSSA_ERROR_INPUT;
}

const char *ossai_text_show(const ossai_text *text, char shown[32])
{
	ossai_text copy = *text;
	const ossai_word word = ossai_text_word(&copy);
	size_t size = word.size < 28 ? word.size : 28;
	for (size_t i = 0; i < size; i++) shown[i] = word.bytes[i] > 32 && word.bytes[i] < 127 ? word.bytes[i] : '?';
	memcpy(shown + size, word.size > size ? "..." : "", word.size > size ? 4 : 1);
	return shown;
}

size_t ossai_utf8_size(const unsigned char *at, size_t left)
{
	const unsigned char c = at[0];
	const size_t size = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
	if (size == 0 || size > left) return 0;
	for (size_t i = 1; i < size; i++) {
		if ((at[i] & 0xC0) != 0x80) return 0;
	}
	if ((c == 0xE0 && at[1] < 0xA0) || (c == 0xED && at[1] >= 0xA0)) return 0;
	if ((c == 0xF0 && at[1] < 0x90) || (c == 0xF4 && at[1] >= 0x90)) return 0;
	return size;
}

uint32_t ossai_utf8_code(const unsigned char *at, size_t size)
{
	uint32_t code = size == 1 ? at[0] : at[0] & (0x7FU >> size);
	for (size_t i = 1; i < size; i++) code = code << 6 | (at[i] & 0x3FU);
	return code;
}

void ossai_name_copy(char name[64], ossai_word word)
{
	const unsigned char *bytes = (const unsigned char *)word.bytes;
	size_t used = 0;
	for (size_t i = 0; i < word.size;) {
		const size_t size = ossai_utf8_size(bytes + i, word.size - i);
		if (used + (size ? size : 1) > 63) break;
		if (size == 0 || bytes[i] < 32 || bytes[i] == 127) name[used++] = '_';
		else memcpy(name + used, bytes + i, size);
		used += size > 0 && !(bytes[i] < 32 || bytes[i] == 127) ? size : 0;
		i += size ? size : 1;
	}
	name[used] = 0;
}

void ossai_name_of_path(char name[64], const char *path)
{
	const char *file = ossai_file_name(path);
	const char *dot = strrchr(file, '.');
	ossai_name_copy(name, (ossai_word){file, dot && dot > file ? (size_t)(dot - file) : strlen(file)});
}
