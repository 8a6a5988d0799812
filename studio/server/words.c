/* studio/server/words.c: the meaning of warnings and advice, in the words of docs/warnings.md.

   Place in the path: beside state.c.  The table is made of that page when ossa is built
   (cmake/studio.cmake), so there is one place where it is written. */
#include "server.h"

#include <string.h>

typedef struct warning_words {
	const char *code, *meaning, *advice;
} warning_words;

static const warning_words table[] = {
#include "warning_words.inc"
};

static const warning_words *find(const char *code)
{
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		if (strcmp(table[i].code, code) == 0) return &table[i];
	}
	return NULL;
}

const char *studio_meaning(const char *code)
{
	const warning_words *words = find(code);
	return words ? words->meaning : "";
}

const char *studio_advice(const char *code)
{
	const warning_words *words = find(code);
	return words ? words->advice : "";
}

json_t *studio_words_json(void)
{
	json_t *list = json_array();
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		json_array_append_new(
			list, json_pack("{s:s, s:s, s:s}", "code", table[i].code, "meaning", table[i].meaning, "advice", table[i].advice));
	}
	return list;
}
