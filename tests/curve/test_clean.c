/* tests/curve/test_clean.c: the passes that clean a curve, in their order, on a literal curve in
   a box. */
#include "curve/clean.h"
#include "support/curves.h"
#include "support/support.h"

/* Along a box from end to end, with a loop at node 8, junctions of one body at 2 and 3 with a limb
   each, and a spurious branch at 4, where the limb of node 5 ends:

               6
               |
        8      10     9
       / \     |      |
   0--1---2----3------4------5
          |
          7
*/
enum { NODES = 11, EDGES = 11 };

static const double nodes[] = {-0.4, 0, 0, -0.2, 0, 0, -0.02, 0, 0, 0.04, 0, 0, 0.2, 0, 0, 0.4, 0, 0, 0.04, 0.15, 0, -0.02,
	-0.15, 0, -0.11, 0.06, 0, 0.2, 0.05, 0, 0.04, 0.08, 0};
static const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 3, 10, 10, 6, 2, 7, 1, 8, 8, 2, 4, 9};

/* one vertex in the patch of each */
static const double persistence[NODES] = {0.4, 0, 0, 0, 0, 0.4, 0.1, 0.1, 0.02, 0.02, 0};

static ossai_curve make_curve(test_curve_bench *b)
{
	ossai_curve curve = test_curve_literal(&b->arena, NODES, nodes, EDGES, edges);
	curve.radius[4] = 0.1;
	curve.radius[5] = 0.01;
	curve.radius[8] = curve.radius[10] = 0.02;
	curve.vertex_count = NODES;
	curve.node_of_vertex = ossai_arena_new(&b->arena, NODES, sizeof *curve.node_of_vertex);
	assert_non_null(curve.node_of_vertex);
	for (uint32_t i = 0; i < NODES; i++) curve.node_of_vertex[i] = i;
	return curve;
}

static ossai_tips make_tips(void)
{
	static uint32_t vertex[] = {5, 0, 7, 6, 9, 8};
	static double own[] = {0.4, 0.4, 0.1, 0.1, 0.02, 0.02};
	for (size_t i = 0; i < 6; i++) assert_near(own[i], persistence[vertex[i]], 0);
	return (ossai_tips){.count = 6, .limb_count = 4, .vertex = vertex, .persistence = own};
}

/* distance of the nearest end from a point */
static double nearest_end(const ossai_curve *curve, ossai_vec3 place)
{
	double nearest = INFINITY;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		size_t degree = 0;
		for (size_t k = 0; k < 2 * curve->edge_count; k++) degree += curve->edge[k] == i;
		if (degree == 1) nearest = fmin(nearest, ossai_distance(curve->node[i], place));
	}
	return nearest;
}

static void a_curve_becomes_a_tree_of_limbs(void **state)
{
	(void)state;
	for (int deep = 0; deep < 2; deep++) {
		test_curve_bench b = test_curve_begin();
		const ossai_clearance clearance = test_box_clearance(&b.arena, 0.5, 0.2, 0.1);
		const ossai_mirror mirror = {.exists = false};
		const ossai_tips tips = make_tips();
		const ossai_clean_shape shape = {&clearance, &mirror, &tips, 0.05, deep};
		ossai_curve curve = make_curve(&b);
		uint32_t root;
		assert_ok(b.context, ossai_curve_clean(&b.arena, &shape, &curve, &root));
		/* the loop is cut where it is thinnest, its rest and the other spurious branch are removed,
		   one junction is left */
		assert_int_equal(curve.cut_count, 1);
		assert_int_equal(curve.edge_count, curve.node_count - 1);
		assert_int_equal(test_curve_count(&curve, 3), 1);
		assert_int_equal(test_curve_count(&curve, 1), 4);
		/* a ball of 0.1 contains 0.2 + 0.01: the limb ends there, since the branch is removed; but
		   not with deep ends */
		assert_int_equal(curve.node_count, deep ? 8 : 7);
		assert_near(nearest_end(&curve, ossai_v3(deep ? 0.4 : 0.2, 0, 0)), 0, 0.02);
		/* no ball of the limb of node 6 holds its end, before that of the junction makes node 10
		   thicker */
		assert_near(nearest_end(&curve, ossai_v3(0.04, 0.15, 0)), 0, 1e-12);
		/* the root is the junction, at the center of its body; radius and ball are those of the box
		   there */
		size_t degree = 0;
		for (size_t k = 0; k < 2 * curve.edge_count; k++) degree += curve.edge[k] == root;
		assert_int_equal(degree, 4);
		assert_near(curve.node[root].y, 0, 0.01);
		assert_near(curve.node[root].z, 0, 0.01);
		assert_near(curve.radius[root], 0.1, 0.01);
		/* nodes have the persistence, and the patches of removed nodes */
		for (size_t i = 0; i < tips.count; i++)
			assert_true(curve.persistence[curve.node_of_vertex[tips.vertex[i]]] >= tips.persistence[i]);
		test_curve_end(&b);
	}
}

/* the least persistence decides which branches are left: all of them, those of 0.1, none but two
   chains */
static void the_least_persistence_decides(void **state)
{
	(void)state;
	const double least[] = {0.0199, 0.0201, 0.0999, 0.1001};
	const size_t ends[] = {6, 4, 4, 2};
	for (size_t i = 0; i < 4; i++) {
		test_curve_bench b = test_curve_begin();
		const ossai_clearance clearance = test_box_clearance(&b.arena, 0.5, 0.2, 0.1);
		const ossai_mirror mirror = {.exists = false};
		const ossai_tips tips = make_tips();
		const ossai_clean_shape shape = {&clearance, &mirror, &tips, least[i], true};
		ossai_curve curve = make_curve(&b);
		uint32_t root;
		assert_ok(b.context, ossai_curve_clean(&b.arena, &shape, &curve, &root));
		assert_int_equal(test_curve_count(&curve, 1), ends[i]);
		test_curve_end(&b);
	}
}

/* one node: too little for a shape with limbs, enough for one without */
static void a_single_node_in_a_shape_with_limbs_is_warned_of(void **state)
{
	(void)state;
	for (int limbs = 0; limbs < 2; limbs++) {
		test_curve_bench b = test_curve_begin();
		const ossai_clearance clearance = test_box_clearance(&b.arena, 0.5, 0.2, 0.1);
		const ossai_mirror mirror = {.exists = false};
		uint32_t vertex = 0, root;
		double own = 0.4;
		const ossai_tips tips = {
			.count = 1, .limb_count = 1, .vertex = &vertex, .persistence = &own, .slenderness = limbs ? 0.5 : 0.05};
		const ossai_clean_shape shape = {&clearance, &mirror, &tips, 0.05, true};
		ossai_curve curve = test_curve_literal(&b.arena, 1, nodes, 0, edges);
		curve.vertex_count = 1;
		curve.node_of_vertex = &vertex;
		assert_ok(b.context, ossai_curve_clean(&b.arena, &shape, &curve, &root));
		assert_int_equal(curve.node_count, 1);
		assert_int_equal(*test_warning_text(b.context, "limbs-lost") != 0, limbs);
		test_curve_end(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_curve_becomes_a_tree_of_limbs),
		cmocka_unit_test(the_least_persistence_decides),
		cmocka_unit_test(a_single_node_in_a_shape_with_limbs_is_warned_of),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
