/* tests/skeleton/from_curve/test_limb_weights.c: no vertex follows two limbs at once, and smooth
   transitions stay smooth. */
#include "skeleton/from_curve/limb_weights.h"
#include "skeleton/rest_weights.h"
#include "skeleton/tree_chains.h"
#include "support/faults.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <stdlib.h>

/* Two limbs of two bones on each end of a trunk, numbered against the order of a tree:
   trunk 7 (the root), 0 and 5; on 0 hang the limbs 1-2 and 3-4, on 5 the limbs 6-8 and 9-10. */
enum { BONES = 11, WIDTH = 4, STEPS = 400 };
static uint32_t PARENT[BONES] = {7, 0, 1, 0, 3, 7, 5, OSSA_NONE, 6, 5, 9};
static uint32_t ORDER[BONES] = {7, 0, 5, 1, 3, 6, 9, 2, 4, 8, 10};
static const ossai_tree TREE = {BONES, 7, PARENT, NULL, ORDER};

typedef struct pair {
	uint16_t bone;
	double value;
} pair;

typedef struct table {
	ossa_context *context;
	ossai_arena arena;
	ossai_bone_weights weights;
} table;

static table make_table(size_t vertices)
{
	table t = {.context = test_context(1)};
	t.arena = ossai_arena_begin(t.context);
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, vertices, BONES, WIDTH, &t.weights));
	return t;
}

static void end_table(table *t)
{
	ossai_arena_end(&t->arena);
	test_context_end(t->context);
}

/* pairs end at a value of 0 */
static void put(table *t, size_t vertex, const pair *pairs)
{
	size_t count = 0;
	for (; count < WIDTH && pairs[count].value > 0; count++) {
		t->weights.bone[vertex * WIDTH + count] = pairs[count].bone;
		t->weights.value[vertex * WIDTH + count] = pairs[count].value;
	}
	t->weights.count[vertex] = (uint8_t)count;
}

static void part(table *t) { assert_ok(t->context, ossai_limb_weights_part(t->context, &TREE, 0, NULL, &t->weights)); }

/* what every vertex of every rig must hold: descending, above 0, sum 1, no bone twice, no two of
   different limbs */
static void check_vertex(const table *t, size_t vertex)
{
	const uint16_t *bone = t->weights.bone + vertex * WIDTH;
	const double *value = t->weights.value + vertex * WIDTH;
	ossai_arena arena = ossai_arena_begin(t->context);
	ossai_tree_chains chains;
	assert_ok(t->context, ossai_tree_chains_find(&arena, BONES, PARENT, ORDER, &chains));
	assert_int_equal(chains.limb_count, 4);
	double sum = 0;
	for (size_t i = 0; i < t->weights.count[vertex]; i++) {
		assert_true(value[i] > 0 && (i == 0 || value[i] <= value[i - 1]));
		for (size_t j = 0; j < i; j++) {
			assert_true(bone[i] != bone[j]);
			assert_false(ossai_bones_apart(&chains, bone[i], bone[j]));
		}
		sum += value[i];
	}
	assert_near(sum, 1, 1e-12);
	ossai_arena_end(&arena);
}

static void check_weights(const pair *before, const pair *after)
{
	table t = make_table(1);
	put(&t, 0, before);
	part(&t);
	check_vertex(&t, 0);
	size_t count = 0;
	for (; count < WIDTH && after[count].value > 0; count++) {
		assert_near(ossai_bone_weight_of(&t.weights, 0, after[count].bone), after[count].value, 1e-12);
	}
	assert_int_equal(t.weights.count[0], count);
	end_table(&t);
}

static void weights_go_to_what_the_limbs_are_attached_to(void **state)
{
	(void)state;
	/* a little of a limb at the other end: it goes to the parent of that limb, and as much of the
	   larger one to its own */
	check_weights((pair[WIDTH]){{1, 0.98}, {6, 0.02}}, (pair[WIDTH]){{1, 0.96}, {5, 0.02}, {0, 0.02}});
	/* as much of both: none of either */
	check_weights((pair[WIDTH]){{1, 0.5}, {6, 0.5}}, (pair[WIDTH]){{0, 0.5}, {5, 0.5}});
	/* beside a first bone the second of its neighbour becomes the neighbour's first */
	check_weights((pair[WIDTH]){{1, 0.6}, {3, 0.3}, {4, 0.1}}, (pair[WIDTH]){{1, 0.5}, {3, 0.4}, {0, 0.1}});
	/* the second bones of neighbours: through their first ones to the parent of these */
	check_weights((pair[WIDTH]){{2, 0.5}, {4, 0.5}}, (pair[WIDTH]){{1, 0.5}, {3, 0.5}});
}

static void what_is_no_leak_stays_bit_by_bit(void **state)
{
	(void)state;
	static const pair KEPT[][WIDTH] = {{{1, 0.7}, {3, 0.3}}, /* hips: on one bone */
		{{2, 0.6}, {1, 0.4}}, {{2, 0.1}, {0, 0.9}}, {{8, 0.25}, {6, 0.25}, {5, 0.25}, {7, 0.25}}, {{4, 1}},
		{{0, 0.3}, {7, 0.3}, {5, 0.4}}, {{0, 0}}};
	const size_t count = sizeof KEPT / sizeof KEPT[0];
	table t = make_table(count);
	for (size_t v = 0; v < count; v++) put(&t, v, KEPT[v]);
	part(&t);
	for (size_t v = 0; v < count; v++) {
		size_t pairs = 0;
		for (; pairs < WIDTH && KEPT[v][pairs].value > 0; pairs++) {
			assert_int_equal(t.weights.bone[v * WIDTH + pairs], KEPT[v][pairs].bone);
			assert_true(t.weights.value[v * WIDTH + pairs] == KEPT[v][pairs].value);
		}
		assert_int_equal(t.weights.count[v], pairs);
	}
	end_table(&t);
}

/* the ends of two limbs are the halves of a handle that was cut: they share its skin, what lies at
   other limbs does not */
static void limbs_that_make_a_loop_share_it(void **state)
{
	(void)state;
	const ossai_cut_sides cut = {{8, 2}};
	table t = make_table(3);
	put(&t, 0, (pair[WIDTH]){{2, 0.6}, {8, 0.4}});
	put(&t, 1, (pair[WIDTH]){{6, 0.6}, {2, 0.4}});
	put(&t, 2, (pair[WIDTH]){{8, 0.7}, {4, 0.3}});
	assert_ok(t.context, ossai_limb_weights_part(t.context, &TREE, 1, &cut, &t.weights));
	assert_true(ossai_bone_weight_of(&t.weights, 0, 2) == 0.6 && ossai_bone_weight_of(&t.weights, 0, 8) == 0.4);
	assert_true(ossai_bone_weight_of(&t.weights, 1, 6) == 0.6 && ossai_bone_weight_of(&t.weights, 1, 2) == 0.4);
	check_vertex(&t, 2);
	assert_true(ossai_bone_weight_of(&t.weights, 2, 4) == 0);
	end_table(&t);
}

/* limbs that were cut where both begin share the skin there, as siblings do, and none farther
   out */
static void a_cut_where_limbs_begin_joins_nothing_else(void **state)
{
	(void)state;
	const ossai_cut_sides cut = {{1, 3}};
	table t = make_table(2);
	put(&t, 0, (pair[WIDTH]){{1, 0.6}, {3, 0.4}});
	put(&t, 1, (pair[WIDTH]){{2, 0.6}, {3, 0.4}});
	assert_ok(t.context, ossai_limb_weights_part(t.context, &TREE, 1, &cut, &t.weights));
	assert_true(ossai_bone_weight_of(&t.weights, 0, 1) == 0.6 && ossai_bone_weight_of(&t.weights, 0, 3) == 0.4);
	assert_true(ossai_bone_weight_of(&t.weights, 1, 2) == 0 || ossai_bone_weight_of(&t.weights, 1, 3) == 0);
	check_vertex(&t, 1);
	end_table(&t);
}

static int compare_pairs(const void *left, const void *right)
{
	const pair *a = left, *b = right;
	return (a->value < b->value) - (a->value > b->value);
}

/* weights along a line that goes from one end of the body to the other, so wide that all limbs
   overlap */
static void put_along(table *t, size_t vertex, const uint16_t *bones, double place)
{
	pair pairs[WIDTH];
	double sum = 0;
	for (size_t i = 0; i < WIDTH; i++) {
		const double away = (place - (double)i / (WIDTH - 1)) / 0.35;
		pairs[i] = (pair){bones[i], exp(-away * away)};
		sum += pairs[i].value;
	}
	for (size_t i = 0; i < WIDTH; i++) pairs[i].value /= sum;
	qsort(pairs, WIDTH, sizeof *pairs, compare_pairs);
	put(t, vertex, pairs);
}

static double jump(const ossai_bone_weights *w, size_t one, size_t other)
{
	double sum = 0;
	for (uint32_t b = 0; b < BONES; b++) sum += fabs(ossai_bone_weight_of(w, one, b) - ossai_bone_weight_of(w, other, b));
	return sum;
}

static void smooth_weights_stay_smooth(void **state)
{
	(void)state;
	static const uint16_t LINES[][WIDTH] = {{2, 1, 6, 8}, {1, 3, 9, 6}, {2, 1, 3, 4}, {2, 0, 5, 10}, {4, 2, 8, 10}};
	for (size_t line = 0; line < sizeof LINES / sizeof LINES[0]; line++) {
		table t = make_table(STEPS + 1);
		double before = 0, after = 0;
		for (size_t v = 0; v <= STEPS; v++) put_along(&t, v, LINES[line], (double)v / STEPS);
		for (size_t v = 0; v < STEPS; v++) before = fmax(before, jump(&t.weights, v, v + 1));
		part(&t);
		for (size_t v = 0; v <= STEPS; v++) check_vertex(&t, v);
		for (size_t v = 0; v < STEPS; v++) after = fmax(after, jump(&t.weights, v, v + 1));
		/* what a bone loses another one gains, and there may be more than one round */
		assert_true(after > 0 && after < 2.5 * before);
		end_table(&t);
	}
}

/* where more bones are left than a vertex holds, the largest stay */
static void no_more_than_fit(void **state)
{
	(void)state;
	uint32_t random = 7;
	enum { VERTICES = 5000 };
	table t = make_table(VERTICES);
	for (size_t v = 0; v < VERTICES; v++) {
		pair pairs[WIDTH];
		double sum = 0;
		/* four different ones: their number is a prime */
		const uint32_t first = test_random_bits(&random) % BONES, step = 1 + test_random_bits(&random) % (BONES - 1);
		for (uint32_t i = 0; i < WIDTH; i++) {
			pairs[i] = (pair){(uint16_t)((first + i * step) % BONES), 1 + test_random_bits(&random) % 1000};
			sum += pairs[i].value;
		}
		for (size_t i = 0; i < WIDTH; i++) pairs[i].value /= sum;
		qsort(pairs, WIDTH, sizeof *pairs, compare_pairs);
		put(&t, v, pairs);
	}
	part(&t);
	for (size_t v = 0; v < VERTICES; v++) {
		assert_true(t.weights.count[v] >= 1 && t.weights.count[v] <= WIDTH);
		if (v % 50 == 0) check_vertex(&t, v);
	}
	end_table(&t);
}

/* ---- a fork ---- */

enum { COLUMNS = 24, HANDLE = 10, ROWS = 11, CORNERS = (COLUMNS + 1) * (ROWS + 1), FORK_BONES = 9 };

/* A flat fork in the plane z = 0: a handle of full width, three tines three squares wide, a square
   apart. */
static test_surface make_fork(void)
{
	static float positions[3 * CORNERS];
	static uint32_t triangles[6 * COLUMNS * ROWS];
	size_t faces = 0;
	for (size_t i = 0; i < CORNERS; i++) {
		positions[3 * i] = (float)(i % (COLUMNS + 1));
		positions[3 * i + 1] = (float)(i / (COLUMNS + 1));
		positions[3 * i + 2] = 0;
	}
	for (uint32_t row = 0; row < ROWS; row++) {
		for (uint32_t column = 0; column < COLUMNS; column++) {
			if (column >= HANDLE && row % 4 == 3) continue;
			const uint32_t at = row * (COLUMNS + 1) + column, above = at + COLUMNS + 1;
			const uint32_t square[6] = {at, at + 1, above + 1, at, above + 1, above};
			for (size_t i = 0; i < 6; i++) triangles[3 * faces + i] = square[i];
			faces += 2;
		}
	}
	return test_surface_make(1, CORNERS, positions, faces, triangles, 1, NULL);
}

/* the handle 0; on 1 the first tine 2-3 and 4, on which hang the others, 5-6 and 7-8 */
static uint32_t FORK_PARENT[FORK_BONES] = {OSSA_NONE, 0, 1, 2, 1, 4, 5, 4, 7};
static uint32_t FORK_ORDER[FORK_BONES] = {0, 1, 2, 4, 3, 5, 7, 6, 8};
static const ossai_tree FORK = {FORK_BONES, 0, FORK_PARENT, NULL, FORK_ORDER};

static void heat_a_fork(test_surface *t, ossai_bone_weights *weights)
{
	static const double AT[FORK_BONES][4] = {{1, 5.5, 6, 5.5}, {6, 5.5, 7, 5.5}, {9, 1.5, 16, 1.5}, {16, 1.5, 24, 1.5},
		{7, 6.5, 8, 6.5}, {9, 5.5, 16, 5.5}, {16, 5.5, 24, 5.5}, {9, 9.5, 16, 9.5}, {16, 9.5, 24, 9.5}};
	ossai_vec3 joint[FORK_BONES], tail[FORK_BONES];
	for (size_t b = 0; b < FORK_BONES; b++) {
		joint[b] = ossai_scale(ossai_sub(ossai_v3(AT[b][0], AT[b][1], 0), t->s.rest_center), 1 / t->s.scale);
		tail[b] = ossai_scale(ossai_sub(ossai_v3(AT[b][2], AT[b][3], 0), t->s.rest_center), 1 / t->s.scale);
	}
	const ossai_rest_bones bones = {&FORK, joint, tail, NULL};
	const ossai_rest_weights_options options = ossai_rest_weights_default();
	assert_ok(t->context, ossai_rest_weights(&t->arena, &t->s, &bones, NULL, &options, weights));
}

/* vertices that have weights of two bones apart */
static size_t count_bleeding(test_surface *t, const ossai_bone_weights *w)
{
	ossai_tree_chains chains;
	size_t count = 0;
	assert_ok(t->context, ossai_tree_chains_find(&t->arena, FORK_BONES, FORK_PARENT, NULL, &chains));
	assert_int_equal(chains.limb_count, 3);
	for (size_t v = 0; v < CORNERS; v++) {
		bool bleeds = false;
		for (uint32_t a = 0; a < FORK_BONES; a++) {
			for (uint32_t b = 0; b < a; b++) {
				const bool both = ossai_bone_weight_of(w, v, a) > 0 && ossai_bone_weight_of(w, v, b) > 0;
				bleeds = bleeds || (both && ossai_bones_apart(&chains, a, b));
			}
		}
		count += bleeds;
	}
	return count;
}

/* the largest difference along the grid's lines inside of the handle, where limbs meet */
static double largest_step(const ossai_bone_weights *w)
{
	double most = 0;
	for (size_t i = 0; i + COLUMNS + 1 < CORNERS; i++) {
		if (i % (COLUMNS + 1) >= HANDLE) continue;
		double right = 0, up = 0;
		for (uint32_t b = 0; b < FORK_BONES; b++) {
			right += fabs(ossai_bone_weight_of(w, i, b) - ossai_bone_weight_of(w, i + 1, b));
			up += fabs(ossai_bone_weight_of(w, i, b) - ossai_bone_weight_of(w, i + COLUMNS + 1, b));
		}
		most = fmax(most, fmax(right, up));
	}
	return most;
}

static void tines_do_not_pull_at_each_other(void **state)
{
	(void)state;
	test_surface t = make_fork();
	ossai_bone_weights weights;
	heat_a_fork(&t, &weights);
	assert_true(count_bleeding(&t, &weights) > 10);
	const double step = largest_step(&weights), root = ossai_bone_weight_of(&weights, 2 * (COLUMNS + 1) + 13, 2);
	assert_ok(t.context, ossai_limb_weights_part(t.context, &FORK, 0, NULL, &weights));
	assert_int_equal(count_bleeding(&t, &weights), 0);
	assert_true(largest_step(&weights) < 1.2 * step);
	/* within a tine all is as it was */
	assert_near(ossai_bone_weight_of(&weights, 2 * (COLUMNS + 1) + 13, 2), root, 1e-3);
	test_surface_end(&t);
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	(void)arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_bone_weights weights;
	ossa_status status = ossai_bone_weights_new(&arena, 1, BONES, WIDTH, &weights);
	if (status == OSSA_OK) {
		weights.count[0] = 2;
		weights.bone[0] = 2;
		weights.bone[1] = 8;
		weights.value[0] = weights.value[1] = 0.5;
		status = ossai_limb_weights_part(context, &TREE, 0, NULL, &weights);
	}
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(sweep_body, NULL, 100, 1) >= 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(weights_go_to_what_the_limbs_are_attached_to),
		cmocka_unit_test(what_is_no_leak_stays_bit_by_bit), cmocka_unit_test(smooth_weights_stay_smooth),
		cmocka_unit_test(limbs_that_make_a_loop_share_it), cmocka_unit_test(no_more_than_fit),
		cmocka_unit_test(a_cut_where_limbs_begin_joins_nothing_else), cmocka_unit_test(tines_do_not_pull_at_each_other),
		cmocka_unit_test(memory_may_fail_anywhere)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
