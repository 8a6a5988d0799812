/* export/print.c: see print.h.

   A float whose size is between 1e-4 and 1e9 is printed without printf: times 10^k, with at most
   nine digits before the point, it is exact as a double (24 bits times the 28 of 5^12 at most), so
   that rounding it once to a whole number gives the very digits of "%.9g". */
#include "export/print.h"
#include "base/format.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void ossai_print_begin(ossai_printer *printer, FILE *stream)
{
	printer->stream = stream;
	printer->used = 0;
}

static void flush(ossai_printer *printer)
{
	fwrite(printer->bytes, 1, printer->used, printer->stream);
	printer->used = 0;
}

void ossai_print_end(ossai_printer *printer) { flush(printer); }

/* capacity for `count` bytes, at most the whole buffer */
static char *reserve(ossai_printer *printer, size_t count)
{
	if (printer->used + count > sizeof printer->bytes) flush(printer);
	return printer->bytes + printer->used;
}

void ossai_print_bytes(ossai_printer *printer, const char *bytes, size_t count)
{
	if (count > sizeof printer->bytes) {
		flush(printer);
		fwrite(bytes, 1, count, printer->stream);
		return;
	}
	memcpy(reserve(printer, count), bytes, count);
	printer->used += count;
}

void ossai_print_text(ossai_printer *printer, const char *text) { ossai_print_bytes(printer, text, strlen(text)); }

void ossai_print_char(ossai_printer *printer, char c)
{
	*reserve(printer, 1) = c;
	printer->used++;
}

/* the decimal digits of a number at the end of 20 bytes; returns the first */
static char *digits_of(uint64_t value, char digits[20])
{
	char *at = digits + 20;
	do *--at = (char)('0' + value % 10);
	while (value /= 10);
	return at;
}

void ossai_print_unsigned(ossai_printer *printer, uint64_t value)
{
	char digits[20];
	const char *first = digits_of(value, digits);
	ossai_print_bytes(printer, first, (size_t)(digits + 20 - first));
}

static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};

/* a whole number of nine digits with `after` of them after the decimal point, or more where the
   number is below 1 */
static void put_nine(ossai_printer *printer, uint64_t nine, int behind)
{
	char digits[20];
	char *first = digits_of(nine, digits), *last = digits + 20;
	while (behind > 0 && last[-1] == '0') {
		last--;
		behind--;
	}
	const int count = (int)(last - first), before = count - behind;
	char *to = reserve(printer, 32), *const begin = to;
	for (int i = 0; i < before; i++) *to++ = first[i];
	if (before <= 0) *to++ = '0';
	if (behind > 0) *to++ = '.';
	for (int i = before; i < 0; i++) *to++ = '0';
	for (int i = before > 0 ? before : 0; i < count; i++) *to++ = first[i];
	printer->used += (size_t)(to - begin);
}

void ossai_print_float(ossai_printer *printer, float value)
{
	const double size = fabs((double)value);
	if (value == 0) {
		ossai_print_text(printer, signbit(value) ? "-0" : "0");
		return;
	}
	if (!(size >= 1e-4 && size < 999999999)) {
		char text[32];
		ossai_format(text, sizeof text, "%.9g", (double)value);
		ossai_print_text(printer, text);
		return;
	}
	/* the power of ten that makes it a number of nine digits */
	int behind = 8;
	while (behind > 0 && size >= powers[9 - behind]) behind--;
	while (size * powers[behind] < 1e8) behind++;
	uint64_t nine = (uint64_t)rint(size * powers[behind]);
	if (nine == 1000000000) {
		nine = 100000000;
		behind--;
	}
	if (value < 0) ossai_print_char(printer, '-');
	put_nine(printer, nine, behind);
}

void ossai_print_double(ossai_printer *printer, double value)
{
	char text[40];
	for (int digits = 15; digits <= 17; digits++) {
		ossai_format(text, sizeof text, "%.*g", digits, value);
		/* strtod follows the locale */
		double again;
		ossai_text read = ossai_text_begin(NULL, "", text, strlen(text));
		if (ossai_text_double(&read, &again) == OSSAI_NUMBER_OK && again == value) break;
	}
	ossai_print_text(printer, text);
}

void ossai_print_fixed(ossai_printer *printer, double value, int digits)
{
	char text[400];
	ossai_format(text, sizeof text, "%.*f", digits, value);
	/* "-0.000" is written as 0 */
	const bool zero = text[0] == '-' && text[strspn(text, "-0.")] == 0;
	ossai_print_text(printer, zero ? text + 1 : text);
}

void ossai_print_format(ossai_printer *printer, const char *format, ...)
{
	char text[1000];
	va_list arguments;
	va_start(arguments, format);
	ossai_vformat(text, sizeof text, format, arguments);
	va_end(arguments);
	ossai_print_text(printer, text);
}
