/* import/gltf/gltf_numbers.c: numbers of a glTF file's JSON that the JSON library refuses.

   Place in the path: the glTF reader, where parsing failed for such a number.
   Input: JSON with whole numbers beyond 64 bits (identifiers in extras) or numbers beyond doubles.
   Output: the same with numbers that doubles hold: the nearest, or the largest. */
#include "import/gltf/gltf_document.h"

#include <string.h>

static const char largest[] = "1.7976931348623157e308";

static bool is_of_number(uint8_t c) { return (c >= '0' && c <= '9') || (c != 0 && strchr("+-.eE", c)); }

/* whether the library takes a number; what is none is left to it */
static bool is_held(const char *number, size_t size)
{
	json_error_t error;
	json_t *value = json_loadb(number, size, JSON_DECODE_ANY, &error);
	const bool is_held = value || json_error_code(&error) != json_error_numeric_overflow;
	json_decref(value);
	return is_held;
}

/* Puts a number where there is space for it and for the largest; returns its size. As a real, which
   an exponent makes of it, a whole number is the nearest double. */
static size_t put_number(const char *from, size_t size, char *to, int64_t *changed)
{
	memcpy(to, from, size);
	if (is_held(from, size)) return size;
	++*changed;
	memcpy(to + size, "e0", 2);
	if (is_held(to, size + 2) && !memchr(from, 'e', size) && !memchr(from, 'E', size)) return size + 2;
	const size_t sign = from[0] == '-';
	memcpy(to + sign, largest, sizeof largest - 1);
	return sign + sizeof largest - 1;
}

/* how many numbers there are outside of strings, at most */
static size_t count_numbers(ossai_gltf_bytes text)
{
	size_t count = 0;
	for (size_t i = 0; i < text.size; i++) count += is_of_number(text.data[i]) && (i == 0 || !is_of_number(text.data[i - 1]));
	return count;
}

ossa_status ossai_gltf_hold_numbers(ossai_gltf *document, ossai_gltf_bytes *text)
{
	char *parsed;
	size_t size = 0, i = 0;
	int64_t changed = 0;
	bool in_string = false;
	OSSAI_TRY(ossai_gltf_scratch(document, &parsed, text->size + count_numbers(*text) * sizeof largest, 1));
	while (i < text->size) {
		const char *from = (const char *)text->data + i;
		size_t length = 1;
		if (*from == '"') in_string = !in_string;
		if (in_string && *from == '\\' && i + 1 < text->size) length = 2;
		while (!in_string && is_of_number((uint8_t)*from) && i + length < text->size && is_of_number(text->data[i + length]))
			length++;
		if (!in_string && is_of_number((uint8_t)*from)) size += put_number(from, length, parsed + size, &changed);
		else {
			memcpy(parsed + size, from, length);
			size += length;
		}
		i += length;
	}
	*text = (ossai_gltf_bytes){(const uint8_t *)parsed, size};
	ossai_warn(document->context, "numbers-rounded", changed,
		"%s: numbers beyond 64 bits are written as doubles: the nearest, or the largest", document->source->path);
	return OSSA_OK;
}
