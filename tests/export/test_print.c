/* tests/export/test_print.c: numbers as text: the same as printf's, exact when read back, with a
   decimal point in any locale. */
#include "export/print.h"
#include "support/comma.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 16];

/* what a printer wrote, in `text` */
typedef struct capture {
	FILE *stream;
	ossai_printer printer;
} capture;

static void begin(capture *all)
{
	all->stream = fmemopen(text, sizeof text, "w");
	assert_non_null(all->stream);
	ossai_print_begin(&all->printer, all->stream);
}

static void end(capture *all)
{
	ossai_print_end(&all->printer);
	fclose(all->stream);
}

static void assert_float_is_printf(float value)
{
	capture all;
	char expected[64];
	begin(&all);
	ossai_print_float(&all.printer, value);
	end(&all);
	snprintf(expected, sizeof expected, "%.9g", (double)value);
	assert_string_equal(text, expected);
}

static void floats_are_as_printf_prints_them(void **state)
{
	(void)state;
	static const float plain[] = {0, -0.0F, 1, -1, 0.1F, 0.5F, 100, 123456789.0F, 999999999.0F, 1e9F, 1e-4F, 0.00012345F,
		9.99999975e-5F, 0.3F, 1e10F, 1e-10F, 3.40282347e38F, 1.17549435e-38F, 1e-45F, 99999.9922F, 0.999999940F, 9.99999905F,
		16777216, 268435456, 536870912, 999999936, 1000000000};
	for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) assert_float_is_printf(plain[i]);
	/* any bits that are a number, and all sizes around the powers of ten */
	uint32_t bits = 1;
	for (int i = 0; i < 100000; i++) {
		float value;
		bits = bits * 1664525 + 1013904223;
		memcpy(&value, &bits, 4);
		if (isfinite(value)) assert_float_is_printf(value);
		assert_float_is_printf(ldexpf(1 + (float)(bits >> 9) / 8388608, (int)(bits % 44) - 14));
	}
	for (float power = 1e-5F; power < 1e10F; power *= 10) {
		float below = power, above = power;
		for (int i = 0; i < 50; i++) {
			assert_float_is_printf(below = nextafterf(below, 0));
			assert_float_is_printf(above = nextafterf(above, INFINITY));
		}
	}
}

static void doubles_come_back(void **state)
{
	(void)state;
	capture all;
	uint64_t bits = 1;
	for (int i = 0; i < 10000; i++) {
		double value;
		bits = bits * 6364136223846793005u + 1442695040888963407u;
		memcpy(&value, &bits, 8);
		if (!isfinite(value)) continue;
		begin(&all);
		ossai_print_double(&all.printer, value);
		end(&all);
		assert_true(strtod(text, NULL) == value);
	}
	begin(&all);
	ossai_print_double(&all.printer, 0.1);
	ossai_print_char(&all.printer, ' ');
	ossai_print_double(&all.printer, 1.0 / 3);
	ossai_print_text(&all.printer, " ");
	ossai_print_fixed(&all.printer, -0.00001, 3);
	ossai_print_char(&all.printer, ' ');
	ossai_print_fixed(&all.printer, -1234.5678, 2);
	ossai_print_char(&all.printer, ' ');
	ossai_print_unsigned(&all.printer, UINT64_MAX);
	ossai_print_char(&all.printer, ' ');
	ossai_print_unsigned(&all.printer, 0);
	ossai_print_format(&all.printer, " %s", "end");
	end(&all);
	assert_string_equal(text, "0.1 0.3333333333333333 0.000 -1234.57 18446744073709551615 0 end");
}

static void long_text_is_whole(void **state)
{
	(void)state;
	capture all;
	static char many[40000];
	memset(many, 'x', sizeof many - 1);
	begin(&all);
	for (int i = 0; i < 3000; i++) ossai_print_unsigned(&all.printer, 1234567);
	ossai_print_text(&all.printer, many);
	end(&all);
	assert_int_equal(strlen(text), 21000 + sizeof many - 1);
	assert_memory_equal(text + 20993, "1234567xxx", 10);
}

static void the_point_stays_a_point(void **state)
{
	(void)state;
	if (!test_comma_begin()) return;
	capture all;
	begin(&all);
	ossai_print_float(&all.printer, 1.5e-20F);
	ossai_print_char(&all.printer, ' ');
	ossai_print_float(&all.printer, 2.25F);
	ossai_print_char(&all.printer, ' ');
	ossai_print_double(&all.printer, 0.5);
	ossai_print_char(&all.printer, ' ');
	ossai_print_fixed(&all.printer, 0.5, 2);
	end(&all);
	test_comma_end();
	assert_string_equal(text, "1.49999995e-20 2.25 0.5 0.50");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(floats_are_as_printf_prints_them),
		cmocka_unit_test(doubles_come_back),
		cmocka_unit_test(long_text_is_whole),
		cmocka_unit_test(the_point_stays_a_point),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
