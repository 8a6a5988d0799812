/* skeleton/naming/part_names.c: see part_names.h. */
#include "skeleton/naming/part_names.h"

#include "skeleton/naming/names.h"

#include <stdio.h>
#include <string.h>

/* of a bone's name, and of the name without number and side */
enum { NAME_SIZE = sizeof((ossa_bone *)0)->name, BONE_STEM_SIZE = 48 };

/* "_L", "_R" or "" */
const char *ossai_name_side(const char *name)
{
	const size_t length = strlen(name);
	const char *end = name + length - (length > 2 ? 2 : length);
	return strcmp(end, "_L") == 0 || strcmp(end, "_R") == 0 ? end : name + length;
}

/* the length of the name before its number and side */
static size_t stem_length(const char *name)
{
	const size_t length = (size_t)(ossai_name_side(name) - name);
	if (length < 4 || name[length - 3] != '_') return length;
	const bool is_number = strspn(name + length - 2, "0123456789") >= 2;
	return is_number ? length - 3 : length;
}

bool ossai_name_has_number(const char *name) { return stem_length(name) < (size_t)(ossai_name_side(name) - name); }

bool ossai_names_are_alike(const char *a, const char *b)
{
	const size_t length = stem_length(a);
	if (ossai_name_is_number(a) || ossai_name_is_number(b)) return false;
	return length == stem_length(b) && strncmp(a, b, length) == 0 && strcmp(ossai_name_side(a), ossai_name_side(b)) == 0;
}

uint32_t ossai_image_of_bone(const ossa_skeleton *skeleton, size_t bone)
{
	const ossa_role *own = &skeleton->bones[bone].role;
	for (uint32_t b = 0; b < skeleton->bone_count && own->part != OSSA_PART_NONE && own->side != 0; b++) {
		const ossa_role *role = &skeleton->bones[b].role;
		if (role->number == own->number && ossai_are_images(role, own)) return b;
	}
	return OSSA_NONE;
}

void ossai_part_name(const char *part, int number, char *name)
{
	char stem[BONE_STEM_SIZE];
	snprintf(stem, sizeof stem, "%.*s", (int)stem_length(part), part);
	if (number > 0) snprintf(name, NAME_SIZE, "%s_%02d%.2s", stem, number % 1000, ossai_name_side(part));
	else snprintf(name, NAME_SIZE, "%s%.2s", stem, ossai_name_side(part));
}
