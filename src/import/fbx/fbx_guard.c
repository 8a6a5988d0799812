/* import/fbx/fbx_guard.c: see fbx_guard.h.

   A binary file is a header of 27 bytes and then records: end offset, number and bytes of the
   properties (32 bits each, 64 from version 7.5 on), a name, the properties, records inside. A
   property is a letter and a number, a string, or an array: its length, whether it is packed, its
   bytes.
   Source of the layout: Blender Foundation, FBX binary file format specification, 2013; version 7.5
   as its exporter's notes have it. */
#include "import/fbx/fbx_guard.h"

#include <string.h>

enum { HEAD_SIZE = 27, DEPTH_MAX = 64, OLDEST = 7100, WIDE_FROM = 7500 };

/* the most bytes that zlib unpacks one to */
enum { PACK_RATIO = 1032 };

/* bytes that the library's own form of a file takes for each byte of its arrays, about */
enum { BYTES_PER_BYTE = 6 };

typedef struct guard {
	ossa_context *context;
	const ossai_source *source;
	bool wide; /* offsets of 64 bits */
	size_t at;
	size_t ends[DEPTH_MAX + 1]; /* of the records that are open */
	size_t depth;
	size_t unpacked;    /* bytes of the file and of all arrays */
	size_t uvs, colors; /* sets of the geometry that began last */
	int64_t left_out;   /* sets beyond those that a mesh, as the library, can have */
} guard;

static bool is_binary(const uint8_t *bytes, size_t size)
{
	static const char magic[] = "Kaydara FBX Binary  ";
	return size >= HEAD_SIZE && memcmp(bytes, magic, sizeof magic) == 0;
}

bool ossai_fbx_detect(const uint8_t *bytes, size_t size)
{
	return (size >= 18 && memcmp(bytes, "Kaydara FBX Binary", 18) == 0) || (size >= 6 && memcmp(bytes, "; FBX ", 6) == 0);
}

static ossa_status fail_at(const guard *g, const char *what)
{
	ossai_place place = ossai_in_file(g->source->path);
	place.offset = (int64_t)g->at;
	return ossai_fail(g->context, OSSA_ERROR_INPUT, &place, "%s: the file is damaged or cut off, export it again", what);
}

static ossa_status check_version(ossa_context *context, const ossai_source *source, uint32_t version)
{
	const ossai_place place = ossai_in_file(source->path);
	if (version >= OLDEST) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, &place,
		"is FBX %u.%u, from before 2011, which ossa does not read: export it again as FBX 2011 or newer (7.1 to 7.7)",
		(unsigned)(version / 1000), (unsigned)(version / 100 % 10));
}

static void count_set(guard *g, size_t *sets) { g->left_out += ++*sets > OSSA_SETS_MAX; }

/* a record's name */
static void note_record(guard *g, ossai_word name)
{
	if (ossai_word_is(name, "Geometry")) g->uvs = g->colors = 0;
	if (ossai_word_is(name, "LayerElementUV")) count_set(g, &g->uvs);
	if (ossai_word_is(name, "LayerElementColor")) count_set(g, &g->colors);
}

static void warn_of_sets(const guard *g)
{
	if (g->left_out == 0) return;
	ossai_warn(g->context, "sets-left-out", g->left_out,
		"%s: geometries have more than %d sets of UVs or of colours; those beyond are left out", g->source->path,
		OSSA_SETS_MAX);
}

/* reserves briefly all that the library will allocate, so that the context's limit applies */
static ossa_status check_limit(const guard *g)
{
	const size_t most = SIZE_MAX / 2 / BYTES_PER_BYTE;
	const size_t capacity = g->unpacked < most ? g->unpacked * BYTES_PER_BYTE : SIZE_MAX / 2;
	void *block = ossai_new(g->context, capacity, 1);
	if (!block) return ossa_context_error(g->context)->status;
	ossa_free(g->context, block);
	return OSSA_OK;
}

/* ---- binary ---- */

static uint64_t little(const uint8_t *bytes, size_t count)
{
	uint64_t value = 0;
	for (size_t i = count; i-- > 0;) value = value << 8 | bytes[i];
	return value;
}

/* `count` bytes before `end`; NULL where there are fewer */
static const uint8_t *take(guard *g, size_t count, size_t end)
{
	if (end < g->at || end - g->at < count) return NULL;
	const uint8_t *bytes = g->source->bytes + g->at;
	g->at += count;
	return bytes;
}

static size_t element_size(uint8_t letter)
{
	switch (letter) {
	case 'd':
	case 'l': return 8;
	case 'f':
	case 'i': return 4;
	default: return 1;
	}
}

static ossa_status check_array(guard *g, uint8_t letter, size_t end)
{
	const uint8_t *head = take(g, 12, end);
	if (!head) return fail_at(g, "an array's header is incomplete");
	const uint64_t bytes = little(head, 4) * element_size(letter), packing = little(head + 4, 4), stored = little(head + 8, 4);
	if (packing > 1) return fail_at(g, "an array has an unknown encoding");
	if (packing == 0 ? bytes != stored : bytes > stored * PACK_RATIO) {
		return fail_at(g, "an array says that it is longer than its bytes can hold");
	}
	g->unpacked += (size_t)bytes;
	return take(g, (size_t)stored, end) ? OSSA_OK : fail_at(g, "an array goes beyond its record");
}

static ossa_status check_property(guard *g, size_t end)
{
	const uint8_t *letter = take(g, 1, end), *length;
	if (!letter) return fail_at(g, "a property is missing");
	size_t size = 0;
	switch (*letter) {
	case 'B':
	case 'C': size = 1; break;
	case 'Y': size = 2; break;
	case 'F':
	case 'I': size = 4; break;
	case 'D':
	case 'L': size = 8; break;
	case 'R':
	case 'S':
		length = take(g, 4, end);
		if (!length) return fail_at(g, "a text's length is incomplete");
		size = (size_t)little(length, 4);
		break;
	case 'b':
	case 'c':
	case 'd':
	case 'f':
	case 'i':
	case 'l': return check_array(g, *letter, end);
	default: return fail_at(g, "a property is of unknown type");
	}
	return take(g, size, end) ? OSSA_OK : fail_at(g, "a property goes beyond its record");
}

/* a record's header and properties; `last` for the empty record that ends a list */
static ossa_status open_record(guard *g, bool *last)
{
	const size_t width = g->wide ? 8 : 4, around = g->ends[g->depth];
	const uint8_t *head = take(g, 3 * width + 1, around);
	if (!head) return fail_at(g, "a record's header is incomplete");
	const uint64_t end = little(head, width), count = little(head + width, width), bytes = little(head + 2 * width, width);
	*last = end == 0;
	if (*last) return OSSA_OK;
	const uint8_t *name = take(g, head[3 * width], around);
	if (!name || end < g->at || end > around) return fail_at(g, "a record goes beyond the one around it");
	if (bytes > end - g->at || count > bytes) return fail_at(g, "a record's properties go beyond it");
	const size_t first = g->at;
	for (uint64_t i = 0; i < count; i++) OSSAI_TRY(check_property(g, first + (size_t)bytes));
	if (g->at != first + bytes) return fail_at(g, "a record's properties are shorter than it says");
	if (g->depth == DEPTH_MAX) return fail_at(g, "records are nested deeper than 64");
	g->ends[++g->depth] = (size_t)end;
	note_record(g, (ossai_word){(const char *)name, head[3 * width]});
	return OSSA_OK;
}

/* the records up to the empty one that ends the file's list; a foot without information follows */
static ossa_status check_binary(guard *g)
{
	g->at = HEAD_SIZE;
	g->ends[0] = g->source->size;
	for (;;) {
		bool last = false;
		while (g->depth > 0 && g->at == g->ends[g->depth]) g->depth--;
		OSSAI_TRY(open_record(g, &last));
		if (!last) continue;
		if (g->depth == 0) return OSSA_OK;
		if (g->at != g->ends[g->depth]) return fail_at(g, "a record's list ends before it");
		g->depth--;
	}
}

/* ---- ASCII ---- */

/* "*1234": an array's length; true where it is more than the file could hold */
static bool is_too_long(const ossai_text *text)
{
	ossai_text copy = *text;
	int64_t length = 0;
	copy.at++;
	return ossai_text_integer(&copy, &length) && length > copy.end - copy.at;
}

/* the word before a colon */
static ossai_word word_before(const guard *g, const char *colon)
{
	const char *begin = (const char *)g->source->bytes, *first = colon;
	while (first > begin && (first[-1] | 32) >= 'a' && (first[-1] | 32) <= 'z') first--;
	return (ossai_word){first, (size_t)(colon - first)};
}

static ossa_status check_ascii(guard *g)
{
	ossai_text text = ossai_text_of_file(g->context, g->source->path, g->source->bytes, g->source->size);
	int64_t depth = 0;
	bool quoted = false;
	while (!ossai_text_ended(&text)) {
		const char c = *text.at;
		if (c == '"') quoted = !quoted;
		if (ossai_is_line_end(c) || (!quoted && c == ';')) {
			quoted = false;
			ossai_text_next_line(&text);
			continue;
		}
		if (!quoted && c == '{' && ++depth > DEPTH_MAX) return ossai_text_fail(&text, "braces are nested deeper than 64");
		if (!quoted && c == '}') depth--;
		if (!quoted && c == ':') note_record(g, word_before(g, text.at));
		if (!quoted && c == '*' && is_too_long(&text)) {
			return ossai_text_fail(&text, "an array says that it is longer than the file: the file is damaged or cut off");
		}
		text.at++;
	}
	/* numbers take up to four times as much as their shortest text */
	g->unpacked *= 4;
	return ossai_text_end(&text);
}

/* the number after "FBXVersion:"; 0 where there is none */
static uint32_t ascii_version(const ossai_source *source)
{
	static const char label[] = "FBXVersion:";
	const size_t size = source->size < 65536 ? source->size : 65536, length = sizeof label - 1;
	for (size_t i = 0; i + length < size; i++) {
		if (memcmp(source->bytes + i, label, length) != 0) continue;
		ossai_text text = ossai_text_begin(NULL, "", source->bytes + i + length, size - i - length);
		int64_t version = 0;
		ossai_text_blanks(&text);
		return ossai_text_integer(&text, &version) && version > 0 && version < 1000000 ? (uint32_t)version : 0;
	}
	return 0;
}

/* passes the sum on */
static ossa_status end_check(const guard *g, size_t *unpacked)
{
	warn_of_sets(g);
	*unpacked = g->unpacked;
	return check_limit(g);
}

ossa_status ossai_fbx_check(ossa_context *context, const ossai_source *source, size_t *unpacked)
{
	guard g = {.context = context, .source = source, .unpacked = source->size};
	if (is_binary(source->bytes, source->size)) {
		const uint32_t version = (uint32_t)little(source->bytes + 23, 4);
		OSSAI_TRY(check_version(context, source, version));
		g.wide = version >= WIDE_FROM;
		OSSAI_TRY(check_binary(&g));
		return end_check(&g, unpacked);
	}
	if (source->size >= 18 && memcmp(source->bytes, "Kaydara FBX Binary", 18) == 0)
		return fail_at(&g, "its header is incomplete");
	const uint32_t version = ascii_version(source);
	if (version == 0) return fail_at(&g, "it has no version (FBXVersion)");
	OSSAI_TRY(check_version(context, source, version));
	OSSAI_TRY(check_ascii(&g));
	return end_check(&g, unpacked);
}
