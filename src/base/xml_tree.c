/* base/xml_tree.c: elements of a parsed file by name and path, their attributes and texts: see
   xml.h.

   Place in the path: below the readers of formats that are XML. */
#include "base/xml.h"

#include <stdio.h>
#include <string.h>

/* ---- looking around ---- */

bool ossai_xml_is(const ossai_xml *xml, uint32_t element, const char *name)
{
	return element != OSSA_NONE && strcmp(xml->elements[element].name, name) == 0;
}

static uint32_t first_named(const ossai_xml *xml, uint32_t element, uint32_t end, const char *name)
{
	while (element < end) {
		if (!name || ossai_xml_is(xml, element, name)) return element;
		element = xml->elements[element].end;
	}
	return OSSA_NONE;
}

uint32_t ossai_xml_child(const ossai_xml *xml, uint32_t element, const char *name)
{
	return element == OSSA_NONE ? OSSA_NONE : first_named(xml, element + 1, xml->elements[element].end, name);
}

uint32_t ossai_xml_next(const ossai_xml *xml, uint32_t element, const char *name)
{
	if (element == OSSA_NONE || xml->elements[element].parent == OSSA_NONE) return OSSA_NONE;
	return first_named(xml, xml->elements[element].end, xml->elements[xml->elements[element].parent].end, name);
}

uint32_t ossai_xml_at(const ossai_xml *xml, uint32_t element, const char *path)
{
	char name[64];
	while (*path && element != OSSA_NONE) {
		const size_t size = strcspn(path, "/");
		snprintf(name, sizeof name, "%.*s", (int)size, path);
		element = ossai_xml_child(xml, element, name);
		path += size + (path[size] == '/');
	}
	return element;
}

ossai_word ossai_xml_attribute_of(const ossai_xml *xml, uint32_t element, const char *name)
{
	if (element == OSSA_NONE || xml->elements[element].attribute_count == 0) return (ossai_word){NULL, 0};
	const ossai_xml_attribute *attribute = xml->attributes + xml->elements[element].first_attribute;
	for (uint32_t i = 0; i < xml->elements[element].attribute_count; i++) {
		if (strcmp(attribute[i].name, name) == 0) return attribute[i].value;
	}
	return (ossai_word){NULL, 0};
}

static bool is_space(char c) { return ossai_is_blank(c) || ossai_is_line_end(c); }

ossai_word ossai_xml_trimmed(const ossai_xml *xml, uint32_t element)
{
	if (element == OSSA_NONE) return (ossai_word){NULL, 0};
	ossai_word text = xml->elements[element].text;
	while (text.size > 0 && is_space(text.bytes[0])) {
		text.bytes++;
		text.size--;
	}
	while (text.size > 0 && is_space(text.bytes[text.size - 1])) text.size--;
	return text;
}

ossai_text ossai_xml_cursor(const ossai_xml *xml, uint32_t element)
{
	ossai_word text = element == OSSA_NONE ? (ossai_word){NULL, 0} : xml->elements[element].text;
	if (!text.bytes) text.bytes = "";
	return (ossai_text){.context = xml->context,
		.name = xml->path,
		.at = text.bytes,
		.end = text.bytes + text.size,
		.line = element == OSSA_NONE ? -1 : (int64_t)xml->elements[element].line};
}

ossa_status ossai_xml_fail(const ossai_xml *xml, uint32_t element, const char *format, ...)
{
	ossai_place place = ossai_in_file(xml->path);
	if (element != OSSA_NONE) place.line = xml->elements[element].line;
	va_list arguments;
	va_start(arguments, format);
	ossai_fail_list(xml->context, OSSA_ERROR_INPUT, &place, format, arguments);
	va_end(arguments);
	return OSSA_ERROR_INPUT;
}
