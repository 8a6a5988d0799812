/* export/mtl.h: the material library (.mtl) beside an OBJ file.

   Place in the path: inside the OBJ writer, before the mesh.
   Input: a mesh with an appearance.
   Output: NAME.mtl, and its images beside it. */
#ifndef OSSAI_EXPORT_MTL_H
#define OSSAI_EXPORT_MTL_H

#include "base/context.h"
#include "base/uri.h"
#include <ossa/mesh.h>
#include <ossa/write.h>

/* Writes the library of the OBJ file `output`, in the batch that this is written in. `path`: where
   it is. A library of that name that the OBJ file in its place names is replaced; any other is
   kept, and the new one gets a number. `whole`: where several OBJ files share a library, the path
   after whose name, without a number at its end, it and its images are called; else NULL.
   `images`: how their files are called; `names`: those of the materials, apart. Warnings
   "materials-simplified", "image-missing". Errors: OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY. */
ossa_status ossai_mtl_write(ossa_context *context, const ossa_mesh *mesh, const char *output, const char *whole,
	ossa_image_names images, char (*names)[64], char path[OSSAI_PATH_SIZE]);

#endif
