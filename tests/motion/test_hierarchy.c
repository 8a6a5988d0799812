/* tests/motion/test_hierarchy.c: rotations and joints of a tree fitted on moments, against the
   vertices themselves. */
#include "motion/hierarchy.h"

#include "math/cholesky.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

enum { BONES = 5, POSES = 6 };

/* a chain on a sheet, its poses shaken, its moments, and a hierarchy over it */
typedef struct scene {
	test_surface t;
	test_chain chain;
	ossai_moments m;
	ossai_hierarchy h;
} scene;

/* with `branches` a tree that is not a chain: 2 is the root, 1 and 3 are its children, 0 and 4
   theirs */
static void branch(ossai_tree *tree)
{
	const uint32_t parent[BONES] = {1, 2, OSSA_NONE, 2, 3};
	memcpy(tree->parent, parent, sizeof parent);
	tree->root = 2;
	ossai_tree_sort(tree);
}

/* joints by sums that are made for them alone */
static ossa_status place_in(ossa_context *context, const ossai_moments *m, ossai_hierarchy *h, const ossai_bone_motion *motion,
	const ossai_vec3 *anchor, double hold)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_subtree_moments sums;
	ossa_status status = ossai_subtree_moments_make(&arena, m, h->tree, NULL, &sums);
	if (status == OSSA_OK) status = ossai_hierarchy_place_joints(context, &sums, h, motion, NULL, anchor, hold);
	ossai_arena_end(&arena);
	return status;
}

static void scene_begin(scene *s, double shake, uint64_t seed)
{
	s->t = test_surface_grid(2, 20, 4, POSES);
	s->chain = test_chain_make(&s->t, BONES, seed);
	if (shake > 0) test_surface_shake(&s->t, shake, seed);
	assert_ok(s->t.context, ossai_moments_make(s->t.context, &s->t.s, &s->chain.weights, &s->m));
	s->h = (ossai_hierarchy){&s->chain.tree, s->chain.joint, NULL};
}

static void scene_end(scene *s)
{
	ossai_moments_end(&s->m);
	test_surface_end(&s->t);
}

static void fit(scene *s, int sweeps, int newton)
{
	assert_ok(s->t.context, ossai_hierarchy_fit_some(s->t.context, &s->m, &s->h, NULL, sweeps, newton, &s->chain.motion));
}

static double error_of(scene *s) { return test_blend_error(&s->t, &s->chain.weights, &s->chain.motion); }

static void turn_bones(scene *s, double most, uint64_t *random)
{
	for (size_t i = 0; i < BONES * POSES; i++) {
		const ossai_mat3 turn = ossai_quat_matrix(test_random_turn(random, most));
		s->chain.motion.rigid[i].r = ossai_mat3_mul(&turn, &s->chain.motion.rigid[i].r);
	}
}

static void translations_follow_the_tree(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 8; seed++) {
		scene s;
		scene_begin(&s, 0.02, seed);
		if (seed % 2) branch(&s.chain.tree);
		fit(&s, (int)(seed % 3), (int)(seed % 4));
		for (size_t i = 0; i < BONES * POSES; i++) {
			const size_t b = i / POSES, parent = s.chain.tree.parent[b];
			if (parent == OSSA_NONE) continue;
			const ossai_rigid *own = &s.chain.motion.rigid[i], *above = &s.chain.motion.rigid[parent * POSES + i % POSES];
			const ossai_vec3 p = ossai_rigid_point(own, s.chain.joint[b]), q = ossai_rigid_point(above, s.chain.joint[b]);
			assert_near_vec3(p, q, 1e-12);
		}
		scene_end(&s);
	}
}

static void exact_motion_is_kept_and_found_again(void **state)
{
	(void)state;
	scene s;
	uint64_t random = 4;
	scene_begin(&s, 0, 4);
	fit(&s, 0, 0);
	assert_true(test_rms_percent(&s.t.s, error_of(&s)) < 1e-6);
	turn_bones(&s, 0.3, &random);
	fit(&s, 3, 20);
	assert_true(test_rms_percent(&s.t.s, error_of(&s)) < 1e-5);
	scene_end(&s);
}

static void moments_error_is_that_of_the_motion_returned(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 8; seed++) {
		scene s;
		scene_begin(&s, 0.05, seed);
		if (seed % 2) branch(&s.chain.tree);
		fit(&s, 2, 2);
		const double plain = error_of(&s);
		assert_near(ossai_moments_error(&s.m, &s.chain.motion), plain, 1e-9 * plain);
		scene_end(&s);
	}
}

static void more_steps_never_raise_the_error(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 8; seed++) {
		scene s;
		uint64_t random = seed;
		scene_begin(&s, 0.05, seed);
		if (seed % 2) branch(&s.chain.tree);
		turn_bones(&s, 1.5, &random);
		fit(&s, 0, 0);
		double before = error_of(&s);
		for (int step = 0; step < 10; step++) {
			fit(&s, step % 2, 1 - step % 2);
			const double now = error_of(&s);
			assert_true(now <= before * (1 + 1e-12));
			before = now;
		}
		scene_end(&s);
	}
}

/* at the end no turn of any bone and no shift of the root lowers the error: the gradient is right,
   and it is 0 */
static void no_small_turn_lowers_the_error_at_the_end(void **state)
{
	(void)state;
	scene s;
	uint64_t random = 8;
	scene_begin(&s, 0.03, 6);
	branch(&s.chain.tree);
	fit(&s, 20, 100);
	ossai_rigid best[BONES * POSES];
	memcpy(best, s.chain.motion.rigid, sizeof best);
	const double least = error_of(&s);
	for (int i = 0; i < 200; i++) {
		memcpy(s.chain.motion.rigid, best, sizeof best);
		turn_bones(&s, i % 2 ? 1e-3 : 1e-2, &random);
		fit(&s, 0, 0);
		assert_true(error_of(&s) >= least * (1 - 1e-9));
	}
	memcpy(s.chain.motion.rigid, best, sizeof best);
	for (int i = 0; i < 20; i++) {
		const ossai_vec3 shift = test_random_point(&random, 1e-3);
		for (size_t j = 0; j < BONES * POSES; j++) s.chain.motion.rigid[j].t = ossai_add(best[j].t, shift);
		assert_true(error_of(&s) > least);
	}
	scene_end(&s);
}

static void same_motion_for_any_threads(void **state)
{
	(void)state;
	scene one;
	scene_begin(&one, 0.05, 3);
	fit(&one, 2, 2);
	for (int threads = 1; threads <= 3; threads += 2) {
		ossa_context *context = test_context(threads);
		scene other;
		scene_begin(&other, 0.05, 3);
		assert_ok(context, ossai_hierarchy_fit_some(context, &other.m, &other.h, NULL, 2, 2, &other.chain.motion));
		assert_memory_equal(one.chain.motion.rigid, other.chain.motion.rigid, BONES * POSES * sizeof(ossai_rigid));
		scene_end(&other);
		test_context_end(context);
	}
	scene_end(&one);
}

/* ---- joints ---- */

static void place(scene *s, const ossai_vec3 *anchor, double hold)
{
	assert_ok(s->t.context, place_in(s->t.context, &s->m, &s->h, &s->chain.motion, anchor, hold));
}

static void displaced_joints_are_found_again(void **state)
{
	(void)state;
	scene s;
	uint64_t random = 3;
	ossai_vec3 truth[BONES];
	scene_begin(&s, 0, 9);
	memcpy(truth, s.chain.joint, sizeof truth);
	for (int b = 1; b < BONES; b++) s.chain.joint[b] = ossai_add(truth[b], test_random_point(&random, 0.1));
	ossai_vec3 anchor[BONES];
	memcpy(anchor, s.chain.joint, sizeof anchor);
	place(&s, anchor, 0);
	for (int b = 0; b < BONES; b++) assert_near_vec3(s.chain.joint[b], truth[b], 1e-6);
	/* held fast, they stay at the anchor */
	place(&s, anchor, 1e12);
	for (int b = 1; b < BONES; b++) assert_near_vec3(s.chain.joint[b], anchor[b], 1e-6);
	scene_end(&s);
}

/* what place_joints lowers: the hierarchy's error with these joints, and what they pay for leaving
   their anchors */
static double held_error(scene *s, const ossai_vec3 *joint, const ossai_vec3 *anchor, double hold)
{
	memcpy(s->chain.joint, joint, BONES * sizeof *joint);
	fit(s, 0, 0);
	double error = error_of(s);
	for (int b = 1; b < BONES; b++) error += hold * POSES * ossai_length2(ossai_sub(joint[b], anchor[b]));
	return error;
}

/* the minimum of a quadratic function of the joints from its values alone */
static void dense_joints(scene *s, const ossai_vec3 *anchor, double hold, ossai_vec3 *joint)
{
	enum { N = 3 * (BONES - 1) };
	const double step = 0.01;
	double value[N + 1], a[N * N], b[N];
	ossai_vec3 tried[BONES];
	const double zero = held_error(s, anchor, anchor, hold);
	for (size_t i = 0; i < N; i++) {
		for (size_t j = 0; j <= i; j++) {
			double moved[3 * BONES];
			for (int c = 0; c < BONES; c++) ossai_v3_store(anchor[c], moved + 3 * c);
			moved[3 + i] += step;
			moved[3 + j] += i == j ? 0 : step;
			for (int c = 0; c < BONES; c++) tried[c] = ossai_v3_of(moved + 3 * c);
			a[i * N + j] = held_error(s, tried, anchor, hold);
		}
		value[i] = a[i * N + i];
	}
	for (size_t i = 0; i < N; i++) {
		double moved[3 * BONES];
		for (int c = 0; c < BONES; c++) ossai_v3_store(anchor[c], moved + 3 * c);
		moved[3 + i] -= step;
		for (int c = 0; c < BONES; c++) tried[c] = ossai_v3_of(moved + 3 * c);
		const double back = held_error(s, tried, anchor, hold);
		b[i] = -(value[i] - back) / (2 * step);
		for (size_t j = 0; j < i; j++) a[i * N + j] = (a[i * N + j] - value[i] - value[j] + zero) / (step * step);
		a[i * N + i] = (value[i] - 2 * zero + back) / (step * step);
	}
	assert_true(ossai_cholesky_solve(N, a, b));
	joint[0] = anchor[0];
	for (int c = 1; c < BONES; c++) joint[c] = ossai_add(anchor[c], ossai_v3_of(b + 3 * (c - 1)));
}

static void placed_joints_are_those_of_dense_least_squares(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		scene s;
		ossai_vec3 anchor[BONES], wanted[BONES];
		scene_begin(&s, 0.03, seed);
		memcpy(anchor, s.chain.joint, sizeof anchor);
		const double hold = seed % 2 ? 0.1 : 3;
		dense_joints(&s, anchor, hold, wanted);
		memcpy(s.chain.joint, anchor, sizeof anchor);
		place(&s, anchor, hold);
		for (int b = 0; b < BONES; b++) assert_near_vec3(s.chain.joint[b], wanted[b], 1e-6);
		scene_end(&s);
	}
}

/* the hold is full at the anchor and less for a joint that has left it */
static void joints_far_from_their_anchors_are_held_less(void **state)
{
	(void)state;
	scene s;
	uint64_t random = 5;
	ossai_vec3 truth[BONES], anchor[BONES];
	scene_begin(&s, 0, 9);
	memcpy(truth, s.chain.joint, sizeof truth);
	for (int b = 0; b < BONES; b++) anchor[b] = ossai_add(truth[b], test_random_point(&random, 0.1));
	double gap[2] = {0};
	for (int from_truth = 0; from_truth < 2; from_truth++) {
		memcpy(s.chain.joint, from_truth ? truth : anchor, sizeof truth);
		place(&s, anchor, 1);
		for (int b = 1; b < BONES; b++) gap[from_truth] += ossai_distance(s.chain.joint[b], anchor[b]);
	}
	assert_true(gap[1] > 1.2 * gap[0]);
	scene_end(&s);
}

/* Every bone turns about y, hardly about anything else; the sheet is posed with joints that are
   `away` from the chain's. */
static void make_hinges(scene *s, double wobble, ossai_vec3 away)
{
	uint64_t random = 11;
	ossai_vec3 joint[BONES];
	memcpy(joint, s->chain.joint, sizeof joint);
	for (size_t b = 0; b < BONES; b++) {
		const uint32_t parent = s->chain.tree.parent[b];
		if (parent != OSSA_NONE) s->chain.joint[b] = ossai_add(joint[b], away);
		for (size_t k = 0; k < POSES; k++) {
			const double half = 0.5 * test_random(&random);
			const ossai_quat about = {0, sin(half), 0, cos(half)}, tilt = test_random_turn(&random, wobble);
			const ossai_mat3 turn = ossai_quat_matrix(about), small = ossai_quat_matrix(tilt);
			ossai_mat3 *r = &s->chain.motion.rigid[b * POSES + k].r;
			*r = ossai_mat3_mul(&turn, &small);
			if (parent != OSSA_NONE) *r = ossai_mat3_mul(&s->chain.motion.rigid[parent * POSES + k].r, r);
		}
	}
	fit(s, 0, 0);
	test_surface_blend(&s->t, &s->chain.weights, &s->chain.motion);
	ossai_moments_end(&s->m);
	assert_ok(s->t.context, ossai_moments_make(s->t.context, &s->t.s, &s->chain.weights, &s->m));
	memcpy(s->chain.joint, joint, sizeof joint);
}

/* the hinges' joints would repeat the poses exactly from far out of the sheet: they go there across
   their axis, not along it */
static void hinges_do_not_slide_along_their_axis(void **state)
{
	(void)state;
	const ossai_vec3 away = {0.05, 0.5, 0};
	for (int ball = 0; ball < 2; ball++) {
		scene s;
		scene_begin(&s, 0, 9);
		make_hinges(&s, ball ? 1 : 0.02, away);
		ossai_vec3 anchor[BONES];
		memcpy(anchor, s.chain.joint, sizeof anchor);
		for (int round = 0; round < 30; round++) place(&s, anchor, 1e-4);
		for (size_t b = 0; b < BONES; b++) {
			if (s.chain.tree.parent[b] == OSSA_NONE) continue;
			const ossai_vec3 gone = ossai_sub(s.chain.joint[b], anchor[b]);
			/* one that rotates about all axes has a determined position */
			if (ball) assert_near_vec3(gone, away, 0.02);
			else {
				assert_near(gone.y, 0, 0.1);
				assert_near(gone.x, away.x, 0.02);
			}
		}
		scene_end(&s);
	}
}

static void one_bone_is_a_hierarchy(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 6, 3, POSES);
	test_chain chain = test_chain_make(&t, 1, 2);
	const ossai_vec3 joint = chain.joint[0];
	ossai_hierarchy h = {&chain.tree, chain.joint, NULL};
	ossai_moments m;
	assert_ok(t.context, ossai_moments_make(t.context, &t.s, &chain.weights, &m));
	for (int k = 0; k < POSES; k++) chain.motion.rigid[k] = (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}};
	assert_ok(t.context, ossai_hierarchy_fit_some(t.context, &m, &h, NULL, 1, 1, &chain.motion));
	assert_true(test_rms_percent(&t.s, test_blend_error(&t, &chain.weights, &chain.motion)) < 1e-9);
	assert_ok(t.context, place_in(t.context, &m, &h, &chain.motion, chain.joint, 0.1));
	assert_true(ossai_distance(joint, chain.joint[0]) == 0);
	ossai_moments_end(&m);
	test_surface_end(&t);
}

static ossa_status fit_in_sweep(ossa_context *context, void *arg)
{
	scene *s = arg;
	OSSAI_TRY(place_in(context, &s->m, &s->h, &s->chain.motion, s->chain.joint, 1));
	return ossai_hierarchy_fit_some(context, &s->m, &s->h, NULL, 1, 1, &s->chain.motion);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	scene s;
	scene_begin(&s, 0.02, 3);
	test_allocation_sweep(fit_in_sweep, &s, 200, 1);
	scene_end(&s);
}

/* the marked bones are at the best that the others leave them; those do not move by a bit */
static void some_bones_are_fitted_alone(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 8; seed++) {
		scene s;
		scene_begin(&s, 0.01, seed);
		if (seed % 2) branch(&s.chain.tree);
		fit(&s, 3, 8);
		uint8_t moving[BONES] = {0};
		/* children of the last but one in order move too */
		moving[s.chain.tree.order[BONES - 1]] = 1;
		const uint32_t parent = s.chain.tree.parent[s.chain.tree.order[BONES - 1]];
		for (size_t i = 1; i < BONES && seed % 3; i++) {
			const uint32_t b = s.chain.tree.order[i];
			moving[b] |= b == parent || moving[s.chain.tree.parent[b]];
		}
		uint64_t random = seed;
		for (size_t b = 0; b < BONES; b++) {
			for (size_t k = 0; k < POSES && moving[b]; k++) {
				const ossai_mat3 turn = ossai_quat_matrix(test_random_turn(&random, 0.3));
				s.chain.motion.rigid[b * POSES + k].r = ossai_mat3_mul(&turn, &s.chain.motion.rigid[b * POSES + k].r);
			}
		}
		ossai_rigid before[BONES * POSES];
		memcpy(before, s.chain.motion.rigid, sizeof before);
		assert_ok(s.t.context, ossai_hierarchy_fit_some(s.t.context, &s.m, &s.h, moving, 3, 30, &s.chain.motion));
		const double best = error_of(&s);
		for (size_t i = 0; i < BONES * POSES; i++) {
			if (!moving[i / POSES]) assert_memory_equal(&before[i], &s.chain.motion.rigid[i], sizeof before[i]);
		}
		/* rotated a little from there the error is larger: about fixed joints, with their
		   descendants */
		memcpy(before, s.chain.motion.rigid, sizeof before);
		for (int trial = 0; trial < 20; trial++) {
			for (size_t at = 1; at < BONES; at++) {
				const uint32_t b = s.chain.tree.order[at], up = s.chain.tree.parent[b];
				for (size_t k = 0; k < POSES && moving[b]; k++) {
					ossai_rigid *x = &s.chain.motion.rigid[b * POSES + k];
					const ossai_mat3 turn = ossai_quat_matrix(test_random_turn(&random, 0.01));
					x->r = ossai_mat3_mul(&turn, &before[b * POSES + k].r);
					const ossai_vec3 joint = s.chain.joint[b];
					const ossai_vec3 there = ossai_rigid_point(&s.chain.motion.rigid[up * POSES + k], joint);
					x->t = ossai_sub(there, ossai_mat3_mul_v(&x->r, joint));
				}
			}
			assert_true(error_of(&s) >= best - 1e-12);
		}
		scene_end(&s);
	}
}

/* the root among them is all of them */
static void the_root_is_all_bones(void **state)
{
	scene a, b;
	uint8_t moving[BONES];
	(void)state;
	memset(moving, 1, sizeof moving);
	scene_begin(&a, 0.01, 3);
	scene_begin(&b, 0.01, 3);
	fit(&a, 3, 4);
	assert_ok(b.t.context, ossai_hierarchy_fit_some(b.t.context, &b.m, &b.h, moving, 3, 4, &b.chain.motion));
	assert_memory_equal(a.chain.motion.rigid, b.chain.motion.rigid, BONES * POSES * sizeof *a.chain.motion.rigid);
	scene_end(&a);
	scene_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(some_bones_are_fitted_alone),
		cmocka_unit_test(the_root_is_all_bones),

		cmocka_unit_test(translations_follow_the_tree),
		cmocka_unit_test(exact_motion_is_kept_and_found_again),
		cmocka_unit_test(moments_error_is_that_of_the_motion_returned),
		cmocka_unit_test(more_steps_never_raise_the_error),
		cmocka_unit_test(no_small_turn_lowers_the_error_at_the_end),
		cmocka_unit_test(same_motion_for_any_threads),
		cmocka_unit_test(displaced_joints_are_found_again),
		cmocka_unit_test(placed_joints_are_those_of_dense_least_squares),
		cmocka_unit_test(joints_far_from_their_anchors_are_held_less),
		cmocka_unit_test(hinges_do_not_slide_along_their_axis),
		cmocka_unit_test(one_bone_is_a_hierarchy),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
