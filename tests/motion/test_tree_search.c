/* tests/motion/test_tree_search.c: bones get the parents with which a chain was posed, unless their
   joints would have to be where no joint is. */
#include "motion/tree_search.h"

#include "support/support.h"
#include "support/surfaces.h"

enum { BONES = 4, POSES = 6, PAIRS = 3 };

/* a chain on a sheet; every bone may be the child of the one before it, the last one also of
   another */
typedef struct scene {
	test_surface t;
	test_chain chain;
	ossai_moments moments;
	ossai_bone_pair pairs[PAIRS + 1];
	ossai_bone_graph graph;
	ossai_joint joint_of_pair[PAIRS + 1];
	ossai_joint_prior prior_of_pair[PAIRS + 1];
	uint32_t last, right, wrong; /* a bone, its parent, and another one */
} scene;

static void begin(scene *s)
{
	*s = (scene){.t = test_surface_grid(1, 24, 4, POSES)};
	s->chain = test_chain_make(&s->t, BONES, 3);
	const ossai_tree *tree = &s->chain.tree;
	assert_ok(s->t.context, ossai_moments_make(s->t.context, &s->t.s, &s->chain.weights, &s->moments));
	s->last = tree->order[BONES - 1];
	s->right = tree->parent[s->last];
	s->wrong = tree->parent[s->right];
	for (size_t at = 1; at <= PAIRS + 1; at++) {
		const uint32_t b = at <= PAIRS ? tree->order[at] : s->last, parent = at <= PAIRS ? tree->parent[b] : s->wrong;
		s->pairs[at - 1] = (ossai_bone_pair){.a = parent, .b = b, .shared = 1, .contact = 1};
		if (at <= PAIRS) tree->pair[b] = (uint32_t)at - 1;
		s->joint_of_pair[at - 1] = (ossai_joint){.position = s->chain.joint[b], .residual = at <= PAIRS ? 0 : 0.01};
		s->prior_of_pair[at - 1] = ossai_joint_prior_around(s->chain.joint[b], 0.05);
	}
	s->graph = (ossai_bone_graph){.bone_count = BONES, .pair_count = PAIRS + 1, .pairs = s->pairs};
	tree->parent[s->last] = s->wrong;
	tree->pair[s->last] = PAIRS;
	ossai_tree_sort(&s->chain.tree);
}

static void search(scene *s)
{
	assert_ok(s->t.context,
		ossai_tree_search(s->t.context, &s->moments, &s->graph, s->joint_of_pair, s->prior_of_pair, &s->chain.motion, 1e-3,
			NULL, &s->chain.tree, s->chain.joint));
}

static void end(scene *s)
{
	ossai_moments_end(&s->moments);
	test_surface_end(&s->t);
}

static void a_bone_gets_the_parent_that_moves_it(void **state)
{
	(void)state;
	scene s;
	begin(&s);
	search(&s);
	assert_int_equal(s.chain.tree.parent[s.last], s.right);
	assert_int_equal(s.chain.tree.pair[s.last], PAIRS - 1);
	end(&s);
}

/* the same where the shape has no joint of the two bones within a thousand deviations */
static void no_error_is_worth_any_joint(void **state)
{
	(void)state;
	scene s;
	begin(&s);
	s.prior_of_pair[PAIRS - 1] = ossai_joint_prior_around(ossai_v3(9, 9, 9), 1e-20);
	search(&s);
	assert_int_equal(s.chain.tree.parent[s.last], s.wrong);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bone_gets_the_parent_that_moves_it),
		cmocka_unit_test(no_error_is_worth_any_joint),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
