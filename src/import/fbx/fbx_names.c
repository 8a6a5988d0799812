/* import/fbx/fbx_names.c: see fbx_names.h.

   Objects of FBX files are connected by their ids, so that a model may be called anything; a name
   of the same length leaves all offsets of a binary file as they are. New names are numbers. */
#include "import/fbx/fbx_names.h"
#include "base/search.h"
#include "import/fbx/fbx_weights.h"

#include <stdlib.h>
#include <string.h>

static int compare_words(ossai_word a, ossai_word b)
{
	if (a.size != b.size) return a.size < b.size ? -1 : 1;
	return memcmp(a.bytes, b.bytes, a.size);
}

/* by name, then by place in the file */
static int compare_models(const void *a, const void *b)
{
	const ossai_word *p = a, *q = b;
	const int order = compare_words(*p, *q);
	return order ? order : (p->bytes > q->bytes) - (p->bytes < q->bytes);
}

static int compare_renamed(const void *a, const void *b)
{
	const ossai_fbx_renamed *p = a, *q = b;
	return compare_words((ossai_word){p->own, p->size}, (ossai_word){q->own, q->size});
}

static size_t count_repeats(const ossai_word *words, size_t count)
{
	size_t repeats = 0;
	for (size_t i = 1; i < count; i++) repeats += words[i].size > 0 && compare_words(words[i - 1], words[i]) == 0;
	return repeats;
}

static bool is_taken(const ossai_word *words, size_t count, ossai_word word)
{
	const ossai_word key = {word.bytes, word.size};
	size_t low = 0, high = count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (compare_words(words[middle], key) < 0) low = middle + 1;
		else high = middle;
	}
	return low < count && compare_words(words[low], key) == 0;
}

/* writes a number, with zeros before it; false where it is longer than the name */
static bool put_number(char *name, size_t size, size_t number)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	for (size_t i = size; i-- > 0; number /= 36) name[i] = digits[number % 36];
	return number == 0;
}

/* one name at a time: `number` is the last that was tried */
static bool find_name(const ossai_word *words, size_t count, size_t size, size_t *number, char *name)
{
	do {
		if (!put_number(name, size, ++*number)) return false;
	} while (is_taken(words, count, (ossai_word){name, size}));
	return true;
}

/* words: of the file; the new names go into the copy of its bytes */
static ossa_status rename_all(
	ossai_arena *arena, const ossai_source *source, const ossai_word *words, size_t count, char *bytes, ossai_fbx_names *names)
{
	size_t number = 0, size = 0;
	for (size_t i = 1; i < count; i++) {
		const ossai_word word = words[i];
		if (word.size == 0 || compare_words(words[i - 1], word) != 0) continue;
		/* numbers are counted for names of each length */
		if (word.size != size) number = 0;
		size = word.size;
		char *own = bytes + (word.bytes - (const char *)source->bytes), *whole = ossai_arena_new(arena, size + 1, 1);
		if (!whole) return ossa_context_error(arena->context)->status;
		memcpy(whole, word.bytes, size);
		whole[size] = 0;
		if (find_name(words, count, size, &number, own)) names->renamed[names->count++] = (ossai_fbx_renamed){own, whole, size};
		else memcpy(own, whole, size);
	}
	qsort(names->renamed, names->count, sizeof *names->renamed, compare_renamed);
	return OSSA_OK;
}

static ossa_status copy_apart(
	ossai_arena *arena, const ossai_source *source, const ossai_word *words, size_t count, ossai_fbx_names *names)
{
	const size_t repeats = count_repeats(words, count);
	if (repeats == 0) return OSSA_OK;
	char *bytes = ossai_arena_new(arena, source->size, 1);
	names->renamed = ossai_arena_new(arena, repeats, sizeof *names->renamed);
	if (!bytes || !names->renamed) return ossa_context_error(arena->context)->status;
	memcpy(bytes, source->bytes, source->size);
	names->source.bytes = (const uint8_t *)bytes;
	names->source.is_mapped = false;
	return rename_all(arena, source, words, count, bytes, names);
}

ossa_status ossai_fbx_names_apart(ossai_arena *arena, const ossai_source *source, ossai_fbx_names *names)
{
	*names = (ossai_fbx_names){.source = *source};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossai_word *words;
	size_t count;
	ossa_status status = ossai_fbx_list_names(&scratch, source, &words, &count);
	if (status == OSSA_OK && count > 1) {
		qsort(words, count, sizeof *words, compare_models);
		status = copy_apart(arena, source, words, count, names);
	}
	ossai_arena_end(&scratch);
	return status;
}

const char *ossai_fbx_whole_name(const ossai_fbx_names *names, const char *name)
{
	const ossai_fbx_renamed key = {.own = name, .size = strlen(name)};
	if (names->count == 0) return name;
	const size_t at = ossai_search(&key, names->renamed, names->count, sizeof key, compare_renamed);
	return at < names->count && compare_renamed(&names->renamed[at], &key) == 0 ? names->renamed[at].whole : name;
}
