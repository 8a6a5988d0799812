/* tests/export/collada/test_collada_out_materials.c: materials, textures and images through Collada
   files of both versions and back; files beside. */
#include "base/file.h"
#include "support/looks.h"
#include "support/support.h"

#include <string.h>

static void check_round_trip(ossa_collada_version version, const char *name)
{
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	options.collada = version;
	ossa_mesh *mesh = test_looks(context), *back;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path(name), &options));
	assert_ok(context, ossa_read_mesh(context, test_path(name), NULL, &back));
	assert_int_equal(test_warned(context, "materials-simplified"), 1); /* the strength of a glow */
	test_assert_looks(context, mesh, back, true);
	assert_int_equal(back->appearance->image_count, 4);
	ossa_mesh_free(context, mesh);
	ossa_mesh_free(context, back);
	test_context_end(context);
}

static void everything_comes_back(void **state)
{
	(void)state;
	check_round_trip(OSSA_COLLADA_1_5, "new.dae");
	check_round_trip(OSSA_COLLADA_1_4_1, "old.dae");
}

/* the base colour takes the first UVs, all other textures of the material the third */
static void textures_keep_their_uvs(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_looks(context), *back;
	ossa_material *skin = (ossa_material *)(uintptr_t)mesh->appearance->materials;
	for (size_t set = 0; set < 2; set++) {
		ossa_uv_set *uvs = &mesh->more_uvs[mesh->more_uv_count++];
		uvs->texcoord_count = 1;
		uvs->texcoords = ossa_alloc(context, 2, sizeof *uvs->texcoords);
		uvs->corner_texcoord = ossa_alloc(context, mesh->corner_count, sizeof *uvs->corner_texcoord);
		assert_true(uvs->texcoords && uvs->corner_texcoord);
	}
	skin->normal_texture.uv_set = skin->metallic_roughness_texture.uv_set = 2;
	skin->occlusion_texture.uv_set = skin->emission_texture.uv_set = 2;
	for (int version = 0; version < 2; version++) {
		ossa_write_options options = ossa_write_default();
		options.collada = version == 0 ? OSSA_COLLADA_1_5 : OSSA_COLLADA_1_4_1;
		assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("sets.dae"), &options));
		assert_ok(context, ossa_read_mesh(context, test_path("sets.dae"), NULL, &back));
		test_assert_looks(context, mesh, back, true);
		ossa_mesh_free(context, back);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* programs show the image of a glow and know no factor: a black glow is no image for them */
static void dark_glows_are_hidden_and_others_said(void **state)
{
	(void)state;
	static const double glows[][3] = {{0, 0, 0}, {1, 1, 1}, {5, 5, 5}, {0.2, 0.1, 0}};
	for (int i = 0; i < 4; i++) {
		ossa_context *context = test_context(1);
		ossa_mesh *mesh = test_looks(context), *back;
		ossa_material *skin = (ossa_material *)(uintptr_t)mesh->appearance->materials;
		char text[32768];
		memcpy(skin->emission, glows[i], sizeof skin->emission);
		assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("glow.dae"), NULL));
		assert_int_equal(test_warned(context, "materials-simplified"), i > 1);
		text[test_read_bytes(test_path("glow.dae"), text, sizeof text - 1)] = 0;
		const char *shader = strstr(text, "<lambert>"), *glow = strstr(shader, "<emission>");
		const char *map = strstr(glow, "<texture"), *end = strstr(glow, "</emission>");
		assert_int_equal(map && map<end, i> 0);
		assert_ok(context, ossa_read_mesh(context, test_path("glow.dae"), NULL, &back));
		test_assert_looks(context, mesh, back, true);
		ossa_mesh_free(context, back);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

/* Blender takes no colour where a number is more than 1 */
static void bright_colors_end_at_white(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_looks(context), *back;
	ossa_material *skin = (ossa_material *)(uintptr_t)mesh->appearance->materials;
	char text[32768];
	skin->emission_texture.image = OSSA_NONE;
	memcpy(skin->emission, (double[]){4, 2, 0}, sizeof skin->emission);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("lamp.dae"), NULL));
	assert_int_equal(test_warned(context, "materials-simplified"), 1);
	text[test_read_bytes(test_path("lamp.dae"), text, sizeof text - 1)] = 0;
	const char *glow = strstr(text, "<emission>");
	assert_non_null(glow);
	assert_non_null(strstr(glow, "<color>1 0.5 0 1</color>"));
	assert_ok(context, ossa_read_mesh(context, test_path("lamp.dae"), NULL, &back));
	assert_near_array(3, back->appearance->materials[0].emission, skin->emission, 0);
	ossa_mesh_free(context, back);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* "gr%C3%BC n.dae": the URI of the image is escaped, the file's name is not */
static void names_of_images_are_escaped(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const char *path = test_path("gr\xc3\xbc n.dae");
	char text[32768];
	ossa_write_options options = ossa_write_default();
	options.collada = OSSA_COLLADA_1_5;
	ossa_mesh *mesh = test_looks(context), *back;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, path, &options));
	text[test_read_bytes(path, text, sizeof text - 1)] = 0;
	assert_non_null(strstr(text, "<ref>gr%C3%BC%20n_base.png</ref>"));
	assert_true(ossai_file_exists(context, test_path("gr\xc3\xbc n_base.png")));
	assert_ok(context, ossa_read_mesh(context, path, NULL, &back));
	test_assert_looks(context, mesh, back, true);
	ossa_mesh_free(context, mesh);
	ossa_mesh_free(context, back);
	test_context_end(context);
}

/* some programs find no images in 1.5 */
static void images_make_it_older(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char text[32768];
	ossa_mesh *mesh = test_looks(context);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("auto.dae"), NULL));
	text[test_read_bytes(test_path("auto.dae"), text, sizeof text - 1)] = 0;
	assert_non_null(strstr(text, "version=\"1.4.1\""));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* materials of which only names are known share one grey effect, as before there were looks */
static void names_alone_are_grey(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char text[32768];
	ossa_mesh *mesh = test_looks(context), *copy;
	assert_ok(
		context, ossa_mesh_create(context, mesh->vertex_count, mesh->positions, mesh->triangle_count, mesh->triangles, &copy));
	copy->material_count = 2;
	copy->materials = ossa_alloc(context, 2, sizeof *copy->materials);
	copy->polygon_material = ossa_alloc(context, copy->polygon_count, sizeof *copy->polygon_material);
	assert_true(copy->materials && copy->polygon_material);
	memcpy(copy->materials, mesh->materials, 2 * sizeof *copy->materials);
	assert_ok(context, ossa_write_mesh(context, copy, NULL, test_path("grey.dae"), NULL));
	text[test_read_bytes(test_path("grey.dae"), text, sizeof text - 1)] = 0;
	assert_non_null(strstr(text, "version=\"1.5.0\""));
	assert_null(strstr(text, "library_images"));
	assert_null(strstr(text, "bind_vertex_input"));
	const char *effect = strstr(text, "<effect id=\"ossa-effect\">");
	assert_non_null(effect);
	assert_null(strstr(effect + 1, "<effect id"));
	ossa_mesh_free(context, mesh);
	ossa_mesh_free(context, copy);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_looks(context);
	test_sweep_write(&(test_writing){.mesh = mesh}, "sweep.dae", 10);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("read.dae"), NULL));
	test_sweep_read_mesh(test_path("read.dae"), 50);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void a_full_disk_leaves_no_image(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_looks(context);
	test_full_disk(context, &(test_writing){.mesh = mesh}, "full.dae", "full.dae", 64);
	assert_false(ossai_file_exists(context, test_path("full_base.png")));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_comes_back),
		cmocka_unit_test(textures_keep_their_uvs),
		cmocka_unit_test(dark_glows_are_hidden_and_others_said),
		cmocka_unit_test(bright_colors_end_at_white),
		cmocka_unit_test(names_of_images_are_escaped),
		cmocka_unit_test(images_make_it_older),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(a_full_disk_leaves_no_image),
		cmocka_unit_test(names_alone_are_grey),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
