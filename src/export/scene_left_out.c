/* export/scene_left_out.c: see scene_left_out.h. */
#include "export/scene_left_out.h"

#include "base/context.h"
#include "scene/document.h"

#include <stdio.h>
#include <string.h>

static size_t count_lights(const json_t *root)
{
	const json_t *lights = json_object_get(json_object_get(root, "extensions"), "KHR_lights_punctual");
	return json_array_size(json_object_get(lights, "lights"));
}

/* clear coats, sheens and the like: the model of materials that all formats share has none, but
   the strength of glows */
static size_t count_materials(const json_t *root)
{
	const json_t *materials = json_object_get(root, "materials"), *material;
	size_t m, count = 0;
	json_array_foreach(materials, m, material)
	{
		const json_t *extensions = json_object_get(material, "extensions");
		const bool has_strength = json_object_get(extensions, "KHR_materials_emissive_strength") != NULL;
		count += json_object_size(extensions) > (has_strength ? 1U : 0U);
	}
	return count;
}

/* primitives with attributes that glTF does not name, such as _WETNESS */
static size_t count_attributes(const json_t *root)
{
	const json_t *mesh, *primitive;
	size_t m, p, count = 0;
	json_array_foreach(json_object_get(root, "meshes"), m, mesh)
	{
		json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
		{
			const char *name;
			json_t *value;
			bool has_own = false;
			json_object_foreach(json_object_get(primitive, "attributes"), name, value) has_own |= name[0] == '_';
			count += has_own;
		}
	}
	return count;
}

void ossai_warn_of_scene(ossa_context *context, const ossa_mesh *mesh, const char *path)
{
	if (!mesh->document) return;
	const json_t *root = mesh->document->root;
	const struct {
		const char *what;
		size_t count;
	} parts[] = {{"cameras", json_array_size(json_object_get(root, "cameras"))}, {"lights", count_lights(root)},
		{"materials with extensions", count_materials(root)},
		{"primitives with attributes of their own", count_attributes(root)}};
	char words[160] = "";
	size_t all = 0;
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (parts[i].count == 0) continue;
		const size_t used = strlen(words);
		snprintf(words + used, sizeof words - used, "%s%s %zu", all > 0 ? ", " : "", parts[i].what, parts[i].count);
		all += parts[i].count;
	}
	if (all == 0) return;
	ossai_warn(
		context, "scene-left-out", (int64_t)all, "%s: is written without what only glTF holds of its file: %s", path, words);
}
