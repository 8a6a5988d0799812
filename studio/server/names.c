/* studio/server/names.c: names of files as they come in an address: unescaped once, and refused
   where they could leave the folder.

   Place in the path: before any name is used on the disk. */
#include "server.h"

#include <stdio.h>
#include <string.h>

static int digit_of(char letter)
{
	if (letter >= '0' && letter <= '9') return letter - '0';
	if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
	if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
	return -1;
}

bool studio_unescape(const char *text, size_t length, char *to, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < length; i++) {
		char letter = text[i];
		if (letter == '%') {
			const int high = i + 2 < length ? digit_of(text[i + 1]) : -1, low = i + 2 < length ? digit_of(text[i + 2]) : -1;
			if (high < 0 || low < 0 || (high == 0 && low == 0)) return false;
			letter = (char)(16 * high + low);
			i += 2;
		}
		if (used + 1 >= size) return false;
		to[used++] = letter;
	}
	to[used] = 0;
	return true;
}

bool studio_name_is_good(const char *name)
{
	const size_t length = strlen(name);
	if (length == 0 || length >= STUDIO_NAME_SIZE || name[0] == '.') return false;
	for (size_t i = 0; i < length; i++) {
		const unsigned char letter = (unsigned char)name[i];
		if (letter < 32 || letter == 127 || letter == '/' || letter == '\\') return false;
	}
	/* it is sent in JSON, so it must be text */
	json_t *text = json_string(name);
	json_decref(text);
	return text != NULL;
}

/* takes every `part` out of the text */
static void cut(char *text, const char *part)
{
	const size_t length = strlen(part);
	for (char *at = strstr(text, part); at && length > 0; at = strstr(at, part))
		memmove(at, at + length, strlen(at + length) + 1);
}

void studio_hide_folder(const studio_session *session, char *text)
{
	static const char *const folders[] = {"/files/", "/exports/", "/", ""};
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		char part[STUDIO_PATH_SIZE + 16];
		snprintf(part, sizeof part, "%s%s", session->path, folders[i]);
		cut(text, part);
	}
}
