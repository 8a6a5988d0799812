/* tests/math/test_taut_string.c: the shortest path through a tube: it stays inside, and bends only
   where the tube holds it. */
#include "math/taut_string.h"
#include "support/support.h"

#include <math.h>

enum { COUNT = 400 };

static void straight_tubes_have_straight_paths(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	double times[COUNT], values[COUNT], path[COUNT];
	for (size_t i = 0; i < COUNT; i++) {
		times[i] = 0.1 * (double)i + 0.03 * (double)(i % 3);
		values[i] = 2 * times[i] + 0.9 * sin((double)i);
	}
	const double last = values[COUNT - 1];
	assert_ok(context, ossai_taut_string(&arena, COUNT, times, values, 1.9, 0, last, path));
	for (size_t i = 0; i < COUNT; i++) assert_near(path[i], last * times[i] / times[COUNT - 1], 1e-9);
	/* no tube at all: the values themselves */
	assert_ok(context, ossai_taut_string(&arena, COUNT, times, values, 0, values[0], last, path));
	assert_near_array(COUNT, path, values, 1e-9);
	assert_ok(context, ossai_taut_string(&arena, 1, times, values, 1, 3, 3, path));
	assert_near(path[0], 3, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* what decides: inside the tube, and each corner touches the side that it bends around */
static void corners_lean_on_the_tube(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t seed = 5;
	for (int round = 0; round < 200; round++) {
		double times[COUNT], values[COUNT], path[COUNT], walk = 0;
		const size_t count = 2 + test_random_bits(&seed) % (COUNT - 2);
		const double radius = 0.01 + 3 * (double)test_random_bits(&seed) / 0x1p24;
		for (size_t i = 0; i < count; i++) {
			times[i] = (i ? times[i - 1] : 0) + 0.01 + (double)test_random_bits(&seed) / 0x1p24;
			walk += (double)test_random_bits(&seed) / 0x1p24 - 0.5;
			values[i] = walk;
		}
		const double first = values[0] + 0.3, last = values[count - 1] - 0.2;
		assert_ok(context, ossai_taut_string(&arena, count, times, values, radius, first, last, path));
		assert_near(path[0], first, 0);
		assert_near(path[count - 1], last, 0);
		for (size_t i = 1; i + 1 < count; i++) {
			const double before = (path[i] - path[i - 1]) / (times[i] - times[i - 1]);
			const double after = (path[i + 1] - path[i]) / (times[i + 1] - times[i]);
			assert_true(fabs(path[i] - values[i]) <= radius + 1e-9);
			if (after > before + 1e-6) assert_near(path[i], values[i] + radius, 1e-7);
			if (after < before - 1e-6) assert_near(path[i], values[i] - radius, 1e-7);
		}
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(straight_tubes_have_straight_paths),
		cmocka_unit_test(corners_lean_on_the_tube),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
