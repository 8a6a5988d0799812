/* import/fbx/assimp.h: FBX through assimp's C interface: scenes with skins, shapes and animations.

   Place in the path: a reader of scenes behind the registry; only where ossa is built with assimp
   (OSSA_ASSIMP).
   Input: bytes that fbx_guard.c has passed.
   Output: an asset. assimp.c names the steps, assimp_process.c, assimp_materials.c, assimp_mesh.c
   and assimp_animation.c do one each; these files are the only ones that include the library. */
#ifndef OSSAI_IMPORT_FBX_ASSIMP_H
#define OSSAI_IMPORT_FBX_ASSIMP_H

#include "import/asset/asset.h"
#include "import/fbx/fbx_names.h"
#include "import/fbx/fbx_weights.h"

/* Errors: OSSA_ERROR_INPUT with what assimp says; OSSA_ERROR_LIMIT.  Warnings: "fbx-shapes" (blend
   shapes that assimp does not give), "fbx-names" (a name that several nodes have is taken for the
   first of them), "fbx-faces" (points and lines),
   "fbx-textures" (that the model of materials has no place for), "image-missing". */
ossa_status ossai_fbx_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset);

/* ---- among the files assimp*.c ---- */

struct aiScene;
struct aiNode;
struct aiMatrix4x4;
struct ossai_assimp_share;
struct ossai_assimp_look;

typedef struct ossai_assimp_name {
	const char *name;
	uint32_t node;
} ossai_assimp_name;

typedef struct ossai_assimp {
	ossa_context *context;
	const ossai_source *source; /* that of `apart` */
	ossai_fbx_names apart;      /* every model has a name of its own */
	ossai_asset *asset;
	size_t unpacked; /* bytes of the file with its arrays unpacked */
	struct ossai_assimp_share *share;
	const struct aiScene *scene; /* a copy that lasts until release, without materials */
	const struct ossai_assimp_look *looks;
	size_t node_count, node_capacity, parent_capacity;
	const struct aiNode **nodes; /* parents first; these two are the context's, not the arena's */
	uint32_t *parents;
	ossai_assimp_name *names; /* of all nodes, sorted; of equal names the first node comes first */
	/* the rotation of the root node: identity where asset->up describes it */
	ossai_rigid axes;
	ossai_rigid *world;        /* at rest, in the scene's space */
	uint32_t *mesh_of_node;    /* asset's mesh, OSSA_NONE */
	int64_t *model_of_node;    /* the file's id; OSSAI_FBX_ROOT where it is not known */
	uint32_t *joint_of_node;   /* scratch: OSSA_NONE between meshes */
	ossai_fbx_weights weights; /* of shapes at rest, and names of UV sets */
	/* for warnings; unplaced: meshes with shapes whose model, and so whose weights, are not
	   known */
	int64_t ambiguous, lines, unplaced;
} ossai_assimp;

/* Fills `scene` and `looks`. Always release, after a failure too. */
ossa_status ossai_assimp_import(ossai_assimp *reader);
void ossai_assimp_release(ossai_assimp *reader);

/* The first node of a name; OSSA_NONE. */
uint32_t ossai_assimp_find(ossai_assimp *reader, const char *name);

ossai_rigid ossai_assimp_map(const struct aiMatrix4x4 *matrix);

/* Nodes' transforms at rest and all animations. */
ossa_status ossai_assimp_read_nodes(ossai_assimp *reader);
ossa_status ossai_assimp_read_clips(ossai_assimp *reader);

/* Cameras, lights, tangents and custom properties, which ossa only lists. */
ossa_status ossai_assimp_list_scene(ossai_assimp *reader);

/* How materials look, and their images. */
ossa_status ossai_assimp_read_materials(ossai_assimp *reader);

/* The meshes of each node as one, with its skin and shapes. */
ossa_status ossai_assimp_read_meshes(ossai_assimp *reader);

#endif
