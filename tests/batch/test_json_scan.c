/* tests/batch/test_json_scan.c: the scan of JSON against jansson, on texts that are generated and
   spoilt. */
#include "batch/json_scan.h"
#include "support/support.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 16, DEPTH_MAX = 64 };

/* ---- texts ---- */

typedef struct writer {
	char text[TEXT_MAX];
	size_t size;
	uint32_t random;
} writer;

static uint32_t choose(writer *out, uint32_t count) { return test_random_bits(&out->random) % count; }

static void put(writer *out, const char *part)
{
	const size_t size = strlen(part);
	if (out->size + size > sizeof out->text) return;
	memcpy(out->text + out->size, part, size);
	out->size += size;
}

static void put_one_of(writer *out, size_t count, const char *const *parts) { put(out, parts[choose(out, (uint32_t)count)]); }
#define PUT_ONE_OF(out, parts) put_one_of(out, sizeof(parts) / sizeof *(parts), parts)

/* what may stand between all tokens */
static void put_space(writer *out)
{
	static const char *const spaces[] = {"", "", "", "", " ", "\t", "\n", "\r ", "\v"};
	put_one_of(out, choose(out, 400) == 0 ? 9 : 8, spaces);
}

/* good parts of strings, and from the 22nd on bad ones */
static void put_string(writer *out)
{
	static const char *const parts[] = {"a", "bc", "id", "options", "/", "'", "\x7f", "\\\"", "\\\\", "\\/", "\\b\\f", "\\n",
		"\\r\\t", "\\u0041", "\\u00e9", "\\u20AC", "\\uD83D\\ude00", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
		"\xf4\x8f\xbf\xbf", "\xee\x80\x80", "\\u0000", "\\ud83d", "\\ude00", "\\ud83d\\u0041", "\\ud83d\\n", "\\u12", "\\u12g4",
		"\\x", "\\", "\n", "\x01", "\x80", "\xc3", "\xc0\xaf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
		"\xf4\x90\x80\x80", "\xf8\x88\x80\x80", "\xe2\x82", "\xff", "\""};
	put(out, "\"");
	for (uint32_t i = choose(out, 6); i > 0; i--)
		put_one_of(out, choose(out, 300) == 0 ? sizeof parts / sizeof *parts : 22, parts);
	put(out, "\"");
}

static void put_number(writer *out)
{
	static const char *const signs[] = {"", "-"}, *const wholes[] = {"0", "7", "10", "123456789012345678", "40000"};
	static const char *const fractions[] = {"", "", ".0", ".5", ".1234567890123456789"};
	static const char *const exponents[] = {"", "", "e3", "E-12", "e+05"};
	static const char *const bad[] = {"01", "-", "+1", ".5", "1.", "1e", "1e+", "--1", "0x10", "NaN", "1.e3"};
	if (choose(out, 200) == 0) {
		PUT_ONE_OF(out, bad);
		return;
	}
	PUT_ONE_OF(out, signs);
	PUT_ONE_OF(out, wholes);
	PUT_ONE_OF(out, fractions);
	PUT_ONE_OF(out, exponents);
}

static void put_scalar(writer *out)
{
	static const char *const words[] = {"true", "false", "null"},
							 *const bad[] = {"True", "nul", "truex", "", "undefined", "'a'", "true false"};
	const uint32_t kind = choose(out, 300);
	if (kind < 140) put_string(out);
	else if (kind < 230) put_number(out);
	else if (kind < 299) PUT_ONE_OF(out, words);
	else PUT_ONE_OF(out, bad);
}

static void put_value(writer *out, int depth);

/* members or items; seldom with a comma too many, or the bracket of the other kind */
static void put_list(writer *out, bool is_object, uint32_t count, int depth)
{
	put(out, is_object ? "{" : "[");
	put_space(out);
	for (uint32_t i = 0; i < count; i++) {
		if (i > 0) put(out, choose(out, 500) ? "," : ",,");
		put_space(out);
		if (is_object) put_string(out);
		put_space(out);
		if (is_object) put(out, choose(out, 500) ? ":" : "");
		put_space(out);
		put_value(out, depth + 1);
		put_space(out);
	}
	if (choose(out, 500) == 0) put(out, ",");
	put(out, is_object != (choose(out, 500) == 0) ? "}" : "]");
}

static void put_value(writer *out, int depth)
{
	if (depth > 6 || choose(out, 3) > 0) put_scalar(out);
	else put_list(out, choose(out, 2), choose(out, 4), depth);
}

/* an object, of which a byte is changed, or the end is missing, in a third of all texts */
static void make_text(writer *out)
{
	out->size = 0;
	put_space(out);
	put_list(out, choose(out, 60) != 0, choose(out, 8), 0);
	put_space(out);
	const uint32_t spoil = choose(out, 9);
	if (spoil == 0) out->text[choose(out, (uint32_t)out->size)] = (char)choose(out, 256);
	if (spoil == 1) out->size = choose(out, (uint32_t)out->size);
	if (spoil == 2) put(out, "}");
}

/* ---- the comparison ---- */

typedef struct comparison {
	json_t *object; /* of jansson */
	json_t *seen;   /* names that were visited */
} comparison;

/* The value is that of jansson where the name is its last. */
static void assert_value(const json_t *expected, json_span value)
{
	char text[TEXT_MAX];
	if (json_is_string(expected)) {
		assert_int_equal(json_span_string(value, text, sizeof text), json_string_length(expected));
		assert_string_equal(text, json_string_value(expected));
		/* a buffer that has no space for the end is too small */
		assert_int_equal(json_span_string(value, text, json_string_length(expected)), SIZE_MAX);
	} else assert_int_equal(json_span_string(value, text, sizeof text), SIZE_MAX);
	assert_true(json_span_number(value, 0.125) == (json_is_number(expected) ? json_number_value(expected) : 0.125));
	json_t *parsed = json_loadb(value.begin, (size_t)(value.end - value.begin), JSON_DECODE_ANY, NULL);
	assert_true(json_equal(parsed, expected));
	json_decref(parsed);
}

static bool count_item(void *user, json_span key, json_span value)
{
	json_t *array = user;
	assert_true(key.begin == key.end);
	json_array_append_new(array, json_loadb(value.begin, (size_t)(value.end - value.begin), JSON_DECODE_ANY, NULL));
	return true;
}

static void assert_items(const json_t *expected, json_span value)
{
	json_t *items = json_array();
	assert_true(json_scan_array(value, count_item, items));
	assert_true(json_equal(items, expected));
	json_decref(items);
}

/* members in the order of the text: of a name that comes twice the last counts, so each is kept */
static bool collect(void *user, json_span key, json_span value)
{
	comparison *both = user;
	char name[TEXT_MAX];
	assert_true(json_span_string(key, name, sizeof name) != SIZE_MAX);
	json_object_set_new(
		both->seen, name, json_pack("[I, I]", (json_int_t)(intptr_t)value.begin, (json_int_t)(intptr_t)value.end));
	return true;
}

static void assert_members(const comparison *both)
{
	const char *name;
	json_t *place;
	assert_int_equal(json_object_size(both->seen), json_object_size(both->object));
	json_object_foreach(both->seen, name, place)
	{
		const json_t *expected = json_object_get(both->object, name);
		const json_span value = {(const char *)(intptr_t)json_integer_value(json_array_get(place, 0)),
			(const char *)(intptr_t)json_integer_value(json_array_get(place, 1))};
		assert_non_null(expected);
		assert_value(expected, value);
		if (json_is_array(expected)) assert_items(expected, value);
	}
}

/* whether jansson takes the text, too */
static bool compare(const char *text, size_t size)
{
	/* of its own, so that a sanitizer sees what is read behind the end */
	char *copy = malloc(size + 1);
	assert_non_null(copy);
	memcpy(copy, text, size);
	json_error_t error = {.line = 0};
	comparison both = {json_loadb(copy, size, 0, &error), json_object()};
	const bool is_object = json_is_object(both.object),
			   taken = json_scan_object((json_span){copy, copy + size}, collect, &both);
	/* a changed byte may make a number too large, which jansson alone refuses */
	const bool is_too_large = !both.object && json_error_code(&error) == json_error_numeric_overflow;
	if (taken != is_object && !is_too_large)
		fail_msg("%s by the scan alone: %.*s", taken ? "taken" : "refused", (int)size, text);
	if (taken && is_object) assert_members(&both);
	json_decref(both.object);
	json_decref(both.seen);
	free(copy);
	return is_object;
}

static void takes_what_jansson_takes(void **state)
{
	(void)state;
	static writer out = {.random = 23};
	int taken = 0, refused = 0;
	for (int i = 0; i < 20000; i++) {
		make_text(&out);
		const bool is_taken = compare(out.text, out.size);
		taken += is_taken;
		refused += !is_taken;
	}
	/* neither kind is rare */
	assert_in_range(taken, 5000, 15000);
	assert_in_range(refused, 5000, 15000);
}

/* every text cut at every length */
static void refuses_what_is_cut(void **state)
{
	(void)state;
	static writer out = {.random = 24};
	for (int i = 0; i < 200; i++) {
		make_text(&out);
		for (size_t size = 0; size <= out.size && out.size < 600; size++) compare(out.text, size);
	}
}

static bool nothing(void *user, json_span key, json_span value)
{
	(void)user;
	(void)key;
	(void)value;
	return true;
}

static void nests_as_deep_as_it_says(void **state)
{
	(void)state;
	for (int depth = DEPTH_MAX; depth <= DEPTH_MAX + 1; depth++) {
		char text[4 * DEPTH_MAX] = "{\"a\":";
		for (int i = 0; i < depth; i++) strcat(text, "[");
		for (int i = 0; i < depth; i++) strcat(text, "]");
		strcat(text, "}");
		assert_int_equal(json_scan_object((json_span){text, text + strlen(text)}, nothing, NULL), depth == DEPTH_MAX);
	}
}

static bool stop(void *user, json_span key, json_span value)
{
	(void)key;
	(void)value;
	++*(int *)user;
	return false;
}

static void stops_when_a_visit_says_so(void **state)
{
	(void)state;
	static const char text[] = "{\"a\": 1, \"b\": 2}";
	int visits = 0;
	assert_false(json_scan_object((json_span){text, text + strlen(text)}, stop, &visits));
	assert_int_equal(visits, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_what_jansson_takes),
		cmocka_unit_test(refuses_what_is_cut),
		cmocka_unit_test(nests_as_deep_as_it_says),
		cmocka_unit_test(stops_when_a_visit_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
