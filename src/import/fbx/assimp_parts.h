/* import/fbx/assimp_parts.h: the parts into which assimp cuts a mesh, and the vertices that they
   become.

   Place in the path: inside assimp_mesh.c. */
#ifndef OSSAI_IMPORT_ASSIMP_PARTS_H
#define OSSAI_IMPORT_ASSIMP_PARTS_H

#include "import/fbx/assimp.h"

#include "base/csr.h"
#include "math/affine.h"

#include <assimp/scene.h>

/* a node's parts side by side; "raw" vertices are assimp's, one for each corner */
typedef struct ossai_assimp_parts {
	ossai_assimp *reader;
	const struct aiNode *node;
	size_t raw_count;
	size_t joint_count, joint_capacity, bind_capacity;
	uint32_t *joints;          /* the context's: nodes */
	ossai_rigid *inverse_bind; /* the context's */
	ossai_csr pairs_of;        /* each raw vertex: places in pairs */
	ossai_influence *pairs;
	size_t target_count;
	ossai_rigid map; /* from the node's space to that of the asset's mesh */
	bool is_mirrored;
	uint32_t *part_of_raw; /* which part of the node */
	uint32_t *first_of_part;
	size_t vertex_count;
	uint32_t *vertex_of_raw, *raw_of_vertex;
	ossai_arena scratch; /* all but the context's and the asset's */
} ossai_assimp_parts;

const struct aiMesh *ossai_parts_mesh(const ossai_assimp_parts *p, size_t part);

/* Numbers the raw vertices. Errors: OSSA_ERROR_INPUT, OSSA_ERROR_MEMORY, as all of these. */
ossa_status ossai_parts_number(ossai_assimp_parts *p);

/* The part of a raw vertex, and its own number there. */
const struct aiMesh *ossai_parts_mesh_of(const ossai_assimp_parts *p, uint32_t raw, uint32_t *own);

/* How a shape moves a raw vertex. */
void ossai_parts_shape(const ossai_assimp_parts *p, uint32_t raw, size_t target, float delta[3]);

/* Finds the joints and the weights of each raw vertex, by joint; `map` is set. */
ossa_status ossai_parts_sort_pairs(ossai_assimp_parts *p);

/* Makes one vertex of raw vertices with equal position, weights and shapes. */
ossa_status ossai_parts_weld(ossai_assimp_parts *p);

#endif
