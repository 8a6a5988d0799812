/* tests/base/test_data_uri.c: bytes in URIs. */
#include "base/data_uri.h"
#include "support/support.h"

#include <string.h>

static void check(const char *uri, ossai_data_uri_fault fault, const char *wanted, size_t wanted_at)
{
	uint8_t bytes[64] = {0};
	size_t size, at = 0;
	assert_true(ossai_data_uri_capacity(uri, strlen(uri)) <= sizeof bytes);
	assert_int_equal(ossai_data_uri_decode(uri, strlen(uri), bytes, &size, &at), fault);
	assert_int_equal(at, wanted_at);
	if (!wanted) return;
	assert_int_equal(size, strlen(wanted));
	assert_memory_equal(bytes, wanted, size);
	assert_true(size <= ossai_data_uri_capacity(uri, strlen(uri)));
}

/* RFC 4648, 10 */
static void base64_has_its_test_vectors(void **state)
{
	(void)state;
	check("data:;base64,", OSSAI_DATA_URI_GOOD, "", 0);
	check("data:;base64,Zg==", OSSAI_DATA_URI_GOOD, "f", 4);
	check("data:text/plain;base64,Zm8=", OSSAI_DATA_URI_GOOD, "fo", 4);
	check("data:;base64,Zm9v", OSSAI_DATA_URI_GOOD, "foo", 4);
	check("data:;base64,Zm9vYg==", OSSAI_DATA_URI_GOOD, "foob", 8);
	check("data:;base64,Zm9vYmE=", OSSAI_DATA_URI_GOOD, "fooba", 8);
	check("data:;base64,Zm9vYmFy", OSSAI_DATA_URI_GOOD, "foobar", 8);
	/* without padding, as some write it */
	check("data:;base64,Zm9vYg", OSSAI_DATA_URI_GOOD, "foob", 8);
}

static void others_have_percent_signs(void **state)
{
	(void)state;
	check("data:,a%20b", OSSAI_DATA_URI_GOOD, "a b", 0);
	check("data:text/plain;charset=utf-8,%C3%BC", OSSAI_DATA_URI_GOOD, "\xc3\xbc", 0);
}

static void faults_are_named(void **state)
{
	(void)state;
	check("data:image/png", OSSAI_DATA_URI_EMPTY, "", 0);
	check("data:;base64,Zm9v!m9v", OSSAI_DATA_URI_NOT_BASE64, NULL, 4);
	assert_true(ossai_is_data_uri("data:,"));
	assert_false(ossai_is_data_uri("dat"));
	assert_false(ossai_is_data_uri("skin.png"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base64_has_its_test_vectors),
		cmocka_unit_test(others_have_percent_signs),
		cmocka_unit_test(faults_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
