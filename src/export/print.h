/* export/print.h: text files: numbers that read back exactly, with a point whatever the locale
   says, and fast.

   Place in the path: under the writers of text formats. Errors of the stream are noticed at its
   commit (base/file.h). */
#ifndef OSSAI_EXPORT_PRINT_H
#define OSSAI_EXPORT_PRINT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ossai_printer {
	FILE *stream;
	size_t used;
	char bytes[16384];
} ossai_printer;

void ossai_print_begin(ossai_printer *printer, FILE *stream);
void ossai_print_end(ossai_printer *printer); /* before the stream is committed */

void ossai_print_text(ossai_printer *printer, const char *text);
void ossai_print_bytes(ossai_printer *printer, const char *bytes, size_t count);
void ossai_print_char(ossai_printer *printer, char c);
void ossai_print_unsigned(ossai_printer *printer, uint64_t value);

/* As "%.9g": nine digits read back to the same float. */
void ossai_print_float(ossai_printer *printer, float value);

/* The fewest of 15, 16 or 17 digits that read back to the same double. */
void ossai_print_double(ossai_printer *printer, double value);

/* With so many digits after the decimal point and never an exponent, for formats without
   exponents. */
void ossai_print_fixed(ossai_printer *printer, double value, int digits);

/* For anything but numbers with a decimal point; at most 1000 bytes. */
void ossai_print_format(ossai_printer *printer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
