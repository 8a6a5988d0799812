/* import/collada/collada_find.c: finding elements by id and sid: see collada.h.

   Place in the path: below all other files of the Collada reader.
   Input: the tree of elements.
   Output: sorted tables, and references resolved by them, so that no number of references makes a
   file slow. */
#include "import/collada/collada.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

static int compare_words(ossai_word a, ossai_word b)
{
	const size_t size = a.size < b.size ? a.size : b.size;
	const int order = size ? memcmp(a.bytes, b.bytes, size) : 0;
	return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_keys(const ossai_word_entry *a, const ossai_word_entry *b)
{
	const int order = compare_words(a->word, b->word);
	return order ? order : strcmp(a->kind, b->kind);
}

static int compare_entries(const void *left, const void *right)
{
	const ossai_word_entry *a = left, *b = right;
	const int order = compare_keys(a, b);
	return order ? order : (a->value > b->value) - (a->value < b->value);
}

ossa_status ossai_word_index_add(
	ossa_context *context, ossai_word_index *index, ossai_word word, const char *kind, uint32_t value)
{
	if (word.size == 0) return OSSA_OK;
	OSSAI_TRY(ossai_reserve(context, &index->entries, &index->capacity, index->count, sizeof *index->entries));
	index->entries[index->count++] = (ossai_word_entry){word, kind, value};
	return OSSA_OK;
}

void ossai_word_index_sort(ossai_word_index *index)
{
	if (index->count > 1) qsort(index->entries, index->count, sizeof *index->entries, compare_entries);
}

/* the first entry that is not before `key` */
static size_t entry_at(const ossai_word_index *index, const ossai_word_entry *key)
{
	return ossai_search(key, index->entries, index->count, sizeof *index->entries, compare_entries);
}

uint32_t ossai_word_index_find(const ossai_word_index *index, ossai_word word, const char *kind, uint32_t least)
{
	const ossai_word_entry key = {word, kind, least};
	const size_t at = entry_at(index, &key);
	return at < index->count && compare_keys(&index->entries[at], &key) == 0 ? index->entries[at].value : OSSA_NONE;
}

uint32_t ossai_word_index_any(const ossai_word_index *index, ossai_word word)
{
	const ossai_word_entry key = {word, "", 0};
	const size_t at = entry_at(index, &key);
	return at < index->count && compare_words(index->entries[at].word, word) == 0 ? index->entries[at].value : OSSA_NONE;
}

const char *ossai_word_show(ossai_word word, char shown[64])
{
	ossai_name_copy(shown, word);
	for (char *at = shown; *at; at++) {
		if ((unsigned char)*at > 126) *at = '?';
	}
	return shown;
}

const char *ossai_dae_copy(ossai_dae *c, ossai_word word)
{
	char *copy = ossai_arena_new(&c->asset->arena, word.size + 1, 1);
	if (!copy) return NULL;
	if (word.size) memcpy(copy, word.bytes, word.size);
	copy[word.size] = 0;
	return copy;
}

/* ---- references ---- */

ossa_status ossai_dae_index(ossai_dae *c)
{
	for (size_t i = 0; i < c->xml.element_count; i++) {
		const uint32_t element = (uint32_t)i;
		const ossai_word id = ossai_xml_attribute_of(&c->xml, element, "id");
		const ossai_word sid = ossai_xml_attribute_of(&c->xml, element, "sid");
		OSSAI_TRY(ossai_word_index_add(c->context, &c->elements.by_id, id, c->xml.elements[i].name, element));
		OSSAI_TRY(ossai_word_index_add(c->context, &c->elements.by_sid, sid, "", element));
	}
	ossai_word_index_sort(&c->elements.by_id);
	ossai_word_index_sort(&c->elements.by_sid);
	c->elements.first_of = ossai_arena_new(&c->arena, c->xml.element_count, sizeof *c->elements.first_of);
	if (!c->elements.first_of) return ossai_dae_lost(c);
	memset(c->elements.first_of, 0xFF, c->xml.element_count * sizeof *c->elements.first_of);
	return OSSA_OK;
}

static int hex_digit(char c)
{
	if (ossai_is_digit(c)) return c - '0';
	const char lower = (char)(c | 32);
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* "%20" and the like as the bytes they stand for; too long ones stay as they are */
static ossai_word decode(ossai_word word, char buffer[256])
{
	if (word.size >= 256 || !word.bytes || !memchr(word.bytes, '%', word.size)) return word;
	size_t used = 0;
	for (size_t i = 0; i < word.size; i++) {
		const int high = i + 2 < word.size ? hex_digit(word.bytes[i + 1]) : -1,
				  low = high < 0 ? -1 : hex_digit(word.bytes[i + 2]);
		const bool coded = word.bytes[i] == '%' && high >= 0 && low >= 0;
		buffer[used++] = coded ? (char)(high << 4 | low) : word.bytes[i];
		if (coded) i += 2;
	}
	return (ossai_word){buffer, used};
}

/* the one beside counts; of several elsewhere none does, since choosing would be a guess */
static uint32_t find_near(const ossai_dae *c, ossai_word id, const char *kind, uint32_t near)
{
	const uint32_t first = ossai_word_index_find(&c->elements.by_id, id, kind, 0);
	if (near == OSSA_NONE || first == OSSA_NONE) return first;
	const uint32_t inside = ossai_word_index_find(&c->elements.by_id, id, kind, near);
	if (inside != OSSA_NONE && inside < c->xml.elements[near].end) return inside;
	return ossai_word_index_find(&c->elements.by_id, id, kind, first + 1) == OSSA_NONE ? first : OSSA_NONE;
}

uint32_t ossai_dae_resolve(const ossai_dae *c, ossai_word uri, const char *kind, uint32_t near)
{
	char buffer[256];
	if (uri.size == 0) return OSSA_NONE;
	if (uri.bytes[0] == '#') uri = (ossai_word){uri.bytes + 1, uri.size - 1};
	else if (memchr(uri.bytes, '#', uri.size)) return OSSA_NONE;
	const uint32_t element = find_near(c, uri, kind, near);
	return element != OSSA_NONE ? element : find_near(c, decode(uri, buffer), kind, near);
}

uint32_t ossai_dae_target(const ossai_dae *c, uint32_t element, const char *attribute, const char *kind)
{
	return ossai_dae_resolve(c, ossai_xml_attribute_of(&c->xml, element, attribute), kind, OSSA_NONE);
}
