/* export/number.c: see number.h.

   Text files of a large mesh are millions of numbers, and printf takes most of the time of writing them: nine digits are made
   here by a multiplication and integer divisions instead. The scaled value is off by less than 2^-51 of itself, a millionth of
   the last digit, and floats lie six times as far apart as nine digits do: the nearest float is always the right one. */
#include "export/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* powers of ten that doubles hold exactly */
static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
enum { DIGITS = 9, POWER_MAX = 22, SMALLEST_PLAIN = -5 };

static const uint32_t WHOLE = 1000000000; /* ten to the DIGITS */

/* printf's text with a point whatever the locale says */
static size_t print_plainly(char *text, int digits, double value)
{
	const int length = snprintf(text, OSSAI_NUMBER_SIZE, "%.*g", digits, value);
	char *comma = strchr(text, ',');
	if (comma) *comma = '.';
	return (size_t)length;
}

/* value x 10^power, rounded, for powers up to twice the table's */
static uint32_t scaled(double value, int power)
{
	if (power > POWER_MAX) {
		value *= powers[POWER_MAX];
		power -= POWER_MAX;
	} else if (power < -POWER_MAX) {
		value /= powers[POWER_MAX];
		power += POWER_MAX;
	}
	return (uint32_t)(power >= 0 ? value * powers[power] + 0.5 : value / powers[-power] + 0.5);
}

/* digits of `value` = digits x 10^(exponent - 8), nine of them; false where the tables do not reach */
static bool nine_digits(double value, uint32_t *digits, int *exponent)
{
	*exponent = (int)floor(log10(value));
	if (abs(DIGITS - 1 - *exponent) >= 2 * POWER_MAX) return false;
	*digits = scaled(value, DIGITS - 1 - *exponent);
	/* the logarithm may be off by one beside a power of ten, and rounding may reach the next */
	if (*digits >= WHOLE) *digits = scaled(value, DIGITS - 1 - ++*exponent);
	else if (*digits < WHOLE / 10) *digits = scaled(value, DIGITS - 1 - --*exponent);
	return true;
}

/* `count` decimal digits of a number, leading zeros too */
static char *put_digits(char *to, uint32_t number, int count)
{
	for (int i = count - 1; i >= 0; i--) {
		to[i] = (char)('0' + number % 10);
		number /= 10;
	}
	return to + count;
}

static char *put_exponent(char *to, int exponent)
{
	*to++ = 'e';
	if (exponent < 0) *to++ = '-';
	const int size = abs(exponent);
	return put_digits(to, (uint32_t)size, size > 99 ? 3 : 2);
}

size_t ossai_number_float(char *text, double value)
{
	uint32_t digits;
	int exponent, count = DIGITS;
	char all[DIGITS], *to = text;
	if (value == 0 || !isfinite(value)) return (size_t)(strcpy(text, "0"), 1);
	if (!nine_digits(fabs(value), &digits, &exponent)) return print_plainly(text, DIGITS, value);
	put_digits(all, digits, DIGITS);
	while (count > 1 && all[count - 1] == '0') count--;
	if (value < 0) *to++ = '-';
	const bool plain = exponent >= SMALLEST_PLAIN && exponent < DIGITS;
	const int before = !plain ? 1 : exponent + 1; /* digits before the point */
	for (int i = before; i <= 0; i++) {
		*to++ = '0';
		if (i == before) *to++ = '.';
	}
	for (int i = 0; i < count || i < before; i++) {
		if (i > 0 && i == before) *to++ = '.';
		*to++ = i < count ? all[i] : '0';
	}
	if (!plain) to = put_exponent(to, exponent);
	*to = 0;
	return (size_t)(to - text);
}

size_t ossai_number_double(char *text, double value)
{
	size_t length = 1;
	if (!isfinite(value)) return (size_t)(strcpy(text, "0"), 1);
	for (int digits = 15; digits <= 17; digits++) {
		length = (size_t)snprintf(text, OSSAI_NUMBER_SIZE, "%.*g", digits, value);
		if (strtod(text, NULL) == value) break;
	}
	char *comma = strchr(text, ',');
	if (comma) *comma = '.';
	return length;
}

size_t ossai_number_index(char *text, size_t value)
{
	char reversed[OSSAI_NUMBER_SIZE];
	size_t length = 0;
	do {
		reversed[length++] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	for (size_t i = 0; i < length; i++) text[i] = reversed[length - 1 - i];
	text[length] = 0;
	return length;
}
