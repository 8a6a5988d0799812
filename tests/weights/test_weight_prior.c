/* tests/weights/test_weight_prior.c: weights of least error and price, with parts that are kept: no
   small change of them is better, by sums over all poses; what is kept is kept. */
#include "weights/weight_prior.h"
#include "weights/simplex_fit.h"

#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <string.h>

enum { BONES = 7, WIDTH = 4 };

typedef struct setting {
	test_surface t;
	test_chain chain;
	ossai_residuals residuals;
	ossai_bone_weights known;
	uint64_t seed;
} setting;

/* the residuals refer to its surface */
static void make_setting(uint64_t seed, setting *s)
{
	*s = (setting){.t = test_surface_grid(1, 16, 2, 5), .seed = seed};
	s->chain = test_chain_make(&s->t, BONES, seed);
	test_surface_shake(&s->t, 0.02, seed);
	assert_ok(s->t.context, ossai_residuals_make(&s->t.arena, &s->t.s, &s->chain.motion, &s->residuals));
	assert_ok(s->t.context, ossai_bone_weights_new(&s->t.arena, s->t.s.vertex_count, BONES, WIDTH, &s->known));
	for (size_t v = 0; v < s->known.vertex_count; v++) {
		uint32_t bone[3];
		double value[3];
		for (uint32_t i = 0; i < 3; i++) {
			bone[i] = (uint32_t)(2 * i + (v % 2));
			value[i] = 0.1 + fabs(test_random(&s->seed));
		}
		ossai_bone_weights_take(&s->known, v, 3, bone, value);
	}
}

/* the squared error and the price of weights by bone, by their definition */
static double cost_of(setting *s, const ossai_weight_prior *prior, size_t v, const double *weight)
{
	const ossai_posed_surface *surface = &s->t.s;
	double cost = 0;
	for (size_t k = 0; k < surface->pose_count; k++) {
		ossai_vec3 sum = ossai_scale(ossai_pose_point(surface, v, k), -1);
		for (size_t b = 0; b < BONES; b++) {
			const ossai_rigid *x = &s->chain.motion.rigid[b * surface->pose_count + k];
			sum = ossai_madd(sum, weight[b], ossai_rigid_point(x, ossai_rest_point(surface, v)));
		}
		cost += ossai_length2(sum);
	}
	for (uint32_t b = 0; b < BONES; b++) {
		const double change = weight[b] - ossai_bone_weight_of(&s->known, v, b);
		cost += prior->price * change * change;
	}
	return cost;
}

static void solve(setting *s, const ossai_weight_prior *prior, size_t v, size_t most, double *weight)
{
	uint16_t bone[BONES], to[OSSAI_GRAM_MAX];
	double own[BONES] = {0}, value[OSSAI_GRAM_MAX];
	size_t n = 0;
	for (uint16_t b = 0; b < BONES; b++) {
		if (!(prior->locked && prior->locked[b])) bone[n++] = b;
	}
	memset(weight, 0, BONES * sizeof *weight);
	const size_t count = ossai_weight_prior_solve(prior, &s->residuals, v, n, bone, own, most, to, value);
	for (size_t i = 0; i < count; i++) weight[to[i]] += value[i];
}

/* moving a little weight from any bone to any other one, as far as that is allowed, never helps */
static void assert_least(setting *s, const ossai_weight_prior *prior, size_t v, const double *weight)
{
	const double cost = cost_of(s, prior, v, weight), step = 1e-4;
	for (uint32_t from = 0; from < BONES; from++) {
		const bool is_locked = prior->locked && prior->locked[from];
		const double kept = (prior->kept ? (double)prior->kept[v] : 0) * ossai_bone_weight_of(&s->known, v, from);
		for (uint32_t to = 0; to < BONES && !is_locked && weight[from] - step > kept; to++) {
			double moved[BONES];
			if (to == from || (prior->locked && prior->locked[to])) continue;
			memcpy(moved, weight, sizeof moved);
			moved[from] -= step;
			moved[to] += step;
			assert_true(cost_of(s, prior, v, moved) > cost * (1 - 1e-9) - 1e-15);
		}
	}
}

static void no_change_of_the_weights_is_better(void **state)
{
	(void)state;
	static const double prices[] = {0, 1e-7, 1e-3, 10};
	for (uint64_t seed = 1; seed < 5; seed++) {
		setting s;
		make_setting(seed, &s);
		float *kept = ossai_arena_new(&s.t.arena, s.t.s.vertex_count, sizeof *kept);
		for (size_t v = 0; v < s.t.s.vertex_count; v++) kept[v] = v % 3 == 0 ? 0 : (float)fabs(test_random(&s.seed));
		const uint8_t locked[BONES] = {0, 0, 1, 0, 0, 0, 0};
		for (size_t i = 0; i < 16; i++) {
			const ossai_weight_prior prior = {&s.known, prices[i % 4], i / 4 % 2 ? kept : NULL, i / 8 ? locked : NULL};
			for (size_t v = 0; v < s.t.s.vertex_count; v++) {
				double weight[BONES], sum = 0;
				solve(&s, &prior, v, BONES, weight);
				assert_least(&s, &prior, v, weight);
				for (uint32_t b = 0; b < BONES; b++) {
					const double known = ossai_bone_weight_of(&s.known, v, b);
					sum += weight[b];
					if (prior.locked && locked[b]) assert_near(weight[b], known, 1e-12);
					if (prior.kept) assert_true(weight[b] > (double)kept[v] * known - 1e-12);
				}
				assert_near(sum, 1, 1e-12);
			}
		}
		test_surface_end(&s.t);
	}
}

static void a_high_price_keeps_the_weights_and_all_that_is_kept_stays(void **state)
{
	(void)state;
	setting s;
	make_setting(7, &s);
	float *kept = ossai_arena_new(&s.t.arena, s.t.s.vertex_count, sizeof *kept);
	for (size_t v = 0; v < s.t.s.vertex_count; v++) kept[v] = 1;
	const ossai_weight_prior dear = {&s.known, 1e9, NULL, NULL}, whole = {&s.known, 0, kept, NULL};
	for (size_t v = 0; v < s.t.s.vertex_count; v++) {
		double a[BONES], b[BONES];
		solve(&s, &dear, v, WIDTH, a);
		solve(&s, &whole, v, WIDTH, b);
		assert_true(ossai_weight_prior_keeps(&whole, v) && !ossai_weight_prior_keeps(&dear, v));
		for (uint32_t i = 0; i < BONES; i++) {
			assert_near(a[i], ossai_bone_weight_of(&s.known, v, i), 1e-6);
			assert_near(b[i], ossai_bone_weight_of(&s.known, v, i), 1e-12);
		}
	}
	test_surface_end(&s.t);
}

/* a vertex has no more bones than it may have, those that are kept among them */
static void bones_that_are_kept_count(void **state)
{
	(void)state;
	setting s;
	make_setting(3, &s);
	float *kept = ossai_arena_new(&s.t.arena, s.t.s.vertex_count, sizeof *kept);
	for (size_t v = 0; v < s.t.s.vertex_count; v++) kept[v] = 0.25f;
	const ossai_weight_prior prior = {&s.known, 0, kept, NULL};
	for (size_t most = 3; most <= 5; most++) {
		for (size_t v = 0; v < s.t.s.vertex_count; v++) {
			double weight[BONES], sum = 0;
			size_t used = 0;
			solve(&s, &prior, v, most, weight);
			for (size_t b = 0; b < BONES; b++) {
				used += weight[b] > 0;
				sum += weight[b];
			}
			assert_true(used <= most);
			assert_near(sum, 1, 1e-12);
		}
	}
	test_surface_end(&s.t);
}

/* nothing that is kept is lost where a vertex has as many bones as a rig can have */
static void many_bones_are_kept(void **state)
{
	(void)state;
	enum { MANY = 70, KNOWN = 60 };
	test_surface t = test_surface_grid(1, 80, 1, 3);
	test_chain chain = test_chain_make(&t, MANY, 5);
	ossai_residuals residuals;
	ossai_bone_weights known;
	uint16_t bone[OSSAI_SIMPLEX_MAX], to[OSSAI_GRAM_MAX];
	double own[OSSAI_SIMPLEX_MAX] = {0}, value[OSSAI_GRAM_MAX], sum = 0;
	float *kept = ossai_arena_zero(&t.arena, t.s.vertex_count, sizeof *kept);
	assert_ok(t.context, ossai_residuals_make(&t.arena, &t.s, &chain.motion, &residuals));
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, t.s.vertex_count, MANY, KNOWN, &known));
	kept[0] = 0.5f;
	known.count[0] = KNOWN;
	for (uint16_t i = 0; i < KNOWN; i++) {
		known.bone[i] = i;
		known.value[i] = 1.0 / KNOWN;
	}
	for (uint16_t i = 0; i < OSSAI_SIMPLEX_MAX; i++) bone[i] = (uint16_t)(MANY - 1 - i);
	const ossai_weight_prior prior = {&known, 0, kept, NULL};
	const size_t count = ossai_weight_prior_solve(&prior, &residuals, 0, OSSAI_SIMPLEX_MAX, bone, own, 64, to, value);
	assert_true(count <= OSSAI_GRAM_MAX);
	for (uint16_t b = 0; b < KNOWN; b++) {
		double found = 0;
		for (size_t i = 0; i < count; i++) found += to[i] == b ? value[i] : 0;
		assert_true(found > 0.5 / KNOWN - 1e-12);
	}
	for (size_t i = 0; i < count; i++) sum += value[i];
	assert_near(sum, 1, 1e-12);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_change_of_the_weights_is_better),
		cmocka_unit_test(a_high_price_keeps_the_weights_and_all_that_is_kept_stays),
		cmocka_unit_test(bones_that_are_kept_count), cmocka_unit_test(many_bones_are_kept)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
