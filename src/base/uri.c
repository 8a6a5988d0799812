/* base/uri.c: relative URIs of files beside another file.

   Place in the path: below the readers and writers.
   Input and output: texts. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/uri.h"
#include "base/file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int ossai_hex_digit(char c)
{
	if (c >= '0' && c <= '9') return c - '0';
	if (c >= 'a' && c <= 'f') return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

size_t ossai_decode_percent(const char *text, size_t length, char *to)
{
	size_t size = 0;
	for (size_t i = 0; i < length; i++) {
		const bool escape = text[i] == '%' && i + 2 < length && ossai_hex_digit(text[i + 1]) >= 0 &&
			ossai_hex_digit(text[i + 2]) >= 0;
		to[size++] = escape ? (char)(ossai_hex_digit(text[i + 1]) * 16 + ossai_hex_digit(text[i + 2])) : text[i];
		i += escape ? 2 : 0;
	}
	return size;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void ossai_encode_percent(const char *name, char *uri)
{
	static const char digits[] = "0123456789ABCDEF";
	for (; *name; name++) {
		const unsigned char c = (unsigned char)*name;
		if (is_letter(*name) || (c >= '0' && c <= '9') || strchr("-._~/", c)) {
			*uri++ = *name;
			continue;
		}
		*uri++ = '%';
		*uri++ = digits[c >> 4];
		*uri++ = digits[c & 15];
	}
	*uri = 0;
}

/* "http:", "file:", also "C:" */
static bool has_scheme(const char *uri)
{
	const char *at = uri;
	if (!is_letter(*at)) return false;
	while (is_letter(*at) || (*at >= '0' && *at <= '9') || *at == '+' || *at == '-' || *at == '.') at++;
	return *at == ':';
}

/* whether one of the path's parts is ".."; both slashes count, as the file may come from
   anywhere */
static bool climbs(const char *path)
{
	for (const char *part = path;;) {
		const size_t length = strcspn(part, "/\\");
		if (length == 2 && part[0] == '.' && part[1] == '.') return true;
		if (!part[length]) return false;
		part += length + 1;
	}
}

/* Whether symbolic links leave the path in the folder that its first bytes name; of what is not
   there nothing is read. */
static bool stays_below(const char *path, size_t folder_size)
{
	char folder[OSSAI_PATH_SIZE] = ".", real_folder[PATH_MAX], real[PATH_MAX];
	if (folder_size > 0) memcpy(folder, path, folder_size);
	folder[folder_size > 0 ? folder_size : 1] = 0;
	if (!realpath(path, real) || !realpath(folder, real_folder)) return true;
	const size_t length = strcmp(real_folder, "/") == 0 ? 0 : strlen(real_folder);
	return strncmp(real, real_folder, length) == 0 && real[length] == '/';
}

ossai_uri_fault ossai_uri_path(const char *own, const char *uri, bool is_plain, char path[OSSAI_PATH_SIZE])
{
	const size_t folder = (size_t)(ossai_file_name(own) - own), length = strlen(uri);
	if (has_scheme(uri)) return OSSAI_URI_ELSEWHERE;
	if (folder + length + 1 > OSSAI_PATH_SIZE) return OSSAI_URI_OUTSIDE;
	memcpy(path, own, folder);
	char *name = path + folder;
	const size_t size = is_plain ? length : ossai_decode_percent(uri, length, name);
	if (is_plain) memcpy(name, uri, length);
	name[size] = 0;
	for (char *at = name; is_plain && *at; at++) *at = *at == '\\' ? '/' : *at;
	const bool is_below = size > 0 && strlen(name) == size && name[0] != '/' && name[0] != '\\' && !climbs(name);
	return is_below && stays_below(path, folder) ? OSSAI_URI_GOOD : OSSAI_URI_OUTSIDE;
}

bool ossai_uri_find(const ossa_context *context, const char *own, const char *uri, bool is_plain, char path[OSSAI_PATH_SIZE])
{
	if (ossai_uri_path(own, uri, is_plain, path) == OSSAI_URI_GOOD && ossai_file_is_input(context, path)) return true;
	const char *slash = strrchr(uri, '/'), *other = strrchr(uri, '\\');
	const char *last = other && (!slash || other > slash) ? other : slash;
	if (!is_plain || !last) return false;
	return ossai_uri_path(own, last + 1, true, path) == OSSAI_URI_GOOD && ossai_file_is_input(context, path);
}
