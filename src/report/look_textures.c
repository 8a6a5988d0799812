/* report/look_textures.c: images decoded once, and coordinates: see look_textures.h. */
#include "report/look_textures.h"

#include <math.h>
#include <stdio.h>

static bool has_set(const ossa_mesh *mesh, uint32_t set) { return mesh->corner_texcoord && set <= mesh->more_uv_count; }

bool ossai_corner_texcoord(const ossa_mesh *mesh, uint32_t set, uint32_t corner, float uv[2])
{
	if (!has_set(mesh, set)) return false;
	const uint32_t texcoord = (set > 0 ? mesh->more_uvs[set - 1].corner_texcoord : mesh->corner_texcoord)[corner];
	if (texcoord == OSSA_NONE) return false;
	const float *at = (set > 0 ? mesh->more_uvs[set - 1].texcoords : mesh->texcoords) + 2 * (size_t)texcoord;
	uv[0] = at[0];
	uv[1] = at[1];
	return true;
}

/* an image as colours, and as other values */
typedef struct decoded {
	bool is_tried[2];
	ossai_texture_levels *levels[2];
} decoded;

typedef struct textures_work {
	ossa_context *context;
	ossai_arena *arena;
	const ossai_looks *looks;
	decoded *images;
} textures_work;

static void warn(const textures_work *w, const ossa_image *image, const char *reason)
{
	ossai_warn(
		w->context, "textures-not-shown", 1, "textures are left out of the picture, e.g. \"%.64s\": %s", image->name, reason);
}

static ossa_status decode(const textures_work *w, uint32_t number, bool is_color)
{
	const ossa_image *image = &w->looks->mesh->appearance->images[number];
	decoded *to = &w->images[number];
	ossai_bitmap bitmap;
	char reason[OSSAI_REASON_SIZE];
	if (to->is_tried[is_color]) return OSSA_OK;
	to->is_tried[is_color] = true;
	OSSAI_TRY(ossai_image_decode(w->context, w->arena, w->looks->codes, image, is_color, &bitmap, reason));
	if (!bitmap.texels) {
		warn(w, image, reason);
		return OSSA_OK;
	}
	ossai_texture_levels *levels = ossai_arena_new(w->arena, 1, sizeof *levels);
	if (!levels) return ossa_context_error(w->context)->status;
	OSSAI_TRY(ossai_texture_make(w->context, w->arena, w->looks->codes, &bitmap, is_color, levels));
	to->levels[is_color] = levels;
	return OSSA_OK;
}

/* R S (u, v) + offset */
static void store_map(const ossa_texture *texture, double map[2][3])
{
	/* rounded far above the last bits in which C libraries differ */
	const double c = round(cos(texture->rotation) * 0x1p26) * 0x1p-26, s = round(sin(texture->rotation) * 0x1p26) * 0x1p-26;
	map[0][0] = c * texture->scale[0];
	map[0][1] = -s * texture->scale[1];
	map[1][0] = s * texture->scale[0];
	map[1][1] = c * texture->scale[1];
	for (int k = 0; k < 2; k++) map[k][2] = texture->offset[k];
}

static ossa_status fill(const textures_work *w, const ossa_texture *texture, bool is_color, ossai_look_texture *to)
{
	const ossa_appearance *appearance = w->looks->mesh->appearance;
	if (texture->image >= appearance->image_count) return OSSA_OK;
	if (!has_set(w->looks->mesh, texture->uv_set)) {
		char reason[OSSAI_REASON_SIZE];
		snprintf(reason, sizeof reason, "the mesh does not have its texture coordinates (set %u)", texture->uv_set);
		warn(w, &appearance->images[texture->image], reason);
		return OSSA_OK;
	}
	OSSAI_TRY(decode(w, texture->image, is_color));
	to->levels = w->images[texture->image].levels[is_color];
	to->uv_set = texture->uv_set;
	for (int k = 0; k < 2; k++) to->wraps[k] = texture->wraps[k];
	store_map(texture, to->map);
	return OSSA_OK;
}

ossa_status ossai_look_textures_make(
	ossa_context *context, ossai_arena *arena, const ossai_looks *looks, ossai_look_material *materials)
{
	const ossa_appearance *appearance = looks->mesh->appearance;
	if (!appearance) return OSSA_OK;
	textures_work w = {context, arena, looks, ossai_arena_zero(arena, appearance->image_count, sizeof *w.images)};
	uint8_t *is_used = w.images ? ossai_arena_zero(arena, appearance->material_count + 1, 1) : NULL;
	if (!is_used) return ossa_context_error(context)->status;
	for (size_t t = 0; t < looks->mesh->triangle_count; t++) is_used[looks->material[t]] = 1;
	for (size_t m = 0; m < appearance->material_count; m++) {
		const ossa_material *from = &appearance->materials[m];
		if (!is_used[m]) continue;
		OSSAI_TRY(fill(&w, &from->base_color_texture, true, &materials[m].base_color));
		OSSAI_TRY(fill(&w, &from->normal_texture, false, &materials[m].normal));
		OSSAI_TRY(fill(&w, &from->emission_texture, true, &materials[m].emission));
		/* the factor alone would make all of the surface glow */
		const bool is_dark = from->emission_texture.image != OSSA_NONE && !materials[m].emission.levels;
		for (int c = 0; c < 3 && is_dark; c++) materials[m].plain.emission[c] = 0;
	}
	return OSSA_OK;
}
