/* tests/voxels/test_distance.c: squared distances against a search through all cells; the same for
   any number of threads. */
#include "support/support.h"
#include "support/surfaces.h"
#include "voxels/distance.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

typedef struct grid {
	ossai_cells cells;
	uint32_t *of_cell, *distance2;
	size_t count;
} grid;

typedef bool (*is_full_function)(const grid *g, uint32_t x, uint32_t y, uint32_t z, uint64_t *random);

/* the cells that a function marks, without the outermost layer */
static grid make_grid(ossai_arena *arena, uint32_t nx, uint32_t ny, uint32_t nz, is_full_function is_full)
{
	grid g = {.cells = {.size = {nx, ny, nz}, .row_words = (nx - 1) / 64 + 1, .step = 1}};
	const size_t cells = (size_t)nx * ny * nz;
	uint64_t random = 7;
	g.cells.bits = ossai_arena_zero(arena, (size_t)ny * nz, g.cells.row_words * sizeof *g.cells.bits);
	g.of_cell = ossai_arena_new(arena, cells, sizeof *g.of_cell);
	g.distance2 = ossai_arena_zero(arena, cells, sizeof *g.distance2);
	for (size_t c = 0; c < cells; c++) {
		const uint32_t x = (uint32_t)(c % nx), y = (uint32_t)(c / nx % ny), z = (uint32_t)(c / nx / ny);
		g.of_cell[c] = OSSA_NONE;
		if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1 || !is_full(&g, x, y, z, &random)) continue;
		g.of_cell[c] = (uint32_t)g.count++;
		g.cells.bits[c / nx * g.cells.row_words + x / 64] |= 1ULL << (x % 64);
	}
	return g;
}

static bool is_all(const grid *g, uint32_t x, uint32_t y, uint32_t z, uint64_t *random)
{
	(void)g, (void)x, (void)y, (void)z, (void)random;
	return true;
}

static bool is_odd(const grid *g, uint32_t x, uint32_t y, uint32_t z, uint64_t *random)
{
	(void)g, (void)random;
	return (x + y + z) % 2;
}

static bool is_mostly(const grid *g, uint32_t x, uint32_t y, uint32_t z, uint64_t *random)
{
	(void)g, (void)x, (void)y, (void)z;
	return test_random(random) < 0.98;
}

static bool is_half(const grid *g, uint32_t x, uint32_t y, uint32_t z, uint64_t *random)
{
	(void)g, (void)x, (void)y, (void)z;
	return test_random(random) < 0;
}

static bool is_ball(const grid *g, uint32_t x, uint32_t y, uint32_t z, uint64_t *random)
{
	(void)random;
	const double dx = x - 0.5 * g->cells.size[0], dy = y - 0.45 * g->cells.size[1], dz = z - 0.5 * g->cells.size[2];
	return dx * dx + dy * dy + dz * dz < 0.2 * g->cells.size[1] * g->cells.size[1];
}

/* from a cell to the nearest that is not set: through all of them */
static uint32_t search(const grid *g, size_t cell)
{
	const int64_t nx = g->cells.size[0], ny = g->cells.size[1], nz = g->cells.size[2];
	int64_t best = INT64_MAX;
	for (int64_t c = 0; c < nx * ny * nz; c++) {
		if (g->of_cell[c] != OSSA_NONE) continue;
		const int64_t own = (int64_t)cell, dx = own % nx - c % nx, dy = own / nx % ny - c / nx % ny;
		const int64_t dz = own / nx / ny - c / nx / ny, d = dx * dx + dy * dy + dz * dz;
		if (d < best) best = d;
	}
	return (uint32_t)best;
}

static void check_grid(uint32_t nx, uint32_t ny, uint32_t nz, is_full_function is_full)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const grid g = make_grid(&arena, nx, ny, nz, is_full);
	uint32_t *first = ossai_arena_new(&arena, g.count, sizeof *first);
	/* by searches alone, by envelopes where searches are long, by envelopes alone */
	const uint32_t steps[] = {OSSAI_DISTANCE_STEPS, 4, 0};
	for (int i = 0; i < 3; i++) {
		memset(g.distance2, 0, g.count * sizeof *g.distance2);
		assert_ok(context, ossai_distance_map(&arena, &g.cells, g.of_cell, steps[i], g.distance2));
		for (size_t c = 0; i == 0 && c < (size_t)nx * ny * nz; c++) {
			if (g.of_cell[c] != OSSA_NONE) assert_int_equal(g.distance2[g.of_cell[c]], search(&g, c));
		}
		if (i == 0) memcpy(first, g.distance2, g.count * sizeof *first);
		assert_memory_equal(first, g.distance2, g.count * sizeof *first);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void test_small_grids(void **state)
{
	(void)state;
	for (uint32_t n = 3; n < 8; n++) {
		for (uint32_t m = 3; m < 8; m++) {
			check_grid(n, m, 5, is_all);
			check_grid(m, 4, n, is_half);
			check_grid(6, n, m, is_mostly);
		}
	}
}

static void test_larger_grids(void **state)
{
	(void)state;
	check_grid(12, 21, 14, is_all);
	check_grid(70, 6, 7, is_all);
	check_grid(7, 40, 8, is_mostly);
	check_grid(66, 9, 8, is_mostly);
	check_grid(16, 17, 18, is_odd);
	check_grid(18, 17, 19, is_mostly);
	check_grid(19, 20, 21, is_ball);
	check_grid(17, 18, 19, is_half);
}

/* deeper than searches go: a box, whose distances are those to its nearest side; and a ball, by
   both methods */
static void test_deep(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	const uint32_t n = 150;
	grid g = make_grid(&arena, n, n, n, is_all);
	for (uint32_t steps = 20; steps <= OSSAI_DISTANCE_STEPS; steps += OSSAI_DISTANCE_STEPS - 20) {
		size_t errors = 0;
		assert_ok(context, ossai_distance_map(&arena, &g.cells, g.of_cell, steps, g.distance2));
		for (uint32_t c = 0; c < n * n * n; c++) {
			const uint32_t at[3] = {c % n, c / n % n, c / n / n};
			uint32_t least = n;
			for (int k = 0; k < 3; k++) {
				least = at[k] < least ? at[k] : least;
				least = n - 1 - at[k] < least ? n - 1 - at[k] : least;
			}
			if (least > 0) errors += g.distance2[g.of_cell[c]] != least * least;
		}
		assert_int_equal(errors, 0);
	}
	g = make_grid(&arena, n, n - 20, n + 20, is_ball);
	uint32_t *other = ossai_arena_new(&arena, g.count, sizeof *other);
	assert_ok(context, ossai_distance_map(&arena, &g.cells, g.of_cell, OSSAI_DISTANCE_STEPS, g.distance2));
	assert_ok(context, ossai_distance_map(&arena, &g.cells, g.of_cell, 20, other));
	assert_memory_equal(other, g.distance2, g.count * sizeof *other);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void test_nothing_is_set(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	grid g = make_grid(&arena, 3, 3, 3, is_all);
	assert_int_equal(g.count, 1);
	g.cells.bits[4] = 0;
	g.distance2[0] = 77;
	assert_ok(context, ossai_distance_map(&arena, &g.cells, g.of_cell, OSSAI_DISTANCE_STEPS, g.distance2));
	assert_int_equal(g.distance2[0], 77);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* one line of cells as long as squares fit, and one that is longer */
static void test_long_axis(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	grid g = make_grid(&arena, 3, 37837, 3, is_all);
	assert_ok(context, ossai_distance_map(&arena, &g.cells, g.of_cell, OSSAI_DISTANCE_STEPS, g.distance2));
	for (size_t i = 0; i < g.count; i++) assert_int_equal(g.distance2[i], 1);
	g = make_grid(&arena, 3, 3, 37838, is_all);
	assert_fails(context, ossai_distance_map(&arena, &g.cells, g.of_cell, OSSAI_DISTANCE_STEPS, g.distance2), OSSA_ERROR_LIMIT,
		"37838 voxels");
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void test_same_for_any_threads(void **state)
{
	(void)state;
	uint32_t *first = NULL;
	size_t count = 0;
	const int threads[] = {1, 2, 3, 8};
	for (int i = 0; i < 4; i++) {
		ossa_context *context = test_context(threads[i]);
		ossai_arena arena = ossai_arena_begin(context);
		const grid g = make_grid(&arena, 90, 100, 80, is_ball);
		assert_ok(context, ossai_distance_map(&arena, &g.cells, g.of_cell, OSSAI_DISTANCE_STEPS, g.distance2));
		if (!first) {
			count = g.count;
			first = malloc(count * sizeof *first);
			memcpy(first, g.distance2, count * sizeof *first);
		}
		assert_int_equal(g.count, count);
		assert_memory_equal(first, g.distance2, count * sizeof *first);
		ossai_arena_end(&arena);
		test_context_end(context);
	}
	free(first);
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	(void)arg;
	ossai_arena outer = ossai_arena_begin(context);
	ossa_status status = OSSA_ERROR_MEMORY;
	uint64_t bits[9] = {0, 0, 0, 0, 2, 0, 0, 0, 0};
	const ossai_cells cells = {.size = {3, 3, 3}, .row_words = 1, .bits = bits, .step = 1};
	uint32_t of_cell[27] = {0}, distance2[1] = {0};
	status = ossai_distance_map(&outer, &cells, of_cell, OSSAI_DISTANCE_STEPS, distance2);
	if (status == OSSA_OK) assert_int_equal(distance2[0], 1);
	ossai_arena_end(&outer);
	return status;
}

static void test_allocations(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(sweep_body, NULL, 100, 1) >= 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_grids),
		cmocka_unit_test(test_larger_grids),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_nothing_is_set),
		cmocka_unit_test(test_long_axis),
		cmocka_unit_test(test_same_for_any_threads),
		cmocka_unit_test(test_allocations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
