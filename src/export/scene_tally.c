/* export/scene_tally.c: see scene_tally.h. */
#include "export/scene_tally.h"

#include <string.h>

void ossai_tally_add(ossai_scene_tally *all, const json_t *item)
{
	all->count++;
	if (!all->example) all->example = json_string_value(json_object_get(item, "name"));
}

ossai_scene_tally ossai_tally_list(const json_t *list)
{
	ossai_scene_tally all = {0};
	const json_t *item;
	size_t i;
	json_array_foreach(list, i, item) ossai_tally_add(&all, item);
	return all;
}

ossai_scene_tally ossai_tally_extension(const json_t *root, const char *extension, const char *list)
{
	return ossai_tally_list(json_object_get(json_object_get(json_object_get(root, "extensions"), extension), list));
}

/* ---- materials ---- */

static bool has_same_keys(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *value;
	if (json_object_size(a) != json_object_size(b)) return false;
	json_object_foreach((json_t *)(uintptr_t)a, key, value)
	{
		if (!json_object_get(b, key)) return false;
	}
	return true;
}

/* whether a file that is written has the material of that name, with its extensions and extras */
static bool is_written(const json_t *written, const json_t *material)
{
	const json_t *item;
	size_t i;
	json_array_foreach(json_object_get(written, "materials"), i, item)
	{
		const json_t *extras[2] = {json_object_get(item, "extras"), json_object_get(material, "extras")};
		if (!json_equal(json_object_get(item, "name"), json_object_get(material, "name"))) continue;
		if (extras[0] != extras[1] && !json_equal(extras[0], extras[1])) continue;
		if (has_same_keys(json_object_get(item, "extensions"), json_object_get(material, "extensions"))) return true;
	}
	return false;
}

static const char specular[] = "KHR_materials_pbrSpecularGlossiness";

ossai_scene_tally ossai_tally_materials(const json_t *root, const json_t *written)
{
	const json_t *materials = json_object_get(root, "materials"), *material;
	ossai_scene_tally all = {0};
	size_t m;
	json_array_foreach(materials, m, material)
	{
		const json_t *extensions = json_object_get(material, "extensions");
		const bool has_strength = json_object_get(extensions, "KHR_materials_emissive_strength") != NULL;
		const bool has_specular = json_object_get(extensions, specular) != NULL;
		const size_t known = (has_strength ? 1U : 0U) + (has_specular ? 1U : 0U);
		if (json_object_size(extensions) > known && !is_written(written, material)) ossai_tally_add(&all, material);
	}
	return all;
}

ossai_scene_tally ossai_tally_specular(const json_t *root, const json_t *written)
{
	const json_t *material;
	ossai_scene_tally all = {0};
	size_t m;
	json_array_foreach(json_object_get(root, "materials"), m, material)
	{
		const bool has_specular = json_object_get(json_object_get(material, "extensions"), specular) != NULL;
		if (has_specular && !is_written(written, material)) ossai_tally_add(&all, material);
	}
	return all;
}

/* ---- geometry ---- */

static bool is_own(const char *attribute) { return attribute[0] == '_'; }

static bool is_tangent(const char *attribute) { return strcmp(attribute, "TANGENT") == 0; }

/* the primitives that have such an attribute */
static ossai_scene_tally tally_primitives(const json_t *root, bool (*is_such)(const char *attribute))
{
	const json_t *mesh, *primitive;
	ossai_scene_tally all = {0};
	size_t m, p;
	json_array_foreach(json_object_get(root, "meshes"), m, mesh)
	{
		json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
		{
			const char *name;
			json_t *value;
			bool has_such = false;
			json_object_foreach(json_object_get(primitive, "attributes"), name, value) has_such |= is_such(name);
			if (has_such) ossai_tally_add(&all, mesh);
		}
	}
	return all;
}

ossai_scene_tally ossai_tally_attributes(const json_t *root) { return tally_primitives(root, is_own); }

ossai_scene_tally ossai_tally_tangents(const json_t *root) { return tally_primitives(root, is_tangent); }

/* ---- textures ---- */

static json_int_t filter_of(const json_t *sampler, const char *key)
{
	return json_integer_value(json_object_get(sampler, key));
}

/* whether pixels are shown as squares: 1 near, 2 from afar, 3 both; 0: smooth, as where nothing is
   said */
static unsigned nearest_of(const json_t *sampler)
{
	enum { NEAREST = 9728, NEAREST_MIPMAP_NEAREST = 9984, NEAREST_MIPMAP_LINEAR = 9986 };
	const json_int_t far = filter_of(sampler, "minFilter");
	const bool is_far = far == NEAREST || far == NEAREST_MIPMAP_NEAREST || far == NEAREST_MIPMAP_LINEAR;
	return (filter_of(sampler, "magFilter") == NEAREST ? 1U : 0U) + (is_far ? 2U : 0U);
}

static const json_t *sampler_of(const json_t *root, const json_t *texture)
{
	const json_t *index = json_object_get(texture, "sampler");
	if (!json_is_integer(index) || json_integer_value(index) < 0) return NULL;
	return json_array_get(json_object_get(root, "samplers"), (size_t)json_integer_value(index));
}

ossai_scene_tally ossai_tally_filters(const json_t *root, const json_t *written)
{
	const json_t *texture;
	ossai_scene_tally all = {0};
	size_t t;
	bool is_there[4] = {true, false, false, false};
	json_array_foreach(json_object_get(written, "textures"), t, texture)
	{
		is_there[nearest_of(sampler_of(written, texture))] = true;
	}
	json_array_foreach(json_object_get(root, "textures"), t, texture)
	{
		if (!is_there[nearest_of(sampler_of(root, texture))]) ossai_tally_add(&all, texture);
	}
	return all;
}

/* ---- extensions ---- */

ossai_scene_tally ossai_tally_levels(const json_t *root)
{
	const json_t *nodes = json_object_get(root, "nodes"), *node, *level;
	ossai_scene_tally all = {0};
	size_t n, i;
	json_array_foreach(nodes, n, node)
	{
		const json_t *levels = json_object_get(json_object_get(node, "extensions"), "MSFT_lod");
		json_array_foreach(json_object_get(levels, "ids"), i, level)
			ossai_tally_add(&all, json_array_get(nodes, (size_t)json_integer_value(level)));
	}
	return all;
}

/* those that are counted by themselves, and those whose contents the mesh has */
static bool is_counted(const char *extension)
{
	static const char *const names[] = {"KHR_lights_punctual", "KHR_materials_variants", "MSFT_lod",
		"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_transform", "EXT_texture_webp",
		"KHR_texture_basisu"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(names[i], extension) == 0) return true;
	}
	return false;
}

void ossai_tally_unknown(const json_t *item, ossai_scene_tally *all)
{
	const char *key;
	json_t *value;
	size_t i;
	json_array_foreach(item, i, value) ossai_tally_unknown(value, all);
	json_object_foreach(json_object_get(item, "extensions"), key, value)
	{
		if (!is_counted(key)) ossai_tally_add(all, item);
	}
	json_object_foreach((json_t *)(uintptr_t)item, key, value)
	{
		if (strcmp(key, "extras") != 0 && strcmp(key, "extensions") != 0 && strcmp(key, "materials") != 0)
			ossai_tally_unknown(value, all);
	}
}

/* ---- extras ---- */

/* other than ossa's own, and the names of morph targets, which all formats have */
static bool has_extras(const json_t *item)
{
	const json_t *extras = json_object_get(item, "extras");
	const size_t known = (json_object_get(extras, "ossa") ? 1U : 0U) + (json_object_get(extras, "targetNames") ? 1U : 0U);
	return json_is_object(extras) ? json_object_size(extras) > known : extras != NULL;
}

ossai_scene_tally ossai_tally_extras(const json_t *root, const json_t *written)
{
	static const char *const lists[] = {"scenes", "nodes", "meshes", "textures", "images", "skins", "animations"};
	const json_t *item;
	size_t k;
	ossai_scene_tally all = {(has_extras(root) ? 1U : 0U) + (has_extras(json_object_get(root, "asset")) ? 1U : 0U), NULL};
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		json_array_foreach(json_object_get(root, lists[i]), k, item)
		{
			if (has_extras(item)) ossai_tally_add(&all, item);
		}
	}
	json_array_foreach(json_object_get(root, "materials"), k, item)
	{
		if (has_extras(item) && !is_written(written, item)) ossai_tally_add(&all, item);
	}
	return all;
}
