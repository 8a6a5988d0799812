/* tests/curve/test_curve_tree.c: curves become trees: loops cut, pieces joined, spurs gone; on literal curves. */
#include "curve/junctions.h"
#include "curve/limbs.h"
#include "curve/tree.h"
#include "support/curves.h"
#include "support/support.h"

#include <string.h>

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
} bench;

static bench begin(void)
{
	bench b = {.context = test_context(1)};
	b.arena = ossai_arena_begin(b.context);
	return b;
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

static void a_cycle_is_cut_where_it_is_thinnest(void **state)
{
	(void)state;
	bench b = begin();
	const double nodes[] = {0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0, 0, 0.1, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 3, 0};
	ossai_curve curve = test_curve_literal(&b.arena, 4, nodes, 4, edges);
	curve.radius[2] = 0.01;
	assert_ok(b.context, ossai_curve_cut_loops(&b.arena, &curve));
	assert_int_equal(curve.edge_count, 3);
	assert_int_equal(curve.cut_count, 1);
	assert_true(curve.cuts[0].a == 2 || curve.cuts[0].b == 2);
	end(&b);
}

static void a_link_of_a_cycle_is_cut_first(void **state)
{
	(void)state;
	bench b = begin();
	/* four nodes near each other but for one edge that spans a gap */
	const double nodes[] = {0, 0, 0, 0.05, 0, 0, 0.1, 0, 0, 0.6, 0, 0, 0.3, 0.05, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 0, 4, 3, 4};
	ossai_curve curve = test_curve_literal(&b.arena, 5, nodes, 5, edges);
	assert_ok(b.context, ossai_curve_cut_loops(&b.arena, &curve));
	assert_int_equal(curve.cut_count, 1);
	assert_int_equal(curve.cuts[0].a, 2);
	assert_int_equal(curve.cuts[0].b, 3);
	assert_near(curve.cuts[0].center.x, 0.35, 1e-12);
	end(&b);
}

static void pieces_are_joined_by_their_nearest_nodes(void **state)
{
	(void)state;
	bench b = begin();
	const double nodes[] = {0, 0, 0, 0.1, 0, 0, 0.3, 0, 0, 0.4, 0, 0, 0.4, 0.5, 0, 1, 1, 1};
	const uint32_t edges[] = {0, 1, 2, 3};
	ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 2, edges);
	assert_ok(b.context, ossai_curve_cut_loops(&b.arena, &curve));
	const uint32_t expected[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
	assert_int_equal(curve.edge_count, 5);
	assert_memory_equal(curve.edge, expected, sizeof expected);
	assert_int_equal(curve.cut_count, 0);
	end(&b);
}

/* a star of three long arms and a stub inside the middle's ball */
static void stubs_within_the_ball_go_and_arms_stay(void **state)
{
	(void)state;
	bench b = begin();
	const double nodes[] = {0, 0, 0, 0.3, 0, 0, -0.3, 0, 0, 0, 0.3, 0, 0, -0.05, 0, 0, -0.06, 0};
	const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 0, 4, 4, 5};
	ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
	curve.radius[0] = 0.1;
	curve.area[5] = 2;
	assert_ok(b.context, ossai_curve_prune(&b.arena, 0.5, NULL, &curve));
	assert_int_equal(curve.node_count, 4);
	assert_int_equal(curve.edge_count, 3);
	assert_true(curve.area[0] == 2);
	end(&b);
}

/* a trunk that ends in two stubs, images of each other, of which one reaches a little farther */
static size_t nodes_left(double thick, bool has_mirror, bool has_both)
{
	bench b = begin();
	const double nodes[] = {0, 0, 0, 0, 0, -0.5, 0.13, 0.1, 0, -0.12, 0.1, 0};
	const uint32_t edges[] = {0, 1, 0, 2, 0, 3};
	ossai_curve curve = test_curve_literal(&b.arena, has_both ? 4 : 3, nodes, has_both ? 3 : 2, edges);
	/* another limb, so that one stub alone is a spur too */
	const double with_limb[] = {0, 0, 0, 0, 0, -0.5, 0.13, 0.1, 0, 0, 0, 0.5};
	if (!has_both) curve = test_curve_literal(&b.arena, 4, with_limb, 3, edges);
	const ossai_mirror mirror = {.exists = has_mirror, .normal = {1, 0, 0}};
	curve.radius[0] = 0.12;
	for (size_t i = 1; i < curve.node_count; i++) curve.radius[i] = thick;
	assert_ok(b.context, ossai_curve_prune(&b.arena, 1, &mirror, &curve));
	const size_t count = curve.node_count;
	end(&b);
	return count;
}

static void images_stay_or_go_together(void **state)
{
	(void)state;
	/* thick ones are legs, though each is too short to be one alone */
	assert_int_equal(nodes_left(0.05, true, true), 4);
	assert_int_equal(nodes_left(0.05, true, false), 3);
	/* thin ones are corners: the trunk goes on into none of them; without a mirror it goes on into one */
	assert_int_equal(nodes_left(0.015, true, true), 2);
	assert_int_equal(nodes_left(0.015, false, true), 3);
}

/* the room in a box of these half sizes */
static void box_room(bench *b, const double half[3], ossai_proxy *proxy, ossai_clearance *room)
{
	static double positions[24];
	static uint32_t triangles[] = {
		0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
	for (int i = 0; i < 24; i++) positions[i] = (i / 3 >> i % 3 & 1 ? 1 : -1) * half[i % 3];
	*proxy = (ossai_proxy){
		.vertex_count = 8, .positions = positions, .face_count = 12, .triangles = triangles, .is_closed = true};
	const ossai_mesh_view mesh = ossai_proxy_view(proxy);
	assert_ok(b->context, ossai_clearance_make(&b->arena, &mesh, true, room));
}

/* three ways from a branching, each with a node near it and one where it ends; its ball is wherever it is */
static void branchings_settle_in_the_middle_of_their_bodies(void **state)
{
	(void)state;
	bench b = begin();
	const double nodes[] = {0.05, 0.02, 0, 0.04, 0, 0.01, 0.09, 0, 0, -0.05, 0.03, 0, -0.09, 0, 0, 0, 0.05, 0, 0, 0.065, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 0, 3, 3, 4, 0, 5, 5, 6};
	const ossai_vec3 starts[] = {{0.045, 0.015, 0}, {-0.05, -0.02, 0.01}, {0, 0, 0}};
	ossai_proxy proxy;
	ossai_clearance room;
	box_room(&b, (double[]){0.1, 0.07, 0.05}, &proxy, &room);
	for (size_t k = 0; k < 3; k++) {
		ossai_curve curve = test_curve_literal(&b.arena, 7, nodes, 6, edges);
		/* without balls there is no middle to go to */
		assert_ok(b.context, ossai_curve_center_junctions(&b.arena, &room, &curve));
		assert_true(curve.node[0].x == 0.05 && curve.node[1].z == 0.01);
		ossai_ball balls[7];
		for (size_t i = 0; i < 7; i++) balls[i] = (ossai_ball){curve.node[i], curve.radius[i]};
		balls[0] = (ossai_ball){starts[k], ossai_clearance_nearest(&room, starts[k], NULL, NULL)};
		curve.ball = balls;
		assert_ok(b.context, ossai_curve_center_junctions(&b.arena, &room, &curve));
		/* from 0.05 away on either side; a third of that is left */
		assert_true(ossai_length(curve.node[0]) < 0.026);
		assert_near(curve.radius[0], 0.05, 0.003);
		/* what is near it is half way to the end, in place and in radius */
		for (uint32_t i = 1; i < 7; i += 2) {
			const ossai_vec3 middle = ossai_lerp(curve.node[0], curve.node[i + 1], 0.5);
			assert_near_vec3(curve.node[i], middle, 1e-12);
			assert_near(curve.radius[i], (curve.radius[0] + curve.radius[i + 1]) / 2, 1e-12);
			assert_true(curve.node[i + 1].x == nodes[3 * i + 3] && curve.node[i + 1].y == nodes[3 * i + 4]);
		}
	}
	end(&b);
}

/* what protrudes is told by the surface: how long a branch of the curve is, or how thick, counts for nothing */
static void branches_that_protrude_stay(void **state)
{
	(void)state;
	bench b = begin();
	const double nodes[] = {0, 0, 0, 0.3, 0, 0, -0.3, 0, 0, 0, 0.3, 0, 0, -0.05, 0, 0, -0.06, 0};
	const uint32_t edges[] = {0, 1, 0, 2, 0, 3, 0, 4, 4, 5};
	for (size_t tip = 3; tip <= 5; tip++) {
		ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
		double limb[] = {0, 0.3, 0.3, 0.01, 0.01, 0.01};
		limb[tip] = 0.07;
		curve.limb = limb;
		assert_ok(b.context, ossai_curve_prune(&b.arena, 0.05, NULL, &curve));
		assert_int_equal(curve.node_count, tip == 3 ? 4 : 5);
		assert_int_equal(test_curve_count(&curve, 1), 3);
	}
	/* a tip where the curve has no branch is lost; two ways stay though neither protrudes */
	ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
	double limb[] = {0.07, 0, 0, 0, 0, 0};
	curve.limb = limb;
	assert_ok(b.context, ossai_curve_prune(&b.arena, 0.05, NULL, &curve));
	assert_int_equal(test_curve_count(&curve, 1), 2);
	assert_int_equal(test_curve_count(&curve, 3), 0);
	end(&b);
}

/* a limb along x that ends in a corner of its blunt end, or in a point */
static size_t nodes_of_limb(bool is_blunt)
{
	bench b = begin();
	const double nodes[] = {
		0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0, 0.34, 0.02, 0, 0.36, 0.04, 0, -0.3, 0.3, 0, -0.3, -0.3, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 0, 6, 0, 7};
	ossai_curve curve = test_curve_literal(&b.arena, 8, nodes, 7, edges);
	const double blunt[] = {0.1, 0.07, 0.07, 0.07, 0.03, 0.01, 0.1, 0.1},
				 pointed[] = {0.1, 0.06, 0.04, 0.02, 0.012, 0.01, 0.1, 0.1};
	for (size_t i = 0; i < 8; i++) curve.radius[i] = is_blunt ? blunt[i] : pointed[i];
	assert_ok(b.context, ossai_curve_shorten_ends(&b.arena, &curve));
	assert_int_equal(test_curve_count(&curve, 1), 3);
	const size_t count = curve.node_count;
	end(&b);
	return count;
}

static void blunt_ends_are_no_corners(void **state)
{
	(void)state;
	/* the ball at 0.3, 2.2 times as large, holds both corners */
	assert_int_equal(nodes_of_limb(true), 6);
	/* no ball of a pointed one holds its point */
	assert_int_equal(nodes_of_limb(false), 8);
}

static void a_ball_has_two_ends_yet(void **state)
{
	(void)state;
	bench b = begin();
	const double nodes[] = {-0.03, 0, 0, -0.01, 0, 0, 0.01, 0, 0, 0.03, 0, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 2, 3};
	ossai_curve curve = test_curve_literal(&b.arena, 4, nodes, 3, edges);
	for (size_t i = 0; i < 4; i++) curve.radius[i] = 0.5;
	assert_ok(b.context, ossai_curve_shorten_ends(&b.arena, &curve));
	assert_int_equal(test_curve_count(&curve, 1), 2);
	end(&b);
}

static void branchings_in_one_ball_become_one(void **state)
{
	(void)state;
	bench b = begin();
	const double nodes[] = {0, 0, 0, 0.03, 0, 0, 0.06, 0, 0, -0.3, 0.3, 0, -0.3, -0.3, 0, 0.4, 0.3, 0, 0.4, -0.3, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 0, 3, 0, 4, 2, 5, 2, 6};
	ossai_curve curve = test_curve_literal(&b.arena, 7, nodes, 6, edges);
	curve.radius[0] = 0.1;
	assert_ok(b.context, ossai_curve_merge_junctions(&b.arena, &curve));
	assert_int_equal(curve.node_count, 5);
	assert_int_equal(test_curve_count(&curve, 3), 1);
	assert_int_equal(test_curve_count(&curve, 1), 4);
	end(&b);
}

/* a centipede: branchings in a row, the ball of each touching the next one's */
static void a_row_of_legs_has_a_spine(void **state)
{
	(void)state;
	enum { PAIRS = 12 };
	bench b = begin();
	double nodes[9 * PAIRS];
	uint32_t edges[6 * PAIRS];
	size_t count = 0;
	for (uint32_t i = 0; i < PAIRS; i++) {
		const double three[] = {0.09 * i, 0, 0, 0.09 * i, 0.4, 0, 0.09 * i, -0.4, 0};
		memcpy(nodes + 9 * i, three, sizeof three);
		const uint32_t legs[] = {3 * i, 3 * i + 1, 3 * i, 3 * i + 2, 3 * i, 3 * i + 3};
		memcpy(edges + 2 * count, legs, sizeof legs);
		count += i + 1 < PAIRS ? 3 : 2;
	}
	ossai_curve curve = test_curve_literal(&b.arena, 3 * PAIRS, nodes, count, edges);
	assert_ok(b.context, ossai_curve_merge_junctions(&b.arena, &curve));
	/* three at a time: the first takes the two beside it, and is as far as it may be from the next */
	assert_int_equal(test_curve_count(&curve, 3), PAIRS / 3);
	assert_int_equal(test_curve_count(&curve, 1), 2 * PAIRS);
	end(&b);
}

/* a trunk that forks evenly: the tip of what is one limb lies on one of the prongs */
static void a_fork_ends_in_its_middle(void **state)
{
	(void)state;
	bench b = begin();
	const double nodes[] = {0, 0, 0, 0.3, 0, 0, 0.35, 0.05, 0, 0.35, -0.05, 0, -0.3, 0.3, 0, -0.3, -0.3, 0};
	const uint32_t edges[] = {0, 1, 1, 2, 1, 3, 0, 4, 0, 5};
	ossai_curve curve = test_curve_literal(&b.arena, 6, nodes, 5, edges);
	double limb[] = {0, 0, 0.3, 0.03, 0.3, 0.3};
	curve.limb = limb;
	const ossai_mirror mirror = {.exists = true, .normal = {0, 1, 0}};
	assert_ok(b.context, ossai_curve_prune(&b.arena, 0.05, &mirror, &curve));
	assert_int_equal(curve.node_count, 4);
	assert_int_equal(test_curve_count(&curve, 1), 3);
	end(&b);
}

static void little_curves_stay_as_they_are(void **state)
{
	(void)state;
	bench b = begin();
	const double nodes[] = {0, 0, 0, 0.1, 0, 0};
	const uint32_t edges[] = {0, 1};
	for (size_t count = 0; count <= 2; count++) {
		ossai_curve curve = test_curve_literal(&b.arena, count, nodes, count == 2, edges);
		assert_ok(b.context, ossai_curve_cut_loops(&b.arena, &curve));
		assert_ok(b.context, ossai_curve_prune(&b.arena, 1, NULL, &curve));
		assert_int_equal(curve.node_count, count);
		if (count) assert_int_equal(ossai_curve_root(&curve), 0);
	}
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_cycle_is_cut_where_it_is_thinnest),
		cmocka_unit_test(a_link_of_a_cycle_is_cut_first), cmocka_unit_test(pieces_are_joined_by_their_nearest_nodes),
		cmocka_unit_test(stubs_within_the_ball_go_and_arms_stay), cmocka_unit_test(images_stay_or_go_together),
		cmocka_unit_test(branchings_settle_in_the_middle_of_their_bodies), cmocka_unit_test(branches_that_protrude_stay),
		cmocka_unit_test(blunt_ends_are_no_corners), cmocka_unit_test(a_ball_has_two_ends_yet),
		cmocka_unit_test(a_row_of_legs_has_a_spine), cmocka_unit_test(a_fork_ends_in_its_middle),
		cmocka_unit_test(branchings_in_one_ball_become_one), cmocka_unit_test(little_curves_stay_as_they_are)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
