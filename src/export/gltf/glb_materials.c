/* export/gltf/glb_materials.c: materials, textures and images of a GLB.

   Place in the path: inside the GLB writer, before the primitives.
   Input: the mesh's appearance.
   Output: glTF materials in their order, with the images that they use: their bytes, in the file or
   its .bin.
   Source: glTF 2.0 specification, 3.8 and 3.9; KHR_texture_transform;
   KHR_materials_emissive_strength. */
#include "base/data_uri.h"
#include "export/gltf/glb.h"
#include "scene/appearance.h"
#include "scene/sets.h"

#include <string.h>

typedef struct texture_job {
	ossai_glb_writer *writer;
	const ossa_appearance *appearance;
} texture_job;

/* the number of an image that cannot be written; SIZE_MAX: it has not been tried */
static const size_t cannot = SIZE_MAX - 1;

static ossa_status no_memory(const texture_job *job) { return ossai_glb_no_memory(job->writer->context); }

/* ---- images ---- */

/* the image's bytes, which stay open until the file is written; NULL where they cannot be read */
static ossa_status open_image(const texture_job *job, const ossa_image *image, const ossai_file **file)
{
	ossai_glb_writer *writer = job->writer;
	*file = NULL;
	OSSAI_TRY(
		ossai_reserve(writer->context, &writer->files, &writer->file_capacity, writer->file_count, sizeof *writer->files));
	if (ossai_image_open(writer->context, image, &writer->files[writer->file_count]) != OSSA_OK) return OSSA_OK;
	*file = &writer->files[writer->file_count++];
	return OSSA_OK;
}

/* glTF itself takes PNG and JPEG; others have extensions, which not all programs read */
static bool is_of_gltf(const char *type) { return strcmp(type, "image/png") == 0 || strcmp(type, "image/jpeg") == 0; }

/* whether a URI of a kept file holds these bytes; others name files, which are not opened here */
static ossa_status compare_uri(ossa_context *context, const char *uri, const ossai_file *file, bool *same)
{
	const size_t length = strlen(uri), capacity = ossai_data_uri_capacity(uri, length);
	size_t size;
	*same = false;
	/* of base64 up to 3 bytes fewer */
	if (!ossai_is_data_uri(uri) || capacity < file->size) return OSSA_OK;
	uint8_t *bytes = ossai_new(context, capacity, 1);
	if (!bytes) return ossa_context_error(context)->status;
	*same = ossai_data_uri_decode(uri, length, bytes, &size, NULL) == OSSAI_DATA_URI_GOOD && size == file->size &&
		memcmp(bytes, file->bytes, size) == 0;
	ossa_free(context, bytes);
	return OSSA_OK;
}

/* the image of the file with these bytes; SIZE_MAX: there is none */
static ossa_status find_image(const ossai_glb_writer *writer, const ossai_file *file, size_t *found)
{
	json_t *image;
	size_t i, size;
	*found = SIZE_MAX;
	json_array_foreach(json_object_get(writer->root, "images"), i, image)
	{
		const json_t *view = json_object_get(image, "bufferView");
		const char *uri = json_string_value(json_object_get(image, "uri"));
		const uint8_t *bytes = view ? ossai_glb_view_bytes(writer, (size_t)json_integer_value(view), &size) : NULL;
		bool same = bytes && size == file->size && memcmp(bytes, file->bytes, size) == 0;
		if (uri) OSSAI_TRY(compare_uri(writer->context, uri, file, &same));
		if (!same) continue;
		*found = i;
		return OSSA_OK;
	}
	return OSSA_OK;
}

static ossa_status put_image(const texture_job *job, uint32_t index)
{
	const ossa_image *image = &job->appearance->images[index];
	const ossai_file *file;
	size_t view;
	job->writer->image_of[index] = cannot;
	OSSAI_TRY(open_image(job, image, &file));
	const char *type = file ? ossai_image_type(file->bytes, file->size) : "";
	if (!is_of_gltf(type)) {
		ossai_warn(job->writer->context, "image-not-written", 1,
			"images that are no PNG or JPEG are left out, e.g. \"%s\": glTF files hold no others", image->name);
		return OSSA_OK;
	}
	size_t same = SIZE_MAX;
	if (job->writer->reuses) OSSAI_TRY(find_image(job->writer, file, &same));
	if (same != SIZE_MAX) {
		job->writer->image_of[index] = same;
		return OSSA_OK;
	}
	OSSAI_TRY(ossai_glb_put_bytes(job->writer, file->bytes, file->size, &view));
	json_t *item = json_pack("{s:s,s:I,s:s}", "name", image->name, "bufferView", (json_int_t)view, "mimeType", type);
	return ossai_glb_put(job->writer, "images", item, &job->writer->image_of[index]);
}

/* ---- textures ---- */

static bool is_plain(const ossa_texture *texture)
{
	return texture->offset[0] == 0 && texture->offset[1] == 0 && texture->scale[0] == 1 && texture->scale[1] == 1 &&
		texture->rotation == 0;
}

/* back to an origin at the upper left: see import/gltf/gltf_materials.c */
static json_t *transform_item(const ossa_texture *texture)
{
	const double *offset = texture->offset, *scale = texture->scale, angle = texture->rotation;
	const double turned[2] = {offset[0] - sin(angle) * scale[1], 1 - offset[1] - cos(angle) * scale[1]};
	return json_pack("{s:{s:o,s:f,s:o}}", "KHR_texture_transform", "offset", ossai_glb_numbers(turned, 2), "rotation", angle,
		"scale", ossai_glb_numbers(scale, 2));
}

static ossa_status use_extension(const texture_job *job, const char *name)
{
	const json_t *list = json_object_get(job->writer->root, "extensionsUsed");
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (strcmp(json_string_value(json_array_get(list, i)), name) == 0) return OSSA_OK;
	}
	return ossai_glb_put(job->writer, "extensionsUsed", json_string(name), NULL);
}

/* by ossa_wrap */
static const int wrap_numbers[] = {10497, 33071, 33648};

static ossa_status put_sampler(const texture_job *job, const ossa_texture *texture, size_t *sampler)
{
	json_t *item = json_pack("{s:i,s:i}", "wrapS", wrap_numbers[texture->wraps[0]], "wrapT", wrap_numbers[texture->wraps[1]]);
	return ossai_glb_put(job->writer, "samplers", item, sampler);
}

static bool wraps_as(const json_t *sampler, const char *key, ossa_wrap wrap)
{
	const json_t *value = json_object_get(sampler, key);
	return value ? json_integer_value(value) == wrap_numbers[wrap] : wrap == OSSA_WRAP_REPEAT;
}

/* the texture of the file that has the image and goes on as this one; SIZE_MAX: there is none */
static size_t find_texture(const ossai_glb_writer *writer, const ossa_texture *texture)
{
	json_t *item;
	size_t i;
	json_array_foreach(json_object_get(writer->root, "textures"), i, item)
	{
		const json_t *source = json_object_get(item, "source"), *sampler = json_object_get(item, "sampler");
		if (!source || (size_t)json_integer_value(source) != writer->image_of[texture->image]) continue;
		if (json_object_get(item, "extensions")) continue;
		if (sampler) sampler = json_array_get(json_object_get(writer->root, "samplers"), (size_t)json_integer_value(sampler));
		if (wraps_as(sampler, "wrapS", texture->wraps[0]) && wraps_as(sampler, "wrapT", texture->wraps[1])) return i;
	}
	return SIZE_MAX;
}

static ossa_status put_texture_item(const texture_job *job, const ossa_texture *texture, size_t *index)
{
	const json_int_t image = (json_int_t)job->writer->image_of[texture->image];
	size_t sampler;
	*index = job->writer->reuses ? find_texture(job->writer, texture) : SIZE_MAX;
	if (*index != SIZE_MAX) return OSSA_OK;
	if (texture->wraps[0] == OSSA_WRAP_REPEAT && texture->wraps[1] == OSSA_WRAP_REPEAT)
		return ossai_glb_put(job->writer, "textures", json_pack("{s:I}", "source", image), index);
	OSSAI_TRY(put_sampler(job, texture, &sampler));
	return ossai_glb_put(
		job->writer, "textures", json_pack("{s:I,s:I}", "source", image, "sampler", (json_int_t)sampler), index);
}

/* how a material names texture `index`; NULL where memory is short */
static json_t *info_item(const ossa_texture *texture, size_t index, const char *scale_key, double scale)
{
	json_t *item = json_pack("{s:I}", "index", (json_int_t)index);
	int failed = item ? 0 : -1;
	if (item && texture->uv_set > 0) failed |= json_object_set_new(item, "texCoord", json_integer(texture->uv_set));
	if (item && scale_key && scale != 1) failed |= json_object_set_new(item, scale_key, json_real(scale));
	if (item && !is_plain(texture)) failed |= json_object_set_new(item, "extensions", transform_item(texture));
	if (failed == 0) return item;
	json_decref(item);
	return NULL;
}

/* scale_key: of the factor `scale` beside the texture, or NULL */
static ossa_status put_texture(
	const texture_job *job, const ossa_texture *texture, json_t *holder, const char *key, const char *scale_key, double scale)
{
	size_t index;
	if (texture->image >= job->appearance->image_count || !ossai_texture_lies(texture, job->writer->uv_count)) return OSSA_OK;
	if (job->writer->image_of[texture->image] == SIZE_MAX) OSSAI_TRY(put_image(job, texture->image));
	if (job->writer->image_of[texture->image] == cannot) return OSSA_OK;
	OSSAI_TRY(put_texture_item(job, texture, &index));
	if (!is_plain(texture)) OSSAI_TRY(use_extension(job, "KHR_texture_transform"));
	return json_object_set_new(holder, key, info_item(texture, index, scale_key, scale)) == 0 ? OSSA_OK : no_memory(job);
}

/* ---- materials ---- */

/* values that are glTF's defaults are not written */
static int set_number(json_t *item, const char *key, double value, double usual)
{
	return value == usual ? 0 : json_object_set_new(item, key, json_real(value));
}

static int set_color(json_t *item, const char *key, const double *color, size_t count, double usual)
{
	bool same = true;
	for (size_t k = 0; k < count; k++) same = same && color[k] == usual;
	return same ? 0 : json_object_set_new(item, key, ossai_glb_numbers(color, count));
}

static int set_alpha(json_t *item, const ossa_material *material)
{
	if (material->alpha == OSSA_ALPHA_BLEND) return json_object_set_new(item, "alphaMode", json_string("BLEND"));
	if (material->alpha != OSSA_ALPHA_MASK) return 0;
	return json_object_set_new(item, "alphaMode", json_string("MASK")) |
		set_number(item, "alphaCutoff", material->alpha_cutoff, 0.5);
}

/* glTF's factor ends at white: what is brighter has a strength beside */
static ossa_status put_emission(const texture_job *job, const double *emission, json_t *item)
{
	const double strength = fmax(1, fmax(emission[0], fmax(emission[1], emission[2])));
	const double color[3] = {emission[0] / strength, emission[1] / strength, emission[2] / strength};
	if (set_color(item, "emissiveFactor", color, 3, 0) != 0) return no_memory(job);
	if (strength == 1) return OSSA_OK;
	OSSAI_TRY(use_extension(job, "KHR_materials_emissive_strength"));
	json_t *extension = json_pack("{s:{s:f}}", "KHR_materials_emissive_strength", "emissiveStrength", strength);
	return json_object_set_new(item, "extensions", extension) == 0 ? OSSA_OK : no_memory(job);
}

static ossa_status fill_material(const texture_job *job, const ossa_material *material, json_t *item)
{
	json_t *metallic = json_object();
	if (json_object_set_new(item, "pbrMetallicRoughness", metallic) != 0) return no_memory(job);
	int failed = set_color(metallic, "baseColorFactor", material->base_color, 4, 1);
	failed |= set_number(metallic, "metallicFactor", material->metallic, 1);
	failed |= set_number(metallic, "roughnessFactor", material->roughness, 1);
	failed |= set_alpha(item, material);
	if (material->double_sided) failed |= json_object_set_new(item, "doubleSided", json_true());
	if (failed != 0) return no_memory(job);
	OSSAI_TRY(put_emission(job, material->emission, item));
	OSSAI_TRY(put_texture(job, &material->base_color_texture, metallic, "baseColorTexture", NULL, 1));
	OSSAI_TRY(put_texture(job, &material->metallic_roughness_texture, metallic, "metallicRoughnessTexture", NULL, 1));
	OSSAI_TRY(put_texture(job, &material->normal_texture, item, "normalTexture", "scale", material->normal_scale));
	OSSAI_TRY(
		put_texture(job, &material->occlusion_texture, item, "occlusionTexture", "strength", material->occlusion_strength));
	return put_texture(job, &material->emission_texture, item, "emissiveTexture", NULL, 1);
}

/* numbers that were converted and converted back differ by less, relative to their size and 1 */
static const double rounding = 1e-12;

/* as json_equal, but 1 is 1.0, and numbers may be rounded */
static bool is_same(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *value;
	size_t i;
	if (json_is_number(a) && json_is_number(b)) {
		const double from = json_number_value(a), to = json_number_value(b);
		return fabs(from - to) <= rounding * (1 + fabs(from));
	}
	if (!json_is_object(a) && !json_is_array(a)) return json_equal(a, b) != 0;
	if (json_typeof(a) != (b ? json_typeof(b) : JSON_NULL)) return false;
	if (json_object_size(a) != json_object_size(b) || json_array_size(a) != json_array_size(b)) return false;
	json_object_foreach((json_t *)(uintptr_t)a, key, value)
	{
		if (!is_same(value, json_object_get(b, key))) return false;
	}
	json_array_foreach(a, i, value)
	{
		if (!is_same(value, json_array_get(b, i))) return false;
	}
	return true;
}

/* one color in place of a factor and a strength, of which the model has only the product */
static void join_emission(const json_t *item, json_t *bare)
{
	const json_t *extensions = json_object_get(item, "extensions"), *factor = json_object_get(item, "emissiveFactor");
	const json_t *glow = json_object_get(extensions, "KHR_materials_emissive_strength");
	const json_t *strength = json_object_get(glow, "emissiveStrength");
	double color[3];
	for (size_t k = 0; k < 3; k++) {
		color[k] = json_number_value(json_array_get(factor, k)) * (strength ? json_number_value(strength) : 1);
	}
	json_object_del(bare, "emissiveFactor");
	set_color(bare, "emissiveFactor", color, 3, 0);
}

/* whether they differ in extensions and extras alone */
static bool looks_same(json_t *a, json_t *b)
{
	static const char *const more[] = {"extensions", "extras"};
	json_t *bare[2] = {json_copy(a), json_copy(b)};
	join_emission(a, bare[0]);
	join_emission(b, bare[1]);
	for (size_t i = 0; i < 4; i++) json_object_del(bare[i / 2], more[i % 2]);
	const bool same = is_same(bare[0], bare[1]);
	json_decref(bare[0]);
	json_decref(bare[1]);
	return same;
}

ossa_status ossai_glb_put_material_item(ossai_glb_writer *writer, json_t *item, size_t *index)
{
	json_t *kept;
	size_t i;
	json_array_foreach(json_object_get(writer->root, "materials"), i, kept)
	{
		if (!item || !writer->reuses || !looks_same(kept, item)) continue;
		json_decref(item);
		*index = i;
		return OSSA_OK;
	}
	return ossai_glb_put(writer, "materials", item, index);
}

/* numbers for images, when the first material is written */
static ossa_status begin_images(const texture_job *job)
{
	ossai_glb_writer *writer = job->writer;
	if (writer->image_of) return OSSA_OK;
	writer->image_of = ossai_arena_new(&writer->arena, job->appearance->image_count, sizeof *writer->image_of);
	if (!writer->image_of) return ossa_context_error(writer->context)->status;
	memset(writer->image_of, 0xFF, job->appearance->image_count * sizeof *writer->image_of);
	return OSSA_OK;
}

ossa_status ossai_glb_put_material(
	ossai_glb_writer *writer, const ossa_appearance *appearance, size_t material, const char *name, size_t *index)
{
	const texture_job job = {writer, appearance};
	OSSAI_TRY(begin_images(&job));
	json_t *item = json_pack("{s:o}", "name", ossai_glb_text(name));
	const ossa_status status = item ? fill_material(&job, &appearance->materials[material], item) : no_memory(&job);
	if (status == OSSA_OK) return ossai_glb_put_material_item(writer, item, index);
	json_decref(item);
	return status;
}
