/* tests/weights/test_residuals.c: residuals by lanes against those of one pose after the other. */
#include "weights/residuals.h"

#include "support/support.h"
#include "support/surfaces.h"
#include "weights/companions.h"

#include <string.h>

static double plain_product(const test_surface *t, const ossai_bone_motion *motion, size_t v, uint16_t a, uint16_t b)
{
	double sum = 0;
	for (size_t k = 0; k < t->s.pose_count; k++) {
		const ossai_vec3 p = ossai_rest_point(&t->s, v), q = ossai_pose_point(&t->s, v, k);
		const ossai_rigid *x = &motion->rigid[a * motion->pose_count + k], *y = &motion->rigid[b * motion->pose_count + k];
		const ossai_vec3 r = ossai_sub(ossai_add(ossai_mat3_mul_v(&x->r, p), x->t), q);
		sum += ossai_dot(r, ossai_sub(ossai_add(ossai_mat3_mul_v(&y->r, p), y->t), q));
	}
	return sum;
}

static void assert_plain_products(const test_surface *t, const ossai_bone_motion *motion, const ossai_residuals *r, size_t n)
{
	double g[OSSAI_GRAM_MAX * OSSAI_GRAM_MAX];
	uint16_t bones[OSSAI_GRAM_MAX] = {0};
	for (size_t i = 0; i < n; i++) bones[i] = (uint16_t)((3 + 5 * i) % motion->bone_count);
	const size_t v = n % t->s.vertex_count;
	ossai_residuals_gram(r, v, n, bones, g);
	for (size_t i = 0; i < n * n; i++) {
		const double plain = plain_product(t, motion, v, bones[i / n], bones[i % n]);
		assert_near(g[i], plain, 1e-13 * (double)t->s.pose_count);
		assert_true(g[i] == g[i % n * n + i / n]);
	}
	assert_true(n != 1 || ossai_residuals_square(r, v, bones[0]) == g[0]);
}

/* numbers of bones with loops of their own and without; rows that end within a chunk, within lanes
   and at their ends */
static void products_are_the_plain_ones(void **state)
{
	(void)state;
	const size_t poses[] = {1, 3, 4, 9, 21, 22, 43, 70};
	for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
		test_surface t = test_surface_grid(1, 6, 2, poses[i]);
		const test_chain chain = test_chain_make(&t, 64, 3);
		test_surface_shake(&t, 0.02, 5);
		ossai_residuals r;
		assert_ok(t.context, ossai_residuals_make(&t.arena, &t.s, &chain.motion, &r));
		for (size_t n = 1; n <= 13; n++) assert_plain_products(&t, &chain.motion, &r, n);
		assert_plain_products(&t, &chain.motion, &r, OSSAI_GRAM_MAX);
		test_surface_end(&t);
	}
}

/* other characters have their own rest, poses and motion, and other numbers of poses */
static void companions_add_theirs(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 6, 2, 5), other = test_surface_grid(1, 6, 2, 11);
	const test_chain chain = test_chain_make(&t, 9, 3), longer = test_chain_make(&other, 9, 4);
	test_surface_shake(&t, 0.02, 5);
	test_surface_shake(&other, 0.05, 6);
	for (size_t i = 0; i < 3 * other.s.vertex_count; i++) other.s.rest[i] *= 1.3;
	const ossai_companion items[] = {{&other.s, &longer.motion}, {&t.s, &chain.motion}};
	const ossai_companions companions = {2, items};
	ossai_posed_surface lead = t.s;
	lead.companions = &companions;
	ossai_residuals r, own, second;
	assert_ok(t.context, ossai_residuals_make(&t.arena, &lead, &chain.motion, &r));
	assert_ok(t.context, ossai_residuals_make(&t.arena, &t.s, &chain.motion, &own));
	assert_ok(t.context, ossai_residuals_make(&t.arena, &other.s, &longer.motion, &second));
	const uint16_t bones[] = {8, 0, 3, 5, 1, 7};
	for (size_t n = 1; n <= 6; n++) {
		double g[36], a[36], b[36];
		ossai_residuals_gram(&r, 4, n, bones, g);
		ossai_residuals_gram(&own, 4, n, bones, a);
		ossai_residuals_gram(&second, 4, n, bones, b);
		for (size_t i = 0; i < n * n; i++) assert_near(g[i], 2 * a[i] + b[i], 1e-12);
	}
	test_surface_end(&other);
	test_surface_end(&t);
}

static void gram_is_the_error_of_the_blend(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 3, 11);
	test_chain chain = test_chain_make(&t, 4, 3);
	test_surface_shake(&t, 0.02, 5);
	ossai_residuals r;
	assert_ok(t.context, ossai_residuals_make(&t.arena, &t.s, &chain.motion, &r));
	double plain = 0;
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		double g[4];
		ossai_residuals_gram(&r, v, chain.weights.count[v], chain.weights.bone + 4 * v, g);
		for (size_t i = 0; i < (size_t)chain.weights.count[v] * chain.weights.count[v]; i++) {
			const size_t n = chain.weights.count[v];
			plain += chain.weights.value[4 * v + i / n] * g[i] * chain.weights.value[4 * v + i % n];
		}
	}
	const double error = test_blend_error(&t, &chain.weights, &chain.motion);
	assert_near(error, plain, 1e-12 * plain);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_are_the_plain_ones),
		cmocka_unit_test(companions_add_theirs),
		cmocka_unit_test(gram_is_the_error_of_the_blend),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
