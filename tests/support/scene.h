/* tests/support/scene.h: assets built by hand: nodes, meshes, skins and animations in arrays of
   fixed size. */
#ifndef OSSA_TEST_SCENE_H
#define OSSA_TEST_SCENE_H

#include "import/asset/asset.h"

enum { SCENE_NODES = 80, SCENE_OPS = 4, SCENE_MESHES = 8, SCENE_SKINS = 4, SCENE_CLIPS = 4, SCENE_CHANNELS = 12 };
enum { SCENE_NUMBERS = 20000 };

/* What an asset is made of. Meshes are given as positions and triangles, for ossa_mesh_create. */
typedef struct scene_mesh {
	const char *name;
	size_t vertex_count, triangle_count;
	const float *positions;
	const uint32_t *triangles;
} scene_mesh;

typedef struct scene {
	size_t node_count, mesh_count, skin_count, clip_count;
	ossai_asset_node nodes[SCENE_NODES];
	ossai_op ops[SCENE_NODES][SCENE_OPS];
	ossai_asset_mesh meshes[SCENE_MESHES];
	scene_mesh shapes[SCENE_MESHES];
	ossai_asset_skin skins[SCENE_SKINS];
	ossai_asset_clip clips[SCENE_CLIPS];
	ossai_asset_channel channels[SCENE_CLIPS][SCENE_CHANNELS];
	double unit;
	ossa_up up;
	const char *method;
	/* what arrays of numbers are cut from */
	double doubles[SCENE_NUMBERS];
	size_t double_count;
	float floats[SCENE_NUMBERS];
	size_t float_count;
	uint32_t wholes[SCENE_NUMBERS];
	size_t whole_count;
	ossai_rigid maps[SCENE_NODES * SCENE_SKINS];
	size_t map_count;
	/* nodes, clips and channels as an asset has them while it is open: it may mark joints, and
	   sorts keys */
	ossai_asset_node open_nodes[SCENE_NODES];
	ossai_asset_clip open_clips[SCENE_CLIPS];
	ossai_asset_channel open_channels[SCENE_CLIPS][SCENE_CHANNELS];
	/* called at the end of reading, to break things; or NULL */
	void (*change)(ossai_asset *asset);
} scene;

/* A triangle in the plane z = 0: at 0 0, 1 0 and 0 1. */
extern const uint32_t scene_face[3];
extern const float scene_flag[9];

/* An empty scene, to be freed with free(). */
scene *scene_new(void);

/* Copies into the scene. */
double *scene_doubles(scene *s, size_t count, const double *values);
float *scene_floats(scene *s, size_t count, const float *values);
uint32_t *scene_wholes(scene *s, size_t count, const uint32_t *values);

/* A node; the number of it. Ops are added to the last ones. */
uint32_t scene_node(scene *s, const char *name, uint32_t parent);
void scene_op(scene *s, uint32_t node, ossai_op_kind kind, size_t count, const double *values);
void scene_translate(scene *s, uint32_t node, double x, double y, double z);
void scene_turn(scene *s, uint32_t node, double x, double y, double z, double degrees);
/* turned about the axis, as a quaternion */
void scene_rotate(scene *s, uint32_t node, double x, double y, double z, double degrees);

/* A mesh on a node (OSSA_NONE: none); the number of it. The arrays are not copied. */
uint32_t scene_add_mesh(scene *s, const char *name, uint32_t node, size_t vertex_count, const float *positions,
	size_t triangle_count, const uint32_t *triangles);

/* A skin of these joints, bound where the nodes are now; the number of it. */
uint32_t scene_add_skin(scene *s, size_t count, const uint32_t *joints);
/* gives a mesh a skin: `influences` pairs a vertex */
void scene_bind(scene *s, uint32_t mesh, uint32_t skin, size_t influences, const uint32_t *joints, const float *weights);

uint32_t scene_add_clip(scene *s, const char *name);
/* a channel of a node's op, all of its values; values: key after key */
ossai_asset_channel *scene_channel(scene *s, uint32_t clip, uint32_t node, uint32_t op, ossai_interpolation how,
	size_t key_count, const double *times, const float *values);

/* The world matrix of a node, from the ops alone. */
ossai_rigid scene_world(const scene *s, uint32_t node);

/* Opens it as if it were a file. */
ossa_status scene_open(ossa_context *context, scene *s, const ossa_read_options *options, ossai_asset *asset);

/* Open, ask, close. */
ossa_status scene_read_mesh(ossa_context *context, scene *s, const ossa_read_options *options, ossa_mesh **mesh);
ossa_status scene_read_rig(ossa_context *context, scene *s, const ossa_read_options *options, ossa_rig **rig);
ossa_status scene_read_animation(
	ossa_context *context, scene *s, const ossa_read_options *options, ossa_mesh **mesh, ossa_frames **frames);
ossa_status scene_read_clips(ossa_context *context, scene *s, size_t *count, ossa_clip_facts **clips);

#endif
