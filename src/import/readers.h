/* import/readers.h: the readers of meshes and caches: one pair of functions for each format.

   Place in the path: between the registry in import/read.c and the formats.
   Input: a file's bytes.
   Output: a mesh, or the frames of a cache.
   `..._detect` decides by the content whether a file is of the format. Nothing here opens files but
   what OBJ files name beside them, so that the fuzz targets can call it. */
#ifndef OSSAI_IMPORT_READERS_H
#define OSSAI_IMPORT_READERS_H

#include "import/cache/cache.h"
#include "import/mesh/obj_pose.h"
#include "scene/builder.h"

typedef bool (*ossai_detector)(const uint8_t *bytes, size_t size);
typedef ossa_status (*ossai_mesh_reader)(
	ossa_context *context, const ossai_source *source, ossai_parts parts, ossa_mesh **mesh);

/* as in obj_pose.h */
typedef ossa_status (*ossai_face_finder)(
	ossai_arena *arena, const ossai_source *source, ossai_face_text *faces, bool *is_plain);
typedef bool (*ossai_pose_reader)(
	const ossai_source *source, const ossai_face_text *faces, size_t vertex_count, float *positions);

bool ossai_obj_detect(const uint8_t *bytes, size_t size);
ossa_status ossai_obj_read(ossa_context *context, const ossai_source *source, ossai_parts parts, ossa_mesh **mesh);

bool ossai_ply_detect(const uint8_t *bytes, size_t size);
ossa_status ossai_ply_read(ossa_context *context, const ossai_source *source, ossai_parts parts, ossa_mesh **mesh);

bool ossai_off_detect(const uint8_t *bytes, size_t size);
ossa_status ossai_off_read(ossa_context *context, const ossai_source *source, ossai_parts parts, ossa_mesh **mesh);

bool ossai_stl_detect(const uint8_t *bytes, size_t size);
ossa_status ossai_stl_read(ossa_context *context, const ossai_source *source, ossai_parts parts, ossa_mesh **mesh);

/* the caches' readers are ossai_pc2_open and ossai_mdd_open in cache.h */
bool ossai_pc2_detect(const uint8_t *bytes, size_t size);
bool ossai_mdd_detect(const uint8_t *bytes, size_t size);

#endif
