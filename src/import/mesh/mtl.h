/* import/mesh/mtl.h: the material libraries (.mtl) of an OBJ file.

   Place in the path: inside the OBJ reader, after the faces.
   Input: what the OBJ's mtllib lines name, and the names of materials that its faces have.
   Output: the mesh's appearance. */
#ifndef OSSAI_IMPORT_MTL_H
#define OSSAI_IMPORT_MTL_H

#include "scene/builder.h"

/* Files have one library, and exporters that join files some. */
enum { OSSAI_MTL_LINES_MAX = 64 };

/* The mtllib lines of a file, each once, as they are in its bytes. */
typedef struct ossai_mtl_lines {
	ossai_word items[OSSAI_MTL_LINES_MAX];
	size_t count;
	int64_t left_out; /* lines beyond */
} ossai_mtl_lines;

void ossai_mtl_add_line(ossai_mtl_lines *lines, ossai_word line);

/* Reads the libraries that are beside the file and gives the builder's mesh its appearance, where
   they have any of its materials. Where several have one of a name, the first counts. Warnings
   "library-missing", "image-missing", "textures-left-out". Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_mtl_read(ossai_builder *builder, const ossai_mtl_lines *lines);

#endif
