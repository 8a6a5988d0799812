/* tests/import/mesh/test_mtl.c: material libraries of OBJ files: what they say, and every way in
   which they can be missing or broken. */
#include "scene/appearance.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char png[] = "\x89PNG\r\n\x1a\n";

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n"

/* reads a triangle of the material "a" whose mtllib lines are `lines` */
static ossa_mesh *read_lines(ossa_context *context, const char *lines)
{
	ossa_mesh *mesh = NULL;
	char text[4096];
	snprintf(text, sizeof text, "%s%s", lines, TRIANGLE);
	assert_ok(context, ossa_read_mesh(context, test_file("mesh.obj", text, 0), NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	return mesh;
}

/* the material "a" of a library that says this of it */
static ossa_mesh *read_material(ossa_context *context, const char *statements)
{
	char text[4096];
	snprintf(text, sizeof text, "newmtl a\n%s\n", statements);
	test_file("a.mtl", text, 0);
	return read_lines(context, "mtllib a.mtl\n");
}

static ossa_material material_of(const ossa_mesh *mesh)
{
	assert_non_null(mesh->appearance);
	assert_int_equal(mesh->appearance->material_count, mesh->material_count);
	return mesh->appearance->materials[0];
}

static void numbers(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_material(
		context, "\tKd 0.5 .25 1\n Ke 0 1 0.5\nNs 250\nKs 1 1 1\nd 0.75\nillum 2\nNi 1.5\nKa 1 1 1");
	ossa_material a = material_of(mesh);
	const double color[] = {0.5, 0.25, 1, 0.75}, emission[] = {0, 1, 0.5};
	assert_near_array(4, a.base_color, color, 0);
	assert_near_array(3, a.emission, emission, 0);
	assert_near(a.roughness, 0.5, 1e-12);
	assert_near(a.metallic, 0, 0);
	assert_int_equal(a.alpha, OSSA_ALPHA_BLEND);
	assert_true(a.double_sided);
	ossa_mesh_free(context, mesh);
	/* the physical extension comes first; a gray; opacity from the other side */
	mesh = read_material(context, "Kd 0.5\nNs 0\nPr 0.125\nPm 0.5\nTr 0.25");
	a = material_of(mesh);
	assert_near(a.base_color[2], 0.5, 0);
	assert_near(a.roughness, 0.125, 0);
	assert_near(a.metallic, 0.5, 0);
	assert_near(a.base_color[3], 0.75, 0);
	ossa_mesh_free(context, mesh);
	/* nothing is said; nothing shines */
	mesh = read_material(context, "illum 1");
	a = material_of(mesh);
	const ossa_material usual = ossa_material_default();
	assert_memory_equal(&a, &usual, sizeof a);
	ossa_mesh_free(context, mesh);
	mesh = read_material(context, "Ks 0 0 0\nNs 900\nd -halo 1\nTr 0.75");
	assert_near(material_of(mesh).roughness, 1, 0);
	assert_int_equal(material_of(mesh).alpha, OSSA_ALPHA_OPAQUE);
	assert_no_warnings(context);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void numbers_that_make_no_sense(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_material(context,
		"Kd -1 1e999 2\nKd spectral file.rfl 1\nKd xyz 1 1 1\nKe nan 1 1\nNs 1e30\nPr\nPr -5\nPm x\nPm 7\nd "
		"40\nTr\nKs\nnewmtl\nKd "
		"1 0 0");
	const ossa_material a = material_of(mesh);
	assert_near(a.base_color[0], 0, 0);
	assert_near(a.roughness, 0, 0);
	assert_near(a.metallic, 1, 0);
	assert_near(a.base_color[3], 1, 0);
	assert_near(a.emission[1], 0, 0);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void textures(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	mkdir(test_path("maps"), 0755);
	test_file("maps/my skin 50%.png", png, 0);
	test_file("gl\xC3\xA4nzend.png", png, 0);
	ossa_mesh *mesh = read_material(context,
		"Kd 0 0 0\nmap_Kd -blendu on -o 0.5 0.25 -s 2 3 1 -mm 0 1 -clamp on maps\\my skin 50%.png\n"
		"map_d -imfchan m maps/my skin 50%.png\nPr 0.5\nmap_Pr -imfchan g gl\xC3\xA4nzend.png\nmap_Pm -imfchan b "
		"gl\xC3\xA4nzend.png\n"
		"bump -bm 0.5 gl\xC3\xA4nzend.png");
	const ossa_material a = material_of(mesh);
	assert_no_warnings(context);
	assert_int_equal(mesh->appearance->image_count, 2);
	const ossa_texture *color = &a.base_color_texture;
	assert_non_null(strstr(mesh->appearance->images[color->image].path, "maps/my skin 50%.png"));
	assert_string_equal(mesh->appearance->images[color->image].type, "image/png");
	const double offset[] = {0.5, 0.25}, scale[] = {2, 3};
	assert_near_array(2, color->offset, offset, 0);
	assert_near_array(2, color->scale, scale, 0);
	assert_true(color->wraps[0] == OSSA_WRAP_CLAMP && color->wraps[1] == OSSA_WRAP_CLAMP);
	assert_int_equal(a.alpha, OSSA_ALPHA_BLEND);
	/* black beside a map is not meant; metal that is not said is the map's */
	assert_near(a.base_color[0], 1, 0);
	assert_near(a.roughness, 0.5, 0);
	assert_near(a.metallic, 1, 0);
	assert_int_not_equal(a.metallic_roughness_texture.image, OSSA_NONE);
	assert_int_equal(a.metallic_roughness_texture.image, a.normal_texture.image);
	assert_near(a.normal_scale, 0.5, 0);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void textures_without_a_place(void **state)
{
	(void)state;
	/* a gray PNG of 1 x 1 pixel: heights */
	static const uint8_t gray[] = {
		0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0};
	ossa_context *context = test_context(1);
	test_file("c.png", png, 0);
	test_file("d.png", png, 0);
	test_file("gray.png", gray, sizeof gray);
	/* opacity, heights, highlights; then metal and roughness apart */
	ossa_mesh *mesh = read_material(context, "map_Kd c.png\nmap_d d.png\nmap_Bump gray.png\nmap_Ks c.png");
	ossa_material a = material_of(mesh);
	assert_int_equal(test_warned(context, "textures-left-out"), 3);
	assert_int_equal(a.alpha, OSSA_ALPHA_OPAQUE);
	assert_int_equal(a.normal_texture.image, OSSA_NONE);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
	context = test_context(1);
	mesh = read_material(context, "map_Pr c.png\nmap_Pm d.png\nPm 1");
	a = material_of(mesh);
	assert_int_equal(test_warned(context, "textures-left-out"), 2);
	assert_int_equal(a.metallic_roughness_texture.image, OSSA_NONE);
	ossa_mesh_free(context, mesh);
	/* without metal the roughness is its own; "norm" comes before "bump" */
	mesh = read_material(context, "map_Pr c.png\nbump c.png\nnorm d.png");
	a = material_of(mesh);
	assert_int_equal(test_warned(context, "textures-left-out"), 2);
	assert_string_equal(mesh->appearance->images[a.metallic_roughness_texture.image].name, "c");
	assert_near(a.roughness, 1, 0);
	assert_string_equal(mesh->appearance->images[a.normal_texture.image].name, "d");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void images_elsewhere(void **state)
{
	(void)state;
	/* missing, climbing, absolute, a URL, an empty name, one that is too long */
	static const char *const names[] = {"gone.png", "../inside/gone.png", "a/../../gone.png", "/etc/passwd", "/gone.png",
		"http://example.org/gone.png", "..\\gone.png", "..", "."};
	char statement[64];
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		ossa_context *context = test_context(1);
		snprintf(statement, sizeof statement, "map_Kd %s", names[i]);
		ossa_mesh *mesh = read_material(context, statement);
		assert_int_equal(material_of(mesh).base_color_texture.image, OSSA_NONE);
		assert_int_equal(test_warned(context, "image-missing"), 1);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
	/* what a path of another machine ends with is beside the file */
	static const char *const found[] = {"C:\\Users\\me\\here.png", "C:/x/here.png", "/home/me/here.png", "../here.png"};
	test_file("here.png", png, 0);
	for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
		ossa_context *context = test_context(1);
		snprintf(statement, sizeof statement, "map_Kd %s", found[i]);
		ossa_mesh *mesh = read_material(context, statement);
		assert_int_equal(material_of(mesh).base_color_texture.image, 0);
		assert_no_warnings(context);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

static void libraries(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	mkdir(test_path("lib"), 0755);
	test_file("one.mtl", "# nothing of the mesh\nnewmtl b\nKd 1 0 0\n", 0);
	test_file("lib/my second.mtl", "\xEF\xBB\xBFnewmtl a\r\nKd 0 1 0\r\nnewmtl a\r\nKd 0 0 1\r\n", 0);
	test_file("third.mtl", "newmtl a\nKd 1 1 0\n", 0);
	static const char *const lines[] = {"mtllib one.mtl lib/my second.mtl third.mtl\n",
		"mtllib one.mtl\nmtllib lib\\my second.mtl # ours\nmtllib third.mtl\nmtllib one.mtl\n"};
	for (size_t i = 0; i < 2; i++) {
		ossa_mesh *mesh = read_lines(context, lines[i]);
		const ossa_material a = material_of(mesh);
		assert_near(a.base_color[0], 0, 0);
		assert_near(a.base_color[1], 1, 0);
		assert_no_warnings(context);
		ossa_mesh_free(context, mesh);
	}
	/* no library has it */
	ossa_mesh *mesh = read_lines(context, "mtllib one.mtl\n");
	assert_null(mesh->appearance);
	ossa_mesh_free(context, mesh);
	assert_no_warnings(context);
	test_context_end(context);
}

static void missing_libraries(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	test_file("garbage.mtl", "\x7F\x45\x4C\x46\x00\x00\xFF\nKd 1 0 0\x00newmtl", 24);
	test_file("empty.mtl", "\n", 0);
	test_file("half.mtl", "newmtl b\nKd 1 0 0\n\0newmtl a\nKd 1 0 0\n", 37);
	ossa_mesh *mesh = read_lines(
		context, "mtllib gone.mtl\nmtllib garbage.mtl empty.mtl ../up.mtl half.mtl\nmtllib\nmtllib C:\\x\\no.mtl\n");
	assert_null(mesh->appearance);
	assert_int_equal(test_warned(context, "library-missing"), 6);
	assert_non_null(strstr(test_warning_text(context, "library-missing"), "\"gone.mtl\""));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
	/* more lines than are kept, and a mesh without materials, which needs none */
	char *text = malloc(200000), *at = text;
	for (int i = 0; i < 5000; i++) at += sprintf(at, "mtllib gone-%d.mtl\n", i);
	sprintf(at, TRIANGLE);
	context = test_context(1);
	assert_ok(context, ossa_read_mesh(context, test_file("mesh.obj", text, 0), NULL, &mesh));
	assert_int_equal(test_warned(context, "library-missing"), 5000);
	ossa_mesh_free(context, mesh);
	assert_ok(context,
		ossa_read_mesh(context, test_file("mesh.obj", "mtllib no.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 0), NULL, &mesh));
	assert_int_equal(test_warned(context, "library-missing"), 5000);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
	free(text);
}

static void a_large_library(void **state)
{
	(void)state;
	enum { MATERIALS = 150000 };
	char *text = malloc((size_t)80 * MATERIALS), *at = text;
	for (int i = 0; i < MATERIALS; i++) at += sprintf(at, "newmtl material number %d\nKd 0.1 0.2 0.3\nmap_Kd missing.png\n", i);
	at += sprintf(at, "newmtl a\nKd 0.5 0 0\n");
	test_file("a.mtl", text, (size_t)(at - text));
	free(text);
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = read_lines(context, "mtllib a.mtl\n");
	assert_near(material_of(mesh).base_color[0], 0.5, 0);
	assert_no_warnings(context);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* each length of a library that ends somewhere */
static void cut_libraries(void **state)
{
	(void)state;
	static const char text[] = "newmtl a\nKd 0.5 0.25 1\nd -halo 0.5\nmap_Kd -o 1 2 -s 3 -clamp on -mm 0 1 c.png\nmap_Bump -bm";
	test_file("c.png", png, 0);
	for (size_t size = 1; size <= strlen(text); size++) {
		ossa_context *context = test_context(1);
		test_file("a.mtl", text, size);
		ossa_mesh *mesh = read_lines(context, "mtllib a.mtl\n");
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

static void libraries_in_memory(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_files *files;
	ossa_mesh *mesh;
	assert_ok(context, ossa_files_create(context, &files));
	assert_ok(context, ossa_files_add(files, "x/mesh.obj", "mtllib a.mtl\n" TRIANGLE, strlen("mtllib a.mtl\n" TRIANGLE)));
	assert_ok(context, ossa_files_add(files, "x/a.mtl", "newmtl a\nmap_Kd t/c.png\n", 24));
	assert_ok(context, ossa_files_add(files, "x/t/c.png", png, strlen(png)));
	ossa_context_use_files(context, files);
	assert_ok(context, ossa_read_mesh(context, "x/mesh.obj", NULL, &mesh));
	assert_string_equal(mesh->appearance->images[0].path, "x/t/c.png");
	assert_no_warnings(context);
	ossa_mesh_free(context, mesh);
	ossa_context_use_files(context, NULL);
	ossa_files_free(files);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(numbers_that_make_no_sense),
		cmocka_unit_test(textures),
		cmocka_unit_test(textures_without_a_place),
		cmocka_unit_test(images_elsewhere),
		cmocka_unit_test(libraries),
		cmocka_unit_test(missing_libraries),
		cmocka_unit_test(a_large_library),
		cmocka_unit_test(cut_libraries),
		cmocka_unit_test(libraries_in_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
