/* tests/skeleton/from_motion/test_joint_prior.c: centers of sections of a square tube, by hand. */
#include "skeleton/from_motion/joint_prior.h"

#include "support/parts.h"
#include "support/support.h"

enum { RINGS = TEST_TUBE_RINGS, CORNERS = TEST_TUBE_CORNERS, VERTICES = RINGS * CORNERS };

/* of a square of side 2: from its center to the points a quarter along its sides */
static const double radius = 1.1180339887498949;

static ossai_joint_prior prior_of(test_surface *t, const ossai_bone_weights *weights, ossai_vec3 shape)
{
	uint32_t parent[] = {OSSA_NONE, 0}, pair[] = {OSSA_NONE, OSSA_NONE}, order[] = {0, 1};
	const ossai_tree tree = {2, 0, parent, pair, order};
	const ossai_vec3 shapes[] = {shape, shape};
	ossai_joint_prior prior[2];
	assert_ok(t->context, ossai_joint_priors_make(t->context, &t->s, weights, &tree, shapes, 0.05, prior));
	return prior[1];
}

/* the second bone has weight `second` of the rings' vertices */
static void weigh(test_surface *t, const double second[VERTICES], ossai_bone_weights *weights)
{
	assert_ok(t->context, ossai_bone_weights_new(&t->arena, VERTICES, 2, 2, weights));
	for (size_t v = 0; v < VERTICES; v++) {
		weights->count[v] = 0;
		if (second[v] < 1) ossai_bone_weights_keep(weights, v, 0, 1 - second[v]);
		if (second[v] > 0) ossai_bone_weights_keep(weights, v, 1, second[v]);
	}
}

/* between the rings at 1 and 2, where the weights are equal; twice as sure across the tube */
static void section_is_where_weights_are_equal(void **state)
{
	(void)state;
	static const double at[] = {0, 0.25, 1, 1};
	double second[VERTICES];
	test_surface t = test_surface_square_tube();
	ossai_bone_weights weights;
	for (size_t v = 0; v < VERTICES; v++) second[v] = at[v / CORNERS];
	weigh(&t, second, &weights);
	const ossai_joint_prior prior = prior_of(&t, &weights, ossai_v3(9, 9, 9));
	const ossai_vec3 found = ossai_posed_surface_place(&t.s, prior.mean);
	assert_near_vec3(found, ossai_v3(1 + 1 / 3.0, 0, 0), 1e-6);
	/* diagonals are crossed a third along them */
	assert_true(prior.radius * t.s.scale > 1 && prior.radius * t.s.scale < sqrt(2));
	assert_near(prior.precision[0] * prior.radius * prior.radius, 1, 1e-6);
	assert_near(prior.precision[4] * prior.radius * prior.radius, 4, 1e-6);
	assert_near(prior.precision[8] * prior.radius * prior.radius, 4, 1e-6);
	for (int i = 1; i < 8; i++) {
		if (i % 4 != 0) assert_near(prior.precision[i] * prior.radius * prior.radius, 0, 1e-6);
	}
	test_surface_end(&t);
}

static void radius_is_that_of_the_section(void **state)
{
	(void)state;
	double second[VERTICES];
	test_surface t = test_surface_square_tube();
	ossai_bone_weights weights;
	for (size_t v = 0; v < VERTICES; v++) second[v] = v / CORNERS > 1;
	weigh(&t, second, &weights);
	assert_near(prior_of(&t, &weights, ossai_v3(0, 0, 0)).radius * t.s.scale, radius, 1e-6);
	test_surface_end(&t);
}

/* a contour at which the joint's two bones weigh nothing is another limb's */
static void other_contours_do_not_count(void **state)
{
	(void)state;
	test_surface t = test_surface_square_tube();
	ossai_bone_weights weights;
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, VERTICES, 3, 2, &weights));
	/* bones 0 | 2 | 0 | 1: bone 2 is the root's other child */
	static const uint32_t bone[] = {0, 2, 2, 1};
	for (size_t v = 0; v < VERTICES; v++) {
		weights.count[v] = 0;
		ossai_bone_weights_keep(&weights, v, bone[v / CORNERS], 1);
	}
	uint32_t parent[] = {OSSA_NONE, 2, 0}, pair[] = {OSSA_NONE, OSSA_NONE, OSSA_NONE}, order[] = {0, 2, 1};
	const ossai_tree tree = {3, 0, parent, pair, order};
	const ossai_vec3 shape[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
	ossai_joint_prior prior[3];
	assert_ok(t.context, ossai_joint_priors_make(t.context, &t.s, &weights, &tree, shape, 0.05, prior));
	assert_near_vec3(ossai_posed_surface_place(&t.s, prior[1].mean), ossai_v3(2.5, 0, 0), 1e-6);
	assert_near_vec3(ossai_posed_surface_place(&t.s, prior[2].mean), ossai_v3(0.5, 0, 0), 1e-6);
	test_surface_end(&t);
}

/* where one bone has all of the surface there is no section */
static void without_a_section_the_shape_says_where(void **state)
{
	(void)state;
	double second[VERTICES] = {0};
	test_surface t = test_surface_square_tube();
	ossai_bone_weights weights;
	weigh(&t, second, &weights);
	const ossai_joint_prior prior = prior_of(&t, &weights, ossai_v3(0.1, 0.2, 0.3));
	assert_true(prior.radius == 0);
	assert_near_vec3(prior.mean, ossai_v3(0.1, 0.2, 0.3), 0);
	for (int i = 0; i < 9; i++) assert_near(prior.precision[i], i % 4 == 0 ? 400 : 0, 1e-9);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(section_is_where_weights_are_equal),
		cmocka_unit_test(radius_is_that_of_the_section),
		cmocka_unit_test(other_contours_do_not_count),
		cmocka_unit_test(without_a_section_the_shape_says_where),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
