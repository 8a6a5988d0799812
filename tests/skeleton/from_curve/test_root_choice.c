/* tests/skeleton/from_curve/test_root_choice.c: the lowest node, or the one nearest to a point. */
#include "skeleton/from_curve/root_choice.h"
#include "support/support.h"

/* a cross that leans: its lowest end is node 3, and 4 is as low as that */
static const ossai_vec3 cross[5] = {{0, 0, 0}, {0, 2, 0}, {-1, 0, 0}, {1, -1, 0}, {3, -1, 0}};
static const ossai_vec3 up = {0, 1, 0};

static void the_lowest_is_the_first_of_equals(void **state)
{
	(void)state;
	assert_int_equal(ossai_root_choose(OSSA_ROOT_LOWEST, up, 5, cross, NULL), 3);
	/* up is a direction, whatever its length */
	assert_int_equal(ossai_root_choose(OSSA_ROOT_LOWEST, ossai_v3(0, -5, 0), 5, cross, NULL), 1);
}

static void a_point_takes_the_nearest(void **state)
{
	(void)state;
	assert_int_equal(ossai_root_choose(OSSA_ROOT_POINT, ossai_v3(0, 1.1, 0), 5, cross, NULL), 1);
	assert_int_equal(ossai_root_choose(OSSA_ROOT_POINT, ossai_v3(0, 0.9, 0), 5, cross, NULL), 0);
}

static void only_candidates_are_taken(void **state)
{
	(void)state;
	const uint8_t is_end[5] = {0, 1, 1, 0, 1};
	const uint8_t none[5] = {0};
	assert_int_equal(ossai_root_choose(OSSA_ROOT_LOWEST, up, 5, cross, is_end), 4);
	assert_int_equal(ossai_root_choose(OSSA_ROOT_POINT, ossai_v3(0, 0.1, 0), 5, cross, is_end), 2);
	assert_int_equal(ossai_root_choose(OSSA_ROOT_LOWEST, up, 5, cross, none), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_lowest_is_the_first_of_equals),
		cmocka_unit_test(a_point_takes_the_nearest), cmocka_unit_test(only_candidates_are_taken)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
