/* tools/ossa/inspect_materials.c: what a mesh has besides its shape: materials, textures, images,
   morph targets.

   Place in the path: the top.
   Input: a mesh.
   Output: lists for people, and as JSON. */
#include "inspect.h"

static const struct {
	const char *name;
	size_t offset; /* of an ossa_texture in ossa_material */
} uses[] = {
	{"base_color", offsetof(ossa_material, base_color_texture)},
	{"metallic_roughness", offsetof(ossa_material, metallic_roughness_texture)},
	{"normal", offsetof(ossa_material, normal_texture)},
	{"occlusion", offsetof(ossa_material, occlusion_texture)},
	{"emission", offsetof(ossa_material, emission_texture)},
};
enum { USE_COUNT = sizeof uses / sizeof uses[0] };

static const char *const alpha_names[] = {"opaque", "mask", "blend"};

static const ossa_texture *texture_of(const ossa_material *material, int use)
{
	const ossa_texture *texture = (const ossa_texture *)(const void *)((const char *)material + uses[use].offset);
	return texture->image == OSSA_NONE ? NULL : texture;
}

/* ---- text ---- */

static void print_textures(const ossa_appearance *appearance, const ossa_material *material)
{
	const char *between = "   ";
	for (int use = 0; use < USE_COUNT; use++) {
		const ossa_texture *texture = texture_of(material, use);
		if (!texture) continue;
		printf("%s%s %s", between, uses[use].name, appearance->images[texture->image].name);
		if (texture->uv_set > 0) printf(" (UV set %u)", (unsigned)texture->uv_set + 1);
		between = ", ";
	}
}

static void print_material(const ossa_appearance *appearance, const char *name, const ossa_material *material)
{
	const double *color = material->base_color;
	printf("  %-30s color %.3g %.3g %.3g", name, color[0], color[1], color[2]);
	if (material->alpha != OSSA_ALPHA_OPAQUE) printf(", %s %.3g", alpha_names[material->alpha], color[3]);
	printf(", metallic %.3g, roughness %.3g", material->metallic, material->roughness);
	const double *glow = material->emission;
	if (glow[0] > 0 || glow[1] > 0 || glow[2] > 0) printf(", emission %.3g %.3g %.3g", glow[0], glow[1], glow[2]);
	if (material->double_sided) printf(", double-sided");
	print_textures(appearance, material);
	putchar('\n');
}

static void print_image(const command_run *run, const ossa_image *image)
{
	uint32_t width, height;
	printf("  %-30s %s, %zu bytes", image->name, image->type[0] ? image->type : "of unknown type", image->size);
	if (ossa_image_measure(run->context, image, &width, &height)) printf(", %u x %u", (unsigned)width, (unsigned)height);
	if (image->path) printf(", %s", image->path);
	putchar('\n');
}

void inspect_print_materials(const command_run *run, const ossa_mesh *mesh)
{
	const ossa_appearance *appearance = mesh->appearance;
	if (mesh->material_count > 0) printf("%-12s %zu\n", "materials", mesh->material_count);
	for (size_t m = 0; m < mesh->material_count; m++) {
		if (appearance) print_material(appearance, mesh->materials[m], &appearance->materials[m]);
		else printf("  %s\n", mesh->materials[m]);
	}
	if (!appearance || appearance->image_count == 0) return;
	printf("%-12s %zu\n", "images", appearance->image_count);
	for (size_t i = 0; i < appearance->image_count; i++) print_image(run, &appearance->images[i]);
}

void inspect_print_morphs(const ossa_mesh *mesh)
{
	if (mesh->morph_count > 0) printf("%-12s %zu\n", "morphs", mesh->morph_count);
	for (size_t i = 0; i < mesh->morph_count; i++) {
		const ossa_morph *morph = &mesh->morphs[i];
		printf("  %-30s %zu vertices", morph->name, morph->count);
		if (morph->weight != 0) printf(", weight %g at rest", morph->weight);
		if (morph->driver.bone[0])
			printf(", follows %s from %.3g to %.3g degrees", morph->driver.bone, morph->driver.from, morph->driver.to);
		printf("\n");
	}
}

/* ---- JSON ---- */

static json_t *numbers_as_json(const double *values, size_t count)
{
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++) json_array_append_new(list, command_json_real(values[i]));
	return list;
}

static json_t *textures_as_json(const ossa_material *material)
{
	json_t *list = json_object();
	for (int use = 0; use < USE_COUNT; use++) {
		const ossa_texture *texture = texture_of(material, use);
		if (!texture) continue;
		json_object_set_new(list, uses[use].name,
			json_pack("{s:I, s:I}", "image", (json_int_t)texture->image, "uv_set", (json_int_t)texture->uv_set));
	}
	return list;
}

json_t *inspect_materials_as_json(const ossa_mesh *mesh)
{
	json_t *list = json_array();
	for (size_t m = 0; m < mesh->material_count; m++) {
		json_t *item = json_pack("{s:s}", "name", mesh->materials[m]);
		if (mesh->appearance) {
			const ossa_material *material = &mesh->appearance->materials[m];
			json_object_update_new(item,
				json_pack("{s:o, s:o, s:o, s:o, s:s, s:b, s:o}", "color", numbers_as_json(material->base_color, 4), "metallic",
					command_json_real(material->metallic), "roughness", command_json_real(material->roughness), "emission",
					numbers_as_json(material->emission, 3), "alpha", alpha_names[material->alpha], "double_sided",
					material->double_sided, "textures", textures_as_json(material)));
		}
		json_array_append_new(list, item);
	}
	return list;
}

static json_t *image_as_json(const command_run *run, const ossa_image *image)
{
	uint32_t width, height;
	json_t *item = json_pack("{s:s, s:s, s:I, s:s?}", "name", image->name, "type", image->type, "bytes",
		(json_int_t)image->size, "file", image->path);
	/* a path that is not UTF-8 */
	if (!item) item = json_pack("{s:s, s:s, s:I}", "name", image->name, "type", image->type, "bytes", (json_int_t)image->size);
	if (ossa_image_measure(run->context, image, &width, &height))
		json_object_update_new(item, json_pack("{s:I, s:I}", "width", (json_int_t)width, "height", (json_int_t)height));
	return item;
}

json_t *inspect_images_as_json(const command_run *run, const ossa_mesh *mesh)
{
	json_t *list = json_array();
	for (size_t i = 0; mesh->appearance && i < mesh->appearance->image_count; i++)
		json_array_append_new(list, image_as_json(run, &mesh->appearance->images[i]));
	return list;
}

json_t *inspect_morphs_as_json(const ossa_mesh *mesh)
{
	json_t *list = json_array();
	for (size_t i = 0; i < mesh->morph_count; i++) {
		const ossa_morph *morph = &mesh->morphs[i];
		const ossa_driver *driver = &morph->driver;
		json_t *item = json_pack("{s:s, s:I, s:o}", "name", morph->name, "vertices", (json_int_t)morph->count, "weight",
			command_json_real(morph->weight));
		if (driver->bone[0])
			json_object_set_new(item, "follows",
				json_pack("{s:s, s:o, s:f, s:f}", "bone", driver->bone, "axis", numbers_as_json(driver->axis, 3), "from",
					driver->from, "to", driver->to));
		json_array_append_new(list, item);
	}
	return list;
}
