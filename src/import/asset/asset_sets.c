/* import/asset/asset_sets.c: the UVs and colours of several meshes side by side.

   Place in the path: inside the asset layer, below asset_mesh.c.
   Input: meshes, each with its sets.
   Output: the sets of the joined mesh: the first ones of all meshes are its first, and so on. A
   mesh without a set leaves its corners without UVs there, and its vertices white. */
#include "import/asset/asset_parts.h"
#include "scene/reverse.h"
#include "scene/sets.h"

#include <string.h>

static ossa_status make_uvs(ossa_context *context, const ossai_blocks *blocks, size_t set, ossa_mesh *all)
{
	const ossai_uv_slot slot = ossai_uv_slot_of(all, set);
	*slot.count = 0;
	for (size_t b = blocks->count; b-- > 0;) {
		const ossa_mesh *part = blocks->items[b].from->mesh;
		if (set >= ossai_uv_count(part)) continue;
		const ossai_uvs uvs = ossai_uvs_at(part, set);
		*slot.count += uvs.count;
		if (uvs.name[0]) memcpy(slot.name, uvs.name, sizeof all->uv_name);
	}
	*slot.texcoords = ossai_new(context, *slot.count, 2 * sizeof **slot.texcoords);
	*slot.of_corner = ossai_new(context, all->corner_count, sizeof **slot.of_corner);
	if (set > 0) all->more_uv_count++;
	return *slot.texcoords && *slot.of_corner ? OSSA_OK : ossa_context_error(context)->status;
}

ossa_status ossai_sets_make(ossa_context *context, const ossai_blocks *blocks, ossa_mesh *all)
{
	size_t uv_count = 0, color_count = 0;
	for (size_t b = 0; b < blocks->count; b++) {
		const ossa_mesh *part = blocks->items[b].from->mesh;
		if (ossai_uv_count(part) > uv_count) uv_count = ossai_uv_count(part);
		if (ossai_color_count(part) > color_count) color_count = ossai_color_count(part);
	}
	for (size_t set = 0; set < uv_count; set++) OSSAI_TRY(make_uvs(context, blocks, set, all));
	for (size_t set = 0; set < color_count; set++) {
		float **colors = ossai_color_slot_of(all, set);
		*colors = ossai_new(context, all->vertex_count, 4 * sizeof **colors);
		if (!*colors) return ossa_context_error(context)->status;
		if (set > 0) all->more_color_count++;
	}
	return OSSA_OK;
}

static void join_uvs(const ossai_block *block, size_t corner, size_t set, size_t *used, ossa_mesh *all)
{
	const ossa_mesh *part = block->from->mesh;
	const ossai_uv_slot slot = ossai_uv_slot_of(all, set);
	const bool has = set < ossai_uv_count(part);
	const ossai_uvs uvs = has ? ossai_uvs_at(part, set) : (ossai_uvs){.name = ""};
	ossai_join_indices(uvs.of_corner, part->corner_count, *used, *slot.of_corner + corner);
	if (block->is_placed && ossai_mat3_det(&block->map.r) < 0) ossai_reverse_corners(part, *slot.of_corner + corner);
	if (uvs.count > 0) memcpy(*slot.texcoords + 2 * *used, uvs.texcoords, 2 * uvs.count * sizeof(float));
	*used += uvs.count;
}

void ossai_sets_join(const ossai_block *block, size_t corner, size_t texcoords[OSSA_SETS_MAX], ossa_mesh *all)
{
	const ossa_mesh *part = block->from->mesh;
	for (size_t set = 0; set < ossai_uv_count(all); set++) join_uvs(block, corner, set, &texcoords[set], all);
	for (size_t set = 0; set < ossai_color_count(all); set++) {
		const float *from = set < ossai_color_count(part) ? ossai_colors_at(part, set) : NULL;
		float *to = ossai_colors_at(all, set) + 4 * block->base;
		for (size_t i = 0; i < 4 * block->own; i++) to[i] = from ? from[i] : 1;
	}
}
