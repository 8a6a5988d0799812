/* base/xml_name.h: names as XML allows them. */
#ifndef OSSAI_BASE_XML_NAME_H
#define OSSAI_BASE_XML_NAME_H

#include <stddef.h>

/* A text as an NCName, of at most `size` - 1 bytes: its letters of any language, digits, '_', '-'
   and '.'; '_' for each other character, and in front where a name may not begin so. */
void ossai_xml_name(const char *text, char *name, size_t size);

#endif
