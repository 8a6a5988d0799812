/* export/gltf/glb.h: what the files of the GLB writer share: the file being put together.

   glb.c names the parts in order; glb_file.c holds JSON, binary blocks and accessors; glb_pair.c
   names the .bin; glb_seams.c splits vertices, glb_mesh.c, glb_morph.c, glb_merges.c, glb_skin.c,
   glb_animation.c, glb_vrm.c, glb_lods.c and glb_places.c each write one part. */
#ifndef OSSAI_EXPORT_GLTF_GLB_H
#define OSSAI_EXPORT_GLTF_GLB_H

#include "base/file.h"
#include "base/uri.h"
#include "math/affine.h"
#include "mesh/normals.h"
#include "scene/objects.h"
#include <ossa/rig.h>
#include <ossa/write.h>

#include <jansson.h>

/* One run of the binary chunk; kept apart until the file is written, so that nothing is copied
   while it grows. */
typedef struct ossai_glb_block {
	const void *data;
	size_t size;
} ossai_glb_block;

typedef struct ossai_glb_writer {
	ossa_context *context;
	ossai_arena arena; /* blocks and temporaries */
	ossai_batch batch; /* of the file and those beside it */
	bool is_saved;     /* the batch has ended */
	ossa_image_names image_names;
	json_t *root;      /* the JSON chunk */
	json_t *names;     /* set of the node names in use */
	ossai_file *files; /* open until the file is written: blocks lie in them */
	size_t file_count, file_capacity;
	/* by image of the mesh's appearance: its number in the file, or none (glb_materials.c) */
	size_t *image_of;
	/* what the file has already is not written again: of images, textures and materials of several
	   meshes */
	bool reuses;
	size_t uv_count; /* sets of the whole mesh that is written: others have no textures */
	bool drops_lods; /* coarser levels that a kept file has are replaced */
	/* by material of the mesh: its number in the file, or SIZE_MAX */
	size_t *material_of;
	struct ossai_glb_merges *merges; /* what was written of them, or NULL (glb_merges.c) */
	json_t *joints;                  /* numbers of the bones' nodes, or NULL */
	ossai_glb_block *blocks;         /* in file order, each at a multiple of 4 */
	size_t block_count, block_capacity;
	size_t size; /* of the binary chunk so far */
} ossai_glb_writer;

/* How the elements of an accessor lie in memory. */
typedef enum ossai_glb_layout {
	OSSAI_GLB_INDEX_U16,
	OSSAI_GLB_INDEX_U32,
	OSSAI_GLB_SCALAR_U32,
	OSSAI_GLB_SCALAR,
	OSSAI_GLB_VEC2,
	OSSAI_GLB_VEC3,
	OSSAI_GLB_VEC4,
	OSSAI_GLB_VEC4_U8,
	OSSAI_GLB_VEC4_U8_NORMALIZED,
	OSSAI_GLB_VEC4_U16,
	OSSAI_GLB_MAT4
} ossai_glb_layout;

/* What a buffer view is for (glTF's `target`; 0 leaves it out). */
typedef enum ossai_glb_use { OSSAI_GLB_DATA = 0, OSSAI_GLB_VERTICES = 34962, OSSAI_GLB_INDICES = 34963 } ossai_glb_use;

/* Begins a file; what is put beside it appears with it, when it is saved. */
ossa_status ossai_glb_begin(ossa_context *context, const ossa_write_options *options, ossai_glb_writer *writer);
void ossai_glb_end(ossai_glb_writer *writer); /* releases everything; always called */
ossa_status ossai_glb_save(ossai_glb_writer *writer, const char *path);

/* ---- the .bin beside a .gltf (glb_pair.c) ---- */

/* Whether the path is that of a .gltf, whose numbers go into "a/b.bin" beside "a/b.gltf"; into
   "a/b-2.bin" ... where files are there that are not buffers of the .gltf that is replaced. Errors:
   OSSA_ERROR_WRITE where no name is left. Warning "buffer-renamed". */
bool ossai_glb_is_pair(const char *path);
ossa_status ossai_glb_binary_path(ossa_context *context, const char *path, char binary_path[OSSAI_PATH_SIZE]);
void ossai_glb_warn_of_name(ossa_context *context, const char *path, const char *binary_path);

/* ---- JSON and blocks (glb_file.c) ---- */

/* Appends `item` to the root's array `name`, made where missing. Takes ownership of `item`; NULL
   means that jansson had no memory. */
ossa_status ossai_glb_put(ossai_glb_writer *writer, const char *name, json_t *item, size_t *index);

/* Uninitialised memory of `size` bytes that becomes a buffer view; filled any time before save.
   NULL with the error set. */
void *ossai_glb_put_block(ossai_glb_writer *writer, size_t size, ossai_glb_use use, size_t *view);

/* The bytes of a view, which lie in one block; NULL where they do not. */
const uint8_t *ossai_glb_view_bytes(const ossai_glb_writer *writer, size_t view, size_t *size);

/* The same for bytes that stay where they are until save. */
ossa_status ossai_glb_put_bytes(ossai_glb_writer *writer, const void *bytes, size_t size, size_t *view);

/* An accessor of `count` elements at `offset` in a view. `bounded` (float elements) NULL, or the
   data: min and max are written. */
ossa_status ossai_glb_put_accessor(ossai_glb_writer *writer, size_t view, size_t offset, ossai_glb_layout layout, size_t count,
	const float *bounded, size_t *accessor);

/* An accessor of `count` vectors (VEC3) that are zero but for `kept` of them: views of their
   indices, ascending, and of their values. `bounded` is the whole data, for min and max. */
ossa_status ossai_glb_put_sparse_accessor(ossai_glb_writer *writer, size_t index_view, ossai_glb_layout index_layout,
	size_t value_view, size_t kept, size_t count, const float *bounded, size_t *accessor);

/* A view with one accessor over all of it; returns the memory to fill. */
void *ossai_glb_put_array(ossai_glb_writer *writer, ossai_glb_layout layout, size_t count, ossai_glb_use use, size_t *accessor);

/* The error where jansson, which does not use the context's memory, has no memory. */
ossa_status ossai_glb_no_memory(ossa_context *context);

/* JSON values; NULL where memory is short. Bytes that are not UTF-8 are replaced by '_'. */
json_t *ossai_glb_text(const char *text);
json_t *ossai_glb_numbers(const double *values, size_t count); /* what is not finite becomes 0 */

/* A node name that no other node has: `base` with other characters replaced, and a number appended
   if it is in use. */
json_t *ossai_glb_node_name(ossai_glb_writer *writer, const char *base);

/* ---- levels of detail (glb_lods.c) ---- */

/* A level whose rig has the bones of a level of articulation of the finest one (0: all). */
typedef struct ossai_glb_lod {
	const ossa_rig *rig;
	int articulation;
	double coverage;
} ossai_glb_lod;

/* Writes the finest rig, and coarser meshes that its meshes' nodes name. */
ossa_status ossai_glb_write_lods(
	ossa_context *context, const ossai_glb_lod *lods, size_t count, const char *path, const ossa_write_options *options);

/* The nodes of a level, outside of the scene but for the finest one's, and the names of their
   objects. */
typedef struct ossai_glb_level {
	size_t count;
	const size_t *nodes;
	const char *const *names;
} ossai_glb_level;

/* The nodes of the first level, the finest, name those of the others (glb_places.c). Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_glb_name_levels(
	ossai_glb_writer *writer, const ossai_glb_level *levels, size_t count, const json_t *coverage);

/* ---- parts ---- */

/* The whole file of a rig, to be saved. `first_bone`: the node of bone 0 (glb.c). */
ossa_status ossai_glb_put_rig(
	ossai_glb_writer *writer, const ossa_rig *rig, const char *path, const ossa_write_options *options, size_t *first_bone);

/* The extension VRMC_vrm: which node is which bone of a human, and the licence (glb_vrm.c). name:
   of the model.
   Errors: OSSA_ERROR_INPUT naming what the body lacks; OSSA_ERROR_MEMORY. */
ossa_status ossai_glb_put_vrm(
	ossai_glb_writer *writer, const ossa_rig *rig, size_t first_node, const char *name, const char *author);

/* Where ossai_glb_can_keep: the rig put into the file that its mesh came from, in place of the one
   that is there (kept.c). `first_bone`: the node of bone 0. Warnings: "clips-left-out",
   "nodes-moved", "lines-on-root". */
ossa_status ossai_glb_put_kept(
	ossai_glb_writer *writer, const ossa_rig *rig, const char *path, const ossa_write_options *options, size_t *first_bone);

/* The same for a mesh alone, or with its frames, where ossai_glb_can_keep_mesh: the file as it was,
   but for what nothing names. Of frames whose animation was asked for by name, that animation
   alone. */
ossa_status ossai_glb_put_kept_mesh(
	ossai_glb_writer *writer, const ossa_mesh *mesh, const ossa_frames *frames, const char *path);

/* The vertices of the file: first the mesh's own in their order, then one for each further pair of
   UV and normal that a corner of the vertex has. */
typedef struct ossai_glb_seams {
	size_t vertex_count;              /* N >= the mesh's V */
	const uint32_t *origin;           /* N: the mesh's vertex */
	const uint32_t *corner;           /* N: the corner that gives UV and normal, or OSSA_NONE */
	const uint32_t *vertex_of_corner; /* C: the file's vertex */
} ossai_glb_seams;

ossa_status ossai_glb_find_seams(
	ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, bool use_normals, ossai_glb_seams *seams);

/* Optional data of a part of the mesh. */
typedef struct ossai_glb_surface {
	const ossa_weights *weights; /* of the part's vertices, for a skin of bone_count bones */
	size_t bone_count;
	const ossa_frames *frames; /* each becomes a morph target */
	const ossa_rig *rig;       /* whose merges are written */
	const float *tangents;     /* x 4, of the part's vertices */
} ossai_glb_surface;

/* Tangents (V x 4, in the mesh's axes, w 0 where there is none) that a mesh has in the glTF file
   that it came from, turned with its surface; *tangents NULL where it has other vertices now, or
   one had several. Then those of a part; NULL where not every vertex has one, is_partial: some
   have. Errors:
   OSSA_ERROR_INPUT, OSSA_ERROR_MEMORY. Ownership: the writer's arena. */
ossa_status ossai_glb_find_tangents(ossai_glb_writer *writer, const ossa_mesh *mesh, float **tangents);
ossa_status ossai_glb_part_tangents(
	ossai_glb_writer *writer, const ossai_object_part *part, const float *tangents, const float **of_part, bool *is_partial);

ossa_status ossai_glb_put_mesh(
	ossai_glb_writer *writer, const ossai_object_part *part, const ossai_glb_surface *surface, size_t *mesh_index);

/* Adds a material, or finds one of the file that is the same but for extensions and extras, where
   the writer reuses. Takes ownership of `item`; NULL means that jansson had no memory. */
ossa_status ossai_glb_put_material_item(ossai_glb_writer *writer, json_t *item, size_t *index);

/* A material as the mesh's appearance has it, with the textures and images that it uses. Warning
   "image-not-written". Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_glb_put_material(
	ossai_glb_writer *writer, const ossa_appearance *appearance, size_t material, const char *name, size_t *index);

/* Joints and weights of `count` vertices of the file, as attributes; origin: by vertex of the file,
   the mesh's (glb_weights.c). Errors: OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY. */
ossa_status ossai_glb_put_weights(ossai_glb_writer *writer, const ossa_weights *weights, size_t bone_count, size_t count,
	const uint32_t *origin, json_t *attributes);

/* The end of the rig's merge hierarchy, named in the extras of each mesh; `order`: those of the
   rig's triangles that the mesh has, as the file has them (glb_merges.c). */
ossa_status ossai_glb_put_merges(
	ossai_glb_writer *writer, const ossa_rig *rig, const uint32_t *order, size_t count, json_t *extras);

/* Vertex positions and normals of the file, V x 3 and N x 3, and what the morph targets need to
   follow them. */
typedef struct ossai_glb_base {
	const ossa_mesh *mesh;
	const uint32_t *rows; /* V: vertices of the frames; NULL: the same */
	const ossai_glb_seams *seams;
	const float *positions;           /* V x 3 */
	const float *smooth;              /* V x 3: area-weighted normals of the positions */
	const float *normals;             /* N x 3: what NORMAL holds */
	const ossai_vertex_faces *around; /* faces of each vertex */
} ossai_glb_base;

/* A morph target for each frame, or where `frames` is NULL each of the mesh's own: `targets` for
   the primitives (a new reference), names for the mesh's extras (too). */
ossa_status ossai_glb_put_targets(
	ossai_glb_writer *writer, const ossai_glb_base *base, const ossa_frames *frames, json_t **targets, json_t **names);

/* The animation that shows target f at the time of frame f and blends linearly between, of as many
   nodes from the first on. */
ossa_status ossai_glb_put_morph_animation(ossai_glb_writer *writer, const ossa_frames *frames, size_t node, size_t count);

/* The nodes of a rig's bones: bone b is node first_node + b, the ends of leaves follow. */
typedef struct ossai_glb_joints {
	const ossa_rig *rig;
	size_t first_node;
	size_t leaf_count;
	uint32_t *leaves; /* the bones that have an end */
	json_t *list;     /* numbers of the nodes; the writer's */
	/* skins do not name the root: Blender would take the space of meshes, which differs, for
	   that of bones */
	bool is_below;
} ossai_glb_joints;

ossa_status ossai_glb_put_joints(ossai_glb_writer *writer, const ossa_rig *rig, bool leaf_bones, ossai_glb_joints *joints);

/* Adds a node to the roots of the scene that is shown, made where there is none. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_glb_add_root(ossai_glb_writer *writer, size_t node);

/* Adds a node to the children of another. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_glb_add_child(ossai_glb_writer *writer, size_t parent, size_t child);

/* A skin of these joints. map: affine, from the space of the mesh's file to the rig's, where they
   differ; NULL: they do not. */
ossa_status ossai_glb_put_skin(ossai_glb_writer *writer, const ossai_glb_joints *joints, const ossai_rigid *map, size_t *index);

/* Nodes whose meshes have morph targets, and the rig whose clips move these. */
typedef struct ossai_glb_shape_node {
	size_t node, target_count;
	const uint32_t *morphs; /* by target: the rig's mesh's; NULL: the same */
} ossai_glb_shape_node;

typedef struct ossai_glb_shapes {
	const ossa_rig *rig;
	size_t count;
	const ossai_glb_shape_node *nodes;
} ossai_glb_shapes;

/* An animation of bones, whose nodes begin with first_node, and of shapes; NULL: there are none. */
ossa_status ossai_glb_put_animation(
	ossai_glb_writer *writer, const ossa_clip *clip, const ossai_glb_shapes *shapes, size_t first_node);

/* What moves the corrective shapes of a part, into the extras of its mesh (glb_shapes.c), where
   there are any; whether a clip moves targets of a node; and the weights of all of these in each
   frame. */
ossa_status ossai_glb_put_drivers(ossai_glb_writer *writer, const ossa_mesh *mesh, json_t *extras);
bool ossai_glb_moves_shapes(const ossai_glb_shapes *shapes, const ossa_clip *clip, size_t index);
ossa_status ossai_glb_put_shape_weights(
	ossai_glb_writer *writer, const ossai_glb_shapes *shapes, const ossa_clip *clip, size_t index, size_t *accessor);

/* Seconds as floats from 0 on, strictly ascending even where two doubles are one float: the input
   of samplers. */
ossa_status ossai_glb_put_times(ossai_glb_writer *writer, const double *seconds, size_t count, size_t *accessor);

#endif
