/* tests/support/gltf_file.h: small glTF files made in a test: JSON written with single quotes,
   numbers added as accessors. */
#ifndef OSSA_TEST_GLTF_FILE_H
#define OSSA_TEST_GLTF_FILE_H

#include "base/file.h"
#include "import/asset/asset.h"

#include <jansson.h>

#include <stddef.h>
#include <stdint.h>

enum { TEST_I8 = 5120, TEST_U8, TEST_I16, TEST_U16, TEST_U32 = 5125, TEST_F32 };

typedef struct test_gltf {
	json_t *root;
	uint8_t bytes[8192]; /* of buffer 0 */
	size_t size;
} test_gltf;

/* JSON out of text in which single quotes stand for double ones. */
json_t *test_json(const char *text);

/* Sets the value at a path of keys and indices, "accessors/0/count"; the value "null" takes it
   away. */
void test_json_change(json_t *root, const char *path, const char *value);

/* A file of `text` (without buffers, bufferViews and accessors, which are added). */
void test_gltf_begin(test_gltf *file, const char *text);

/* Appends bytes to the buffer at a multiple of 4, with a view for them; the view's index. */
size_t test_gltf_view(test_gltf *file, const void *data, size_t size);

/* Appends `count` packed elements with a view and an accessor; the accessor's index. */
size_t test_gltf_accessor(test_gltf *file, const void *data, size_t count, int component, const char *type);

/* Changes the JSON before it is written. */
void test_gltf_change(test_gltf *file, const char *path, const char *value);

/* Writes the file as a container, or as text whose buffer has the URI `uri` (NULL: none); gives
   the path. Ends the file. */
const char *test_gltf_write_glb(test_gltf *file, const char *name);
const char *test_gltf_write_text(test_gltf *file, const char *name, const char *uri);

/* The buffer as a data URI, to be freed. */
char *test_gltf_data_uri(const test_gltf *file);

/* A file opened as an asset by the glTF reader. */
typedef struct test_asset {
	ossai_file file;
	ossai_asset asset;
} test_asset;

ossa_status test_asset_open(ossa_context *context, const char *path, test_asset *opened);
void test_asset_close(ossa_context *context, test_asset *opened); /* not after a failed open */

/* A unit square's corners; a file of `text` with them as its first accessor; and such a file
   written and opened. */
extern const float test_gltf_square[12];
void test_gltf_begin_square(test_gltf *file, const char *text);
void test_gltf_open(ossa_context *context, test_gltf *file, test_asset *opened);

#endif
