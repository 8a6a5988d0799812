/* tools/ossa/batch/utf8.c: characters of UTF-8.

   Place in the path: the command's batch, below all.
   Input: bytes.
   Output: the length of a character; a text of characters alone.
   Source: The Unicode Standard, table 3-7. */
#include "batch/utf8.h"

#include <stdint.h>
#include <string.h>

/* bytes behind the first one, SIZE_MAX where no character begins with it */
static size_t count_more(unsigned char first)
{
	if (first < 0x80) return 0;
	if (first < 0xc2 || first > 0xf4) return SIZE_MAX;
	return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

size_t batch_character_size(const char *at, const char *end)
{
	const unsigned char *bytes = (const unsigned char *)at;
	const size_t more = at < end ? count_more(bytes[0]) : SIZE_MAX;
	if (more == 0) return 1;
	if (more == SIZE_MAX || (size_t)(end - at) <= more) return 0;
	for (size_t i = 1; i <= more; i++) {
		if ((bytes[i] & 0xc0) != 0x80) return 0;
	}
	/* longer than need be, half of a pair, or beyond the last character */
	if ((bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xed && bytes[1] > 0x9f)) return 0;
	if ((bytes[0] == 0xf0 && bytes[1] < 0x90) || (bytes[0] == 0xf4 && bytes[1] > 0x8f)) return 0;
	return more + 1;
}

void batch_repair_text(char *text)
{
	for (const char *end = text + strlen(text); text < end;) {
		const size_t size = batch_character_size(text, end);
		if (size == 0) *text = '?';
		text += size ? size : 1;
	}
}
