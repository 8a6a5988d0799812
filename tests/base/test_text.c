/* tests/base/test_text.c: texts that a zero byte ends. Lines, words and numbers: by the tests of
   their readers. */
#include "base/text.h"
#include "support/support.h"

/* what is wrong is the byte, not what is missing behind it, but an error before it stays */
static void a_zero_byte_ends_the_text_of_a_file(void **state)
{
	(void)state;
	static const char bytes[] = "one\ntwo\0three\n";
	ossa_context *context = test_context(1);
	ossai_text text = ossai_text_of_file(context, "a.txt", bytes, sizeof bytes - 1);
	assert_int_equal(text.end - text.at, 7);
	assert_fails(context, ossai_text_fail(&text, "is no \"%s\"", "two"), OSSA_ERROR_INPUT, "line 1: is no \"two\"");
	ossai_text_next_line(&text);
	assert_true(ossai_word_is(ossai_text_word(&text), "two"));
	assert_true(ossai_text_ended(&text));
	assert_fails(context, ossai_text_fail(&text, "ends too early"), OSSA_ERROR_INPUT, "line 2: holds a zero byte");
	assert_fails(context, ossai_text_end(&text), OSSA_ERROR_INPUT, "line 2: holds a zero byte");
	test_context_end(context);
}

static void a_text_without_one_ends_where_it_ends(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_text text = ossai_text_of_file(context, "a.txt", "one", 3);
	ossai_text_word(&text);
	assert_true(ossai_text_ended(&text));
	assert_ok(context, ossai_text_end(&text));
	assert_fails(context, ossai_text_fail(&text, "ends too early"), OSSA_ERROR_INPUT, "ends too early");
	text = ossai_text_of_file(context, "a.txt", NULL, 0);
	assert_ok(context, ossai_text_end(&text));
	test_context_end(context);
}

/* a binary body may hold any byte, its header may not */
static void zero_bytes_of_ply(void **state)
{
	(void)state;
	static const char head[] = "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
							   "property float z\nelement face 1\nproperty list uchar uchar vertex_indices\nend_header\n";
	char bytes[sizeof head - 1 + 36 + 4] = {0};
	memcpy(bytes, head, sizeof head - 1);
	/* 2 in the floats' largest byte: all three vertices differ */
	bytes[sizeof head - 1 + 12 + 3] = bytes[sizeof head - 1 + 24 + 7] = 0x40;
	memcpy(bytes + sizeof bytes - 4, "\3\0\1\2", 4);
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, test_file("a.ply", bytes, sizeof bytes), NULL, &mesh));
	assert_int_equal(mesh->triangle_count, 1);
	ossa_mesh_free(context, mesh);
	bytes[40] = 0;
	assert_fails(context, ossa_read_mesh(context, test_file("a.ply", bytes, sizeof bytes), NULL, &mesh), OSSA_ERROR_INPUT,
		"line 3: holds a zero byte");
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_zero_byte_ends_the_text_of_a_file),
		cmocka_unit_test(a_text_without_one_ends_where_it_ends),
		cmocka_unit_test(zero_bytes_of_ply),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
