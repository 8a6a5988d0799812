/* export/gltf/kept_images.c: images of a kept glTF file that are files of their own.

   Place in the path: inside the GLB writer.
   Input: relative URIs, the path of the file that they are of.
   Output: in a .glb the images' bytes, as that is one file; beside a .gltf in another folder the
   same images. Nothing is decoded.
   Source: glTF 2.0 specification, 3.9.1. */
#include "base/data_uri.h"
#include "export/gltf/kept.h"
#include "export/image_files.h"
#include "scene/appearance.h"

#include <stdio.h>
#include <string.h>

/* what an image names as a file beside; NULL where it is none */
static const char *uri_of(const json_t *image)
{
	const char *uri = json_string_value(json_object_get(image, "uri"));
	return uri && !ossai_is_data_uri(uri) ? uri : NULL;
}

/* the reader of the file has named those that were missing then */
static void warn_of_missing(const ossai_kept *kept, size_t index, const char *uri)
{
	const ossa_document *document = kept->document;
	if (index < document->image_count && document->image_is_missing[index]) return;
	ossai_warn(kept->writer->context, "image-missing", 1,
		"%s: images that it names are not beside it or are no images, e.g. \"%.128s\": they are named as before",
		kept->document->path, uri);
}

/* opens the image until the file is written; NULL where it cannot be read or is none */
static const ossai_file *open_image(ossai_kept *kept, const char *uri)
{
	ossai_glb_writer *writer = kept->writer;
	char path[OSSAI_PATH_SIZE];
	if (ossai_uri_path(kept->document->path, uri, false, path) != OSSAI_URI_GOOD) return NULL;
	if (ossai_reserve(writer->context, &writer->files, &writer->file_capacity, writer->file_count, sizeof *writer->files) !=
		OSSA_OK)
		return NULL;
	ossai_file *file = &writer->files[writer->file_count];
	if (ossai_file_open(writer->context, path, file) != OSSA_OK) return NULL;
	writer->file_count++;
	return ossai_image_type(file->bytes, file->size)[0] ? file : NULL;
}

/* ---- into a .glb ---- */

static ossa_status embed(ossai_kept *kept, size_t index, json_t *image)
{
	const char *uri = uri_of(image);
	const ossai_file *file = open_image(kept, uri);
	size_t view;
	if (!file) {
		warn_of_missing(kept, index, uri);
		return OSSA_OK;
	}
	const char *type = ossai_image_type(file->bytes, file->size);
	OSSAI_TRY(ossai_glb_put_bytes(kept->writer, file->bytes, file->size, &view));
	json_object_del(image, "uri");
	const bool set = json_object_set_new(image, "bufferView", json_integer((json_int_t)view)) == 0 &&
		json_object_set_new(image, "mimeType", json_string(type)) == 0;
	return set ? OSSA_OK : ossai_glb_no_memory(kept->writer->context);
}

/* ---- beside a .gltf ---- */

static ossa_status copy_beside(ossai_kept *kept, const char *output, size_t index, json_t *image)
{
	ossa_context *context = kept->writer->context;
	const char *uri = uri_of(image);
	char from[OSSAI_PATH_SIZE], path[OSSAI_PATH_SIZE], escaped[3 * OSSAI_PATH_SIZE];
	const ossai_file *file = open_image(kept, uri);
	if (!file) {
		warn_of_missing(kept, index, uri);
		return OSSA_OK;
	}
	ossai_uri_path(kept->document->path, uri, false, from);
	OSSAI_TRY(ossai_write_beside(context, output, ossai_file_name(from), kept->writer->image_names, file, path));
	ossai_encode_percent(ossai_file_name(path), escaped);
	return json_object_set_new(image, "uri", json_string(escaped)) == 0 ? OSSA_OK : ossai_glb_no_memory(context);
}

static bool is_same_folder(const char *a, const char *b)
{
	const size_t p = (size_t)(ossai_file_name(a) - a), q = (size_t)(ossai_file_name(b) - b);
	return p == q && memcmp(a, b, p) == 0;
}

ossa_status ossai_kept_take_images(ossai_kept *kept, const char *output)
{
	const bool is_pair = ossai_glb_is_pair(output);
	json_t *image;
	size_t i;
	if (is_pair && is_same_folder(kept->document->path, output)) return OSSA_OK;
	json_array_foreach(json_object_get(kept->writer->root, "images"), i, image)
	{
		if (uri_of(image)) OSSAI_TRY(is_pair ? copy_beside(kept, output, i, image) : embed(kept, i, image));
	}
	return OSSA_OK;
}
