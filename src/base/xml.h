/* base/xml.h: an XML file as a tree of elements.

   Place in the path: below the readers of formats that are XML.
   Input: bytes.
   Output: elements in the file's order, names without prefixes, texts that point into one copy of
   the file.
   Nothing outside the file is ever read: declared entities, in the file or outside of it, are
   refused. */
#ifndef OSSAI_BASE_XML_H
#define OSSAI_BASE_XML_H

#include "base/file.h"
#include "base/text.h"

#include <ossa/mesh.h>

/* Elements are named by their index; OSSA_NONE is no element, and every call below treats it as
   an empty one. */
typedef struct ossai_xml_element {
	const char *name; /* without prefix */
	ossai_word text;  /* of an element without elements inside; not zero-terminated */
	/* end: behind the last element inside; those inside are index + 1 .. end - 1 */
	uint32_t parent, end;
	uint32_t first_attribute, attribute_count;
	uint32_t line;
} ossai_xml_element;

typedef struct ossai_xml_attribute {
	const char *name; /* without prefix */
	ossai_word value;
} ossai_xml_attribute;

typedef struct ossai_xml {
	ossa_context *context;
	const char *path; /* for messages */
	ossai_arena arena;
	size_t element_count, attribute_count;
	ossai_xml_element *elements; /* 0: the root; parents before children */
	ossai_xml_attribute *attributes;
	void *names; /* keeps the names */
} ossai_xml;

/* Errors: OSSA_ERROR_INPUT with the line; OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY. Nothing is held
   after a failure. */
ossa_status ossai_xml_read(ossa_context *context, const ossai_source *source, ossai_xml *xml);
void ossai_xml_close(ossai_xml *xml);

/* The first element of that name directly inside, and the next one of that name beside; `name`
   NULL: of any name. */
uint32_t ossai_xml_child(const ossai_xml *xml, uint32_t element, const char *name);
uint32_t ossai_xml_next(const ossai_xml *xml, uint32_t element, const char *name);

/* Follows a path of names, each the first of its name inside the one before:
   "technique_common/accessor". */
uint32_t ossai_xml_at(const ossai_xml *xml, uint32_t element, const char *path);

bool ossai_xml_is(const ossai_xml *xml, uint32_t element, const char *name);

/* Size 0 and bytes NULL where it is not there. */
ossai_word ossai_xml_attribute_of(const ossai_xml *xml, uint32_t element, const char *name);

/* The text without blanks at its ends. */
ossai_word ossai_xml_trimmed(const ossai_xml *xml, uint32_t element);

/* A cursor over the text of an element, for numbers. Lines are those of the file, from the
   element's on. */
ossai_text ossai_xml_cursor(const ossai_xml *xml, uint32_t element);

/* OSSA_ERROR_INPUT at an element's line. */
ossa_status ossai_xml_fail(const ossai_xml *xml, uint32_t element, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
