/* tests/curve/test_patch_loops.c: the loops, areas and volumes of the patches of a tube, where they
   are known. */
#include "curve/patch_loops.h"
#include "support/curves.h"
#include "support/proxies.h"
#include "support/support.h"

enum { RINGS = 31, SIDES = 24 };
static const double RADIUS = 0.1;

/* three nodes along the tube, off its axis; a vertex belongs to the nearest by x */
static ossai_curve along(ossai_arena *arena, const ossai_proxy *tube)
{
	static const double nodes[] = {-0.3, 0.02, 0, 0, 0.03, 0, 0.3, 0.02, 0};
	static const uint32_t edges[] = {0, 1, 1, 2};
	ossai_curve curve = test_curve_literal(arena, 3, nodes, 2, edges);
	curve.vertex_count = tube->vertex_count;
	curve.node_of_vertex = ossai_arena_new(arena, tube->vertex_count, sizeof *curve.node_of_vertex);
	assert_non_null(curve.node_of_vertex);
	for (size_t v = 0; v < tube->vertex_count; v++) {
		const double x = tube->positions[3 * v];
		curve.node_of_vertex[v] = x < -0.15 ? 0 : x < 0.15 ? 1 : 2;
	}
	return curve;
}

static void loops_are_around_the_axis(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_proxy tube = test_tube(&b.arena, RINGS, SIDES, RADIUS);
	const ossai_curve curve = along(&b.arena, &tube);
	ossai_patch_loops loops;
	assert_ok(b.context, ossai_patch_loops_make(&b.arena, &tube, &curve, &loops));
	assert_int_equal(loops.node_count, 3);
	static const uint32_t start[] = {0, 1, 3, 4}, neighbor[] = {1, 0, 2, 1};
	static const double x[] = {-0.15, -0.15, 0.15, 0.15};
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(loops.start[i], start[i]);
		assert_int_equal(loops.neighbor[i], neighbor[i]);
		/* between two rings; once around */
		assert_near(loops.center[i].x, x[i], 1.0 / RINGS);
		assert_near(hypot(loops.center[i].y, loops.center[i].z), 0, 1e-3);
		assert_near(loops.length[i], 2 * OSSAI_PI * RADIUS, 0.05 * 2 * OSSAI_PI * RADIUS);
	}
	assert_near(loops.patch_center[1].x, 0, 1e-2);
	assert_true(loops.patch_center[0].x < -0.25 && loops.patch_center[2].x > 0.25);
	test_curve_end(&b);
}

static void areas_and_volumes_are_those_of_the_tube(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_proxy tube = test_tube(&b.arena, RINGS, SIDES, RADIUS);
	ossai_curve curve = along(&b.arena, &tube);
	ossai_patch_measure(&tube, &curve);
	const ossai_mesh_view mesh = ossai_proxy_view(&tube);
	double area = 0, expected = 0;
	for (size_t i = 0; i < 3; i++) area += curve.area[i];
	for (size_t f = 0; f < mesh.face_count; f++) expected += 0.5 * ossai_length(ossai_view_face_normal(&mesh, f));
	assert_near(area, expected, 1e-9);
	/* as seen from the node the middle third is a cylinder without its caps: two thirds of that */
	const double third = curve.area[1] * RADIUS / 3;
	assert_near(curve.volume[1], third, 0.02 * third);
	test_curve_end(&b);
}

static void a_node_without_a_patch_has_neither(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_proxy tube = test_tube(&b.arena, RINGS, SIDES, RADIUS);
	ossai_curve curve = along(&b.arena, &tube);
	for (size_t v = 0; v < curve.vertex_count; v++) curve.node_of_vertex[v] = curve.node_of_vertex[v] == 2 ? 2 : 0;
	ossai_patch_loops loops;
	assert_ok(b.context, ossai_patch_loops_make(&b.arena, &tube, &curve, &loops));
	for (size_t i = 0; i < 4; i++) assert_near(loops.length[i], 0, 0);
	assert_near(ossai_distance(loops.patch_center[1], curve.node[1]), 0, 0);
	ossai_patch_measure(&tube, &curve);
	assert_near(curve.area[1], 0, 0);
	assert_near(curve.volume[1], 0, 0);
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(loops_are_around_the_axis),
		cmocka_unit_test(areas_and_volumes_are_those_of_the_tube), cmocka_unit_test(a_node_without_a_patch_has_neither)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
