/* tests/curve/test_tips.c: tips of limbs on flat crosses, with thresholds just below and just
   above their persistence. */
#include "curve/tips.h"
#include "proxy/geodesic_maxima.h"
#include "support/crosses.h"
#include "support/curves.h"
#include "support/support.h"

static const double HAIR = 1e-9;

typedef struct bench {
	test_curve_bench b;
	test_cross cross;
} bench;

static bench *begin(const int arm[TEST_CROSS_ARMS])
{
	static bench made;
	made.b = test_curve_begin();
	test_cross_make(arm, &made.cross);
	return &made;
}

static const ossai_mirror no_mirror = {.exists = false};

static ossai_tips tips_of(bench *m, const ossai_mirror *mirror, double least)
{
	ossai_tips tips;
	assert_ok(m->b.context, ossai_tips_find(&m->b.arena, &m->cross.proxy, mirror, least, &tips));
	for (size_t i = 0; i < tips.count; i++) {
		const ossai_vec3 place = ossai_v3_of(m->cross.positions + 3 * (size_t)tips.vertex[i]);
		assert_true(ossai_distance(tips.point[i], place) == 0);
		assert_true(tips.persistence[i] > 0 && (i == 0 || tips.persistence[i] <= tips.persistence[i - 1]));
		assert_int_equal(i < tips.limb_count, tips.persistence[i] >= least);
	}
	return tips;
}

/* arms of 40, 30, 20 and 10 along x, -x, y, -y */
static void a_limb_protrudes_by_at_least_that(void **state)
{
	(void)state;
	bench *m = begin((int[TEST_CROSS_ARMS]){40, 30, 20, 10});
	const ossai_tips all = tips_of(m, &no_mirror, 1);
	assert_true(all.limb_count >= TEST_CROSS_ARMS);
	const ossai_vec3 along[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
	const double length[] = {43, 33, 23, 13};
	for (size_t i = 0; i < TEST_CROSS_ARMS; i++) {
		assert_near(ossai_dot(all.point[i], along[i]), length[i], 0);
		const double own = all.persistence[i];
		assert_int_equal(tips_of(m, &no_mirror, own * (1 - HAIR)).limb_count, i + 1);
		assert_int_equal(tips_of(m, &no_mirror, own * (1 + HAIR)).limb_count, i);
		/* the others are reported all the same */
		assert_int_equal(tips_of(m, &no_mirror, own).count, all.count);
	}
	test_curve_end(&m->b);
}

/* of two images one protrudes a little less than a limb must: both are limbs, or neither is */
static void images_are_limbs_together(void **state)
{
	(void)state;
	bench *m = begin((int[TEST_CROSS_ARMS]){40, 30, 20, 18});
	const ossai_mirror mirror = {.exists = true, .normal = {0, 1, 0}};
	const ossai_tips all = tips_of(m, &no_mirror, 1);
	const double greater = all.persistence[2], lesser = all.persistence[3];
	assert_true(lesser < 0.95 * greater);
	const double between = (lesser + greater) / 2;
	assert_int_equal(tips_of(m, &no_mirror, between).limb_count, 3);
	const ossai_tips matched = tips_of(m, &mirror, between);
	assert_int_equal(matched.limb_count, 4);
	assert_near(matched.persistence[3], greater, 0);
	assert_int_equal(tips_of(m, &mirror, greater * (1 + HAIR)).limb_count, 2);
	test_curve_end(&m->b);
}

/* a bump is no image: it has 0.7 of the persistence of a limb at least */
static void bumps_are_no_images(void **state)
{
	(void)state;
	bench *m = begin((int[TEST_CROSS_ARMS]){40, 30, 20, 13});
	/* between both tips, so that only persistence distinguishes them */
	const ossai_mirror mirror = {.exists = true, .normal = {0, 1, 0}, .offset = 3.5};
	const ossai_tips all = tips_of(m, &no_mirror, 1);
	const double least = all.persistence[3] / 0.7;
	assert_true(least < 0.99 * all.persistence[2]);
	assert_int_equal(tips_of(m, &mirror, least * (1 - HAIR)).limb_count, 4);
	assert_int_equal(tips_of(m, &mirror, least * (1 + HAIR)).limb_count, 3);
	test_curve_end(&m->b);
}

/* slenderness 0.4: the arms of a flat cross have it */
static void limbs_are_long_for_their_girth(void **state)
{
	(void)state;
	assert_false(ossai_tips_are_limbs(&(ossai_tips){.slenderness = 0.3999}));
	assert_true(ossai_tips_are_limbs(&(ossai_tips){.slenderness = 0.4001}));
	bench *m = begin((int[TEST_CROSS_ARMS]){40, 30, 20, 10});
	const ossai_tips arms = tips_of(m, &no_mirror, 5);
	assert_true(ossai_tips_are_limbs(&arms));
	test_curve_end(&m->b);
}

static void nodes_get_the_most_persistent_tip_of_their_patch(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double nodes[] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
	const uint32_t edges[] = {0, 1, 1, 2};
	ossai_curve curve = test_curve_literal(&b.arena, 3, nodes, 2, edges);
	uint32_t node_of_vertex[] = {2, 0, 2, 1, 0, 2}, vertex[] = {5, 0, 1};
	double persistence[] = {0.4, 0.3, 0.2};
	curve.vertex_count = 6;
	curve.node_of_vertex = node_of_vertex;
	const ossai_tips tips = {.count = 3, .limb_count = 1, .vertex = vertex, .persistence = persistence};
	assert_ok(b.context, ossai_curve_take_tips(&b.arena, &tips, &curve));
	assert_near(curve.persistence[0], 0.2, 0);
	assert_near(curve.persistence[1], 0, 0);
	assert_near(curve.persistence[2], 0.4, 0);
	test_curve_end(&b);
}

static ossa_status find_once(ossa_context *context, void *arg)
{
	const bench *m = arg;
	const ossai_mirror mirror = {.exists = true, .normal = {0, 1, 0}};
	ossai_arena arena = ossai_arena_begin(context);
	ossai_tips tips;
	const ossa_status status = ossai_tips_find(&arena, &m->cross.proxy, &mirror, 5, &tips);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	bench *m = begin((int[TEST_CROSS_ARMS]){12, 10, 8, 8});
	assert_true(test_allocation_sweep(find_once, m, 200, 1) >= 8);
	test_curve_end(&m->b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limb_protrudes_by_at_least_that),
		cmocka_unit_test(images_are_limbs_together),
		cmocka_unit_test(bumps_are_no_images),
		cmocka_unit_test(limbs_are_long_for_their_girth),
		cmocka_unit_test(nodes_get_the_most_persistent_tip_of_their_patch),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
