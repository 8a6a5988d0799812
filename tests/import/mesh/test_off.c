/* tests/import/mesh/test_off.c: the OFF reader: comments, headers with colours, normals and texture
   coordinates, and broken files. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static ossa_mesh *good(ossa_context *context, const char *text)
{
	ossa_mesh *mesh = NULL;
	assert_ok(context, ossa_read_mesh(context, test_file("mesh.off", text, 0), NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_int_equal(mesh->vertex_count, 4);
	assert_true(mesh->positions[9] == 0 && mesh->positions[10] == 1);
	return mesh;
}

static void headers_of_every_form(void **state)
{
	(void)state;
	static const char *const forms[] = {
		"OFF\n4 2 5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n",
		"OFF 4 2 5\r\n0 0 0\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n3 0 1 2\r\n3 0 2 3",
		"# by hand\n  OFF4 2\n0 0 0 # first\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 # a face\n\n3 0 2 3\n",
		"OFF # begins\n# counts\n4 2 0\n\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 255 0 0\n3 0 2 3 3\n",
	};
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		ossa_context *context = test_context(1);
		ossa_mesh *mesh = good(context, forms[i]);
		const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
		assert_memory_equal(mesh->triangles, triangles, sizeof triangles);
		assert_null(mesh->colors);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

static void vertices_may_break_over_lines(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = good(context, "OFF4 1\n0 0\n0\n1\n0 0 # second\n1 1 0\n0\n\n1 0\n4 0 1 2 3\n");
	assert_int_equal(mesh->triangle_count, 2);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void attributes_of_vertices(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = good(
		context, "COFF\n4 1 4\n0 0 0 255 0 0 51\n1 0 0 0 0 0 255\n1 1 0 0 0 0 255\n0 1 0 0 0 0 255\n4 0 1 2 3\n");
	assert_near(mesh->colors[0], 1, 1e-6);
	assert_near(mesh->colors[3], 0.2, 1e-6);
	ossa_mesh_free(context, mesh);
	mesh = good(context, "NOFF\n4 1 4\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 1 0\n4 0 1 2 3\n");
	assert_true(mesh->normals[2] == 1 && mesh->normals[10] == 1);
	assert_int_equal(mesh->corner_normal[3], 3);
	ossa_mesh_free(context, mesh);
	mesh = good(context,
		"STCNOFF\n4 1 4\n0 0 0 0 0 1 1 0 0 1 .25 .75\n1 0 0 0 0 1 1 0 0 1 0 0\n1 1 0 0 0 1 1 0 0 1 0 0\n0 1 0 0 0 1 1 0 0 1 0 "
		"0\n"
		"4 0 1 2 3\n");
	assert_true(mesh->texcoords[0] == .25F && mesh->texcoords[1] == .75F);
	assert_true(mesh->colors[0] == 1 && mesh->colors[1] == 0 && mesh->normals[2] == 1);
	assert_int_equal(mesh->corner_texcoord[3], 3);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void refused(const char *text, const char *words)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = (ossa_mesh *)1;
	assert_fails(context, ossa_read_mesh(context, test_file("mesh.off", text, 0), NULL, &mesh), OSSA_ERROR_INPUT, words);
	assert_null(mesh);
	test_context_end(context);
}

static void broken_files_are_refused(void **state)
{
	(void)state;
	refused("OF\n", "does not begin with OFF");
	refused("4OFF 1 1 1\n", "another dimension");
	refused("OFF BINARY\n", "binary OFF");
	refused("OFF\n", "line 2: the file ends where the number of vertices must be");
	refused("OFF\n4 x 0\n", "line 2: \"x\" where the number of faces must be");
	refused("OFF\n-4 1 0\n", "\"-4\" where the number of vertices");
	refused("OFF\n4000000 1 0\n0 0 0\n", "4000000 vertices and 1 faces cannot be in the");
	refused("OFF\n3 99999999999999 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "faces cannot be in the");
	refused("OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", "line 4: vertex has nan where a finite number must be");
	refused("OFF\n3 1 0\n0 0 0\n1 0 0\n0 z 0\n3 0 1 2\n", "line 5: vertex has \"z\"");
	refused("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1\n", "the file ends after 2 of 3 vertices");
	refused("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 6: face 0 has the vertex index 3, but there are only 3");
	refused("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "the vertex index -1");
	refused("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "line 6: face 0 has 2 corners");
	refused("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n2\n", "line 6: face 0 ends after 2 of 3 corners");
	refused(
		"OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "line 7: the file ends where the number of corners of a face must be");
	refused("OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", "no faces");
	refused("OFF\n0 0 0\n", "no vertices");
}

static const char *const sample =
	"NOFF\n4 2 4\n0 0 0 0 0 1 255 0 0\n1 0 0 0 0 1 255 0 0\n1 1 0 0 0 1 255 0 0\n0 1 0 0 0 1 255 0 0\n"
	"4 0 1 2 3\n3 0 1 2\n";

static void every_truncation_is_survived(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (size_t size = 1; size < strlen(sample) - 2; size++) {
		ossa_mesh *mesh;
		assert_fails(
			context, ossa_read_mesh(context, test_file("cut.off", sample, size), NULL, &mesh), OSSA_ERROR_INPUT, "cut.off");
	}
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_sweep_read_mesh(test_file("sweep.off", sample, 0), 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_of_every_form),
		cmocka_unit_test(vertices_may_break_over_lines),
		cmocka_unit_test(attributes_of_vertices),
		cmocka_unit_test(broken_files_are_refused),
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
