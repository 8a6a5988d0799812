/* tests/body/test_hips.c: how high hip joints are, and how far apart. */
#include "body/hips.h"
#include "support/support.h"

static const ossai_build ADULT = {.head = 0.13, .breadth = 0.13};

static void large_heads_and_broad_shoulders_have_short_legs(void **state)
{
	(void)state;
	ossai_build other = ADULT;
	other.head = 0.4;
	assert_true(ossai_hips_expected(&other).mean < ossai_hips_expected(&ADULT).mean - 0.05);
	other = ADULT;
	other.breadth = 0.18;
	assert_true(ossai_hips_expected(&other).mean < ossai_hips_expected(&ADULT).mean - 0.03);
}

/* whatever is measured, hips are between knees and chest */
static void nonsense_stays_within_reason(void **state)
{
	(void)state;
	const ossai_build none = {.head = 0.99, .breadth = 3}, all = {.head = 0, .breadth = 0};
	assert_near(ossai_hips_expected(&none).mean, 0.2, 1e-12);
	assert_near(ossai_hips_expected(&all).mean, 0.75, 1e-12);
	for (double parting = 0; parting <= 1; parting += 0.125) {
		const ossai_range hip = ossai_hips_height(&none, parting);
		assert_true(hip.mean > 0.1 && hip.mean < 0.9);
		assert_true(hip.deviation > 0 && hip.deviation < 0.3);
	}
}

/* a crotch near where it is expected moves the hips; a hem in the middle of the thighs does not */
static void the_crotch_counts_and_a_hem_does_not(void **state)
{
	(void)state;
	const ossai_range expected = ossai_hips_expected(&ADULT);
	const double low = ossai_hips_height(&ADULT, expected.mean - 0.03).mean;
	const double high = ossai_hips_height(&ADULT, expected.mean + 0.03).mean;
	assert_true(high - low > 0.015 && high - low < 0.06);
	assert_near(ossai_hips_height(&ADULT, expected.mean - 0.25).mean, expected.mean, 0.003);
	assert_near(ossai_hips_height(&ADULT, 0.05).mean, expected.mean, 1e-6);
}

/* what is seen makes it surer; doubt whether it is a skirt makes it less sure */
static void doubt_is_largest_where_both_are_possible(void **state)
{
	(void)state;
	const ossai_range expected = ossai_hips_expected(&ADULT);
	const double seen = ossai_hips_height(&ADULT, expected.mean).deviation;
	const double doubtful = ossai_hips_height(&ADULT, expected.mean - 0.12).deviation;
	assert_true(seen < expected.deviation);
	assert_true(doubtful > seen);
	assert_near(ossai_hips_height(&ADULT, 0.05).deviation, expected.deviation, 1e-6);
}

static void thick_legs_have_joints_apart(void **state)
{
	(void)state;
	assert_true(ossai_hips_apart(&ADULT, 0.05, 0.12) > ossai_hips_apart(&ADULT, 0.05, 0.08));
	assert_true(ossai_hips_apart(&ADULT, 0.08, 0.08) > ossai_hips_apart(&ADULT, 0.05, 0.08));
	/* legs that touch still have two joints */
	assert_true(ossai_hips_apart(&ADULT, 0, 0) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(large_heads_and_broad_shoulders_have_short_legs),
		cmocka_unit_test(nonsense_stays_within_reason), cmocka_unit_test(the_crotch_counts_and_a_hem_does_not),
		cmocka_unit_test(doubt_is_largest_where_both_are_possible), cmocka_unit_test(thick_legs_have_joints_apart)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
