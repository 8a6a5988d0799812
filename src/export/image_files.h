/* export/image_files.h: images as files beside an output.

   Place in the path: under the writers of formats whose files name images.
   Input: images of a mesh's appearance, or opened files.
   Output: files beside the output, and what the output calls them. */
#ifndef OSSAI_EXPORT_IMAGE_FILES_H
#define OSSAI_EXPORT_IMAGE_FILES_H

#include "base/context.h"
#include "base/file.h"
#include "base/uri.h"
#include <ossa/material.h>
#include <ossa/write.h>

/* Writes bytes as a file, in place of one of that name. Errors: OSSA_ERROR_WRITE,
   OSSA_ERROR_MEMORY. */
ossa_status ossai_write_whole(ossa_context *context, const char *path, const ossai_file *bytes);

/* Puts bytes beside the file `output` as a file `name`, or "NAME-2" and so on before its ending
   where another file has that name; one with the same bytes is taken instead. With
   OSSA_IMAGE_NAMES_OUTPUT it is "OUTPUT.dae.NAME", and only files of the same batch keep theirs:
   all others are replaced. `path`: where it is. In a batch the file appears with the others.
   Errors: OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY. */
ossa_status ossai_write_beside(ossa_context *context, const char *output, const char *name, ossa_image_names names,
	const ossai_file *bytes, char path[OSSAI_PATH_SIZE]);

/* Puts the images that materials use beside the file `output`. Files below its folder stay where
   they are; files of elsewhere keep their names; bytes become "OUTPUT_IMAGE.png", without a number
   at the end of OUTPUT, so that numbered files share them; or all as `how` says. `names`, in the
   arena: by image its path as seen from the output's folder, with slashes; NULL where no material
   uses it, or it cannot be read, which counts in the warning "image-missing". Call it in a batch
   with the output. Errors: OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY. */
ossa_status ossai_write_images(
	ossai_arena *arena, const ossa_appearance *appearance, const char *output, ossa_image_names how, const char *const **names);

/* The name of the file `path` without its ending and a number before that: "poses/lion-02.obj"
   gives "lion"; where nothing would be left, with the number. */
void ossai_output_stem(const char *path, char stem[256]);

#endif
