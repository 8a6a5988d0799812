/* tests/body/test_limb_axis.c: where a limb leaves the trunk, and where a neck is. */
#include "body/limb_axis.h"
#include "support/support.h"

enum { SAMPLES = OSSAI_AXIS_SAMPLES };

/* a limb of radius 1 up to a sample, and of another one beyond */
static ossai_limb_axis limb_of(size_t last, double beyond)
{
	ossai_limb_axis axis = {.step = 1};
	for (size_t i = 0; i <= SAMPLES; i++) axis.radius[i] = i <= last ? 1 : beyond;
	return axis;
}

static void a_limb_begins_where_it_widens(void **state)
{
	(void)state;
	for (size_t last = 15; last < SAMPLES - 6; last++) {
		const ossai_limb_axis axis = limb_of(last, 3);
		assert_int_equal(ossai_limb_axis_begin(&axis, NULL), last);
	}
}

/* the nearest third to the tip is hand: what widens there is a cuff */
static void no_limb_begins_in_its_hand(void **state)
{
	(void)state;
	ossai_limb_axis axis = limb_of(30, 2);
	for (size_t i = 5; i < 10; i++) axis.radius[i] = 4;
	assert_int_equal(ossai_limb_axis_begin(&axis, NULL), 30);
	assert_true(ossai_limb_axis_begin(&axis, NULL) >= 3 * SAMPLES / 10);
}

/* both of a pair count as much: a bag on one of them is outvoted */
static void the_mirror_image_counts(void **state)
{
	(void)state;
	const ossai_limb_axis other = limb_of(35, 4);
	ossai_limb_axis axis = limb_of(35, 4);
	for (size_t i = 20; i < 26; i++) axis.radius[i] = 5;
	assert_int_equal(ossai_limb_axis_begin(&axis, NULL), 19);
	assert_int_equal(ossai_limb_axis_begin(&axis, &other), 35);
}

/* a neck at a sample, between a head and a trunk of radius 3 */
static ossai_limb_axis head_of(size_t neck, double radius)
{
	ossai_limb_axis axis = {.step = 1};
	for (size_t i = 0; i <= SAMPLES; i++) axis.radius[i] = i == neck ? radius : 3;
	return axis;
}

static void a_neck_is_narrow(void **state)
{
	(void)state;
	const double odds[SAMPLES + 1] = {0};
	for (size_t neck = 1; neck < SAMPLES; neck += 5) {
		const ossai_limb_axis axis = head_of(neck, 1.5);
		assert_int_equal(ossai_limb_axis_neck(&axis, odds), neck);
	}
}

/* narrower by exp(0.3) outweighs odds of e to 1, and not more */
static void what_is_known_of_necks_counts(void **state)
{
	(void)state;
	double odds[SAMPLES + 1];
	for (size_t i = 0; i <= SAMPLES; i++) odds[i] = i == 30 ? 0 : -1;
	const ossai_limb_axis deep = head_of(20, 3 * exp(-0.31)), shallow = head_of(20, 3 * exp(-0.29));
	assert_int_equal(ossai_limb_axis_neck(&deep, odds), 20);
	assert_int_equal(ossai_limb_axis_neck(&shallow, odds), 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_limb_begins_where_it_widens),
		cmocka_unit_test(no_limb_begins_in_its_hand), cmocka_unit_test(the_mirror_image_counts),
		cmocka_unit_test(a_neck_is_narrow), cmocka_unit_test(what_is_known_of_necks_counts)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
