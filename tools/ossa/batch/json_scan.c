/* tools/ossa/batch/json_scan.c: walks over a JSON text.

   Place in the path: the command's batch, below manifest and collection.
   Input: a text of one JSON value.
   Output: the places of its members.

   Manifests and reports have up to a million lines, of which a shard needs few members of most:
   jansson, which builds every value, takes four times as long. The walk accepts what jansson
   accepts, but for its depth and for numbers that are out of range, so that a line means the same
   to both. What is used of a line in the end is read by jansson. */
#include "batch/json_scan.h"
#include "batch/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

static const char *skip_space(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
	return at;
}

/* the four digits behind "\u", or -1 */
static int digits_at(const char *at, const char *end)
{
	int value = 0;
	if (end - at < 4) return -1;
	for (int i = 0; i < 4; i++) {
		const char digit = at[i], letter = (char)(digit | 32);
		if (digit >= '0' && digit <= '9') value = 16 * value + (digit - '0');
		else if (letter >= 'a' && letter <= 'f') value = 16 * value + (letter - 'a' + 10);
		else return -1;
	}
	return value;
}

/* the code point at the digits of "\uXXXX", or of a pair of these, and the place behind it; NULL
   for 0, for half a pair, and where there are no digits */
static const char *read_code_point(const char *at, const char *end, unsigned *code)
{
	const int first = digits_at(at, end);
	if (first <= 0 || (first >= 0xdc00 && first <= 0xdfff)) return NULL;
	*code = (unsigned)first;
	if (first < 0xd800 || first > 0xdfff) return at + 4;
	if (end - at < 10 || at[4] != '\\' || at[5] != 'u') return NULL;
	const int second = digits_at(at + 6, end);
	if (second < 0xdc00 || second > 0xdfff) return NULL;
	*code = 0x10000 + ((unsigned)(first - 0xd800) << 10) + (unsigned)(second - 0xdc00);
	return at + 10;
}

/* past what follows a backslash; NULL where it means nothing */
static const char *skip_escape(const char *at, const char *end)
{
	unsigned code;
	if (at == end || !*at || !strchr("\"\\/bfnrtu", *at)) return NULL;
	return *at == 'u' ? read_code_point(at + 1, end, &code) : at + 1;
}

static bool is_plain(unsigned char letter) { return letter >= 0x20 && letter < 0x80 && letter != '"' && letter != '\\'; }

/* Whether eight bytes are all plain. In (x - n) & ~x a byte below n sets its highest bit, and in a
   word without such a byte none does (S. E. Anderson, Bit Twiddling Hacks). */
static bool are_plain(const char *at)
{
	const uint64_t ones = 0x0101010101010101u, tops = 0x80 * ones;
	uint64_t word;
	memcpy(&word, at, sizeof word);
	const uint64_t quote = word ^ '"' * ones, escape = word ^ '\\' * ones;
	return !((((word - 0x20 * ones) & ~word) | word | ((quote - ones) & ~quote) | ((escape - ones) & ~escape)) & tops);
}

static const char *skip_plain(const char *at, const char *end)
{
	while (end - at >= 8 && are_plain(at)) at += 8;
	while (at < end && is_plain((unsigned char)*at)) at++;
	return at;
}

/* past a string, from its first quote on; NULL where it is none */
static const char *skip_string(const char *at, const char *end)
{
	if (at == end || *at++ != '"') return NULL;
	for (;;) {
		at = skip_plain(at, end);
		if (at == end) return NULL;
		if (*at == '"') return at + 1;
		if (*at == '\\') at = skip_escape(at + 1, end);
		else {
			/* none of a control character */
			const size_t size = (unsigned char)*at < 0x80 ? 0 : batch_character_size(at, end);
			at = size > 0 ? at + size : NULL;
		}
		if (!at) return NULL;
	}
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

/* past a key, which is given, and its colon */
static const char *take_key(const char *at, const char *end, json_span *key)
{
	key->begin = skip_space(at, end);
	key->end = at = skip_string(key->begin, end);
	if (!at) return NULL;
	at = skip_space(at, end);
	return at < end && *at == ':' ? at + 1 : NULL;
}

static const char *skip_key(const char *at, const char *end)
{
	json_span key;
	return take_key(at, end, &key);
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
		if (is_object) at = take_key(at, end, &key);
		if (!at) return false;
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
		unsigned code;
		const char *behind = read_code_point(at + 1, end, &code);
		/* four bytes of a character and the end */
		if (!behind || used + 5 > size) return SIZE_MAX;
		used += put_utf8(code, text + used);
		at = behind - 1;
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
