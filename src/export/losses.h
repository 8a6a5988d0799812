/* export/losses.h: warnings about what a format cannot hold of what is written.

   Place in the path: behind the registry of writers.
   Input: what a format holds, a rig or a mesh.
   Output: warnings, each with a count. */
#ifndef OSSAI_EXPORT_LOSSES_H
#define OSSAI_EXPORT_LOSSES_H

#include "base/context.h"
#include <ossa/rig.h>
#include <ossa/write.h>

/* What files of a format hold beside skeletons, faces and positions. */
typedef struct ossai_holdings {
	bool morphs;          /* morph targets of a mesh */
	bool sets;            /* all sets of UVs and colours, not only the first */
	bool looks;           /* textures that lie by any of these */
	bool one_object;      /* all become one */
	bool mesh_beside;     /* that of a rig is in other files, each with one set of UVs */
	bool no_limits;       /* of joints; tables aside, which have what they are named after */
	bool no_loops;        /* of joints; tables aside as well */
	bool no_dependencies; /* what drives bones; tables aside as well */
	bool no_uvs;
	/* what of materials is not in it; NULL: nothing, or the writer says it */
	const char *looks_lost;
} ossai_holdings;

/* Before a rig is written: cameras and the like, and how morph targets move, stay in the glTF file
   that they are from alone ("scene-left-out", "texture-uvs", "shapes-dropped"). Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_warn_of_rig_scene(
	ossa_context *context, const ossa_write_format *format, const ossai_holdings *holds, const ossa_rig *rig, const char *path);

/* The same of a mesh or frames without a rig that are not put into that file. */
ossa_status ossai_warn_of_still_scene(ossa_context *context, const ossa_write_format *format, const ossai_holdings *holds,
	const ossa_mesh *mesh, const char *path);

/* Of a mesh: "morphs-left-out", and what ossai_warn_of_objects says. */
void ossai_warn_of_mesh(ossa_context *context, const ossa_write_format *format, const ossai_holdings *holds,
	const ossa_mesh *mesh, const char *path);

/* Of a mesh: "looks-left-out", "sets-left-out", "objects-joined". */
void ossai_warn_of_objects(ossa_context *context, const ossa_write_format *format, const ossai_holdings *holds,
	const ossa_mesh *mesh, const char *path);

/* Of a rig: corrective shapes whose bone is gone ("shapes-unbound"), and those that the format does
   not move ("shapes-still"). */
void ossai_warn_of_shapes(
	ossa_context *context, const ossa_write_format *format, const ossai_holdings *holds, const ossa_rig *rig, const char *path);

/* Of a rig: limits of joints that were set ("limits-left-out"): those of a motion can be found
   again. */
void ossai_warn_of_limits(ossa_context *context, const ossai_holdings *holds, const ossa_rig *rig, const char *path);

/* Of a rig: joints that the tree leaves out ("loops-left-out"). */
void ossai_warn_of_loops(ossa_context *context, const ossai_holdings *holds, const ossa_rig *rig, const char *path);

/* Of a rig: dependent bones whose drivers are not in it ("dependencies-left-out"). */
void ossai_warn_of_dependencies(ossa_context *context, const ossai_holdings *holds, const ossa_rig *rig, const char *path);

#endif
