/* import/collada/collada_scene.c: cameras, lights, tangents and custom properties of a Collada
   file, which ossa only lists: see collada.h.

   Place in the path: after nodes and meshes.
   Input: instances of cameras and lights in nodes, inputs of primitives, <extra> of nodes.
   Output: items of the asset. */
#include "import/collada/collada.h"

#include <string.h>

static ossa_status no_copy(const ossai_dae *c, const char *text) { return text ? OSSA_OK : ossai_dae_lost(c); }

/* ---- cameras and lights ---- */

/* the one of these that is inside <technique_common>, "" where none is */
static const char *type_in(const ossai_dae *c, uint32_t common, const char *const *types, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (ossai_xml_child(&c->xml, common, types[i]) != OSSA_NONE) return types[i];
	}
	return "";
}

/* what is held by a node: each instance is one */
static ossa_status add_held(ossai_dae *c, uint32_t node, uint32_t instance)
{
	static const char *const cameras[] = {"perspective", "orthographic"};
	static const char *const lights[] = {"directional", "point", "spot", "ambient"};
	const bool is_camera = ossai_xml_is(&c->xml, instance, "instance_camera");
	if (!is_camera && !ossai_xml_is(&c->xml, instance, "instance_light")) return OSSA_OK;
	const uint32_t element = ossai_dae_target(c, instance, "url", is_camera ? "camera" : "light");
	const uint32_t optics = ossai_xml_at(&c->xml, element, "optics/technique_common");
	const uint32_t common = ossai_xml_child(&c->xml, element, "technique_common");
	const ossai_asset_item item = {.kind = is_camera ? OSSA_SCENE_CAMERA : OSSA_SCENE_LIGHT,
		.node = node,
		.type = is_camera ? type_in(c, optics, cameras, 2) : type_in(c, common, lights, 4)};
	return ossai_asset_add_item(c->asset, &item);
}

/* ---- custom properties ---- */

static void add_custom(ossai_dae *c, const char *name)
{
	if (c->asset->custom_count++ == 0) c->asset->custom_example = name;
}

/* what Blender writes for every node and bone; others inside are a person's */
static bool is_blenders_own(const char *name)
{
	static const char *const own[] = {"connect", "layer", "roll", "tip_x", "tip_y", "tip_z"};
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
		if (strcmp(name, own[i]) == 0) return true;
	}
	return false;
}

/* Maya lists what was added; 3ds Max has a text of all; Blender an element for each */
static ossa_status add_technique(ossai_dae *c, uint32_t technique)
{
	const bool is_blenders = ossai_word_is(ossai_xml_attribute_of(&c->xml, technique, "profile"), "blender");
	for (uint32_t e = ossai_xml_child(&c->xml, technique, NULL); e != OSSA_NONE; e = ossai_xml_next(&c->xml, e, NULL)) {
		const char *name = c->xml.elements[e].name;
		if (is_blenders && !is_blenders_own(name)) add_custom(c, name);
		if (strcmp(name, "user_properties") == 0 && ossai_xml_trimmed(&c->xml, e).size > 0) add_custom(c, name);
		if (strcmp(name, "dynamic_attributes") != 0) continue;
		for (uint32_t a = ossai_xml_child(&c->xml, e, NULL); a != OSSA_NONE; a = ossai_xml_next(&c->xml, a, NULL))
			add_custom(c, c->xml.elements[a].name);
	}
	return OSSA_OK;
}

static ossa_status add_extra(ossai_dae *c, uint32_t extra)
{
	for (uint32_t t = ossai_xml_child(&c->xml, extra, "technique"); t != OSSA_NONE; t = ossai_xml_next(&c->xml, t, "technique"))
		OSSAI_TRY(add_technique(c, t));
	return OSSA_OK;
}

/* ---- tangents ---- */

static bool has_tangents(const ossai_dae *c, uint32_t primitive)
{
	for (uint32_t e = ossai_xml_child(&c->xml, primitive, "input"); e != OSSA_NONE; e = ossai_xml_next(&c->xml, e, "input")) {
		const ossai_word semantic = ossai_xml_attribute_of(&c->xml, e, "semantic");
		if (ossai_word_is(semantic, "TEXTANGENT") || ossai_word_is(semantic, "TANGENT")) return true;
	}
	return false;
}

/* of the primitives of a <mesh>; what has indices is one */
static ossa_status add_tangents(ossai_dae *c, uint32_t mesh)
{
	const uint32_t geometry = c->xml.elements[mesh].parent;
	ossai_asset_item item = {.kind = OSSA_SCENE_TANGENTS, .node = OSSA_NONE};
	ossai_word name = ossai_xml_attribute_of(&c->xml, geometry, "name");
	if (name.size == 0) name = ossai_xml_attribute_of(&c->xml, geometry, "id");
	for (uint32_t e = ossai_xml_child(&c->xml, mesh, NULL); e != OSSA_NONE; e = ossai_xml_next(&c->xml, e, NULL)) {
		if (ossai_xml_is(&c->xml, e, "source") || ossai_xml_is(&c->xml, e, "vertices") || ossai_xml_is(&c->xml, e, "extra"))
			continue;
		if (has_tangents(c, e)) {
			if (!item.name) OSSAI_TRY(no_copy(c, item.name = ossai_dae_copy(c, name)));
			OSSAI_TRY(ossai_asset_add_item(c->asset, &item));
		}
		item.primitive++;
	}
	return OSSA_OK;
}

/* ---- all ---- */

ossa_status ossai_dae_list_scene(ossai_dae *c)
{
	for (size_t n = 0; n < c->nodes.count; n++) {
		const uint32_t element = c->nodes.element[n];
		for (uint32_t e = ossai_xml_child(&c->xml, element, NULL); e != OSSA_NONE; e = ossai_xml_next(&c->xml, e, NULL)) {
			OSSAI_TRY(add_held(c, (uint32_t)n, e));
			if (ossai_xml_is(&c->xml, e, "extra")) OSSAI_TRY(add_extra(c, e));
		}
	}
	for (uint32_t e = 1; e < c->xml.element_count; e++) {
		if (ossai_xml_is(&c->xml, e, "mesh")) OSSAI_TRY(add_tangents(c, e));
	}
	/* the tree of elements does not last as long as the asset */
	if (c->asset->custom_count == 0) return OSSA_OK;
	const char *name = c->asset->custom_example;
	c->asset->custom_example = ossai_asset_text(c->asset, name, strlen(name));
	return no_copy(c, c->asset->custom_example);
}
