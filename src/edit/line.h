/* edit/line.h: edits as lines of text, as the editor uses them. */
#ifndef OSSAI_EDIT_LINE_H
#define OSSAI_EDIT_LINE_H

#include <ossa/edit.h>

/* ossa_edit_parse of so many bytes. */
ossa_status ossai_edit_parse_bytes(ossa_context *context, const char *bytes, size_t size, ossa_edit *edit);

/* Whether the character lies between words: a blank, a comma, the end of a line. */
bool ossai_parts_words(char c);

/* Whether it is terminated and has only the characters of ossa_bone's names. */
bool ossai_is_bone_name(const char *name);

#endif
