/* export/collada/collada_textures.c: images and textures of a Collada file.

   Place in the path: inside the Collada writer, under the materials.
   Input: the mesh's appearance; images are put beside the file before it is opened.
   Output: <library_images>; of a material the samplers and <texture> elements. How a texture lies
   on the surface is in ossa's own words, and Maya's.
   Source: COLLADA digital asset schema 1.4.1 and 1.5.0, profile_COMMON. */
#include "export/collada/collada.h"
#include "export/image_files.h"
#include "scene/sets.h"

static const double degree = 0.017453292519943295;

/* what the parameters of textures begin with */
static const char *const texture_names[OSSAI_COLLADA_TEXTURES] = {
	"base_color", "emission", "normal", "metallic_roughness", "occlusion"};

const ossa_texture *ossai_collada_texture(const ossa_material *material, int index)
{
	const ossa_texture *const all[OSSAI_COLLADA_TEXTURES] = {&material->base_color_texture, &material->emission_texture,
		&material->normal_texture, &material->metallic_roughness_texture, &material->occlusion_texture};
	return all[index];
}

/* whether the file has its image */
bool ossai_collada_has_image(const ossai_collada *file, const ossa_texture *texture)
{
	const bool lies = ossai_texture_lies(texture, ossai_uv_count(file->mesh));
	return lies && texture->image < file->mesh->appearance->image_count && file->image_names[texture->image];
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

void ossai_collada_put_images(ossai_collada *file)
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
	const unsigned image = ossai_collada_texture(look, index)->image;
	if (file->newer) snprintf(sid, OSSAI_COLLADA_ID, "ossa-image-%u", image);
	else snprintf(sid, OSSAI_COLLADA_ID, "%s-sampler", texture_names[index]);
}

static void put_wrap(ossai_markup *markup, const char *element, ossa_wrap wrap)
{
	if (wrap != OSSA_WRAP_REPEAT) ossai_markup_text_element(markup, element, wrap == OSSA_WRAP_CLAMP ? "CLAMP" : "MIRROR");
}

static void put_sampler(ossai_collada *file, const ossa_material *look, int index)
{
	char sid[OSSAI_COLLADA_ID], surface[OSSAI_COLLADA_ID], image[OSSAI_COLLADA_ID];
	const ossa_texture *texture = ossai_collada_texture(look, index);
	ossai_markup *markup = &file->markup;
	snprintf(image, sizeof image, "#ossa-image-%u", (unsigned)texture->image);
	snprintf(surface, sizeof surface, "%s-surface", texture_names[index]);
	name_sampler(file, look, index, sid);
	if (!file->newer) put_surface(file, surface, image + 1);
	ossai_markup_open(markup, "newparam", "sid", sid, NULL);
	ossai_markup_open(markup, "sampler2D", NULL);
	if (file->newer) ossai_markup_empty(markup, "instance_image", "url", image, NULL);
	else ossai_markup_text_element(markup, "source", surface);
	put_wrap(markup, "wrap_s", texture->wraps[0]);
	put_wrap(markup, "wrap_t", texture->wraps[1]);
	ossai_markup_close(markup, "sampler2D");
	ossai_markup_close(markup, "newparam");
}

/* In 1.4.1 one for each texture, in the profile. In 1.5 one for each image, in the effect around
   it, with the image's name: readers that know 1.4.1's samplers alone fail at others in the
   profile, and take the name for the image's. */
void ossai_collada_put_samplers(ossai_collada *file, const ossa_material *look)
{
	for (int i = 0; i < OSSAI_COLLADA_TEXTURES; i++) {
		bool is_new = ossai_collada_has_image(file, ossai_collada_texture(look, i));
		for (int k = 0; k < i && file->newer; k++)
			is_new = is_new && ossai_collada_texture(look, k)->image != ossai_collada_texture(look, i)->image;
		if (is_new) put_sampler(file, look, i);
	}
}

void ossai_collada_put_numbers(ossai_markup *markup, const char *element, const double *values, size_t count)
{
	ossai_markup_open(markup, element, NULL);
	ossai_markup_doubles(markup, values, count);
	ossai_markup_close(markup, element);
}

static bool is_placed(const ossa_texture *texture)
{
	return texture->offset[0] != 0 || texture->offset[1] != 0 || texture->scale[0] != 1 || texture->scale[1] != 1 ||
		texture->rotation != 0 || texture->wraps[0] != OSSA_WRAP_REPEAT || texture->wraps[1] != OSSA_WRAP_REPEAT;
}

/* Maya's words, which know no rotation about the origin */
static void put_maya_placement(ossai_markup *markup, const ossa_texture *texture)
{
	ossai_markup_open(markup, "technique", "profile", "MAYA", NULL);
	ossai_markup_text_element(markup, "wrapU", texture->wraps[0] == OSSA_WRAP_CLAMP ? "FALSE" : "TRUE");
	ossai_markup_text_element(markup, "wrapV", texture->wraps[1] == OSSA_WRAP_CLAMP ? "FALSE" : "TRUE");
	if (texture->wraps[0] == OSSA_WRAP_MIRROR) ossai_markup_text_element(markup, "mirrorU", "TRUE");
	if (texture->wraps[1] == OSSA_WRAP_MIRROR) ossai_markup_text_element(markup, "mirrorV", "TRUE");
	if (texture->rotation == 0) {
		ossai_collada_put_numbers(markup, "repeatU", &texture->scale[0], 1);
		ossai_collada_put_numbers(markup, "repeatV", &texture->scale[1], 1);
		ossai_collada_put_numbers(markup, "offsetU", &texture->offset[0], 1);
		ossai_collada_put_numbers(markup, "offsetV", &texture->offset[1], 1);
	}
	ossai_markup_close(markup, "technique");
}

/* in ossa's own words, and Maya's */
static void put_placement(ossai_markup *markup, const ossa_texture *texture)
{
	const double degrees = texture->rotation / degree;
	if (!is_placed(texture)) return;
	ossai_markup_open(markup, "extra", "type", "ossa", NULL);
	ossai_markup_open(markup, "technique", "profile", "ossa", NULL);
	ossai_collada_put_numbers(markup, "uv_offset", texture->offset, 2);
	ossai_collada_put_numbers(markup, "uv_scale", texture->scale, 2);
	ossai_collada_put_numbers(markup, "uv_rotation", &degrees, 1);
	ossai_markup_close(markup, "technique");
	put_maya_placement(markup, texture);
	ossai_markup_close(markup, "extra");
}

void ossai_collada_put_texture(ossai_collada *file, const ossa_material *look, int index)
{
	const ossa_texture *texture = ossai_collada_texture(look, index);
	char sampler[OSSAI_COLLADA_ID], channel[OSSAI_COLLADA_ID];
	name_sampler(file, look, index, sampler);
	snprintf(channel, sizeof channel, "UVSET%u", (unsigned)texture->uv_set);
	ossai_markup_open(&file->markup, "texture", "texture", sampler, "texcoord", channel, NULL);
	put_placement(&file->markup, texture);
	ossai_markup_close(&file->markup, "texture");
}

/* an element with a texture, where its image is there */
bool ossai_collada_put_map(ossai_collada *file, const char *element, const ossa_material *look, int index)
{
	if (!ossai_collada_has_image(file, ossai_collada_texture(look, index))) return false;
	ossai_markup_open(&file->markup, element, NULL);
	ossai_collada_put_texture(file, look, index);
	ossai_markup_close(&file->markup, element);
	return true;
}
