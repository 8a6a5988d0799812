/* import/assimp.c: see assimp.h: the outline.

   assimp takes apart what FBX's own toolkit would: pivots, pre- and post-rotations and Euler curves become translation, rotation
   and scale, by AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS off. Units and axes are taken from the file's own settings. No post-processing is
   asked for: polygons stay as they are.
   assimp's memory is not the context's: fbx_guard.c sees to it that a file cannot ask for more than the context's limit. */
#include "import/assimp.h"

#include "base/file.h"
#include "import/fbx_guard.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ossa_status no_memory(const ossai_assimp *reader) { return ossa_context_error(reader->context)->status; }

/* ---- the tree ---- */

static ossa_status add_node(ossai_assimp *reader, const struct aiNode *node, uint32_t parent)
{
	const size_t count = reader->node_count;
	OSSAI_TRY(ossai_reserve(reader->context, &reader->nodes, &reader->node_room, count, sizeof *reader->nodes));
	OSSAI_TRY(ossai_reserve(reader->context, &reader->parents, &reader->parent_room, count, sizeof *reader->parents));
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
	if (!reader->names || !reader->mesh_of_node || !reader->joint_of_node) return no_memory(reader);
	for (size_t n = 0; n < reader->node_count; n++) {
		reader->names[n] = (ossai_assimp_name){reader->nodes[n]->mName.data, (uint32_t)n};
		reader->mesh_of_node[n] = reader->joint_of_node[n] = OSSA_NONE;
	}
	qsort(reader->names, reader->node_count, sizeof *reader->names, compare_names);
	return OSSA_OK;
}

uint32_t ossai_assimp_find(ossai_assimp *reader, const char *name)
{
	size_t low = 0, high = reader->node_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (strcmp(reader->names[middle].name, name) < 0) low = middle + 1;
		else high = middle;
	}
	if (low == reader->node_count || strcmp(reader->names[low].name, name) != 0) return OSSA_NONE;
	if (low + 1 < reader->node_count && strcmp(reader->names[low + 1].name, name) == 0) reader->ambiguous++;
	return reader->names[low].node;
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

/* FBX's unit is the centimetre, times a factor */
static void read_space(ossai_assimp *reader)
{
	const double factor = setting(reader->scene, "UnitScaleFactor", 1), up = setting(reader->scene, "UpAxis", 1);
	reader->asset->unit = 0.01 * (factor > 0 && isfinite(factor) ? factor : 1);
	reader->asset->up = up == 2 ? OSSA_UP_Z : OSSA_UP_Y;
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
	const char *file = ossai_file_name(reader->source->path);
	if (!has_shapes(reader->scene) && mentions(reader->source, "BlendShapeChannel")) {
		ossai_warn(reader->context, "fbx-shapes", 1,
			"%s: its blend shapes are in a form that cannot be read: the mesh moves by its joints alone", file);
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

static ossa_status import_scene(ossai_assimp *reader)
{
	const ossai_source *source = reader->source;
	if (source->size > UINT32_MAX) return ossai_asset_fail(reader->asset, "is larger than 4 GB, more than assimp reads");
	struct aiPropertyStore *settings = aiCreatePropertyStore();
	if (settings) {
		aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, 0);
		reader->scene = aiImportFileFromMemoryWithProperties(
			(const char *)source->bytes, (unsigned)source->size, 0, "fbx", settings);
		aiReleasePropertyStore(settings);
	}
	if (reader->scene && reader->scene->mRootNode) return OSSA_OK;
	char said[160];
	snprintf(said, sizeof said, "%s", reader->scene ? "it holds no scene" : aiGetErrorString());
	for (char *at = said; *at; at++) {
		if ((unsigned char)*at < 32) *at = ' ';
	}
	return ossai_asset_fail(reader->asset, "cannot be read as FBX (assimp: %s): export it again as binary FBX 7.4", said);
}

static ossa_status read_scene(ossai_assimp *reader)
{
	OSSAI_TRY(list_nodes(reader));
	OSSAI_TRY(sort_names(reader));
	read_space(reader);
	OSSAI_TRY(ossai_assimp_read_nodes(reader));
	OSSAI_TRY(ossai_assimp_read_meshes(reader));
	OSSAI_TRY(ossai_assimp_read_clips(reader));
	warn_of_losses(reader);
	return OSSA_OK;
}

ossa_status ossai_fbx_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset)
{
	ossai_assimp reader = {.context = context, .source = source, .asset = asset};
	OSSAI_TRY(ossai_fbx_check(context, source));
	ossa_status status = import_scene(&reader);
	if (status == OSSA_OK) status = read_scene(&reader);
	aiReleaseImport(reader.scene);
	ossa_free(context, reader.nodes);
	ossa_free(context, reader.parents);
	return status;
}
