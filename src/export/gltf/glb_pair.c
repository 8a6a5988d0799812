/* export/gltf/glb_pair.c: the .bin that is written beside a .gltf, and whether it may be.

   Place in the path: below glb_file.c.  In: the path of a .gltf.  Out: that of its .bin; an error where a file is there that is not
   the buffer of the .gltf that is replaced: nothing says that it may be lost.
   Source: glTF 2.0 specification, 3.6.1 (buffers and their URIs). */
#include "export/gltf/glb.h"

#include "base/file.h"
#include "export/export.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool ossai_glb_is_pair(const char *path)
{
	const size_t length = strlen(path);
	return length >= 5 && strcasecmp(path + length - 5, ".gltf") == 0;
}

ossa_status ossai_glb_binary_path(ossa_context *context, const char *path, char binary_path[OSSAI_GLB_PATH_SIZE])
{
	ossai_place place = OSSAI_NOWHERE;
	place.file = path;
	if (strlen(path) >= OSSAI_GLB_PATH_SIZE) {
		return ossai_fail(context, OSSA_ERROR_WRITE, &place, "cannot be written: the path is too long");
	}
	snprintf(binary_path, OSSAI_GLB_PATH_SIZE, "%.*s.bin", (int)(strlen(path) - 5), path);
	return OSSA_OK;
}

void ossai_glb_uri(const char *name, char uri[3 * OSSAI_GLB_PATH_SIZE])
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
	size_t length = 0;
	for (; *name && length + 4 < 3 * OSSAI_GLB_PATH_SIZE; name++) {
		if (strchr(plain, *name)) uri[length++] = *name;
		else length += (size_t)snprintf(uri + length, 4, "%%%02X", (unsigned)(unsigned char)*name);
	}
	uri[length] = 0;
}

/* whether one of the buffers of a glTF document is the file of that name beside it; names are found escaped and as they are */
static bool names_buffer(const json_t *root, const char *name)
{
	char escaped[3 * OSSAI_GLB_PATH_SIZE];
	ossai_glb_uri(name, escaped);
	const json_t *buffers = json_object_get(root, "buffers");
	for (size_t i = 0; i < json_array_size(buffers); i++) {
		const char *uri = json_string_value(json_object_get(json_array_get(buffers, i), "uri"));
		if (uri && strncmp(uri, "./", 2) == 0) uri += 2;
		if (uri && (strcmp(uri, escaped) == 0 || strcmp(uri, name) == 0)) return true;
	}
	return false;
}

/* whether the .gltf at `path`, where there is one, has the buffer; what cannot be read has none */
static ossa_status is_own_buffer(ossa_context *context, const char *path, const char *name, bool *own)
{
	ossai_file file;
	*own = false;
	if (!ossai_file_exists(path)) return OSSA_OK;
	OSSAI_TRY(ossai_file_open(context, path, &file));
	json_t *root = json_loadb((const char *)file.bytes, file.size, 0, NULL);
	*own = names_buffer(root, name);
	json_decref(root);
	ossai_file_close(context, &file);
	return OSSA_OK;
}

ossa_status ossai_glb_check_pair(ossa_context *context, const char *path)
{
	char binary_path[OSSAI_GLB_PATH_SIZE];
	bool own;
	OSSAI_TRY(ossai_glb_binary_path(context, path, binary_path));
	if (!ossai_file_exists(binary_path)) return OSSA_OK;
	OSSAI_TRY(is_own_buffer(context, path, ossai_file_name(binary_path), &own));
	if (own) return OSSA_OK;
	ossai_place place = OSSAI_NOWHERE;
	place.file = binary_path;
	return ossai_fail(context, OSSA_ERROR_WRITE, &place,
		"is there already and is not the buffer of %s, which would replace it: remove it or give the output another name",
		ossai_file_name(path));
}
