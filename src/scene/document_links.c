/* scene/document_links.c: visits of the numbers by which the parts of a glTF file name each other.

   Place in the path: beside the document.
   Input and output: JSON. */
#include "scene/document_links.h"

#include <string.h>

typedef struct visits {
	ossai_link_visit visit;
	void *user;
	bool whole; /* nothing has ended the visits */
} visits;

static void visit_number(visits *all, json_t *number)
{
	if (number && all->whole) all->whole = json_is_integer(number) && all->visit(all->user, number);
}

static void visit_key(visits *all, const json_t *object, const char *key) { visit_number(all, json_object_get(object, key)); }

static void visit_values(visits *all, json_t *object)
{
	const char *key;
	json_t *value;
	json_object_foreach(object, key, value) visit_number(all, value);
}

static void visit_items(visits *all, const json_t *array)
{
	json_t *value;
	size_t index;
	json_array_foreach(array, index, value) visit_number(all, value);
}

static const json_t *extension_of(const json_t *item, const char *name)
{
	return json_object_get(json_object_get(item, "extensions"), name);
}

/* ---- levels of detail ---- */

json_t *ossai_document_lods(const json_t *node) { return json_object_get(extension_of(node, "MSFT_lod"), "ids"); }

void ossai_document_note_lods(const json_t *node, uint32_t number, size_t count, uint32_t *base_of, uint32_t *level_of)
{
	json_t *id;
	size_t i;
	json_array_foreach(ossai_document_lods(node), i, id)
	{
		if (!json_is_integer(id) || json_integer_value(id) < 0 || (size_t)json_integer_value(id) >= count) continue;
		base_of[json_integer_value(id)] = number;
		if (level_of) level_of[json_integer_value(id)] = (uint32_t)i + 1;
	}
}

/* ---- accessors ---- */

/* of ossa's own: the originals of vertices that seams copied */
static void visit_own_extras(visits *all, const json_t *mesh)
{
	visit_key(all, json_object_get(json_object_get(mesh, "extras"), "ossa"), "copies");
}

static void visit_mesh_accessors(visits *all, const json_t *mesh)
{
	json_t *primitive, *target;
	size_t p, t;
	json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
	{
		visit_values(all, json_object_get(primitive, "attributes"));
		visit_key(all, primitive, "indices");
		json_array_foreach(json_object_get(primitive, "targets"), t, target) visit_values(all, target);
	}
	visit_own_extras(all, mesh);
}

static void visit_accessors(visits *all, const json_t *root)
{
	json_t *item, *sampler;
	size_t i, s;
	json_array_foreach(json_object_get(root, "meshes"), i, item) visit_mesh_accessors(all, item);
	json_array_foreach(json_object_get(root, "skins"), i, item) visit_key(all, item, "inverseBindMatrices");
	json_array_foreach(json_object_get(root, "animations"), i, item)
	{
		json_array_foreach(json_object_get(item, "samplers"), s, sampler)
		{
			visit_key(all, sampler, "input");
			visit_key(all, sampler, "output");
		}
	}
	json_array_foreach(json_object_get(root, "nodes"), i, item)
	{
		visit_values(all, json_object_get(extension_of(item, "EXT_mesh_gpu_instancing"), "attributes"));
	}
}

/* ---- buffer views and buffers ---- */

static void visit_views(visits *all, const json_t *root)
{
	json_t *item;
	size_t i;
	json_array_foreach(json_object_get(root, "accessors"), i, item)
	{
		const json_t *sparse = json_object_get(item, "sparse");
		visit_key(all, item, "bufferView");
		visit_key(all, json_object_get(sparse, "indices"), "bufferView");
		visit_key(all, json_object_get(sparse, "values"), "bufferView");
	}
	json_array_foreach(json_object_get(root, "images"), i, item) visit_key(all, item, "bufferView");
}

static void visit_buffers(visits *all, const json_t *root)
{
	json_t *item;
	size_t i;
	json_array_foreach(json_object_get(root, "bufferViews"), i, item) visit_key(all, item, "buffer");
}

/* ---- nodes ---- */

static void visit_nodes(visits *all, const json_t *root)
{
	json_t *item, *channel;
	size_t i, c;
	json_array_foreach(json_object_get(root, "scenes"), i, item) visit_items(all, json_object_get(item, "nodes"));
	json_array_foreach(json_object_get(root, "nodes"), i, item)
	{
		visit_items(all, json_object_get(item, "children"));
		visit_items(all, ossai_document_lods(item));
	}
	json_array_foreach(json_object_get(root, "skins"), i, item)
	{
		visit_items(all, json_object_get(item, "joints"));
		visit_key(all, item, "skeleton");
	}
	json_array_foreach(json_object_get(root, "animations"), i, item)
	{
		json_array_foreach(json_object_get(item, "channels"), c, channel)
		{
			visit_key(all, json_object_get(channel, "target"), "node");
		}
	}
}

/* one key of every node */
static void visit_each_node(visits *all, const json_t *root, const char *key)
{
	json_t *item;
	size_t i;
	json_array_foreach(json_object_get(root, "nodes"), i, item) visit_key(all, item, key);
}

bool ossai_document_visit(json_t *root, ossai_link kind, ossai_link_visit visit, void *user)
{
	visits all = {visit, user, true};
	switch (kind) {
	case OSSAI_LINK_ACCESSOR: visit_accessors(&all, root); break;
	case OSSAI_LINK_VIEW: visit_views(&all, root); break;
	case OSSAI_LINK_BUFFER: visit_buffers(&all, root); break;
	case OSSAI_LINK_NODE: visit_nodes(&all, root); break;
	case OSSAI_LINK_MESH: visit_each_node(&all, root, "mesh"); break;
	case OSSAI_LINK_SKIN: visit_each_node(&all, root, "skin"); break;
	}
	return all.whole;
}

/* ---- extensions ---- */

/* beginnings of the names of extensions that name textures, images, materials or lights alone, or
   what the visits know */
static const char *const known[] = {"KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_mesh_quantization", "KHR_xmp",
	"EXT_texture_", "EXT_mesh_gpu_instancing", "MSFT_lod", "MSFT_texture_", "VRMC_materials_", "VRMC_vrm", "VRM"};

bool ossai_document_has_strangers(const json_t *root)
{
	json_t *item;
	size_t i;
	json_array_foreach(json_object_get(root, "extensionsUsed"), i, item)
	{
		const char *name = json_string_value(item);
		bool is_known = !name;
		for (size_t k = 0; k < sizeof known / sizeof known[0] && !is_known; k++)
			is_known = strncmp(name, known[k], strlen(known[k])) == 0;
		if (!is_known) return true;
	}
	return false;
}
