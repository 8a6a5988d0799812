/* export/gltf/kept_levels.c: which nodes of a kept glTF file are coarser levels (MSFT_lod); takes
   them out, or out of their groups.

   Place in the path: inside the GLB writer, before the levels get the rig, and before old joints
   go.
   Input: the document's nodes.
   Output: by node, of which level it is a part; in the file that is written, levels that are single
   nodes. */
#include "export/gltf/kept.h"

#include <string.h>

static json_t *node_of(const ossai_kept *kept, size_t n)
{
	return json_array_get(json_object_get(kept->document->root, "nodes"), n);
}

/* ---- which ---- */

ossa_status ossai_kept_find_lods(ossai_kept *kept)
{
	const size_t count = kept->document->node_count;
	ossai_arena *arena = &kept->writer->arena;
	kept->lod_of = ossai_arena_new(arena, count, sizeof *kept->lod_of);
	uint32_t *base_of = ossai_arena_new(arena, count, sizeof *base_of);
	kept->level_of = ossai_arena_zero(arena, count, sizeof *kept->level_of);
	uint8_t *is_known = ossai_arena_zero(arena, count, 1);
	if (!kept->lod_of || !base_of || !kept->level_of || !is_known) return ossa_context_error(arena->context)->status;
	for (size_t n = 0; n < count; n++) base_of[n] = OSSA_NONE;
	for (uint32_t n = 0; n < count; n++) ossai_document_note_lods(node_of(kept, n), n, count, base_of, kept->level_of);
	for (uint32_t n = 0; n < count; n++) {
		if (kept->level_of[n] > kept->level_count) kept->level_count = kept->level_of[n];
		/* up to what is a level or known, then up once more with that */
		uint32_t top = n;
		while (top != OSSA_NONE && base_of[top] == OSSA_NONE && !is_known[top]) top = kept->parent[top];
		const uint32_t lod = top == OSSA_NONE || is_known[top] == 0 ? top : kept->lod_of[top];
		for (uint32_t at = n; at != OSSA_NONE && !is_known[at]; at = kept->parent[at]) {
			kept->lod_of[at] = lod;
			is_known[at] = 1;
			if (at == top) break;
		}
	}
	kept->bones_of_level = ossai_arena_zero(arena, (size_t)kept->level_count + 1, sizeof *kept->bones_of_level);
	return kept->bones_of_level ? OSSA_OK : ossa_context_error(arena->context)->status;
}

/* ---- taken out ---- */

/* a node that ossa made to name levels where the finest mesh has no object */
static bool is_nothing(const json_t *node)
{
	return json_is_true(json_object_get(json_object_get(json_object_get(node, "extras"), "ossa"), "nothing"));
}

static void delete_from(json_t *node, const char *holder, const char *key)
{
	json_t *object = json_object_get(node, holder);
	json_object_del(object, key);
	if (object && json_object_size(object) == 0) json_object_del(node, holder);
}

void ossai_kept_drop_lods(ossai_kept *kept)
{
	for (size_t n = 0; n < kept->document->node_count; n++) {
		json_t *node = ossai_kept_item(kept, "nodes", n);
		kept->is_dropped[n] = kept->lod_of[n] != OSSA_NONE;
		if (!ossai_document_lods(node)) continue;
		delete_from(node, "extensions", "MSFT_lod");
		delete_from(node, "extras", "MSFT_screencoverage");
		kept->is_dropped[n] |= is_nothing(node);
	}
}

/* ---- out of groups ---- */

/* by node: an animation moves it */
static ossa_status find_moved(const ossai_kept *kept, uint8_t **is_moved)
{
	const size_t count = kept->document->node_count;
	json_t *animation, *channel;
	size_t a, c;
	*is_moved = ossai_arena_zero(&kept->writer->arena, count, 1);
	if (!*is_moved) return ossa_context_error(kept->writer->context)->status;
	json_array_foreach(json_object_get(kept->writer->root, "animations"), a, animation)
	{
		json_array_foreach(json_object_get(animation, "channels"), c, channel)
		{
			const size_t node = ossai_kept_number(json_object_get(channel, "target"), "node");
			if (node < count) (*is_moved)[node] = 1;
		}
	}
	return OSSA_OK;
}

/* By level: how many of the rig's meshes are below it; 0 where it is none, or more than a group of
   these: with cameras, extensions, extras, motion, or anything that is a mesh of another. */
static ossa_status count_objects(const ossai_kept *kept, size_t **objects)
{
	const size_t count = kept->document->node_count;
	uint8_t *is_moved;
	OSSAI_TRY(find_moved(kept, &is_moved));
	*objects = ossai_arena_zero(&kept->writer->arena, count, sizeof **objects);
	uint8_t *is_more = ossai_arena_zero(&kept->writer->arena, count, 1);
	if (!*objects || !is_more) return ossa_context_error(kept->writer->context)->status;
	for (size_t n = 0; n < count; n++) {
		const uint32_t lod = kept->lod_of[n];
		const json_t *node = node_of(kept, n);
		if (lod == OSSA_NONE) continue;
		if (kept->is_lod[n]) (*objects)[lod]++;
		else if (json_object_get(node, "mesh")) is_more[lod] = 1;
		/* a mesh stays a node of its own; what else is there would go with the group */
		if (kept->is_lod[n] ? n == lod : kept->is_joint[n]) continue;
		const bool shows = json_object_get(node, "camera") || json_object_get(node, "extensions");
		is_more[lod] |= is_moved[n] || (!kept->is_lod[n] && (shows || json_object_get(node, "extras")));
	}
	for (size_t n = 0; n < count; n++) {
		/* the level itself is a mesh: what is below it stays there */
		if (is_more[n] || kept->is_lod[n]) (*objects)[n] = 0;
	}
	return OSSA_OK;
}

/* the meshes below a level as nodes of their own; the group goes */
static ossa_status take_objects(ossai_kept *kept, uint32_t lod, size_t count, ossai_glb_level *level)
{
	size_t *nodes = ossai_arena_new(&kept->writer->arena, count, sizeof *nodes), found = 0;
	const char **names = ossai_arena_new(&kept->writer->arena, count, sizeof *names);
	if (!nodes || !names) return ossa_context_error(kept->writer->context)->status;
	for (uint32_t n = 0; n < kept->document->node_count && count > 0; n++) {
		if (kept->lod_of[n] != lod) continue;
		kept->is_dropped[n] = !kept->is_lod[n];
		if (!kept->is_lod[n]) continue;
		const char *name = json_string_value(json_object_get(node_of(kept, n), "name"));
		names[found] = name ? name : "";
		nodes[found++] = n;
		if (kept->parent[n] != OSSA_NONE) ossai_kept_unlink(ossai_kept_item(kept, "nodes", kept->parent[n]), "children", n);
	}
	*level = (ossai_glb_level){found, nodes, names};
	return OSSA_OK;
}

/* `n`: a node that names groups; what it names becomes nodes of one mesh each */
static ossa_status dissolve(ossai_kept *kept, size_t n, const size_t *objects)
{
	const json_t *node = ossai_kept_item(kept, "nodes", n), *ids = ossai_document_lods(node);
	const size_t count = json_array_size(ids);
	ossai_glb_level *levels = ossai_arena_zero(&kept->writer->arena, count + 1, sizeof *levels);
	size_t *single = ossai_arena_new(&kept->writer->arena, count + 1, sizeof *single);
	const char **name = ossai_arena_new(&kept->writer->arena, 1, sizeof *name);
	if (!levels || !single || !name) return ossa_context_error(kept->writer->context)->status;
	*name = json_string_value(json_object_get(node, "name"));
	if (!*name) *name = "";
	for (size_t i = 0; i <= count; i++) {
		single[i] = i == 0 ? n : (size_t)json_integer_value(json_array_get(ids, i - 1));
		levels[i] = (ossai_glb_level){1, &single[i], name};
		if (i > 0 && objects[single[i]] > 0) OSSAI_TRY(take_objects(kept, (uint32_t)single[i], objects[single[i]], &levels[i]));
	}
	json_t *coverage = json_deep_copy(json_object_get(json_object_get(node, "extras"), "MSFT_screencoverage"));
	const ossa_status status = ossai_glb_name_levels(kept->writer, levels, count + 1, coverage);
	json_decref(coverage);
	return status;
}

ossa_status ossai_kept_dissolve_groups(ossai_kept *kept)
{
	const size_t count = json_array_size(json_object_get(kept->writer->root, "nodes"));
	size_t *objects;
	if (kept->level_count == 0 || ossai_kept_has_numbers(kept)) return OSSA_OK;
	OSSAI_TRY(count_objects(kept, &objects));
	/* nodes of meshes that were split, which name levels now, are among them */
	for (size_t n = 0; n < count; n++) {
		const json_t *ids = ossai_document_lods(ossai_kept_item(kept, "nodes", n));
		bool has_groups = false;
		for (size_t i = 0; i < json_array_size(ids); i++) has_groups |= objects[json_integer_value(json_array_get(ids, i))] > 0;
		if (has_groups) OSSAI_TRY(dissolve(kept, n, objects));
	}
	return OSSA_OK;
}
