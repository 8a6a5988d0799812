/* tests/curve/test_narrowing.c: where limbs narrow: against a plain search, on limbs with a
   known waist. */
#include "curve/narrowing.h"

#include "support/support.h"

#include <math.h>

enum { POINTS = 101 };

/* where a limb of length 1, its radius 0.1 at both ends and `waist` at `narrow`, parts, up to 0.25
   from its middle */
static double split_of(double narrow, double waist)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	double arc[POINTS], radius[POINTS];
	for (int i = 0; i < POINTS; i++) {
		arc[i] = i / (double)(POINTS - 1);
		const double t = arc[i] < narrow ? arc[i] / narrow : (1 - arc[i]) / (1 - narrow);
		radius[i] = 0.1 + t * (waist - 0.1);
	}
	ossai_narrowing_scratch scratch;
	assert_ok(context, ossai_narrowing_scratch_make(&arena, POINTS, &scratch));
	const double split = ossai_narrowing(&scratch, POINTS, arc, radius, 0.5, 0.25);
	ossai_arena_end(&arena);
	test_context_end(context);
	return split;
}

static void straight_limbs_part_where_they_narrow(void **state)
{
	(void)state;
	static const double cases[][3] = {
		{0.4, 0.05, 0.4}, {0.62, 0.05, 0.62}, {0.4, 0.1, 0.5}, {0.1, 0.05, 0.5}, {0.9, 0.05, 0.5}, {0.4, 0.099, 0.5}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_near(split_of(cases[i][0], cases[i][1]), cases[i][2], 0.015);
	/* what narrows a little more moves a little: no jump */
	double before = 0.5;
	for (double waist = 0.1; waist > 0.07; waist -= 0.0005) {
		const double now = split_of(0.35, waist);
		assert_near(now, before, 0.021);
		before = now;
	}
	assert_true(before < 0.37);
}

static void climbing_is_that_of_a_plain_search(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t random = 3;
	for (int run = 0; run < 200; run++) {
		enum { COUNT = 40, REACH = 3 };
		double arc[COUNT], radius[COUNT], smooth[COUNT];
		for (int i = 0; i < COUNT; i++) {
			arc[i] = i;
			radius[i] = 1 + test_random_bits(&random) % 8;
		}
		for (int i = 0; i < COUNT; i++) {
			int reach = i < REACH ? i : REACH;
			reach = COUNT - 1 - i < reach ? COUNT - 1 - i : reach;
			double sum = 0;
			for (int k = i - reach; k <= i + reach; k++) sum += radius[k];
			smooth[i] = sum / (2 * reach + 1);
		}
		const double base = 0.3 + (run % 5) * 0.1, reach_of = 0.05 + (run % 3) * 0.1;
		double best = 0, at = base, narrow = 0;
		for (int i = 1; i + 1 < COUNT; i++) {
			const double share = i / (double)(COUNT - 1), off = fabs(share - base);
			double left = smooth[i], right = smooth[i];
			for (int k = i; k >= 0 && smooth[k] >= smooth[i]; k--) left = fmax(left, smooth[k]);
			for (int k = i; k < COUNT && smooth[k] >= smooth[i]; k++) right = fmax(right, smooth[k]);
			const double by = fmin(left, right) / smooth[i] - 1, worth = by * (1 - off);
			if (off > reach_of || !(worth > best)) continue;
			best = worth;
			at = share;
			narrow = by;
		}
		const double expected = base + fmin(fmax((narrow - 0.05) / 0.1, 0), 1) * (at - base);
		ossai_narrowing_scratch scratch;
		assert_ok(context, ossai_narrowing_scratch_make(&arena, COUNT, &scratch));
		assert_near(ossai_narrowing(&scratch, COUNT, arc, radius, base, reach_of), expected, 1e-12);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(straight_limbs_part_where_they_narrow),
		cmocka_unit_test(climbing_is_that_of_a_plain_search),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
