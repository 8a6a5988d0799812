/* import/asset/asset_parts.h: what the files asset_*.c share: a scene at one time, its joints as
   bones, its meshes side by side.

   Place in the path: inside the asset layer. asset_check.c and asset_keys.c check and sort,
   asset_sample.c and asset_pose.c compute node transforms at a time, asset_clip.c chooses these
   times, asset_takes.c puts several animations in a row, asset_joints.c, asset_skin.c and
   asset_place.c make bones, asset_moving.c finds parts that move without any, asset_weights.c
   repairs weights, asset_mesh.c joins meshes (asset_sets.c, asset_objects.c), asset_merges.c takes
   merges; asset_rig.c, asset_frames.c and asset_animation.c make the results, asset_weld.c welds
   vertices. */
#ifndef OSSAI_IMPORT_ASSET_PARTS_H
#define OSSAI_IMPORT_ASSET_PARTS_H

#include "import/asset/asset.h"
#include "math/affine.h"

/* Takes `count` x `size` bytes from the budget. Errors: OSSA_ERROR_LIMIT. */
ossa_status ossai_asset_charge(ossai_asset *asset, size_t count, size_t size);

/* The name for messages; never NULL. */
const char *ossai_asset_node_name(const ossai_asset *asset, uint32_t node);

/* ---- checks (asset_check.c, asset_keys.c): the steps of ossai_asset_finish, in this order ---- */

ossa_status ossai_asset_check_nodes(ossai_asset *asset);
ossa_status ossai_asset_check_skins(ossai_asset *asset);
ossa_status ossai_asset_check_meshes(ossai_asset *asset);
ossa_status ossai_asset_check_clips(ossai_asset *asset); /* sorts keys too */

/* Gives every animation a name that no other has: its own with a number where another has it, that
   of the file where it has none. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_asset_name_clips(ossai_asset *asset);

/* How many values an op has. */
size_t ossai_op_width(ossai_op_kind kind);

/* ---- moments (asset_sample.c, asset_pose.c) ---- */

/* How the values of a channel are grouped. */
typedef enum ossai_channel_form { OSSAI_FORM_NUMBERS, OSSAI_FORM_QUATERNION, OSSAI_FORM_MATRIX } ossai_channel_form;

ossai_channel_form ossai_channel_form_of(const ossai_asset *asset, const ossai_asset_channel *channel);

/* The channel's `width` values at a time; before its first and after its last key they are
   constant. */
void ossai_channel_sample(const ossai_asset_channel *channel, ossai_channel_form form, double time, double *values);

/* Motion over time: the chosen animation, as far as it moves what is wanted, and the stored samples
   of meshes. */
typedef struct ossai_take {
	const char *name; /* of the animation, or NULL */
	size_t channel_count;
	const ossai_asset_channel **channels;
	size_t frame_count; /* 0: nothing moves */
	double *times;      /* seconds as the file has them, increasing */
	size_t left_out;    /* morph targets that move and were not wanted */
	size_t shape_count; /* channels of these */
	const ossai_asset_channel **shapes;
	bool moves_shapes; /* of OSSAI_SHAPES_MOVING: some channel is of targets */
	bool is_whole;     /* no frames were chosen among others */
} ossai_take;

/* The scene at a time. */
typedef struct ossai_pose {
	const ossai_asset *asset;
	ossai_op *ops;        /* of all nodes, with their values at the time */
	size_t *first_op;     /* by node */
	ossai_rigid *local;   /* by node */
	ossai_rigid *world;   /* by node, in ossa's space */
	uint8_t *is_stale;    /* by node: its ops have changed since `local` was made */
	double *weights;      /* of the targets of all meshes */
	size_t *first_weight; /* by mesh */
} ossai_pose;

/* At rest. Everything lives in the asset's arena. */
ossa_status ossai_pose_begin(ossai_asset *asset, ossai_pose *pose);
void ossai_pose_rest(ossai_pose *pose); /* again */
void ossai_pose_move(ossai_pose *pose, const ossai_take *take, double time);

/* Animations by their numbers, in the order in which they were asked for, each once. */
typedef struct ossai_chosen_clips {
	size_t count;
	size_t *clips; /* there is space for one at least, which is 0 where there is none */
} ossai_chosen_clips;

/* The animations that the options name (asset_clip.c), by name, number, a list of these joined by
   commas, or "all"; without a name the first, or none where there is none.
   Errors: OSSA_ERROR_ARGUMENT listing those there are. */
ossa_status ossai_asset_choose_clips(ossai_asset *asset, const ossa_read_options *options, ossai_chosen_clips *chosen);

/* Fails with OSSA_ERROR_ARGUMENT where the options name several animations. */
ossa_status ossai_asset_refuse_several(ossai_asset *asset, const ossa_read_options *options);

/* What a take has besides nodes. */
typedef enum ossai_take_shapes {
	OSSAI_SHAPES_NONE,
	OSSAI_SHAPES_MOVING, /* morph targets of the joined mesh that move and that no bone moves */
	OSSAI_SHAPES_ALL     /* all morph targets, and stored samples */
} ossai_take_shapes;

/* Motion of chosen nodes and targets over time (asset_clip.c): of the animation `index`
   (clip_count: none), by the options' rate and frames. `is_wanted` by node, with everything above a
   wanted node.
   Errors: OSSA_ERROR_ARGUMENT where there are no such frames. */
ossa_status ossai_take_make(ossai_asset *asset, const ossa_read_options *options, size_t index, const uint8_t *is_wanted,
	ossai_take_shapes shapes, ossai_take *take);

/* The animations that the options name, one after the other (asset_takes.c): those that have
   frames; without any, stored samples alone are one. */
typedef struct ossai_takes {
	const char *name; /* of the first that was asked for, or NULL */
	/* targets are at rest in all frames: `morphs` asks for it, and a skin moves */
	bool keeps_morphs;
	size_t count;
	ossai_take *items;
	size_t *clips; /* count: that they are of; the asset's clip_count: none */
	size_t *first; /* count + 1: frames before each */
	double *begin; /* count: seconds before each */
	size_t frame_count;
} ossai_takes;

/* `is_wanted`: by node. Errors: as ossai_asset_choose_clips and ossai_take_make. */
ossa_status ossai_takes_make(
	ossai_asset *asset, const ossa_read_options *options, const uint8_t *is_wanted, ossai_takes *takes);

/* Which of them a frame is in, and when it is, in seconds from the first frame on. */
size_t ossai_takes_find(const ossai_takes *takes, size_t frame);
double ossai_takes_time(const ossai_takes *takes, size_t frame);

/* Warns once ("scene-not-read") of what a file with meshes has and no result keeps: cameras,
   lights, tangents, nodes that hold nothing, custom properties. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_asset_warn_of_scene(ossai_asset *asset);

/* Marks all nodes above marked ones. */
void ossai_asset_mark_above(const ossai_asset *asset, uint8_t *marks);

/* ---- bones (asset_joints.c, asset_skin.c, asset_place.c) ---- */

/* The joints of all skins in use as bones of one skeleton, parents first. Mesh space: that of the
   first skin's inverse binds. */
typedef struct ossai_bones {
	/* asset_joints.c */
	size_t count;   /* 0: the file has no joints */
	uint32_t *node; /* of each bone; OSSA_NONE for a root that was made */
	int32_t *parent;
	uint32_t *bone_of_node; /* the nearest bone at or above each node; OSSA_NONE */
	uint32_t *skins;        /* in use, in the order of the meshes */
	size_t skin_count;

	/* asset_skin.c */
	ossai_rigid *rest_world; /* by node: rest transforms, in ossa's space */
	uint8_t *is_bound;       /* by bone: a skin has its bind pose */
	/* by bone: the node's bind pose, in mesh space */
	ossai_rigid *affine;
	/* by skin: its bind space to mesh space, where that is one map for all its joints */
	ossai_rigid *skin_map;
	ossai_rigid **joint_map; /* by skin: where it is not, the map of each joint; else NULL */
	/* of the skeleton in mesh space: largest distance of a joint from the first */
	double length;

	/* asset_place.c */
	/* mesh space to the rig's: the skins' map of meshes at rest, where it is a single one */
	ossai_rigid placement;
	bool fits_rest;    /* it is a single map: the rest pose of nodes is the bind pose */
	ossai_rigid *bind; /* by bone: rigid rest frame in the rig's space */
	/* by bone: its rigid frame is its node's world map times this; about identity in most files */
	ossai_rigid *offset;
} ossai_bones;

/* Gives the rig, which has its bones, the loops and levels of the file, where they fit
   (asset_loops.c): `map` takes the skin's bind space to the rig's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_asset_take_loops(const ossai_asset *asset, const ossai_bones *bones, const ossai_rigid *map, ossa_rig *rig);
ossa_status ossai_asset_take_levels(const ossai_asset *asset, const ossai_bones *bones, ossa_rig *rig);

/* Gives the rig's morph targets what moves them (asset_drivers.c); map: as of
   ossai_asset_take_loops. Warning "shapes-unbound". Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_asset_take_drivers(ossai_asset *asset, const ossai_bones *bones, const ossai_rigid *map, ossa_rig *rig);

/* Gives the rig, which has its bones, the dependent bones of the file, where they fit; map: as of
   ossai_asset_take_loops. Warning "dependencies-dropped". Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_asset_take_dependencies(
	const ossai_asset *asset, const ossai_bones *bones, const ossai_rigid *map, ossa_rig *rig);

/* Gives the rig the body that the file says was recognized; map: as of ossai_asset_take_loops. */
void ossai_asset_take_body(const ossai_asset *asset, const ossai_rigid *map, ossa_rig *rig);

/* maps that differ less than this, relative to their lengths, are one map */
static const double ossai_same_map = 1e-4;

ossa_status ossai_bones_make(ossai_asset *asset, ossai_bones *bones);

/* Its steps: the tree, and finally rest transforms of bones and meshes. */
ossa_status ossai_bones_tree(ossai_asset *asset, ossai_bones *bones);
ossa_status ossai_bones_place(ossai_asset *asset, ossai_bones *bones);

/* Marks joints: of skins in use, or where no mesh has a skin of all skins, and those that the file
   calls joints beside them. */
ossa_status ossai_asset_mark_joints(ossai_asset *asset, uint8_t *marks);

/* ---- moving parts (asset_moving.c) ---- */

/* The nodes that become joints where a file has neither skins nor joints but meshes that move as a
   whole. */
typedef struct ossai_moving_parts {
	size_t count; /* 0: none */
	/* by node: the parts, and the common ancestor of them and of static meshes */
	uint8_t *is_joint;
	bool needs_root; /* there is no such node, but static meshes */
	/* no node moves, but targets of meshes do: the parts are the nodes of these */
	bool is_of_shapes;
} ossai_moving_parts;

/* Whether a channel ever leaves the values at rest of its node, or of its mesh's targets. */
bool ossai_channel_moves(const ossai_asset *asset, const ossai_asset_channel *channel);

/* The same of target `first` + index of a channel of targets. */
bool ossai_target_moves(const ossai_asset *asset, const ossai_asset_channel *channel, size_t index);

ossa_status ossai_asset_find_parts(ossai_asset *asset, ossai_moving_parts *parts);

/* Makes joints of them; where a file has joints, of the nodes that move meshes without a skin
   beside these. Warning: "parts-as-bones". */
ossa_status ossai_asset_use_parts(ossai_asset *asset);

/* ---- weights (asset_weights.c) ---- */

/* Brings all meshes' weights into order, once: warnings "weights-dropped", "weights-merged",
   "weights-not-one", "loose-vertices". Errors: OSSA_ERROR_INPUT for a joint that is not there. */
ossa_status ossai_asset_clean_weights(ossai_asset *asset);

/* ---- meshes (asset_mesh.c, asset_materials.c) ---- */

/* One mesh of the file in the joined one. */
typedef struct ossai_block {
	const ossai_asset_mesh *from;
	size_t own, base; /* vertices without seam copies; vertices of the blocks before */
	ossai_rigid map;  /* its space to the rig's at rest */
	bool is_placed;   /* `map` is not identity */
	/* by joint, before `map`: where the joints' maps differ; else NULL */
	const ossai_rigid *joint_map;
	uint32_t bone; /* that a mesh without a skin follows */
} ossai_block;

typedef struct ossai_blocks {
	size_t count, vertex_count;
	ossai_block *items;
	int64_t unbound_count; /* meshes that neither a skin nor a bone moves */
} ossai_blocks;

/* Makes the names of a mesh's materials apart, and says how these look; rows: of the asset's
   appearance, or NULL. */
ossa_status ossai_asset_take_look(const ossai_asset *asset, const uint32_t *rows, ossa_mesh *mesh);

/* Sets the materials of `all`, whose polygons are those of the blocks: one of each of the
   file's, or where only names are known one of each name, two where a mesh has two of a name.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_materials_join(ossai_asset *asset, const ossai_blocks *blocks, ossa_mesh *all);

/* The sets of UVs and colours of the joined mesh (asset_sets.c): memory for them, where the counts
   of its vertices and corners are set, and those of a block, whose corners begin at `corner`;
   `texcoords`: by set, how many are there already. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_sets_make(ossa_context *context, const ossai_blocks *blocks, ossa_mesh *all);
void ossai_sets_join(const ossai_block *block, size_t corner, size_t texcoords[OSSA_SETS_MAX], ossa_mesh *all);

/* Indices moved by `base`; `from` NULL: there are none. */
static inline void ossai_join_indices(const uint32_t *from, size_t count, size_t base, uint32_t *to)
{
	for (size_t i = 0; i < count; i++) to[i] = from && from[i] != OSSA_NONE ? (uint32_t)(base + from[i]) : OSSA_NONE;
}

/* Gives the joined mesh the blocks that have polygons as objects, each of its node's name
   (asset_objects.c). Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_asset_take_objects(const ossai_asset *asset, const ossai_blocks *blocks, ossa_mesh *all);

/* All meshes of the file. */
ossa_status ossai_blocks_make(ossai_asset *asset, const ossai_bones *bones, ossai_blocks *blocks);

/* Sets the merge hierarchy of the file in the rig, whose mesh is that of the blocks, where it fits
   (asset_merges.c). Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_asset_take_merges(ossai_asset *asset, const ossai_blocks *blocks, ossa_rig *rig);

/* The joined mesh at rest. It may take the arrays of the asset's meshes, which must not be used
   afterwards. */
ossa_status ossai_blocks_join(ossai_asset *asset, const ossai_bones *bones, const ossai_blocks *blocks, ossa_mesh **mesh);

/* The same, and the asset's meshes keep their names and positions (asset_keep.c). */
ossa_status ossai_blocks_join_kept(ossai_asset *asset, const ossai_bones *bones, const ossai_blocks *blocks, ossa_mesh **mesh);

/* What takes vectors at a vertex of a mesh to the rig's space. */
ossai_mat3 ossai_block_turn(const ossai_block *block, size_t own);

/* A number by which targets that move alike in all animations have the same, by mesh and target; 0:
   they stay at rest (asset_morph_motion.c). NULL with the error set. */
uint64_t **ossai_asset_morph_motion(ossai_asset *asset);

/* The weights of the joined mesh's targets out of those of all meshes' targets, in the order of
   ossai_pose.weights. */
void ossai_asset_morph_weights(const ossai_asset *asset, const ossai_pose *pose, const double *from, double *weights);

/* How many targets that move takes leave at rest, and the weights of the joined mesh's targets in a
   frame all the same. own: of the targets of all meshes, as ossai_pose.weights, to be filled. */
size_t ossai_takes_left_out(const ossai_takes *takes);
void ossai_takes_weights(const ossai_pose *pose, const ossai_takes *takes, size_t frame, double *own, double *weights);

/* Notes these in the file that the mesh is from, so that a motion that was changed is known; own:
   as above. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_takes_note_morphs(const ossai_pose *pose, const ossai_takes *takes, double *own, const ossa_mesh *mesh);

/* Gives the joined mesh the morph targets of its meshes (asset_morphs.c). Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_asset_take_morphs(ossai_asset *asset, const ossai_blocks *blocks, ossa_mesh *mesh);

/* Gives the joined mesh the file that it is of, where the asset keeps it: which vertex of the file
   became which of the mesh, and the maps between their spaces (asset_document.c). Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_asset_keep_document(
	ossai_asset *asset, const ossai_bones *bones, const ossai_blocks *blocks, ossa_mesh *mesh);

/* Notes in that file which frames were read with the mesh, where they are all keys of an
   animation. */
void ossai_asset_note_frames(ossa_mesh *mesh, const ossa_frames *frames, const ossa_read_options *options);

/* A mesh's vertices with morph targets of these weights; V x 3. */
void ossai_mesh_morph(const ossai_asset_mesh *mesh, const double *weights, float *positions);

/* Sets the chosen animation as the clip of the rig, whose mesh and weights exist; none where the
   file has none (asset_motion.c). Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT. */
ossa_status ossai_asset_move_rig(ossai_asset *asset, const ossai_bones *bones, const ossa_read_options *options, ossa_rig *rig);

#endif
