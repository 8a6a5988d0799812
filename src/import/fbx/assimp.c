/* import/fbx/assimp.c: see assimp.h: the outline.

   assimp decomposes what FBX's own toolkit would: pivots, pre- and post-rotations and Euler curves
   become translation, rotation and scale, by AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS off. Units and
   axes are taken from the file's own settings. No post-processing is asked for: polygons stay as
   they are. assimp trusts files too much: fbx_guard.c checks them first, and assimp_process.c
   isolates the remaining risk in a process. */
#include "import/fbx/assimp.h"

#include "base/file.h"
#include "base/search.h"
#include "import/fbx/fbx_guard.h"
#include "math/affine.h"

#include <assimp/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ossa_status no_memory(const ossai_assimp *reader) { return ossa_context_error(reader->context)->status; }

/* ---- the tree ---- */

static ossa_status add_node(ossai_assimp *reader, const struct aiNode *node, uint32_t parent)
{
	const size_t count = reader->node_count;
	OSSAI_TRY(ossai_reserve(reader->context, &reader->nodes, &reader->node_capacity, count, sizeof *reader->nodes));
	OSSAI_TRY(ossai_reserve(reader->context, &reader->parents, &reader->parent_capacity, count, sizeof *reader->parents));
	reader->nodes[count] = node;
	reader->parents[count] = parent;
	reader->node_count++;
	return OSSA_OK;
}

/* level by level */
static ossa_status list_nodes(ossai_assimp *reader)
{
	OSSAI_TRY(add_node(reader, reader->scene->mRootNode, OSSA_NONE));
	for (size_t n = 0; n < reader->node_count; n++) {
		for (unsigned i = 0; i < reader->nodes[n]->mNumChildren; i++) {
			OSSAI_TRY(add_node(reader, reader->nodes[n]->mChildren[i], (uint32_t)n));
		}
	}
	return OSSA_OK;
}

static int compare_names(const void *a, const void *b)
{
	const ossai_assimp_name *x = a, *y = b;
	const int order = strcmp(x->name, y->name);
	return order ? order : (x->node > y->node) - (x->node < y->node);
}

static ossa_status sort_names(ossai_assimp *reader)
{
	ossai_arena *arena = &reader->asset->arena;
	reader->names = ossai_arena_new(arena, reader->node_count, sizeof *reader->names);
	reader->mesh_of_node = ossai_arena_new(arena, reader->node_count, sizeof *reader->mesh_of_node);
	reader->joint_of_node = ossai_arena_new(arena, reader->node_count, sizeof *reader->joint_of_node);
	reader->model_of_node = ossai_arena_zero(arena, reader->node_count, sizeof *reader->model_of_node);
	if (!reader->names || !reader->mesh_of_node || !reader->joint_of_node || !reader->model_of_node) return no_memory(reader);
	for (size_t n = 0; n < reader->node_count; n++) {
		reader->names[n] = (ossai_assimp_name){reader->nodes[n]->mName.data, (uint32_t)n};
		reader->mesh_of_node[n] = reader->joint_of_node[n] = OSSA_NONE;
	}
	qsort(reader->names, reader->node_count, sizeof *reader->names, compare_names);
	return OSSA_OK;
}

uint32_t ossai_assimp_find(ossai_assimp *reader, const char *name)
{
	const ossai_assimp_name key = {name, 0};
	const size_t at = ossai_search(&key, reader->names, reader->node_count, sizeof key, compare_names);
	if (at == reader->node_count || strcmp(reader->names[at].name, name) != 0) return OSSA_NONE;
	if (at + 1 < reader->node_count && strcmp(reader->names[at + 1].name, name) == 0) reader->ambiguous++;
	return reader->names[at].node;
}

/* ---- models ---- */

/* a node that assimp adds to a model for a part of its transform */
static bool is_added(const struct aiNode *node) { return strstr(node->mName.data, "_$AssimpFbx$_") != NULL; }

/* assimp numbers models of one name: "Head", "Head001" */
static bool is_named_after(const struct aiNode *node, ossai_word model)
{
	return strncmp(node->mName.data, model.bytes, model.size) == 0;
}

/* models and nodes are one tree, in one order, but for the nodes that assimp adds: `next` is how
   many models below the parent have nodes already */
static ossa_status find_models(ossai_assimp *reader)
{
	size_t *next = ossai_arena_zero(&reader->asset->arena, reader->node_count, sizeof *next);
	uint32_t *owner = ossai_arena_zero(&reader->asset->arena, reader->node_count, sizeof *owner);
	if (!next || !owner) return no_memory(reader);
	for (uint32_t n = 1; n < reader->node_count; n++) {
		const uint32_t above = owner[reader->parents[n]];
		const int64_t parent = reader->model_of_node[above];
		owner[n] = is_added(reader->nodes[n]) ? above : n;
		reader->model_of_node[n] = parent;
		if (owner[n] != n) continue;
		const ossai_fbx_child *model = ossai_fbx_child_at(&reader->weights, parent, next[above]++);
		const bool is_known = model && (above == 0 || parent != OSSAI_FBX_ROOT) &&
			is_named_after(reader->nodes[n], model->name);
		reader->model_of_node[n] = is_known ? model->model : OSSAI_FBX_ROOT;
	}
	return OSSA_OK;
}

/* ---- units and axes ---- */

/* a number of the scene's settings, whatever its type */
static double setting(const struct aiScene *scene, const char *name, double fallback)
{
	const struct aiMetadata *data = scene->mMetaData;
	for (unsigned i = 0; data && i < data->mNumProperties; i++) {
		const struct aiMetadataEntry *entry = &data->mValues[i];
		int32_t whole;
		float single;
		double real;
		if (strcmp(data->mKeys[i].data, name) != 0) continue;
		if (entry->mType == AI_INT32) return memcpy(&whole, entry->mData, sizeof whole), (double)whole;
		if (entry->mType == AI_FLOAT) return memcpy(&single, entry->mData, sizeof single), (double)single;
		if (entry->mType == AI_DOUBLE) return memcpy(&real, entry->mData, sizeof real), real;
	}
	return fallback;
}

/* an axis of the file and its sign; false where the settings name none */
static bool read_axis(
	const struct aiScene *scene, const char *axis, const char *sign, double fallback, int *which, double *direction)
{
	const double value = setting(scene, axis, fallback);
	*which = value == 0 ? 0 : value == 1 ? 1 : 2;
	*direction = setting(scene, sign, 1) < 0 ? -1 : 1;
	return value == 0 || value == 1 || value == 2;
}

/* FBX's unit is the centimetre, times a factor. Its axes are three: up, towards the viewer, to the
   right; what is not one of the two usual sets is brought to Y up here. */
static void read_space(ossai_assimp *reader)
{
	const struct aiScene *scene = reader->scene;
	const double factor = setting(scene, "UnitScaleFactor", 1);
	int axes[3];
	double signs[3];
	const bool known = read_axis(scene, "CoordAxis", "CoordAxisSign", 0, &axes[0], &signs[0]) &&
		read_axis(scene, "UpAxis", "UpAxisSign", 1, &axes[1], &signs[1]) &&
		read_axis(scene, "FrontAxis", "FrontAxisSign", 2, &axes[2], &signs[2]);
	reader->asset->unit = 0.01 * (factor > 0 && isfinite(factor) ? factor : 1);
	reader->asset->up = axes[1] == 2 ? OSSA_UP_Z : OSSA_UP_Y;
	reader->axes = ossai_affine_identity();
	const bool differ = axes[0] != axes[1] && axes[1] != axes[2] && axes[2] != axes[0];
	const bool y_up = axes[1] == 1 && axes[2] == 2 && signs[0] + signs[1] + signs[2] == 3;
	const bool z_up = axes[1] == 2 && axes[2] == 1 && signs[0] == 1 && signs[1] == 1 && signs[2] == -1;
	if (!known || !differ || y_up || z_up) return;
	reader->asset->up = OSSA_UP_Y;
	for (int row = 0; row < 3; row++) {
		for (int k = 0; k < 3; k++) reader->axes.r.m[row][k] = axes[row] == k ? signs[row] : 0;
	}
}

/* ---- what assimp does not give ---- */

static bool has_shapes(const struct aiScene *scene)
{
	for (unsigned m = 0; m < scene->mNumMeshes; m++) {
		if (scene->mMeshes[m]->mNumAnimMeshes > 0) return true;
	}
	return false;
}

static bool mentions(const ossai_source *source, const char *word)
{
	const size_t length = strlen(word);
	const uint8_t *at = source->bytes, *end = source->bytes + source->size;
	while (at && (size_t)(end - at) >= length) {
		if (memcmp(at, word, length) == 0) return true;
		at = memchr(at + 1, word[0], (size_t)(end - at) - 1);
	}
	return false;
}

static void warn_of_losses(const ossai_assimp *reader)
{
	const char *file = reader->source->path;
	if (!has_shapes(reader->scene) && mentions(reader->source, "BlendShapeChannel")) {
		ossai_warn(reader->context, "fbx-shapes", 1,
			"%s: its blend shapes are in a form that cannot be read: the mesh moves by its joints alone", file);
	}
	if (reader->unplaced > 0) {
		ossai_warn(reader->context, "fbx-shapes", reader->unplaced,
			"%s: the blend shapes of meshes have no weights at rest: their models are not where the file says", file);
	}
	if (reader->ambiguous > 0) {
		ossai_warn(reader->context, "fbx-names", reader->ambiguous,
			"%s: joints or animations name a node by a name that several have: the first of them is taken", file);
	}
	if (reader->lines > 0) {
		ossai_warn(reader->context, "fbx-faces", reader->lines, "%s: faces of fewer than three corners are left out", file);
	}
}

/* ---- the file ---- */

static ossa_status read_scene(ossai_assimp *reader)
{
	OSSAI_TRY(list_nodes(reader));
	OSSAI_TRY(sort_names(reader));
	read_space(reader);
	OSSAI_TRY(ossai_assimp_read_nodes(reader));
	OSSAI_TRY(ossai_assimp_read_materials(reader));
	if (reader->scene->mNumMeshes > 0)
		OSSAI_TRY(ossai_fbx_read_weights(&reader->asset->arena, reader->source, &reader->weights));
	OSSAI_TRY(find_models(reader));
	OSSAI_TRY(ossai_assimp_list_scene(reader));
	OSSAI_TRY(ossai_assimp_read_meshes(reader));
	OSSAI_TRY(ossai_assimp_read_clips(reader));
	warn_of_losses(reader);
	return OSSA_OK;
}

ossa_status ossai_fbx_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset)
{
	ossai_assimp reader = {.context = context, .source = source, .asset = asset};
	OSSAI_TRY(ossai_fbx_check(context, source, &reader.unpacked));
	if (source->size > UINT32_MAX) return ossai_asset_fail(asset, "is larger than 4 GB, more than assimp reads");
	OSSAI_TRY(ossai_fbx_names_apart(&asset->arena, source, &reader.apart));
	reader.source = &reader.apart.source;
	ossa_status status = ossai_assimp_import(&reader);
	if (status == OSSA_OK) status = read_scene(&reader);
	ossai_assimp_release(&reader);
	ossa_free(context, reader.nodes);
	ossa_free(context, reader.parents);
	return status;
}
