/* tests/import/mesh/test_stl.c: the STL reader: text and binary, welding, and broken files. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIANGLES = 4, BINARY_SIZE = 84 + 50 * TRIANGLES };

/* a tetrahedron */
static const float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int faces[TRIANGLES][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

static void put_u32(unsigned char *at, uint32_t value)
{
	for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> 8 * i);
}

static void put_float(unsigned char *at, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_u32(at, bits);
}

static void make_binary(unsigned char bytes[BINARY_SIZE])
{
	memset(bytes, 0, BINARY_SIZE);
	/* as many exporters do, to the grief of readers */
	memcpy(bytes, "solid made", 10);
	put_u32(bytes + 80, TRIANGLES);
	for (int i = 0; i < TRIANGLES; i++) {
		for (int k = 0; k < 9; k++) put_float(bytes + 84 + 50 * i + 12 + 4 * k, points[faces[i][k / 3]][k % 3]);
	}
}

static void make_text(char *text)
{
	text += sprintf(text, "solid thing\n");
	for (int i = 0; i < TRIANGLES; i++) {
		text += sprintf(text, "  facet normal 0 0 1\n    outer loop\n");
		for (int k = 0; k < 3; k++) {
			const float *p = points[faces[i][k]];
			text += sprintf(text, "      vertex %g %g %s0\n", (double)p[0], (double)p[1], p[2] > 0 ? "1e" : "-");
		}
		text += sprintf(text, "    endloop\n  endfacet\n");
	}
	sprintf(text, "endsolid thing\n");
}

static void check_tetrahedron(const char *path)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_int_equal(mesh->vertex_count, 4);
	assert_int_equal(mesh->triangle_count, TRIANGLES);
	/* vertices are numbered as they are met: 0 2 1 3 of the points */
	const uint32_t expected[] = {0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3};
	assert_memory_equal(mesh->triangles, expected, sizeof expected);
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "welded-vertices");
	assert_int_equal(ossa_context_warning(context, 0)->count, 8);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void both_forms_are_welded(void **state)
{
	(void)state;
	unsigned char bytes[BINARY_SIZE];
	make_binary(bytes);
	check_tetrahedron(test_file("mesh.stl", bytes, sizeof bytes));
	/* with -0 for 0, which is the same position */
	char text[4096];
	make_text(text);
	check_tetrahedron(test_file("mesh.stl", text, 0));
}

static void many_vertices_stay_apart(void **state)
{
	(void)state;
	enum { COUNT = 3000 };
	static unsigned char bytes[84 + 50 * COUNT];
	put_u32(bytes + 80, COUNT);
	for (int i = 0; i < COUNT; i++) {
		for (int k = 0; k < 3; k++) {
			put_float(bytes + 84 + 50 * i + 12 + 12 * k, (float)(i + k));
			put_float(bytes + 84 + 50 * i + 16 + 12 * k, (float)((i + k) % 7));
		}
	}
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, test_file("mesh.stl", bytes, sizeof bytes), NULL, &mesh));
	assert_int_equal(mesh->vertex_count, COUNT + 2);
	for (uint32_t i = 0; i < COUNT; i++) assert_int_equal(mesh->triangles[3 * i + 2], i + 2);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void refused(const void *bytes, size_t size, const char *words)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = (ossa_mesh *)1;
	assert_fails(context, ossa_read_mesh(context, test_file("mesh.stl", bytes, size), NULL, &mesh), OSSA_ERROR_INPUT, words);
	assert_null(mesh);
	test_context_end(context);
}

static void broken_files_are_refused(void **state)
{
	(void)state;
	unsigned char bytes[BINARY_SIZE];
	make_binary(bytes);
	refused(bytes, 40, "too short for STL");
	refused(bytes, BINARY_SIZE - 1, "ends after 3 of 4 triangles");
	put_u32(bytes + 80, UINT32_MAX);
	refused(bytes, BINARY_SIZE, "ends after 4 of 4294967295 triangles");
	make_binary(bytes);
	put_float(bytes + 84 + 50 + 12, NAN);
	refused(bytes, BINARY_SIZE, "byte 146: triangle 1 has a coordinate that is not finite");
	memset(bytes, 0, sizeof bytes);
	refused(bytes, 84, "no vertices");
	refused("solid a\nendsolid a\n", 0, "no vertices");
	refused(
		"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n", 0, "line 6: facet ends after 2 of 3");
	refused(
		"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n", 0, "the file ends in a facet");
	refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", 0, "line 4: vertex ends after 2 of 3 numbers");
	refused("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n", 0, "line 4: vertex has inf");
}

static void every_truncation_is_survived(void **state)
{
	(void)state;
	unsigned char bytes[BINARY_SIZE];
	char text[4096];
	make_binary(bytes);
	make_text(text);
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	for (size_t size = 1; size < BINARY_SIZE; size++) {
		assert_fails(
			context, ossa_read_mesh(context, test_file("cut.stl", bytes, size), NULL, &mesh), OSSA_ERROR_INPUT, "cut.stl");
	}
	for (size_t size = 1; size < strlen(text); size++) {
		const ossa_status status = ossa_read_mesh(context, test_file("cut.stl", text, size), NULL, &mesh);
		if (status == OSSA_OK) assert_ok(context, ossa_mesh_validate(context, mesh));
		else assert_fails(context, status, OSSA_ERROR_INPUT, "cut.stl");
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	unsigned char bytes[BINARY_SIZE];
	make_binary(bytes);
	test_sweep_read_mesh(test_file("sweep.stl", bytes, sizeof bytes), 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_forms_are_welded),
		cmocka_unit_test(many_vertices_stay_apart),
		cmocka_unit_test(broken_files_are_refused),
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
