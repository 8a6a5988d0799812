/* import/asset/asset.h: what a file of scenes holds, in one form for all formats: nodes, meshes,
   skins, morph targets, animations.

   Place in the path: between the readers of scene formats (glTF, Collada, Alembic, FBX, BVH) and
   meshes, frames and rigs.
   Input: each reader fills an ossai_asset.
   Output: the calls at the end make what the user asked for, so that every rule about skins, roots,
   weights, clips and welding is written once.

   Nothing is trusted before ossai_asset_finish has checked it: indices, counts, loops,
   numbers. */
#ifndef OSSAI_IMPORT_ASSET_H
#define OSSAI_IMPORT_ASSET_H

#include "base/context.h"
#include "math/vec.h"
#include "scene/builder.h"
#include "weights/bone_weights.h"
#include <ossa/stream.h>

/* ---- nodes ---- */

typedef enum ossai_op_kind {
	OSSAI_OP_TRANSLATE, /* 3: x y z */
	OSSAI_OP_ROTATE,    /* 4: quaternion x y z w, normalised when used */
	OSSAI_OP_TURN,      /* 4: axis x y z (normalised when used) and degrees */
	OSSAI_OP_SCALE,     /* 3: x y z */
	/* 16: rows of a 4x4 matrix for column vectors; the last row must be 0 0 0 1 */
	OSSAI_OP_MATRIX
} ossai_op_kind;

/* One step of a node's transform. Animation channels change its values. */
typedef struct ossai_op {
	ossai_op_kind kind;
	double values[16];
} ossai_op;

/* Properties of a bone in ossa's own files besides the node: the fields of ossa_bone of the same
   names, in the skin's bind space. */
typedef struct ossai_asset_bone {
	/* is_end: an end joint that ossa put at the tail of a leaf: no bone of its own */
	bool has_tail, is_end;
	bool has_limits;
	bool has_slide_limits; /* the file says some; not finite where these are no two numbers */
	bool limits_of_motion; /* not set by anyone */
	ossa_joint_kind kind;
	double tail[3], axis[3], second_axis[3], axis_limits[2][2], turn_degrees, fit_residual, limits[3][2], slide_limits[2];
	int last_level; /* -1: not known */
	ossa_role role;
	double deviation;
	double modelled[7];
	bool is_dependent;  /* the file says that it turns as another one, in whatever words */
	const char *driver; /* name of that node, or NULL */
	double ratio, offset_degrees, error_degrees, cost, driver_axis[3];
} ossai_asset_bone;

/* A loop that was cut, from the extras of ossa's own files, in the skin's bind space. */
typedef struct ossai_asset_loop {
	double center[3];
	uint32_t nodes[2]; /* joints */
} ossai_asset_loop;

/* A node. Its local map is the product of its ops, the first outermost: local = op[0] op[1] ... */
typedef struct ossai_asset_node {
	const char *name; /* as the file has it, or NULL */
	uint32_t parent;  /* OSSA_NONE for roots */
	bool is_joint;    /* the file calls it a joint; joints of skins need no mark */
	bool is_part;     /* made by ossai_asset_use_parts: it moves a mesh, beside joints */
	bool is_no_empty; /* it holds nothing, but is a bone for the program that wrote the file */
	size_t op_count;
	ossai_op *ops;          /* at rest */
	ossai_asset_bone *bone; /* or NULL */
} ossai_asset_node;

/* ---- meshes ---- */

/* One joint's (or bone's) part in a vertex, while readers gather them. */
typedef struct ossai_influence {
	uint32_t joint;
	double weight;
} ossai_influence;

/* A morph target: differences to the mesh's positions. */
typedef struct ossai_asset_target {
	const char *name; /* or NULL */
	float *deltas;    /* V x 3 */
	double weight;    /* at rest */
	/* of ossa's own files: the name of its bone is that of a node; NULL: none. Not checked */
	const ossa_driver *driver;
} ossai_asset_target;

/* A mesh attached to a node. A skinned one follows its joints alone, wherever its node is. */
typedef struct ossai_asset_mesh {
	uint32_t node; /* OSSA_NONE: at the root */
	uint32_t skin; /* OSSA_NONE: none */
	/* made by the context, released by ossai_asset_close; in the node's space, or the skin's bind
	   space */
	ossa_mesh *mesh;

	/* of a skinned mesh: from the axes that the object had in the file to the space of its
	   vertices, where the file says so; others have their node's */
	bool has_axes;
	ossai_rigid axes;

	/* by material of the mesh: its row in the asset's appearance, or OSSA_NONE; NULL: only names
	   are known */
	uint32_t *material_rows;

	/* skin: v' = sum_k weight_k world(joint_k) inverse_bind(joint_k) v; zero weights fill unused
	   pairs */
	size_t influences; /* pairs of each vertex */
	uint32_t *joints;  /* V x influences: index into the skin's joints */
	float *weights;    /* V x influences: as the file has them, NaN and wrong sums too */

	size_t target_count;
	ossai_asset_target *targets;
	/* by target: which of the joined mesh it became (asset_morphs.c); NULL: the mesh is not
	   joined */
	uint32_t *target_morphs;

	/* stored positions over time (Alembic): they replace the mesh's own */
	size_t sample_count;
	double *sample_times; /* seconds, increasing */
	/* writes the V x 3 positions of a sample, in the node's space. Errors: OSSA_ERROR_INPUT naming
	   the place. */
	ossa_status (*read_sample)(void *reader, const struct ossai_asset_mesh *mesh, size_t sample, float *positions);
	void *sample_data; /* the reader's own, for read_sample */

	/* seams: vertices from `own_count` on are copies of others that the writer of ossa made for UVs
	   and normals, or NULL */
	size_t own_count;
	uint32_t *copy_of; /* V - own_count, each < own_count */

	/* clusters of faces in ossa's own files; not checked: asset_merges.c */
	size_t cluster_count;      /* faces that have a cluster */
	uint32_t *cluster_of_face; /* its number */
	size_t merge_count;        /* 0: clusters alone */
	uint32_t *merge_pairs;     /* 2 a merge: numbers of clusters, of which the first is kept */
	float *merge_errors;
} ossai_asset_mesh;

typedef struct ossai_asset_skin {
	const char *name; /* or NULL */
	size_t joint_count;
	uint32_t *joints;          /* nodes */
	ossai_rigid *inverse_bind; /* any affine map with an inverse */
} ossai_asset_skin;

/* ---- animations ---- */

typedef enum ossai_interpolation {
	OSSAI_STEP,
	OSSAI_LINEAR,  /* quaternions by slerp; matrices by decomposition */
	OSSAI_HERMITE, /* values and tangents as glTF's CUBICSPLINE */
	OSSAI_BEZIER   /* control points in time and value as Collada's */
} ossai_interpolation;

/* Values over time of one op of a node, or of the morph weights of a mesh. */
typedef struct ossai_asset_channel {
	uint32_t node;  /* whose op; OSSA_NONE: a mesh's targets */
	uint32_t mesh;  /* where node is OSSA_NONE */
	uint32_t op;    /* index into the node's ops */
	uint32_t first; /* the first of the op's values, or the first target, that changes */
	uint32_t width; /* how many change */
	ossai_interpolation interpolation;
	size_t key_count;
	/* seconds; need not be sorted: ossai_asset_finish sorts, of equal times the last is kept */
	double *times;
	/* key_count x width; HERMITE: key_count x (in-tangent, value, out-tangent) x width */
	float *values;
	/* BEZIER: key_count x width x (in time, in value, out time, out value); else NULL */
	double *controls;
	/* key_count: the key's value stays until the next key, whatever the interpolation; or NULL:
	   none do */
	bool *holds;
} ossai_asset_channel;

typedef struct ossai_asset_clip {
	const char *name;  /* or NULL; once the asset is finished each has one, unlike all others */
	double begin, end; /* seconds: the part of the time that plays; all of it where begin == end */
	size_t channel_count;
	ossai_asset_channel *channels;
} ossai_asset_clip;

/* ---- what is only listed ---- */

/* A camera, a light, or a primitive with tangents. */
typedef struct ossai_asset_item {
	ossa_scene_kind kind;
	uint32_t node;    /* that holds it, or OSSA_NONE */
	const char *name; /* its own, or its mesh's; NULL: none */
	const char *type; /* as ossa_scene_item has it */
	size_t primitive;
} ossai_asset_item;

/* ---- the file ---- */

/* Behind ossa_up: X points up, Y to the left and Z at who looks. Files may say so; users cannot. */
enum { OSSAI_UP_X = OSSA_UP_Z + 1 };

typedef struct ossai_asset {
	ossa_context *context;
	ossai_arena arena;  /* everything but meshes: names, ops, channels ... */
	const char *path;   /* for messages */
	const char *method; /* what made the rig where the file says so ("examples"), or NULL */
	size_t node_count, mesh_count, skin_count, clip_count;
	ossai_asset_node *nodes; /* in the file's order */
	ossai_asset_mesh *meshes;
	ossai_asset_skin *skins;
	ossai_asset_clip *clips;
	size_t loop_count;
	ossai_asset_loop *loops;
	int level_count; /* of articulation; 0: not known */
	ossa_body body;  /* kind NONE: not known; up and front in the space of ossa's own properties */
	/* from the bind space of the first skin to that of ossa's own properties of bones, loops and
	   body: affine; the identity in most files */
	ossai_rigid own_space;
	double unit; /* metres of one unit; 0: the file does not say */
	int up;      /* ossa_up or OSSAI_UP_X; OSSA_UP_FILE: the file does not say */

	/* what is only listed: the context's */
	size_t item_count, item_capacity;
	ossai_asset_item *items;
	/* properties that a person added, and the name of one */
	size_t custom_count;
	const char *custom_example;

	/* how the file's materials look, or NULL */
	struct ossai_appearance *appearance;
	/* the file, for those who write it again, or NULL; its meshes are the asset's */
	ossa_document *document;

	/* the format's own state while the asset is open (read_sample), or NULL */
	void *reader;
	void (*close)(struct ossai_asset *asset); /* releases `reader`, or NULL */

	/* made by ossai_asset_open and ossai_asset_finish */
	/* bytes that results may still take: bounds the memory for small files */
	size_t budget;
	uint32_t *order;   /* node_count: parents before children */
	ossai_rigid space; /* the file's space to ossa's: Y up, metres; above every root node */
	/* asset_moving.c: a root that stands still is put above the joints, also above a single one */
	bool needs_root;
	/* repaired: of each vertex from the largest, no joint twice, sum 1; all 0: follows the root */
	bool weights_clean;
} ossai_asset;

/* A format's reader: fills `asset` (zeroed except for context, arena and path). After a failure
   ossai_asset_close releases what was made. `source` stays valid until then. */
typedef ossa_status (*ossai_asset_reader)(ossa_context *context, const ossai_source *source, ossai_asset *asset);

/* Opens: begins the arena, calls `read`, then finishes. Nothing stays allocated after a failure.
   `options`
   NULL: the defaults. */
ossa_status ossai_asset_open(ossa_context *context, const ossai_source *source, ossai_asset_reader read,
	const ossa_read_options *options, ossai_asset *asset);

/* Checks what the reader filled in (every index, count, loop and number), sorts keys and nodes,
   finds the file's space. Called by ossai_asset_open. Errors: OSSA_ERROR_INPUT naming the first
   fault. */
ossa_status ossai_asset_finish(ossai_asset *asset, const ossa_read_options *options);
void ossai_asset_close(ossai_asset *asset);

/* OSSA_ERROR_INPUT about this file. */
ossa_status ossai_asset_fail(const ossai_asset *asset, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One more that is only listed, while a file is read; its texts stay valid with the asset. */
ossa_status ossai_asset_add_item(ossai_asset *asset, const ossai_asset_item *item);

/* A copy of `length` bytes with a 0 after, in the asset's arena; NULL with the error set. */
const char *ossai_asset_text(ossai_asset *asset, const char *text, size_t length);

/* Whether there are joints, skinned meshes or meshes that only move rigidly. */
ossa_status ossai_asset_has_rig(ossai_asset *asset, bool *found);

/* ---- what users ask for: the entry points behind include/ossa/read.h ---- */

/* Only one of the first three may be called, and last: they take the arrays of the asset's
   meshes. */
ossa_status ossai_asset_mesh_at_rest(ossai_asset *asset, ossa_mesh **mesh);
ossa_status ossai_asset_rig(ossai_asset *asset, const ossa_read_options *options, ossa_rig **rig);
ossa_status ossai_asset_animation(ossai_asset *asset, const ossa_read_options *options, ossa_mesh **mesh, ossa_frames **frames);
ossa_status ossai_asset_clips(ossai_asset *asset, size_t *count, ossa_clip_facts **clips);
ossa_status ossai_asset_list_items(ossai_asset *asset, size_t *count, ossa_scene_item **items);

/* The same as ossai_asset_animation with all vertices of the mesh at rest: none are welded. */
ossa_status ossai_asset_frames(ossai_asset *asset, const ossa_read_options *options, ossa_mesh **mesh, ossa_frames **frames);

/* The frames of an asset one at a time, with all vertices of the mesh at rest. It lives as long as
   the asset is open, and like the calls above takes its meshes. `mesh`: at rest, the caller's.
   Warning "still-clip": nothing moves, though the file has other animations. */
typedef struct ossai_asset_motion ossai_asset_motion;
ossa_status ossai_asset_motion_begin(
	ossai_asset *asset, const ossa_read_options *options, ossa_mesh **mesh, ossai_asset_motion **motion);
/* 0: nothing moves in any frame */
size_t ossai_asset_motion_count(const ossai_asset_motion *motion);
/* seconds from 0 on */
double ossai_asset_motion_time(const ossai_asset_motion *motion, size_t frame);
/* the first animation's name in the file, else the file's */
void ossai_asset_motion_name(const ossai_asset_motion *motion, char name[64]);
/* the animations, one for each that has frames */
size_t ossai_asset_motion_take_count(const ossai_asset_motion *motion);
ossa_take ossai_asset_motion_take(const ossai_asset_motion *motion, size_t index);
/* V x 3 */
ossa_status ossai_asset_motion_frame(ossai_asset_motion *motion, size_t frame, float *positions);

/* How many morph targets the joined mesh has, where they are at rest in the frames though they move
   in the file; else 0. Their weights in a frame. */
size_t ossai_asset_motion_morph_count(const ossai_asset_motion *motion);
void ossai_asset_motion_weights(ossai_asset_motion *motion, size_t frame, double *weights);
/* Warns of these where nobody takes them ("shapes-dropped"): of a file that is not kept. */
void ossai_asset_motion_warn(const ossai_asset_motion *motion, const ossa_mesh *mesh);

/* Welds vertices of the mesh that ossai_asset_motion_begin gave (ossai_mesh_weld, with its
   warnings): frames have as many from then on. All frames are read, unless no two vertices coincide
   at rest. */
ossa_status ossai_asset_motion_weld(ossai_asset_motion *motion, ossa_mesh *mesh);

/* Welds vertices that coincide in the mesh and in every frame, where no polygon uses both. The mesh
   shrinks; the first of each group is kept, in their order. `kept`: the vertices that are kept,
   ascending; the arena's. Warnings: "degenerate-faces", "colors-merged". */
ossa_status ossai_mesh_weld(ossai_arena *arena, ossa_mesh *mesh, size_t frame_count, ossa_frame_function read, void *user,
	size_t *kept_count, uint32_t **kept);

#endif
