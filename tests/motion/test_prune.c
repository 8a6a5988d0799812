/* tests/motion/test_prune.c: which bones are removed, how many remain, and that alternating
   weights and bones lowers the error. */
#include "motion/prune.h"

#include "support/support.h"
#include "support/surfaces.h"
#include "weights/locality.h"

#include <string.h>

/* a fit that begins from weights and motion */
static ossai_fit begin_fit(test_surface *t, const ossai_bone_weights *weights, const ossai_bone_motion *motion)
{
	ossai_fit fit;
	assert_ok(t->context, ossai_fit_new(t->context, &t->arena, &t->s, weights->bone_count, weights->width, &fit));
	ossai_bone_weights_copy(weights, &fit.weights);
	ossai_bone_motion_copy(motion, &fit.motion);
	return fit;
}

static double fit_error(test_surface *t, const ossai_fit *fit) { return test_blend_error(t, &fit->weights, &fit->motion); }

/* a chain, and bone `copied` of it a second time as the last one: they share what the one had */
static ossai_fit begin_with_copy(test_surface *t, const test_chain *chain, size_t copied)
{
	const size_t bones = chain->weights.bone_count, poses = t->s.pose_count;
	ossai_fit fit;
	assert_ok(t->context, ossai_fit_new(t->context, &t->arena, &t->s, bones + 1, 4, &fit));
	ossai_bone_weights_copy(&chain->weights, &fit.weights);
	ossai_bone_motion_copy(&chain->motion, &fit.motion);
	fit.weights.bone_count = fit.spare.bone_count = fit.motion.bone_count = bones + 1;
	memcpy(fit.motion.rigid + bones * poses, fit.motion.rigid + copied * poses, poses * sizeof *fit.motion.rigid);
	for (size_t v = 0; v < t->s.vertex_count; v++) {
		const size_t count = fit.weights.count[v], at = 4 * v;
		for (size_t i = 0; i < count; i++) {
			if (fit.weights.bone[at + i] != copied) continue;
			fit.weights.value[at + i] *= 0.5;
			fit.weights.value[at + count] = fit.weights.value[at + i];
			fit.weights.bone[at + count] = (uint16_t)bones;
			fit.weights.count[v]++;
		}
	}
	return fit;
}

/* true where some bone of the fit moves as one of the chain */
static bool moves_alike(const ossai_bone_motion *fit, const ossai_rigid *wanted)
{
	for (size_t b = 0; b < fit->bone_count; b++) {
		double most = 0;
		for (size_t k = 0; k < fit->pose_count; k++) {
			most = fmax(most, ossai_distance(fit->rigid[b * fit->pose_count + k].t, wanted[k].t));
		}
		if (most < 1e-3) return true;
	}
	return false;
}

static void a_bone_that_is_there_twice_goes_first(void **state)
{
	(void)state;
	for (size_t copied = 0; copied < 5; copied++) {
		test_surface t = test_surface_grid(1, 25, 4, 8);
		const test_chain chain = test_chain_make(&t, 5, 3);
		ossai_fit fit = begin_with_copy(&t, &chain, copied);
		assert_true(fit_error(&t, &fit) < 1e-20);
		assert_ok(t.context, ossai_fit_prune(&fit, &(ossai_prune_goal){5, {0, 0}, 2}));
		assert_int_equal(fit.weights.bone_count, 5);
		for (size_t b = 0; b < 5; b++) assert_true(moves_alike(&fit.motion, chain.motion.rigid + b * 8));
		assert_true(test_rms_percent(&t.s, fit_error(&t, &fit)) < 1e-3);
		test_surface_end(&t);
	}
}

static void as_many_stay_as_asked(void **state)
{
	(void)state;
	for (size_t bones = 1; bones <= 13; bones++) {
		test_surface t = test_surface_grid(1, 25, 4, 4);
		const test_chain chain = test_chain_make(&t, 12, 3);
		test_surface_shake(&t, 0.005, bones);
		ossai_fit fit = begin_fit(&t, &chain.weights, &chain.motion);
		const size_t wanted = bones < 12 ? bones : 12;
		assert_ok(t.context, ossai_fit_prune(&fit, &(ossai_prune_goal){bones, {0, 0}, 2}));
		assert_int_equal(fit.weights.bone_count, wanted);
		assert_int_equal(fit.motion.bone_count, wanted);
		for (size_t v = 0; v < t.s.vertex_count; v++) {
			double sum = 0;
			for (size_t i = 0; i < fit.weights.count[v]; i++) {
				assert_true(fit.weights.bone[4 * v + i] < wanted);
				sum += fit.weights.value[4 * v + i];
			}
			assert_near(sum, 1, 1e-12);
		}
		test_surface_end(&t);
	}
}

/* the bones that stay of a chain of six, each of which is worth `parts` of what is left without the
   one that matters least; noise: of its vertices, in such errors */
static size_t count_worthy(double parts, double noise)
{
	test_surface t = test_surface_grid(1, 31, 4, 8);
	const test_chain chain = test_chain_make(&t, 6, 3);
	ossai_fit fewer = begin_fit(&t, &chain.weights, &chain.motion), fit;
	assert_ok(t.context, ossai_fit_prune(&fewer, &(ossai_prune_goal){5, {0, 0}, 2}));
	const double count = (double)t.s.used_count * (double)t.s.pose_count, error = fit_error(&t, &fewer);
	if (noise > 0) test_surface_shake(&t, noise * sqrt(error / count), 5);
	fit = begin_fit(&t, &chain.weights, &chain.motion);
	const ossai_bone_worth worth = {parts * error, parts * error / 49};
	assert_ok(t.context, ossai_fit_prune(&fit, &(ossai_prune_goal){1, worth, 2}));
	const size_t left = fit.weights.bone_count;
	test_surface_end(&t);
	return left;
}

/* Bones of skin that nothing else moves are all found, though each is worth less than a share that
   is named; where skin is not theirs alone, and where nobody could see them, they go. */
static void bones_that_multiply_the_error_stay(void **state)
{
	(void)state;
	assert_int_equal(count_worthy(0.5, 0), 6);
	assert_int_equal(count_worthy(4, 0), 6);
	assert_int_equal(count_worthy(0.5, 3), 6);
	assert_true(count_worthy(4, 3) < 6);
	assert_true(count_worthy(1000, 0) < 6);
}

static void worth_is_a_share_of_the_error_or_what_is_named(void **state)
{
	(void)state;
	const ossai_bone_worth worth = ossai_bone_worth_of(5e-4, 1000), large = ossai_bone_worth_of(4e-3, 1000);
	const double most = 2.5e-4;
	assert_near(worth.most, most, 1e-18);
	assert_near(ossai_bone_worth_at(&worth, 0), 0.7 * most / 49, 1e-12);
	assert_near(ossai_bone_worth_at(&worth, 1e-4), 0.7 * (1e-4 + most / 49), 1e-12);
	assert_near(ossai_bone_worth_at(&worth, 1), most, 1e-15);
	/* a large one is meant as it is */
	assert_near(ossai_bone_worth_at(&large, 0), 0.016 * 0.7 * 64 / 49, 1e-12);
	assert_true(ossai_bone_worth_of(0, 1000).most == 0);
}

/* a bone that is there twice is not missed; of the last one of a chain its neighbour takes all */
static void costs_are_what_is_missed(void **state)
{
	(void)state;
	enum { BONES = 6, COPIED = 2, LAST = 4 };
	test_surface t = test_surface_grid(1, 25, 4, 8);
	const test_chain chain = test_chain_make(&t, BONES - 1, 3);
	ossai_fit fit = begin_with_copy(&t, &chain, COPIED), merged = begin_with_copy(&t, &chain, COPIED);
	const uint8_t all[BONES] = {1, 1, 1, 1, 1, 1};
	const uint32_t heir[BONES] = {1, 2, 3, 4, 3, 3};
	double cost[BONES];
	assert_ok(t.context, ossai_fit_costs(&fit, all, heir, cost));
	for (size_t b = 0; b < BONES; b++) assert_true((b == COPIED || b == BONES - 1) ? fabs(cost[b]) < 1e-15 : cost[b] > 1e-6);
	for (size_t i = 0; i < t.s.vertex_count * merged.weights.width; i++) {
		if (merged.weights.bone[i] == LAST) merged.weights.bone[i] = 3;
	}
	const double error = fit_error(&t, &merged);
	if (!(cost[LAST] > 0.7 * error && cost[LAST] <= error * (1 + 1e-9)))
		fail_msg("%g, and %g where another one takes all", cost[LAST], error);
	test_surface_end(&t);
}

static void idle_bones_are_dropped(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 25, 4, 4);
	const test_chain chain = test_chain_make(&t, 5, 3);
	ossai_fit fit = begin_fit(&t, &chain.weights, &chain.motion);
	size_t dropped;
	assert_int_equal(ossai_fit_drop_idle(&fit, NULL, &dropped), OSSA_OK);
	assert_int_equal(dropped, 0);
	/* bones 1 and 4 hand over to 0 and 3 */
	for (size_t i = 0; i < 4 * t.s.vertex_count; i++) {
		if (fit.weights.bone[i] == 1 || fit.weights.bone[i] == 4) fit.weights.bone[i]--;
	}
	const double before = fit_error(&t, &fit);
	assert_int_equal(ossai_fit_drop_idle(&fit, NULL, &dropped), OSSA_OK);
	assert_int_equal(dropped, 2);
	assert_int_equal(fit.weights.bone_count, 3);
	assert_near(fit_error(&t, &fit), before, 1e-12 * before);
	test_surface_end(&t);
}

/* the marked bones go with their weights; what others had of a vertex is scaled up */
static void struck_bones_leave_their_weights_to_the_others(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 25, 4, 4);
	const test_chain chain = test_chain_make(&t, 5, 3);
	ossai_fit fit = begin_fit(&t, &chain.weights, &chain.motion);
	/* bone 1 has no more than traces, 2 and 3 nothing at all */
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		fit.weights.count[v] = 2;
		fit.weights.bone[4 * v] = v % 2 ? 0 : 4;
		fit.weights.bone[4 * v + 1] = 1;
		fit.weights.value[4 * v] = 1 - 1e-5;
		fit.weights.value[4 * v + 1] = 1e-5;
	}
	const uint8_t going[5] = {0, 1, 1, 1, 0};
	ossai_fit_strike(&fit, going);
	assert_int_equal(fit.weights.bone_count, 2);
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		assert_int_equal(fit.weights.count[v], 1);
		assert_int_equal(fit.weights.bone[4 * v], v % 2 ? 0 : 1);
		assert_true(fit.weights.value[4 * v] == 1);
	}
	assert_true(moves_alike(&fit.motion, chain.motion.rigid) && moves_alike(&fit.motion, chain.motion.rigid + 4 * 4));
	test_surface_end(&t);
}

static void removed_bones_leave_their_vertices_to_the_others(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 25, 4, 8);
	const test_chain chain = test_chain_make(&t, 5, 3);
	/* the copy of a bone is as good as the bone */
	ossai_fit fit = begin_with_copy(&t, &chain, 2);
	uint8_t going[6] = {0};
	going[2] = 1;
	assert_ok(t.context, ossai_fit_remove(&fit, going));
	assert_int_equal(fit.weights.bone_count, 5);
	for (size_t b = 0; b < 5; b++) assert_true(moves_alike(&fit.motion, chain.motion.rigid + b * 8));
	test_surface_end(&t);
}

/* ---- in turns ---- */

/* every vertex whole on one of `bones` bones along x, each moved as well as it can alone */
static ossai_fit begin_hard(test_surface *t, size_t bones)
{
	ossai_fit fit;
	double error;
	uint32_t *cluster_of_face = ossai_arena_new(&t->arena, t->s.face_count, sizeof *cluster_of_face);
	assert_ok(t->context, ossai_fit_new(t->context, &t->arena, &t->s, bones, 4, &fit));
	for (size_t f = 0; f < t->s.face_count; f++) cluster_of_face[f] = (uint32_t)(f * bones / t->s.face_count);
	ossai_bone_weights_from_clusters(&t->s, cluster_of_face, &fit.weights);
	assert_ok(t->context, ossai_bone_motion_from_clusters(t->context, &t->s, cluster_of_face, &fit.motion));
	assert_ok(t->context, ossai_fit_motion(&fit, &error));
	return fit;
}

static void turns_lower_the_error(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++) {
		test_surface t = test_surface_grid(1, 25, 4, 6);
		test_chain_make(&t, 5, seed);
		test_surface_shake(&t, 0.002, seed);
		ossai_fit fit = begin_hard(&t, 5);
		const double first = fit_error(&t, &fit);
		assert_ok(t.context, ossai_fit_alternate(&fit, 2, 0, false));
		const double second = fit_error(&t, &fit);
		assert_ok(t.context, ossai_fit_alternate(&fit, 25, 0, false));
		assert_true(second < first && fit_error(&t, &fit) < second);
		test_surface_end(&t);
	}
}

static void local_turns_leave_one_patch_for_each_bone(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 25, 4, 6);
	test_chain_make(&t, 5, 2);
	test_surface_shake(&t, 0.02, 2);
	ossai_fit fit = begin_hard(&t, 5);
	assert_ok(t.context, ossai_fit_alternate(&fit, 10, 0, true));
	ossai_bone_weights before;
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, t.s.vertex_count, 5, 4, &before));
	ossai_bone_weights_copy(&fit.weights, &before);
	assert_ok(t.context, ossai_locality_enforce(t.context, &t.s, &fit.motion, NULL, 0, &fit.weights));
	assert_memory_equal(before.count, fit.weights.count, t.s.vertex_count);
	test_surface_end(&t);
}

static void turns_of_a_hierarchy_lower_its_error(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 25, 4, 6);
	test_chain chain = test_chain_make(&t, 5, 2);
	test_surface_shake(&t, 0.002, 2);
	ossai_fit fit = begin_hard(&t, 5);
	ossai_hierarchy hierarchy = {&chain.tree, chain.joint, NULL};
	ossai_vec3 anchor[5];
	ossai_rounds rounds = ossai_rounds_begin();
	memcpy(anchor, chain.joint, sizeof anchor);
	const ossai_joint_rules joints = {.anchor = anchor, .hold = 0.1};
	assert_ok(t.context, ossai_fit_alternate_hierarchy(&fit, &hierarchy, &joints, 1, 0, false, &rounds));
	const double first = rounds.error;
	assert_int_equal(rounds.done, 1);
	assert_ok(t.context, ossai_fit_alternate_hierarchy(&fit, &hierarchy, &joints, 31, 0, false, &rounds));
	assert_true(rounds.error < first);
	assert_near(fit_error(&t, &fit), rounds.error, 1e-9 * rounds.error);
	test_surface_end(&t);
}

/* every vertex of one bone also follows the next one, by less than what is kept of a weight */
static void add_little_weights(ossai_bone_weights *w)
{
	for (size_t v = 0; v < w->vertex_count; v++) {
		if (w->count[v] != 1) continue;
		const uint16_t bone = w->bone[v * w->width];
		w->bone[v * w->width + 1] = bone + 1 < (int)w->bone_count ? bone + 1 : bone - 1;
		w->value[v * w->width] = 1 - 0.5 * OSSAI_LEAST_WEIGHT;
		w->value[v * w->width + 1] = 0.5 * OSSAI_LEAST_WEIGHT;
		w->count[v] = 2;
	}
}

/* rounds between two that drop such weights find them again: the error never stays where it is */
static void weights_that_come_and_go_end_the_rounds(void **state)
{
	(void)state;
	enum { MOST = 60 };
	test_surface t = test_surface_grid(1, 25, 4, 6);
	test_chain chain = test_chain_make(&t, 5, 2);
	ossai_hierarchy hierarchy = {&chain.tree, chain.joint, NULL};
	ossai_rounds rounds = ossai_rounds_begin();
	add_little_weights(&chain.weights);
	test_surface_blend(&t, &chain.weights, &chain.motion);
	ossai_fit fit = begin_fit(&t, &chain.weights, &chain.motion);
	assert_ok(t.context, ossai_fit_alternate_hierarchy(&fit, &hierarchy, NULL, MOST, 1e-3, true, &rounds));
	assert_true(rounds.has_converged && rounds.done > 3 && rounds.done < MOST / 2);
	assert_true(rounds.error > 0 && rounds.error == rounds.local_error);
	test_surface_end(&t);
}

/* momentum and the turn of keeping supports connected go on where they were left: the same bits */
static void rounds_can_be_resumed(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 25, 4, 6);
	test_chain chain = test_chain_make(&t, 5, 2);
	test_surface_shake(&t, 0.002, 2);
	double error[2];
	for (int pause = 0; pause < 2; pause++) {
		ossai_fit fit = begin_hard(&t, 5);
		ossai_vec3 joint[5], anchor[5];
		memcpy(joint, chain.joint, sizeof joint);
		memcpy(anchor, chain.joint, sizeof anchor);
		const ossai_joint_rules joints = {.anchor = anchor, .hold = 0.1};
		ossai_hierarchy hierarchy = {&chain.tree, joint, NULL};
		ossai_rounds rounds = ossai_rounds_begin();
		for (int most = pause ? 1 : 12; most <= 12; most++) {
			assert_ok(t.context, ossai_fit_alternate_hierarchy(&fit, &hierarchy, &joints, most, 0, true, &rounds));
		}
		assert_ok(t.context, ossai_fit_end_hierarchy(&fit, &hierarchy, &joints, &rounds));
		assert_int_equal(rounds.done, 12);
		error[pause] = rounds.error;
	}
	assert_true(error[0] == error[1]);
	test_surface_end(&t);
}

static void same_fit_for_any_threads(void **state)
{
	(void)state;
	test_surface t[3];
	ossai_fit fit[3];
	for (int i = 0; i < 3; i++) {
		t[i] = test_surface_grid(i + 1, 150, 4, 5);
		const test_chain chain = test_chain_make(&t[i], 9, 3);
		test_surface_shake(&t[i], 0.005, 1);
		fit[i] = begin_fit(&t[i], &chain.weights, &chain.motion);
		assert_ok(t[i].context, ossai_fit_prune(&fit[i], &(ossai_prune_goal){6, {0, 0}, 2}));
		assert_ok(t[i].context, ossai_fit_alternate(&fit[i], 5, 0, true));
		assert_memory_equal(fit[0].motion.rigid, fit[i].motion.rigid, 6 * 5 * sizeof(ossai_rigid));
		assert_memory_equal(fit[0].weights.count, fit[i].weights.count, t[i].s.vertex_count);
		for (size_t j = 0; j < 4 * t[i].s.vertex_count; j++) {
			if (j % 4 >= fit[i].weights.count[j / 4]) continue;
			assert_true(fit[0].weights.value[j] == fit[i].weights.value[j]);
			assert_true(fit[0].weights.bone[j] == fit[i].weights.bone[j]);
		}
	}
	for (int i = 0; i < 3; i++) test_surface_end(&t[i]);
}

typedef struct sweep {
	const test_surface *t;
	const test_chain *chain;
} sweep;

static ossa_status prune_in_sweep(ossa_context *context, void *arg)
{
	const sweep *s = arg;
	ossai_fit fit;
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = ossai_fit_new(context, &arena, &s->t->s, 5, 4, &fit);
	if (status == OSSA_OK) {
		ossai_bone_weights_copy(&s->chain->weights, &fit.weights);
		ossai_bone_motion_copy(&s->chain->motion, &fit.motion);
		status = ossai_fit_prune(&fit, &(ossai_prune_goal){4, {0, 0}, 2});
	}
	if (status == OSSA_OK) status = ossai_fit_alternate(&fit, 2, 0, true);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 3, 3);
	const test_chain chain = test_chain_make(&t, 5, 3);
	sweep s = {&t, &chain};
	test_allocation_sweep(prune_in_sweep, &s, 100, 3);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bone_that_is_there_twice_goes_first),
		cmocka_unit_test(as_many_stay_as_asked),
		cmocka_unit_test(bones_that_multiply_the_error_stay),
		cmocka_unit_test(worth_is_a_share_of_the_error_or_what_is_named),
		cmocka_unit_test(costs_are_what_is_missed),
		cmocka_unit_test(idle_bones_are_dropped),
		cmocka_unit_test(struck_bones_leave_their_weights_to_the_others),
		cmocka_unit_test(removed_bones_leave_their_vertices_to_the_others),
		cmocka_unit_test(turns_lower_the_error),
		cmocka_unit_test(local_turns_leave_one_patch_for_each_bone),
		cmocka_unit_test(turns_of_a_hierarchy_lower_its_error),
		cmocka_unit_test(weights_that_come_and_go_end_the_rounds),
		cmocka_unit_test(rounds_can_be_resumed),
		cmocka_unit_test(same_fit_for_any_threads),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
