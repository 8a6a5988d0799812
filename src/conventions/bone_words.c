/* conventions/bone_words.c: see bone_words.h. */
#include "conventions/bone_words.h"

#include <stdio.h>
#include <string.h>

/* the first bones, whose prefixes are tried: one that more than half of the bones have is among
   these, but for one in 2^64 orders of them */
enum { PREFIX_BONES = 64 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }

/* what is no letter or digit separates words */
static bool is_separator(char c) { return !is_digit(c) && !is_letter(c); }

static void fold(ossai_bone_word *word)
{
	size_t count = 0;
	for (const char *c = word->text; *c; c++) {
		if (!is_separator(*c)) word->folded[count++] = lower(*c);
	}
	word->folded[count] = 0;
}

ossai_bone_word ossai_bone_word_of(const char *name)
{
	ossai_bone_word word;
	snprintf(word.text, sizeof word.text, "%s", name);
	fold(&word);
	return word;
}

/* ---- what all names have ---- */

static bool is_side_word(const char *word, size_t length)
{
	static const char *const sides[] = {"l", "r", "left", "right"};
	for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
		size_t same = 0;
		while (same < length && sides[i][same] && lower(word[same]) == sides[i][same]) same++;
		if (same == length && !sides[i][same]) return true;
	}
	return false;
}

/* whether one of the words of a prefix is a side */
static bool has_side(const char *prefix, size_t length)
{
	for (size_t from = 0, at = 0; at < length; at++) {
		if (!is_separator(prefix[at])) continue;
		if (is_side_word(prefix + from, at - from)) return true;
		from = at + 1;
	}
	return false;
}

/* bones that begin with the prefix and go on with a letter; numbers alone would be no names */
static size_t count_prefixed(const ossa_skeleton *skeleton, const char *prefix, size_t length)
{
	size_t count = 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const char *name = skeleton->bones[b].name;
		count += strncmp(name, prefix, length) == 0 && is_letter(name[length]);
	}
	return count;
}

/* the longest prefix of whole words that more than half of the bones share; its length */
static size_t shared_prefix(const ossa_skeleton *skeleton, const char **prefix)
{
	size_t longest = 0;
	for (size_t b = 0; b < skeleton->bone_count && b < PREFIX_BONES; b++) {
		const char *name = skeleton->bones[b].name;
		for (size_t length = strlen(name); length > longest; length--) {
			if (!is_separator(name[length - 1]) || has_side(name, length)) continue;
			if (2 * count_prefixed(skeleton, name, length) <= skeleton->bone_count) continue;
			longest = length;
			*prefix = name;
		}
	}
	return longest;
}

/* the length of a name before "_" and a number at its end; of one without such a number its own */
static size_t before_number(const char *name, unsigned *number)
{
	size_t length = strlen(name), at = length;
	unsigned place = 1;
	*number = 0;
	while (at > 0 && is_digit(name[at - 1]) && length - at < 6) {
		*number += place * (unsigned)(name[--at] - '0');
		place *= 10;
	}
	return at > 1 && at < length && name[at - 1] == '_' ? at - 1 : length;
}

/* whether numbers at the names' ends count bones, so that no two are the same */
static bool is_counted(const ossa_skeleton *skeleton)
{
	enum { NUMBERS = 4096 };
	uint8_t seen[NUMBERS] = {0};
	size_t count = 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		unsigned number;
		const char *name = skeleton->bones[b].name;
		if (before_number(name, &number) == strlen(name)) continue;
		if (number >= NUMBERS || seen[number]++) return false;
		count++;
	}
	return 2 * count > skeleton->bone_count;
}

/* "C_Hips" and "M_Hips" are medial */
static const char *after_medial(const char *name)
{
	const char first = lower(name[0]);
	return (first == 'c' || first == 'm') && name[1] && is_separator(name[1]) ? name + 2 : name;
}

void ossai_bone_words_of(const ossa_skeleton *skeleton, ossai_bone_word *words)
{
	const char *prefix = NULL;
	const size_t shared = shared_prefix(skeleton, &prefix);
	const bool counted = is_counted(skeleton);
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const char *name = skeleton->bones[b].name;
		unsigned number;
		const size_t end = counted ? before_number(name, &number) : strlen(name);
		const size_t begin = shared > 0 && shared < end && strncmp(name, prefix, shared) == 0 ? shared : 0;
		char own[OSSAI_BONE_NAME];
		snprintf(own, sizeof own, "%.*s", (int)(end - begin), name + begin);
		words[b] = ossai_bone_word_of(after_medial(own));
	}
}

/* ---- patterns ---- */

/* the length of what follows the pattern at the beginning of a text; 0: it does not */
static size_t prefix_length(const char *text, const char *pattern)
{
	size_t at = 0;
	for (; *pattern; pattern++) {
		if (*pattern == '#') {
			while (is_digit(text[at])) at++;
		} else if (is_separator(*pattern)) {
			while (text[at] && is_separator(text[at])) at++;
		} else if (lower(text[at]) == lower(*pattern)) at++;
		else return 0;
	}
	return at;
}

ossai_bone_word ossai_bone_word_without(const ossai_bone_word *word, const char *prefix)
{
	const size_t length = prefix_length(word->text, prefix);
	ossai_bone_word rest = *word;
	if (length == 0 || !word->text[length]) return rest;
	memmove(rest.text, word->text + length, strlen(word->text + length) + 1);
	fold(&rest);
	return rest;
}

typedef struct matching {
	bool is_exact;
	const char *const *left, *const *right; /* words */
	size_t count;                           /* of each */
	int side;
} matching;

static bool follows(const char *text, const char *pattern, matching *m);

static bool follows_side(const char *text, const char *pattern, matching *m)
{
	for (size_t i = 0; i < 2 * m->count; i++) {
		const char *word = i % 2 ? m->right[i / 2] : m->left[i / 2];
		const size_t length = strlen(word);
		if (strncmp(text, word, length) != 0 || !follows(text + length, pattern, m)) continue;
		m->side = i % 2 ? -1 : 1;
		return true;
	}
	return false;
}

/* Recursion ends with the pattern's one side. Names were read with _ for every separator, so all
   are the same. */
static bool follows(const char *text, const char *pattern, matching *m)
{
	for (; *pattern; pattern++) {
		if (*pattern == '*') return follows_side(text, pattern + 1, m);
		if (*pattern == '#') {
			while (is_digit(*text)) text++;
			continue;
		}
		if (is_separator(*pattern)) {
			if (m->is_exact && !(*text && is_separator(*text))) return false;
			text += m->is_exact;
			continue;
		}
		if (*text != (m->is_exact ? *pattern : lower(*pattern))) return false;
		text++;
	}
	return *text == 0;
}

ossai_match ossai_bone_word_match(const ossai_bone_word *word, const char *pattern, const char *const side_words[2], int *side)
{
	static const char *const left[] = {"left", "l"}, *const right[] = {"right", "r"};
	matching exact = {.is_exact = true, .left = &side_words[0], .right = &side_words[1], .count = 1};
	matching like = {.left = left, .right = right, .count = 2};
	const bool is_like = follows(word->folded, pattern, &like);
	*side = like.side;
	if (!is_like) return OSSAI_MATCH_NONE;
	return follows(word->text, pattern, &exact) ? OSSAI_MATCH_EXACT : OSSAI_MATCH_LIKE;
}
