/* export/scene_left_out.c: see scene_left_out.h. */
#include "export/scene_left_out.h"

#include "base/context.h"
#include "scene/document.h"
#include "scene/sets.h"

#include <stdio.h>
#include <string.h>

static size_t count_in_extension(const json_t *root, const char *extension, const char *list)
{
	return json_array_size(json_object_get(json_object_get(json_object_get(root, "extensions"), extension), list));
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

/* clear coats, sheens and the like: the model of materials that all formats share has none, but
   the strength of glows; specular colours are counted by themselves */
static size_t count_materials(const json_t *root, const json_t *written)
{
	const json_t *materials = json_object_get(root, "materials"), *material;
	size_t m, count = 0;
	json_array_foreach(materials, m, material)
	{
		const json_t *extensions = json_object_get(material, "extensions");
		const bool has_strength = json_object_get(extensions, "KHR_materials_emissive_strength") != NULL;
		const bool has_specular = json_object_get(extensions, specular) != NULL;
		const size_t known = (has_strength ? 1U : 0U) + (has_specular ? 1U : 0U);
		count += json_object_size(extensions) > known && !is_written(written, material);
	}
	return count;
}

/* materials of specular colour and glossiness, of which others have the diffuse colour */
static size_t count_specular(const json_t *root, const json_t *written)
{
	const json_t *material;
	size_t m, count = 0;
	json_array_foreach(json_object_get(root, "materials"), m, material)
	{
		const bool has_specular = json_object_get(json_object_get(material, "extensions"), specular) != NULL;
		count += has_specular && !is_written(written, material);
	}
	return count;
}

/* ---- geometry ---- */

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

/* primitives with tangents: no other format is written with them */
static size_t count_tangents(const json_t *root)
{
	const json_t *mesh, *primitive;
	size_t m, p, count = 0;
	json_array_foreach(json_object_get(root, "meshes"), m, mesh)
	{
		json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
		{
			count += json_object_get(json_object_get(primitive, "attributes"), "TANGENT") != NULL;
		}
	}
	return count;
}

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

/* textures with filters that none of `written`, which may be NULL, has */
static size_t count_filters(const json_t *root, const json_t *written)
{
	const json_t *texture;
	size_t t, count = 0;
	bool is_there[4] = {true, false, false, false};
	json_array_foreach(json_object_get(written, "textures"), t, texture)
	{
		is_there[nearest_of(sampler_of(written, texture))] = true;
	}
	json_array_foreach(json_object_get(root, "textures"), t, texture)
	{
		count += !is_there[nearest_of(sampler_of(root, texture))];
	}
	return count;
}

/* ---- extensions ---- */

/* nodes that are shown in place of others from afar */
static size_t count_levels(const json_t *root)
{
	const json_t *node;
	size_t n, count = 0;
	json_array_foreach(json_object_get(root, "nodes"), n, node)
	{
		const json_t *levels = json_object_get(json_object_get(node, "extensions"), "MSFT_lod");
		count += json_array_size(json_object_get(levels, "ids"));
	}
	return count;
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

/* extensions of all items below this one that ossa does not know; those of materials are counted
   by themselves, and extras are anything */
static size_t count_unknown(const json_t *item)
{
	const char *key;
	json_t *value;
	size_t i, count = 0;
	json_array_foreach(item, i, value) count += count_unknown(value);
	json_object_foreach(json_object_get(item, "extensions"), key, value) count += !is_counted(key);
	json_object_foreach((json_t *)(uintptr_t)item, key, value)
	{
		if (strcmp(key, "extras") != 0 && strcmp(key, "extensions") != 0 && strcmp(key, "materials") != 0)
			count += count_unknown(value);
	}
	return count;
}

/* ---- nodes that hold nothing ---- */

typedef struct node_marks {
	size_t count;
	size_t *parent;   /* `count`: none */
	uint8_t *is_used; /* what other formats have is in it or below */
} node_marks;

static void use_node(const node_marks *marks, size_t node)
{
	for (; node < marks->count && !marks->is_used[node]; node = marks->parent[node]) marks->is_used[node] = 1;
}

/* what is counted by itself, and ends of bones that ossa put there */
static bool holds_something(const json_t *node)
{
	const json_t *own = json_object_get(json_object_get(node, "extras"), "ossa");
	return json_object_get(node, "mesh") || json_object_get(node, "camera") || json_object_get(own, "end") ||
		json_object_get(json_object_get(node, "extensions"), "KHR_lights_punctual");
}

static void find_parents(const json_t *nodes, const node_marks *marks)
{
	const json_t *node, *child;
	size_t n, c;
	for (n = 0; n < marks->count; n++) marks->parent[n] = marks->count;
	json_array_foreach(nodes, n, node)
	{
		json_array_foreach(json_object_get(node, "children"), c, child)
		{
			const json_int_t index = json_integer_value(child);
			if (index >= 0 && (size_t)index < marks->count) marks->parent[index] = n;
		}
	}
}

static ossa_status count_empty_nodes(ossai_arena *arena, const json_t *root, size_t *count)
{
	const json_t *nodes = json_object_get(root, "nodes"), *node, *skin, *joint;
	size_t n, s, j;
	node_marks marks = {.count = json_array_size(nodes)};
	marks.parent = ossai_arena_new(arena, marks.count, sizeof *marks.parent);
	marks.is_used = ossai_arena_zero(arena, marks.count, 1);
	if (!marks.parent || !marks.is_used) return ossa_context_error(arena->context)->status;
	find_parents(nodes, &marks);
	json_array_foreach(nodes, n, node)
	{
		if (holds_something(node)) use_node(&marks, n);
	}
	json_array_foreach(json_object_get(root, "skins"), s, skin)
	{
		json_array_foreach(json_object_get(skin, "joints"), j, joint) use_node(&marks, (size_t)json_integer_value(joint));
	}
	for (n = 0; n < marks.count; n++) *count += !marks.is_used[n];
	return OSSA_OK;
}

/* ---- extras ---- */

/* other than ossa's own, and the names of morph targets, which all formats have */
static bool has_extras(const json_t *item)
{
	const json_t *extras = json_object_get(item, "extras");
	const size_t known = (json_object_get(extras, "ossa") ? 1U : 0U) + (json_object_get(extras, "targetNames") ? 1U : 0U);
	return json_is_object(extras) ? json_object_size(extras) > known : extras != NULL;
}

static size_t count_extras(const json_t *root, const json_t *written)
{
	static const char *const lists[] = {"scenes", "nodes", "meshes", "textures", "images", "skins", "animations"};
	const json_t *item;
	size_t k, count = (has_extras(root) ? 1U : 0U) + (has_extras(json_object_get(root, "asset")) ? 1U : 0U);
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		json_array_foreach(json_object_get(root, lists[i]), k, item) count += has_extras(item);
	}
	json_array_foreach(json_object_get(root, "materials"), k, item) count += has_extras(item) && !is_written(written, item);
	return count;
}

/* ---- all ---- */

typedef struct loss {
	size_t count; /* of all */
	char words[360];
} loss;

static void add_loss(loss *all, const char *what, size_t count)
{
	if (count == 0) return;
	const size_t used = strlen(all->words);
	snprintf(all->words + used, sizeof all->words - used, "%s%s %zu", used > 0 ? ", " : "", what, count);
	all->count += count;
}

/* written: a file that has some of the materials, or NULL */
static ossa_status find_losses(ossa_context *context, const json_t *root, const json_t *written, loss *all)
{
	size_t empty = 0;
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = count_empty_nodes(&arena, root, &empty);
	ossai_arena_end(&arena);
	add_loss(all, "cameras", json_array_size(json_object_get(root, "cameras")));
	add_loss(all, "lights", count_in_extension(root, "KHR_lights_punctual", "lights"));
	add_loss(all, "material variants", count_in_extension(root, "KHR_materials_variants", "variants"));
	add_loss(all, "levels of detail", count_levels(root));
	add_loss(all, "materials with extensions", count_materials(root, written));
	add_loss(all, "specular colours of materials", count_specular(root, written));
	add_loss(all, "primitives with attributes of their own", count_attributes(root));
	/* levels of detail have their tangents */
	add_loss(all, "primitives with tangents", written ? 0 : count_tangents(root));
	add_loss(all, "textures with nearest filters", count_filters(root, written));
	add_loss(all, "nodes that hold nothing, as sockets", empty);
	add_loss(all, "other extensions", count_unknown(root));
	add_loss(all, "extras", count_extras(root, written));
	return status;
}

ossa_status ossai_warn_of_scene(ossa_context *context, const ossa_mesh *mesh, const char *path)
{
	loss all = {0};
	if (!mesh->document) return OSSA_OK;
	OSSAI_TRY(find_losses(context, mesh->document->root, NULL, &all));
	if (all.count == 0) return OSSA_OK;
	ossai_warn(context, "scene-left-out", (int64_t)all.count, "%s: is written without what only glTF holds of its file: %s",
		path, all.words);
	return OSSA_OK;
}

void ossai_warn_of_loose_textures(ossa_context *context, const ossa_mesh *mesh, const char *path)
{
	const size_t count = ossai_count_loose_textures(mesh);
	if (count == 0) return;
	ossai_warn(context, "texture-uvs", (int64_t)count,
		"%s: materials have textures that lie by UV sets that the mesh does not have; they are left out", path);
}

ossa_status ossai_warn_of_level(ossa_context *context, const ossa_mesh *mesh, const json_t *written)
{
	loss all = {0};
	if (!mesh->document) return OSSA_OK;
	OSSAI_TRY(find_losses(context, mesh->document->root, written, &all));
	if (all.count == 0) return OSSA_OK;
	ossai_warn(context, "scene-left-out", (int64_t)all.count,
		"%s: is written as a level of detail, without what else is in its file: %s", mesh->document->path, all.words);
	return OSSA_OK;
}
