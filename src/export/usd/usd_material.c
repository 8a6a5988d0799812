/* export/usd/usd_material.c: the materials of a USD file.

   Place in the path: inside the USD writer, after the mesh.
   Input: how the mesh's materials look, and the files of their images.
   Output: a Material for each, a UsdPreviewSurface with its textures. Factors that multiply
   textures are these textures' scale. Faces have one set of UVs, "st".
   Source: UsdPreviewSurface Specification (Pixar, version 2.6): UsdPreviewSurface, UsdUVTexture,
   UsdPrimvarReader, UsdTransform2d. */
#include "export/usd/usd.h"
#include "scene/sets.h"

/* The path of the material that is being written. */
typedef struct material_place {
	ossai_usd *usd;
	char path[256];
} material_place;

/* How one texture becomes a prim. */
typedef struct texture_prim {
	const char *name;
	const ossa_texture *texture;
	const char *color_space; /* "sRGB" or "raw" */
	double scale[4], bias[4];
} texture_prim;

/* ---- textures ---- */

static bool is_written(const ossai_usd *usd, const ossa_texture *texture)
{
	return usd->images && texture->image != OSSA_NONE && ossai_texture_lies(texture, usd->uv_count) &&
		usd->images[texture->image];
}

/* of the UVs that a texture lies by, "uv" for the first set, "uv1" ... */
static const char *reader_name(size_t set, char name[32])
{
	if (set == 0) return "uv";
	snprintf(name, 32, "uv%zu", set);
	return name;
}

static bool is_placed(const ossa_texture *texture)
{
	return texture->offset[0] != 0 || texture->offset[1] != 0 || texture->scale[0] != 1 || texture->scale[1] != 1 ||
		texture->rotation != 0;
}

static void open_shader(ossai_usd *usd, const char *name, const char *id)
{
	ossai_usd_open_prim(usd, "Shader", name, NULL);
	ossai_usd_line(usd, "uniform token info:id = \"%s\"", id);
}

/* a texture's own place among the UVs, "NAME_place" */
static void put_place(const material_place *place, const texture_prim *prim)
{
	ossai_usd *usd = place->usd;
	char name[64], reader[32];
	const double degrees = prim->texture->rotation * 180 / OSSAI_PI;
	snprintf(name, sizeof name, "%s_place", prim->name);
	open_shader(usd, name, "UsdTransform2d");
	ossai_usd_line(
		usd, "float2 inputs:in.connect = <%s/%s.outputs:result>", place->path, reader_name(prim->texture->uv_set, reader));
	ossai_usd_numbers(usd, "float inputs:rotation", &degrees, 1);
	ossai_usd_numbers(usd, "float2 inputs:scale", prim->texture->scale, 2);
	ossai_usd_numbers(usd, "float2 inputs:translation", prim->texture->offset, 2);
	ossai_usd_line(usd, "float2 outputs:result");
	ossai_usd_close(usd);
}

static void put_texture(const material_place *place, const texture_prim *prim)
{
	ossai_usd *usd = place->usd;
	static const double ones[4] = {1, 1, 1, 1}, zeros[4] = {0, 0, 0, 0};
	static const char *const wraps[] = {"repeat", "clamp", "mirror"};
	char reader[32];
	if (!is_written(usd, prim->texture)) return;
	const bool has_place = is_placed(prim->texture);
	if (has_place) put_place(place, prim);
	open_shader(usd, prim->name, "UsdUVTexture");
	ossai_usd_asset(usd, "asset inputs:file", usd->images[prim->texture->image]);
	if (has_place) ossai_usd_line(usd, "float2 inputs:st.connect = <%s/%s_place.outputs:result>", place->path, prim->name);
	else
		ossai_usd_line(
			usd, "float2 inputs:st.connect = <%s/%s.outputs:result>", place->path, reader_name(prim->texture->uv_set, reader));
	ossai_usd_line(usd, "token inputs:wrapS = \"%s\"", wraps[prim->texture->wraps[0]]);
	ossai_usd_line(usd, "token inputs:wrapT = \"%s\"", wraps[prim->texture->wraps[1]]);
	ossai_usd_line(usd, "token inputs:sourceColorSpace = \"%s\"", prim->color_space);
	if (!ossai_same_doubles(prim->scale, ones, 4)) ossai_usd_numbers(usd, "float4 inputs:scale", prim->scale, 4);
	if (!ossai_same_doubles(prim->bias, zeros, 4)) ossai_usd_numbers(usd, "float4 inputs:bias", prim->bias, 4);
	ossai_usd_line(usd, "float outputs:r");
	ossai_usd_line(usd, "float outputs:g");
	ossai_usd_line(usd, "float outputs:b");
	ossai_usd_line(usd, "float outputs:a");
	ossai_usd_line(usd, "float3 outputs:rgb");
	ossai_usd_close(usd);
}

static void put_reader(ossai_usd *usd, size_t set)
{
	char name[32], reader[32];
	open_shader(usd, reader_name(set, reader), "UsdPrimvarReader_float2");
	ossai_usd_line(usd, "string inputs:varname = \"%s\"", ossai_usd_uv_name(set, name));
	ossai_usd_line(usd, "float2 outputs:result");
	ossai_usd_close(usd);
}

static void put_textures(const material_place *place, const ossa_material *look)
{
	const double *color = look->base_color, *glow = look->emission, bump = look->normal_scale;
	const double shade = look->occlusion_strength;
	const texture_prim prims[] = {
		{"base_color", &look->base_color_texture, "sRGB", {color[0], color[1], color[2], color[3]}, {0}},
		{"metallic_roughness", &look->metallic_roughness_texture, "raw", {1, look->roughness, look->metallic, 1}, {0}},
		{"emission", &look->emission_texture, "sRGB", {glow[0], glow[1], glow[2], 1}, {0}},
		/* from 0 .. 1 to -1 .. 1 */
		{"normal", &look->normal_texture, "raw", {2 * bump, 2 * bump, 2, 1}, {-bump, -bump, -1, 0}},
		{"occlusion", &look->occlusion_texture, "raw", {shade, shade, shade, 1}, {1 - shade, 1 - shade, 1 - shade, 0}},
	};
	enum { PRIM_COUNT = sizeof prims / sizeof prims[0] };
	for (size_t set = 0; set < OSSA_SETS_MAX; set++) {
		bool any = false;
		for (int i = 0; i < PRIM_COUNT; i++)
			any = any || (is_written(place->usd, prims[i].texture) && prims[i].texture->uv_set == set);
		if (any) put_reader(place->usd, set);
	}
	for (int i = 0; i < PRIM_COUNT; i++) put_texture(place, &prims[i]);
}

/* ---- materials ---- */

/* an input that is a texture's output, or where there is no texture these numbers; without either
   it is left at what the surface has by itself */
static void put_input(const material_place *place, const char *declaration, const ossa_texture *texture, const char *output,
	const double *values, size_t count)
{
	if (is_written(place->usd, texture)) ossai_usd_line(place->usd, "%s.connect = <%s/%s>", declaration, place->path, output);
	else if (values) ossai_usd_numbers(place->usd, declaration, values, count);
}

static void put_surface(const material_place *place, const ossa_material *look)
{
	ossai_usd *usd = place->usd;
	const ossa_texture *base = &look->base_color_texture, *both = &look->metallic_roughness_texture;
	const bool glows = look->emission[0] > 0 || look->emission[1] > 0 || look->emission[2] > 0;
	open_shader(usd, "Shader", "UsdPreviewSurface");
	/* where nothing is known of colours, programs choose */
	put_input(place, "color3f inputs:diffuseColor", base, "base_color.outputs:rgb", usd->images ? look->base_color : NULL, 3);
	put_input(place, "float inputs:metallic", both, "metallic_roughness.outputs:b", &look->metallic, 1);
	put_input(place, "float inputs:roughness", both, "metallic_roughness.outputs:g", &look->roughness, 1);
	if (glows)
		put_input(place, "color3f inputs:emissiveColor", &look->emission_texture, "emission.outputs:rgb", look->emission, 3);
	if (look->alpha != OSSA_ALPHA_OPAQUE)
		put_input(place, "float inputs:opacity", base, "base_color.outputs:a", &look->base_color[3], 1);
	if (look->alpha == OSSA_ALPHA_MASK) ossai_usd_numbers(usd, "float inputs:opacityThreshold", &look->alpha_cutoff, 1);
	put_input(place, "normal3f inputs:normal", &look->normal_texture, "normal.outputs:rgb", NULL, 0);
	put_input(place, "float inputs:occlusion", &look->occlusion_texture, "occlusion.outputs:r", NULL, 0);
	ossai_usd_line(usd, "token outputs:surface");
	ossai_usd_close(usd);
}

static void put_material(ossai_usd *usd, const char *name, const ossa_material *look)
{
	material_place place = {.usd = usd};
	snprintf(place.path, sizeof place.path, "/%s/Materials/%s", usd->root.text, name);
	ossai_usd_open_prim(usd, "Material", name, NULL);
	ossai_usd_line(usd, "token outputs:surface.connect = <%s/Shader.outputs:surface>", place.path);
	put_surface(&place, look);
	put_textures(&place, look);
	ossai_usd_close(usd);
}

static bool has_bare_faces(const ossa_mesh *mesh)
{
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		if (mesh->polygon_material[p] == OSSA_NONE) return true;
	}
	return false;
}

void ossai_usd_put_materials(ossai_usd *usd, const ossa_mesh *mesh, const ossai_usd_name *names)
{
	/* also of faces without a material */
	const ossa_material plain = ossa_material_default();
	const ossa_appearance *appearance = mesh->appearance;
	const size_t count = mesh->material_count + has_bare_faces(mesh);
	ossai_usd_open_prim(usd, "Scope", "Materials", NULL);
	for (size_t m = 0; m < count; m++) {
		const bool is_known = appearance && m < appearance->material_count;
		put_material(usd, names[m].text, is_known ? &appearance->materials[m] : &plain);
	}
	ossai_usd_close(usd);
}
