/* tests/support/dressed.c: a mesh that has everything that materials say. */
#include "support/dressed.h"
#include "support/support.h"

static const char obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 2 0\nvt 1 1\nvt 0 1\nusemtl old skin\nf 1/1 2/2 3/3\n"
						  "usemtl glass\nf 1/1 3/3 4/4\n";

static uint32_t add_image(ossai_appearance *look, const char *name)
{
	uint32_t image;
	uint8_t bytes[16] = "\x89PNG";
	snprintf((char *)bytes + 4, sizeof bytes - 4, "%s", name);
	assert_ok(look->context, ossai_appearance_add_copy(look, name, bytes, sizeof bytes, &image));
	return image;
}

static void fill_materials(ossai_appearance *look)
{
	ossa_material *skin = &look->materials[0], *glass = &look->materials[1];
	const uint32_t color = add_image(look, "color"), both = add_image(look, "both"), normal = add_image(look, "normal");
	*skin = (ossa_material){.base_color = {0.5, 0.25, 1, 1},
		.metallic = 0.5,
		.roughness = 0.75,
		.emission = {0, 0.5, 1},
		.normal_scale = 0.5,
		.occlusion_strength = 0.25,
		.alpha_cutoff = 0.5,
		.base_color_texture = ossai_texture_of(color),
		.metallic_roughness_texture = ossai_texture_of(both),
		.normal_texture = ossai_texture_of(normal),
		.occlusion_texture = ossai_texture_of(both),
		.emission_texture = ossai_texture_of(color)};
	skin->base_color_texture.offset[0] = 0.5;
	skin->base_color_texture.scale[1] = 2;
	skin->base_color_texture.rotation = OSSAI_PI / 2;
	glass->base_color[3] = 0.5;
	glass->alpha = OSSA_ALPHA_BLEND;
	glass->double_sided = false;
	glass->base_color_texture = ossai_texture_of(color);
	glass->base_color_texture.wraps[0] = glass->base_color_texture.wraps[1] = OSSA_WRAP_CLAMP;
}

ossa_mesh *test_dressed(ossa_context *context)
{
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, test_file("dressed.obj", obj, 0), NULL, &mesh));
	ossai_appearance *look = ossai_appearance_new(context, 2);
	assert_non_null(look);
	fill_materials(look);
	mesh->appearance = &look->shown;
	assert_ok(context, ossa_mesh_validate(context, mesh));
	return mesh;
}

ossa_material *test_dressed_material(ossa_mesh *mesh, size_t index)
{
	/* const for those who share it, who are none here */
	return (ossa_material *)(uintptr_t)&mesh->appearance->materials[index];
}
