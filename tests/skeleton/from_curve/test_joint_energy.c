/* tests/skeleton/from_curve/test_joint_energy.c: the terms of the joint energy on literal limbs,
   each against its formula. */
#include "skeleton/from_curve/joint_energy.h"

#include "support/curves.h"
#include "support/limbs.h"
#include "support/support.h"

enum { SAMPLES = OSSAI_CHAIN_SAMPLES };

static const ossai_joint_weights WEIGHTS = {
	.bend = 3, .narrowing = 4, .price = 1, .noise = 0.1, .least_radius = 0.01, .last_bone = 2};

static ossai_joint_energy energy_of(const ossai_chains *chains)
{
	static ossai_joint_energy energy;
	const double start[1] = {0};
	const uint32_t chain = 0;
	ossai_joint_energy_of(&WEIGHTS, chains, 1, &chain, start, &energy);
	return energy;
}

static void a_straight_limb_costs_its_squared_lengths(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_chains limb = test_straight_limb(&b.arena, 20);
	const ossai_joint_energy energy = energy_of(&limb);
	assert_near(energy.length, 20, 1e-9);
	assert_near(energy.bone[0][SAMPLES], 20, 1e-9);
	assert_near(energy.bone[0][SAMPLES / 2], 5, 1e-9);
	assert_near(energy.bone[10][20], 1.25, 1e-9);
	for (int i = 0; i <= SAMPLES; i++) assert_near(energy.joint[i], 0, 1e-12);
	test_curve_end(&b);
}

/* the same limb at twice the size has the same energy, down to the least radius, below which it
   counts as thicker than it is */
static void lengths_are_measured_in_radii(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double wide[] = {0, 0, 0, 0.02, 0.2, 0, 0, 0.02}, thin[] = {0, 0, 0, 0.011, 0.2, 0, 0, 0.011},
				 thinner[] = {0, 0, 0, 0.005, 0.2, 0, 0, 0.005};
	const ossai_chains a = test_limbs(&b.arena, 1, 2, wide), c = test_limbs(&b.arena, 1, 2, thin),
					   d = test_limbs(&b.arena, 1, 2, thinner);
	assert_near(energy_of(&a).length, 10, 1e-9);
	assert_near(energy_of(&c).length, 0.2 / 0.011, 1e-9);
	assert_near(energy_of(&d).length, 20, 1e-9);
	test_curve_end(&b);
}

/* a right angle, 10 and 10 long: the middle of the bone is 10 / sqrt(2) from the corner */
static void a_bone_across_a_bend_costs_the_integral_of_its_distance(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double numbers[] = {0, 0, 0, 1, 10, 0, 0, 1, 10, 10, 0, 1};
	const ossai_chains limb = test_limbs(&b.arena, 1, 3, numbers);
	const ossai_joint_energy energy = energy_of(&limb);
	/* d = s / sqrt(2) up to the corner: two integrals of s^2 / 2 from 0 to 10 */
	assert_near(energy.bone[0][SAMPLES] - 20, 3 * 1000 / 3.0, 3);
	assert_near(energy.bone[0][SAMPLES / 2], 5, 1e-9);
	assert_near(energy.bone[SAMPLES / 2][SAMPLES], 5, 1e-9);
	test_curve_end(&b);
}

/* as deep as water would stand: a thinner end is no narrowing, a neck is, and so is all of a
   valley */
static void joints_are_cheap_where_the_limb_is_narrow(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double neck[] = {0, 0, 0, 1, 10, 0, 0, 0.5, 20, 0, 0, 0.8}, cone[] = {0, 0, 0, 1, 10, 0, 0, 0.5, 20, 0, 0, 0.3};
	const ossai_chains a = test_limbs(&b.arena, 1, 3, neck), c = test_limbs(&b.arena, 1, 3, cone);
	const ossai_joint_energy energy = energy_of(&a);
	assert_near(energy.joint[SAMPLES / 2], -4 * (1 - 0.5 / 0.8), 1e-9);
	assert_near(energy.joint[SAMPLES / 4], -4 * (1 - 0.75 / 0.8), 1e-9);
	assert_near(energy.joint[0], 0, 1e-12);
	assert_near(energy.joint[SAMPLES], 0, 1e-12);
	for (int i = 0; i <= SAMPLES; i++) assert_near(energy_of(&c).joint[i], 0, 1e-12);
	test_curve_end(&b);
}

/* the last bone of a limb 20 long begins no later than 2 radii before its end: just below and just
   above */
static void a_last_bone_has_a_least_length(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	ossai_chains limb = test_straight_limb(&b.arena, 20);
	ossai_joint_energy energy = energy_of(&limb);
	assert_true(isfinite(energy.bone[SAMPLES - 4][SAMPLES]));
	assert_true(isinf(energy.bone[SAMPLES - 3][SAMPLES]));
	limb.chain[0].is_leaf = false;
	energy = energy_of(&limb);
	assert_true(isfinite(energy.bone[SAMPLES - 3][SAMPLES]));
	test_curve_end(&b);
}

/* a mirrored pair costs the mean of both */
static void two_mirrored_limbs_share_their_energy(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double numbers[] = {0, 0, 0, 1, 10, 0, 0, 1, 0, 0, 0, 1, 20, 0, 0, 1}, start[2] = {0};
	const ossai_chains limbs = test_limbs(&b.arena, 2, 2, numbers);
	const uint32_t both[2] = {0, 1};
	static ossai_joint_energy energy;
	ossai_joint_energy_of(&WEIGHTS, &limbs, 2, both, start, &energy);
	assert_near(energy.length, 20, 1e-9);
	assert_near(energy.bone[0][SAMPLES], 15, 1e-9);
	test_curve_end(&b);
}

/* A limb of radius 1 that leaves a body of radius 2 and is as wide as that up to x = 4 begins
   there; one that is hardly wider at its base begins where the ball of its junction ends; and no
   limb begins in its second half. */
static void a_limb_begins_outside_of_the_body(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double wide[] = {0, 0, 0, 2, 4, 0, 0, 2, 4.001, 0, 0, 1, 20, 0, 0, 1},
				 even[] = {0, 0, 0, 1.09, 4, 0, 0, 1.09, 4.001, 0, 0, 1, 20, 0, 0, 1},
				 wider[] = {0, 0, 0, 1.11, 4, 0, 0, 1.11, 4.001, 0, 0, 1, 20, 0, 0, 1},
				 stub[] = {0, 0, 0, 2, 0.5, 0, 0, 1, 1, 0, 0, 1, 3, 0, 0, 1};
	const ossai_chains a = test_limbs(&b.arena, 1, 4, wide), c = test_limbs(&b.arena, 1, 4, even),
					   d = test_limbs(&b.arena, 1, 4, wider), e = test_limbs(&b.arena, 1, 4, stub);
	assert_near(ossai_limb_start(&a, 0), 4, 0.51);
	assert_near(ossai_limb_start(&c, 0), 1.09, 1e-9);
	assert_near(ossai_limb_start(&d, 0), 4, 0.51);
	assert_near(ossai_limb_start(&e, 0), 1.5, 1e-9);
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_straight_limb_costs_its_squared_lengths),
		cmocka_unit_test(lengths_are_measured_in_radii),
		cmocka_unit_test(a_bone_across_a_bend_costs_the_integral_of_its_distance),
		cmocka_unit_test(joints_are_cheap_where_the_limb_is_narrow), cmocka_unit_test(a_last_bone_has_a_least_length),
		cmocka_unit_test(two_mirrored_limbs_share_their_energy), cmocka_unit_test(a_limb_begins_outside_of_the_body)};
	return cmocka_run_group_tests_name("joint_energy", tests, NULL, NULL);
}
