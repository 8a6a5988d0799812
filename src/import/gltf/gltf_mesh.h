/* import/gltf/gltf_mesh.h: what the files that read glTF meshes share: the plan of one joined mesh.

   gltf_mesh.c plans which primitives make a mesh, gltf_vertices.c fills its vertices, gltf_faces.c
   its triangles and materials. The plan knows all sizes before the first number is read, so that
   numbers are read directly into their final arrays. */
#ifndef OSSAI_IMPORT_GLTF_MESH_H
#define OSSAI_IMPORT_GLTF_MESH_H

#include "import/gltf/gltf_document.h"

/* glTF's numbers of the modes that make triangles. */
enum { OSSAI_GLTF_TRIANGLES = 4, OSSAI_GLTF_STRIP, OSSAI_GLTF_FAN };

/* The vertices of one primitive, or of several that share them. */
typedef struct ossai_gltf_block {
	const json_t *attributes, *targets;
	ossai_gltf_accessor positions;
	size_t count;          /* vertices */
	size_t vertex, normal; /* where they begin in the mesh */
	bool has_normals;
	size_t uv_count, color_count;   /* sets */
	size_t texcoord[OSSA_SETS_MAX]; /* by set: where they begin */
	/* of four pairs of joint and weight a vertex; 0: none are wanted */
	size_t set_count;
} ossai_gltf_block;

typedef struct ossai_gltf_primitive {
	size_t block;
	size_t mode;
	size_t material;        /* SIZE_MAX: none */
	size_t triangle, count; /* where its triangles begin, and how many */
	bool is_indexed;
	ossai_gltf_accessor indices;
} ossai_gltf_primitive;

/* One node's mesh. */
typedef struct ossai_gltf_plan {
	ossai_gltf *document;
	const json_t *item; /* of the mesh */
	bool is_skinned;
	size_t block_count, primitive_count, skipped;
	ossai_gltf_block *blocks;
	ossai_gltf_primitive *primitives;
	size_t *vertex_of_primitive; /* by primitive of the file: see ossai_gltf_source */
	size_t vertex_count, normal_count, triangle_count;
	size_t set_count, target_count;
	size_t uv_count, color_count;         /* the most sets of a block */
	size_t texcoord_count[OSSA_SETS_MAX]; /* by set */
	/* sets of UVs and colours beyond those that a mesh can have */
	int64_t left_out;
} ossai_gltf_plan;

/* The mesh's positions, normals, texture coordinates and colours; allocates what it fills. */
ossa_status ossai_gltf_fill_vertices(const ossai_gltf_plan *plan, ossa_mesh *mesh);

/* Its triangles, corners and materials; rows: the materials' numbers in the file, or untouched. */
ossa_status ossai_gltf_fill_faces(const ossai_gltf_plan *plan, ossa_mesh *mesh, uint32_t **rows);

/* Joints and weights, morph targets and the seams in ossa's own files; `node` is the JSON of the
   node it is attached to. */
ossa_status ossai_gltf_fill_motion(const ossai_gltf_plan *plan, const json_t *node, ossai_asset_mesh *mesh);

/* The merge hierarchy in ossa's own files (gltf_merges.c). */
ossa_status ossai_gltf_fill_merges(const ossai_gltf_plan *plan, ossai_asset_mesh *mesh);

#endif
