/* base/xml_text.c: the bytes of an XML file before any parser sees them: see xml_text.h.

   Place in the path: below xml.c.
   Input: a file's bytes.
   Output: one UTF-8 text, which the parser then reads in place. */
#include "base/xml_text.h"

#include <limits.h>
#include <string.h>

/* ---- which root ---- */

/* A cursor over characters of one or two bytes; what is not ASCII reads as '?'. */
typedef struct scan {
	const uint8_t *bytes;
	size_t size, at;
	unsigned step, low; /* bytes of a character, and which of them is the low one */
} scan;

/* 0: no UTF-16; 1: little endian; 2: big endian */
static unsigned utf16_kind(const uint8_t *bytes, size_t size)
{
	if (size < 2) return 0;
	if ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == '<' && bytes[1] == 0)) return 1;
	if ((bytes[0] == 0xFE && bytes[1] == 0xFF) || (bytes[0] == 0 && bytes[1] == '<')) return 2;
	return 0;
}

static size_t mark_size(const uint8_t *bytes, size_t size)
{
	if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) return 3;
	return size >= 2 && ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF)) ? 2 : 0;
}

/* the character `ahead` of the cursor, 0 behind the end */
static char peek(const scan *s, size_t ahead)
{
	const size_t at = s->at + ahead * s->step;
	if (at + s->step > s->size) return 0;
	const uint8_t low = s->bytes[at + s->low], high = s->step == 2 ? s->bytes[at + 1 - s->low] : 0;
	return low < 128 && high == 0 ? (char)low : '?';
}

static bool looks_at(const scan *s, const char *word)
{
	size_t i = 0;
	while (word[i] && peek(s, i) == word[i]) i++;
	return !word[i];
}

static bool skip_behind(scan *s, const char *word)
{
	for (; peek(s, 0); s->at += s->step) {
		if (!looks_at(s, word)) continue;
		s->at += strlen(word) * s->step;
		return true;
	}
	return false;
}

static bool is_space(char c) { return ossai_is_blank(c) || ossai_is_line_end(c); }

static void skip_space(scan *s)
{
	while (is_space(peek(s, 0))) s->at += s->step;
}

/* a DOCTYPE with what it declares in brackets */
static bool skip_declaration(scan *s)
{
	while (peek(s, 0) && peek(s, 0) != '[' && peek(s, 0) != '>') s->at += s->step;
	return peek(s, 0) == '[' ? skip_behind(s, "]") && skip_behind(s, ">") : skip_behind(s, ">");
}

bool ossai_xml_root_is(const uint8_t *bytes, size_t size, const char *name)
{
	const unsigned wide = utf16_kind(bytes, size);
	scan s = {bytes, size, mark_size(bytes, size), wide ? 2 : 1, wide == 2};
	for (;;) {
		skip_space(&s);
		if (peek(&s, 0) != '<') return false;
		if (looks_at(&s, "<?")) {
			if (!skip_behind(&s, "?>")) return false;
		} else if (looks_at(&s, "<!--")) {
			if (!skip_behind(&s, "-->")) return false;
		} else if (looks_at(&s, "<!")) {
			if (!skip_declaration(&s)) return false;
		} else {
			break;
		}
	}
	s.at += s.step;
	/* a prefix ends with the only colon */
	size_t prefix = 0;
	while (peek(&s, prefix) && !strchr(" \t\r\n/>:", peek(&s, prefix))) prefix++;
	if (peek(&s, prefix) == ':') s.at += (prefix + 1) * s.step;
	const char behind = looks_at(&s, name) ? peek(&s, strlen(name)) : 'x';
	return is_space(behind) || behind == '>' || behind == '/';
}

/* ---- one encoding ---- */

static size_t put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	const size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = size; i-- > 1; c >>= 6) to[i] = (char)(0x80 | (c & 0x3F));
	to[0] = (char)((0xF00 >> size & 0xFF) | c);
	return size;
}

static uint32_t unit_at(const uint8_t *bytes, bool big) { return big ? bytes[0] << 8 | bytes[1] : bytes[1] << 8 | bytes[0]; }

/* at most 3 bytes for 2 */
static size_t from_utf16(const uint8_t *bytes, size_t size, bool big, char *to)
{
	size_t used = 0;
	for (size_t i = 0; i + 1 < size; i += 2) {
		uint32_t c = unit_at(bytes + i, big);
		const uint32_t next = i + 3 < size ? unit_at(bytes + i + 2, big) : 0;
		if (c >= 0xD800 && c < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
			c = 0x10000 + ((c - 0xD800) << 10) + (next - 0xDC00);
			i += 2;
		} else if (c >= 0xD800 && c < 0xE000) {
			c = 0xFFFD;
		}
		used += put_utf8(to + used, c);
	}
	return used;
}

/* how many bytes are no ASCII, and how many of these are no UTF-8 */
static size_t count_strange(const uint8_t *bytes, size_t size, size_t *broken)
{
	size_t strange = 0;
	*broken = 0;
	for (size_t i = 0; i < size;) {
		/* most are plain: eight at a time */
		uint64_t eight;
		if (i + 8 <= size && (memcpy(&eight, bytes + i, 8), (eight & UINT64_C(0x8080808080808080)) == 0)) {
			i += 8;
			continue;
		}
		const size_t length = ossai_utf8_size(bytes + i, size - i);
		if (length != 1) strange += length ? length : 1;
		*broken += length == 0;
		i += length ? length : 1;
	}
	return strange;
}

/* the XML declaration's own word */
static bool declares_latin(const uint8_t *bytes, size_t size)
{
	char head[200];
	size_t used = 0;
	for (; used < size && used + 1 < sizeof head && bytes[used] != '>'; used++) head[used] = (char)bytes[used];
	head[used] = 0;
	const char *encoding = strstr(head, "encoding");
	return encoding && (strstr(encoding, "8859-1") || strstr(encoding, "1252"));
}

static ossa_status refuse_size(ossa_context *context, const ossai_source *source)
{
	const ossai_place place = ossai_in_file(source->path);
	if (source->size == 0) return ossai_fail(context, OSSA_ERROR_INPUT, &place, "is empty: export it again");
	return ossai_fail(
		context, OSSA_ERROR_LIMIT, &place, "has %zu bytes: XML of more than a gigabyte is not read; use GLB", source->size);
}

ossa_status ossai_xml_text_make(ossa_context *context, ossai_arena *arena, const ossai_source *source, ossai_xml_text *text)
{
	if (source->size == 0 || source->size > INT_MAX / 2) return refuse_size(context, source);
	const unsigned wide = utf16_kind(source->bytes, source->size);
	const size_t mark = mark_size(source->bytes, source->size);
	const uint8_t *bytes = source->bytes + mark;
	const size_t size = source->size - mark;
	size_t broken = 0;
	const size_t strange = wide ? 0 : count_strange(bytes, size, &broken);
	const size_t capacity = wide ? size / 2 * 3 : broken ? size + strange : size;
	text->bytes = ossai_arena_new(arena, capacity, 1);
	if (!text->bytes) return ossa_context_error(context)->status;
	if (wide) {
		text->size = from_utf16(bytes, size, wide == 2, text->bytes);
	} else if (broken) {
		text->size = 0;
		for (size_t i = 0; i < size; i++) text->size += put_utf8(text->bytes + text->size, bytes[i]);
		if (!declares_latin(bytes, size)) {
			ossai_warn(context, "text-encoding", (int64_t)broken,
				"%s: bytes that are not UTF-8 are taken as Latin-1; names may look odd", source->path);
		}
	} else {
		memcpy(text->bytes, bytes, size);
		text->size = size;
	}
	return OSSA_OK;
}

/* ---- how long its tags ---- */

/* behind the first `word`, or the end */
static const char *behind(const char *at, const char *end, const char *word)
{
	const size_t size = strlen(word);
	while ((size_t)(end - at) >= size) {
		at = memchr(at, word[0], (size_t)(end - at) - size + 1);
		if (!at) return end;
		if (memcmp(at, word, size) == 0) return at + size;
		at++;
	}
	return end;
}

static const char *behind_tag(const char *at, const char *end)
{
	char quote = 0;
	for (; at < end; at++) {
		if (quote) quote = *at == quote ? 0 : quote;
		else if (*at == '"' || *at == '\'') quote = *at;
		else if (*at == '>') return at + 1;
	}
	return end;
}

static bool begins(const char *at, const char *end, const char *word)
{
	return (size_t)(end - at) >= strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

size_t ossai_xml_longest_markup(const ossai_xml_text *text)
{
	const char *at = text->bytes, *const end = at + text->size;
	size_t longest = 0;
	while ((at = memchr(at, '<', (size_t)(end - at)))) {
		const char *last;
		if (begins(at, end, "<!--")) last = behind(at + 4, end, "-->");
		else if (begins(at, end, "<![CDATA[")) last = behind(at + 9, end, "]]>");
		else if (begins(at, end, "<?")) last = behind(at + 2, end, "?>");
		else last = behind_tag(at, end);
		if ((size_t)(last - at) > longest) longest = (size_t)(last - at);
		at = last;
	}
	return longest;
}
