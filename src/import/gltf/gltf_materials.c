/* import/gltf/gltf_materials.c: the materials and images of a glTF file.

   Place in the path: inside the glTF reader, after the file is kept.
   Input: the JSON's materials, textures, images.
   Output: the asset's appearance.
   Source: glTF 2.0 specification, 3.8 (textures), 3.9 (materials); KHR_texture_transform, whose
   rotation is counter-clockwise about the upper left; KHR_materials_emissive_strength;
   KHR_materials_pbrSpecularGlossiness (archived). */
#include "base/data_uri.h"
#include "base/uri.h"
#include "import/gltf/gltf_document.h"
#include "scene/appearance.h"
#include "scene/document.h"

#include <string.h>

typedef struct materials {
	ossai_gltf *document;
	ossai_appearance *appearance;
	uint32_t *image_of; /* by image of the file; OSSA_NONE: it could not be read */
} materials;

/* ---- images ---- */

static ossa_status add_view(const materials *all, const char *name, size_t view, uint32_t *image)
{
	const ossa_document *kept = all->appearance->document;
	const json_t *place = ossai_gltf_item(all->document, "bufferViews", view);
	size_t buffer, offset, length;
	OSSAI_TRY(ossai_gltf_index(all->document, place, "buffer", "buffers", &buffer));
	OSSAI_TRY(ossai_gltf_whole(all->document, place, "byteOffset", 0, &offset));
	OSSAI_TRY(ossai_gltf_whole(all->document, place, "byteLength", 0, &length));
	/* the file that is kept has checked that views are in their buffers */
	if (!kept || buffer == SIZE_MAX) return OSSA_OK;
	return ossai_appearance_add(all->appearance, name, kept->buffers[buffer].bytes + offset, length, NULL, image);
}

static ossa_status add_uri(const materials *all, const char *name, const char *uri, uint32_t *image)
{
	ossai_gltf_bytes bytes;
	if (!ossai_is_data_uri(uri))
		return ossai_appearance_add_file(all->appearance, all->document->source->path, uri, false, image);
	const ossa_status status = ossai_gltf_decode_uri(all->document, uri, &bytes);
	if (status == OSSA_ERROR_MEMORY) return status;
	if (status != OSSA_OK) {
		ossai_warn(all->document->context, "image-missing", 1,
			"%s: images inside of it are not in base64, and cannot be read, e.g. \"%.64s\"", all->document->source->path, name);
		return OSSA_OK;
	}
	return ossai_appearance_add_copy(all->appearance, name, bytes.data, bytes.size, image);
}

static ossa_status add_image(const materials *all, size_t index, uint32_t *image)
{
	const json_t *item = ossai_gltf_item(all->document, "images", index);
	const char *uri = json_string_value(json_object_get(item, "uri")), *name = json_string_value(json_object_get(item, "name"));
	size_t view;
	*image = OSSA_NONE;
	OSSAI_TRY(ossai_gltf_index(all->document, item, "bufferView", "bufferViews", &view));
	if (uri) return add_uri(all, name ? name : "image", uri, image);
	if (view != SIZE_MAX) return add_view(all, name ? name : "image", view, image);
	ossai_warn(all->document->context, "image-missing", 1,
		"%s: images have neither a uri nor a bufferView, so that there is nothing to show, e.g. image %zu",
		all->document->source->path, index);
	return OSSA_OK;
}

static ossa_status read_images(materials *all)
{
	const size_t count = ossai_gltf_length(all->document, "images");
	ossa_document *kept = all->appearance->document;
	OSSAI_TRY(ossai_gltf_scratch(all->document, &all->image_of, count, sizeof *all->image_of));
	if (kept) {
		kept->image_is_missing = ossai_arena_zero(&kept->arena, count, 1);
		if (!kept->image_is_missing) return ossa_context_error(all->document->context)->status;
		kept->image_count = count;
	}
	for (size_t i = 0; i < count; i++) {
		OSSAI_TRY(add_image(all, i, &all->image_of[i]));
		if (kept) kept->image_is_missing[i] = all->image_of[i] == OSSA_NONE;
	}
	return OSSA_OK;
}

/* ---- textures ---- */

/* images of other types stand beside the PNG or JPEG that all programs read */
static ossa_status image_of(const materials *all, const json_t *texture, uint32_t *image)
{
	static const char *const others[] = {"KHR_texture_basisu", "EXT_texture_webp", "MSFT_texture_dds"};
	size_t source;
	OSSAI_TRY(ossai_gltf_index(all->document, texture, "source", "images", &source));
	for (size_t i = 0; i < 3 && source == SIZE_MAX; i++) {
		const json_t *extension = json_object_get(json_object_get(texture, "extensions"), others[i]);
		OSSAI_TRY(ossai_gltf_index(all->document, extension, "source", "images", &source));
	}
	*image = source == SIZE_MAX ? OSSA_NONE : all->image_of[source];
	return OSSA_OK;
}

/* from an origin at the upper left, with v down, to one at the lower left: where glTF has
   (u, 1 - v) -> R S (u, 1 - v) + o, v counted up again afterwards */
static void read_transform(const json_t *info, ossa_texture *texture)
{
	const json_t *item = json_object_get(json_object_get(info, "extensions"), "KHR_texture_transform");
	double offset[2] = {0, 0}, scale[2] = {1, 1};
	ossai_gltf_numbers(item, "offset", 2, offset);
	ossai_gltf_numbers(item, "scale", 2, scale);
	const double angle = json_number_value(json_object_get(item, "rotation"));
	texture->rotation = angle;
	memcpy(texture->scale, scale, sizeof scale);
	texture->offset[0] = offset[0] + sin(angle) * scale[1];
	texture->offset[1] = 1 - offset[1] - cos(angle) * scale[1];
	/* exactly nothing where nothing is said */
	if (!item) memset(texture->offset, 0, sizeof texture->offset);
	size_t set;
	if (ossai_gltf_is_whole(json_object_get(item, "texCoord"), &set)) texture->uv_set = (uint32_t)(set < 16 ? set : 15);
}

static ossa_wrap wrap_of(const json_t *value)
{
	enum { CLAMP_TO_EDGE = 33071, MIRRORED_REPEAT = 33648 };
	const json_int_t number = json_integer_value(value);
	return number == CLAMP_TO_EDGE ? OSSA_WRAP_CLAMP : number == MIRRORED_REPEAT ? OSSA_WRAP_MIRROR : OSSA_WRAP_REPEAT;
}

static ossa_status read_texture(const materials *all, const json_t *holder, const char *key, ossa_texture *texture)
{
	const json_t *info = json_object_get(holder, key);
	size_t index, sampler, set;
	if (!info) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_index(all->document, info, "index", "textures", &index));
	if (index == SIZE_MAX) return OSSA_OK;
	const json_t *item = ossai_gltf_item(all->document, "textures", index);
	OSSAI_TRY(image_of(all, item, &texture->image));
	OSSAI_TRY(ossai_gltf_whole(all->document, info, "texCoord", 0, &set));
	/* the last stands for those that no mesh has */
	texture->uv_set = (uint32_t)(set < 16 ? set : 15);
	read_transform(info, texture);
	OSSAI_TRY(ossai_gltf_index(all->document, item, "sampler", "samplers", &sampler));
	if (sampler == SIZE_MAX) return OSSA_OK;
	const json_t *wrap = ossai_gltf_item(all->document, "samplers", sampler);
	texture->wraps[0] = wrap_of(json_object_get(wrap, "wrapS"));
	texture->wraps[1] = wrap_of(json_object_get(wrap, "wrapT"));
	return OSSA_OK;
}

/* ---- materials ---- */

static void read_number(const json_t *item, const char *key, double fallback, double *value)
{
	const json_t *number = json_object_get(item, key);
	*value = json_is_number(number) && isfinite(json_number_value(number)) ? json_number_value(number) : fallback;
}

/* the factor, which ends at white, times the strength of the extension */
static void read_emission(const json_t *item, ossa_material *material)
{
	const json_t *extension = json_object_get(json_object_get(item, "extensions"), "KHR_materials_emissive_strength");
	double strength;
	ossai_gltf_numbers(item, "emissiveFactor", 3, material->emission);
	read_number(extension, "emissiveStrength", 1, &strength);
	for (size_t k = 0; k < 3; k++) material->emission[k] = fmin(fmax(material->emission[k] * strength, 0), OSSAI_MATERIAL_MOST);
}

static ossa_alpha alpha_of(const json_t *item)
{
	const char *mode = json_string_value(json_object_get(item, "alphaMode"));
	if (mode && strcmp(mode, "MASK") == 0) return OSSA_ALPHA_MASK;
	return mode && strcmp(mode, "BLEND") == 0 ? OSSA_ALPHA_BLEND : OSSA_ALPHA_OPAQUE;
}

/* The specular colours of a material, or NULL. It may have metal and roughness, too, for programs
   that know no specular colours: these hold where they say as much of the base colour. */
static const json_t *specular_of(const json_t *item)
{
	const json_t *metallic = json_object_get(item, "pbrMetallicRoughness");
	const json_t *specular = json_object_get(json_object_get(item, "extensions"), "KHR_materials_pbrSpecularGlossiness");
	if (json_object_get(metallic, "baseColorTexture")) return NULL;
	const bool has_color = json_object_get(metallic, "baseColorFactor") && !json_object_get(specular, "diffuseTexture");
	return has_color ? NULL : specular;
}

/* Without its specular colour, which no other model has. Glossiness is a factor times the alpha of
   a texture that is not decoded: of 0 to 1, 1/2 is expected. */
static ossa_status read_specular(const materials *all, const json_t *specular, ossa_material *material)
{
	double glossiness;
	ossai_gltf_numbers(specular, "diffuseFactor", 4, material->base_color);
	read_number(specular, "glossinessFactor", 1, &glossiness);
	if (json_object_get(specular, "specularGlossinessTexture")) glossiness /= 2;
	material->metallic = 0;
	material->roughness = fmin(fmax(1 - glossiness, 0), 1);
	return read_texture(all, specular, "diffuseTexture", &material->base_color_texture);
}

static ossa_status read_metallic(const materials *all, const json_t *metallic, ossa_material *material)
{
	ossai_gltf_numbers(metallic, "baseColorFactor", 4, material->base_color);
	read_number(metallic, "metallicFactor", 1, &material->metallic);
	read_number(metallic, "roughnessFactor", 1, &material->roughness);
	OSSAI_TRY(read_texture(all, metallic, "baseColorTexture", &material->base_color_texture));
	return read_texture(all, metallic, "metallicRoughnessTexture", &material->metallic_roughness_texture);
}

static ossa_status read_material(const materials *all, const json_t *item, ossa_material *material)
{
	const json_t *specular = specular_of(item), *normal = json_object_get(item, "normalTexture");
	read_emission(item, material);
	read_number(normal, "scale", 1, &material->normal_scale);
	read_number(json_object_get(item, "occlusionTexture"), "strength", 1, &material->occlusion_strength);
	read_number(item, "alphaCutoff", 0.5, &material->alpha_cutoff);
	material->alpha = alpha_of(item);
	material->double_sided = json_is_true(json_object_get(item, "doubleSided"));
	if (specular) OSSAI_TRY(read_specular(all, specular, material));
	else OSSAI_TRY(read_metallic(all, json_object_get(item, "pbrMetallicRoughness"), material));
	OSSAI_TRY(read_texture(all, item, "normalTexture", &material->normal_texture));
	OSSAI_TRY(read_texture(all, item, "occlusionTexture", &material->occlusion_texture));
	return read_texture(all, item, "emissiveTexture", &material->emission_texture);
}

ossa_status ossai_gltf_read_materials(ossai_gltf *document)
{
	const size_t count = ossai_gltf_length(document, "materials");
	materials all = {.document = document};
	if (count == 0) return OSSA_OK;
	all.appearance = document->asset->appearance = ossai_appearance_new(document->context, count);
	if (!all.appearance) return ossa_context_error(document->context)->status;
	all.appearance->document = ossai_document_share(document->asset->document);
	OSSAI_TRY(read_images(&all));
	for (size_t m = 0; m < count; m++)
		OSSAI_TRY(read_material(&all, ossai_gltf_item(document, "materials", m), &all.appearance->materials[m]));
	return OSSA_OK;
}
