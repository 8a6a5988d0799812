/* tests/skeleton/from_motion/test_pair_priors.c: where two bones meet on a square tube, by hand,
   and how unlikely joints are. */
#include "skeleton/from_motion/pair_priors.h"

#include "support/support.h"
#include "support/surfaces.h"

enum { RINGS = TEST_TUBE_RINGS, CORNERS = TEST_TUBE_CORNERS, VERTICES = RINGS * CORNERS };

/* each ring is one bone's */
static void weigh(test_surface *t, const uint32_t bone[RINGS], size_t bones, ossai_bone_weights *weights)
{
	assert_ok(t->context, ossai_bone_weights_new(&t->arena, VERTICES, bones, 2, weights));
	for (size_t v = 0; v < VERTICES; v++) {
		weights->count[v] = 0;
		ossai_bone_weights_keep(weights, v, bone[v / CORNERS], 1);
	}
}

/* between the rings, with the deviations of a section across the tube; whichever bone is first */
static void a_section_is_where_two_bones_weigh_the_same(void **state)
{
	(void)state;
	static const uint32_t orders[2][RINGS] = {{0, 0, 2, 1}, {1, 1, 2, 0}};
	for (int order = 0; order < 2; order++) {
		test_surface t = test_surface_square_tube();
		ossai_bone_weights weights;
		ossai_bone_graph graph;
		ossai_joint_prior prior[3];
		weigh(&t, orders[order], 3, &weights);
		assert_ok(t.context, ossai_bone_graph_make(&t.arena, &t.s, &weights, false, &graph));
		assert_int_equal(graph.pair_count, 2);
		assert_ok(t.context, ossai_pair_priors_make(t.context, &t.s, &weights, &graph, 0.05, prior));
		for (size_t i = 0; i < graph.pair_count; i++) {
			const bool is_last = graph.pairs[i].a == orders[order][3] || graph.pairs[i].b == orders[order][3];
			assert_near_vec3(ossai_posed_surface_place(&t.s, prior[i].mean), ossai_v3(is_last ? 2.5 : 1.5, 0, 0), 1e-6);
			/* the mean square of a point of a square of side 2 is 4/3 */
			assert_near(prior[i].radius * t.s.scale, sqrt(4 / 3.0), 1e-6);
			const double r2 = prior[i].radius * prior[i].radius;
			for (int e = 0; e < 9; e++) assert_near(prior[i].precision[e] * r2, e == 0 ? 1 : e % 4 == 0 ? 4 : 0, 1e-6);
		}
		test_surface_end(&t);
	}
}

/* rigid pieces that only touch: around the point where they do, by the size of the smaller one */
static void without_a_section_the_smaller_bone_says_how_sure(void **state)
{
	(void)state;
	/* two triangles, one a tenth of the other */
	const float points[] = {0, 0, 0, 10, 0, 0, 0, 10, 0, -1, 0, 0, -1, 1, 0, -2, 0, 0};
	const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
	test_surface t = test_surface_make(1, 6, points, 2, triangles, 1, NULL);
	ossai_bone_weights weights;
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, 6, 2, 2, &weights));
	for (size_t v = 0; v < 6; v++) {
		weights.count[v] = 0;
		ossai_bone_weights_keep(&weights, v, v / 3, 1);
	}
	ossai_bone_pair pair = {.a = 0, .b = 1, .contact = 1, .prior = {0.1, 0.2, 0.3}};
	const ossai_bone_graph graph = {.bone_count = 2, .pair_count = 1, .pairs = &pair};
	ossai_joint_prior prior;
	assert_ok(t.context, ossai_pair_priors_make(t.context, &t.s, &weights, &graph, 1, &prior));
	assert_near_vec3(prior.mean, pair.prior, 0);
	assert_true(prior.radius == 0);
	/* of (-1, 0), (-1, 1), (-2, 0): mean square from their center 4/9 */
	assert_near(1 / sqrt(prior.precision[0]) * t.s.scale, sqrt(4 / 9.0), 1e-6);
	assert_ok(t.context, ossai_pair_priors_make(t.context, &t.s, &weights, &graph, 0.01, &prior));
	assert_near(1 / sqrt(prior.precision[0]), 0.01, 1e-12);
	test_surface_end(&t);
}

/* Student's t with 4 degrees of freedom in three dimensions, and its steepest place */
static void surprise_grows_slower_far_from_the_limb(void **state)
{
	(void)state;
	const ossai_joint_prior prior = ossai_joint_prior_of_section(ossai_v3(1, 2, 3), 2, ossai_v3(0, 0, 1));
	assert_true(ossai_joint_surprise(&prior, prior.mean) == 0);
	/* a radius is one deviation along the limb, two across it */
	assert_near(ossai_joint_prior_distance2(&prior, ossai_v3(1, 2, 5)), 1, 1e-12);
	assert_near(ossai_joint_prior_distance2(&prior, ossai_v3(1, 4, 3)), 4, 1e-12);
	assert_near(ossai_joint_surprise(&prior, ossai_v3(1, 4, 3)), 3.5 * log(2), 1e-12);
	double steepest = 0, most = 0;
	for (double d = 0.01; d < 10; d += 0.01) {
		const double low = ossai_joint_surprise(&prior, ossai_v3(1, 2, 3 + 2 * d));
		const double rise = ossai_joint_surprise(&prior, ossai_v3(1, 2, 3 + 2 * (d + 0.001))) - low;
		if (rise > most) {
			most = rise;
			steepest = d;
		}
	}
	assert_near(steepest, OSSAI_JOINT_PULLED, 0.02);
}

/* the RMS counts, not how many vertices and poses it is of */
static void a_hierarchys_surprise_is_of_its_rms(void **state)
{
	(void)state;
	const double one = ossai_hierarchy_surprise(1e-4, 100, 10, 20);
	assert_near(ossai_hierarchy_surprise(4e-3, 400, 100, 20), one, 1e-9);
	/* 20 bones, of each three errors of three coordinates */
	assert_near(ossai_hierarchy_surprise(4e-4, 100, 10, 20) - one, 20 * 3 * 3 * log(2), 0.5);
	/* an RMS of 1 and of 2 % of the diagonal: the square counts, too */
	assert_near(ossai_hierarchy_surprise(0.4, 100, 10, 20) - ossai_hierarchy_surprise(0.1, 100, 10, 20),
		20 * 3 * 3 * (log(2) + 0.5 * (4 - 1)), 1e-3);
	/* an error that is rounding is none */
	assert_near(ossai_hierarchy_surprise(1e-18, 100, 10, 20), ossai_hierarchy_surprise(0, 100, 10, 20), 1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_section_is_where_two_bones_weigh_the_same),
		cmocka_unit_test(without_a_section_the_smaller_bone_says_how_sure),
		cmocka_unit_test(surprise_grows_slower_far_from_the_limb),
		cmocka_unit_test(a_hierarchys_surprise_is_of_its_rms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
