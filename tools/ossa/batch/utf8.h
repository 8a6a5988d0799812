/* tools/ossa/batch/utf8.h: whether bytes are letters, as JSON needs them. */
#ifndef OSSA_BATCH_UTF8_H
#define OSSA_BATCH_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 character that begins at `at`; 0 where there is none before `end`. */
size_t batch_character_size(const char *at, const char *end);

/* The text as UTF-8: bytes that are not become question marks. */
void batch_repair_text(char *text);

#endif
