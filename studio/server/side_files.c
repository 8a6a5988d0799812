/* studio/server/side_files.c: the files that a file of the command line refers to: buffers and
   images of glTF as text, material libraries of OBJ and their images.

   Place in the path: when the studio is started with files, which are copied into a session.
   Input: a file of a folder.
   Output: paths below this folder, there or not. Nothing outside it is named. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const size_t text_limit = (size_t)1 << 28;

/* whether every part of the path is a name, the folders being as deep as a session's are at most */
static bool is_below(const char *path)
{
	char part[STUDIO_NAME_SIZE];
	for (int depth = 0; depth < 3; depth++) {
		const size_t length = strcspn(path, "/");
		if (length >= sizeof part) return false;
		memcpy(part, path, length);
		part[length] = 0;
		if (!studio_name_is_good(part)) return false;
		if (!path[length]) return true;
		path += length + 1;
	}
	return false;
}

static void add(json_t *names, const char *path)
{
	if (strncmp(path, "./", 2) == 0) path += 2;
	if (strlen(path) < STUDIO_NAME_SIZE && is_below(path)) json_array_append_new(names, json_string(path));
}

/* ---- glTF ---- */

static void add_addresses(json_t *names, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		char path[STUDIO_NAME_SIZE];
		const char *address = json_string_value(json_object_get(json_array_get(list, i), "uri"));
		if (!address || strncmp(address, "data:", 5) == 0) continue;
		if (studio_unescape(address, strlen(address), path, sizeof path)) add(names, path);
	}
}

static void add_of_gltf(json_t *names, const char *folder, const char *file)
{
	size_t size;
	char *text = studio_read_whole(folder, file, text_limit, &size);
	/* faults are reported when it is opened */
	json_t *document = text ? json_loadb(text, size, 0, NULL) : NULL;
	free(text);
	add_addresses(names, json_object_get(document, "buffers"));
	add_addresses(names, json_object_get(document, "images"));
	json_decref(document);
}

/* ---- OBJ ---- */

/* behind the word and the spaces at the beginning of a line; NULL where it has another one */
static char *behind(char *line, const char *word)
{
	line += strspn(line, " \t");
	const size_t length = strlen(word);
	if (strncasecmp(line, word, length) != 0 || !strchr(" \t", line[length])) return NULL;
	line += length;
	return line + strspn(line, " \t");
}

/* calls `take` for each line of a file of the folder, without its end */
static void each_line(const char *folder, const char *file, void (*take)(json_t *names, char *line), json_t *names)
{
	char path[STUDIO_PATH_SIZE], *line = NULL;
	size_t capacity = 0;
	FILE *from = studio_path(path, sizeof path, folder, file) ? fopen(path, "rb") : NULL;
	while (from && getline(&line, &capacity, from) >= 0) {
		size_t length = strcspn(line, "\r\n");
		while (length > 0 && strchr(" \t", line[length - 1])) length--;
		line[length] = 0;
		take(names, line);
	}
	free(line);
	if (from) fclose(from);
}

/* programs write paths of other machines: their last part is looked for, too */
static void add_path(json_t *names, char *path)
{
	for (char *at = path; *at; at++) *at = *at == '\\' ? '/' : *at;
	char *slash = strrchr(path, '/');
	add(names, path);
	if (slash) add(names, slash + 1);
}

static void take_library(json_t *names, char *line)
{
	char *rest = behind(line, "mtllib");
	if (rest) add_path(names, rest);
}

/* the image is the last word, behind options, or all of it where its name has spaces */
static void take_image(json_t *names, char *line)
{
	static const char *const words[] = {"map_Kd", "map_Ka", "map_Ks", "map_Ke", "map_Ns", "map_d", "map_bump", "bump", "norm",
		"map_Kn", "disp", "map_Pr", "map_Pm", "decal", "refl"};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		char *rest = behind(line, words[i]);
		if (!rest) continue;
		char *space = strrchr(rest, ' ');
		add_path(names, rest);
		if (space) add_path(names, space + 1);
		return;
	}
}

static void add_of_obj(json_t *names, const char *folder, const char *file)
{
	each_line(folder, file, take_library, names);
	const size_t libraries = json_array_size(names);
	for (size_t i = 0; i < libraries; i++) {
		each_line(folder, json_string_value(json_array_get(names, i)), take_image, names);
	}
}

json_t *studio_side_files(const char *folder, const char *file)
{
	const char *ending = strrchr(file, '.');
	json_t *names = json_array();
	if (names && ending && strcasecmp(ending, ".gltf") == 0) add_of_gltf(names, folder, file);
	if (names && ending && strcasecmp(ending, ".obj") == 0) add_of_obj(names, folder, file);
	return names;
}
