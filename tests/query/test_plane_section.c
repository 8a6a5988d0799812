/* tests/query/test_plane_section.c: sections of boxes, whose areas are known, and of a
   sphere, against sums over all faces. */
#include "query/plane_section.h"
#include "support/half_edges.h"
#include "support/shapes.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <stdlib.h>

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	test_shape *shape;
	double *positions;
	ossai_sections sections;
} bench;

static bench begin(void)
{
	bench b = {.context = test_context(0), .shape = test_shape_new()};
	b.arena = ossai_arena_begin(b.context);
	return b;
}

/* the shape is whole */
static void prepare(bench *b)
{
	const ossai_mesh_view view = ossai_view_of_floats(
		b->shape->vertex_count, b->shape->positions, b->shape->face_count, b->shape->triangles);
	assert_ok(b->context, ossai_sections_make(&b->arena, &view, &b->sections));
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	free(b->shape);
	test_context_end(b->context);
}

static double radius_of(double area) { return sqrt(area / OSSAI_PI); }

static const ossai_vec3 along_x = {1, 0, 0}, along_y = {0, 1, 0}, along_z = {0, 0, 1};

static void a_box_has_its_own_area(void **state)
{
	(void)state;
	bench b = begin();
	test_shape_box(b.shape, ossai_v3(-1, -2, -3), ossai_v3(1, 2, 3), true);
	prepare(&b);
	const ossai_section x = ossai_section_at(&b.sections, ossai_v3(0.25, 0.5, 0.5), along_x, along_y);
	assert_true(x.is_around);
	assert_near(x.radius, radius_of(4 * 6), 1e-9);
	assert_near(x.least, -2, 1e-9);
	assert_near(x.most, 2, 1e-9);
	/* across a diagonal of x and y: a rectangle of 2 sqrt(2) by 6 through the middle */
	const ossai_vec3 slanted = ossai_unit(ossai_v3(1, 1, 0), along_x);
	assert_near(ossai_section_at(&b.sections, ossai_v3(0, 0, 0), slanted, along_z).radius, radius_of(2 * sqrt(2) * 6), 1e-9);
	assert_near(ossai_section_at(&b.sections, ossai_v3(2, 0, 0), along_x, along_y).radius, 0, 0);
	end(&b);
}

static void the_nearest_curve_around_is_taken(void **state)
{
	(void)state;
	bench b = begin();
	test_shape_box(b.shape, ossai_v3(-1, -1, -1), ossai_v3(1, 1, 1), true);  /* area 4 */
	test_shape_box(b.shape, ossai_v3(-3, -3, -1), ossai_v3(3, 3, 1), true);  /* around it: 36 */
	test_shape_box(b.shape, ossai_v3(10, -1, -1), ossai_v3(11, 1, 1), true); /* beside it: 2 */
	prepare(&b);
	assert_near(ossai_section_at(&b.sections, ossai_v3(0, 0, 0), along_z, along_x).radius, radius_of(4), 1e-9);
	assert_near(ossai_section_at(&b.sections, ossai_v3(2, 0, 0), along_z, along_x).radius, radius_of(36), 1e-9);
	const ossai_section beside = ossai_section_at(&b.sections, ossai_v3(12, 0, 0), along_z, along_x);
	assert_false(beside.is_around);
	assert_near(beside.radius, radius_of(2), 1e-9);
	end(&b);
}

/* the area of the curve in which a plane cuts a convex surface, over all faces */
static double plain_area(const ossai_half_edges *m, ossai_vec3 point, ossai_vec3 normal)
{
	double sum = 0;
	for (size_t f = 0; f < m->face_count; f++) {
		ossai_vec3 end[2];
		size_t count = 0;
		for (size_t k = 0; k < 3; k++) {
			const ossai_vec3 a = ossai_sub(ossai_edge_point(m, m->vertex[3 * f + k]), point);
			const ossai_vec3 b = ossai_sub(ossai_edge_point(m, m->vertex[3 * f + (k + 1) % 3]), point);
			const double over = ossai_dot(normal, a), under = ossai_dot(normal, b);
			if ((over < 0) != (under < 0)) end[count++] = ossai_lerp(a, b, over / (over - under));
		}
		if (count == 2) sum += 0.5 * fabs(ossai_dot(normal, ossai_cross(end[0], end[1])));
	}
	return sum;
}

static void all_faces_that_the_plane_meets_are_found(void **state)
{
	(void)state;
	bench b = begin();
	const ossai_half_edges sphere = test_sphere(&b.arena, 5);
	const ossai_mesh_view view = ossai_view_of_doubles(sphere.vertex_count, sphere.positions, sphere.face_count, sphere.vertex);
	assert_ok(b.context, ossai_sections_make(&b.arena, &view, &b.sections));
	uint64_t random = 11;
	for (int i = 0; i < 300; i++) {
		const ossai_vec3 point = test_random_point(&random, 0.55), normal = ossai_unit(test_random_point(&random, 1), along_x);
		const ossai_section section = ossai_section_at(&b.sections, point, normal, along_y);
		assert_true(section.is_around);
		assert_near(section.radius, radius_of(plain_area(&sphere, point, normal)), 1e-9);
	}
	/* through vertices, along an axis */
	for (uint32_t v = 0; v < sphere.vertex_count; v += 17) {
		const ossai_vec3 point = ossai_v3(0, 0, 0.9 * ossai_edge_point(&sphere, v).z);
		const ossai_section section = ossai_section_at(&b.sections, point, along_z, along_y);
		assert_near(section.radius, radius_of(plain_area(&sphere, point, along_z)), 1e-9);
	}
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_box_has_its_own_area),
		cmocka_unit_test(the_nearest_curve_around_is_taken),
		cmocka_unit_test(all_faces_that_the_plane_meets_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
