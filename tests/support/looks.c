#include "support/looks.h"

#include "scene/appearance.h"
#include "support/support.h"

#include <string.h>

/* a PNG's mark and a letter */
static uint32_t add_image(ossai_appearance *look, const char *name, char letter)
{
	uint32_t image;
	const uint8_t bytes[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, (uint8_t)letter};
	assert_ok(look->context, ossai_appearance_add_copy(look, name, bytes, sizeof bytes, &image));
	return image;
}

static ossai_appearance *make_look(ossa_context *context)
{
	ossai_appearance *look = ossai_appearance_new(context, 2);
	assert_non_null(look);
	ossa_material *skin = &look->materials[0], *leaf = &look->materials[1];
	skin->base_color_texture = ossai_texture_of(add_image(look, "base", 'b'));
	skin->normal_texture = ossai_texture_of(add_image(look, "normal", 'n'));
	skin->emission_texture = ossai_texture_of(add_image(look, "emission", 'e'));
	skin->occlusion_texture = skin->metallic_roughness_texture = ossai_texture_of(add_image(look, "orm", 'o'));
	const ossa_texture moved = {
		.image = skin->base_color_texture.image, .offset = {0.25, -0.125}, .scale = {2, 0.5}, .rotation = 0.5};
	skin->base_color_texture = moved;
	memcpy(skin->base_color, (double[]){0.5, 0.25, 0.125, 0.75}, sizeof skin->base_color);
	memcpy(skin->emission, (double[]){1.5, 3, 0.75}, sizeof skin->emission);
	skin->metallic = 0.5;
	skin->roughness = 0.25;
	skin->normal_scale = 0.75;
	skin->occlusion_strength = 0.5;
	skin->alpha = OSSA_ALPHA_BLEND;
	leaf->base_color_texture = ossai_texture_of(skin->base_color_texture.image);
	leaf->base_color_texture.wraps[0] = OSSA_WRAP_CLAMP;
	leaf->base_color_texture.wraps[1] = OSSA_WRAP_MIRROR;
	leaf->metallic = 0.75;
	leaf->alpha = OSSA_ALPHA_MASK;
	leaf->alpha_cutoff = 0.25;
	leaf->double_sided = false;
	return look;
}

ossa_mesh *test_looks(ossa_context *context)
{
	static const float positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, texcoords[] = {0, 0, 1, 0, 1, 1, 0, 1};
	static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 4, positions, 2, triangles, &mesh));
	mesh->texcoords = ossa_alloc(context, 4, 2 * sizeof *mesh->texcoords);
	mesh->corner_texcoord = ossa_alloc(context, 6, sizeof *mesh->corner_texcoord);
	mesh->materials = ossa_alloc(context, 2, sizeof *mesh->materials);
	mesh->polygon_material = ossa_alloc(context, 2, sizeof *mesh->polygon_material);
	assert_true(mesh->texcoords && mesh->corner_texcoord && mesh->materials && mesh->polygon_material);
	mesh->texcoord_count = 4;
	memcpy(mesh->texcoords, texcoords, sizeof texcoords);
	memcpy(mesh->corner_texcoord, triangles, sizeof triangles);
	mesh->material_count = 2;
	strcpy(mesh->materials[0], "skin");
	strcpy(mesh->materials[1], "leaf");
	mesh->polygon_material[1] = 1;
	mesh->appearance = &make_look(context)->shown;
	return mesh;
}

/* ---- comparing ---- */

static void assert_same_bytes(ossa_context *context, const ossa_image *a, const ossa_image *b)
{
	ossai_file first, second;
	assert_ok(context, ossai_image_open(context, a, &first));
	assert_ok(context, ossai_image_open(context, b, &second));
	assert_int_equal(first.size, second.size);
	assert_memory_equal(first.bytes, second.bytes, first.size);
	ossai_file_close(context, &first);
	ossai_file_close(context, &second);
}

static void assert_same_texture(ossa_context *context, const ossa_appearance *a, const ossa_texture *x,
	const ossa_appearance *b, const ossa_texture *y, bool keeps_wraps)
{
	assert_int_equal(x->image == OSSA_NONE, y->image == OSSA_NONE);
	if (x->image == OSSA_NONE) return;
	assert_true(y->image < b->image_count);
	assert_same_bytes(context, &a->images[x->image], &b->images[y->image]);
	assert_int_equal(x->uv_set, y->uv_set);
	assert_near(x->rotation, y->rotation, 1e-6);
	for (int k = 0; k < 2; k++) {
		assert_near(x->offset[k], y->offset[k], 1e-6);
		assert_near(x->scale[k], y->scale[k], 1e-6);
		if (keeps_wraps) assert_int_equal(x->wraps[k], y->wraps[k]);
	}
}

static void assert_same_numbers(const ossa_material *x, const ossa_material *y)
{
	assert_near_array(4, y->base_color, x->base_color, 1e-6);
	assert_near_array(3, y->emission, x->emission, 1e-6);
	assert_near(y->metallic, x->metallic, 1e-6);
	assert_near(y->roughness, x->roughness, 1e-6);
	assert_near(y->normal_scale, x->normal_scale, 1e-6);
	assert_near(y->occlusion_strength, x->occlusion_strength, 1e-6);
	assert_int_equal(y->alpha, x->alpha);
	assert_near(y->alpha_cutoff, x->alpha_cutoff, 1e-6);
	assert_int_equal(y->double_sided, x->double_sided);
}

static const ossa_material *find_look(const ossa_mesh *mesh, const char *name)
{
	assert_non_null(mesh->appearance);
	assert_int_equal(mesh->appearance->material_count, mesh->material_count);
	for (size_t m = 0; m < mesh->material_count; m++) {
		if (strcmp(mesh->materials[m], name) == 0) return &mesh->appearance->materials[m];
	}
	fail_msg("no material \"%s\" came back", name);
	return NULL;
}

void test_assert_looks(ossa_context *context, const ossa_mesh *mesh, const ossa_mesh *back, bool keeps_wraps)
{
	const ossa_appearance *a = mesh->appearance, *b = back->appearance;
	assert_int_equal(back->material_count, mesh->material_count);
	for (size_t m = 0; m < mesh->material_count; m++) {
		const ossa_material *x = &a->materials[m], *y = find_look(back, mesh->materials[m]);
		assert_same_numbers(x, y);
		assert_same_texture(context, a, &x->base_color_texture, b, &y->base_color_texture, keeps_wraps);
		assert_same_texture(context, a, &x->metallic_roughness_texture, b, &y->metallic_roughness_texture, keeps_wraps);
		assert_same_texture(context, a, &x->normal_texture, b, &y->normal_texture, keeps_wraps);
		assert_same_texture(context, a, &x->occlusion_texture, b, &y->occlusion_texture, keeps_wraps);
		assert_same_texture(context, a, &x->emission_texture, b, &y->emission_texture, keeps_wraps);
	}
}
