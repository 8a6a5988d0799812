/* export/collada/collada_materials.c: images, effects and materials of a Collada file.

   Place in the path: inside the Collada writer, before the geometry.
   Input: the mesh's materials by name, and how they look where that is known; images that are
   beside the file already.
   Output: an effect for each material that has a look, one grey effect for all where only names are
   known. Common effects have a colour or an image: the factors of images, the roughness, and images
   that Collada has no place for are in <extra type="ossa">. Normal maps are where FCOLLADA put bump
   maps, both sides where Google Earth and 3ds Max look. Colours are linear, as Blender takes them.
   Source: COLLADA digital asset schema 1.4.1 and 1.5.0, profile_COMMON. */
#include "export/collada/collada.h"
#include "export/image_files.h"

#include <string.h>

static const double degree = 0.017453292519943295;

/* the textures of a material, and what their parameters begin with */
enum { TEXTURES = 5 };
static const char *const texture_names[TEXTURES] = {"base_color", "emission", "normal", "metallic_roughness", "occlusion"};

static const ossa_texture *texture_at(const ossa_material *material, int index)
{
	const ossa_texture *const all[TEXTURES] = {&material->base_color_texture, &material->emission_texture,
		&material->normal_texture, &material->metallic_roughness_texture, &material->occlusion_texture};
	return all[index];
}

/* the look of a material, NULL where only its name is known */
static const ossa_material *look_of(const ossai_collada *file, size_t m)
{
	const ossa_appearance *appearance = file->mesh->appearance;
	return appearance && m < appearance->material_count ? &appearance->materials[m] : NULL;
}

/* whether the file has its image */
static bool is_there(const ossai_collada *file, const ossa_texture *texture)
{
	return texture->image < file->mesh->appearance->image_count && file->image_names[texture->image];
}

ossa_status ossai_collada_write_images(ossai_collada *file, const char *path)
{
	const ossa_appearance *appearance = file->mesh ? file->mesh->appearance : NULL;
	return appearance ? ossai_write_images(&file->arena, appearance, path, file->options->image_names, &file->image_names)
					  : OSSA_OK;
}

/* ---- images ---- */

static void put_image(ossai_collada *file, size_t index)
{
	char id[OSSAI_COLLADA_ID], uri[3 * OSSAI_PATH_SIZE];
	ossai_markup *markup = &file->markup;
	snprintf(id, sizeof id, "ossa-image-%zu", index);
	ossai_encode_percent(file->image_names[index], uri);
	ossai_markup_open(markup, "image", "id", id, NULL);
	ossai_collada_put_name(file, file->mesh->appearance->images[index].name);
	if (file->newer) ossai_markup_open(markup, "init_from", NULL);
	ossai_markup_text_element(markup, file->newer ? "ref" : "init_from", uri);
	if (file->newer) ossai_markup_close(markup, "init_from");
	ossai_markup_close(markup, "image");
}

static void put_images(ossai_collada *file)
{
	bool any = false;
	for (size_t i = 0; i < file->mesh->appearance->image_count; i++) any = any || file->image_names[i];
	if (!any) return;
	ossai_markup_open(&file->markup, "library_images", NULL);
	for (size_t i = 0; i < file->mesh->appearance->image_count; i++) {
		if (file->image_names[i]) put_image(file, i);
	}
	ossai_markup_close(&file->markup, "library_images");
}

/* ---- textures ---- */

/* 1.4.1 has a surface between the sampler and the image */
static void put_surface(ossai_collada *file, const char *sid, const char *image)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "newparam", "sid", sid, NULL);
	ossai_markup_open(markup, "surface", "type", "2D", NULL);
	ossai_markup_text_element(markup, "init_from", image);
	ossai_markup_close(markup, "surface");
	ossai_markup_close(markup, "newparam");
}

/* what a texture calls its sampler */
static void name_sampler(const ossai_collada *file, const ossa_material *look, int index, char sid[OSSAI_COLLADA_ID])
{
	const unsigned image = texture_at(look, index)->image;
	if (file->newer) snprintf(sid, OSSAI_COLLADA_ID, "ossa-image-%u", image);
	else snprintf(sid, OSSAI_COLLADA_ID, "%s-sampler", texture_names[index]);
}

static void put_sampler(ossai_collada *file, const ossa_material *look, int index)
{
	char sid[OSSAI_COLLADA_ID], surface[OSSAI_COLLADA_ID], image[OSSAI_COLLADA_ID];
	const ossa_texture *texture = texture_at(look, index);
	ossai_markup *markup = &file->markup;
	snprintf(image, sizeof image, "#ossa-image-%u", (unsigned)texture->image);
	snprintf(surface, sizeof surface, "%s-surface", texture_names[index]);
	name_sampler(file, look, index, sid);
	if (!file->newer) put_surface(file, surface, image + 1);
	ossai_markup_open(markup, "newparam", "sid", sid, NULL);
	ossai_markup_open(markup, "sampler2D", NULL);
	if (file->newer) ossai_markup_empty(markup, "instance_image", "url", image, NULL);
	else ossai_markup_text_element(markup, "source", surface);
	if (texture->clamps[0]) ossai_markup_text_element(markup, "wrap_s", "CLAMP");
	if (texture->clamps[1]) ossai_markup_text_element(markup, "wrap_t", "CLAMP");
	ossai_markup_close(markup, "sampler2D");
	ossai_markup_close(markup, "newparam");
}

/* In 1.4.1 one for each texture, in the profile. In 1.5 one for each image, in the effect around
   it, with the image's name: readers that know 1.4.1's samplers alone fail at others in the
   profile, and take the name for the image's. */
static void put_samplers(ossai_collada *file, const ossa_material *look)
{
	for (int i = 0; i < TEXTURES; i++) {
		bool is_new = is_there(file, texture_at(look, i));
		for (int k = 0; k < i && file->newer; k++) is_new = is_new && texture_at(look, k)->image != texture_at(look, i)->image;
		if (is_new) put_sampler(file, look, i);
	}
}

static void put_numbers(ossai_markup *markup, const char *element, const double *values, size_t count)
{
	ossai_markup_open(markup, element, NULL);
	ossai_markup_doubles(markup, values, count);
	ossai_markup_close(markup, element);
}

/* ossa's own words, and Maya's, which know no rotation about the origin */
static void put_placement(ossai_markup *markup, const ossa_texture *texture)
{
	const double degrees = texture->rotation / degree;
	const bool is_moved = texture->offset[0] != 0 || texture->offset[1] != 0 || texture->scale[0] != 1 ||
		texture->scale[1] != 1 || texture->rotation != 0;
	if (!is_moved && !texture->clamps[0] && !texture->clamps[1]) return;
	ossai_markup_open(markup, "extra", "type", "ossa", NULL);
	ossai_markup_open(markup, "technique", "profile", "ossa", NULL);
	put_numbers(markup, "uv_offset", texture->offset, 2);
	put_numbers(markup, "uv_scale", texture->scale, 2);
	put_numbers(markup, "uv_rotation", &degrees, 1);
	ossai_markup_close(markup, "technique");
	ossai_markup_open(markup, "technique", "profile", "MAYA", NULL);
	ossai_markup_text_element(markup, "wrapU", texture->clamps[0] ? "FALSE" : "TRUE");
	ossai_markup_text_element(markup, "wrapV", texture->clamps[1] ? "FALSE" : "TRUE");
	if (texture->rotation == 0) {
		put_numbers(markup, "repeatU", &texture->scale[0], 1);
		put_numbers(markup, "repeatV", &texture->scale[1], 1);
		put_numbers(markup, "offsetU", &texture->offset[0], 1);
		put_numbers(markup, "offsetV", &texture->offset[1], 1);
	}
	ossai_markup_close(markup, "technique");
	ossai_markup_close(markup, "extra");
}

static void put_texture(ossai_collada *file, const ossa_material *look, int index)
{
	const ossa_texture *texture = texture_at(look, index);
	char sampler[OSSAI_COLLADA_ID], channel[OSSAI_COLLADA_ID];
	name_sampler(file, look, index, sampler);
	snprintf(channel, sizeof channel, "UVSET%u", (unsigned)texture->uv_set);
	ossai_markup_open(&file->markup, "texture", "texture", sampler, "texcoord", channel, NULL);
	put_placement(&file->markup, texture);
	ossai_markup_close(&file->markup, "texture");
}

/* an element with a texture, where its image is there */
static bool put_map(ossai_collada *file, const char *element, const ossa_material *look, int index)
{
	if (!is_there(file, texture_at(look, index))) return false;
	ossai_markup_open(&file->markup, element, NULL);
	put_texture(file, look, index);
	ossai_markup_close(&file->markup, element);
	return true;
}

/* ---- effects ---- */

/* the texture, else the colour, with an alpha of 1 */
static void put_color(ossai_collada *file, const char *element, const ossa_material *look, int index, const double *color)
{
	const double values[4] = {color[0], color[1], color[2], 1};
	if (put_map(file, element, look, index)) return;
	ossai_markup_open(&file->markup, element, NULL);
	put_numbers(&file->markup, "color", values, 4);
	ossai_markup_close(&file->markup, element);
}

static void put_float(ossai_markup *markup, const char *element, double value)
{
	ossai_markup_open(markup, element, NULL);
	put_numbers(markup, "float", &value, 1);
	ossai_markup_close(markup, element);
}

/* alpha times transparency is what one sees of the surface */
static void put_transparent(ossai_collada *file, const ossa_material *look)
{
	static const double white[4] = {1, 1, 1, 1};
	ossai_markup *markup = &file->markup;
	if (look->alpha == OSSA_ALPHA_OPAQUE) return;
	ossai_markup_open(markup, "transparent", "opaque", "A_ONE", NULL);
	if (is_there(file, &look->base_color_texture)) put_texture(file, look, 0);
	else put_numbers(markup, "color", white, 4);
	ossai_markup_close(markup, "transparent");
	put_float(markup, "transparency", look->base_color[3]);
}

/* a map of the metal that programs do not read is no reason to show a mirror */
static void put_shader(ossai_collada *file, const ossa_material *look)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "lambert", NULL);
	put_color(file, "emission", look, 1, look->emission);
	put_color(file, "diffuse", look, 0, look->base_color);
	put_float(markup, "reflectivity", is_there(file, &look->metallic_roughness_texture) ? 0 : look->metallic);
	put_transparent(file, look);
	ossai_markup_close(markup, "lambert");
}

/* three.js looks for both in one place, here */
static void put_bump(ossai_collada *file, const ossa_material *look)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "extra", NULL);
	ossai_markup_open(markup, "technique", "profile", "FCOLLADA", NULL);
	ossai_markup_text_element(markup, "double_sided", look->double_sided ? "1" : "0");
	if (is_there(file, &look->normal_texture)) {
		ossai_markup_open(markup, "bump", "bumptype", "NORMALMAP", NULL);
		put_texture(file, look, 2);
		ossai_markup_close(markup, "bump");
	}
	ossai_markup_close(markup, "technique");
	ossai_markup_close(markup, "extra");
}

/* the others look around it */
static void put_sides(ossai_markup *markup, const ossa_material *look)
{
	static const char *const profiles[] = {"GOOGLEEARTH", "MAX3D"};
	ossai_markup_open(markup, "extra", NULL);
	for (size_t i = 0; i < 2; i++) {
		ossai_markup_open(markup, "technique", "profile", profiles[i], NULL);
		ossai_markup_text_element(markup, "double_sided", look->double_sided ? "1" : "0");
		ossai_markup_close(markup, "technique");
	}
	ossai_markup_close(markup, "extra");
}

static void put_own(ossai_collada *file, const ossa_material *look)
{
	static const char *const words[] = {"opaque", "mask", "blend"};
	ossai_markup *markup = &file->markup;
	ossai_collada_open_extra(file);
	put_numbers(markup, "base_color", look->base_color, 4);
	put_numbers(markup, "emission", look->emission, 3);
	put_numbers(markup, "metallic", &look->metallic, 1);
	put_numbers(markup, "roughness", &look->roughness, 1);
	put_numbers(markup, "normal_scale", &look->normal_scale, 1);
	put_numbers(markup, "occlusion_strength", &look->occlusion_strength, 1);
	ossai_markup_text_element(markup, "alpha", words[look->alpha]);
	put_numbers(markup, "alpha_cutoff", &look->alpha_cutoff, 1);
	put_map(file, "metallic_roughness", look, 3);
	put_map(file, "occlusion", look, 4);
	ossai_collada_close_extra(file);
}

static void put_effect(ossai_collada *file, const char *id, const ossa_material *look)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "effect", "id", id, NULL);
	if (file->newer) put_samplers(file, look);
	ossai_markup_open(markup, "profile_COMMON", NULL);
	if (!file->newer) put_samplers(file, look);
	ossai_markup_open(markup, "technique", "sid", "common", NULL);
	put_shader(file, look);
	put_bump(file, look);
	ossai_markup_close(markup, "technique");
	put_sides(markup, look);
	put_own(file, look);
	ossai_markup_close(markup, "profile_COMMON");
	ossai_markup_close(markup, "effect");
}

/* for all materials of which only the names are known */
static void put_grey_effect(ossai_markup *markup)
{
	ossai_markup_open(markup, "effect", "id", "ossa-effect", NULL);
	ossai_markup_open(markup, "profile_COMMON", NULL);
	ossai_markup_open(markup, "technique", "sid", "common", NULL);
	ossai_markup_open(markup, "lambert", NULL);
	ossai_markup_open(markup, "diffuse", NULL);
	ossai_markup_text_element(markup, "color", "0.8 0.8 0.8 1");
	ossai_markup_close(markup, "diffuse");
	put_float(markup, "index_of_refraction", 1);
	ossai_markup_close(markup, "lambert");
	ossai_markup_close(markup, "technique");
	ossai_markup_close(markup, "profile_COMMON");
	ossai_markup_close(markup, "effect");
}

static void name_effect(const ossai_collada *file, size_t m, char url[OSSAI_COLLADA_ID])
{
	if (look_of(file, m)) snprintf(url, OSSAI_COLLADA_ID, "#ossa-effect-%zu", m);
	else snprintf(url, OSSAI_COLLADA_ID, "#ossa-effect");
}

static void put_effects(ossai_collada *file)
{
	char url[OSSAI_COLLADA_ID];
	bool any_grey = false;
	ossai_markup_open(&file->markup, "library_effects", NULL);
	for (size_t m = 0; m < file->mesh->material_count; m++) {
		name_effect(file, m, url);
		any_grey = any_grey || !look_of(file, m);
		if (look_of(file, m)) put_effect(file, url + 1, look_of(file, m));
	}
	if (any_grey) put_grey_effect(&file->markup);
	ossai_markup_close(&file->markup, "library_effects");
}

/* ---- materials ---- */

void ossai_collada_name_symbol(const ossa_mesh *mesh, size_t material, char symbol[OSSAI_COLLADA_ID])
{
	if (material < mesh->material_count) snprintf(symbol, OSSAI_COLLADA_ID, "ossa-material-%zu", material);
	else snprintf(symbol, OSSAI_COLLADA_ID, "ossa-none");
}

void ossai_collada_put_materials(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	const ossa_mesh *mesh = file->mesh;
	char id[OSSAI_COLLADA_ID], effect[OSSAI_COLLADA_ID];
	if (mesh->material_count == 0) return;
	if (mesh->appearance) put_images(file);
	put_effects(file);
	ossai_markup_open(markup, "library_materials", NULL);
	for (size_t m = 0; m < mesh->material_count; m++) {
		ossai_collada_name_symbol(mesh, m, id);
		name_effect(file, m, effect);
		ossai_markup_open(markup, "material", "id", id, NULL);
		ossai_collada_put_name(file, mesh->materials[m]);
		ossai_markup_empty(markup, "instance_effect", "url", effect, NULL);
		ossai_collada_put_whole_name(file, mesh->materials[m]);
		ossai_markup_close(markup, "material");
	}
	ossai_markup_close(markup, "library_materials");
}

/* which UVs the channels of a material's textures are */
static void put_channels(ossai_collada *file, const ossa_material *look)
{
	uint32_t done = 0;
	for (int i = 0; i < TEXTURES; i++) {
		char channel[OSSAI_COLLADA_ID];
		const ossa_texture *texture = texture_at(look, i);
		if (!is_there(file, texture) || texture->uv_set >= 32 || (done >> texture->uv_set & 1)) continue;
		done |= UINT32_C(1) << texture->uv_set;
		snprintf(channel, sizeof channel, "UVSET%u", (unsigned)texture->uv_set);
		ossai_markup_open(&file->markup, "bind_vertex_input", "semantic", channel, "input_semantic", "TEXCOORD", NULL);
		ossai_markup_attribute_index(&file->markup, "input_set", texture->uv_set);
		ossai_markup_close(&file->markup, "bind_vertex_input");
	}
}

void ossai_collada_put_material_bindings(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	if (file->mesh->material_count == 0) return;
	ossai_markup_open(markup, "bind_material", NULL);
	ossai_markup_open(markup, "technique_common", NULL);
	for (size_t m = 0; m < file->mesh->material_count; m++) {
		char url[OSSAI_COLLADA_ID];
		if (!file->uses[file->part - file->parts.items][m]) continue;
		snprintf(url, sizeof url, "#ossa-material-%zu", m);
		ossai_markup_open(markup, "instance_material", "symbol", url + 1, "target", url, NULL);
		if (look_of(file, m)) put_channels(file, look_of(file, m));
		ossai_markup_close(markup, "instance_material");
	}
	ossai_markup_close(markup, "technique_common");
	ossai_markup_close(markup, "bind_material");
}
