/* scene/builder_sets.c: sets of UVs and colours after the first, of a mesh that grows: see
   builder.h.

   Place in the path: between the readers of formats and ossa_mesh. Arrays of corners and vertices
   are as long as what was set; the end fills the rest. */
#include "scene/builder.h"
#include "scene/sets.h"
#include "math/color.h"

#include <math.h>
#include <string.h>

ossa_status ossai_builder_uv(ossai_builder *builder, size_t set, float u, float v)
{
	const ossai_uv_slot slot = ossai_uv_slot_of(builder->mesh, set);
	if (builder->parts != OSSAI_PARTS_ALL) return OSSA_OK;
	OSSAI_TRY(
		ossai_reserve(builder->context, slot.texcoords, &builder->uv_capacity[set], *slot.count, 2 * sizeof **slot.texcoords));
	(*slot.texcoords)[2 * *slot.count] = ossai_builder_finite(builder, u);
	(*slot.texcoords)[2 * *slot.count + 1] = ossai_builder_finite(builder, v);
	++*slot.count;
	if (builder->mesh->more_uv_count < set) builder->mesh->more_uv_count = set;
	return OSSA_OK;
}

/* corners up to `count` have none */
static ossa_status fill_corners(ossai_builder *builder, size_t set, size_t count)
{
	uint32_t **corners = ossai_uv_slot_of(builder->mesh, set).of_corner;
	for (size_t *filled = &builder->uv_corners[set]; *filled < count; ++*filled) {
		OSSAI_TRY(ossai_reserve(builder->context, corners, &builder->uv_corner_capacity[set], *filled, sizeof **corners));
		(*corners)[*filled] = OSSA_NONE;
	}
	return OSSA_OK;
}

ossa_status ossai_builder_corner_uv(ossai_builder *builder, size_t set, uint32_t index)
{
	const size_t count = builder->mesh->corner_count;
	if (builder->parts != OSSAI_PARTS_ALL || count == 0) return OSSA_OK;
	OSSAI_TRY(fill_corners(builder, set, count));
	(*ossai_uv_slot_of(builder->mesh, set).of_corner)[count - 1] = index;
	return OSSA_OK;
}

/* vertices up to `count` are white */
static ossa_status fill_colors(ossai_builder *builder, size_t set, size_t count)
{
	float **colors = ossai_color_slot_of(builder->mesh, set);
	for (size_t *filled = &builder->colored[set]; *filled < count; ++*filled) {
		OSSAI_TRY(ossai_reserve(builder->context, colors, &builder->color_set_capacity[set], *filled, 4 * sizeof **colors));
		for (size_t k = 0; k < 4; k++) (*colors)[4 * *filled + k] = 1;
	}
	return OSSA_OK;
}

ossa_status ossai_builder_color_set(ossai_builder *builder, size_t set, const float rgba[4])
{
	ossa_mesh *mesh = builder->mesh;
	if (builder->parts != OSSAI_PARTS_ALL || mesh->vertex_count == 0) return OSSA_OK;
	OSSAI_TRY(fill_colors(builder, set, mesh->vertex_count));
	float *to = *ossai_color_slot_of(mesh, set) + 4 * (mesh->vertex_count - 1);
	for (size_t k = 0; k < 4; k++) to[k] = ossai_builder_finite(builder, rgba[k]);
	if (mesh->more_color_count < set) mesh->more_color_count = set;
	return OSSA_OK;
}

/* files hold 0..1 or 0..255, as the eye sees them (sRGB); the mesh holds linear values */
static void make_linear(float *colors, size_t vertex_count)
{
	float largest = 0;
	for (size_t i = 0; i < 4 * vertex_count; i++) largest = fmaxf(largest, colors[i]);
	/* a little above 1 is rounding */
	const float scale = largest > 1.5F ? 1 / 255.0F : 1;
	for (size_t i = 0; i < 4 * vertex_count; i++) {
		/* alpha is linear already */
		const float value = fminf(fmaxf(colors[i] * scale, 0), 1);
		colors[i] = i % 4 == 3 ? value : ossai_linear_of_srgb(value);
	}
}

/* A set without values, or after one that is missing, cannot be: readers skip none. */
static bool is_whole(const ossa_mesh *mesh)
{
	bool whole = mesh->corner_texcoord && mesh->texcoords;
	for (size_t i = 0; i < mesh->more_uv_count; i++) whole = whole && mesh->more_uvs[i].texcoords;
	return whole;
}

ossa_status ossai_builder_end_sets(ossai_builder *builder)
{
	ossa_mesh *mesh = builder->mesh;
	if (mesh->more_uv_count > 0 && !is_whole(mesh)) mesh->more_uv_count = 0;
	for (size_t set = 1; set <= mesh->more_uv_count; set++) {
		const ossai_uv_slot slot = ossai_uv_slot_of(mesh, set);
		OSSAI_TRY(fill_corners(builder, set, mesh->corner_count));
		ossai_builder_drop_bad(builder, *slot.of_corner, *slot.count, "bad-texcoord-index", "texture coordinates");
	}
	if (!mesh->colors) mesh->more_color_count = 0;
	for (size_t set = 1; set <= mesh->more_color_count; set++) OSSAI_TRY(fill_colors(builder, set, mesh->vertex_count));
	for (size_t set = 0; set < ossai_color_count(mesh); set++) make_linear(ossai_colors_at(mesh, set), mesh->vertex_count);
	return OSSA_OK;
}
