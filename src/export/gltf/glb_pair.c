/* export/gltf/glb_pair.c: the .bin that is written beside a .gltf, and its name.

   Place in the path: below glb_file.c.
   Input: the path of a .gltf.
   Output: that of its .bin. A file of that name that is not the buffer of the replaced .gltf is
   kept, since it may be in use: then the .bin gets a number.
   Source: glTF 2.0 specification, 3.6.1 (buffers and their URIs). */
#include "base/uri.h"
#include "export/gltf/glb.h"

#include "base/file.h"
#include "export/export.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* the most names that are tried */
enum { MOST_NAMES = 99 };

bool ossai_glb_is_pair(const char *path)
{
	const size_t length = strlen(path);
	return length >= 5 && strcasecmp(path + length - 5, ".gltf") == 0;
}

/* whether one of the buffers of a glTF document is the file of that name beside it; names are found
   escaped and as they are */
static bool names_buffer(const json_t *root, const char *name)
{
	char escaped[3 * OSSAI_PATH_SIZE];
	ossai_encode_percent(name, escaped);
	const json_t *buffers = json_object_get(root, "buffers");
	for (size_t i = 0; i < json_array_size(buffers); i++) {
		const char *uri = json_string_value(json_object_get(json_array_get(buffers, i), "uri"));
		if (uri && strncmp(uri, "./", 2) == 0) uri += 2;
		if (uri && (strcmp(uri, escaped) == 0 || strcmp(uri, name) == 0)) return true;
	}
	return false;
}

/* ---- the name ---- */

/* "a/b.bin", "a/b-2.bin", "a/b-3.bin" ... of "a/b.gltf" */
static void name_binary(const char *path, int number, char binary_path[OSSAI_PATH_SIZE])
{
	char behind[16] = "";
	if (number > 1) snprintf(behind, sizeof behind, "-%d", number);
	snprintf(binary_path, OSSAI_PATH_SIZE, "%.*s%s.bin", (int)(strlen(path) - 5), path, behind);
}

/* the first number whose name is that of a buffer of the .gltf at `path`; 0: there is no such file,
   or what it says cannot be read */
static ossa_status find_own(ossa_context *context, const char *path, int *number)
{
	ossai_file file;
	char binary_path[OSSAI_PATH_SIZE];
	*number = 0;
	if (!ossai_file_exists(context, path)) return OSSA_OK;
	/* a folder, or an unreadable file: writing will fail */
	const ossa_status status = ossai_file_open(context, path, &file);
	if (status != OSSA_OK) return status == OSSA_ERROR_READ ? OSSA_OK : status;
	json_t *root = json_loadb((const char *)file.bytes, file.size, 0, NULL);
	for (int i = 1; i <= MOST_NAMES && *number == 0; i++) {
		name_binary(path, i, binary_path);
		if (names_buffer(root, ossai_file_name(binary_path))) *number = i;
	}
	json_decref(root);
	ossai_file_close(context, &file);
	return OSSA_OK;
}

ossa_status ossai_glb_binary_path(ossa_context *context, const char *path, char binary_path[OSSAI_PATH_SIZE])
{
	ossai_place place = OSSAI_NOWHERE;
	int number;
	place.file = path;
	if (strlen(path) + 3 >= OSSAI_PATH_SIZE) {
		return ossai_fail(context, OSSA_ERROR_WRITE, &place, "cannot be written: the path is too long");
	}
	OSSAI_TRY(find_own(context, path, &number));
	for (int i = 1; i <= MOST_NAMES && number == 0; i++) {
		name_binary(path, i, binary_path);
		if (!ossai_file_exists(context, binary_path)) number = i;
	}
	if (number == 0) {
		return ossai_fail(context, OSSA_ERROR_WRITE, &place,
			"cannot be written: the file %s and others of its name with numbers are there and are not its buffers: remove them "
			"or "
			"give the output another name",
			ossai_file_name(binary_path));
	}
	name_binary(path, number, binary_path);
	return OSSA_OK;
}

void ossai_glb_warn_of_name(ossa_context *context, const char *path, const char *binary_path)
{
	char usual[OSSAI_PATH_SIZE];
	name_binary(path, 1, usual);
	if (strcmp(usual, binary_path) == 0) return;
	ossai_warn(context, "buffer-renamed", 1, "%s: its buffer is %s, because a file %s is there that is not known to be one",
		path, ossai_file_name(binary_path), ossai_file_name(usual));
}

ossa_status ossai_glb_check_pair(ossa_context *context, const char *path)
{
	char binary_path[OSSAI_PATH_SIZE];
	return ossai_glb_binary_path(context, path, binary_path);
}
