/* conventions/bone_words.h: names of bones as files have them, and whether one follows a pattern.

   Place in the path: convention -> here -> roles_by_name. */
#ifndef OSSAI_CONVENTIONS_BONE_WORDS_H
#define OSSAI_CONVENTIONS_BONE_WORDS_H

#include "base/context.h"
#include "conventions/convention.h"
#include <ossa/rig.h>

enum { OSSAI_BONE_NAME = sizeof((ossa_bone *)0)->name };

/* A name without what says nothing of the bone. */
typedef struct ossai_bone_word {
	char text[OSSAI_BONE_NAME];   /* as the file has it */
	char folded[OSSAI_BONE_NAME]; /* lower-case letters and digits alone */
} ossai_bone_word;

/* How a name follows a pattern. */
typedef enum ossai_match { OSSAI_MATCH_NONE, OSSAI_MATCH_LIKE, OSSAI_MATCH_EXACT } ossai_match;

/* Fills words (B): the names without a prefix that more than half of the bones share
   ("Character1_", "Armature_"), without a number at their end that counts bones ("_09"; more than
   half have one and no two the same), and without a letter that says that a bone is medial
   ("C_"). */
void ossai_bone_words_of(const ossa_skeleton *skeleton, ossai_bone_word *words);

/* The word of one name, as it is. */
ossai_bone_word ossai_bone_word_of(const char *name);

/* The word without a prefix that follows the pattern; as it is where there is none. */
ossai_bone_word ossai_bone_word_without(const ossai_bone_word *word, const char *prefix);

/* LIKE: letters of the other case, other separators and sides ("l" for "Left") are the same. side:
   +1, -1, or 0 where the pattern has none. */
ossai_match ossai_bone_word_match(const ossai_bone_word *word, const char *pattern, const char *const side_words[2], int *side);

#endif
