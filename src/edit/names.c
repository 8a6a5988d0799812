/* edit/names.c: names of new bones.

   Place in the path: split and added bones.
   Input: the name of the bone that they come from. Output: a similar one that is free. A name is a
   stem, a number of two or more digits and a side (thigh_02_L), the last two where there are any:
   the number is counted up, and the side stays, so that mirrored bones correspond by name. */
#include "edit/tree_edits.h"

#include <stdio.h>
#include <string.h>

typedef struct name_parts {
	char stem[64], side[3];
	unsigned number;
} name_parts;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static name_parts take_apart(const char *name)
{
	name_parts parts = {.number = 1};
	size_t size = strlen(name);
	if (size > 2 && (name[size - 2] == '_' || name[size - 2] == '-') && strchr("LRlr", name[size - 1])) {
		memcpy(parts.side, name + size - 2, 2);
		size -= 2;
	}
	size_t digits = size;
	while (digits > 0 && is_digit(name[digits - 1])) digits--;
	if (size - digits >= 2 && size - digits <= 4 && digits > 1 && (name[digits - 1] == '_' || name[digits - 1] == '-')) {
		parts.number = 0;
		for (size_t i = digits; i < size; i++) parts.number = 10 * parts.number + (unsigned)(name[i] - '0');
		size = digits - 1;
	}
	memcpy(parts.stem, name, size);
	return parts;
}

static bool is_taken(const ossa_skeleton *skeleton, const char *name)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (strcmp(skeleton->bones[b].name, name) == 0) return true;
	}
	return false;
}

void ossai_new_bone_name(const ossa_skeleton *skeleton, const char *like, const char *word, char name[64])
{
	enum { STEM_MAX = 48, WORD_MAX = 10, NUMBER_MAX = 99999 };
	name_parts parts = take_apart(like);
	/* capacity for a word, a number and a side */
	parts.stem[word ? STEM_MAX - WORD_MAX : STEM_MAX] = 0;
	if (word) {
		snprintf(parts.stem + strlen(parts.stem), WORD_MAX, "_%s", word);
		snprintf(name, 64, "%.48s%s", parts.stem, parts.side);
		parts.number = 1;
		if (!is_taken(skeleton, name)) return;
	}
	do {
		parts.number = parts.number % NUMBER_MAX + 1;
		snprintf(name, 64, "%.48s_%02u%s", parts.stem, parts.number, parts.side);
	} while (is_taken(skeleton, name));
}
