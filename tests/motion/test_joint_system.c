/* tests/motion/test_joint_system.c: the normal equations of joints with zeros, against the dense
   ones. */
#include "motion/joint_system.h"

#include "support/support.h"
#include "support/surfaces.h"

enum { BONES = 24, POSES = 6 };

/* a strip of bones whose tree has its root at `root`, and branches where `random` says so */
static void branch(test_chain *chain, uint32_t root, uint64_t *random)
{
	ossai_tree *tree = &chain->tree;
	tree->root = root;
	for (uint32_t b = 0; b < tree->bone_count; b++) {
		const uint32_t next = b < root ? b + 1 : b - 1, after = b < root ? b + 2 : b - 2;
		const bool skips = test_random(random) > 0.6 && (b < root ? after <= root : b > root + 1);
		tree->parent[b] = b == root ? OSSA_NONE : skips ? after : next;
	}
	ossai_tree_sort(tree);
}

static void hold(const ossai_joint_system *w, double weight)
{
	for (size_t i = 0; i < 3 * (w->sums->bone_count - 1); i++) *ossai_joint_system_entry(w, i, i) += weight;
}

/* the joints of one form, by bone */
static void solve(test_surface *t, const ossai_subtree_moments *sums, const ossai_bone_motion *motion, ossai_joint_form form,
	ossai_vec3 *joint)
{
	ossai_arena arena = ossai_arena_begin(t->context);
	ossai_joint_system w;
	assert_ok(t->context, ossai_joint_system_make(&arena, sums, motion, form, &w));
	assert_int_equal(w.is_sparse, form == OSSAI_JOINTS_SPARSE);
	hold(&w, 0.1);
	assert_true(ossai_skyline_solve_one(&w.shape, w.h, w.g));
	for (size_t b = 0; b < sums->bone_count; b++) {
		joint[b] = b == sums->tree->root ? (ossai_vec3){0, 0, 0} : ossai_v3_of(w.g + 3 * w.place[b]);
	}
	ossai_arena_end(&arena);
}

static void both_forms_have_the_same_joints(void **state)
{
	(void)state;
	uint64_t random = 7;
	for (int trial = 0; trial < 8; trial++) {
		test_surface t = test_surface_grid(2, 4 * BONES, 4, POSES);
		test_chain chain = test_chain_make(&t, BONES, (uint64_t)trial + 1);
		ossai_moments m;
		ossai_subtree_moments sums;
		ossai_vec3 root[POSES], dense[BONES], sparse[BONES];
		test_surface_shake(&t, 0.03, (uint64_t)trial + 1);
		branch(&chain, (uint32_t)trial * 3, &random);
		for (int k = 0; k < POSES; k++) root[k] = test_random_point(&random, 0.2);
		assert_ok(t.context, ossai_moments_make(t.context, &t.s, &chain.weights, &m));
		ossai_arena arena = ossai_arena_begin(t.context);
		assert_ok(t.context, ossai_subtree_moments_make(&arena, &m, &chain.tree, trial % 2 ? root : NULL, &sums));
		solve(&t, &sums, &chain.motion, OSSAI_JOINTS_DENSE, dense);
		solve(&t, &sums, &chain.motion, OSSAI_JOINTS_SPARSE, sparse);
		for (int b = 0; b < BONES; b++) assert_near_vec3(sparse[b], dense[b], 1e-9);
		ossai_arena_end(&arena);
		ossai_moments_end(&m);
		test_surface_end(&t);
	}
}

/* which form a chain with its root in the middle gets */
static bool is_sparse(size_t bones, size_t poses)
{
	uint64_t random = 1;
	test_surface t = test_surface_grid(2, 4 * bones, 4, poses);
	test_chain chain = test_chain_make(&t, bones, 1);
	ossai_moments m;
	ossai_subtree_moments sums;
	ossai_joint_system w;
	branch(&chain, (uint32_t)bones / 2, &random);
	assert_ok(t.context, ossai_moments_make(t.context, &t.s, &chain.weights, &m));
	ossai_arena arena = ossai_arena_begin(t.context);
	assert_ok(t.context, ossai_subtree_moments_make(&arena, &m, &chain.tree, NULL, &sums));
	assert_ok(t.context, ossai_joint_system_make(&arena, &sums, &chain.motion, OSSAI_JOINTS_CHEAPER, &w));
	const bool found = w.is_sparse;
	ossai_arena_end(&arena);
	ossai_moments_end(&m);
	test_surface_end(&t);
	return found;
}

/* translations are as many unknowns as poses: they must be few beside the joints */
static void the_cheaper_form_is_taken(void **state)
{
	(void)state;
	assert_false(is_sparse(4, 2));
	assert_true(is_sparse(120, 2));
	assert_false(is_sparse(120, 90));
}

static void one_bone_after_another_has_its_subtree_before_it(void **state)
{
	(void)state;
	uint64_t random = 3;
	test_surface t = test_surface_grid(2, 4 * BONES, 4, 1);
	test_chain chain = test_chain_make(&t, BONES, 1);
	uint32_t place[BONES];
	branch(&chain, 11, &random);
	for (int some = 0; some < 2; some++) {
		uint8_t counted[BONES];
		bool taken[BONES] = {false};
		size_t count = 0;
		for (int b = 0; b < BONES; b++) count += counted[b] = !some || b % 3 > 0;
		assert_ok(t.context, ossai_tree_number(&t.arena, &chain.tree, some ? counted : NULL, place));
		for (int b = 0; b < BONES; b++) {
			const uint32_t parent = chain.tree.parent[b];
			assert_int_equal(place[b] == OSSA_NONE, !counted[b]);
			if (!counted[b]) continue;
			assert_true(place[b] < count && !taken[place[b]]);
			taken[place[b]] = true;
			if (parent != OSSA_NONE && counted[parent]) assert_true(place[parent] > place[b]);
		}
	}
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_forms_have_the_same_joints),
		cmocka_unit_test(the_cheaper_form_is_taken),
		cmocka_unit_test(one_bone_after_another_has_its_subtree_before_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
