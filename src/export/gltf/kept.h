/* export/gltf/kept.h: what the files share that put a rig into the glTF file that its mesh came
   from.

   kept.c is the outline; kept_levels.c finds coarser levels and takes them out, or out of groups,
   kept_lods.c gives them the rig, over kept_own_weights.c, kept_articulation.c and kept_carry.c;
   kept_old_weights.c reads the weights of the file; kept_skins.c takes the old rig out,
   kept_nodes.c moves and drops nodes, kept_orphans.c gives other children of old joints to new
   bones, which kept_successors.c finds; kept_places.c sets transforms, kept_animations.c sorts
   channels, kept_moved.c and kept_shapes.c move vertices, kept_data.c copies the bytes that are
   still named, kept_images.c finds images in files of their own, kept_rig.c puts the new rig in. */
#ifndef OSSAI_EXPORT_GLTF_KEPT_H
#define OSSAI_EXPORT_GLTF_KEPT_H

#include "export/gltf/glb.h"
#include "import/gltf/gltf_document.h"
#include "scene/document.h"
#include "scene/document_links.h"

/* The bones that a coarser level has. */
typedef struct ossai_kept_bones {
	const uint32_t *bones; /* of the rig, rising; NULL: all */
	/* these alone, tails where the level's bones end; its only member is the skeleton */
	const ossa_rig *rig;
} ossai_kept_bones;

typedef struct ossai_kept {
	ossai_glb_writer *writer; /* its root is a copy of the document's, and changes */
	const ossa_document *document;
	const ossa_rig *rig;
	const ossa_mesh *mesh;            /* the rig's */
	const ossa_rig *finest;           /* the rig without coarser levels */
	bool keeps_skin;                  /* the old joints stay as plain nodes */
	uint8_t *is_joint;                /* by node of the document: a joint of a skin that goes */
	uint8_t *is_mesh;                 /* by node: its mesh is a part of the rig's */
	uint8_t *is_lod;                  /* by node: and one of a coarser level */
	uint8_t *is_dropped;              /* by node: of a level that is taken out, or an empty group */
	uint8_t *is_replaced;             /* by node: a joint or a dropped node, and nothing else */
	uint8_t *holds_mesh;              /* by node: a mesh of the rig stays in it */
	uint8_t *has_instances;           /* by node: and is shown many times, without a skin */
	uint32_t *parent;                 /* by node of the document, or OSSA_NONE */
	uint32_t *lod_of;                 /* by node: the coarser level at or above it, or OSSA_NONE */
	uint32_t *level_of;               /* by node that is a level: which one, from 1 on */
	uint32_t level_count;             /* the highest of these */
	ossai_kept_bones *bones_of_level; /* level_count + 1 */
	bool is_own_rig;                  /* the file's: levels keep their own weights */
	int64_t replaced;                 /* levels whose own weights do not stay */
	/* by node: at and below it are joints that go and the rig's meshes alone */
	uint8_t *is_bare;
	/* by node: it shows something or is an end; then also what is above it, up to replaced nodes */
	uint8_t *is_shown;
	size_t *node_of;   /* by node of the document: its number now, SIZE_MAX: it is gone */
	size_t *mesh_node; /* by mesh of the document: the node that has it now */
	size_t lod_count;  /* meshes of the document, its last, that are coarser levels */
	uint8_t *is_moved; /* by mesh of the document: it gets new positions, in the rig's space */
	/* by animation of the document: the name of the clip that becomes part of it, or NULL */
	const char **clip_name;
	/* by animation: the weights of targets in the clip are others than those of the file */
	uint8_t *moves_morphs;
	size_t orphan_count;
	uint32_t *orphans; /* nodes of the document whose parent, a joint, is replaced */
} ossai_kept;

/* The document as the reader has it. What it reads may be in an arena of its own, which closing
   ends; an open that failed needs no close. Errors: OSSA_ERROR_MEMORY. */
typedef struct ossai_kept_file {
	ossai_asset asset;
	ossai_source source;
	ossai_gltf gltf;
} ossai_kept_file;

ossa_status ossai_kept_open_file(ossai_kept *kept, ossai_kept_file *file);
void ossai_kept_close_file(ossai_kept_file *file);

/* Finds the nodes of coarser levels (MSFT_lod); marks them to be taken out, with what names them;
   and where a level is a group of nodes and nothing else, names these nodes instead, as those with
   a skin are below no other. */
ossa_status ossai_kept_find_lods(ossai_kept *kept);
void ossai_kept_drop_lods(ossai_kept *kept);
ossa_status ossai_kept_dissolve_groups(ossai_kept *kept);

/* Marks the bones of the rig that a level goes without (`gone`: NULL: none); notes those that are
   left; and gives them for a mesh of the document, NULL where it has all. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_kept_articulate(ossai_kept *kept, uint32_t level, const uint8_t **gone);
const ossa_rig *ossai_kept_bones_of(const ossai_kept *kept, size_t mesh);
ossa_status ossai_kept_note_bones(ossai_kept *kept, uint32_t level, const uint8_t *gone, const ossa_skeleton *left);

/* Takes the weights that a vertex of the mesh has in the file: `count` joints, by node of the
   document (OSSA_NONE: there is no such joint). false: it needs no more. */
typedef struct ossai_kept_taker {
	bool (*take)(void *user, size_t vertex, size_t count, const uint32_t *node, const float *weight);
	void *user;
} ossai_kept_taker;

/* Gives these for the document's meshes from `first` up to `end`; a vertex that the file has
   several times comes as often. `whole` (or NULL): all have weights, and all were taken. Errors:
   OSSA_ERROR_INPUT, OSSA_ERROR_MEMORY. */
ossa_status ossai_kept_read_weights(
	ossai_gltf *gltf, const ossa_document *document, size_t first, size_t end, const ossai_kept_taker *taker, bool *whole);

/* Notes whether the rig is the one of the file: the document's meshes have its weights, by joints
   of its bones' names. Errors: OSSA_ERROR_INPUT, OSSA_ERROR_MEMORY. */
ossa_status ossai_kept_compare_weights(ossai_kept *kept, ossai_kept_file *file);

/* The weights that the document's meshes from `first_mesh` on, whose vertices are those from
   `first_vertex` on, have in the file. `found`: the rig is the file's, and all of their joints that
   move a vertex have the names of bones; else weights are replaced, which warning "lod-weights"
   counts in the end. Errors: as above. Ownership: the writer's arena. */
ossa_status ossai_kept_own_weights(ossai_kept *kept, ossai_kept_file *file, const ossa_document *document, size_t first_mesh,
	size_t first_vertex, ossa_weights *weights, bool *found);
void ossai_kept_warn_of_weights(const ossai_kept *kept);

/* Puts the meshes of coarser levels behind those of the rig, weights included. Errors:
   OSSA_ERROR_INPUT, OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY. */
ossa_status ossai_kept_join_lods(ossai_kept *kept);

/* Moves `count` points from where they were beside the mesh's surface, whose positions were
   `before` then. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_kept_carry(
	ossai_arena *arena, const ossa_mesh *mesh, const float *before, size_t count, const float *from, float *to);

/* Removes a number from a list of nodes; an empty list goes, too. */
void ossai_kept_unlink(json_t *holder, const char *key, size_t node);

/* Whether nodes keep their numbers: joints stay as nodes, or extensions may name these. */
bool ossai_kept_has_numbers(const ossai_kept *kept);

/* The item of the root's array, or NULL. */
json_t *ossai_kept_item(const ossai_kept *kept, const char *list, size_t index);

/* The whole number under `key`; SIZE_MAX: there is none. */
size_t ossai_kept_number(const json_t *item, const char *key);

/* Leaves of an array the items that `stays` marks by index. */
ossa_status ossai_kept_filter(ossai_kept *kept, json_t *holder, const char *key, const uint8_t *stays);

/* Leaves of a list of the root the items that `stays` marks, and gives what names them their new
   numbers. `numbers`: by old number the new one, or NULL. */
ossa_status ossai_kept_renumber(
	ossai_kept *kept, ossai_link kind, const char *list, const uint8_t *stays, const size_t **numbers);

/* Makes the items of a list, which were the document's until then, the file's own, to be
   changed. */
ossa_status ossai_kept_own_items(ossai_kept *kept, const char *list);

/* Marks the joints of the old rig and the nodes of its meshes. */
ossa_status ossai_kept_find_joints(ossai_kept *kept);

/* Takes skins, joints and weights of the rig's meshes out; a mesh that several nodes show is there
   once for each. */
ossa_status ossai_kept_drop_skins(ossai_kept *kept);

/* Takes out the channels of what moves no longer, and animations that are empty without them.
   Warning "clips-left-out". */
ossa_status ossai_kept_drop_channels(ossai_kept *kept);

/* Marks the nodes of the file that is written, of `count`, whose transforms its animations move. */
void ossai_kept_mark_moving(const ossai_kept *kept, uint8_t *moves, size_t count);

/* Whether the file has the weights of a clip's morph targets in an animation that stays with its
   own, before any is put from animation `first` on. */
bool ossai_kept_has_morphs(const ossai_kept *kept, size_t first, const ossa_clip *clip);

/* A clip of the rig, before any is put from animation `first` on: where channels of the animation
   of its name stay, it gets times of its own (the writer's arena) that go with theirs. */
ossa_status ossai_kept_time_clip(ossai_kept *kept, size_t first, ossa_clip *clip);

/* After the clips of the rig were put from animation `first` on: those that have the name of an
   animation of the file become a part of it. */
ossa_status ossai_kept_join_animations(ossai_kept *kept, size_t first);

/* Marks nodes in which a mesh of the rig stays: extensions that may be about the mesh stand beside
   it. Warning "instances-unskinned". */
void ossai_kept_find_holders(ossai_kept *kept);

/* Whether a mesh of the document is as it was, without the rig. */
bool ossai_kept_is_unskinned(const ossai_kept *kept, size_t m);

/* Brings nodes of meshes that have had no skin to the scene's roots, where a skinned mesh
   belongs. */
ossa_status ossai_kept_free_meshes(ossai_kept *kept);

/* After that: marks the nodes that new bones replace. Then their channels go, and they do; where
   nodes keep their numbers, they stay as plain nodes without motion and children of other kinds. */
void ossai_kept_find_replaced(ossai_kept *kept);
ossa_status ossai_kept_drop_joints(ossai_kept *kept);

/* A node's own transform: takes it out; puts an affine one in, without its shear, which glTF does
   not take. Errors: OSSA_ERROR_MEMORY. */
void ossai_kept_drop_transform(json_t *node);
ossa_status ossai_kept_set_transform(const ossai_kept *kept, json_t *node, const ossai_rigid *local);

/* Puts a node with a transform above one that animations move, whose keys stay as they are. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_kept_put_base(ossai_kept *kept, size_t child, const ossai_rigid *local, size_t *index);

/* What takes the rig's axes and unit to those that are written. */
ossai_rigid ossai_kept_axes(const ossa_write_options *options);

/* Where the file is written in other axes or another unit than it has, its roots go along; the
   rig is there. axes: ossai_kept_axes. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_kept_turn_roots(ossai_kept *kept, const ossai_rigid *axes);

/* Whether a node is the child of a joint that is replaced, and neither replaced itself nor the
   place of one of the rig's meshes alone; notes these and takes them off the old joints. After
   ossai_kept_find_replaced. */
bool ossai_kept_is_orphan(const ossai_kept *kept, uint32_t n);
void ossai_kept_find_orphans(ossai_kept *kept);

/* By joint of the document, of `count`, the new bone that shares most of its skin. A joint that
   moves no vertex has the skin of the nearest joint below it that does, else of the nearest above.
   OSSA_NONE: none of these moves any. Errors: OSSA_ERROR_INPUT, OSSA_ERROR_MEMORY. Cost: reads the
   file's weights twice. */
ossa_status ossai_kept_find_successors(ossai_kept *kept, size_t count, const uint32_t *joints, uint32_t *bones);

/* Children of old joints become children of new bones: of the one where their joint was, else the
   one that moves its skin, else the nearest to it. They stay where they were, in other axes, units
   and rest poses with their bone.
   Where animations move them, a node between has the transform, so that keys mean the same. Warning
   "nodes-moved". */
ossa_status ossai_kept_attach_orphans(ossai_kept *kept, size_t first_bone, const ossai_rigid *axes);

/* A primitive of a mesh of the document, in the file that is written. */
json_t *ossai_kept_primitive(const ossai_kept *kept, size_t m, size_t p);

/* Whether its node turns triangles over. */
bool ossai_kept_is_mirrored(const ossai_document_mesh *mesh);

/* Marks meshes whose vertices are elsewhere than the file's, and takes their positions out. */
ossa_status ossai_kept_find_moved(ossai_kept *kept);

/* What a tangent of the file becomes where vectors become map v; w says on which side of normal and
   tangent the third axis is, and a mirror changes sides. */
void ossai_kept_turn_tangent(const ossai_mat3 *map, const float from[4], float to[4]);

/* By vertex of a mesh: how its surface turned and stretched since its positions were `before`.
   Errors: OSSA_ERROR_MEMORY. Ownership: the arena. */
ossa_status ossai_kept_gradients(ossai_arena *arena, const ossa_mesh *mesh, const float *before, ossai_mat3 **gradients);

/* Puts positions, normals, tangents and morph targets of these in. */
ossa_status ossai_kept_put_shapes(ossai_kept *kept);

/* Drops accessors and views that nothing names, and gives the writer the bytes of the others. */
ossa_status ossai_kept_take_data(ossai_kept *kept);

/* Puts images that are files of their own into a .glb, or beside a .gltf in another folder. Warning
   "image-missing". Errors: OSSA_ERROR_WRITE, OSSA_ERROR_MEMORY. */
ossa_status ossai_kept_take_images(ossai_kept *kept, const char *output);

/* Puts joints, skins and weights in. `first_bone`: the node of the first bone. */
ossa_status ossai_kept_put_rig(ossai_kept *kept, bool leaf_bones, size_t *first_bone);

#endif
