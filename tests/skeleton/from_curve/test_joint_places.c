/* tests/skeleton/from_curve/test_joint_places.c: dynamic programming and its means against all
   places tried one by one. */
#include "skeleton/from_curve/joint_places.h"

#include "support/curves.h"
#include "support/support.h"

enum { SAMPLES = OSSAI_CHAIN_SAMPLES };

/* energies without any order, most of them near each other */
static ossai_joint_energy random_energy(double length, uint32_t seed)
{
	ossai_joint_energy energy = {.length = length};
	uint32_t state = seed;
	for (int i = 0; i <= SAMPLES; i++) {
		energy.joint[i] = -(double)test_random_bits(&state) / (1 << 24);
		for (int j = i + 1; j <= SAMPLES; j++) {
			const double even = (double)(j - i) * (j - i) / (SAMPLES * 4.0);
			energy.bone[i][j] = even + (double)test_random_bits(&state) / (1 << 24);
		}
	}
	energy.bone[SAMPLES - 1][SAMPLES] = INFINITY;
	return energy;
}

static ossai_joint_places places_of(ossai_arena *arena, const ossai_joint_energy *energy, double noise)
{
	ossai_joint_places places;
	ossai_place_sums *sums = ossai_place_sums_new(arena);
	assert_non_null(sums);
	ossai_joint_places_find(sums, energy, noise, &places);
	return places;
}

/* three bones: all pairs of joints */
static void three_bones_are_the_best_of_all(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	for (uint32_t seed = 1; seed < 20; seed++) {
		const double noise = 0.2;
		const ossai_joint_energy e = random_energy(100, seed);
		const ossai_joint_places places = places_of(&b.arena, &e, noise);
		double best = INFINITY, sum = 0, first = 0, second = 0;
		for (int i = 1; i < SAMPLES; i++) {
			for (int j = i + 1; j < SAMPLES; j++) {
				const double all = e.bone[0][i] + e.joint[i] + e.bone[i][j] + e.joint[j] + e.bone[j][SAMPLES];
				const double factor = exp(-all / noise);
				best = fmin(best, all);
				sum += factor;
				first += i * factor;
				second += j * factor;
			}
		}
		assert_near(places.energy[3], best, 1e-12);
		assert_near(places.at[3][0], 0, 0);
		assert_near(places.at[3][1], first / sum, 1e-4);
		assert_near(places.at[3][2], second / sum, 1e-4);
	}
	test_curve_end(&b);
}

/* with hardly any noise the mean is the best place */
static void without_noise_the_best_place_is_taken(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_joint_energy e = random_energy(100, 5);
	const ossai_joint_places places = places_of(&b.arena, &e, 1e-3);
	int best = 1;
	for (int i = 1; i < SAMPLES; i++) {
		const double own = e.bone[0][i] + e.joint[i] + e.bone[i][SAMPLES];
		if (own < e.bone[0][best] + e.joint[best] + e.bone[best][SAMPLES]) best = i;
	}
	assert_near(places.at[2][1], best, 0.1);
	test_curve_end(&b);
}

/* 0.3 radii a bone: 5.9 are too short for 20, 6.1 are not; and a limb without length has one */
static void bones_have_a_least_length(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const double lengths[] = {5.9, 6.1, 100, 0};
	const size_t most[] = {19, 20, 20, 1};
	for (size_t i = 0; i < 4; i++) {
		const ossai_joint_energy e = random_energy(lengths[i], 3);
		assert_int_equal(places_of(&b.arena, &e, 0.1).most, most[i]);
	}
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(three_bones_are_the_best_of_all),
		cmocka_unit_test(without_noise_the_best_place_is_taken), cmocka_unit_test(bones_have_a_least_length)};
	return cmocka_run_group_tests_name("joint_places", tests, NULL, NULL);
}
