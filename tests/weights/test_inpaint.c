/* tests/weights/test_inpaint.c: inpainted weights against a dense solve, for more bones than are
   solved at once. */
#include "support/support.h"
#include "weights/inpaint.h"

#include <stdlib.h>

enum { SIDE = 9, POINTS = SIDE * SIDE, FACES = 2 * (SIDE - 1) * (SIDE - 1), BONES = 40 };

typedef struct sheet {
	double positions[3 * POINTS];
	uint32_t triangles[3 * FACES];
	uint8_t is_known[POINTS];
	ossai_laplacian laplacian;
	ossai_bone_weights weights;
} sheet;

/* a bumpy square whose border is known, each border point wholly of one bone, and one point inside
   */
static void make_sheet(ossai_arena *arena, size_t width, sheet *s)
{
	uint32_t seed = 3, bone = 0, face = 0;
	for (uint32_t p = 0; p < POINTS; p++) {
		const uint32_t x = p % SIDE, y = p / SIDE;
		ossai_v3_store(ossai_v3(x, y, test_random_bits(&seed) / 0x1p24), s->positions + 3 * p);
		s->is_known[p] = x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1 || p == POINTS / 2 + 2;
		if (x == SIDE - 1 || y == SIDE - 1) continue;
		const uint32_t corners[6] = {p, p + 1, p + SIDE + 1, p, p + SIDE + 1, p + SIDE};
		for (int i = 0; i < 6; i++) s->triangles[face++] = corners[i];
	}
	const ossai_mesh_view mesh = ossai_view_of_doubles(POINTS, s->positions, FACES, s->triangles);
	assert_ok(arena->context, ossai_laplacian_make(arena, &mesh, &s->laplacian));
	ossai_laplacian_fill(arena->context, s->positions, &s->laplacian);
	assert_ok(arena->context, ossai_bone_weights_new(arena, POINTS, BONES, width, &s->weights));
	for (uint32_t p = 0; p < POINTS; p++) {
		if (!s->is_known[p]) continue;
		const uint32_t of = bone++ % BONES;
		const double one = 1;
		ossai_bone_weights_take(&s->weights, p, 1, &of, &one);
	}
}

/* Gauss's elimination of L w = 0 with the known rows replaced by w = known; BONES right-hand sides
   */
static void solve_dense(const sheet *s, double (*x)[BONES])
{
	static double a[POINTS][POINTS];
	const ossai_laplacian *l = &s->laplacian;
	for (size_t p = 0; p < POINTS; p++) {
		for (size_t q = 0; q < POINTS; q++) a[p][q] = 0;
		for (uint32_t b = 0; b < BONES; b++) x[p][b] = s->is_known[p] ? ossai_bone_weight_of(&s->weights, p, b) : 0;
	}
	for (size_t p = 0; p < POINTS; p++) {
		for (size_t i = l->start[p]; i < l->start[p + 1]; i++) {
			if (!s->is_known[p]) a[p][l->row[i]] = l->value[i];
			if (!s->is_known[l->row[i]]) a[l->row[i]][p] = l->value[i];
		}
		if (s->is_known[p]) a[p][p] = 1;
	}
	/* rows with a dominant diagonal need no pivots */
	for (size_t k = 0; k < POINTS; k++) {
		for (size_t p = 0; p < POINTS; p++) {
			const double factor = a[p][k] / a[k][k];
			if (p == k || factor == 0) continue;
			for (size_t q = k; q < POINTS; q++) a[p][q] -= factor * a[k][q];
			for (size_t b = 0; b < BONES; b++) x[p][b] -= factor * x[k][b];
		}
	}
	for (size_t p = 0; p < POINTS; p++) {
		for (size_t b = 0; b < BONES; b++) x[p][b] /= a[p][p];
	}
}

static void it_is_the_dense_solution(void **state)
{
	(void)state;
	static sheet s;
	static double x[POINTS][BONES];
	ossa_context *context = test_context(2);
	ossai_arena arena = ossai_arena_begin(context);
	make_sheet(&arena, BONES, &s);
	solve_dense(&s, x);
	assert_ok(context, ossai_weights_inpaint(&arena, &s.laplacian, s.is_known, &s.weights));
	for (size_t p = 0; p < POINTS; p++) {
		/* weights below a thousandth are left out */
		double kept = 0;
		for (uint32_t b = 0; b < BONES; b++) kept += x[p][b] < 1e-3 ? 0 : x[p][b];
		for (uint32_t b = 0; b < BONES; b++) {
			if (fabs(x[p][b] - 1e-3) < 1e-5) continue;
			const double expected = x[p][b] < 1e-3 ? 0 : x[p][b] / kept;
			assert_near(ossai_bone_weight_of(&s.weights, p, b), expected, 1e-4);
		}
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void few_influences_are_the_largest(void **state)
{
	(void)state;
	static sheet s;
	static double x[POINTS][BONES];
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	make_sheet(&arena, 2, &s);
	solve_dense(&s, x);
	assert_ok(context, ossai_weights_inpaint(&arena, &s.laplacian, s.is_known, &s.weights));
	for (size_t p = 0; p < POINTS; p++) {
		const uint32_t first = s.weights.bone[2 * p];
		for (uint32_t b = 0; b < BONES; b++) assert_true(x[p][b] <= x[p][first] + 1e-6);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void nothing_unknown_changes_nothing(void **state)
{
	(void)state;
	static sheet s;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	make_sheet(&arena, 4, &s);
	for (size_t p = 0; p < POINTS; p++) s.is_known[p] = 1;
	assert_ok(context, ossai_weights_inpaint(&arena, &s.laplacian, s.is_known, &s.weights));
	assert_int_equal(s.weights.count[0], 1);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_dense_solution),
		cmocka_unit_test(few_influences_are_the_largest),
		cmocka_unit_test(nothing_unknown_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
