/* import/fbx/assimp_materials.c: materials and images out of assimp's scene.

   Place in the path: inside the FBX reader, before its meshes.
   Input: looks that the other process copied, images inside the file.
   Output: the asset's appearance, a row for each of assimp's materials.
   FBX's materials are Phong's; roughness out of its exponent is assimp's conversion, which is
   Blender's. Maya gives all materials half a reflection, of black. */
#include "import/fbx/assimp_looks.h"
#include "scene/appearance.h"

#include <assimp/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct materials {
	ossai_assimp *reader;
	ossai_appearance *appearance;
	uint32_t *image_of; /* by image inside the file: its number, OSSA_NONE: not yet */
	int64_t left_out;   /* textures */
} materials;

/* ---- images ---- */

/* the image inside the file that a path names: "*3", or the same name; OSSA_NONE */
static uint32_t find_inside(const materials *all, const char *path)
{
	const struct aiScene *scene = all->reader->scene;
	const unsigned long number = path[0] == '*' ? strtoul(path + 1, NULL, 10) : scene->mNumTextures;
	for (uint32_t i = 0; i < scene->mNumTextures; i++) {
		const struct aiTexture *texture = scene->mTextures[i];
		if (!texture->pcData) continue;
		if (number == i || (number >= scene->mNumTextures && strcmp(texture->mFilename.data, path) == 0)) return i;
	}
	return OSSA_NONE;
}

static ossa_status read_image(const materials *all, const char *path, uint32_t *image)
{
	const uint32_t inside = find_inside(all, path);
	if (inside == OSSA_NONE) return ossai_appearance_add_file(all->appearance, all->reader->source->path, path, true, image);
	const struct aiTexture *texture = all->reader->scene->mTextures[inside];
	if (all->image_of[inside] == OSSA_NONE) {
		const char *slash = strrchr(texture->mFilename.data, '\\');
		OSSAI_TRY(ossai_appearance_add_copy(all->appearance, ossai_file_name(slash ? slash + 1 : texture->mFilename.data),
			(const uint8_t *)texture->pcData, texture->mWidth, &all->image_of[inside]));
	}
	*image = all->image_of[inside];
	return OSSA_OK;
}

static ossa_status read_texture(const materials *all, const ossai_assimp_texture *from, ossa_texture *texture)
{
	const double degree = acos(-1) / 180;
	const float *placement = from->placement;
	if (!from->path) return OSSA_OK;
	OSSAI_TRY(read_image(all, from->path, &texture->image));
	texture->uv_set = from->uv_set > 0 && from->uv_set < 16 ? (uint32_t)from->uv_set : 0;
	for (int i = 0; i < 5; i++) {
		if (!isfinite(placement[i])) return OSSA_OK;
	}
	for (int k = 0; k < 2; k++) {
		texture->offset[k] = (double)placement[k];
		texture->scale[k] = (double)placement[2 + k];
	}
	texture->rotation = (double)placement[4] * degree;
	return OSSA_OK;
}

/* ---- materials ---- */

/* what the file says, from 0 to `most` */
static double number_of(float value, double fallback, double most)
{
	return isfinite(value) ? fmin(fmax((double)value, 0), most) : fallback;
}

static void read_numbers(const ossai_assimp_look *look, ossa_material *material)
{
	const bool is_black = look->reflection[0] == 0 && look->reflection[1] == 0 && look->reflection[2] == 0;
	for (int k = 0; k < 3; k++) {
		material->base_color[k] = number_of(look->color[k], 1, OSSAI_MATERIAL_MOST);
		material->emission[k] = number_of(look->emission[k], 0, OSSAI_MATERIAL_MOST);
	}
	material->base_color[3] = number_of(look->opacity, 1, 1);
	material->roughness = number_of(look->roughness, material->roughness, 1);
	material->metallic = number_of(look->metallic, is_black ? 0 : number_of(look->reflectivity, 0, 1), 1);
	material->normal_scale = number_of(look->bump, 1, OSSAI_MATERIAL_MOST);
	material->occlusion_strength = number_of(look->occlusion, 1, 1);
}

/* ossa's own word, else as far as the factor and the textures tell */
static void read_alpha(const ossai_assimp_look *look, ossa_material *material)
{
	const bool see_through = material->base_color[3] < 1 || look->textures[OSSAI_SLOT_OPACITY].path;
	material->alpha = look->alpha == 1 ? OSSA_ALPHA_MASK
		: look->alpha == 2             ? OSSA_ALPHA_BLEND
		: see_through                  ? OSSA_ALPHA_BLEND
									   : OSSA_ALPHA_OPAQUE;
	material->alpha_cutoff = number_of(look->alpha_cutoff, 0.5, 1);
	material->double_sided = look->double_sided != 0;
}

/* an image of both is known, two that would have to be mixed are not */
static ossa_status read_maps(materials *all, const ossai_assimp_look *look, ossa_material *material)
{
	const ossai_assimp_texture *textures = look->textures;
	const char *metallic = textures[OSSAI_SLOT_METALLIC].path, *rough = textures[OSSAI_SLOT_ROUGHNESS].path;
	const char *base = textures[OSSAI_SLOT_BASE_COLOR].path, *opacity = textures[OSSAI_SLOT_OPACITY].path;
	const bool is_one = metallic && rough && strcmp(metallic, rough) == 0;
	OSSAI_TRY(read_texture(all, &textures[OSSAI_SLOT_BASE_COLOR], &material->base_color_texture));
	OSSAI_TRY(read_texture(all, &textures[OSSAI_SLOT_NORMAL], &material->normal_texture));
	OSSAI_TRY(read_texture(all, &textures[OSSAI_SLOT_EMISSION], &material->emission_texture));
	OSSAI_TRY(read_texture(all, &textures[OSSAI_SLOT_OCCLUSION], &material->occlusion_texture));
	if (is_one) OSSAI_TRY(read_texture(all, &textures[OSSAI_SLOT_ROUGHNESS], &material->metallic_roughness_texture));
	all->left_out += is_one ? 0 : (metallic != NULL) + (rough != NULL);
	all->left_out += textures[OSSAI_SLOT_OTHER].path != NULL;
	all->left_out += opacity && (!base || strcmp(base, opacity) != 0);
	return OSSA_OK;
}

/* A map is there in place of its colour, which then is whatever the program had; ossa's own files
   multiply both. */
static void whiten(const ossai_assimp_look *look, ossa_material *material)
{
	const bool is_own = isfinite(look->alpha);
	for (int k = 0; k < 3 && !is_own; k++) {
		if (material->base_color_texture.image != OSSA_NONE) material->base_color[k] = 1;
		if (material->emission_texture.image != OSSA_NONE) material->emission[k] = 1;
	}
}

static ossa_status read_all(materials *all)
{
	const struct aiScene *scene = all->reader->scene;
	for (unsigned m = 0; m < scene->mNumMaterials; m++) {
		const ossai_assimp_look *look = &all->reader->looks[m];
		ossa_material *material = &all->appearance->materials[m];
		read_numbers(look, material);
		read_alpha(look, material);
		OSSAI_TRY(read_maps(all, look, material));
		whiten(look, material);
	}
	if (all->left_out > 0) {
		ossai_warn(all->reader->context, "fbx-textures", all->left_out,
			"%s: textures of speculars, of displacements, and of metal, roughness or opacity alone are left out",
			all->reader->source->path);
	}
	return OSSA_OK;
}

ossa_status ossai_assimp_read_materials(ossai_assimp *reader)
{
	materials all = {.reader = reader};
	const struct aiScene *scene = reader->scene;
	if (scene->mNumMaterials == 0) return OSSA_OK;
	all.appearance = reader->asset->appearance = ossai_appearance_new(reader->context, scene->mNumMaterials);
	all.image_of = ossai_arena_new(&reader->asset->arena, scene->mNumTextures, sizeof *all.image_of);
	if (!all.appearance || !all.image_of) return ossa_context_error(reader->context)->status;
	memset(all.image_of, 0xff, scene->mNumTextures * sizeof *all.image_of);
	return read_all(&all);
}
