/* export/fbx/fbx_materials.c: the materials, textures and images of an FBX file.

   Place in the path: inside the FBX writer.
   Input: the mesh's materials by name, and how they look where that is known.
   Output: a Material for each name; where its look is known a Phong one as Blender writes it, with
   a Texture for each of its textures and a Video for each image, whose bytes are inside the file:
   Blender, Unity, Unreal and Maya take them out.
   Roughness and metallic are Blender's Shininess and ReflectionFactor, and once more the properties
   that Maya's Stingray materials have: other programs read no map of them, and see a surface
   without the map. What FBX has no word for is in properties "ossa|...", which only ossa reads.
   Source: Blender Foundation, FBX exporter and importer (io_scene_fbx) for the conversion of
   roughness; Autodesk FBX SDK documentation, FbxSurfacePhong, FbxFileTexture, FbxVideo. */
#include "base/file.h"
#include "export/fbx/fbx.h"
#include "scene/appearance.h"
#include "scene/names.h"
#include "scene/sets.h"

#include <math.h>
#include <stdio.h>

/* which property of a material each of its textures drives */
enum { BASE_COLOR, NORMAL, EMISSION, METALLIC_ROUGHNESS, OCCLUSION, SLOTS };
static const struct {
	const char *name, *properties[2];
} slots[SLOTS] = {
	{"base_color", {"DiffuseColor"}},
	{"normal", {"NormalMap"}},
	{"emission", {"EmissiveColor"}},
	{"metallic_roughness", {"Maya|TEX_metallic_map", "Maya|TEX_roughness_map"}},
	{"occlusion", {"Maya|TEX_ao_map"}},
};

static const ossa_texture *texture_in(const ossa_material *material, int slot)
{
	switch (slot) {
	case BASE_COLOR: return &material->base_color_texture;
	case NORMAL: return &material->normal_texture;
	case EMISSION: return &material->emission_texture;
	case METALLIC_ROUGHNESS: return &material->metallic_roughness_texture;
	default: return &material->occlusion_texture;
	}
}

/* the look of a material, NULL where only its name is known */
static const ossa_material *look_of(const ossai_fbx_writer *writer, size_t m)
{
	const ossa_appearance *appearance = writer->mesh->appearance;
	return appearance && m < appearance->material_count ? &appearance->materials[m] : NULL;
}

static bool has_image(const ossai_fbx_writer *writer, const ossa_texture *texture)
{
	return texture->image < writer->mesh->appearance->image_count && ossai_texture_lies(texture, ossai_uv_count(writer->mesh));
}

ossa_status ossai_fbx_plan_materials(ossai_fbx_writer *writer)
{
	const ossa_mesh *mesh = writer->mesh;
	OSSAI_TRY(ossai_material_names(&writer->arena, mesh, &writer->material_names));
	writer->material_count = mesh->material_count;
	for (size_t p = 0; mesh->polygon_material && p < mesh->polygon_count; p++) {
		if (mesh->polygon_material[p] != OSSA_NONE) continue;
		writer->material_count = mesh->material_count + 1;
		break;
	}
	if (!mesh->appearance) return OSSA_OK;
	const size_t count = mesh->appearance->image_count;
	writer->uses_image = ossai_arena_zero(&writer->arena, count, sizeof *writer->uses_image);
	if (!writer->uses_image) return ossa_context_error(writer->context)->status;
	for (size_t m = 0; m < mesh->material_count; m++) {
		const ossa_material *look = look_of(writer, m);
		for (int slot = 0; look && slot < SLOTS; slot++) {
			const ossa_texture *texture = texture_in(look, slot);
			if (!has_image(writer, texture)) continue;
			writer->texture_count++;
			writer->video_count += !writer->uses_image[texture->image];
			writer->uses_image[texture->image] = true;
		}
	}
	return OSSA_OK;
}

/* ---- materials ---- */

static void put_color(ossai_fbx_writer *writer, const char *name, const double color[3])
{
	ossai_fbx_p_vector(writer, name, "Color", "A", color);
}

static void put_number(ossai_fbx_writer *writer, const char *name, double value)
{
	ossai_fbx_p_double(writer, name, "Number", "", "A", value);
}

static void put_vector(ossai_fbx_writer *writer, const char *name, double x, double y, double z)
{
	const double values[3] = {x, y, z};
	ossai_fbx_p_vector(writer, name, "Vector3D", "A", values);
}

/* a map of both that a program does not read is no reason to show a mirror */
static void put_shine(ossai_fbx_writer *writer, const ossa_material *look)
{
	const ossa_material plain = ossa_material_default();
	const ossa_material *seen = has_image(writer, &look->metallic_roughness_texture) ? &plain : look;
	const double smooth = 10 * (1 - seen->roughness);
	put_number(writer, "Shininess", smooth * smooth);
	put_number(writer, "ShininessExponent", smooth * smooth);
	put_number(writer, "ReflectionFactor", seen->metallic);
	put_number(writer, "Maya|metallic", look->metallic);
	put_number(writer, "Maya|roughness", look->roughness);
}

/* Unity and Blender take the factor where it is neither 0 nor 1, else the colour */
static void put_alpha(ossai_fbx_writer *writer, const ossa_material *look)
{
	const double alpha = look->alpha == OSSA_ALPHA_OPAQUE ? 1 : look->base_color[3];
	const double color[3] = {1 - alpha, 1 - alpha, 1 - alpha};
	put_color(writer, "TransparentColor", alpha > 0 && alpha < 1 ? look->base_color : color);
	put_number(writer, "TransparencyFactor", 1 - alpha);
	put_number(writer, "Opacity", alpha);
	put_number(writer, "ossa|alpha", look->alpha);
	put_number(writer, "ossa|alphaCutoff", look->alpha_cutoff);
	put_number(writer, "ossa|doubleSided", look->double_sided);
}

/* Programs take an image in place of the colour, but the factor with it: the strength is there, so
   that a dim glow is no lamp, and a black one none at all. */
static void put_emission(ossai_fbx_writer *writer, const ossa_material *look)
{
	const double *own = look->emission, most = fmax(own[0], fmax(own[1], own[2]));
	const bool has_map = has_image(writer, &look->emission_texture);
	const double scale = most > 0 && has_map ? most : 1;
	const double color[3] = {own[0] / scale, own[1] / scale, own[2] / scale};
	put_color(writer, "EmissiveColor", color);
	put_number(writer, "EmissiveFactor", has_map ? most : 1);
}

static void put_look(ossai_fbx_writer *writer, const ossa_material *look)
{
	static const double white[3] = {1, 1, 1};
	put_color(writer, "DiffuseColor", look->base_color);
	put_number(writer, "DiffuseFactor", 1);
	put_emission(writer, look);
	put_color(writer, "SpecularColor", white);
	/* Blender's half for what is not metal */
	put_number(writer, "SpecularFactor", 0.25);
	put_shine(writer, look);
	put_alpha(writer, look);
	if (has_image(writer, &look->normal_texture)) {
		put_vector(writer, "NormalMap", 0, 0, 0);
		ossai_fbx_p_double(writer, "BumpFactor", "double", "Number", "", look->normal_scale);
	}
	put_number(writer, "ossa|occlusionStrength", look->occlusion_strength);
}

static void put_material(ossai_fbx_writer *writer, size_t m)
{
	static const double grey[3] = {0.8, 0.8, 0.8};
	const int64_t id = ossai_fbx_id(OSSAI_FBX_MATERIAL, m);
	const ossa_material *look = look_of(writer, m);
	ossai_fbx_begin(writer, "Material");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, m < writer->mesh->material_count ? writer->material_names[m] : "none", "Material");
	ossai_fbx_text(writer, "");
	ossai_fbx_int_record(writer, "Version", 102);
	ossai_fbx_text_record(writer, "ShadingModel", look ? "Phong" : "Lambert");
	ossai_fbx_int_record(writer, "MultiLayer", 0);
	ossai_fbx_begin(writer, "Properties70");
	if (look) put_look(writer, look);
	else put_color(writer, "DiffuseColor", grey);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	/* an object's materials are numbered by the order of their links */
	for (size_t i = 0; i < writer->part_count; i++) {
		if (writer->parts[i].material[m] != OSSA_NONE)
			ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_MESH, i), NULL);
	}
}

/* ---- textures ---- */

/* the same name in Texture and Video: Blender finds the image by it */
static void put_file_names(ossai_fbx_writer *writer, const ossa_image *image, const char *label)
{
	char name[80];
	snprintf(name, sizeof name, "%s%s", image->name, ossai_image_ending(image->type));
	ossai_fbx_text_record(writer, label, name);
	ossai_fbx_text_record(writer, "RelativeFilename", name);
}

/* image = rotation scale uv + offset, as Unity, Unreal, 3ds Max and three.js take it; Blender
   subtracts the offset. Where nothing is turned Blender needs no node for it. */
static void put_placement(ossai_fbx_writer *writer, const ossa_texture *texture)
{
	const double *offset = texture->offset, *scale = texture->scale;
	char set[80] = OSSAI_FBX_UV_SET;
	if (texture->uv_set < ossai_uv_count(writer->mesh)) ossai_uv_set_name(writer->mesh, texture->uv_set, OSSAI_FBX_UV_SET, set);
	ossai_fbx_p_text(writer, "UVSet", "KString", set);
	ossai_fbx_p_int(writer, "WrapModeU", "enum", "", texture->wraps[0] == OSSA_WRAP_CLAMP);
	ossai_fbx_p_int(writer, "WrapModeV", "enum", "", texture->wraps[1] == OSSA_WRAP_CLAMP);
	if (offset[0] != 0 || offset[1] != 0) put_vector(writer, "Translation", offset[0], offset[1], 0);
	if (texture->rotation != 0) put_vector(writer, "Rotation", 0, 0, texture->rotation * (180 / acos(-1)));
	if (scale[0] != 1 || scale[1] != 1) put_vector(writer, "Scaling", scale[0], scale[1], 1);
	ossai_fbx_p_int(writer, "UseMaterial", "bool", "", 1);
	ossai_fbx_p_int(writer, "UseMipMap", "bool", "", 0);
}

static void put_texture(ossai_fbx_writer *writer, size_t m, int slot, const ossa_texture *texture)
{
	char name[160];
	const ossa_image *image = &writer->mesh->appearance->images[texture->image];
	const int64_t id = ossai_fbx_id(OSSAI_FBX_TEXTURE, m * SLOTS + (size_t)slot);
	snprintf(name, sizeof name, "%s_%s", writer->material_names[m], slots[slot].name);
	ossai_fbx_begin(writer, "Texture");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, name, "Texture");
	ossai_fbx_text(writer, "");
	ossai_fbx_text_record(writer, "Type", "TextureVideoClip");
	ossai_fbx_int_record(writer, "Version", 202);
	ossai_fbx_begin(writer, "TextureName");
	ossai_fbx_name(writer, name, "Texture");
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "Media");
	ossai_fbx_name(writer, image->name, "Video");
	ossai_fbx_end(writer);
	put_file_names(writer, image, "FileName");
	ossai_fbx_begin(writer, "Properties70");
	put_placement(writer, texture);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	for (int i = 0; i < 2 && slots[slot].properties[i]; i++) {
		ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_MATERIAL, m), slots[slot].properties[i]);
	}
	ossai_fbx_link_objects(writer, ossai_fbx_id(OSSAI_FBX_VIDEO, texture->image), id, NULL);
}

static void put_textures(ossai_fbx_writer *writer, size_t m)
{
	const ossa_material *look = look_of(writer, m);
	for (int slot = 0; look && slot < SLOTS; slot++) {
		const ossa_texture *texture = texture_in(look, slot);
		if (has_image(writer, texture)) put_texture(writer, m, slot, texture);
	}
}

/* ---- images ---- */

static void put_content(ossai_fbx_writer *writer, const ossa_image *image)
{
	ossai_file file;
	if (writer->status != OSSA_OK) return;
	const ossa_status status = ossai_image_open(writer->context, image, &file);
	if (status == OSSA_ERROR_MEMORY) writer->status = status;
	const bool is_image = status == OSSA_OK && ossai_image_type(file.bytes, file.size)[0];
	if (status == OSSA_OK && !is_image) ossai_file_close(writer->context, &file);
	if (!is_image) {
		ossai_warn(writer->context, "image-missing", 1,
			"images cannot be read, or are no images, and are left out, e.g. \"%.128s\": the file names them alone",
			image->path ? image->path : image->name);
		return;
	}
	ossai_fbx_begin(writer, "Content");
	ossai_fbx_image(writer, image, file.size);
	ossai_fbx_end(writer);
	ossai_file_close(writer->context, &file);
}

static void put_video(ossai_fbx_writer *writer, size_t index)
{
	const ossa_image *image = &writer->mesh->appearance->images[index];
	ossai_fbx_begin(writer, "Video");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_VIDEO, index));
	ossai_fbx_name(writer, image->name, "Video");
	ossai_fbx_text(writer, "Clip");
	ossai_fbx_text_record(writer, "Type", "Clip");
	ossai_fbx_int_record(writer, "UseMipMap", 0);
	put_file_names(writer, image, "Filename");
	put_content(writer, image);
	ossai_fbx_end(writer);
}

void ossai_fbx_put_materials(ossai_fbx_writer *writer)
{
	for (size_t m = 0; m < writer->material_count; m++) put_material(writer, m);
	if (!writer->uses_image) return;
	for (size_t m = 0; m < writer->mesh->material_count; m++) put_textures(writer, m);
	for (size_t i = 0; i < writer->mesh->appearance->image_count; i++) {
		if (writer->uses_image[i]) put_video(writer, i);
	}
}

/* ---- what is lost ---- */

static bool has_mirrored(const ossai_fbx_writer *writer, const ossa_material *look)
{
	for (int slot = 0; slot < SLOTS; slot++) {
		const ossa_texture *texture = texture_in(look, slot);
		const bool mirrors = texture->wraps[0] == OSSA_WRAP_MIRROR || texture->wraps[1] == OSSA_WRAP_MIRROR;
		if (mirrors && has_image(writer, texture)) return true;
	}
	return false;
}

void ossai_fbx_warn_of_materials(const ossai_fbx_writer *writer, const char *path)
{
	int64_t count = 0;
	size_t first = 0;
	for (size_t m = writer->mesh->material_count; m-- > 0;) {
		if (!look_of(writer, m) || !has_mirrored(writer, look_of(writer, m))) continue;
		count++;
		first = m;
	}
	if (count == 0) return;
	ossai_warn(writer->context, "materials-simplified", count,
		"%s: textures are mirrored where they repeat, e.g. of \"%s\", which FBX cannot say: they are repeated as they are",
		path, writer->mesh->materials[first]);
}
