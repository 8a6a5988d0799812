/* import/collada/collada_targets.c: targets of channels: see collada.h.

   Place in the path: below the clips.
   Input: the target of a <channel>: "node/transform", ".X", ".ANGLE" or "(3)(0)" after it for
   single numbers (column, then row of a matrix), or the weights of a morph: "weights(2)".
   Output: the element, and which of its numbers. */
#include "import/collada/collada.h"

#include <string.h>

static size_t find_byte(ossai_word word, char c)
{
	const char *at = word.size ? memchr(word.bytes, c, word.size) : NULL;
	return at ? (size_t)(at - word.bytes) : word.size;
}

static ossai_word cut(ossai_word word, size_t from, size_t to) { return (ossai_word){word.bytes + from, to - from}; }

/* an element by id; some writers give a node's sid or name instead */
static uint32_t find_first(const ossai_dae *c, ossai_word word)
{
	uint32_t element = ossai_word_index_find(&c->elements.by_id, word, "node", 0);
	if (element == OSSA_NONE) element = ossai_word_index_any(&c->elements.by_id, word);
	if (element != OSSA_NONE) return element;
	uint32_t node = ossai_word_index_find(&c->nodes.by_sid, word, "", 0);
	if (node == OSSA_NONE) node = ossai_word_index_find(&c->nodes.by_name, word, "", 0);
	return node == OSSA_NONE ? OSSA_NONE : c->nodes.element[node];
}

/* the element at the end of "id/sid/sid" */
static uint32_t find_path(const ossai_dae *c, ossai_word path)
{
	size_t at = find_byte(path, '/');
	uint32_t element = find_first(c, cut(path, 0, at));
	while (at < path.size && element != OSSA_NONE) {
		const ossai_word rest = cut(path, at + 1, path.size);
		const size_t size = find_byte(rest, '/');
		const uint32_t next = ossai_word_index_find(&c->elements.by_sid, cut(rest, 0, size), "", element + 1);
		element = next != OSSA_NONE && next < c->xml.elements[element].end ? next : OSSA_NONE;
		at += 1 + size;
	}
	return element;
}

/* the part after the last sid: where ".X" or "(0)" begins */
static size_t member_begin(ossai_word word)
{
	size_t from = 0, at;
	for (size_t i = 0; i < word.size; i++) {
		if (word.bytes[i] == '/') from = i + 1;
	}
	for (at = from; at < word.size && word.bytes[at] != '('; at++) {
	}
	if (at < word.size) return at;
	/* an id alone may hold dots */
	for (at = word.size; from > 0 && at > from; at--) {
		if (word.bytes[at - 1] == '.') return at - 1;
	}
	return word.size;
}

/* "(3)(0)": false where it is something else */
static bool read_indices(ossa_context *context, ossai_word member, int64_t index[2], int *count)
{
	ossai_text text = ossai_text_begin(context, "", member.bytes, member.size);
	for (*count = 0; !ossai_text_ended(&text); ++*count) {
		if (*count == 2 || *text.at++ != '(' || !ossai_text_integer(&text, &index[*count])) return false;
		if (ossai_text_ended(&text) || *text.at++ != ')' || index[*count] < 0 || index[*count] > UINT32_MAX / 8) return false;
	}
	return *count > 0;
}

/* ".X": a number's place in its element; -1 where there is none of that name */
static int64_t named_member(ossai_word member, ossai_op_kind kind)
{
	static const char *const names[] = {".X", ".Y", ".Z", ".ANGLE"};
	for (int64_t i = 0; i < 4; i++) {
		if (ossai_word_is(member, names[i]) && kind != OSSAI_OP_MATRIX && (i < 3 || kind == OSSAI_OP_TURN)) return i;
	}
	return -1;
}

static bool set_member(const ossai_dae *c, ossai_word member, size_t all, ossai_channel_target *to)
{
	int64_t index[2] = {0, 0};
	int count;
	to->first = 0;
	to->width = (uint32_t)all;
	if (member.size == 0) return true;
	to->width = 1;
	if (member.bytes[0] == '.') index[0] = named_member(member, to->kind);
	else if (!read_indices(c->context, member, index, &count)) return false;
	else if (count == 2) {
		if (to->kind != OSSAI_OP_MATRIX || to->morph || index[0] > 3 || index[1] > 3) return false;
		index[0] += 4 * index[1];
	}
	if (index[0] < 0 || (uint64_t)index[0] >= all) return false;
	to->first = (uint32_t)index[0];
	return true;
}

/* weights of a morph, by the source or its array */
static bool find_morph(const ossai_dae *c, uint32_t element, ossai_channel_target *to)
{
	if (element != OSSA_NONE && ossai_xml_is(&c->xml, element, "float_array")) element = c->xml.elements[element].parent;
	if (element == OSSA_NONE || !ossai_xml_is(&c->xml, element, "source")) return false;
	if (c->elements.first_of[element] == OSSA_NONE) return false;
	to->element = element;
	to->morph = true;
	return true;
}

static size_t find_transform(const ossai_dae *c, uint32_t element, ossai_channel_target *to)
{
	static const struct {
		const char *name;
		ossai_op_kind kind;
		size_t width;
	} kinds[] = {{"matrix", OSSAI_OP_MATRIX, 16}, {"translate", OSSAI_OP_TRANSLATE, 3}, {"rotate", OSSAI_OP_TURN, 4},
		{"scale", OSSAI_OP_SCALE, 3}};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (!ossai_xml_is(&c->xml, element, kinds[i].name)) continue;
		to->element = element;
		to->kind = kinds[i].kind;
		return kinds[i].width;
	}
	return 0;
}

bool ossai_dae_find_target(const ossai_dae *c, uint32_t channel, ossai_channel_target *to)
{
	const ossai_word word = ossai_xml_attribute_of(&c->xml, channel, "target");
	*to = (ossai_channel_target){.element = OSSA_NONE};
	if (word.size == 0) return false;
	/* a sid may itself hold a dot */
	uint32_t element = find_path(c, word);
	size_t begin = word.size;
	if (element == OSSA_NONE) {
		begin = member_begin(word);
		element = find_path(c, cut(word, 0, begin));
	}
	if (element == OSSA_NONE) return false;
	const ossai_word member = cut(word, begin, word.size);
	const size_t width = find_transform(c, element, to);
	if (width > 0) return set_member(c, member, width, to);
	if (!find_morph(c, element, to)) return false;
	return set_member(c, member, c->asset->meshes[c->elements.first_of[to->element]].target_count, to);
}
