/* tests/motion/test_exchange.c: bones that are where others are missing, and parts of skin that
   move otherwise than the rest of it. */
#include "motion/exchange.h"
#include "motion/skin_part.h"

#include "support/support.h"
#include "support/surfaces.h"

#include <stdlib.h>
#include <string.h>

enum { BONES = 6, POSES = 8 };

/* the bones of a chain, of which `missing` has the skin of the next one, too, and another one is
   there twice instead, each with half of its weights */
static ossai_fit begin_astray(test_surface *t, const test_chain *chain, uint16_t missing, uint16_t twice)
{
	ossai_fit fit;
	assert_ok(t->context, ossai_fit_new(t->context, &t->arena, &t->s, 2 * BONES, 4, &fit));
	ossai_bone_weights_copy(&chain->weights, &fit.weights);
	ossai_bone_motion_copy(&chain->motion, &fit.motion);
	fit.last.bone_count = BONES;
	memcpy(fit.motion.rigid + (missing + 1) * POSES, fit.motion.rigid + twice * POSES, POSES * sizeof *fit.motion.rigid);
	for (size_t v = 0; v < t->s.vertex_count; v++) {
		uint16_t *bone = fit.weights.bone + 4 * v;
		for (size_t i = 0; i < fit.weights.count[v]; i++) bone[i] = bone[i] == missing + 1 ? missing : bone[i];
		/* one of a vertex's two is often the other one of these now */
		if (fit.weights.count[v] == 2 && bone[0] == bone[1]) {
			fit.weights.value[4 * v] = 1;
			fit.weights.count[v] = 1;
		}
		if (fit.weights.count[v] == 1 && bone[0] == twice) {
			bone[1] = (uint16_t)(missing + 1);
			fit.weights.value[4 * v] = fit.weights.value[4 * v + 1] = 0.5;
			fit.weights.count[v] = 2;
		}
	}
	return fit;
}

static double rms_of(test_surface *t, const ossai_fit *fit)
{
	return test_rms_percent(&t->s, test_blend_error(t, &fit->weights, &fit->motion));
}

/* alternation alone leaves them where they are */
static void bones_go_where_they_are_missed(void **state)
{
	(void)state;
	for (uint16_t missing = 2; missing < 5; missing++) {
		test_surface t[2] = {test_surface_grid(1, 31, 4, POSES), test_surface_grid(1, 31, 4, POSES)};
		double error[2];
		for (int exchanges = 0; exchanges < 2; exchanges++) {
			const test_chain chain = test_chain_make(&t[exchanges], BONES, 3);
			ossai_fit fit = begin_astray(&t[exchanges], &chain, missing, 0);
			const ossai_prune_goal goal = {BONES, {0, 0}, 2};
			assert_ok(t[exchanges].context, ossai_fit_alternate(&fit, 10, 0, false));
			for (int i = 0; i < exchanges; i++) assert_ok(t[exchanges].context, ossai_fit_exchange(&fit, 2 * BONES, &goal));
			assert_int_equal(fit.weights.bone_count, BONES);
			assert_int_equal(fit.motion.bone_count, BONES);
			assert_ok(t[exchanges].context, ossai_fit_alternate(&fit, 20, 0, false));
			error[exchanges] = rms_of(&t[exchanges], &fit);
			test_surface_end(&t[exchanges]);
		}
		if (!(error[1] < 0.1 * error[0]))
			fail_msg("missing %d: %g %% without an exchange, %g %% with one", missing, error[0], error[1]);
	}
}

/* a worth decides about the number of bones, whatever it was before */
static void as_many_stay_as_are_worth_it(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 31, 4, POSES);
	const test_chain chain = test_chain_make(&t, BONES, 3);
	ossai_fit fit = begin_astray(&t, &chain, 3, 0);
	const ossai_bone_worth worth = ossai_bone_worth_of(1e-3, (double)t.s.used_count * POSES);
	assert_ok(t.context, ossai_fit_exchange(&fit, 2 * BONES, &(ossai_prune_goal){1, worth, 2}));
	assert_in_range(fit.weights.bone_count, BONES - 1, BONES + 1);
	test_surface_end(&t);
}

/* the part is the skin of the bone that is missing, and of no other one; closed bones have none */
static void a_part_is_what_moves_otherwise(void **state)
{
	(void)state;
	enum { MISSING = 2 };
	test_surface t = test_surface_grid(1, 31, 4, POSES);
	const test_chain chain = test_chain_make(&t, BONES, 3);
	const ossai_fit fit = begin_astray(&t, &chain, MISSING, 0);
	ossai_skin_part parts[BONES];
	assert_ok(t.context, ossai_skin_parts_find(&t.arena, &t.s, &fit.weights, &fit.motion, NULL, NULL, parts));
	for (int b = 0; b < BONES; b++) assert_true(b == MISSING || parts[b].gain < parts[MISSING].gain);
	assert_true(parts[MISSING].count > 0);
	for (size_t i = 0; i < parts[MISSING].count; i++) {
		const uint32_t v = parts[MISSING].vertex[i];
		assert_true(ossai_bone_weight_of(&chain.weights, v, MISSING + 1) > 0);
	}
	const uint8_t closed[BONES] = {[MISSING] = 1};
	uint8_t *kept = calloc(t.s.vertex_count, 1);
	assert_non_null(kept);
	assert_ok(t.context, ossai_skin_parts_find(&t.arena, &t.s, &fit.weights, &fit.motion, NULL, closed, parts));
	assert_true(parts[MISSING].gain == 0);
	memset(kept, 1, t.s.vertex_count);
	assert_ok(t.context, ossai_skin_parts_find(&t.arena, &t.s, &fit.weights, &fit.motion, kept, NULL, parts));
	for (int b = 0; b < BONES; b++) assert_true(parts[b].gain == 0);
	free(kept);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bones_go_where_they_are_missed),
		cmocka_unit_test(as_many_stay_as_are_worth_it),
		cmocka_unit_test(a_part_is_what_moves_otherwise),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
