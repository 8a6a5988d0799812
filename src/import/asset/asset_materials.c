/* import/asset/asset_materials.c: the materials of several meshes in one list.

   Place in the path: inside the asset layer, below asset_mesh.c.
   Input: meshes side by side, each with names of materials.
   Output: the joined mesh's names, apart, how they look, and the material of each polygon. */
#include "import/asset/asset_parts.h"
#include "scene/appearance.h"
#include "scene/names.h"

#include <string.h>

/* the joined list while it grows */
typedef struct material_list {
	ossa_context *context;
	ossa_mesh *all;
	size_t capacity;
	uint32_t *slots;    /* of the current mesh: indices of its materials in the joined list */
	uint32_t *rows;     /* by slot: its row in the asset's appearance, or OSSA_NONE */
	uint32_t *taken_by; /* by slot: the last mesh (its block + 1) that has it */
} material_list;

/* Whether an entry is the material of a part: the same one of the file, or where that is not known
   one of that name which this mesh does not have yet, as its second one of a name is the list's
   second one. */
static bool is_same(const material_list *list, size_t slot, const char *name, uint32_t row, uint32_t stamp)
{
	if (row != OSSA_NONE || list->rows[slot] != OSSA_NONE) return list->rows[slot] == row;
	return list->taken_by[slot] != stamp && strcmp(list->all->materials[slot], name) == 0;
}

/* material_count: there is none */
static size_t find_material(const material_list *list, const char *name, uint32_t row, size_t guess, uint32_t stamp)
{
	const ossa_mesh *all = list->all;
	/* meshes of a file often share one list */
	if (guess < all->material_count && is_same(list, guess, name, row, stamp)) return guess;
	size_t slot = 0;
	while (slot < all->material_count && !is_same(list, slot, name, row, stamp)) slot++;
	return slot;
}

static ossa_status join_materials(material_list *list, const ossai_asset_mesh *from, uint32_t stamp)
{
	ossa_mesh *all = list->all;
	const ossa_mesh *part = from->mesh;
	for (size_t m = 0; m < part->material_count; m++) {
		const uint32_t row = from->material_rows ? from->material_rows[m] : OSSA_NONE;
		const size_t slot = find_material(list, part->materials[m], row, m, stamp);
		if (slot == all->material_count) {
			OSSAI_TRY(ossai_reserve(list->context, &all->materials, &list->capacity, slot, sizeof all->materials[0]));
			list->rows[slot] = row;
			memcpy(all->materials[all->material_count++], part->materials[m], sizeof part->materials[m]);
		}
		list->taken_by[slot] = stamp;
		list->slots[m] = (uint32_t)slot;
	}
	return OSSA_OK;
}

ossa_status ossai_asset_take_look(const ossai_asset *asset, const uint32_t *rows, ossa_mesh *mesh)
{
	OSSAI_TRY(ossai_material_names_apart(asset->context, mesh->material_count, mesh->materials));
	if (!asset->appearance || !rows || mesh->material_count == 0) return OSSA_OK;
	ossai_appearance *look = ossai_appearance_pick(asset->appearance, mesh->material_count, rows);
	if (!look) return ossa_context_error(asset->context)->status;
	mesh->appearance = &look->shown;
	return OSSA_OK;
}

ossa_status ossai_materials_join(ossai_asset *asset, const ossai_blocks *blocks, ossa_mesh *all)
{
	material_list list = {.context = asset->context, .all = all};
	size_t total = 0, polygon = 0;
	for (size_t b = 0; b < blocks->count; b++) total += blocks->items[b].from->mesh->material_count;
	if (total == 0) return OSSA_OK;
	list.slots = ossai_arena_new(&asset->arena, total, sizeof *list.slots);
	list.taken_by = ossai_arena_zero(&asset->arena, total, sizeof *list.taken_by);
	list.rows = ossai_arena_new(&asset->arena, total, sizeof *list.rows);
	all->polygon_material = ossai_new(asset->context, all->polygon_count, sizeof *all->polygon_material);
	if (!list.slots || !list.rows || !list.taken_by || !all->polygon_material)
		return ossa_context_error(asset->context)->status;
	for (size_t b = 0; b < blocks->count; b++) {
		const ossa_mesh *part = blocks->items[b].from->mesh;
		OSSAI_TRY(join_materials(&list, blocks->items[b].from, (uint32_t)b + 1));
		for (size_t p = 0; p < part->polygon_count; p++, polygon++) {
			const uint32_t own = part->polygon_material ? part->polygon_material[p] : OSSA_NONE;
			all->polygon_material[polygon] = own == OSSA_NONE ? OSSA_NONE : list.slots[own];
		}
	}
	return ossai_asset_take_look(asset, list.rows, all);
}
