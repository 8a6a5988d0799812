/* tests/export/fbx/test_fbx_materials.c: materials, textures and images through an FBX file and
   back, where ossa is built with assimp; images that are not there. */
#include "base/file.h"
#include "scene/appearance.h"
#include "support/looks.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* whether FBX can be read; says so where it cannot */
static bool can_read(void)
{
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, "fbx") == 0) return true;
	}
	print_message("skipped: this build has no FBX reader (libassimp-dev)\n");
	return false;
}

static void everything_comes_back_but_wraps(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_looks(context), *back;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("looks.fbx"), NULL));
	assert_ok(context, ossa_read_mesh(context, test_path("looks.fbx"), NULL, &back));
	/* the leaf's base colour is mirrored */
	assert_int_equal(test_warned(context, "materials-simplified"), 1);
	test_assert_looks(context, mesh, back, false);
	/* four images, each once, with their own names */
	assert_int_equal(back->appearance->image_count, 4);
	bool has_base = false;
	for (size_t i = 0; i < 4; i++) has_base = has_base || strcmp(back->appearance->images[i].name, "base") == 0;
	assert_true(has_base);
	ossa_mesh_free(context, mesh);
	ossa_mesh_free(context, back);
	test_context_end(context);
}

static size_t count_words(const ossai_file *file, const char *word)
{
	size_t count = 0;
	const size_t length = strlen(word);
	for (size_t i = 0; i + length <= file->size; i++) count += memcmp(file->bytes + i, word, length) == 0;
	return count;
}

/* a map that programs do not read must not show its factors: half a mirror */
static void bytes_are_inside_and_maps_hide_their_factors(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_looks(context);
	ossai_file file;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("inside.fbx"), NULL));
	assert_ok(context, ossai_file_open(context, test_path("inside.fbx"), &file));
	assert_int_equal(count_words(&file, "\x89PNG"), 4);
	assert_int_equal(count_words(&file, "orm.png"), 2 + 2 * 2);
	assert_int_equal(count_words(&file, "Maya|TEX_roughness_map"), 1);
	ossai_file_close(context, &file);
	assert_false(ossai_file_exists(context, test_path("base.png")));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* the number of a property: its name, words, then a D and the number itself */
static double property_of(const ossai_file *file, const char *name)
{
	const size_t length = strlen(name);
	const char *bytes = (const char *)file->bytes;
	for (size_t i = 0; i + length < file->size; i++) {
		if (memcmp(bytes + i, name, length) != 0) continue;
		size_t at = i + length;
		while (at + 13 < file->size && bytes[at] == 'S') {
			uint32_t size;
			memcpy(&size, bytes + at + 1, sizeof size);
			at += 5 + size;
		}
		double value;
		assert_true(at + 9 <= file->size && bytes[at] == 'D');
		memcpy(&value, bytes + at + 1, sizeof value);
		return value;
	}
	fail_msg("no %s", name);
	return NAN;
}

/* programs take the image and the factor, not the colour: a dim glow must be no lamp */
static void the_factor_is_how_strong_a_glow_is(void **state)
{
	(void)state;
	static const double glows[][3] = {{0.2, 0.1, 0}, {0, 0, 0}, {5, 2, 1}};
	for (int trial = 0; trial < 6; trial++) {
		ossa_context *context = test_context(1);
		ossa_mesh *mesh = test_looks(context);
		ossa_material *look = (ossa_material *)&mesh->appearance->materials[0];
		const double *emission = glows[trial / 2];
		const bool with_image = trial % 2 == 1;
		memcpy(look->emission, emission, sizeof look->emission);
		if (!with_image) look->emission_texture.image = OSSA_NONE;
		else look->emission_texture = look->base_color_texture;
		assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("glow.fbx"), NULL));
		ossai_file file;
		assert_ok(context, ossai_file_open(context, test_path("glow.fbx"), &file));
		assert_near(property_of(&file, "EmissiveFactor"), with_image ? emission[0] : 1, 1e-12);
		ossai_file_close(context, &file);
		ossa_mesh *back = NULL;
		if (can_read()) assert_ok(context, ossa_read_mesh(context, test_path("glow.fbx"), NULL, &back));
		if (back) assert_near_array(3, back->appearance->materials[0].emission, emission, 1e-6);
		ossa_mesh_free(context, back);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

/* a mesh with one material whose base colour is the file `path` */
static ossa_mesh *one_file(ossa_context *context, const char *path)
{
	ossa_mesh *mesh = test_looks(context);
	ossai_appearance *look = ossai_appearance_new(context, 2);
	uint32_t image;
	assert_non_null(look);
	assert_ok(context, ossai_appearance_add(look, path, NULL, 0, path, &image));
	look->materials[0].base_color_texture = ossai_texture_of(image);
	ossai_appearance_release(mesh->appearance);
	mesh->appearance = &look->shown;
	return mesh;
}

static void images_that_have_gone_are_named_alone(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = one_file(context, test_path("gone.png"));
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("gone.fbx"), NULL));
	assert_int_equal(test_warned(context, "image-missing"), 1);
	ossa_mesh_free(context, mesh);
	/* and what is no image */
	mesh = one_file(context, test_file("words.png", "no image", 0));
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("words.fbx"), NULL));
	assert_int_equal(test_warned(context, "image-missing"), 2);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void files_are_put_inside(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_mesh *back, *mesh = one_file(context, test_file("skin.png", "\x89PNG and more", 0));
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("files.fbx"), NULL));
	assert_int_equal(remove(test_path("skin.png")), 0);
	assert_ok(context, ossa_read_mesh(context, test_path("files.fbx"), NULL, &back));
	assert_no_warnings(context);
	const ossa_image *image = &back->appearance->images[back->appearance->materials[0].base_color_texture.image];
	assert_string_equal(image->name, "skin");
	assert_string_equal(image->type, "image/png");
	assert_int_equal(image->size, 13);
	ossa_mesh_free(context, mesh);
	ossa_mesh_free(context, back);
	test_context_end(context);
}

/* textures are most of a character's file: they pass through, and are not collected */
static void images_take_no_memory_of_their_own(void **state)
{
	(void)state;
	enum { SIZE = 8 << 20 };
	ossa_context *context = test_context(1);
	char *bytes = calloc(SIZE, 1);
	assert_non_null(bytes);
	memcpy(bytes, "\x89PNG", 4);
	ossa_mesh *mesh = one_file(context, test_file("large.png", bytes, SIZE));
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("large.fbx"), NULL));
	assert_no_warnings(context);
	assert_true(ossa_context_peak_bytes(context) < SIZE / 4);
	ossai_file file;
	assert_ok(context, ossai_file_open(context, test_path("large.fbx"), &file));
	assert_true(file.size > SIZE);
	assert_int_equal(count_words(&file, "\x89PNG"), 1);
	ossai_file_close(context, &file);
	free(bytes);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* replaces a word in a file of the test folder by another, which is as long */
static void replace_words(const char *file, const char *old, const char *name)
{
	uint8_t bytes[32768];
	const size_t length = strlen(old), size = test_read_bytes(test_path(file), bytes, sizeof bytes);
	assert_int_equal(strlen(name), length);
	for (size_t i = 0; i + length <= size; i++) {
		if (memcmp(bytes + i, old, length) == 0) memcpy(bytes + i, name, length);
	}
	test_file(file, bytes, size);
}

/* Blender leaves 0.8 in the colour that a map replaces; files of ossa multiply */
static void maps_of_others_stand_in_place_of_their_colors(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_looks(context), *back;
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("others.fbx"), NULL));
	replace_words("others.fbx", "ossa|", "what|");
	assert_ok(context, ossa_read_mesh(context, test_path("others.fbx"), NULL, &back));
	const ossa_material *skin = &back->appearance->materials[0];
	assert_near_array(4, skin->base_color, ((double[]){1, 1, 1, 0.75}), 1e-6);
	assert_near_array(3, skin->emission, ((double[]){1, 1, 1}), 0);
	assert_int_equal(skin->alpha, OSSA_ALPHA_BLEND);
	ossa_mesh_free(context, mesh);
	ossa_mesh_free(context, back);
	test_context_end(context);
}

/* Writes "named.fbx", whose one image has the name `name` in place of `old`, which is as long, and
   is not inside: what programs write that keep images beside. */
static void write_named(const char *old, const char *name)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = one_file(context, test_path(old));
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("named.fbx"), NULL));
	replace_words("named.fbx", old, name);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void check_named(const char *old, const char *name, bool is_found)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	write_named(old, name);
	assert_ok(context, ossa_read_mesh(context, test_path("named.fbx"), NULL, &mesh));
	assert_int_equal(mesh->appearance->materials[0].base_color_texture.image != OSSA_NONE, is_found);
	assert_int_equal(test_warned(context, "image-missing"), !is_found);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* the names of images without a type have no ending, so that each stands for any path */
static void paths_of_other_machines_count_by_their_last_part(void **state)
{
	(void)state;
	if (!can_read()) skip();
	test_file("near", "\x89PNG", 0);
	check_named("xxxxxxxxxxxxxx", "C:\\images\\near", true);
	check_named("xxxxxxxxxxxxxx", "../../far/near", true);
	check_named("xxxxxxxxxxxxxx", "/etc/some/near", true);
	check_named("xxxxxxxxxxxxxx", "C:\\images\\none", false);
	check_named("xxxxxxxxxxxxxx", "../../etc/host", false);
	test_file("gr\xc3\xbcn.jpeg", "\x89PNG", 0);
	check_named("xxxxxxxxxxxxxx", "././gr\xc3\xbcn.jpeg", true);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_looks(context);
	test_sweep_write(&(test_writing){.mesh = mesh}, "sweep.fbx", 5);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("read.fbx"), NULL));
	if (can_read()) test_sweep_read_mesh(test_path("read.fbx"), 20);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_comes_back_but_wraps),
		cmocka_unit_test(bytes_are_inside_and_maps_hide_their_factors),
		cmocka_unit_test(the_factor_is_how_strong_a_glow_is),
		cmocka_unit_test(images_that_have_gone_are_named_alone),
		cmocka_unit_test(images_take_no_memory_of_their_own),
		cmocka_unit_test(files_are_put_inside),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(maps_of_others_stand_in_place_of_their_colors),
		cmocka_unit_test(paths_of_other_machines_count_by_their_last_part),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
