/* tests/skeleton/from_curve/test_curve_joints.c: how many joints limbs get, just below and just
   above where the number changes. */
#include "skeleton/from_curve/curve_joints.h"

#include "support/curves.h"
#include "support/limbs.h"
#include "support/support.h"

static const ossai_joint_weights WEIGHTS = {
	.bend = 3, .narrowing = 4, .price = 1, .noise = 0.01, .least_radius = 0.01, .last_bone = 0};

/* Bones of the first of `count` straight limbs of unit radius that begin at the root, of these
   lengths beyond its ball; in all `wanted`. */
static size_t bones_of_first(size_t count, const double *lengths, size_t wanted, size_t *total)
{
	enum { MOST = 8 };
	test_curve_bench b = test_curve_begin();
	double numbers[8 * MOST] = {0};
	assert_true(count <= MOST);
	for (size_t c = 0; c < count; c++) {
		numbers[8 * c + 3] = numbers[8 * c + 7] = 1;
		numbers[8 * c + 4] = lengths[c] + 1;
	}
	const ossai_chains limbs = test_limbs(&b.arena, count, 2, numbers);
	ossai_chain_joints joints[MOST];
	uint32_t with_root;
	ossai_bone_shortage shortage;
	assert_ok(
		b.context, ossai_chain_joints_place(&b.arena, &limbs, &WEIGHTS, wanted, NULL, joints, &with_root, total, &shortage));
	const size_t first = joints[0].count;
	test_curve_end(&b);
	return first;
}

/* L / (k (k + 1)) is what the bone after k saves on a straight limb of length L; for the numbers 1,
   2, 3, 5 that is L / 2, L / 6, L / 15 a bone */
static void a_bone_must_save_its_price(void **state)
{
	(void)state;
	static const struct {
		double length;
		size_t bones;
	} CASES[] = {{1.9, 1}, {2.1, 2}, {5.8, 2}, {6.2, 3}, {14.5, 3}, {15.5, 5}};
	for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
		const double lengths[] = {CASES[i].length, CASES[i].length, CASES[i].length};
		size_t total;
		assert_int_equal(bones_of_first(3, lengths, 0, &total), CASES[i].bones);
		assert_int_equal(total, 1 + 3 * CASES[i].bones);
	}
}

/* four fingers that would get two bones give two to the fifth, which alone would get one; limbs
   twice as long do not */
static void limbs_that_are_alike_get_the_same_number(void **state)
{
	(void)state;
	const double fingers[] = {1.9, 2.2, 2.2, 2.2, 2.2}, others[] = {1.9, 4.2, 4.2, 4.2, 4.2};
	size_t total;
	assert_int_equal(bones_of_first(5, fingers, 0, &total), 2);
	assert_int_equal(bones_of_first(5, others, 0, &total), 1);
}

/* as many as wanted, the longest limb first; and a limb is dropped where there are fewer bones than
   limbs */
static void wanted_bones_go_where_they_save_most(void **state)
{
	(void)state;
	const double lengths[] = {8, 2, 2};
	size_t total;
	assert_int_equal(bones_of_first(3, lengths, 5, &total), 2);
	assert_int_equal(total, 5);
	assert_int_equal(bones_of_first(3, lengths, 3, &total), 1);
	assert_int_equal(total, 3);
}

/* savings that differ by less than a quarter are alike: the last limb in the shape's own frame is
   taken; by more, the longer */
static void alike_savings_are_decided_by_the_shape(void **state)
{
	(void)state;
	const double alike[] = {10, 8, 2}, longer[] = {10, 7, 2};
	size_t total;
	assert_int_equal(bones_of_first(3, alike, 5, &total), 1);
	assert_int_equal(bones_of_first(3, longer, 5, &total), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_bone_must_save_its_price),
		cmocka_unit_test(limbs_that_are_alike_get_the_same_number), cmocka_unit_test(wanted_bones_go_where_they_save_most),
		cmocka_unit_test(alike_savings_are_decided_by_the_shape)};
	return cmocka_run_group_tests_name("curve_joints", tests, NULL, NULL);
}
