/* export/export.h: the writers behind the registry in write.c, one set of functions for each
   format.

   Every writer gets checked input that is already in the axes, units and joint frames of the
   options (conventions.h), writes to a temporary through ossai_output and leaves an old file alone
   on failure. */
#ifndef OSSAI_EXPORT_EXPORT_H
#define OSSAI_EXPORT_EXPORT_H

#include "base/context.h"
#include <ossa/write.h>

ossa_status ossai_glb_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);
ossa_status ossai_vrm_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);
ossa_status ossai_collada_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);

ossa_status ossai_fbx_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);
ossa_status ossai_maya_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);
ossa_status ossai_bvh_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);
ossa_status ossai_usd_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);
ossa_status ossai_urdf_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);
ossa_status ossai_json_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);
ossa_status ossai_weights_csv_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);
ossa_status ossai_skeleton_csv_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);

/* `positions` (V x 3) replaces the mesh's own, NULL keeps them; the file's normals belong to the
   mesh's own and are then left out. */
ossa_status ossai_glb_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options);
ossa_status ossai_collada_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options);
ossa_status ossai_obj_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options);
ossa_status ossai_ply_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options);
ossa_status ossai_fbx_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options);
ossa_status ossai_maya_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options);
ossa_status ossai_usd_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options);

/* `mesh` may be NULL where the format needs none; else it has the frames' vertices. */
ossa_status ossai_glb_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path,
	const ossa_write_options *options);
ossa_status ossai_usd_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path,
	const ossa_write_options *options);
ossa_status ossai_pc2_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path,
	const ossa_write_options *options);
ossa_status ossai_mdd_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path,
	const ossa_write_options *options);

/* Whether a mesh carries the glTF file that it came from. */
bool ossai_glb_can_keep(const ossa_mesh *mesh);

/* Whether a mesh is where the glTF file that it came from has it, without joints, and frames (or
   NULL) are those that were read with it: then that file is written again. */
bool ossai_glb_can_keep_mesh(const ossa_mesh *mesh, const ossa_frames *frames);

/* What of a path speaks against writing to it before anything is made. OSSA_ERROR_WRITE where no
   name is left for the .bin beside a .gltf. */
ossa_status ossai_glb_check_pair(ossa_context *context, const char *path);

/* One mesh file for each frame: `path` has a run of '#' in its name, whose place the numbers 1, 2
   ... take. All or none. */
typedef ossa_status (*ossai_mesh_writer)(
	ossa_context *, const ossa_mesh *, const float *positions, const char *path, const ossa_write_options *);
ossa_status ossai_write_sequence(ossa_context *context, ossai_mesh_writer write, const ossa_mesh *mesh,
	const ossa_frames *frames, const char *path, const ossa_write_options *options);

#endif
