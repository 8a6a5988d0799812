/* tests/base/test_xml.c: XML as a tree: contents, encodings, malicious files. */
#include "base/xml.h"
#include "base/xml_text.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ossa_status parse(ossa_context *context, const char *bytes, size_t size, ossai_xml *xml)
{
	const ossai_source source = {.path = "a.xml", .bytes = (const uint8_t *)bytes, .size = size};
	return ossai_xml_read(context, &source, xml);
}

static ossai_xml read_text(ossa_context *context, const char *text)
{
	ossai_xml xml;
	assert_ok(context, parse(context, text, strlen(text), &xml));
	return xml;
}

static void assert_word(ossai_word word, const char *wanted)
{
	if (!ossai_word_is(word, wanted)) fail_msg("\"%.*s\" in place of \"%s\"", (int)word.size, word.bytes, wanted);
}

/* a literal with zeros in it */
#define BYTES(text) text, sizeof text - 1

/* ---- the tree ---- */

static void elements_texts_and_attributes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_xml xml = read_text(context,
		"<?xml version=\"1.0\"?>\n<!-- first -->\n<a xmlns:p='urn:p' one='1' p:two=\"&lt;2 &amp; 3&#38;4&gt;\">\n"
		"  <b> text\r\n with lines </b>\n  <p:c><d/><d x=''>2</d></p:c>\n  <b>&lt;x&#x41;<!-- no "
		"-->y<![CDATA[<z>]]></b>mixed\n</a>\n");
	assert_int_equal(xml.element_count, 6);
	assert_true(ossai_xml_is(&xml, 0, "a"));
	assert_word(ossai_xml_attribute_of(&xml, 0, "one"), "1");
	assert_word(ossai_xml_attribute_of(&xml, 0, "two"), "<2 & 3&4>");
	assert_null(ossai_xml_attribute_of(&xml, 0, "three").bytes);
	assert_int_equal(xml.elements[0].text.size, 0);
	const uint32_t b = ossai_xml_child(&xml, 0, "b"), c = ossai_xml_child(&xml, 0, "c"), d = ossai_xml_at(&xml, 0, "c/d");
	assert_word(ossai_xml_trimmed(&xml, b), "text\r\n with lines");
	assert_int_equal(xml.elements[b].line, 4);
	assert_int_equal(xml.elements[c].line, 6);
	assert_int_equal(xml.elements[d].text.size, 0);
	assert_word(ossai_xml_trimmed(&xml, ossai_xml_next(&xml, d, NULL)), "2");
	assert_non_null(ossai_xml_attribute_of(&xml, ossai_xml_next(&xml, d, "d"), "x").bytes);
	assert_word(xml.elements[ossai_xml_next(&xml, b, "b")].text, "<xAy<z>");
	assert_true(ossai_xml_next(&xml, ossai_xml_next(&xml, b, "b"), NULL) == OSSA_NONE);
	assert_true(ossai_xml_at(&xml, 0, "c/e") == OSSA_NONE && ossai_xml_child(&xml, OSSA_NONE, NULL) == OSSA_NONE);
	assert_true(ossai_xml_next(&xml, 0, NULL) == OSSA_NONE && ossai_xml_trimmed(&xml, OSSA_NONE).size == 0);
	ossai_text cursor = ossai_xml_cursor(&xml, b);
	ossai_text_space(&cursor, 0);
	ossai_text_next_line(&cursor);
	assert_int_equal(cursor.line, 5);
	ossai_xml_close(&xml);
	test_context_end(context);
}

static void one_text_in_every_encoding(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t size;
		int64_t warnings;
	} files[] = {
		{BYTES("<a>x\xC3\xA4y</a>"), 0},
		{BYTES("\xEF\xBB\xBF<?xml version='1.0' encoding='utf-8'?><a>x\xC3\xA4y</a>"), 0},
		{BYTES("\xFF\xFE<\0a\0>\0x\0\xE4\0y\0<\0/\0a\0>\0"), 0},
		{BYTES("\xFE\xFF\0<\0a\0>\0x\0\xE4\0y\0<\0/\0a\0>"), 0},
		{BYTES("<\0a\0>\0x\0\xE4\0y\0<\0/\0a\0>\0"), 0},
		{BYTES("<?xml version='1.0' encoding='ISO-8859-1'?><a>x\xE4y</a>"), 0},
		{BYTES("<?xml version='1.0' encoding='utf-8'?><a>x\xE4y</a>"), 1},
	};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		ossa_context *context = test_context(1);
		ossai_xml xml;
		assert_ok(context, parse(context, files[i].bytes, files[i].size, &xml));
		assert_word(ossai_xml_trimmed(&xml, 0), "x\xC3\xA4y");
		assert_int_equal(ossa_context_warning_count(context), files[i].warnings);
		ossai_xml_close(&xml);
		test_context_end(context);
	}
	/* beyond the basic plane; half of a pair */
	ossa_context *context = test_context(1);
	ossai_xml xml;
	assert_ok(context, parse(context, BYTES("\xFF\xFE<\0a\0>\0\x3D\xD8\x00\xDE\x3D\xD8<\0/\0a\0>\0"), &xml));
	assert_word(ossai_xml_trimmed(&xml, 0), "\xF0\x9F\x98\x80\xEF\xBF\xBD");
	ossai_xml_close(&xml);
	test_context_end(context);
}

/* more than libxml2 takes of its own accord, without being copied by it */
static void large_texts(void **state)
{
	(void)state;
	enum { SIZE = 24 << 20 };
	ossa_context *context = test_context(1);
	char *text = malloc(SIZE + 100);
	assert_non_null(text);
	strcpy(text, "<a><b>");
	for (size_t i = 6; i < SIZE; i++) text[i] = i % 8 == 0 ? '\n' : '5';
	strcpy(text + SIZE, "</b><c>6</c></a>");
	ossai_xml xml = read_text(context, text);
	assert_int_equal(xml.elements[1].text.size, SIZE - 6);
	assert_memory_equal(xml.elements[1].text.bytes, text + 6, SIZE - 6);
	assert_word(ossai_xml_trimmed(&xml, 2), "6");
	assert_int_equal(xml.elements[2].line, 1 + (SIZE - 8) / 8);
	assert_true(ossa_context_peak_bytes(context) < (size_t)SIZE * 3 / 2 + ((size_t)20 << 20));
	ossai_xml_close(&xml);
	free(text);
	test_context_end(context);
}

/* ---- what is refused ---- */

static void refuse(const char *text, const char *words)
{
	ossa_context *context = test_context(1);
	ossai_xml xml;
	assert_fails(context, parse(context, text, strlen(text), &xml), OSSA_ERROR_INPUT, words);
	assert_true(ossa_context_peak_bytes(context) < (size_t)4 << 20);
	test_context_end(context);
}

static void entities_are_refused(void **state)
{
	(void)state;
	refuse("<!DOCTYPE a [\n<!ENTITY x \"xxxxxxxxxx\">\n<!ENTITY y \"&x;&x;&x;&x;&x;&x;&x;&x;&x;&x;\">]><a>&y;</a>",
		"line 2: has the entity \"x\"");
	refuse("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>", "has the entity \"x\"");
	refuse("<!DOCTYPE a [<!ENTITY % x SYSTEM \"file:///etc/passwd\"> %x;]><a/>", "has the entity \"x\"");
	refuse("<!DOCTYPE a [<!NOTATION n SYSTEM \"n\"><!ENTITY x SYSTEM \"file:///etc/passwd\" NDATA n>]><a/>",
		"has the entity \"x\"");
	refuse("<!DOCTYPE a SYSTEM \"http://localhost/a.dtd\">\n<a>&x;</a>", "line 2: has the entity \"x\"");
	refuse("<!DOCTYPE a SYSTEM \"/etc/passwd\"><a b=\"&x;\"/>", "has the entity \"x\"");
	refuse("<a>&x;</a>", "Entity 'x' not defined");
	refuse("<!DOCTYPE a [<!ATTLIST a b CDATA \"long\" c (d|e) \"d\">]><a/>", "declares the attribute \"b\"");
	/* one that declares nothing does no harm */
	ossa_context *context = test_context(1);
	ossai_xml xml = read_text(context, "<!DOCTYPE a SYSTEM \"/dev/null/none.dtd\" [<!ELEMENT a ANY>]><a>1</a>");
	assert_word(ossai_xml_trimmed(&xml, 0), "1");
	ossai_xml_close(&xml);
	test_context_end(context);
}

static void broken_files_are_refused_with_the_line(void **state)
{
	(void)state;
	static const char *const files[] = {"<a>\n<b></a>", "<a>\n<b x=1/></a>", "<a>\n<b x='1' x='2'/></a>", "<a>\n</a><b/>",
		"<a>\n\x01</a>", "<a>\n<!-- a -- b --></a>", "<a>\n<![CDATA[ ]]", "<a>\n&#0;</a>", "<a>\n<b:c:d e=/></a>",
		"<a>\n< b/></a>", "<a>\n]]></a>"};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) refuse(files[i], "line 2");
	refuse("<a>", "a.xml");
	refuse("text", "a.xml");
	refuse("<!-- only -->", "a.xml");
	ossa_context *context = test_context(1);
	ossai_xml xml;
	assert_fails(context, parse(context, "", 0, &xml), OSSA_ERROR_INPUT, "is empty");
	assert_fails(context, parse(context, "<a>\0</a>", 8, &xml), OSSA_ERROR_INPUT, "a.xml");
	assert_fails(context, parse(context, "<a", SIZE_MAX / 4, &xml), OSSA_ERROR_LIMIT, "more than a gigabyte");
	test_context_end(context);
}

static void every_beginning_of_a_file_is_refused(void **state)
{
	(void)state;
	const char *text = "<?xml version='1.0'?><!-- c --><!DOCTYPE a><a b='1&amp;'><c>1 2</c><d><![CDATA[x]]>&lt;</d><e/></a>";
	ossa_context *context = test_context(1);
	ossai_xml xml;
	for (size_t size = 1; size < strlen(text); size++) {
		/* exact size, so that reading beyond it is noticed */
		char *copy = malloc(size);
		assert_non_null(copy);
		memcpy(copy, text, size);
		assert_fails(context, parse(context, copy, size, &xml), OSSA_ERROR_INPUT, "a.xml");
		free(copy);
	}
	test_context_end(context);
}

/* ---- limits ---- */

static char *nested(size_t depth)
{
	char *text = malloc(7 * depth + 1), *at = text;
	assert_non_null(text);
	for (size_t i = 0; i < depth; i++, at += 3) memcpy(at, "<a>", 3);
	for (size_t i = 0; i < depth; i++, at += 4) memcpy(at, "</a>", 4);
	*at = 0;
	return text;
}

static void depth_is_bounded(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char *text = nested(2000);
	ossai_xml xml = read_text(context, text);
	assert_int_equal(xml.element_count, 2000);
	ossai_xml_close(&xml);
	free(text);
	text = nested(2001);
	assert_fails(context, parse(context, text, strlen(text), &xml), OSSA_ERROR_INPUT, "nested deeper than 2000");
	free(text);
	text = nested(100000);
	assert_fails(context, parse(context, text, strlen(text), &xml), OSSA_ERROR_INPUT, "nested deeper than 2000");
	free(text);
	test_context_end(context);
}

static void tags_and_names_are_bounded(void **state)
{
	(void)state;
	enum { SIZE = 17 << 20, NAMES = 100000 };
	ossa_context *context = test_context(1);
	ossai_xml xml;
	char *text = malloc(SIZE + 100);
	assert_non_null(text);
	memset(text, ' ', SIZE);
	memcpy(text, "<!--", 4);
	strcpy(text + SIZE, "--><a/>");
	assert_fails(context, parse(context, text, strlen(text), &xml), OSSA_ERROR_INPUT, "has a tag or comment of 17825");
	memcpy(text, "<a x", 4);
	strcpy(text + SIZE, "='>'/>");
	assert_fails(context, parse(context, text, strlen(text), &xml), OSSA_ERROR_INPUT, "has a tag or comment of 17825");
	char *at = text + sprintf(text, "<a>");
	for (int i = 0; i < NAMES; i++) at += sprintf(at, "<n%d/>", i);
	strcpy(at, "</a>");
	assert_fails(context, parse(context, text, strlen(text), &xml), OSSA_ERROR_INPUT, "more different names");
	free(text);
	test_context_end(context);
}

/* what libxml2 may hold counts, too */
static void the_memory_limit_holds(void **state)
{
	(void)state;
	ossa_context_options options = ossa_context_default();
	ossa_context *context;
	ossai_xml xml;
	options.memory_limit = 300 << 10;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	assert_fails(context, parse(context, "<a/>", 4, &xml), OSSA_ERROR_LIMIT, "memory limit");
	test_context_end(context);
	options.memory_limit = 1 << 20;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	assert_ok(context, parse(context, "<a/>", 4, &xml));
	ossai_xml_close(&xml);
	test_context_end(context);
}

static ossa_status sweep_body(ossa_context *context, void *text)
{
	ossai_xml xml;
	const ossa_status status = parse(context, text, strlen(text), &xml);
	if (status == OSSA_OK) ossai_xml_close(&xml);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	char text[] = "<a b='1' c='&amp;'><d>1</d><d>&lt;2<!-- -->3</d><e/></a>";
	assert_true(test_allocation_sweep(sweep_body, text, 1000, 1) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_texts_and_attributes),
		cmocka_unit_test(one_text_in_every_encoding),
		cmocka_unit_test(large_texts),
		cmocka_unit_test(entities_are_refused),
		cmocka_unit_test(broken_files_are_refused_with_the_line),
		cmocka_unit_test(every_beginning_of_a_file_is_refused),
		cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(tags_and_names_are_bounded),
		cmocka_unit_test(the_memory_limit_holds),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
