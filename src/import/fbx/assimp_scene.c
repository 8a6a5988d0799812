/* import/fbx/assimp_scene.c: cameras, lights, tangents and custom properties of an FBX file, which
   ossa only lists.

   Place in the path: inside the FBX reader, after nodes and weights.
   Input: assimp's scene.
   Output: items of the asset. */
#include "import/fbx/assimp.h"

#include <assimp/scene.h>

#include <string.h>

static const char *light_type(enum aiLightSourceType type)
{
	switch (type) {
	case aiLightSource_DIRECTIONAL: return "directional";
	case aiLightSource_POINT: return "point";
	case aiLightSource_SPOT: return "spot";
	case aiLightSource_AMBIENT: return "ambient";
	case aiLightSource_AREA: return "area";
	default: return "";
	}
}

static ossa_status add(ossai_assimp *reader, ossai_asset_item item, const struct aiString *name)
{
	const char *whole = ossai_fbx_whole_name(&reader->apart, name->data);
	item.name = ossai_asset_text(reader->asset, whole, strlen(whole));
	return item.name ? ossai_asset_add_item(reader->asset, &item) : ossa_context_error(reader->context)->status;
}

/* held by the node of its name */
static ossa_status add_held(ossai_assimp *reader, ossa_scene_kind kind, const struct aiString *name, const char *type)
{
	/* of several nodes of one name any will do */
	const int64_t ambiguous = reader->ambiguous;
	const uint32_t node = ossai_assimp_find(reader, name->data);
	reader->ambiguous = ambiguous;
	return add(reader, (ossai_asset_item){.kind = kind, .node = node, .type = type}, name);
}

/* assimp has a mesh for each material of a model's */
static ossa_status add_tangents(ossai_assimp *reader)
{
	for (uint32_t n = 0; n < reader->node_count; n++) {
		ossai_asset_item item = {.kind = OSSA_SCENE_TANGENTS, .node = n};
		for (; item.primitive < reader->nodes[n]->mNumMeshes; item.primitive++) {
			const unsigned m = reader->nodes[n]->mMeshes[item.primitive];
			if (m >= reader->scene->mNumMeshes || !reader->scene->mMeshes[m]->mTangents) continue;
			OSSAI_TRY(add(reader, item, &reader->scene->mMeshes[m]->mName));
		}
	}
	return OSSA_OK;
}

ossa_status ossai_assimp_list_scene(ossai_assimp *reader)
{
	const struct aiScene *scene = reader->scene;
	ossai_asset *asset = reader->asset;
	for (unsigned i = 0; i < scene->mNumCameras; i++) {
		const struct aiCamera *camera = scene->mCameras[i];
		const char *type = camera->mOrthographicWidth > 0 ? "orthographic" : "perspective";
		OSSAI_TRY(add_held(reader, OSSA_SCENE_CAMERA, &camera->mName, type));
	}
	for (unsigned i = 0; i < scene->mNumLights; i++)
		OSSAI_TRY(add_held(reader, OSSA_SCENE_LIGHT, &scene->mLights[i]->mName, light_type(scene->mLights[i]->mType)));
	asset->custom_count = reader->weights.custom_count;
	const ossai_word example = reader->weights.custom_example;
	if (asset->custom_count > 0 && !(asset->custom_example = ossai_asset_text(asset, example.bytes, example.size)))
		return ossa_context_error(reader->context)->status;
	return add_tangents(reader);
}
