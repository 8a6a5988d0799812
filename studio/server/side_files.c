/* studio/server/side_files.c: the files that a file of the command line refers to: the buffers of
   glTF as text.

   Place in the path: when the studio is started with files, which are copied into a session.
   Input: a file of a folder.
   Output: names, to be found in the same folder. Pictures are left out: ossa does not read them. */
#include "server.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const size_t text_limit = (size_t)1 << 28;

/* the file that an address of the document names, in its own folder, or NULL */
static json_t *name_of_address(const char *address)
{
	char name[STUDIO_NAME_SIZE];
	if (!address || strncmp(address, "data:", 5) == 0) return NULL;
	if (strncmp(address, "./", 2) == 0) address += 2;
	if (!studio_unescape(address, strlen(address), name, sizeof name) || !studio_name_is_good(name)) return NULL;
	return json_string(name);
}

json_t *studio_side_files(const char *folder, const char *file)
{
	const char *ending = strrchr(file, '.');
	json_t *names = json_array(), *document = NULL;
	if (names && ending && strcasecmp(ending, ".gltf") == 0) {
		size_t size;
		char *text = studio_read_whole(folder, file, text_limit, &size);
		/* faults are reported when it is opened */
		if (text) document = json_loadb(text, size, 0, NULL);
		free(text);
	}
	const json_t *buffers = json_object_get(document, "buffers");
	for (size_t i = 0; i < json_array_size(buffers); i++) {
		const json_t *address = json_object_get(json_array_get(buffers, i), "uri");
		json_t *name = name_of_address(json_string_value(address));
		if (name) json_array_append_new(names, name);
	}
	json_decref(document);
	return names;
}
