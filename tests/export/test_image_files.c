/* tests/export/test_image_files.c: images beside an output: their names, and no other file is
   written over. */
#include "export/image_files.h"
#include "scene/appearance.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static ossai_file lent(const char *text)
{
	return (ossai_file){.bytes = (const uint8_t *)text, .size = strlen(text), .is_lent = true};
}

static void a_file_with_other_contents_stays(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char path[OSSAI_PATH_SIZE];
	const ossai_file one = lent("one"), two = lent("two");
	const char *output = test_path("x.obj");
	assert_ok(context, ossai_write_beside(context, output, "skin.png", OSSA_IMAGE_NAMES_KEEP, &one, path));
	assert_string_equal(ossai_file_name(path), "skin.png");
	assert_ok(context, ossai_write_beside(context, output, "skin.png", OSSA_IMAGE_NAMES_KEEP, &two, path));
	assert_string_equal(ossai_file_name(path), "skin-2.png");
	test_assert_holds(path, "two");
	assert_ok(context, ossai_write_beside(context, output, "skin.png", OSSA_IMAGE_NAMES_KEEP, &one, path));
	assert_string_equal(ossai_file_name(path), "skin.png");
	test_assert_holds(path, "one");
	test_context_end(context);
}

static void files_of_a_batch_count(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char path[OSSAI_PATH_SIZE];
	const ossai_file one = lent("one"), two = lent("two");
	const char *output = test_path("batch.obj");
	ossai_batch batch;
	ossai_batch_begin(context, &batch);
	assert_ok(context, ossai_write_beside(context, output, "hair.png", OSSA_IMAGE_NAMES_KEEP, &one, path));
	assert_false(ossai_file_exists(context, path));
	assert_ok(context, ossai_write_beside(context, output, "hair.png", OSSA_IMAGE_NAMES_KEEP, &two, path));
	assert_string_equal(ossai_file_name(path), "hair-2.png");
	assert_ok(context, ossai_write_beside(context, output, "hair.png", OSSA_IMAGE_NAMES_KEEP, &one, path));
	assert_string_equal(ossai_file_name(path), "hair.png");
	assert_int_equal(batch.count, 2);
	assert_ok(context, ossai_batch_end(&batch, OSSA_OK));
	test_assert_holds(path, "one");
	test_context_end(context);
}

static void names_by_the_output_depend_on_nothing_else(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char path[OSSAI_PATH_SIZE];
	const ossai_file one = lent("one"), two = lent("two");
	const char *output = test_path("y.dae");
	const ossa_image_names by_output = OSSA_IMAGE_NAMES_OUTPUT;
	test_file("y.dae.skin.png", "old", 0);
	ossai_batch batch;
	ossai_batch_begin(context, &batch);
	assert_ok(context, ossai_write_beside(context, output, "skin.png", by_output, &one, path));
	assert_string_equal(ossai_file_name(path), "y.dae.skin.png");
	/* another image of that name, and the first one again */
	assert_ok(context, ossai_write_beside(context, output, "skin.png", by_output, &two, path));
	assert_string_equal(ossai_file_name(path), "y.dae.skin-2.png");
	assert_ok(context, ossai_write_beside(context, output, "skin.png", by_output, &one, path));
	assert_string_equal(ossai_file_name(path), "y.dae.skin.png");
	test_assert_holds(test_path("y.dae.skin.png"), "old");
	assert_ok(context, ossai_batch_end(&batch, OSSA_OK));
	test_assert_holds(test_path("y.dae.skin.png"), "one");
	test_assert_holds(test_path("y.dae.skin-2.png"), "two");
	/* what was written is read again, and what could be another output's: one dot is left */
	assert_ok(context, ossai_write_beside(context, output, "y.dae.skin.png", by_output, &two, path));
	assert_string_equal(ossai_file_name(path), "y.dae.skin.png");
	assert_ok(context, ossai_write_beside(context, output, "b.glb.skin.png", by_output, &two, path));
	assert_string_equal(ossai_file_name(path), "y.dae.b-glb-skin.png");
	assert_ok(context, ossai_write_beside(context, output, "y.dae.png", by_output, &two, path));
	assert_string_equal(ossai_file_name(path), "y.dae.y-dae.png");
	assert_ok(context, ossai_write_beside(context, output, "skin", by_output, &two, path));
	assert_string_equal(ossai_file_name(path), "y.dae.skin");
	test_context_end(context);
}

/* an appearance of three materials: bytes, a file of the folder "in" and an image that no material
   uses */
static ossai_appearance *three_images(ossa_context *context, const char *own)
{
	ossai_appearance *look = ossai_appearance_new(context, 3);
	uint32_t bytes, file, unused;
	assert_non_null(look);
	assert_ok(context, ossai_appearance_add_copy(look, "Skin of Ann", (const uint8_t *)"\x89PNG...", 7, &bytes));
	assert_ok(context, ossai_appearance_add_file(look, own, "tex/wool.png", true, &file));
	assert_ok(context, ossai_appearance_add_copy(look, "unused", (const uint8_t *)"\x89PNG", 4, &unused));
	assert_int_not_equal(file, OSSA_NONE);
	look->materials[0].base_color_texture = ossai_texture_of(bytes);
	look->materials[1].normal_texture = ossai_texture_of(file);
	return look;
}

static void images_are_named_as_seen_from_the_output(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	mkdir(test_path("in"), 0755);
	mkdir(test_path("in/tex"), 0755);
	mkdir(test_path("out"), 0755);
	test_file("in/tex/wool.png", "wool", 0);
	ossai_appearance *look = three_images(context, test_path("in/a.obj"));
	ossai_arena arena = ossai_arena_begin(context);
	const char *const *names;
	/* below the folder of the output, in another, and numbered outputs with the same images */
	assert_ok(context, ossai_write_images(&arena, &look->shown, test_path("in/b.obj"), OSSA_IMAGE_NAMES_KEEP, &names));
	assert_string_equal(names[0], "b_Skin_of_Ann.png");
	assert_string_equal(names[1], "tex/wool.png");
	assert_null(names[2]);
	assert_ok(context, ossai_write_images(&arena, &look->shown, test_path("out/b_0001.obj"), OSSA_IMAGE_NAMES_KEEP, &names));
	assert_string_equal(names[0], "b_Skin_of_Ann.png");
	assert_string_equal(names[1], "wool.png");
	test_assert_holds(test_path("out/wool.png"), "wool");
	assert_ok(context, ossai_write_images(&arena, &look->shown, test_path("out/b_0002.obj"), OSSA_IMAGE_NAMES_KEEP, &names));
	assert_string_equal(names[0], "b_Skin_of_Ann.png");
	assert_string_equal(names[1], "wool.png");
	/* each output its own */
	assert_ok(context, ossai_write_images(&arena, &look->shown, test_path("out/b_1.obj"), OSSA_IMAGE_NAMES_OUTPUT, &names));
	assert_string_equal(names[0], "b_1.obj.Skin_of_Ann.png");
	assert_string_equal(names[1], "b_1.obj.wool.png");
	/* an image that is gone */
	remove(test_path("in/tex/wool.png"));
	assert_ok(context, ossai_write_images(&arena, &look->shown, test_path("out/c.obj"), OSSA_IMAGE_NAMES_KEEP, &names));
	assert_null(names[1]);
	assert_int_equal(test_warned(context, "image-missing"), 1);
	ossai_arena_end(&arena);
	ossai_appearance_release(&look->shown);
	test_context_end(context);
}

static void numbers_at_the_end_are_no_part_of_the_stem(void **state)
{
	(void)state;
	static const char *const cases[][2] = {{"poses/lion-02.obj", "lion"}, {"lion.obj", "lion"}, {"a.b_7.usda", "a.b"},
		{"0001.obj", "0001"}, {"walk_.obj", "walk_"}, {"x/.obj", ".obj"}, {"R2D2.obj", "R2D"}};
	char stem[256];
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossai_output_stem(cases[i][0], stem);
		assert_string_equal(stem, cases[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_with_other_contents_stays),
		cmocka_unit_test(files_of_a_batch_count),
		cmocka_unit_test(names_by_the_output_depend_on_nothing_else),
		cmocka_unit_test(images_are_named_as_seen_from_the_output),
		cmocka_unit_test(numbers_at_the_end_are_no_part_of_the_stem),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
