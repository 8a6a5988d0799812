/* tests/weights/test_coordinate_descent.c: no vertex can be improved, by brute force; converged
   weights stay the same to the bit. */
#include "weights/coordinate_descent.h"

#include "motion/moments.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

enum { BONES = 6, POSES = 8 };

typedef struct scene {
	test_surface t;
	test_chain chain;
	ossai_bone_weights weights; /* the chain's, to be changed */
	uint8_t *pending, *changed;
} scene;

/* a sheet posed by a chain, shaken, with weights that are wholly the largest bone's */
static void scene_begin(scene *s, int threads, uint64_t seed)
{
	s->t = test_surface_grid(threads, 30, 6, POSES);
	s->chain = test_chain_make(&s->t, BONES, seed);
	test_surface_shake(&s->t, 0.005, seed);
	const size_t vertices = s->t.s.vertex_count;
	assert_ok(s->t.context, ossai_bone_weights_new(&s->t.arena, vertices, BONES, 3, &s->weights));
	for (size_t v = 0; v < vertices; v++) {
		uint16_t best = 0;
		for (uint16_t b = 1; b < BONES; b++) {
			if (ossai_bone_weight_of(&s->chain.weights, v, b) > ossai_bone_weight_of(&s->chain.weights, v, best)) best = b;
		}
		ossai_bone_weights_keep(&s->weights, v, best, 1);
	}
	s->pending = ossai_arena_zero(&s->t.arena, vertices, 1);
	s->changed = ossai_arena_zero(&s->t.arena, vertices, 1);
	assert_true(s->pending && s->changed);
}

static void descend(scene *s, const ossai_descent_bounds *bounds)
{
	static const ossai_descent_bounds none = {NULL, NULL, NULL};
	assert_ok(s->t.context,
		ossai_weights_descend(
			s->t.context, &s->t.s, &s->chain.motion, bounds ? bounds : &none, s->pending, s->changed, &s->weights));
}

static void descend_all(scene *s, const ossai_descent_bounds *bounds)
{
	memset(s->pending, 1, s->t.s.vertex_count);
	descend(s, bounds);
}

static double error_at(const scene *s, size_t v, const double weight[BONES])
{
	double sum = 0;
	for (size_t k = 0; k < POSES; k++) {
		ossai_vec3 at = {0, 0, 0};
		for (size_t b = 0; b < BONES; b++) {
			at = ossai_madd(
				at, weight[b], ossai_rigid_point(&s->chain.motion.rigid[b * POSES + k], ossai_rest_point(&s->t.s, v)));
		}
		sum += ossai_length2(ossai_sub(at, ossai_pose_point(&s->t.s, v, k)));
	}
	return sum;
}

static void weights_at(const scene *s, size_t v, double weight[BONES])
{
	for (uint32_t b = 0; b < BONES; b++) weight[b] = ossai_bone_weight_of(&s->weights, v, b);
}

static bool uses(const scene *s, size_t v, uint32_t bone)
{
	const ossai_adjacency *a = &s->t.s.adjacency;
	bool found = ossai_bone_weight_of(&s->weights, v, bone) > 0;
	for (uint32_t i = a->vertex_start[v]; i < a->vertex_start[v + 1]; i++) {
		found = found || ossai_bone_weight_of(&s->weights, a->vertex_neighbor[i], bone) > 0;
	}
	return found;
}

/* moving some weight from one bone near by to another lowers no vertex's error by more than a new
   bone has to */
static void no_vertex_can_be_improved(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 6; seed++) {
		scene s;
		scene_begin(&s, 2, seed);
		descend_all(&s, NULL);
		for (size_t v = 0; v < s.t.s.vertex_count; v++) {
			double weight[BONES], sum = 0;
			size_t count = 0;
			weights_at(&s, v, weight);
			const double error = error_at(&s, v, weight);
			for (size_t b = 0; b < BONES; b++) {
				sum += weight[b];
				count += weight[b] > 0;
			}
			assert_near(sum, 1, 1e-12);
			assert_true(count <= 3);
			for (size_t from = 0; from < BONES; from++) {
				for (size_t to = 0; to < BONES; to++) {
					const double share = fmin(0.01, weight[from]);
					const bool is_new = !(weight[to] > 0);
					if (from == to || !(share > 0) || !uses(&s, v, (uint32_t)to) || (is_new && count == 3)) continue;
					double other[BONES];
					memcpy(other, weight, sizeof other);
					other[from] -= share;
					other[to] += share;
					const double least = error * (is_new ? 0.97 : 1 - 1e-5) - 1e-9;
					if (error_at(&s, v, other) < least) fail_msg("vertex %zu: %zu to %zu is better", v, from, to);
				}
			}
		}
		test_surface_end(&s.t);
	}
}

/* the right answer where there is one: the chain's own weights repeat unshaken poses */
static void exact_weights_are_found(void **state)
{
	scene s;
	(void)state;
	scene_begin(&s, 1, 3);
	test_surface_blend(&s.t, &s.chain.weights, &s.chain.motion);
	descend_all(&s, NULL);
	assert_true(sqrt(test_blend_error(&s.t, &s.weights, &s.chain.motion) / (double)(s.t.s.used_count * POSES)) < 1e-3);
	test_surface_end(&s.t);
}

static void what_is_settled_stays_to_the_bit(void **state)
{
	scene s;
	(void)state;
	scene_begin(&s, 1, 4);
	descend_all(&s, NULL);
	ossai_bone_weights before;
	const size_t vertices = s.t.s.vertex_count;
	assert_ok(s.t.context, ossai_bone_weights_new(&s.t.arena, vertices, BONES, 3, &before));
	ossai_bone_weights_copy(&s.weights, &before);
	memset(s.changed, 0, vertices);
	for (size_t step = 1; step < 5; step++) {
		for (size_t v = 0; v < vertices; v++) s.pending[v] = v % step == 0;
		descend(&s, NULL);
	}
	for (size_t v = 0; v < vertices; v++) assert_false(s.changed[v] || s.pending[v]);
	assert_memory_equal(before.value, s.weights.value, 3 * vertices * sizeof *before.value);
	test_surface_end(&s.t);
}

/* a bone that moves otherwise: solving what it moves and what lies next to that is solving all */
static void some_is_all(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 5; seed++) {
		scene some, all;
		scene *both[] = {&some, &all};
		for (size_t i = 0; i < 2; i++) {
			scene *s = both[i];
			scene_begin(s, 1, seed);
			descend_all(s, NULL);
			uint64_t random = seed;
			const ossai_mat3 turn = ossai_quat_matrix(test_random_turn(&random, 0.2));
			for (size_t k = 0; k < POSES; k++) {
				ossai_rigid *x = &s->chain.motion.rigid[2 * POSES + k];
				x->r = ossai_mat3_mul(&turn, &x->r);
			}
			for (size_t v = 0; v < s->t.s.vertex_count; v++) s->pending[v] = i == 1 || uses(s, v, 2);
			descend(s, NULL);
		}
		assert_memory_equal(some.weights.value, all.weights.value, 3 * some.t.s.vertex_count * sizeof *some.weights.value);
		assert_memory_equal(some.weights.bone, all.weights.bone, 3 * some.t.s.vertex_count * sizeof *some.weights.bone);
		test_surface_end(&some.t);
		test_surface_end(&all.t);
	}
}

static void locked_bones_and_fixed_vertices_stay(void **state)
{
	scene s;
	const uint8_t locked[BONES] = {0, 0, 1, 0, 0, 0};
	(void)state;
	scene_begin(&s, 1, 5);
	const size_t vertices = s.t.s.vertex_count;
	uint8_t *fixed = ossai_arena_zero(&s.t.arena, vertices, 1);
	double *before = ossai_arena_new(&s.t.arena, vertices, sizeof *before);
	assert_true(fixed && before);
	for (size_t v = 0; v < vertices; v++) {
		fixed[v] = v % 7 == 0;
		/* the locked bone has a share of some, nothing of others, all of a few */
		if (v % 3 == 0 && ossai_bone_weight_of(&s.weights, v, 2) == 0) {
			const uint16_t bone = s.weights.bone[3 * v];
			s.weights.count[v] = 0;
			ossai_bone_weights_keep(&s.weights, v, bone, 0.75);
			ossai_bone_weights_keep(&s.weights, v, 2, 0.25);
		}
		before[v] = ossai_bone_weight_of(&s.weights, v, 2);
	}
	const ossai_descent_bounds bounds = {locked, fixed, NULL};
	descend_all(&s, &bounds);
	size_t changed = 0;
	for (size_t v = 0; v < vertices; v++) {
		double sum = 0;
		for (size_t i = 0; i < s.weights.count[v]; i++) sum += s.weights.value[3 * v + i];
		assert_true(ossai_bone_weight_of(&s.weights, v, 2) == before[v]);
		assert_near(sum, 1, 1e-9);
		assert_false(fixed[v] && s.changed[v]);
		changed += s.changed[v];
	}
	assert_true(changed > vertices / 10);
	test_surface_end(&s.t);
}

/* a closed vertex blends its own bones for other poses and takes none of a neighbour's; the others
   do */
static void closed_vertices_take_no_new_bones(void **state)
{
	(void)state;
	scene s;
	scene_begin(&s, 2, 4);
	const size_t vertices = s.t.s.vertex_count;
	uint8_t *closed = ossai_arena_zero(&s.t.arena, vertices, 1);
	assert_non_null(closed);
	for (size_t v = 0; v < vertices; v++) closed[v] = v % 2;
	const ossai_descent_bounds bounds = {.closed = closed};
	descend_all(&s, &bounds);
	size_t blended = 0, changed = 0;
	for (size_t v = 0; v < vertices; v++) {
		if (closed[v]) assert_int_equal(s.weights.count[v], 1);
		else blended += s.weights.count[v] > 1;
	}
	assert_true(blended > vertices / 10);
	descend_all(&s, NULL);
	ossai_bone_weights before;
	assert_ok(s.t.context, ossai_bone_weights_new(&s.t.arena, vertices, BONES, 3, &before));
	ossai_bone_weights_copy(&s.weights, &before);
	test_surface_shake(&s.t, 0.05, 9);
	memset(s.changed, 0, vertices);
	descend_all(&s, &bounds);
	for (size_t v = 0; v < vertices; v++) {
		changed += closed[v] && s.changed[v];
		for (size_t i = 0; closed[v] && i < s.weights.count[v]; i++) {
			assert_true(ossai_bone_weight_of(&before, v, s.weights.bone[3 * v + i]) > 0);
		}
	}
	assert_true(changed > 0);
	test_surface_end(&s.t);
}

/* vertices without a bone get that of a neighbour, ring by ring; without any, the best one */
static void vertices_without_weights_get_some(void **state)
{
	(void)state;
	for (int all = 0; all < 2; all++) {
		scene s;
		scene_begin(&s, 2, 2);
		for (size_t v = 0; v < s.t.s.vertex_count; v++) {
			if (!all && v > 20) continue;
			s.weights.count[v] = 0;
			s.pending[v] = 1;
		}
		descend(&s, NULL);
		for (size_t v = 0; v < s.t.s.vertex_count; v++) assert_true(s.weights.count[v] > 0);
		test_surface_end(&s.t);
	}
}

static void threads_make_no_difference(void **state)
{
	scene one, four;
	(void)state;
	scene_begin(&one, 1, 9);
	scene_begin(&four, 4, 9);
	descend_all(&one, NULL);
	descend_all(&four, NULL);
	assert_memory_equal(one.weights.value, four.weights.value, 3 * one.t.s.vertex_count * sizeof *one.weights.value);
	test_surface_end(&one.t);
	test_surface_end(&four.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_vertex_can_be_improved), cmocka_unit_test(exact_weights_are_found),
		cmocka_unit_test(what_is_settled_stays_to_the_bit), cmocka_unit_test(some_is_all),
		cmocka_unit_test(locked_bones_and_fixed_vertices_stay), cmocka_unit_test(closed_vertices_take_no_new_bones),
		cmocka_unit_test(vertices_without_weights_get_some), cmocka_unit_test(threads_make_no_difference)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
