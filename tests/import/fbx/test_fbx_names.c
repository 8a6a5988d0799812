/* tests/import/fbx/test_fbx_names.c: models of one name get others of the same length. */
#include "import/fbx/fbx_names.h"
#include "import/fbx/fbx_weights.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { LONG = 5, SHORT = 40 };

/* an ASCII file: LONG models "Тело", SHORT "a", and two whose names are numbers */
static ossai_source make_file(char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "; FBX 7.4.0 project file\nObjects:  {\n");
	for (int i = 0; i < LONG + SHORT + 2; i++) {
		const char *name = i < LONG ? "Тело" : i < LONG + SHORT ? "a" : i == LONG + SHORT ? "1" : "00000002";
		used += (size_t)snprintf(text + used, size - used, "\tModel: %d, \"Model::%s\", \"Mesh\" {\n\t}\n", i + 1, name);
	}
	used += (size_t)snprintf(text + used, size - used, "}\n");
	return (ossai_source){.path = "models.fbx", .bytes = (const uint8_t *)text, .size = used};
}

static void names_are_apart_and_come_back(void **state)
{
	(void)state;
	char text[8192], found[64];
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_source source = make_file(text, sizeof text);
	ossai_fbx_names names;
	ossai_word *before, *after;
	size_t count, repeats = 0;
	assert_ok(context, ossai_fbx_list_names(&arena, &source, &before, &count));
	assert_int_equal(count, LONG + SHORT + 2);
	assert_ok(context, ossai_fbx_names_apart(&arena, &source, &names));
	assert_int_equal(names.source.size, source.size);
	assert_ok(context, ossai_fbx_list_names(&arena, &names.source, &after, &count));
	assert_int_equal(count, LONG + SHORT + 2);
	for (size_t i = 0; i < count; i++) {
		snprintf(found, sizeof found, "%.*s", (int)after[i].size, after[i].bytes);
		char whole[64];
		snprintf(whole, sizeof whole, "%.*s", (int)before[i].size, before[i].bytes);
		assert_string_equal(ossai_fbx_whole_name(&names, found), whole);
		for (size_t k = 0; k < i; k++) repeats += ossai_words_are_same(after[i], after[k]);
	}
	/* the first of a name keeps it, and numbers that are there are nobody else's */
	assert_true(ossai_word_is(after[0], "Тело") && ossai_word_is(after[LONG], "a"));
	assert_true(ossai_word_is(after[LONG + SHORT], "1") && ossai_word_is(after[LONG + SHORT + 1], "00000002"));
	/* one letter has "a" and the numbers 1 to z, of which "1" and "a" are taken */
	assert_int_equal(names.count, LONG - 1 + 33);
	const size_t left = SHORT - 1 - 33;
	assert_int_equal(repeats, left * (left + 1) / 2);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void a_file_of_other_names_stays_as_it_is(void **state)
{
	(void)state;
	static const char text[] = "; FBX 7.4.0 project file\nObjects:  {\n\tModel: 1, \"Model::a\", \"Mesh\" {\n\t}\n"
							   "\tModel: 2, \"Model::b\", \"Mesh\" {\n\t}\n}\n";
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_source source = {.path = "a.fbx", .bytes = (const uint8_t *)text, .size = sizeof text - 1};
	ossai_fbx_names names;
	assert_ok(context, ossai_fbx_names_apart(&arena, &source, &names));
	assert_true(names.source.bytes == source.bytes && names.count == 0);
	assert_string_equal(ossai_fbx_whole_name(&names, "a"), "a");
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_apart_and_come_back),
		cmocka_unit_test(a_file_of_other_names_stays_as_it_is),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
