/* export/export.h: the writers behind the registry in write.c, one pair of functions for each format.

   Every writer gets checked input, writes to a temporary through ossai_output and leaves an old file alone on failure. */
#ifndef OSSAI_EXPORT_EXPORT_H
#define OSSAI_EXPORT_EXPORT_H

#include "base/context.h"
#include <ossa/write.h>

ossa_status ossai_glb_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);

/* `positions` (V x 3) replaces the mesh's own, NULL keeps them; the file's normals belong to the mesh's own and are then left out. */
ossa_status ossai_glb_write_mesh(ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path,
	const ossa_write_options *options);
ossa_status ossai_obj_write_mesh(ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path,
	const ossa_write_options *options);
ossa_status ossai_ply_write_mesh(ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path,
	const ossa_write_options *options);

ossa_status ossai_pc2_write_frames(ossa_context *context, const ossa_frames *frames, const char *path);
ossa_status ossai_mdd_write_frames(ossa_context *context, const ossa_frames *frames, const char *path);

#endif
