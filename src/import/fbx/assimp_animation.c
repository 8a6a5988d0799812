/* import/fbx/assimp_animation.c: nodes at rest and animations out of assimp's scene.

   Place in the path: inside the FBX reader.
   Input: aiNode, aiAnimation.
   Output: nodes with ops, clips with channels.  A node that any animation moves is translation,
   rotation and scale; any other keeps its matrix. Keys are what assimp makes of the file's curves:
   values at the keys' times, straight in between. */
#include "import/fbx/assimp.h"

#include "math/affine.h"

#include <assimp/scene.h>

#include <string.h>

enum { TRANSLATE, ROTATE, SCALE, PARTS };

static ossa_status no_memory(const ossai_assimp *reader) { return ossa_context_error(reader->context)->status; }

/* ---- nodes ---- */

ossai_rigid ossai_assimp_map(const struct aiMatrix4x4 *m)
{
	return (ossai_rigid){{{{m->a1, m->a2, m->a3}, {m->b1, m->b2, m->b3}, {m->c1, m->c2, m->c3}}}, {m->a4, m->b4, m->c4}};
}

static void set_matrix(ossai_op *op, const ossai_rigid *map)
{
	op->kind = OSSAI_OP_MATRIX;
	ossai_rigid_store(map, op->values);
	op->values[15] = 1;
}

/* a mirror becomes a negative scale of x */
static void set_parts(ossai_op *ops, const ossai_rigid *map)
{
	ossai_mat3 turn = map->r;
	double scale[3];
	for (int k = 0; k < 3; k++) {
		scale[k] = ossai_length(ossai_v3(turn.m[0][k], turn.m[1][k], turn.m[2][k]));
		if (k == 0 && ossai_mat3_det(&turn) < 0) scale[k] = -scale[k];
		for (int i = 0; i < 3; i++) turn.m[i][k] = scale[k] != 0 ? turn.m[i][k] / scale[k] : i == k;
	}
	const ossai_mat3 rotation = ossai_affine_rotation(&turn, NULL);
	ops[TRANSLATE].kind = OSSAI_OP_TRANSLATE;
	ossai_v3_store(map->t, ops[TRANSLATE].values);
	ops[ROTATE].kind = OSSAI_OP_ROTATE;
	ossai_quat_store(ossai_mat3_quat(&rotation), ops[ROTATE].values);
	ops[SCALE].kind = OSSAI_OP_SCALE;
	memcpy(ops[SCALE].values, scale, sizeof scale);
}

/* by node: whether an animation moves it */
static ossa_status find_animated(ossai_assimp *reader, uint8_t **animated)
{
	const struct aiScene *scene = reader->scene;
	*animated = ossai_arena_zero(&reader->asset->arena, reader->node_count, 1);
	if (!*animated) return no_memory(reader);
	for (unsigned a = 0; a < scene->mNumAnimations; a++) {
		const struct aiAnimation *animation = scene->mAnimations[a];
		for (unsigned c = 0; c < animation->mNumChannels; c++) {
			const uint32_t node = ossai_assimp_find(reader, animation->mChannels[c]->mNodeName.data);
			if (node != OSSA_NONE) (*animated)[node] = 1;
		}
	}
	/* names are asked for again when the channels are read, and counted then */
	reader->ambiguous = 0;
	return OSSA_OK;
}

/* whether the file says what kind of node it is (assimp_process.c), and whether it is a mere group:
   no bone, mesh, light or camera; assimp does not say more */
static bool says_kind(const struct aiNode *node) { return node->mMetaData && node->mMetaData->mValues[0].mData; }

static bool is_group(const struct aiNode *node)
{
	bool is_null = false;
	if (says_kind(node)) memcpy(&is_null, node->mMetaData->mValues[0].mData, sizeof is_null);
	return is_null;
}

static bool is_no_group(const struct aiNode *node) { return says_kind(node) && !is_group(node); }

/* Of a file without meshes: nodes that move and their descendants; where nothing moves, bones. */
static bool is_joint(const ossai_assimp *reader, size_t n, bool is_animated)
{
	const struct aiScene *scene = reader->scene;
	const uint32_t above = reader->parents[n];
	if (scene->mNumMeshes > 0 || n == 0) return false;
	if (is_animated || (above != OSSA_NONE && reader->asset->nodes[above].is_joint)) return true;
	return scene->mNumAnimations == 0 && scene->mNumCameras == 0 && scene->mNumLights == 0 && is_no_group(reader->nodes[n]);
}

static ossa_status read_node(ossai_assimp *reader, size_t n, bool is_animated)
{
	ossai_asset_node *node = &reader->asset->nodes[n];
	const ossai_rigid own = ossai_assimp_map(&reader->nodes[n]->mTransformation);
	const ossai_rigid map = n == 0 ? ossai_rigid_mul(&reader->axes, &own) : own;
	const uint32_t above = reader->parents[n];
	reader->world[n] = above == OSSA_NONE ? map : ossai_rigid_mul(&reader->world[above], &map);
	const char *name = ossai_fbx_whole_name(&reader->apart, reader->nodes[n]->mName.data);
	node->parent = above;
	node->op_count = is_animated ? PARTS : 1;
	node->ops = ossai_arena_zero(&reader->asset->arena, node->op_count, sizeof *node->ops);
	if (!node->ops) return no_memory(reader);
	if (is_animated) set_parts(node->ops, &map);
	else set_matrix(node->ops, &map);
	node->is_joint = is_joint(reader, n, is_animated);
	node->is_no_empty = !is_group(reader->nodes[n]);
	if (!name[0]) return OSSA_OK;
	node->name = ossai_asset_text(reader->asset, name, strlen(name));
	return node->name ? OSSA_OK : no_memory(reader);
}

ossa_status ossai_assimp_read_nodes(ossai_assimp *reader)
{
	ossai_asset *asset = reader->asset;
	uint8_t *animated;
	OSSAI_TRY(find_animated(reader, &animated));
	asset->nodes = ossai_arena_zero(&asset->arena, reader->node_count, sizeof *asset->nodes);
	reader->world = ossai_arena_new(&asset->arena, reader->node_count, sizeof *reader->world);
	if (!asset->nodes || !reader->world) return no_memory(reader);
	asset->node_count = reader->node_count;
	for (size_t n = 0; n < reader->node_count; n++) OSSAI_TRY(read_node(reader, n, animated[n]));
	return OSSA_OK;
}

/* ---- keys ---- */

/* what the channels of an animation share */
typedef struct track {
	ossai_assimp *reader;
	ossai_asset_clip *clip;
	double second; /* in ticks */
} track;

/* the next channel of the clip with capacity for its keys; NULL with the error set */
static ossai_asset_channel *add_channel(track *t, size_t keys, uint32_t width)
{
	ossai_arena *arena = &t->reader->asset->arena;
	ossai_asset_channel *channel = &t->clip->channels[t->clip->channel_count];
	*channel = (ossai_asset_channel){.node = OSSA_NONE, .width = width, .interpolation = OSSAI_LINEAR, .key_count = keys};
	channel->times = ossai_arena_new(arena, keys, sizeof *channel->times);
	channel->values = ossai_arena_new(arena, keys, width * sizeof *channel->values);
	if (!channel->times || !channel->values) return NULL;
	t->clip->channel_count++;
	return channel;
}

static ossa_status add_vectors(track *t, uint32_t node, uint32_t op, const struct aiVectorKey *keys, size_t count)
{
	if (count == 0) return OSSA_OK;
	ossai_asset_channel *channel = add_channel(t, count, 3);
	if (!channel) return no_memory(t->reader);
	channel->node = node;
	channel->op = op;
	for (size_t i = 0; i < count; i++) {
		channel->times[i] = keys[i].mTime / t->second;
		channel->values[3 * i] = keys[i].mValue.x;
		channel->values[3 * i + 1] = keys[i].mValue.y;
		channel->values[3 * i + 2] = keys[i].mValue.z;
	}
	return OSSA_OK;
}

static ossa_status add_rotations(track *t, uint32_t node, const struct aiQuatKey *keys, size_t count)
{
	if (count == 0) return OSSA_OK;
	ossai_asset_channel *channel = add_channel(t, count, 4);
	if (!channel) return no_memory(t->reader);
	channel->node = node;
	channel->op = ROTATE;
	for (size_t i = 0; i < count; i++) {
		const float q[4] = {keys[i].mValue.x, keys[i].mValue.y, keys[i].mValue.z, keys[i].mValue.w};
		channel->times[i] = keys[i].mTime / t->second;
		memcpy(channel->values + 4 * i, q, sizeof q);
	}
	return OSSA_OK;
}

static ossa_status read_node_channel(track *t, const struct aiNodeAnim *from)
{
	const uint32_t node = ossai_assimp_find(t->reader, from->mNodeName.data);
	if (node == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(add_vectors(t, node, TRANSLATE, from->mPositionKeys, from->mNumPositionKeys));
	OSSAI_TRY(add_rotations(t, node, from->mRotationKeys, from->mNumRotationKeys));
	return add_vectors(t, node, SCALE, from->mScalingKeys, from->mNumScalingKeys);
}

/* ---- shapes ---- */

/* how many keys of a shape there are */
static size_t count_weights(const struct aiMeshMorphAnim *from, uint32_t target)
{
	size_t count = 0;
	for (unsigned k = 0; k < from->mNumKeys; k++) {
		for (unsigned i = 0; i < from->mKeys[k].mNumValuesAndWeights; i++) count += from->mKeys[k].mValues[i] == target;
	}
	return count;
}

static ossa_status add_weights(track *t, const struct aiMeshMorphAnim *from, uint32_t mesh, uint32_t target)
{
	const size_t count = count_weights(from, target);
	if (count == 0) return OSSA_OK;
	ossai_asset_channel *channel = add_channel(t, count, 1);
	if (!channel) return no_memory(t->reader);
	channel->mesh = mesh;
	channel->first = target;
	for (unsigned k = 0, at = 0; k < from->mNumKeys; k++) {
		const struct aiMeshMorphKey *key = &from->mKeys[k];
		for (unsigned i = 0; i < key->mNumValuesAndWeights; i++) {
			if (key->mValues[i] != target) continue;
			channel->times[at] = key->mTime / t->second;
			channel->values[at++] = (float)key->mWeights[i];
		}
	}
	return OSSA_OK;
}

/* "node*0": the node, and which of its geometries */
static uint32_t mesh_of_shapes(ossai_assimp *reader, const char *name)
{
	char node_name[MAXLEN];
	const char *star = strrchr(name, '*');
	const size_t length = star ? (size_t)(star - name) : strlen(name);
	if (length >= sizeof node_name) return OSSA_NONE;
	memcpy(node_name, name, length);
	node_name[length] = 0;
	const uint32_t node = ossai_assimp_find(reader, node_name);
	return node == OSSA_NONE ? OSSA_NONE : reader->mesh_of_node[node];
}

static ossa_status read_shape_channels(track *t, const struct aiMeshMorphAnim *from)
{
	const uint32_t mesh = mesh_of_shapes(t->reader, from->mName.data);
	if (mesh == OSSA_NONE) return OSSA_OK;
	const size_t targets = t->reader->asset->meshes[mesh].target_count;
	for (uint32_t target = 0; target < targets; target++) OSSAI_TRY(add_weights(t, from, mesh, target));
	return OSSA_OK;
}

/* ---- clips ---- */

/* how many channels an animation can become */
static size_t count_channels(ossai_assimp *reader, const struct aiAnimation *animation)
{
	size_t count = PARTS * (size_t)animation->mNumChannels;
	for (unsigned c = 0; c < animation->mNumMorphMeshChannels; c++) {
		const uint32_t mesh = mesh_of_shapes(reader, animation->mMorphMeshChannels[c]->mName.data);
		if (mesh != OSSA_NONE) count += reader->asset->meshes[mesh].target_count;
	}
	return count;
}

static ossa_status read_clip(ossai_assimp *reader, const struct aiAnimation *animation, ossai_asset_clip *clip)
{
	track t = {reader, clip, animation->mTicksPerSecond > 0 ? animation->mTicksPerSecond : 1};
	clip->channels = ossai_arena_new(&reader->asset->arena, count_channels(reader, animation), sizeof *clip->channels);
	clip->name = ossai_asset_text(reader->asset, animation->mName.data, strlen(animation->mName.data));
	if (!clip->channels || !clip->name) return no_memory(reader);
	for (unsigned c = 0; c < animation->mNumChannels; c++) OSSAI_TRY(read_node_channel(&t, animation->mChannels[c]));
	for (unsigned c = 0; c < animation->mNumMorphMeshChannels; c++) {
		OSSAI_TRY(read_shape_channels(&t, animation->mMorphMeshChannels[c]));
	}
	return OSSA_OK;
}

ossa_status ossai_assimp_read_clips(ossai_assimp *reader)
{
	ossai_asset *asset = reader->asset;
	const struct aiScene *scene = reader->scene;
	asset->clips = ossai_arena_zero(&asset->arena, scene->mNumAnimations, sizeof *asset->clips);
	if (!asset->clips) return no_memory(reader);
	for (unsigned a = 0; a < scene->mNumAnimations; a++) {
		OSSAI_TRY(read_clip(reader, scene->mAnimations[a], &asset->clips[a]));
		asset->clip_count++;
	}
	return OSSA_OK;
}
