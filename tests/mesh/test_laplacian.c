/* tests/mesh/test_laplacian.c: the Laplacian against the plain formula, and its guarantees on
   degenerate triangles. */
#include "math/sparse.h"
#include "math/vec.h"
#include "support/support.h"
#include "support/surfaces.h"
#include "mesh/laplacian.h"

#include <string.h>

static ossai_laplacian make(ossai_arena *arena, size_t n, const double *positions, size_t faces, const uint32_t *triangles)
{
	ossai_laplacian l;
	const ossai_mesh_view mesh = ossai_view_of_doubles(n, positions, faces, triangles);
	assert_ok(arena->context, ossai_laplacian_make(arena, &mesh, &l));
	ossai_laplacian_fill(arena->context, positions, &l);
	return l;
}

static double entry(const ossai_laplacian *l, uint32_t a, uint32_t b)
{
	const uint32_t column = a < b ? a : b, row = a < b ? b : a;
	for (uint32_t i = l->start[column]; i < l->start[column + 1]; i++) {
		if (l->row[i] == row) return l->value[i];
	}
	return 0;
}

/* what every mesh is promised: edges pull, rows sum to nothing, masses are positive, and with any
   outlet it can be solved */
static void assert_promises(ossai_arena *arena, const ossai_laplacian *l, const uint8_t *used)
{
	double *sum = ossai_arena_zero(arena, l->vertex_count, sizeof *sum);
	double *value = ossai_arena_new(arena, l->start[l->vertex_count], sizeof *value);
	double *x = ossai_arena_zero(arena, l->vertex_count, OSSAI_SPARSE_WIDTH * sizeof *x);
	assert_true(sum && value && x);
	for (uint32_t v = 0; v < l->vertex_count; v++) {
		sum[v] += l->value[l->start[v]];
		for (uint32_t i = l->start[v] + 1; i < l->start[v + 1]; i++) {
			assert_true(isfinite(l->value[i]) && l->value[i] < 0);
			sum[v] += l->value[i];
			sum[l->row[i]] += l->value[i];
		}
	}
	memcpy(value, l->value, l->start[l->vertex_count] * sizeof *value);
	for (uint32_t v = 0; v < l->vertex_count; v++) {
		assert_near(sum[v], 0, 1e-12 * l->value[l->start[v]]);
		if (used[v]) assert_true(isfinite(l->mass[v]) && l->mass[v] > 0);
		value[l->start[v]] += used[v] ? 0.01 : 1;
		x[v * OSSAI_SPARSE_WIDTH] = used[v] ? 0.01 * (v % 2) : 1;
	}
	ossai_sparse *system;
	const ossai_sparse_pattern pattern = {l->vertex_count, l->start, l->row};
	assert_ok(arena->context, ossai_sparse_analyse(arena->context, &pattern, &system));
	assert_ok(arena->context, ossai_sparse_factorise(system, value));
	assert_ok(arena->context, ossai_sparse_solve(system, 1, x));
	/* nothing gets hotter than its source or colder than none */
	for (size_t v = 0; v < l->vertex_count; v++) {
		assert_true(x[v * OSSAI_SPARSE_WIDTH] > -1e-9 && x[v * OSSAI_SPARSE_WIDTH] < 1 + 1e-9);
	}
	ossai_sparse_end(system);
}

static void fat_triangles_have_the_plain_cotangents(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	/* two triangles with 60, 60, 60 and 45, 45, 90 degrees at the common side, in the units of a
	   planet */
	const double size = 1e7, h = sqrt(3) / 2;
	const double positions[] = {0, 0, 0, size, 0, 0, 0.5 * size, h * size, 0, 0.5 * size, -0.5 * size, 0};
	static const uint32_t triangles[] = {0, 1, 2, 1, 0, 3};
	const ossai_laplacian l = make(&arena, 4, positions, 2, triangles);
	const double sixty = 1 / sqrt(3);
	assert_near(entry(&l, 0, 1), -0.5 * (sixty + 0), 1e-12);
	assert_near(entry(&l, 1, 2), -0.5 * sixty, 1e-12);
	assert_near(entry(&l, 0, 3), -0.5, 1e-12);
	assert_true(entry(&l, 2, 3) == 0);
	assert_near(l.mass[2] / (size * size), h / 6, 1e-12);
	assert_near(l.mass[0] / (size * size), (h / 2 + 0.25) / 3, 1e-12);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void bad_triangles_keep_the_promises(void **state)
{
	(void)state;
	/* points that make slivers, needles, zero areas, zero lengths, an edge of five faces, duplicate
	   faces and reversed ones */
	static const double positions[] = {
		0, 0, 0, 1, 0, 0, 0.5, 1e-9, 0, 0.5, 0, 0, 0, 0, 0, 1, 1e-12, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 3, 3, 3};
	static const uint32_t triangles[] = {
		0, 1, 2, 0, 1, 3, 0, 4, 1, 1, 5, 6, 0, 1, 6, 0, 1, 7, 1, 0, 8, 0, 1, 6, 6, 1, 0, 4, 4, 7, 6, 6, 6};
	static const uint8_t used[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
	for (size_t first = 0; first < 11; first++) {
		ossa_context *context = test_context(1);
		ossai_arena arena = ossai_arena_begin(context);
		uint8_t own[10] = {0};
		for (size_t i = 3 * first; i < 33; i++) own[triangles[i]] = used[triangles[i]];
		ossai_laplacian l = make(&arena, 10, positions, 11 - first, triangles + 3 * first);
		assert_promises(&arena, &l, own);
		/* all at one point, and over all sizes that numbers have */
		double moved[30] = {0};
		ossai_laplacian_fill(context, moved, &l);
		assert_promises(&arena, &l, own);
		for (size_t i = 0; i < 30; i++) moved[i] = positions[i] * 1e-30;
		ossai_laplacian_fill(context, moved, &l);
		for (size_t i = 0; i < l.start[10]; i++) assert_true(isfinite(l.value[i]));
		ossai_arena_end(&arena);
		test_context_end(context);
	}
}

static void threads_change_nothing(void **state)
{
	(void)state;
	test_surface one = test_surface_grid(1, 60, 20, 1), four = test_surface_grid(4, 60, 20, 1);
	const ossai_laplacian a = make(&one.arena, one.s.vertex_count, one.s.rest, one.s.face_count, one.s.triangles);
	const ossai_laplacian b = make(&four.arena, four.s.vertex_count, four.s.rest, four.s.face_count, four.s.triangles);
	assert_memory_equal(a.value, b.value, a.start[a.vertex_count] * sizeof *a.value);
	assert_memory_equal(a.mass, b.mass, a.vertex_count * sizeof *a.mass);
	assert_promises(&one.arena, &a, one.s.used);
	test_surface_end(&one);
	test_surface_end(&four);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fat_triangles_have_the_plain_cotangents),
		cmocka_unit_test(bad_triangles_keep_the_promises),
		cmocka_unit_test(threads_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
