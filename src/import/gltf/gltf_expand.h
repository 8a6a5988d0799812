/* import/gltf/gltf_expand.h: compressed geometry in glTF files, expanded before anything else is
   read.

   gltf_expand.c is the outline, gltf_meshopt.c expands buffer views, gltf_draco.c primitives. Each
   of the two is compiled only where its library is (OSSA_MESHOPT, OSSA_DRACO). */
#ifndef OSSAI_IMPORT_GLTF_EXPAND_H
#define OSSAI_IMPORT_GLTF_EXPAND_H

#include "import/gltf/gltf_document.h"

/* An extension that compresses. */
typedef struct ossai_gltf_compression {
	const char *name, *package; /* Debian's, whose library reads it */
	bool is_read;               /* this build has that library */
} ossai_gltf_compression;

/* The extension of that name where it compresses; else NULL. */
const ossai_gltf_compression *ossai_gltf_compression_of(const char *name);

/* OSSA_ERROR_INPUT: the file needs an extension that this build does not read. */
ossa_status ossai_gltf_refuse_compressed(const ossai_gltf *document, const ossai_gltf_compression *compression);

/* After it no view and no primitive is compressed: the JSON names buffers of the scratch arena, and
   no compressing extension. Counts what it expanded in `document->expanded`. Errors:
   OSSA_ERROR_INPUT, OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY. */
ossa_status ossai_gltf_expand(ossai_gltf *document);

/* ---- among these files ---- */

/* The error of a JSON value that cannot be made. */
ossa_status ossai_gltf_no_json(const ossai_gltf *document);

/* Adds a buffer of bytes that last as long as the scratch arena. At most one for each view or
   primitive that is compressed, and one for each attribute of the latter. */
ossa_status ossai_gltf_add_buffer(ossai_gltf *document, const uint8_t *bytes, size_t size, size_t *index);

/* `size` bytes of a buffer from `offset` on, named in messages by `what` and `number`. */
ossa_status ossai_gltf_bytes_of(
	ossai_gltf *document, const json_t *item, const char *what, size_t number, ossai_gltf_bytes *bytes);

/* Expands what a view holds, as `extension` describes it; the view then names the result. */
ossa_status ossai_gltf_expand_view(ossai_gltf *document, size_t index, json_t *view, const char *name, const json_t *extension);

/* Expands a primitive, `item`; its accessors then name the result. */
ossa_status ossai_gltf_expand_primitive(ossai_gltf *document, json_t *item, const json_t *extension);

#endif
