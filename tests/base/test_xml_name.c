/* tests/base/test_xml_name.c: names of XML, which libxml2 validates by the same edition. */
#include "base/xml_name.h"
#include "support/support.h"

#include <libxml/tree.h>
#include <string.h>

static void assert_name(const char *text, const char *wanted)
{
	char name[64];
	ossai_xml_name(text, name, sizeof name);
	assert_string_equal(name, wanted);
	assert_int_equal(xmlValidateNCName((const xmlChar *)name, 0), 0);
}

static void letters_of_any_language_stay(void **state)
{
	(void)state;
	assert_name("Body_1-a.b", "Body_1-a.b");
	assert_name("Тело", "Тело");
	assert_name("Κεφάλι", "Κεφάλι");
	assert_name("左腕", "左腕");
	assert_name("スカート", "スカート");
	assert_name("왼팔", "왼팔");
	assert_name("ümlaut", "ümlaut");
}

static void other_characters_become_marks(void **state)
{
	(void)state;
	assert_name("", "_");
	assert_name("skin & \"bone\"", "skin____bone_");
	assert_name("1 Тело", "_1_Тело");
	assert_name("-a", "_-a");
	assert_name("ーa", "_ーa");
	assert_name("\xF0\x9F\x98\x80", "__");
	/* a broken byte, and one that begins a character that is not there */
	assert_name("a\xFF"
				"b\xD0",
		"a_b_");
}

/* whole characters alone */
static void long_names_are_cut(void **state)
{
	(void)state;
	char name[6];
	ossai_xml_name("abcdefg", name, sizeof name);
	assert_string_equal(name, "abcde");
	ossai_xml_name("aТело", name, sizeof name);
	assert_string_equal(name, "aТе");
}

/* every character, alone and behind a letter */
static void every_name_is_valid(void **state)
{
	(void)state;
	for (uint32_t code = 1; code < 0x10000; code++) {
		if (code >= 0xD800 && code < 0xE000) continue;
		unsigned char text[5] = "a";
		size_t size = 1;
		if (code < 0x80) text[size++] = (unsigned char)code;
		else if (code < 0x800) {
			text[size++] = (unsigned char)(0xC0 | code >> 6);
			text[size++] = (unsigned char)(0x80 | (code & 0x3F));
		} else {
			text[size++] = (unsigned char)(0xE0 | code >> 12);
			text[size++] = (unsigned char)(0x80 | (code >> 6 & 0x3F));
			text[size++] = (unsigned char)(0x80 | (code & 0x3F));
		}
		text[size] = 0;
		char name[16];
		for (size_t from = 0; from < 2; from++) {
			ossai_xml_name((const char *)text + from, name, sizeof name);
			assert_int_equal(xmlValidateNCName((const xmlChar *)name, 0), 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_of_any_language_stay),
		cmocka_unit_test(other_characters_become_marks),
		cmocka_unit_test(long_names_are_cut),
		cmocka_unit_test(every_name_is_valid),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
