/* tests/scene/test_appearance.c: names of images, which become names of files. */
#include "scene/appearance.h"
#include "support/looks.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static const char png[] = "\x89PNG";

/* the name that an image gets */
static const char *name_of(ossai_appearance *appearance, const char *wanted)
{
	uint32_t image;
	assert_ok(appearance->context, ossai_appearance_add(appearance, wanted, (const uint8_t *)png, 4, NULL, &image));
	return appearance->images[image].name;
}

static void letters_of_all_languages_stay(void **state)
{
	(void)state;
	static const char *const names[][2] = {
		{"skin", "skin"},
		{"Gr\xc3\xbc\xc3\x9f"
		 "e",
			"Gr\xc3\xbc\xc3\x9f"
			"e"},
		{"\xe8\x82\x8c.png", "\xe8\x82\x8c"},
		{"\xd0\xba\xd0\xbe\xd0\xb6\xd0\xb0 1", "\xd0\xba\xd0\xbe\xd0\xb6\xd0\xb0_1"},
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
		{"a/b:c*d?e\"f<g>h|i\\j", "a_b_c_d_e_f_g_h_i_j"},
		{"", "image"},
		/* spaces, controls, marks of direction, no characters */
		{"a\xc2\xa0"
		 "b\xc2\x85"
		 "c\xe2\x80\xae"
		 "d\xe3\x80\x80"
		 "e\xef\xbb\xbf"
		 "f\xef\xbf\xbf",
			"a_b_c_d_e_f_"},
		/* bytes that are no UTF-8: a `_` each */
		{"x\xff\xc3"
		 "y\xed\xa0\x80",
			"x__y___"},
	};
	ossa_context *context = test_context(1);
	ossai_appearance *appearance = ossai_appearance_new(context, 0);
	assert_non_null(appearance);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_string_equal(name_of(appearance, names[i][0]), names[i][1]);
	/* numbers tell equal ones apart */
	assert_string_equal(name_of(appearance,
							"Gr\xc3\xbc\xc3\x9f"
							"e"),
		"Gr\xc3\xbc\xc3\x9f"
		"e_2");
	ossai_appearance_release(&appearance->shown);
	test_context_end(context);
}

/* 47 bytes fit: a letter of two bytes that would be the 47th and 48th goes whole */
static void long_names_end_between_letters(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_appearance *appearance = ossai_appearance_new(context, 0);
	char wanted[128] = "", kept[64] = "";
	assert_non_null(appearance);
	for (int i = 0; i < 40; i++) strcat(wanted, "\xc3\xbc");
	for (int i = 0; i < 23; i++) strcat(kept, "\xc3\xbc");
	assert_string_equal(name_of(appearance, wanted), kept);
	memmove(wanted + 1, wanted, 81);
	memmove(kept + 1, kept, 47);
	wanted[0] = kept[0] = 'a';
	assert_string_equal(name_of(appearance, wanted), kept);
	assert_int_equal(strlen(kept), 47);
	ossai_appearance_release(&appearance->shown);
	test_context_end(context);
}

static bool can_read(const char *format)
{
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, format) == 0) return true;
	}
	return false;
}

/* every format that has images names the file so that it is found again */
static void formats_find_their_images(void **state)
{
	(void)state;
	static const char *const files[] = {"look.dae", "look.obj", "look.gltf", "look.glb", "look.fbx"};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_looks(context), *back;
	ossa_image *first = (ossa_image *)(uintptr_t)mesh->appearance->images;
	strcpy(first->name,
		"Gr\xc3\xbc\xc3\x9f"
		"e_\xe8\x82\x8c");
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		if (strstr(files[i], ".fbx") && !can_read("fbx")) continue;
		assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path(files[i]), NULL));
		assert_ok(context, ossa_read_mesh(context, test_path(files[i]), NULL, &back));
		assert_int_equal(test_warned(context, "image-missing"), 0);
		assert_true(back->appearance && back->appearance->image_count > 0);
		bool is_there = false;
		for (size_t k = 0; k < back->appearance->image_count; k++)
			is_there |= strstr(back->appearance->images[k].name, first->name) != NULL;
		assert_true(is_there);
		ossa_mesh_free(context, back);
	}
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("look.usda"), NULL));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_of_all_languages_stay),
		cmocka_unit_test(long_names_end_between_letters),
		cmocka_unit_test(formats_find_their_images),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
