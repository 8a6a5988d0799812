/* export/gltf/kept_nodes.c: the nodes of a kept glTF file: meshes go to the roots, old joints go
   away.

   Place in the path: inside the GLB writer, between the old rig and the new one.
   Input: the document's nodes.
   Output: the same, as few as are needed, in the same order.
   Source: glTF 2.0 specification, 3.7.3.3: a skinned mesh stands where its joints are, whatever its
   node's own transform; so its node is a root without one. */
#include "export/gltf/kept.h"
#include "scene/document_links.h"

#include <string.h>

/* ---- the tree ---- */

void ossai_kept_unlink(json_t *holder, const char *key, size_t node)
{
	json_t *list = json_object_get(holder, key);
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (json_integer_value(json_array_get(list, i)) != (json_int_t)node) continue;
		json_array_remove(list, i);
		if (json_array_size(list) == 0) json_object_del(holder, key);
		return;
	}
}

/* ---- meshes that stay where they are ---- */

static const char instancing[] = "EXT_mesh_gpu_instancing";

static const json_t *extensions_of(const ossai_kept *kept, uint32_t n)
{
	return json_object_get(ossai_kept_item(kept, "nodes", n), "extensions");
}

/* Whether a node has extensions that may be about its mesh: all but those that are known to be
   about the node's place, or go with the mesh. */
static bool says_of_mesh(const json_t *extensions)
{
	static const char *const others[] = {"KHR_lights_punctual", "MSFT_lod", "VRMC_node_constraint"};
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)extensions, key, value)
	{
		bool is_other = false;
		for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) is_other |= strcmp(key, others[i]) == 0;
		if (!is_other) return true;
	}
	return false;
}

bool ossai_kept_is_unskinned(const ossai_kept *kept, size_t m) { return kept->has_instances[kept->document->meshes[m].node]; }

/* Instances stand where their node is, and no skin moves them; a file that has no other meshes gets
   its rig nevertheless. */
static void find_instances(ossai_kept *kept)
{
	const ossa_document *document = kept->document;
	size_t count = 0;
	for (size_t m = 0; m < document->mesh_count; m++) {
		const uint32_t n = document->meshes[m].node;
		const bool has_skin = json_object_get(ossai_kept_item(kept, "nodes", n), "skin") != NULL;
		kept->has_instances[n] = !has_skin && json_object_get(extensions_of(kept, n), instancing);
		count += kept->has_instances[n];
	}
	if (count == document->mesh_count) memset(kept->has_instances, 0, document->node_count);
	else if (count > 0)
		ossai_warn(kept->writer->context, "instances-unskinned", (int64_t)count,
			"%s: meshes that are placed many times with EXT_mesh_gpu_instancing stay as they are, without a skin",
			document->path);
}

void ossai_kept_find_holders(ossai_kept *kept)
{
	find_instances(kept);
	for (size_t m = 0; m < kept->document->mesh_count; m++) {
		const uint32_t n = kept->document->meshes[m].node;
		kept->holds_mesh[n] = says_of_mesh(extensions_of(kept, n));
	}
}

/* ---- meshes to the roots ---- */

/* whether a skinned mesh may stay at its node: files that had it there show it as they did */
static bool stands_free(const ossai_kept *kept, uint32_t n)
{
	return json_object_get(json_array_get(json_object_get(kept->document->root, "nodes"), n), "skin") != NULL;
}

/* what a node says of its mesh's coarser levels; `to` is freed after a failure */
static ossa_status move_levels(const ossai_kept *kept, json_t *from, json_t *to)
{
	static const char coverage[] = "MSFT_screencoverage";
	json_t *extensions = json_object_get(from, "extensions"), *extras = json_object_get(from, "extras");
	int failed = 0;
	if (!ossai_document_lods(from)) return OSSA_OK;
	failed |= json_object_set_new(to, "extensions", json_pack("{s:O}", "MSFT_lod", json_object_get(extensions, "MSFT_lod")));
	json_object_del(extensions, "MSFT_lod");
	if (json_object_size(extensions) == 0) json_object_del(from, "extensions");
	if (json_object_get(extras, coverage)) {
		failed |= json_object_set_new(to, "extras", json_pack("{s:O}", coverage, json_object_get(extras, coverage)));
		json_object_del(extras, coverage);
	}
	if (failed == 0) return OSSA_OK;
	json_decref(to);
	return ossai_glb_no_memory(kept->writer->context);
}

/* A coarser level is shown by what names it alone: its node, which has a skin now, is below no
   other, unless it is one of a group. */
static void free_level(ossai_kept *kept, uint32_t n)
{
	json_t *node = ossai_kept_item(kept, "nodes", n);
	const uint32_t lod = kept->lod_of[n];
	if (kept->parent[lod] != OSSA_NONE) ossai_kept_unlink(ossai_kept_item(kept, "nodes", kept->parent[lod]), "children", lod);
	if (!json_object_get(node, "children")) ossai_kept_drop_transform(node);
}

/* the mesh goes to a node of its own; children, camera and transform stay where they are */
static ossa_status split_node(ossai_kept *kept, size_t m)
{
	static const char *const moved[] = {"name", "mesh", "weights"};
	json_t *node = ossai_kept_item(kept, "nodes", kept->mesh_node[m]), *own = json_object();
	size_t index;
	int failed = own ? 0 : -1;
	for (size_t k = 0; k < 3; k++) {
		json_t *value = json_object_get(node, moved[k]);
		if (own && value) failed |= json_object_set(own, moved[k], value);
		if (value && k > 0) json_object_del(node, moved[k]);
	}
	if (failed != 0) {
		json_decref(own);
		return ossai_glb_no_memory(kept->writer->context);
	}
	OSSAI_TRY(move_levels(kept, node, own));
	OSSAI_TRY(ossai_glb_put(kept->writer, "nodes", own, &index));
	kept->mesh_node[m] = index;
	return ossai_glb_add_root(kept->writer, index);
}

/* whether a node is more than the place of a mesh that goes to the roots */
static bool is_more(const ossai_kept *kept, uint32_t n)
{
	const json_t *node = ossai_kept_item(kept, "nodes", n), *extensions = extensions_of(kept, n);
	const bool is_freed = kept->is_mesh[n] && !stands_free(kept, n);
	/* levels go with the mesh */
	return !is_freed || json_object_get(node, "camera") || json_object_size(extensions) > (ossai_document_lods(node) ? 1 : 0);
}

/* Marks nodes that must stay where they are: those that are more than a mesh's place, and all above
   them. */
static void mark_staying(const ossai_kept *kept, uint8_t *stays)
{
	for (uint32_t n = 0; n < kept->document->node_count; n++) {
		if (!is_more(kept, n)) continue;
		for (uint32_t at = n; at != OSSA_NONE && !stays[at]; at = kept->parent[at]) stays[at] = 1;
	}
}

ossa_status ossai_kept_free_meshes(ossai_kept *kept)
{
	uint8_t *stays = ossai_arena_zero(&kept->writer->arena, kept->document->node_count, 1);
	if (!stays) return ossa_context_error(kept->writer->context)->status;
	mark_staying(kept, stays);
	for (size_t m = 0; m < kept->document->mesh_count; m++) {
		const uint32_t n = kept->document->meshes[m].node, above = kept->parent[n];
		if (kept->is_lod[n]) free_level(kept, n);
		if (kept->is_lod[n] || stands_free(kept, n) || kept->holds_mesh[n]) continue;
		if (stays[n]) {
			OSSAI_TRY(split_node(kept, m));
			continue;
		}
		ossai_kept_drop_transform(ossai_kept_item(kept, "nodes", n));
		if (above == OSSA_NONE) continue;
		ossai_kept_unlink(ossai_kept_item(kept, "nodes", above), "children", n);
		OSSAI_TRY(ossai_glb_add_root(kept->writer, n));
	}
	return OSSA_OK;
}

/* ---- joints ---- */

/* a joint that is nothing else */
static bool is_joint_alone(const json_t *node)
{
	return !json_object_get(node, "mesh") && !json_object_get(node, "camera") && !json_object_get(node, "extensions");
}

/* lists of children and roots without the nodes that go */
static ossa_status unlist(ossai_kept *kept, const char *holders, const char *key, const uint8_t *stays)
{
	json_t *holder, *number;
	size_t h, i;
	json_array_foreach(json_object_get(kept->writer->root, holders), h, holder)
	{
		const json_t *list = json_object_get(holder, key);
		uint8_t *listed = ossai_arena_new(&kept->writer->arena, json_array_size(list), 1);
		if (!listed) return ossa_context_error(kept->writer->context)->status;
		json_array_foreach(list, i, number) listed[i] = stays[json_integer_value(number)];
		if (list) OSSAI_TRY(ossai_kept_filter(kept, holder, key, listed));
	}
	return OSSA_OK;
}

/* up to replaced nodes, what is above a shown node is shown with it */
static void spread_shown(ossai_kept *kept)
{
	for (uint32_t n = 0; n < kept->document->node_count; n++) {
		if (!kept->is_shown[n]) continue;
		uint32_t at = kept->parent[n];
		for (; at != OSSA_NONE && !kept->is_replaced[at] && !kept->is_shown[at]; at = kept->parent[at]) kept->is_shown[at] = 1;
	}
}

void ossai_kept_find_replaced(ossai_kept *kept)
{
	for (uint32_t n = 0; n < kept->document->node_count && !kept->keeps_skin; n++) {
		const bool goes = kept->is_joint[n] || kept->is_dropped[n];
		kept->is_replaced[n] = goes && is_joint_alone(ossai_kept_item(kept, "nodes", n));
	}
	spread_shown(kept);
}

/* the rig's meshes below joints that go become roots, where they are not yet; levels are below
   nothing */
static ossa_status root_meshes(ossai_kept *kept)
{
	if (ossai_kept_has_numbers(kept)) return OSSA_OK;
	for (uint32_t n = 0; n < kept->document->node_count; n++) {
		const uint32_t above = kept->parent[n];
		if (above == OSSA_NONE || !kept->is_replaced[above] || kept->is_replaced[n] || kept->is_lod[n]) continue;
		if (ossai_kept_is_orphan(kept, n) || !stands_free(kept, n)) continue;
		OSSAI_TRY(ossai_glb_add_root(kept->writer, n));
	}
	return OSSA_OK;
}

bool ossai_kept_has_numbers(const ossai_kept *kept)
{
	return kept->keeps_skin || ossai_document_has_strangers(kept->writer->root);
}

/* marks meshes that nodes show */
static void mark_meshes(const json_t *root, uint8_t *marks, size_t count)
{
	json_t *node;
	size_t n;
	json_array_foreach(json_object_get(root, "nodes"), n, node)
	{
		const size_t mesh = ossai_kept_number(node, "mesh");
		if (mesh < count) marks[mesh] = 1;
	}
}

/* meshes that were shown and are so no more: those of levels that are taken out */
static ossa_status drop_meshes(ossai_kept *kept)
{
	const size_t count = json_array_size(json_object_get(kept->writer->root, "meshes"));
	uint8_t *before = ossai_arena_zero(&kept->writer->arena, count, 1);
	uint8_t *stays = ossai_arena_zero(&kept->writer->arena, count, 1);
	if (!before || !stays) return ossa_context_error(kept->writer->context)->status;
	mark_meshes(kept->document->root, before, count);
	mark_meshes(kept->writer->root, stays, count);
	for (size_t m = 0; m < count; m++) stays[m] |= !before[m];
	return ossai_kept_renumber(kept, OSSAI_LINK_MESH, "meshes", stays, NULL);
}

ossa_status ossai_kept_drop_joints(ossai_kept *kept)
{
	json_t *root = kept->writer->root, *nodes = json_object_get(root, "nodes");
	const size_t count = json_array_size(nodes);
	uint8_t *stays = ossai_arena_new(&kept->writer->arena, count, 1);
	const size_t *number_of;
	if (!stays) return ossa_context_error(kept->writer->context)->status;
	ossai_kept_find_orphans(kept);
	OSSAI_TRY(root_meshes(kept));
	if (ossai_kept_has_numbers(kept)) return OSSA_OK;
	for (size_t n = 0; n < count; n++) stays[n] = n >= kept->document->node_count || !kept->is_replaced[n];
	OSSAI_TRY(unlist(kept, "scenes", "nodes", stays));
	OSSAI_TRY(unlist(kept, "nodes", "children", stays));
	OSSAI_TRY(ossai_kept_renumber(kept, OSSAI_LINK_NODE, "nodes", stays, &number_of));
	for (size_t n = 0; n < kept->document->node_count; n++) kept->node_of[n] = stays[n] ? number_of[n] : SIZE_MAX;
	for (size_t m = 0; m < kept->document->mesh_count; m++) kept->mesh_node[m] = number_of[kept->mesh_node[m]];
	return kept->writer->drops_lods ? drop_meshes(kept) : OSSA_OK;
}
