/* import/asset/asset_scene.c: what a file has beside meshes, joints and motion: cameras, lights,
   tangents, nodes that hold nothing, custom properties.

   Place in the path: inside the asset layer, after an asset is finished.
   Input: an asset.
   Output: a list for those who ask, a warning where it is lost. */
#include "import/asset/asset_parts.h"
#include "scene/losses.h"

#include <stdio.h>
#include <string.h>

ossa_status ossai_asset_add_item(ossai_asset *asset, const ossai_asset_item *item)
{
	OSSAI_TRY(ossai_reserve(asset->context, &asset->items, &asset->item_capacity, asset->item_count, sizeof *asset->items));
	asset->items[asset->item_count++] = *item;
	return OSSA_OK;
}

/* of the node that a person sees, else its own; "" */
static const char *name_of(const ossai_asset *asset, const ossai_asset_item *item)
{
	const char *name = item->node < asset->node_count ? asset->nodes[item->node].name : NULL;
	if (name && name[0]) return name;
	return item->name ? item->name : "";
}

/* ---- the list ---- */

ossa_status ossai_asset_list_items(ossai_asset *asset, size_t *count, ossa_scene_item **items)
{
	static const ossa_scene_kind kinds[] = {OSSA_SCENE_CAMERA, OSSA_SCENE_LIGHT, OSSA_SCENE_TANGENTS};
	ossa_scene_item *list = ossai_new(asset->context, asset->item_count, sizeof *list);
	if (!list) return ossa_context_error(asset->context)->status;
	*count = 0;
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		for (size_t i = 0; i < asset->item_count; i++) {
			const ossai_asset_item *item = &asset->items[i];
			if (item->kind != kinds[k]) continue;
			const char *name = name_of(asset, item);
			ossa_scene_item *to = &list[(*count)++];
			*to = (ossa_scene_item){.kind = item->kind, .primitive = item->primitive};
			ossai_name_copy(to->name, (ossai_word){name, strlen(name)});
			snprintf(to->type, sizeof to->type, "%s", item->type ? item->type : "");
		}
	}
	*items = list;
	return OSSA_OK;
}

/* ---- the warning ---- */

static void add_kind(const ossai_asset *asset, ossa_scene_kind kind, const char *words, ossai_losses *all)
{
	size_t count = 0;
	const char *example = NULL;
	for (size_t i = 0; i < asset->item_count; i++) {
		if (asset->items[i].kind != kind) continue;
		if (count++ == 0) example = name_of(asset, &asset->items[i]);
	}
	ossai_losses_add(all, words, count, example);
}

/* nodes that carry something: a mesh, a joint, what is counted by itself */
static void mark_carriers(const ossai_asset *asset, uint8_t *marks)
{
	for (size_t m = 0; m < asset->mesh_count; m++) {
		if (asset->meshes[m].node != OSSA_NONE) marks[asset->meshes[m].node] = 1;
	}
	for (size_t s = 0; s < asset->skin_count; s++) {
		for (size_t j = 0; j < asset->skins[s].joint_count; j++) marks[asset->skins[s].joints[j]] = 1;
	}
	for (size_t i = 0; i < asset->item_count; i++) {
		if (asset->items[i].node != OSSA_NONE) marks[asset->items[i].node] = 1;
	}
	for (size_t n = 0; n < asset->node_count; n++) {
		const ossai_asset_node *node = &asset->nodes[n];
		marks[n] |= node->is_joint || node->is_part || node->is_no_empty || node->bone;
	}
	ossai_asset_mark_above(asset, marks);
}

static ossa_status add_empties(ossai_asset *asset, ossai_losses *all)
{
	uint8_t *marks = ossai_arena_zero(&asset->arena, asset->node_count, 1);
	size_t count = 0;
	const char *example = NULL;
	if (!marks) return ossa_context_error(asset->context)->status;
	mark_carriers(asset, marks);
	for (size_t n = 0; n < asset->node_count; n++) {
		if (marks[n]) continue;
		count++;
		if (!example) example = asset->nodes[n].name;
	}
	ossai_losses_add(all, "nodes that hold nothing, as sockets", count, example);
	return OSSA_OK;
}

ossa_status ossai_asset_warn_of_scene(ossai_asset *asset)
{
	ossai_losses all = {0};
	/* files of motion alone are read for that */
	if (asset->document || asset->mesh_count == 0) return OSSA_OK;
	add_kind(asset, OSSA_SCENE_CAMERA, "cameras", &all);
	add_kind(asset, OSSA_SCENE_LIGHT, "lights", &all);
	add_kind(asset, OSSA_SCENE_TANGENTS, "primitives with tangents", &all);
	OSSAI_TRY(add_empties(asset, &all));
	ossai_losses_add(&all, "custom properties", asset->custom_count, asset->custom_example);
	if (all.count == 0) return OSSA_OK;
	ossai_warn(asset->context, "scene-not-read", (int64_t)all.count,
		"%s: is read without what only a glTF file that is written again keeps: %s", asset->path, all.words);
	return OSSA_OK;
}
