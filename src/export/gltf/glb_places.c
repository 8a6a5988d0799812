/* export/gltf/glb_places.c: which nodes are shown in place of which at coarser levels.

   Place in the path: inside the GLB writer, after the nodes of all levels.
   Input: the nodes of each level, with the names of their objects.
   Output: each node of the finest level names the one that has its name at a coarser level, or else
   the next one whose name none has. Where one level has fewer nodes than another, nodes that show
   nothing stand in their places.
   Source: MSFT_lod. */
#include "export/gltf/glb.h"

#include <string.h>

typedef struct places {
	ossai_glb_writer *writer;
	const ossai_glb_level *levels;
	size_t count; /* of the levels */
	size_t most;  /* nodes of any level: as many places there are */
	size_t *node; /* by level and place; SIZE_MAX: none yet */
} places;

/* ---- who stands where ---- */

static size_t *node_at(const places *all, size_t level, size_t place) { return &all->node[level * all->most + place]; }

/* the free place whose node in the finest level has the name; SIZE_MAX: there is none */
static size_t place_of_name(const places *all, size_t level, const char *name)
{
	const ossai_glb_level *finest = &all->levels[0];
	for (size_t i = 0; i < finest->count; i++) {
		if (*node_at(all, level, i) == SIZE_MAX && strcmp(finest->names[i], name) == 0) return i;
	}
	return SIZE_MAX;
}

static ossa_status place_level(places *all, size_t level)
{
	const ossai_glb_level *own = &all->levels[level];
	uint8_t *has_place = ossai_arena_zero(&all->writer->arena, own->count, 1);
	if (!has_place) return ossa_context_error(all->writer->context)->status;
	for (size_t i = 0; i < own->count; i++) {
		const size_t place = level == 0 ? i : place_of_name(all, level, own->names[i]);
		has_place[i] = place != SIZE_MAX;
		if (has_place[i]) *node_at(all, level, place) = own->nodes[i];
	}
	for (size_t i = 0, place = 0; i < own->count; i++) {
		if (has_place[i]) continue;
		while (*node_at(all, level, place) != SIZE_MAX) place++;
		*node_at(all, level, place) = own->nodes[i];
	}
	return OSSA_OK;
}

/* ---- nodes ---- */

/* extras tell it from a node that was forgotten */
static ossa_status put_nothing(ossai_glb_writer *writer, size_t *node)
{
	json_t *name = ossai_glb_node_name(writer, "nothing");
	return ossai_glb_put(writer, "nodes", json_pack("{s:o,s:{s:{s:b}}}", "name", name, "extras", "ossa", "nothing", 1), node);
}

static ossa_status fill_places(places *all)
{
	for (size_t i = 0; i < all->count * all->most; i++) {
		if (all->node[i] != SIZE_MAX) continue;
		OSSAI_TRY(put_nothing(all->writer, &all->node[i]));
		if (i < all->most) OSSAI_TRY(ossai_glb_add_root(all->writer, all->node[i]));
	}
	return OSSA_OK;
}

static json_t *ids_of(const places *all, size_t place)
{
	json_t *ids = json_array();
	for (size_t level = 1; level < all->count; level++) {
		if (json_array_append_new(ids, json_integer((json_int_t)*node_at(all, level, place))) == 0) continue;
		json_decref(ids);
		return NULL;
	}
	return ids;
}

static ossa_status name_levels(const places *all, size_t place, const json_t *coverage)
{
	json_t *node = json_array_get(json_object_get(all->writer->root, "nodes"), *node_at(all, 0, place));
	json_t *extensions = json_object_get(node, "extensions"), *extras = json_object_get(node, "extras");
	int failed = 0;
	if (!extensions) failed |= json_object_set_new(node, "extensions", extensions = json_object());
	if (!json_is_object(extras)) failed |= json_object_set_new(node, "extras", extras = json_object());
	failed |= json_object_set_new(extensions, "MSFT_lod", json_pack("{s:o}", "ids", ids_of(all, place)));
	if (coverage) failed |= json_object_set_new(extras, "MSFT_screencoverage", json_deep_copy(coverage));
	return failed == 0 ? OSSA_OK : ossai_glb_no_memory(all->writer->context);
}

ossa_status ossai_glb_name_levels(ossai_glb_writer *writer, const ossai_glb_level *levels, size_t count, const json_t *coverage)
{
	places all = {.writer = writer, .levels = levels, .count = count};
	for (size_t i = 0; i < count; i++) all.most = levels[i].count > all.most ? levels[i].count : all.most;
	all.node = ossai_arena_new(&writer->arena, count * all.most, sizeof *all.node);
	if (!all.node) return ossa_context_error(writer->context)->status;
	memset(all.node, 0xFF, count * all.most * sizeof *all.node);
	for (size_t level = 0; level < count; level++) OSSAI_TRY(place_level(&all, level));
	OSSAI_TRY(fill_places(&all));
	for (size_t place = 0; place < all.most; place++) OSSAI_TRY(name_levels(&all, place, coverage));
	return OSSA_OK;
}
