/* tests/contraction/test_flow.c: the solutions of both linear systems satisfy them, multiplied
   again in full. */
#include "contraction/flow.h"
#include "support/proxies.h"
#include "support/support.h"

#include <stdlib.h>

enum { RINGS = 6, SIDES = 5, COUNT = RINGS * SIDES + 2 };

/* to[3 i ..] = sum over j of K[i][j] from[3 j ..], K from its lower triangle by columns */
static void multiply(const ossai_flow *flow, const double *from, double *to)
{
	const size_t count = flow->proxy->vertex_count;
	for (size_t i = 0; i < 3 * count; i++) to[i] = 0;
	for (uint32_t column = 0; column < count; column++) {
		for (uint32_t k = flow->start[column]; k < flow->start[column + 1]; k++) {
			const uint32_t row = flow->row[k];
			for (size_t c = 0; c < 3; c++) {
				to[3 * row + c] += flow->value[k] * from[3 * column + c];
				if (row != column) to[3 * column + c] += flow->value[k] * from[3 * row + c];
			}
		}
	}
}

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	ossai_proxy tube;
	ossai_flow flow;
	double mass[COUNT], hold[COUNT], solved[3 * COUNT];
} bench;

static bench *begin(ossa_flow_kind kind)
{
	bench *b = calloc(1, sizeof *b);
	b->context = test_context(1);
	b->arena = ossai_arena_begin(b->context);
	b->tube = test_tube(&b->arena, RINGS, SIDES, 0.2);
	assert_int_equal(b->tube.vertex_count, COUNT);
	assert_ok(b->context, ossai_flow_make(&b->arena, &b->tube, kind, &b->flow));
	ossai_flow_fill(&b->flow, b->tube.positions);
	for (size_t i = 0; i < COUNT; i++) {
		b->mass[i] = 0.5 + 0.1 * (double)(i % 4);
		b->hold[i] = 1 + 0.25 * (double)(i % 3);
	}
	return b;
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
	free(b);
}

/* K of linear functions is zero inside of a flat surface, and of constants everywhere */
static void a_constant_has_no_laplacian(void **state)
{
	(void)state;
	bench *b = begin(OSSA_FLOW_IMPLICIT);
	double ones[3 * COUNT], product[3 * COUNT];
	for (size_t i = 0; i < 3 * (size_t)COUNT; i++) ones[i] = 1;
	multiply(&b->flow, ones, product);
	for (size_t i = 0; i < 3 * (size_t)COUNT; i++) assert_near(product[i], 0, 1e-12);
	end(b);
}

static void the_implicit_system_is_solved(void **state)
{
	(void)state;
	bench *b = begin(OSSA_FLOW_IMPLICIT);
	const double strength = 0.7, *wanted = b->tube.positions;
	double product[3 * COUNT];
	assert_ok(b->context, ossai_flow_solve(&b->flow, strength, b->mass, b->hold, wanted, b->solved));
	multiply(&b->flow, b->solved, product);
	for (size_t i = 0; i < 3 * (size_t)COUNT; i++)
		assert_near(b->hold[i / 3] * b->solved[i] + strength * product[i], b->hold[i / 3] * wanted[i], 1e-10);
	/* it contracts: no vertex is as distant from the axis as before */
	for (size_t i = 0; i < (size_t)RINGS * SIDES; i++)
		assert_true(hypot(b->solved[3 * i + 1], b->solved[3 * i + 2]) < 0.99 * hypot(wanted[3 * i + 1], wanted[3 * i + 2]));
	end(b);
}

static void the_least_squares_are_solved(void **state)
{
	(void)state;
	bench *b = begin(OSSA_FLOW_LEAST_SQUARES);
	const double strength = 0.7, *wanted = b->tube.positions;
	double once[3 * COUNT], twice[3 * COUNT];
	assert_ok(b->context, ossai_flow_solve(&b->flow, strength, b->mass, b->hold, wanted, b->solved));
	multiply(&b->flow, b->solved, once);
	for (size_t i = 0; i < 3 * (size_t)COUNT; i++) once[i] /= b->mass[i / 3];
	multiply(&b->flow, once, twice);
	for (size_t i = 0; i < 3 * (size_t)COUNT; i++) {
		const double left = strength * strength * twice[i] + b->hold[i / 3] * b->solved[i];
		assert_near(left, b->hold[i / 3] * wanted[i], 1e-9);
	}
	end(b);
}

static void without_strength_nothing_moves(void **state)
{
	(void)state;
	for (int kind = 0; kind < 2; kind++) {
		bench *b = begin(kind ? OSSA_FLOW_IMPLICIT : OSSA_FLOW_LEAST_SQUARES);
		assert_ok(b->context, ossai_flow_solve(&b->flow, 0, b->mass, b->hold, b->tube.positions, b->solved));
		for (size_t i = 0; i < 3 * (size_t)COUNT; i++) assert_near(b->solved[i], b->tube.positions[i], 1e-14);
		end(b);
	}
}

/* a function that is 1 on one of two tubes, 0 on the other, differs over the ties alone */
static void a_tie_weighs_as_much_as_an_edge(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_proxy tube = test_tube(&arena, RINGS, SIDES, 0.2);
	const ossai_proxy pair = test_proxy_pair(&arena, &tube, &tube, 3);
	assert_int_equal(pair.tie_count, 3);
	ossai_flow flow;
	assert_ok(context, ossai_flow_make(&arena, &pair, OSSA_FLOW_IMPLICIT, &flow));
	ossai_flow_fill(&flow, pair.positions);
	double is_first[6 * COUNT], product[6 * COUNT], sum = 0;
	for (size_t i = 0; i < 6 * (size_t)COUNT; i++) is_first[i] = i < 3 * (size_t)COUNT;
	multiply(&flow, is_first, product);
	for (size_t i = 0; i < COUNT; i++) sum += product[3 * i];
	assert_near(sum, 3, 1e-9);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_constant_has_no_laplacian),
		cmocka_unit_test(the_implicit_system_is_solved), cmocka_unit_test(the_least_squares_are_solved),
		cmocka_unit_test(without_strength_nothing_moves), cmocka_unit_test(a_tie_weighs_as_much_as_an_edge)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
