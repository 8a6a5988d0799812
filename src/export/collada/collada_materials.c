/* export/collada/collada_materials.c: effects and materials of a Collada file.

   Place in the path: inside the Collada writer, before the geometry.
   Input: the mesh's materials by name, and how they look where that is known; images that are
   beside the file already.
   Output: an effect for each material that has a look, one grey effect for all where only names are
   known. Common effects have a colour or an image: the factors of images, the roughness, and images
   that Collada has no place for are in <extra type="ossa">. Normal maps are where FCOLLADA put bump
   maps, both sides where Google Earth and 3ds Max look. Colours are linear, as Blender takes them.
   Source: COLLADA digital asset schema 1.4.1 and 1.5.0, profile_COMMON. */
#include "export/collada/collada.h"

#include <string.h>

/* the look of a material, NULL where only its name is known */
static const ossa_material *look_of(const ossai_collada *file, size_t m)
{
	const ossa_appearance *appearance = file->mesh->appearance;
	return appearance && m < appearance->material_count ? &appearance->materials[m] : NULL;
}

/* ---- effects ---- */

static double brightest(const double *color) { return fmax(color[0], fmax(color[1], color[2])); }

/* an image in place of a black glow would shine in programs, which know no factor of it */
static bool is_dark(const ossa_material *look) { return brightest(look->emission) <= 0; }

/* the texture, else the colour, with an alpha of 1 */
static void put_color(ossai_collada *file, const char *element, const ossa_material *look, int index, const double *color)
{
	/* Blender takes a number beyond 1 for no colour at all */
	const double scale = fmax(1, brightest(color)), values[4] = {color[0] / scale, color[1] / scale, color[2] / scale, 1};
	const bool is_hidden = index == OSSAI_COLLADA_EMISSION && is_dark(look);
	if (!is_hidden && ossai_collada_put_map(file, element, look, index)) return;
	ossai_markup_open(&file->markup, element, NULL);
	ossai_collada_put_numbers(&file->markup, "color", values, 4);
	ossai_markup_close(&file->markup, element);
}

static void put_float(ossai_markup *markup, const char *element, double value)
{
	ossai_markup_open(markup, element, NULL);
	ossai_collada_put_numbers(markup, "float", &value, 1);
	ossai_markup_close(markup, element);
}

/* alpha times transparency is what one sees of the surface */
static void put_transparent(ossai_collada *file, const ossa_material *look)
{
	static const double white[4] = {1, 1, 1, 1};
	ossai_markup *markup = &file->markup;
	if (look->alpha == OSSA_ALPHA_OPAQUE) return;
	ossai_markup_open(markup, "transparent", "opaque", "A_ONE", NULL);
	if (ossai_collada_has_image(file, &look->base_color_texture))
		ossai_collada_put_texture(file, look, OSSAI_COLLADA_BASE_COLOR);
	else ossai_collada_put_numbers(markup, "color", white, 4);
	ossai_markup_close(markup, "transparent");
	put_float(markup, "transparency", look->base_color[3]);
}

/* a map of the metal that programs do not read is no reason to show a mirror */
static void put_shader(ossai_collada *file, const ossa_material *look)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "lambert", NULL);
	put_color(file, "emission", look, OSSAI_COLLADA_EMISSION, look->emission);
	put_color(file, "diffuse", look, OSSAI_COLLADA_BASE_COLOR, look->base_color);
	put_float(markup, "reflectivity", ossai_collada_has_image(file, &look->metallic_roughness_texture) ? 0 : look->metallic);
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
	if (ossai_collada_has_image(file, &look->normal_texture)) {
		ossai_markup_open(markup, "bump", "bumptype", "NORMALMAP", NULL);
		ossai_collada_put_texture(file, look, OSSAI_COLLADA_NORMAL);
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
	ossai_collada_put_numbers(markup, "base_color", look->base_color, 4);
	ossai_collada_put_numbers(markup, "emission", look->emission, 3);
	ossai_collada_put_numbers(markup, "metallic", &look->metallic, 1);
	ossai_collada_put_numbers(markup, "roughness", &look->roughness, 1);
	ossai_collada_put_numbers(markup, "normal_scale", &look->normal_scale, 1);
	ossai_collada_put_numbers(markup, "occlusion_strength", &look->occlusion_strength, 1);
	ossai_markup_text_element(markup, "alpha", words[look->alpha]);
	ossai_collada_put_numbers(markup, "alpha_cutoff", &look->alpha_cutoff, 1);
	ossai_collada_put_map(file, "metallic_roughness", look, OSSAI_COLLADA_METALLIC_ROUGHNESS);
	ossai_collada_put_map(file, "occlusion", look, OSSAI_COLLADA_OCCLUSION);
	if (is_dark(look)) ossai_collada_put_map(file, "dark_emission", look, OSSAI_COLLADA_EMISSION);
	ossai_collada_close_extra(file);
}

static void put_effect(ossai_collada *file, const char *id, const ossa_material *look)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "effect", "id", id, NULL);
	if (file->newer) ossai_collada_put_samplers(file, look);
	ossai_markup_open(markup, "profile_COMMON", NULL);
	if (!file->newer) ossai_collada_put_samplers(file, look);
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

/* ---- what is lost ---- */

/* more than white, or a factor beside an image, which are in ossa's own words alone */
static bool has_own_strength(const ossai_collada *file, const ossa_material *look)
{
	const double *glow = look->emission;
	const bool is_white = glow[0] == 1 && glow[1] == 1 && glow[2] == 1;
	const bool has_factor = !is_dark(look) && !is_white && ossai_collada_has_image(file, &look->emission_texture);
	return has_factor || brightest(glow) > 1;
}

static void warn_of_strengths(const ossai_collada *file)
{
	int64_t count = 0;
	size_t first = 0;
	for (size_t m = file->mesh->material_count; m-- > 0;) {
		if (!look_of(file, m) || !has_own_strength(file, look_of(file, m))) continue;
		count++;
		first = m;
	}
	if (count == 0) return;
	ossai_warn(file->context, "materials-simplified", count,
		"%s: glows are brighter than white, or have an image and a factor, e.g. in \"%s\": ossa reads that again, other "
		"programs show white, or the image as it is",
		file->markup.output.path, file->mesh->materials[first]);
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
	if (mesh->appearance) ossai_collada_put_images(file);
	put_effects(file);
	ossai_markup_open(markup, "library_materials", NULL);
	for (size_t m = 0; m < mesh->material_count; m++) {
		ossai_collada_name_symbol(mesh, m, id);
		name_effect(file, m, effect);
		ossai_markup_open(markup, "material", "id", id, NULL);
		ossai_collada_put_name(file, file->material_names[m]);
		ossai_markup_empty(markup, "instance_effect", "url", effect, NULL);
		ossai_collada_put_whole_name(file, file->material_names[m]);
		ossai_markup_close(markup, "material");
	}
	ossai_markup_close(markup, "library_materials");
	warn_of_strengths(file);
}

/* which UVs the channels of a material's textures are */
static void put_channels(ossai_collada *file, const ossa_material *look)
{
	uint32_t done = 0;
	for (int i = 0; i < OSSAI_COLLADA_TEXTURES; i++) {
		char channel[OSSAI_COLLADA_ID];
		const ossa_texture *texture = ossai_collada_texture(look, i);
		if (!ossai_collada_has_image(file, texture) || texture->uv_set >= 32 || (done >> texture->uv_set & 1)) continue;
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
	bool any = false;
	for (size_t m = 0; m < file->mesh->material_count; m++) {
		char url[OSSAI_COLLADA_ID];
		if (!file->uses[file->part - file->parts.items][m]) continue;
		/* the schema has no bindings of nothing */
		if (!any) ossai_markup_open(markup, "bind_material", NULL);
		if (!any) ossai_markup_open(markup, "technique_common", NULL);
		any = true;
		snprintf(url, sizeof url, "#ossa-material-%zu", m);
		ossai_markup_open(markup, "instance_material", "symbol", url + 1, "target", url, NULL);
		if (look_of(file, m)) put_channels(file, look_of(file, m));
		ossai_markup_close(markup, "instance_material");
	}
	if (!any) return;
	ossai_markup_close(markup, "technique_common");
	ossai_markup_close(markup, "bind_material");
}
