/* tests/scene/test_mesh.c: meshes created, copied, checked; polygons triangulated without
   overlap. */
#include "scene/mesh.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
static const uint32_t two_triangles[] = {0, 1, 2, 0, 2, 3};

static void creating_copies_the_arrays(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 4, square, 2, two_triangles, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_int_equal(mesh->polygon_count, 2);
	assert_memory_equal(mesh->triangles, two_triangles, sizeof two_triangles);
	ossa_mesh *copy;
	assert_ok(context, ossa_mesh_copy(context, mesh, &copy));
	ossa_mesh_free(context, mesh);
	assert_ok(context, ossa_mesh_validate(context, copy));
	assert_memory_equal(copy->positions, square, sizeof square);
	ossa_mesh_free(context, copy);
	test_context_end(context);
}

static void an_empty_mesh_is_whole(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_ok(context, ossa_mesh_triangulate(context, mesh));
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void bad_arrays_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = (ossa_mesh *)1;
	const uint32_t beyond[] = {0, 1, 4};
	assert_fails(
		context, ossa_mesh_create(context, 4, square, 1, beyond, &mesh), OSSA_ERROR_INPUT, "triangle 0 has the index 4");
	assert_null(mesh);
	const float broken[] = {0, 0, 0, 1, NAN, 0, 0, 1, 0};
	assert_fails(context, ossa_mesh_create(context, 3, broken, 1, two_triangles, &mesh), OSSA_ERROR_INPUT, "vertex 1");
	assert_int_equal(ossa_context_error(context)->vertex, 1);
	assert_fails(context, ossa_mesh_create(context, 4, square, SIZE_MAX / 2, beyond, &mesh), OSSA_ERROR_LIMIT, "at most");
	test_context_end(context);
}

/* each rule of the header broken once */
static void every_rule_is_checked(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *whole;
	assert_ok(context, ossa_mesh_create(context, 4, square, 2, two_triangles, &whole));
	for (int rule = 0; rule < 13; rule++) {
		ossa_mesh *mesh;
		assert_ok(context, ossa_mesh_copy(context, whole, &mesh));
		switch (rule) {
		case 0: mesh->positions[5] = INFINITY; break;
		case 1: mesh->triangles[3] = 4; break;
		case 2: mesh->triangles[3] = 1; break;
		case 3: mesh->triangle_corners[0] = 6; break;
		case 4: mesh->corner_vertex[2] = 9; break;
		case 5: mesh->polygon_start[1] = 2; break;
		case 6: mesh->polygon_start[2] = 5; break;
		case 7: mesh->triangle_count = 1; break;
		case 8: memset(mesh->name, 'a', sizeof mesh->name); break;
		case 9: mesh->colors = ossa_alloc(context, 16, sizeof(float)), mesh->colors[3] = 1.5F; break;
		case 10: mesh->corner_texcoord = ossa_alloc(context, 6, sizeof(uint32_t)); break;
		case 11: mesh->polygon_material = ossa_alloc(context, 2, sizeof(uint32_t)); break;
		case 12: mesh->normal_count = 1; break;
		}
		assert_fails(context, ossa_mesh_validate(context, mesh), OSSA_ERROR_INPUT, NULL);
		ossa_mesh_free(context, mesh);
	}
	ossa_mesh_free(context, whole);
	test_context_end(context);
}

/* ---- triangulation ---- */

/* a mesh of one polygon through all the points, in the plane z = 0 */
static ossa_mesh *polygon_mesh(ossa_context *context, const float (*points)[2], uint32_t count)
{
	float *positions = calloc(count, 3 * sizeof *positions);
	for (uint32_t i = 0; i < count; i++) memcpy(positions + 3 * i, points[i], sizeof points[i]);
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, count, positions, 0, NULL, &mesh));
	free(positions);
	ossa_free(context, mesh->polygon_start);
	ossa_free(context, mesh->corner_vertex);
	mesh->polygon_count = 1;
	mesh->corner_count = count;
	mesh->polygon_start = ossa_alloc(context, 2, sizeof(uint32_t));
	mesh->polygon_start[1] = count;
	mesh->corner_vertex = ossa_alloc(context, count, sizeof(uint32_t));
	for (uint32_t i = 0; i < count; i++) mesh->corner_vertex[i] = i;
	return mesh;
}

static double signed_area(const float *a, const float *b, const float *c)
{
	return 0.5 * (((double)b[0] - a[0]) * ((double)c[1] - a[1]) - ((double)b[1] - a[1]) * ((double)c[0] - a[0]));
}

/* the polygon's own area, its triangles' signed sum, and their absolute sum: all the same only
   where the triangles lie inside, do not overlap and turn as the polygon does */
static void check_cover(ossa_context *context, const float (*points)[2], uint32_t count)
{
	ossa_mesh *mesh = polygon_mesh(context, points, count);
	assert_ok(context, ossa_mesh_triangulate(context, mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_int_equal(mesh->triangle_count, count - 2);
	double area = 0, sum = 0, absolute = 0;
	for (uint32_t i = 0; i < count; i++) area += signed_area(points[0], points[i], points[(i + 1) % count]);
	for (size_t i = 0; i < mesh->triangle_count; i++) {
		const uint32_t *t = mesh->triangles + 3 * i;
		const double part = signed_area(points[t[0]], points[t[1]], points[t[2]]);
		sum += part;
		absolute += fabs(part);
	}
	assert_near(sum, area, 1e-6 * fabs(area));
	assert_near(absolute, fabs(area), 1e-6 * fabs(area));
	ossa_mesh_free(context, mesh);
}

static void check_both_windings(const float (*points)[2], uint32_t count)
{
	ossa_context *context = test_context(1);
	check_cover(context, points, count);
	float(*reversed)[2] = calloc(count, sizeof *reversed);
	for (uint32_t i = 0; i < count; i++) memcpy(reversed[i], points[count - 1 - i], sizeof reversed[i]);
	check_cover(context, (const float(*)[2])reversed, count);
	free(reversed);
	assert_int_equal(ossa_context_warning_count(context), 0);
	test_context_end(context);
}

static void quads_take_the_shorter_diagonal(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const float kite[][2] = {{0, 0}, {2, -.5F}, {4, 0}, {2, .5F}};
	ossa_mesh *mesh = polygon_mesh(context, kite, 4);
	assert_ok(context, ossa_mesh_triangulate(context, mesh));
	const uint32_t expected[] = {0, 1, 3, 1, 2, 3};
	assert_memory_equal(mesh->triangles, expected, sizeof expected);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
	/* an arrow's shorter diagonal lies outside */
	const float arrow[][2] = {{0, 0}, {4, 1}, {0, 2}, {3.5F, 1}};
	check_both_windings(arrow, 4);
	const float deep[][2] = {{0, -1}, {1, 0}, {0, 1}, {.9F, 0}};
	check_both_windings(deep, 4);
}

static void concave_polygons_come_out_right(void **state)
{
	(void)state;
	const float l_shape[][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
	check_both_windings(l_shape, 6);
	const float comb[][2] = {{0, 0}, {7, 0}, {7, 3}, {6, 3}, {6, 1}, {5, 1}, {5, 3}, {4, 3}, {4, 1}, {3, 1}, {3, 3}, {2, 3},
		{2, 1}, {1, 1}, {1, 3}, {0, 3}};
	check_both_windings(comb, 16);
	const float on_edges[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
	check_both_windings(on_edges, 8);
	/* a square with a square hole, joined by a seam that is walked twice */
	const float keyhole[][2] = {{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}};
	check_both_windings(keyhole, 10);
}

static void stars_and_spirals_are_covered_once(void **state)
{
	(void)state;
	enum { COUNT = 400 };
	float points[COUNT][2];
	for (int i = 0; i < COUNT; i++) {
		const double radius = i % 2 ? 1 : 0.3 + 0.1 * sin(i), angle = 2 * 3.14159265358979 * i / COUNT;
		points[i][0] = (float)(radius * cos(angle)) + 100;
		points[i][1] = (float)(radius * sin(angle));
	}
	check_both_windings((const float(*)[2])points, COUNT);
	/* a spiral band of two turns: out along one side, back along the other */
	for (int i = 0; i < COUNT; i++) {
		const int k = i < COUNT / 2 ? i : COUNT - 1 - i;
		const double angle = 4 * 3.14159265358979 * k / (COUNT / 2.0), radius = 1 + angle + (i < COUNT / 2 ? 0.0 : 1.5);
		points[i][0] = (float)(radius * cos(angle));
		points[i][1] = (float)(radius * sin(angle));
	}
	check_both_windings((const float(*)[2])points, COUNT);
}

static void hopeless_polygons_are_filled_and_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const float line[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}};
	const float point[][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
	const float crossed[][2] = {{0, 0}, {4, 0}, {1, 3}, {3, 3}, {0, 1}, {4, 1}};
	const struct {
		const float (*points)[2];
		uint32_t count;
	} shapes[] = {{line, 5}, {point, 6}, {crossed, 6}};
	for (size_t i = 0; i < 3; i++) {
		ossa_mesh *mesh = polygon_mesh(context, shapes[i].points, shapes[i].count);
		assert_ok(context, ossa_mesh_triangulate(context, mesh));
		assert_ok(context, ossa_mesh_validate(context, mesh));
		assert_int_equal(mesh->triangle_count, shapes[i].count - 2);
		ossa_mesh_free(context, mesh);
	}
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "polygon-overlaps");
	test_context_end(context);
}

/* a comb of so many teeth that a plain search would take minutes */
static void large_polygons_take_bounded_time(void **state)
{
	(void)state;
	enum { COUNT = 60000 };
	float(*points)[2] = calloc(COUNT, sizeof *points);
	for (int i = 0; i < COUNT; i++) {
		points[i][0] = i == 0 ? -1 : (float)(COUNT - i);
		points[i][1] = i == 0 ? -9 : (float)(i % 2);
	}
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = polygon_mesh(context, (const float(*)[2])points, COUNT);
	assert_ok(context, ossa_mesh_triangulate(context, mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_string_equal(ossa_context_warning(context, 0)->code, "polygon-overlaps");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
	free(points);
}

/* those of each material, rising; without one, or with one that is not there, last */
static void polygons_are_listed_by_material(void **state)
{
	(void)state;
	enum { COUNT = 6 };
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t material[COUNT] = {1, OSSA_NONE, 0, 1, 7, 1};
	const uint32_t wanted[COUNT] = {2, 0, 3, 5, 1, 4};
	ossa_mesh mesh = {.polygon_count = COUNT, .polygon_material = material, .material_count = 2};
	ossai_csr polygons;
	assert_ok(context, ossai_polygons_of_materials(&arena, &mesh, &polygons));
	assert_int_equal(polygons.row_count, 3);
	assert_memory_equal(polygons.item, wanted, sizeof wanted);
	assert_int_equal(ossai_csr_size(&polygons, 0), 1);
	assert_int_equal(ossai_csr_size(&polygons, 1), 3);
	mesh.polygon_material = NULL;
	assert_ok(context, ossai_polygons_of_materials(&arena, &mesh, &polygons));
	assert_int_equal(ossai_csr_size(&polygons, 2), COUNT);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	(void)arg;
	ossa_mesh *mesh, *copy = NULL;
	ossa_status status = ossa_mesh_create(context, 4, square, 2, two_triangles, &mesh);
	if (status != OSSA_OK) return status;
	/* one polygon of six corners, so that the ring is made too */
	mesh->polygon_count = 1;
	mesh->polygon_start[1] = 6;
	status = ossa_mesh_triangulate(context, mesh);
	if (status == OSSA_OK) status = ossa_mesh_copy(context, mesh, &copy);
	if (status == OSSA_OK) status = ossa_mesh_validate(context, copy);
	ossa_mesh_free(context, mesh);
	ossa_mesh_free(context, copy);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(sweep_body, NULL, 1000, 1) >= 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(creating_copies_the_arrays),
		cmocka_unit_test(an_empty_mesh_is_whole),
		cmocka_unit_test(bad_arrays_are_refused),
		cmocka_unit_test(every_rule_is_checked),
		cmocka_unit_test(quads_take_the_shorter_diagonal),
		cmocka_unit_test(concave_polygons_come_out_right),
		cmocka_unit_test(stars_and_spirals_are_covered_once),
		cmocka_unit_test(hopeless_polygons_are_filled_and_counted),
		cmocka_unit_test(large_polygons_take_bounded_time),
		cmocka_unit_test(polygons_are_listed_by_material),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
