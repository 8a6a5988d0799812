/* export/obj.h: the parts of a mesh as OBJ files.

   Place in the path: under writers of formats whose files name meshes (URDF).
   Input: a mesh and its parts.
   Output: .obj files, and for all of them one library with its images. */
#ifndef OSSAI_EXPORT_OBJ_H
#define OSSAI_EXPORT_OBJ_H

#include "scene/objects.h"

#include <ossa/write.h>

/* `paths`: of the parts, all in the folder of `output`, the file that names them, after which
   library and images are called. In a batch the files appear with the others. Warnings as of the
   mesh's own file. Errors: OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY. */
ossa_status ossai_obj_write_parts(ossa_context *context, const ossa_mesh *mesh, const ossai_object_parts *parts,
	const char *const *paths, const char *output, ossa_image_names images);

#endif
