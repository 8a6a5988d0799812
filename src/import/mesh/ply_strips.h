/* import/mesh/ply_strips.h: reads triangle strips, the form of Stanford's scans. */
#ifndef OSSAI_IMPORT_MESH_PLY_STRIPS_H
#define OSSAI_IMPORT_MESH_PLY_STRIPS_H

#include "import/mesh/ply_values.h"
#include "scene/builder.h"

/* What corners of faces take from the vertices. */
typedef struct ossai_ply_corners {
	size_t vertex_count; /* as the header says */
	bool texcoords, normals;
} ossai_ply_corners;

/* One corner of the polygon being made, with its vertex's texture coordinate and normal. */
ossa_status ossai_ply_add_corner(ossai_builder *builder, const ossai_ply_corners *corners, uint32_t vertex);

/* Reads the list `property`: strips of vertex indices with -1 between them (or the largest value of
   uint). Each strip begins with its first triangle's winding; degenerate triangles only join strips
   and are left out, and so are strips of fewer than three vertices. Errors: OSSA_ERROR_INPUT for an
   index without vertex, naming strip and line or byte.
   Source: Stanford 3D Scanning Repository, files with the element tristrips. */
ossa_status ossai_ply_read_strips(
	ossai_ply_cursor *cursor, const ossai_ply_property *property, const ossai_ply_corners *corners, ossai_builder *builder);

#endif
