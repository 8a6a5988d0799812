/* base/xml_name.c: names as XML allows them.

   Place in the path: beside xml.c, for writers.
   Input: any text.
   Output: an NCName.
   Source: XML 1.0, fourth edition, appendix B: the fifth allows more, but validators of schemas go
   by this one. Of its letters those of scripts in use; accents that stand apart are no letters. */
#include "base/xml_name.h"
#include "base/text.h"

#include <string.h>

typedef struct code_range {
	uint32_t first, last;
} code_range;

static bool contains(const code_range *ranges, size_t count, uint32_t code)
{
	for (size_t i = 0; i < count; i++) {
		if (code >= ranges[i].first && code <= ranges[i].last) return true;
	}
	return false;
}

static bool is_letter(uint32_t code)
{
	static const code_range letters[] = {{'A', 'Z'}, {'a', 'z'}, {0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x131}, {0x134, 0x13E},
		{0x141, 0x148}, {0x14A, 0x17E}, {0x180, 0x1C3}, {0x1CD, 0x1F0}, {0x1F4, 0x1F5}, {0x1FA, 0x217}, {0x250, 0x2A8},
		{0x388, 0x38A}, {0x38E, 0x3A1}, {0x3A3, 0x3CE}, {0x401, 0x40C}, {0x40E, 0x44F}, {0x451, 0x45C}, {0x45E, 0x481},
		{0x490, 0x4C4}, {0x531, 0x556}, {0x561, 0x586}, {0x5D0, 0x5EA}, {0x621, 0x63A}, {0x641, 0x64A}, {0x905, 0x939},
		{0xE01, 0xE2E}, {0x10A0, 0x10C5}, {0x10D0, 0x10F6}, {0x1E00, 0x1E9B}, {0x1EA0, 0x1EF9}, {0x3041, 0x3094},
		{0x30A1, 0x30FA}, {0x3105, 0x312C}, {0x4E00, 0x9FA5}, {0xAC00, 0xD7A3}};
	return code == '_' || contains(letters, sizeof letters / sizeof letters[0], code);
}

/* what follows letters; the marks of Japanese that repeat a letter or make it long */
static bool is_follower(uint32_t code)
{
	static const code_range followers[] = {{'-', '.'}, {'0', '9'}, {0x3005, 0x3005}, {0x30FC, 0x30FE}};
	return is_letter(code) || contains(followers, sizeof followers / sizeof followers[0], code);
}

void ossai_xml_name(const char *text, char *name, size_t size)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t used = 0, left = strlen(text);
	const size_t first = ossai_utf8_size(at, left);
	if (first == 0 || !is_letter(ossai_utf8_code(at, first))) name[used++] = '_';
	while (left > 0) {
		const size_t bytes = ossai_utf8_size(at, left);
		const bool stays = bytes > 0 && is_follower(ossai_utf8_code(at, bytes));
		if (used + (stays ? bytes : 1) >= size) break;
		if (stays) memcpy(name + used, at, bytes);
		else name[used] = '_';
		used += stays ? bytes : 1;
		at += bytes > 0 ? bytes : 1;
		left -= bytes > 0 ? bytes : 1;
	}
	name[used] = 0;
}
