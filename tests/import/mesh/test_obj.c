/* tests/import/mesh/test_obj.c: the OBJ reader: everything that programs write, and every way in
   which a file can be broken. */
#include "base/text.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* reads `text` as a file */
static ossa_status read_text(ossa_context *context, const char *text, ossa_mesh **mesh)
{
	return ossa_read_mesh(context, test_file("mesh.obj", text, 0), NULL, mesh);
}

/* reads `text`, which must be good and give a whole mesh */
static ossa_mesh *good(ossa_context *context, const char *text)
{
	ossa_mesh *mesh = NULL;
	assert_ok(context, read_text(context, text, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	return mesh;
}

static void refused(const char *text, const char *words, int64_t line)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = (ossa_mesh *)1;
	assert_fails(context, read_text(context, text, &mesh), OSSA_ERROR_INPUT, words);
	assert_null(mesh);
	assert_int_equal(ossa_context_error(context)->line, line);
	test_context_end(context);
}

static void numbers_of_every_form(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = good(context, "v 1e-3 -.5 +1\nv 5. 1E+2 -0\nv 00012.50 1.5e01 .25e-1\nf 1 2 3\n");
	const float expected[] = {1e-3F, -.5F, 1, 5, 100, 0, 12.5F, 15, .025F};
	for (size_t i = 0; i < 9; i++) assert_true(mesh->positions[i] == expected[i]);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void polygons_and_winding(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = good(context, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 .5 0\nf 1 2 3 4\nf 1 2 3\nf 1 2 3 4 5");
	assert_int_equal(mesh->polygon_count, 3);
	assert_int_equal(mesh->corner_count, 12);
	assert_int_equal(mesh->triangle_count, 6);
	assert_int_equal(mesh->polygon_start[2], 7);
	assert_null(mesh->corner_texcoord);
	assert_null(mesh->corner_normal);
	assert_null(mesh->polygon_material);
	assert_string_equal(mesh->name, "mesh");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void line_ends_and_comments(void **state)
{
	(void)state;
	const char *const forms[] = {
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
		"v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
		"v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3",
		"\xEF\xBB\xBF# made by hand\n\n\n  v 0 0 0 # the first\nv\t1 \t0 0   \nv 0 1 0\ng body\no thing\ns 1\nf 1 2 3#no blank",
		"v 0 \\\n0 0\nv 1 0 0\nv 0 1 0\nf 1 \\\r\n 2 \\\n3",
	};
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		ossa_context *context = test_context(1);
		ossa_mesh *mesh = good(context, forms[i]);
		assert_int_equal(mesh->vertex_count, 3);
		assert_int_equal(mesh->triangle_count, 1);
		const uint32_t triangle[] = {0, 1, 2};
		assert_memory_equal(mesh->triangles, triangle, sizeof triangle);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

static void indices_of_every_form(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = good(context,
		"v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 .5 0\nvn 0 0 1\n"
		"f -3/-2/-1 -2/2/1 -1/1/1\nf 1/1 2/2 3\nf 1//1 2//1 3//-1\nf 1 2 3\n");
	const uint32_t vertices[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}, none = OSSA_NONE;
	const uint32_t texcoords[] = {0, 1, 0, 0, 1, none, none, none, none, none, none, none};
	const uint32_t normals[] = {0, 0, 0, none, none, none, 0, 0, 0, none, none, none};
	assert_memory_equal(mesh->corner_vertex, vertices, sizeof vertices);
	assert_memory_equal(mesh->corner_texcoord, texcoords, sizeof texcoords);
	assert_memory_equal(mesh->corner_normal, normals, sizeof normals);
	const float uv[] = {0, 0, 1, .5F};
	assert_memory_equal(mesh->texcoords, uv, sizeof uv);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void materials_are_kept(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = good(context,
		"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nusemtl red paint \nf 1 2 3\nusemtl blue\nf 1 2 3\nusemtl red "
		"paint\nf 1 2 3\n");
	assert_int_equal(mesh->material_count, 2);
	assert_string_equal(mesh->materials[0], "red paint");
	assert_string_equal(mesh->materials[1], "blue");
	const uint32_t expected[] = {OSSA_NONE, 0, 1, 0};
	assert_memory_equal(mesh->polygon_material, expected, sizeof expected);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* by their whole names, of which a mesh has the first bytes */
static void objects_of_long_names_stay_apart(void **state)
{
	(void)state;
	char text[1024] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n", shown[64];
	for (int i = 0; i < 3; i++) sprintf(text + strlen(text), "o %0*d%c\nf 1 2 3\n", 70, 0, "aba"[i]);
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = good(context, text);
	assert_int_equal(mesh->object_count, 2);
	assert_memory_equal(mesh->polygon_object, ((uint32_t[]){0, 1, 0}), 3 * sizeof(uint32_t));
	sprintf(shown, "%0*d", 63, 0);
	for (size_t i = 0; i < 2; i++) assert_string_equal(mesh->objects[i].name, shown);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void many_materials_stay_apart(void **state)
{
	(void)state;
	char *text = malloc(200000), *at = text;
	at += sprintf(at, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
	for (int i = 0; i < 3000; i++) at += sprintf(at, "usemtl m%d\nf 1 2 3\n", i % 1500);
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = good(context, text);
	assert_int_equal(mesh->material_count, 1500);
	assert_string_equal(mesh->materials[1499], "m1499");
	for (uint32_t i = 0; i < 3000; i++) assert_int_equal(mesh->polygon_material[i], i % 1500);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
	free(text);
}

static void vertex_colors(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* half in sRGB is 0.2140 linear; a vertex without colour is white; w alone is no colour */
	ossa_mesh *mesh = good(context, "v 0 0 0 1\nv 1 0 0 0.5 0 1\nv 0 1 0 0 0 1 .5\nf 1 2 3\n");
	const float expected[] = {1, 1, 1, 1, 0.2140411F, 0, 1, 1, 0, 0, 1, .5F};
	for (size_t i = 0; i < 12; i++) assert_near(mesh->colors[i], expected[i], 1e-6F);
	ossa_mesh_free(context, mesh);
	/* some programs write bytes */
	mesh = good(context, "v 0 0 0 255 0 51\nv 1 0 0 0 0 0\nv 0 1 0 0 0 nan\nf 1 2 3\n");
	assert_near(mesh->colors[0], 1, 1e-6F);
	assert_near(mesh->colors[2], 0.0331048F, 1e-6F);
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "attribute-not-finite");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void harmless_faults_are_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = good(context, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 1 2\nf 1 2 4\nf 1/7 2/7 3/-1\n");
	assert_int_equal(mesh->polygon_count, 4);
	assert_null(mesh->corner_texcoord);
	assert_int_equal(ossa_context_warning_count(context), 2);
	assert_string_equal(ossa_context_warning(context, 0)->code, "bad-texcoord-index");
	assert_int_equal(ossa_context_warning(context, 0)->count, 3);
	assert_string_equal(ossa_context_warning(context, 1)->code, "degenerate-faces");
	assert_int_equal(ossa_context_warning(context, 1)->count, 2);
	assert_non_null(strstr(ossa_context_warning(context, 1)->message, "face 1 "));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void unused_vertices_are_kept(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = good(context, "f 2 3 4\nv 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 8 8 8\n");
	assert_int_equal(mesh->vertex_count, 5);
	assert_true(mesh->positions[12] == 8);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void broken_files_are_refused(void **state)
{
	(void)state;
	refused("v 0 0 0\nv 0 nan 0\n", "nan where a finite number must be", 2);
	refused("v 0 0 0\nv 0 1e39 0\n", "1e39 where a finite", 2);
	refused("v 0 0 -inf\n", "-inf where a finite", 1);
	refused("v 0 1.#QNAN 0\n", "1.#QNAN where a finite", 1);
	refused("v 0 0 0\n\nv 1 2\n", "ends after 2 of 3 numbers", 3);
	refused("v 0 0 zero\n", "\"zero\" where a number must be", 1);
	refused("v 0 0 0 \"\x01\n", "\"\"?\" where", 1);
	refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\nf 1 2 3\n", "index 4, but there are only 3 vertices", 4);
	refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "index -4, but there are only 3 vertices before it", 4);
	refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "index 0, but indices begin at 1", 4);
	refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", "there are only 3", 4);
	refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "2 corners", 4);
	refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "\"x\" where a vertex index", 4);
	refused("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "no faces", -1);
	refused("v 0 0 0\n", "has 1 vertices and no faces", -1);
	refused("# nothing\n", "no vertices", -1);
	refused("o cube\n", "no vertices", -1);
}

static void an_empty_file_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	FILE *stream = fopen(test_path("empty.obj"), "wb");
	fclose(stream);
	ossa_mesh *mesh;
	assert_fails(context, ossa_read_mesh(context, test_path("empty.obj"), NULL, &mesh), OSSA_ERROR_INPUT, "is empty");
	assert_fails(context, ossa_read_mesh(context, test_path("none.obj"), NULL, &mesh), OSSA_ERROR_READ, "none.obj");
	test_context_end(context);
}

static const char *const sample =
	"mtllib a.mtl\nv 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 1 1 0 1 0 0\nv 0 1 0 1 0 0\nv -1 .5 0 1 0 0\nvt 0 0\nvt 1 0\nvn 0 0 1\n"
	"usemtl one\nf 1/1/1 2/2/1 3/1/1 4/2/1 5/1/1\nusemtl two\nf 1 2 3 4\n";

/* any beginning of a file is a mesh or a clear error */
static void every_truncation_is_survived(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (size_t size = 1; size <= strlen(sample); size++) {
		ossa_mesh *mesh;
		const ossa_status status = ossa_read_mesh(context, test_file("cut.obj", sample, size), NULL, &mesh);
		if (status == OSSA_OK) assert_ok(context, ossa_mesh_validate(context, mesh));
		else assert_fails(context, status, OSSA_ERROR_INPUT, "cut.obj");
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_sweep_read_mesh(test_file("sweep.obj", sample, 0), 21);
}

/* ---- numbers against strtof ---- */

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void same_as_strtof(const char *text)
{
	ossai_text cursor = ossai_text_begin(NULL, "", text, strlen(text));
	float value = 0;
	const ossai_number kind = ossai_text_number(&cursor, &value);
	const float expected = strtof(text, NULL);
	assert_int_equal(kind, isfinite(expected) ? OSSAI_NUMBER_OK : OSSAI_NUMBER_NOT_FINITE);
	assert_ptr_equal(cursor.at, cursor.end);
	if (memcmp(&value, &expected, sizeof value) != 0) fail_msg("%s: %.9g, not %.9g", text, (double)value, (double)expected);
}

static void numbers_round_as_strtof(void **state)
{
	(void)state;
	uint64_t random = 88172645463325252;
	char text[256];
	for (int i = 0; i < 300000; i++) {
		const uint64_t bits = next_random(&random);
		uint32_t low = (uint32_t)bits;
		float value;
		memcpy(&value, &low, sizeof value);
		if (!isfinite(value)) continue;
		/* the float itself, and half way to the next: where rounding is decided */
		snprintf(text, sizeof text, "%.*g", 1 + (int)(bits >> 40) % 20, (double)value);
		same_as_strtof(text);
		const double middle = 0.5 * ((double)value + (double)nextafterf(value, INFINITY));
		if (!isfinite(middle)) continue;
		snprintf(text, sizeof text, "%.*e", 15 + (int)(bits >> 40) % 120, middle);
		same_as_strtof(text);
		/* decimals as programs write them */
		snprintf(text, sizeof text, "%.*f", (int)(bits >> 40) % 25, (double)(int64_t)bits * 1e-15);
		same_as_strtof(text);
	}
	const char *const hard[] = {"0", "-0", "0.0e5", "3.4028235e38", "3.4028236e38", "1e39", "1e-45", "7e-46", "1.17549435e-38",
		"16777217", "16777217.0000000000000000000000000000001", "16777216.9999999999999999999", "9007199791611905",
		"100000000000000000000000000000000000000", "0.000000000000000000000000000000000000011754943508222875",
		"1e999999999999999999999", "1e-99999999999999999999", "123456789012345678901234567890e-29"};
	for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) same_as_strtof(hard[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_every_form),
		cmocka_unit_test(polygons_and_winding),
		cmocka_unit_test(line_ends_and_comments),
		cmocka_unit_test(indices_of_every_form),
		cmocka_unit_test(materials_are_kept),
		cmocka_unit_test(objects_of_long_names_stay_apart),
		cmocka_unit_test(many_materials_stay_apart),
		cmocka_unit_test(vertex_colors),
		cmocka_unit_test(harmless_faults_are_counted),
		cmocka_unit_test(unused_vertices_are_kept),
		cmocka_unit_test(broken_files_are_refused),
		cmocka_unit_test(an_empty_file_is_refused),
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(numbers_round_as_strtof),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
