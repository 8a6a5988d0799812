/* tests/import/test_frame_range.c: --frames FIRST:LAST:STEP: every form, and invalid ones. */
#include "import/frame_range.h"
#include "support/support.h"

#include <ossa/read.h>

/* as the command sets it, for a file of `count` frames */
static ossa_status range_of(ossa_context *context, const char *text, size_t count, ossai_frame_range *range)
{
	ossa_read_options options = ossa_read_default();
	OSSAI_TRY(ossa_option_set(context, ossa_read_option_table(), &options, "frames", text));
	return ossai_frame_range_of(context, &options.frames, count, range);
}

static void every_form_is_understood(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t first, last, step, count;
	} ranges[] = {
		{"", 0, 39, 1, 40},
		{":", 0, 39, 1, 40},
		{"::", 0, 39, 1, 40},
		{"7", 6, 6, 1, 1},
		{"10:", 9, 39, 1, 31},
		{":10", 0, 9, 1, 10},
		{"10:20", 9, 19, 1, 11},
		{"10:20:", 9, 19, 1, 11},
		{"10:20:3", 9, 19, 3, 4},
		{"::39", 0, 39, 39, 2},
		{"40::1000000000000", 39, 39, 1000000000000, 1},
		{"40:40", 39, 39, 1, 1},
	};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
		ossai_frame_range range;
		assert_ok(context, range_of(context, ranges[i].text, 40, &range));
		assert_int_equal(range.first, ranges[i].first);
		assert_int_equal(range.last, ranges[i].last);
		assert_int_equal(range.step, ranges[i].step);
		assert_int_equal(ossai_frame_range_count(&range), ranges[i].count);
		size_t kept = 0;
		for (size_t frame = 0; frame < 50; frame++) kept += ossai_frame_range_has(&range, frame);
		assert_int_equal(kept, ranges[i].count);
	}
	test_context_end(context);
}

static void everything_else_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *words;
	} bad[] = {
		{"a", "`frames a`: is no range"},
		{"1-5", "is no range"},
		{"1:2:3:4", "is no range"},
		{"-1:", "is no range"},
		{" 1", "is no range"},
		{"99999999999999999999999", "is no range"},
		{"1:99999999999999999999999", "is no range"},
		{"::0", "the step is 0"},
		{"0", "counted from 1"},
		{"0:5", "counted from 1"},
		{"5:0", "counted from 1"},
		{"9:8", "the first comes after the last"},
		{"41", "the frames are 1 to 40"},
		{"1:41", "the frames are 1 to 40"},
		{"50:60", "the frames are 1 to 40"},
	};
	ossa_context *context = test_context(1);
	ossai_frame_range range;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_fails(context, range_of(context, bad[i].text, 40, &range), OSSA_ERROR_ARGUMENT, bad[i].words);
	}
	assert_fails(context, range_of(context, "", 0, &range), OSSA_ERROR_ARGUMENT, "no frames");
	test_context_end(context);
}

/* a range as text is read again as the same one */
static void it_is_printed_as_it_is_typed(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "7", "10:", ":10", "10:20", "10:20:3", "::39", "40::2", "3:3:2"};
	const ossa_option *option = ossa_option_find(ossa_read_option_table(), "frames");
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		ossa_read_options options = ossa_read_default();
		char text[64];
		assert_ok(context, ossa_option_set(context, ossa_read_option_table(), &options, "frames", texts[i]));
		ossa_option_print(option, &options, text, sizeof text);
		assert_string_equal(text, texts[i]);
	}
	/* what no text can say is refused as well */
	ossa_read_options options = ossa_read_default();
	options.frames = (ossa_range){9, 8, 0};
	assert_fails(context, ossa_options_check(context, ossa_read_option_table(), &options), OSSA_ERROR_ARGUMENT, "not \"9:8\"");
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_is_understood),
		cmocka_unit_test(everything_else_is_refused),
		cmocka_unit_test(it_is_printed_as_it_is_typed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
