/* tools/ossa/batch/json_scan.c: walks over a JSON text.

   Place in the path: the command's batch, below manifest and collection.
   Input: a text of one JSON value.
   Output: the places of its members.

   Manifests and reports have up to a million lines, of which a shard needs few members of most:
   jansson, which builds every value, takes four times as long. What is used of a line in the end is
   read by jansson. */
#include "batch/json_scan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

static const char *skip_space(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
	return at;
}

static bool is_hexadecimal(const char *at, const char *end)
{
	if (end - at < 4) return false;
	for (int i = 0; i < 4; i++) {
		const char letter = (char)(at[i] | 32);
		if ((at[i] < '0' || at[i] > '9') && (letter < 'a' || letter > 'f')) return false;
	}
	return true;
}

/* past what follows a backslash; NULL where it means nothing */
static const char *skip_escape(const char *at, const char *end)
{
	if (at == end || !*at || !strchr("\"\\/bfnrtu", *at)) return NULL;
	if (*at != 'u') return at + 1;
	return is_hexadecimal(at + 1, end) ? at + 5 : NULL;
}

/* past a string, from its first quote on; NULL where it is none. Control characters pass: jansson
   refuses them */
static const char *skip_string(const char *at, const char *end)
{
	if (at == end || *at++ != '"') return NULL;
	while (at) {
		const char *quote = memchr(at, '"', (size_t)(end - at));
		const char *escape = quote ? memchr(at, '\\', (size_t)(quote - at)) : NULL;
		if (!escape) return quote ? quote + 1 : NULL;
		at = skip_escape(escape + 1, end);
	}
	return NULL;
}

static const char *skip_digits(const char *at, const char *end)
{
	const char *begin = at;
	while (at < end && *at >= '0' && *at <= '9') at++;
	return at > begin ? at : NULL;
}

static const char *skip_number(const char *at, const char *end)
{
	if (at < end && *at == '-') at++;
	const bool is_zero = at < end && *at == '0';
	at = is_zero ? at + 1 : skip_digits(at, end);
	if (at && at < end && *at == '.') at = skip_digits(at + 1, end);
	if (!at || at == end || (*at | 32) != 'e') return at;
	at++;
	if (at < end && (*at == '+' || *at == '-')) at++;
	return skip_digits(at, end);
}

static const char *skip_word(const char *at, const char *end, const char *word)
{
	const size_t size = strlen(word);
	return (size_t)(end - at) >= size && memcmp(at, word, size) == 0 ? at + size : NULL;
}

static const char *skip_scalar(const char *at, const char *end)
{
	if (at == end) return NULL;
	switch (*at) {
	case '"': return skip_string(at, end);
	case 't': return skip_word(at, end, "true");
	case 'f': return skip_word(at, end, "false");
	case 'n': return skip_word(at, end, "null");
	default: return skip_number(at, end);
	}
}

/* past "key" and its colon */
static const char *skip_key(const char *at, const char *end)
{
	at = skip_string(skip_space(at, end), end);
	if (!at) return NULL;
	at = skip_space(at, end);
	return at < end && *at == ':' ? at + 1 : NULL;
}

/* the open brackets around a place */
typedef struct nesting {
	int depth;
	uint64_t objects; /* bit d: the bracket of depth d + 1 is a brace */
} nesting;

static bool is_in_object(const nesting *open) { return open->objects >> (open->depth - 1) & 1; }

/* behind a value: to the next value of what is open, or past what closes here */
static const char *skip_to_next(const char *at, const char *end, nesting *open)
{
	while (at && open->depth > 0) {
		at = skip_space(at, end);
		if (at == end) return NULL;
		const char closing = is_in_object(open) ? '}' : ']';
		if (*at == ',') return is_in_object(open) ? skip_key(at + 1, end) : at + 1;
		if (*at++ != closing) return NULL;
		open->depth--;
	}
	return at;
}

/* past a value, whatever it holds */
static const char *skip_value(const char *at, const char *end)
{
	nesting open = {0, 0};
	do {
		at = skip_space(at, end);
		if (at == end || (*at != '{' && *at != '[')) {
			at = skip_to_next(skip_scalar(at, end), end, &open);
			continue;
		}
		const bool is_object = *at == '{';
		if (open.depth == DEPTH_MAX) return NULL;
		const uint64_t bit = (uint64_t)1 << open.depth++;
		open.objects = is_object ? open.objects | bit : open.objects & ~bit;
		at = skip_space(at + 1, end);
		if (at < end && *at == (is_object ? '}' : ']')) at = skip_to_next(at, end, &open);
		else if (is_object) at = skip_key(at, end);
	} while (at && open.depth > 0);
	return at;
}

/* members or items between the brackets; the closing one ends the text */
static bool scan(json_span text, bool is_object, json_visit visit, void *user)
{
	const char *end = text.end, *at = skip_space(text.begin, end), closing = is_object ? '}' : ']';
	if (at == end || *at++ != (is_object ? '{' : '[')) return false;
	at = skip_space(at, end);
	bool is_first = true;
	for (; at < end && (*at != closing || !is_first); is_first = false) {
		json_span key = {at, at};
		if (is_object) {
			at = skip_space(at, end);
			const char *colon = skip_key(at, end);
			if (!colon) return false;
			key = (json_span){at, skip_string(at, end)};
			at = colon;
		}
		at = skip_space(at, end);
		const char *past = skip_value(at, end);
		if (!past || !visit(user, key, (json_span){at, past})) return false;
		at = skip_space(past, end);
		if (at == end || *at == closing) break;
		if (*at++ != ',') return false;
	}
	return at < end && skip_space(at + 1, end) == end;
}

bool json_scan_object(json_span text, json_visit visit, void *user) { return scan(text, true, visit, user); }

bool json_scan_array(json_span text, json_visit visit, void *user) { return scan(text, false, visit, user); }

bool json_span_is_string(json_span value) { return value.begin < value.end && *value.begin == '"'; }

bool json_span_is(json_span string, const char *word)
{
	const size_t size = strlen(word);
	return (size_t)(string.end - string.begin) == size + 2 && memcmp(string.begin + 1, word, size) == 0;
}

static unsigned digits_at(const char *at)
{
	char digits[5] = {at[0], at[1], at[2], at[3], 0};
	return (unsigned)strtoul(digits, NULL, 16);
}

/* the code point of \uXXXX, or of two of them; `at` is moved to the last digit */
static unsigned code_point(const char **at, const char *end)
{
	const unsigned first = digits_at(*at + 1);
	*at += 4;
	if (first < 0xd800 || first > 0xdbff || end - *at < 7 || (*at)[1] != '\\' || (*at)[2] != 'u') return first;
	const unsigned second = digits_at(*at + 3);
	if (second < 0xdc00 || second > 0xdfff) return first;
	*at += 6;
	return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
}

static size_t put_utf8(unsigned code, char *text)
{
	if (code < 0x80) {
		text[0] = (char)code;
		return 1;
	}
	const size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
	text[0] = (char)(lead[more] | code >> 6 * more);
	for (size_t i = 1; i <= more; i++) text[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3f));
	return more + 1;
}

size_t json_span_string(json_span value, char *text, size_t size)
{
	size_t used = 0;
	if (!json_span_is_string(value)) return SIZE_MAX;
	for (const char *at = value.begin + 1, *end = value.end - 1; at < end; at++) {
		if (used + 1 >= size) return SIZE_MAX;
		if (*at != '\\') {
			text[used++] = *at;
			continue;
		}
		static const char names[] = "bfnrt\"\\/", meant[] = "\b\f\n\r\t\"\\/";
		at++;
		if (*at != 'u') {
			text[used++] = meant[strchr(names, *at) - names];
			continue;
		}
		const unsigned code = code_point(&at, end);
		/* four bytes of a character and the end */
		if (code == 0 || used + 5 > size) return SIZE_MAX;
		used += put_utf8(code, text + used);
	}
	if (size == 0) return SIZE_MAX;
	text[used] = 0;
	return used;
}

double json_span_number(json_span value, double otherwise)
{
	char digits[64];
	const size_t size = (size_t)(value.end - value.begin);
	if (size == 0 || size >= sizeof digits || (*value.begin != '-' && (*value.begin < '0' || *value.begin > '9')))
		return otherwise;
	memcpy(digits, value.begin, size);
	digits[size] = 0;
	return strtod(digits, NULL);
}
