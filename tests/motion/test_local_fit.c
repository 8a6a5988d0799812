/* tests/motion/test_local_fit.c: a part of a hierarchy fitted alone, against the whole and against
   the vertices. */
#include "motion/local_fit.h"

#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

enum { BONES = 8, POSES = 6 };

/* a strip whose bones form a tree, in poses that no hierarchy has exactly */
typedef struct scene {
	test_surface t;
	test_chain chain;
	ossai_moments m;
	ossai_subtree_moments sums;
	ossai_hierarchy h;
	double error[POSES];
} scene;

/* 3 is the root, with two limbs; 6 branches off one of them */
static void branch(ossai_tree *tree)
{
	const uint32_t parent[BONES] = {1, 2, 3, OSSA_NONE, 3, 4, 4, 6};
	memcpy(tree->parent, parent, sizeof parent);
	tree->root = 3;
	ossai_tree_sort(tree);
}

static void scene_begin(scene *s, uint64_t seed)
{
	s->t = test_surface_grid(2, 32, 4, POSES);
	s->chain = test_chain_make(&s->t, BONES, seed);
	test_surface_shake(&s->t, 0.03, seed);
	branch(&s->chain.tree);
	s->h = (ossai_hierarchy){&s->chain.tree, s->chain.joint, NULL};
	assert_ok(s->t.context, ossai_moments_make(s->t.context, &s->t.s, &s->chain.weights, &s->m));
	assert_ok(s->t.context, ossai_subtree_moments_make(&s->t.arena, &s->m, &s->chain.tree, NULL, &s->sums));
	assert_ok(s->t.context, ossai_hierarchy_fit_part(s->t.context, &s->sums, &s->h, NULL, 1, 0, &s->chain.motion, s->error));
}

static void scene_end(scene *s)
{
	ossai_moments_end(&s->m);
	test_surface_end(&s->t);
}

/* the part within so many edges of a bone */
static void make_part(scene *s, uint32_t bone, size_t steps, ossai_local_fit *fit)
{
	uint8_t near[BONES];
	ossai_local_bones(&s->chain.tree, bone, steps, near);
	assert_ok(s->t.context, ossai_local_fit_make(&s->t.arena, &s->sums, &s->h, &s->chain.motion, s->error, near, fit));
}

static void neighbours_are_counted_by_edges(void **state)
{
	(void)state;
	uint32_t parent[BONES], pair[BONES], order[BONES];
	ossai_tree tree = {BONES, 0, parent, pair, order};
	uint8_t near[BONES];
	branch(&tree);
	assert_int_equal(ossai_local_bones(&tree, 5, 0, near), 1);
	assert_int_equal(ossai_local_bones(&tree, 5, 1, near), 2);
	/* 5, 4, 3 and 6 */
	assert_int_equal(ossai_local_bones(&tree, 5, 2, near), 4);
	assert_true(near[5] && near[4] && near[3] && near[6] && !near[2] && !near[7]);
	assert_int_equal(ossai_local_bones(&tree, 0, 7, near), BONES);
}

static double sum(const double *error) { return ossai_error_of_poses(POSES, error); }

/* the error of a part is that of all vertices, before and after joints and bones moved */
static void errors_are_those_of_the_vertices(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 6; seed++) {
		for (uint32_t bone = 0; bone < BONES; bone++) {
			scene s;
			double error[POSES];
			scene_begin(&s, seed);
			ossai_local_fit fit;
			make_part(&s, bone, 1 + seed % 3, &fit);
			const ossai_hierarchy part = {&fit.tree, fit.joint, NULL};
			const double before = test_blend_error(&s.t, &s.chain.weights, &s.chain.motion);
			assert_near(before, sum(s.error), 1e-9 * before);
			for (size_t i = 1; i < fit.count; i++) fit.joint[i].y += 0.01 * (double)i;
			assert_ok(
				s.t.context, ossai_hierarchy_fit_part(s.t.context, &fit.sums, &part, fit.moving, 2, 1, &fit.motion, error));
			ossai_local_fit_give(&fit, &s.h, &s.chain.motion);
			const double after = test_blend_error(&s.t, &s.chain.weights, &s.chain.motion);
			assert_true(fabs(after - before) > 1e-6 * before);
			assert_near(sum(error), after, 1e-8 * after);
			scene_end(&s);
		}
	}
}

/* a part that is all of the tree is fitted as the whole */
static void all_bones_are_fitted_as_the_whole(void **state)
{
	(void)state;
	scene s;
	double error[POSES], whole[POSES];
	ossai_bone_motion motion;
	scene_begin(&s, 3);
	ossai_local_fit fit;
	make_part(&s, 4, BONES, &fit);
	const ossai_hierarchy part = {&fit.tree, fit.joint, NULL};
	ossai_bone_motion part_motion = fit.motion;
	assert_int_equal(fit.count, BONES);
	assert_ok(s.t.context, ossai_bone_motion_new(&s.t.arena, BONES, POSES, &motion));
	ossai_bone_motion_copy(&s.chain.motion, &motion);
	assert_ok(s.t.context, ossai_hierarchy_fit_part(s.t.context, &s.sums, &s.h, NULL, 0, 20, &motion, whole));
	assert_ok(s.t.context, ossai_hierarchy_fit_part(s.t.context, &fit.sums, &part, fit.moving, 0, 20, &part_motion, error));
	for (size_t k = 0; k < POSES; k++) assert_near(error[k], whole[k], 1e-7 * whole[k]);
	scene_end(&s);
}

/* joints of a part, against those of the whole with all others held, the root's translation too */
static void joints_are_those_that_the_whole_has(void **state)
{
	(void)state;
	for (uint32_t bone = 0; bone < BONES; bone++) {
		scene s;
		uint8_t movable[BONES] = {0}, all[BONES];
		ossai_vec3 anchor[BONES], joint[BONES];
		scene_begin(&s, 1 + bone);
		ossai_local_fit fit;
		make_part(&s, bone, 1, &fit);
		ossai_hierarchy part = {&fit.tree, fit.joint, NULL}, whole = {&s.chain.tree, joint, NULL};
		memset(all, 1, sizeof all);
		memcpy(anchor, fit.joint, fit.count * sizeof *anchor);
		memcpy(joint, s.chain.joint, sizeof joint);
		for (size_t i = 1; i < fit.count; i++) movable[fit.bone[i]] = 1;
		/* as with a translation that is held */
		if (!fit.moving[0]) {
			assert_ok(s.t.context, ossai_hierarchy_place_joints(s.t.context, &fit.sums, &part, &fit.motion, all, anchor, 0));
			assert_ok(
				s.t.context, ossai_hierarchy_place_some(s.t.context, &s.m, &whole, &s.chain.motion, movable, s.chain.joint, 0));
		}
		for (size_t i = 1; i < fit.count; i++) assert_near_vec3(fit.joint[i], joint[fit.bone[i]], 1e-6);
		scene_end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neighbours_are_counted_by_edges),
		cmocka_unit_test(errors_are_those_of_the_vertices),
		cmocka_unit_test(all_bones_are_fitted_as_the_whole),
		cmocka_unit_test(joints_are_those_that_the_whole_has),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
