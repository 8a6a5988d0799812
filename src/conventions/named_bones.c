/* conventions/named_bones.c: see named_bones.h. */
#include "conventions/named_bones.h"

#include <stdio.h>
#include <string.h>

enum { PATTERN = 64 };

/* the pattern with a finger's and a joint's words in it */
static void finger_pattern(const ossai_finger_names *names, int finger, int joint, char pattern[PATTERN])
{
	const bool own = finger == 0 && names->thumb_joint[0];
	size_t count = 0;
	for (const char *c = names->pattern; *c && count + 1 < PATTERN; c++) {
		const char *word = *c == '@' ? names->finger[finger] : own ? names->thumb_joint[joint] : names->joint[joint];
		if (*c == '@' || *c == '%') count += (size_t)snprintf(pattern + count, PATTERN - count, "%s", word);
		else pattern[count++] = *c;
	}
	pattern[count] = 0;
}

/* takes the first name that the bone has exactly, else the first that it has nearly */
static bool try_name(const ossai_convention *convention, const ossai_bone_word *word, const char *pattern, ossa_role role,
	int name, ossai_named_bone *named)
{
	int side;
	const ossai_match match = ossai_bone_word_match(word, pattern, convention->side, &side);
	if (match == OSSAI_MATCH_NONE || (named->is_known && match != OSSAI_MATCH_EXACT)) return false;
	role.side = side;
	*named = (ossai_named_bone){.role = role, .name = name, .is_exact = match == OSSAI_MATCH_EXACT, .is_known = true};
	if (role.part == OSSA_PART_NONE) named->role = (ossa_role){.part = OSSA_PART_NONE};
	return named->is_exact;
}

static ossai_named_bone read_name(const ossai_convention *convention, const ossai_bone_word *word)
{
	ossai_named_bone named = {.is_known = false};
	for (size_t i = 0; i < OSSAI_CONVENTION_ROWS && convention->row[i].pattern; i++) {
		const bool is_finger = convention->row[i].part >= OSSA_PART_THUMB && convention->row[i].part <= OSSA_PART_LITTLE;
		const ossa_role role = {.part = convention->row[i].part, .number = is_finger};
		if (try_name(convention, word, convention->row[i].pattern, role, (int)i, &named)) return named;
	}
	for (int i = 0; i < OSSAI_FINGERS * OSSAI_PHALANGES && convention->fingers.pattern; i++) {
		const int finger = i / OSSAI_PHALANGES, joint = i % OSSAI_PHALANGES;
		const ossa_role role = {.part = (ossa_body_part)(OSSA_PART_THUMB + finger), .number = joint + 1};
		char pattern[PATTERN];
		finger_pattern(&convention->fingers, finger, joint, pattern);
		if (try_name(convention, word, pattern, role, 0, &named)) return named;
	}
	return named;
}

void ossai_named_bones(
	const ossai_convention *convention, size_t bone_count, const ossai_bone_word *words, ossai_named_bone *named)
{
	for (size_t b = 0; b < bone_count; b++) {
		const ossai_bone_word rest = ossai_bone_word_without(&words[b], convention->prefix);
		named[b] = read_name(convention, &rest);
	}
}
