/* import/gltf/gltf_scene.c: cameras, lights and tangents of a glTF file, which ossa only lists.

   Place in the path: inside the glTF reader, after the nodes.
   Input: the JSON.
   Output: items of the asset.
   Source: glTF 2.0 specification, 3.7.2.1 and 3.10; KHR_lights_punctual. */
#include "import/gltf/gltf_document.h"

#include <string.h>

/* the item of a list that `holder` names by `key`, or NULL */
static const json_t *named_item(const json_t *holder, const char *key, const json_t *list)
{
	size_t index;
	const json_t *value = json_object_get(holder, key);
	return value && ossai_gltf_is_whole(value, &index) ? json_array_get(list, index) : NULL;
}

/* what a node holds; *object NULL: nothing */
static ossa_status add_held(ossai_gltf *document, const json_t *object, ossa_scene_kind kind, size_t node)
{
	ossai_asset_item item = {.kind = kind, .node = (uint32_t)node};
	if (!object) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_text(document, object, "name", &item.name));
	OSSAI_TRY(ossai_gltf_text(document, object, "type", &item.type));
	return ossai_asset_add_item(document->asset, &item);
}

static ossa_status add_tangents(ossai_gltf *document, const json_t *mesh)
{
	ossai_asset_item item = {.kind = OSSA_SCENE_TANGENTS, .node = OSSA_NONE};
	const json_t *primitive;
	OSSAI_TRY(ossai_gltf_text(document, mesh, "name", &item.name));
	json_array_foreach(json_object_get(mesh, "primitives"), item.primitive, primitive)
	{
		if (json_object_get(json_object_get(primitive, "attributes"), "TANGENT"))
			OSSAI_TRY(ossai_asset_add_item(document->asset, &item));
	}
	return OSSA_OK;
}

ossa_status ossai_gltf_list_scene(ossai_gltf *document)
{
	static const char extension[] = "KHR_lights_punctual";
	const json_t *cameras = json_object_get(document->root, "cameras");
	const json_t *lights = json_object_get(json_object_get(json_object_get(document->root, "extensions"), extension), "lights");
	for (size_t n = 0; n < document->asset->node_count; n++) {
		const json_t *node = ossai_gltf_item(document, "nodes", n);
		const json_t *light = json_object_get(json_object_get(node, "extensions"), extension);
		OSSAI_TRY(add_held(document, named_item(node, "camera", cameras), OSSA_SCENE_CAMERA, n));
		OSSAI_TRY(add_held(document, named_item(light, "light", lights), OSSA_SCENE_LIGHT, n));
	}
	for (size_t m = 0; m < ossai_gltf_length(document, "meshes"); m++)
		OSSAI_TRY(add_tangents(document, ossai_gltf_item(document, "meshes", m)));
	return OSSA_OK;
}
