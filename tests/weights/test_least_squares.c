/* tests/weights/test_least_squares.c: exact blends are recovered; the local solve keeps its
   constraints. */
#include "weights/least_squares.h"

#include "support/support.h"
#include "support/surfaces.h"

#include <stdbool.h>
#include <string.h>

static ossai_bone_weights new_weights(test_surface *t, size_t bones, size_t width)
{
	ossai_bone_weights weights;
	assert_ok(t->context, ossai_bone_weights_new(&t->arena, t->s.vertex_count, bones, width, &weights));
	return weights;
}

/* every vertex whole on its largest bone */
static ossai_bone_weights harden(test_surface *t, const ossai_bone_weights *from)
{
	ossai_bone_weights to = new_weights(t, from->bone_count, from->width);
	for (size_t v = 0; v < from->vertex_count; v++) {
		const size_t at = v * from->width;
		to.bone[at] = from->value[at] >= from->value[at + 1] || from->count[v] == 1 ? from->bone[at] : from->bone[at + 1];
		to.value[at] = to.count[v] = 1;
	}
	return to;
}

static void assert_same_weights(const ossai_bone_weights *a, const ossai_bone_weights *b, double tolerance)
{
	for (size_t v = 0; v < a->vertex_count; v++) {
		for (uint32_t bone = 0; bone < a->bone_count; bone++) {
			const double wanted = ossai_bone_weight_of(b, v, bone);
			assert_near(ossai_bone_weight_of(a, v, bone), wanted, tolerance);
		}
	}
}

static void assert_on_simplex(const test_surface *t, const ossai_bone_weights *w)
{
	for (size_t v = 0; v < w->vertex_count; v++) {
		double sum = 0;
		for (size_t i = 0; i < w->count[v]; i++) {
			assert_true(w->value[v * w->width + i] > 0 && w->bone[v * w->width + i] < w->bone_count);
			if (i > 0) assert_true(w->value[v * w->width + i] <= w->value[v * w->width + i - 1]);
			sum += w->value[v * w->width + i];
		}
		assert_true(w->count[v] <= w->width);
		if (t->s.used[v]) assert_near(sum, 1, 1e-12);
	}
}

static void exact_blends_are_found_again(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(2, 24, 3, 9);
	test_chain chain = test_chain_make(&t, 6, 3);
	ossai_bone_weights found = new_weights(&t, 6, 4);
	assert_ok(t.context, ossai_weights_eliminate(t.context, &t.s, &chain.motion, NULL, &found));
	assert_on_simplex(&t, &found);
	assert_same_weights(&found, &chain.weights, 1e-5);
	test_surface_end(&t);
}

/* vertex v may use the bones 0 .. v % 4 - 1 */
static void only_allowed_bones_are_used(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 24, 3, 9);
	test_chain chain = test_chain_make(&t, 6, 3);
	ossai_bone_weights found = new_weights(&t, 6, 2);
	uint32_t start[128] = {0};
	uint16_t bone[512];
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		start[v + 1] = start[v] + v % 4;
		for (size_t i = 0; i < v % 4; i++) bone[start[v] + i] = (uint16_t)i;
	}
	const ossai_allowed_bones allowed = {start, bone};
	assert_ok(t.context, ossai_weights_eliminate(t.context, &t.s, &chain.motion, &allowed, &found));
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		assert_true(v % 4 == 0 ? found.count[v] == 0 : found.count[v] > 0 && found.count[v] <= 2);
		for (size_t i = 0; i < found.count[v]; i++) assert_true(found.bone[2 * v + i] < v % 4);
	}
	test_surface_end(&t);
}

static void of_very_many_bones_the_fitting_ones_are_taken(void **state)
{
	(void)state;
	enum { MANY = 70 };
	test_surface t = test_surface_grid(1, 30, 2, 12);
	test_chain chain = test_chain_make(&t, MANY, 3);
	ossai_bone_weights found = new_weights(&t, MANY, 4);
	assert_ok(t.context, ossai_weights_eliminate(t.context, &t.s, &chain.motion, NULL, &found));
	assert_on_simplex(&t, &found);
	assert_true(test_rms_percent(&t.s, test_blend_error(&t, &found, &chain.motion)) < 1e-2);
	test_surface_end(&t);
}

/* ---- the local solve ---- */

static void improving_from_parts_finds_the_blend(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 24, 3, 9);
	test_chain chain = test_chain_make(&t, 6, 3);
	ossai_bone_weights a = harden(&t, &chain.weights), b = new_weights(&t, 6, 4);
	double before = test_blend_error(&t, &a, &chain.motion);
	for (int round = 0; round < 6; round++) {
		assert_ok(t.context, ossai_weights_improve(t.context, &t.s, &chain.motion, NULL, &a, &b));
		const double now = test_blend_error(&t, &b, &chain.motion);
		assert_true(now <= before + 1e-12);
		before = now;
		ossai_bone_weights_copy(&b, &a);
	}
	assert_on_simplex(&t, &a);
	assert_same_weights(&a, &chain.weights, 1e-5);
	test_surface_end(&t);
}

/* true where `from` has the bone at the vertex or a neighbour */
static bool is_near(const test_surface *t, const ossai_bone_weights *from, uint32_t v, uint32_t bone)
{
	const ossai_adjacency *a = &t->s.adjacency;
	bool near = ossai_bone_weight_of(from, v, bone) > 0;
	for (uint32_t i = a->vertex_start[v]; i < a->vertex_start[v + 1]; i++) {
		near = near || ossai_bone_weight_of(from, a->vertex_neighbor[i], bone) > 0;
	}
	return near;
}

static void bones_spread_by_one_ring_a_call(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 24, 3, 9);
	test_chain chain = test_chain_make(&t, 4, 3);
	test_surface_shake(&t, 0.1, 8);
	ossai_bone_weights from = harden(&t, &chain.weights), to = new_weights(&t, 4, 4);
	assert_ok(t.context, ossai_weights_improve(t.context, &t.s, &chain.motion, NULL, &from, &to));
	size_t grown = 0;
	for (uint32_t v = 0; v < t.s.vertex_count; v++) {
		for (size_t i = 0; i < to.count[v]; i++) assert_true(is_near(&t, &from, v, to.bone[4 * v + i]));
		grown += to.count[v] > 1;
	}
	assert_true(grown > 0);
	test_surface_end(&t);
}

static void closed_bones_go_and_the_rest_stays_as_it_was(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 24, 3, 9);
	test_chain chain = test_chain_make(&t, 6, 3);
	test_surface_shake(&t, 0.01, 8);
	/* nothing near the last vertices but the closed bone: the best of all is taken there */
	const uint8_t closed[6] = {0, 0, 1, 0, 0, 1}, open[6] = {0, 0, 1, 0, 0, 1};
	const ossai_weight_bounds bounds = {.closed = closed, .open = open};
	ossai_bone_weights to = new_weights(&t, 6, 4);
	assert_ok(t.context, ossai_weights_improve(t.context, &t.s, &chain.motion, &bounds, &chain.weights, &to));
	for (uint32_t v = 0; v < t.s.vertex_count; v++) {
		const double had = ossai_bone_weight_of(&chain.weights, v, 2) + ossai_bone_weight_of(&chain.weights, v, 5);
		assert_true(ossai_bone_weight_of(&to, v, 2) == 0 && ossai_bone_weight_of(&to, v, 5) == 0);
		assert_true(to.count[v] > 0);
		if (had > 0) continue;
		assert_int_equal(to.count[v], chain.weights.count[v]);
		assert_memory_equal(to.value + 4 * v, chain.weights.value + 4 * v, to.count[v] * sizeof(double));
		assert_memory_equal(to.bone + 4 * v, chain.weights.bone + 4 * v, to.count[v] * sizeof(uint16_t));
	}
	test_surface_end(&t);
}

static void same_weights_for_any_threads(void **state)
{
	(void)state;
	ossai_bone_weights found[3];
	test_surface t[3];
	for (int i = 0; i < 3; i++) {
		t[i] = test_surface_grid(i + 1, 200, 4, 5);
		const test_chain chain = test_chain_make(&t[i], 6, 3);
		test_surface_shake(&t[i], 0.02, 8);
		ossai_bone_weights first = new_weights(&t[i], 6, 4);
		found[i] = new_weights(&t[i], 6, 4);
		assert_ok(t[i].context, ossai_weights_eliminate(t[i].context, &t[i].s, &chain.motion, NULL, &first));
		assert_ok(t[i].context, ossai_weights_improve(t[i].context, &t[i].s, &chain.motion, NULL, &first, &found[i]));
		const size_t pairs = 4 * t[i].s.vertex_count;
		assert_memory_equal(found[0].bone, found[i].bone, pairs * sizeof(uint16_t));
		assert_memory_equal(found[0].value, found[i].value, pairs * sizeof(double));
	}
	for (int i = 0; i < 3; i++) test_surface_end(&t[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_blends_are_found_again),
		cmocka_unit_test(only_allowed_bones_are_used),
		cmocka_unit_test(of_very_many_bones_the_fitting_ones_are_taken),
		cmocka_unit_test(improving_from_parts_finds_the_blend),
		cmocka_unit_test(bones_spread_by_one_ring_a_call),
		cmocka_unit_test(closed_bones_go_and_the_rest_stays_as_it_was),
		cmocka_unit_test(same_weights_for_any_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
