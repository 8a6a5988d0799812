/* tests/export/test_mtl_out.c: the library and the images beside an OBJ file. */
#include "base/file.h"
#include "math/vec.h"
#include "support/dressed.h"
#include "support/faults.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char text[1 << 16];

static const char *load(const char *path)
{
	text[test_read_bytes(path, text, sizeof text - 1)] = 0;
	return text;
}

static void assert_file(const char *path, const char *expected) { assert_string_equal(load(path), expected); }

static void what_materials_say(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("say.obj"), NULL));
	assert_non_null(strstr(load(test_path("say.obj")), "mtllib say.mtl\no dressed\nv 0 0 0\n"));
	assert_file(test_path("say.mtl"),
		"# made by ossa\n"
		"newmtl old skin\nillum 2\nKd 0.5 0.25 1\nKs 0.5 0.5 0.5\nNs 62.5\nd 1\nPr 0.75\nPm 0.5\nKe 0 0.5 1\n"
		"map_Kd -o 0.5 0 0 -s 1 2 1 say_color.png\nmap_Pr -imfchan g say_both.png\nmap_Pm -imfchan b say_both.png\n"
		"map_Ke say_color.png\nnorm -bm 0.5 say_normal.png\nmap_Bump -bm 0.5 say_normal.png\n"
		"newmtl glass\nillum 2\nKd 1 1 1\nKs 0.5 0.5 0.5\nNs 9.999999999999995\nd 0.5\nPr 0.9\nPm 0\n"
		"map_Kd -clamp on say_color.png\nmap_d -clamp on say_color.png\n");
	char bytes[32];
	assert_int_equal(test_read_bytes(test_path("say_both.png"), bytes, sizeof bytes), 16);
	assert_memory_equal(bytes, "\x89PNGboth", 8);
	/* a rotation and occlusion */
	assert_int_equal(test_warned(context, "materials-simplified"), 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* numbers, and the images by their names */
static void assert_same_look(const ossa_appearance *a, const ossa_appearance *b)
{
	assert_int_equal(a->material_count, b->material_count);
	for (size_t m = 0; m < a->material_count; m++) {
		const ossa_material *one = &a->materials[m], *two = &b->materials[m];
		assert_near_array(4, one->base_color, two->base_color, 0);
		assert_near_array(3, one->emission, two->emission, 0);
		assert_near(one->metallic, two->metallic, 0);
		assert_near(one->roughness, two->roughness, 0);
		assert_near(one->normal_scale, two->normal_scale, 0);
		assert_int_equal(one->alpha, two->alpha);
		assert_near_array(2, one->base_color_texture.offset, two->base_color_texture.offset, 0);
		assert_near_array(2, one->base_color_texture.scale, two->base_color_texture.scale, 0);
		assert_memory_equal(one->base_color_texture.wraps, two->base_color_texture.wraps, sizeof one->base_color_texture.wraps);
		assert_int_equal(
			one->metallic_roughness_texture.image == OSSA_NONE, two->metallic_roughness_texture.image == OSSA_NONE);
		assert_int_equal(one->normal_texture.image == OSSA_NONE, two->normal_texture.image == OSSA_NONE);
	}
}

static void written_and_read_again(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context), *back;
	test_dressed_material(mesh, 0)->base_color_texture.rotation = 0;
	test_dressed_material(mesh, 0)->occlusion_texture.image = OSSA_NONE;
	mkdir(test_path("there and back"), 0755);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("there and back/a b.obj"), NULL));
	assert_no_warnings(context);
	assert_ok(context, ossa_read_mesh(context, test_path("there and back/a b.obj"), NULL, &back));
	assert_no_warnings(context);
	assert_int_equal(back->appearance->image_count, 3);
	assert_same_look(mesh->appearance, back->appearance);
	/* once more, over itself, with images where they are */
	char first[4096];
	snprintf(first, sizeof first, "%s", load(test_path("there and back/a b.mtl")));
	assert_ok(context, ossa_write_mesh(context, back, NULL, test_path("there and back/a b.obj"), NULL));
	assert_file(test_path("there and back/a b.mtl"), first);
	ossa_mesh_free(context, back);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* "newmtl" to "map" of the first material of a mesh whose glow and metal lie by other UVs, or have
   images that are not there */
static void check_left_out(const char *name, size_t uv_set, const uint8_t *bytes, const char *expected)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	ossa_material *skin = test_dressed_material(mesh, 0);
	char path[64];
	skin->emission_texture.uv_set = skin->metallic_roughness_texture.uv_set = (uint32_t)uv_set;
	for (size_t i = 0; !bytes && i < mesh->appearance->image_count; i++) {
		ossa_image *image = (ossa_image *)(uintptr_t)&mesh->appearance->images[i];
		image->bytes = NULL;
		image->path = "no such image.png";
	}
	snprintf(path, sizeof path, "%s.obj", name);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path(path), NULL));
	snprintf(path, sizeof path, "%s.mtl", name);
	assert_non_null(strstr(load(test_path(path)), expected));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void factors_go_with_their_maps(void **state)
{
	(void)state;
	const uint8_t some[1] = {0};
	check_left_out("first", 0, some, "Pr 0.75\nPm 0.5\nKe 0 0.5 1\nmap_Kd");
	check_left_out("second", 1, some, "Pr 0.75\nPm 0\nmap_Kd");
	check_left_out("missing", 0, NULL, "Pr 0.75\nPm 0\nnewmtl glass");
}

/* programs that do not know the option look for a file "-clamp on ..." */
static void clamping_is_written_where_it_shows(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	mesh->texcoords[2] = 1;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("clamp.obj"), NULL));
	assert_null(strstr(load(test_path("clamp.mtl")), "-clamp"));
	test_dressed_material(mesh, 1)->base_color_texture.scale[0] = 2;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("clamp.obj"), NULL));
	assert_non_null(strstr(load(test_path("clamp.mtl")), "map_d -s 2 1 1 -clamp on clamp_color.png\n"));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void other_libraries_stay(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	test_file("mine.mtl", "newmtl mine\n", 0);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("mine.obj"), NULL));
	test_assert_holds(test_path("mine.mtl"), "newmtl mine\n");
	assert_non_null(strstr(load(test_path("mine.obj")), "mtllib mine-2.mtl\n"));
	/* the one of the file that is replaced goes with it */
	test_dressed_material(mesh, 0)->metallic = 1;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("mine.obj"), NULL));
	assert_non_null(strstr(load(test_path("mine.obj")), "mtllib mine-2.mtl\n"));
	assert_non_null(strstr(load(test_path("mine-2.mtl")), "Pm 1\n"));
	assert_false(ossai_file_exists(context, test_path("mine-3.mtl")));
	test_file("yours.mtl", "newmtl yours\n", 0);
	test_file("yours.obj", "# old\nmtllib yours.mtl\nv 0 0 0\n", 0);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("yours.obj"), NULL));
	assert_non_null(strstr(load(test_path("yours.obj")), "mtllib yours.mtl\n"));
	assert_non_null(strstr(load(test_path("yours.mtl")), "newmtl old skin\n"));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void frames_share_a_library(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	ossa_frames *frames;
	assert_ok(context, ossa_frames_create(context, 3, mesh->vertex_count, 24, &frames));
	for (size_t f = 0; f < 3; f++) memcpy(frames->positions + 12 * f, mesh->positions, 12 * sizeof(float));
	mkdir(test_path("frames"), 0755);
	for (int again = 0; again < 2; again++) {
		assert_ok(context, ossa_write_frames(context, mesh, frames, test_path("frames/walk_##.obj"), NULL));
		assert_non_null(strstr(load(test_path("frames/walk_03.obj")), "mtllib walk.mtl\n"));
		assert_false(ossai_file_exists(context, test_path("frames/walk_01.mtl")));
		assert_false(ossai_file_exists(context, test_path("frames/walk-2.mtl")));
		assert_true(ossai_file_exists(context, test_path("frames/walk_color.png")));
		assert_false(ossai_file_exists(context, test_path("frames/walk_color-2.png")));
		/* a changed library takes the place of the old one */
		test_dressed_material(mesh, 0)->metallic = 1;
	}
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void all_files_or_none(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	mkdir(test_path("none"), 0755);
	/* a folder has the name of the OBJ file */
	mkdir(test_path("none/x.obj"), 0755);
	assert_fails(context, ossa_write_mesh(context, mesh, NULL, test_path("none/x.obj"), NULL), OSSA_ERROR_WRITE, "x.obj");
	assert_false(ossai_file_exists(context, test_path("none/x.mtl")));
	assert_false(ossai_file_exists(context, test_path("none/x_color.png")));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void without_an_appearance_nothing_is_beside(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	const char plain[] = "o x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\nusemtl none\nf 3 2 1\n";
	mkdir(test_path("plain"), 0755);
	assert_ok(context, ossa_read_mesh(context, test_file("plain/x.obj", plain, 0), NULL, &mesh));
	assert_null(mesh->appearance);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("plain/y.obj"), NULL));
	test_assert_holds(test_path("plain/y.obj"), plain);
	assert_false(ossai_file_exists(context, test_path("plain/y.mtl")));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void memory_that_runs_out(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_dressed(context);
	mkdir(test_path("memory"), 0755);
	test_sweep_write(&(test_writing){.mesh = mesh}, "x.obj", 5);
	test_sweep_write(&(test_writing){.mesh = mesh}, "x.usda", 5);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("memory/x.obj"), NULL));
	test_sweep_read_mesh(test_path("memory/x.obj"), 10);
	test_full_disk(context, &(test_writing){.mesh = mesh}, "full.obj", "full.mtl", 64);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_materials_say),
		cmocka_unit_test(written_and_read_again),
		cmocka_unit_test(factors_go_with_their_maps),
		cmocka_unit_test(clamping_is_written_where_it_shows),
		cmocka_unit_test(other_libraries_stay),
		cmocka_unit_test(frames_share_a_library),
		cmocka_unit_test(all_files_or_none),
		cmocka_unit_test(memory_that_runs_out),
		cmocka_unit_test(without_an_appearance_nothing_is_beside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
