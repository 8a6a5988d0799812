/* base/xml_text.h: the bytes of an XML file before any parser sees them: which root, which
   encoding, how long its tags. */
#ifndef OSSAI_BASE_XML_TEXT_H
#define OSSAI_BASE_XML_TEXT_H

#include "base/file.h"
#include "base/text.h"

/* UTF-8, not zero-terminated. */
typedef struct ossai_xml_text {
	char *bytes;
	size_t size;
} ossai_xml_text;

/* True where the bytes are XML whose root element has that name, with or without a prefix. Looks
   at what is before the root only; UTF-16 and byte order marks are understood. */
bool ossai_xml_root_is(const uint8_t *bytes, size_t size, const char *name);

/* A copy of a file in `arena` as UTF-8 without byte order mark. Bytes that are no UTF-8 are taken
   as Latin-1: numbers and most names survive; warning "text-encoding" unless the file declares it.
   Errors: OSSA_ERROR_INPUT for an empty file; OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY. */
ossa_status ossai_xml_text_make(ossa_context *context, ossai_arena *arena, const ossai_source *source, ossai_xml_text *text);

/* Bytes of the longest tag, comment, CDATA section or processing instruction: a parser keeps one
   of them whole. */
size_t ossai_xml_longest_markup(const ossai_xml_text *text);

#endif
