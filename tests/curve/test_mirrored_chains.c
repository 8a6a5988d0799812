/* tests/curve/test_mirrored_chains.c: mirrored chains against an exhaustive comparison of their
   sets of ends. */
#include "curve/mirrored_chains.h"

#include "support/support.h"

#include <ossa/mesh.h>

enum { MOST = 40 };

/* A random tree, of which each part is on both sides or on one alone; with a root that is an end,
   or not. */
typedef struct tree {
	size_t count;
	ossai_branch branch[MOST];
	ossai_vec3 root;
} tree;

static const ossai_mirror mirror = {true, {1, 0, 0}, 0.1, 0, 0};

static double number(uint32_t *random) { return (test_random_bits(random) % 4096) / 4096.0; }

static uint32_t add(tree *t, uint32_t parent, ossai_vec3 tip)
{
	if (parent != OSSA_NONE) t->branch[parent].is_leaf = false;
	t->branch[t->count] = (ossai_branch){parent, true, tip};
	return (uint32_t)t->count++;
}

static ossai_vec3 place(uint32_t *random) { return ossai_v3(number(random), number(random), number(random)); }

/* symmetric: nothing is on one side alone, and the root has an image, too */
static tree make_tree(uint32_t *random, bool whole)
{
	tree t = {.root = place(random)};
	uint32_t end[2] = {add(&t, OSSA_NONE, place(random)), 0};
	end[1] = end[0];
	if (whole) add(&t, 0, ossai_mirror_point(&mirror, t.root));
	while (t.count + 6 < MOST) {
		/* three branches of both: each on its own side, or on one alone */
		const uint32_t from[2] = {end[0], end[1]};
		for (int i = 0; i < 3; i++) {
			const ossai_vec3 tip = place(random);
			const bool first = number(random) > 0.1 || whole, second = number(random) > 0.1 || whole;
			if (first) end[0] = add(&t, from[0], tip);
			if (second) end[1] = add(&t, from[1], ossai_mirror_point(&mirror, tip));
		}
		if (end[0] == from[0] || end[1] == from[1]) break;
	}
	return t;
}

static ossai_vec3 tip_of(const tree *t, size_t end) { return end == t->count ? t->root : t->branch[end].tip; }

static bool is_end(const tree *t, bool with_root, size_t end) { return end == t->count ? with_root : t->branch[end].is_leaf; }

static size_t nearest(const tree *t, bool with_root, size_t end)
{
	const ossai_vec3 image = ossai_mirror_point(&mirror, tip_of(t, end));
	size_t best = MOST + 1;
	for (size_t e = 0; e <= t->count; e++) {
		if (!is_end(t, with_root, e)) continue;
		if (best > MOST || ossai_distance(tip_of(t, e), image) < ossai_distance(tip_of(t, best), image)) best = e;
	}
	const double off = ossai_distance(tip_of(t, end), image);
	return ossai_distance(tip_of(t, best), image) < 0.06 + 0.35 * off / 2 ? best : MOST + 1;
}

/* what is beyond a chain, a bit an end; and the partners of that, 0 where one has none */
static void sets_of(const tree *t, bool with_root, uint32_t chain, uint64_t *ends, uint64_t *images)
{
	bool all = true;
	*ends = *images = 0;
	for (uint32_t e = 0; e < t->count; e++) {
		uint32_t up = e;
		while (up != OSSA_NONE && up != chain) up = t->branch[up].parent;
		if (up != chain || !t->branch[e].is_leaf) continue;
		*ends |= (uint64_t)1 << e;
		const size_t counterpart = nearest(t, with_root, e);
		if (counterpart > MOST || nearest(t, with_root, counterpart) != e) all = false;
		else *images |= (uint64_t)1 << counterpart;
	}
	if (!all) *images = 0;
}

static void images_are_those_of_the_ends(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t random = 11;
	size_t straight = 0, turned = 0, none = 0;
	for (int run = 0; run < 400; run++) {
		const tree t = make_tree(&random, run % 4 == 1);
		const bool with_root = run % 2;
		ossai_branch_image image[MOST];
		assert_ok(context, ossai_mirrored_chains(&arena, &mirror, with_root ? &t.root : NULL, t.count, t.branch, image));
		uint64_t ends[MOST], images[MOST], all = with_root ? (uint64_t)1 << t.count : 0;
		for (uint32_t c = 0; c < t.count; c++) {
			sets_of(&t, with_root, c, &ends[c], &images[c]);
			if (t.branch[c].is_leaf) all |= (uint64_t)1 << c;
		}
		for (uint32_t c = 0; c < t.count; c++) {
			ossai_branch_image expected = {OSSA_NONE, false};
			for (uint32_t o = (uint32_t)t.count; images[c] && o-- > 0;) {
				if (with_root && images[c] == (all & ~ends[o])) expected = (ossai_branch_image){o, true};
			}
			for (uint32_t o = (uint32_t)t.count; images[c] && o-- > 0;) {
				if (images[c] == ends[o]) expected = (ossai_branch_image){o, false};
			}
			assert_int_equal(image[c].chain, expected.chain);
			assert_int_equal(image[c].is_turned, expected.is_turned);
			straight += expected.chain != OSSA_NONE && !expected.is_turned;
			turned += expected.is_turned;
			none += expected.chain == OSSA_NONE;
		}
	}
	assert_true(straight > 500 && none > 500 && turned > 5);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void a_root_that_is_an_end_has_an_image(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	/* a toe, the hips, the other toe, the head */
	const ossai_vec3 toe = {-0.2, 0, 0};
	const ossai_branch branch[] = {{OSSA_NONE, false, {0.1, 1, 0}}, {0, true, {0.4, 0, 0}}, {0, true, {0.1, 2, 0}}};
	ossai_branch_image image[3];
	assert_ok(context, ossai_mirrored_chains(&arena, &mirror, &toe, 3, branch, image));
	assert_true(image[0].chain == 1 && image[0].is_turned);
	assert_true(image[1].chain == 0 && image[1].is_turned);
	assert_true(image[2].chain == 2 && !image[2].is_turned);
	/* without a plane nothing is the image of anything; of nothing there is nothing */
	const ossai_mirror no_plane = {0};
	assert_ok(context, ossai_mirrored_chains(&arena, &no_plane, &toe, 3, branch, image));
	for (int c = 0; c < 3; c++) assert_int_equal(image[c].chain, OSSA_NONE);
	assert_ok(context, ossai_mirrored_chains(&arena, &mirror, NULL, 0, branch, image));
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* Two legs of a tree that are this far from the plane, one of them so far from the image of the
   other; whether they are a pair. */
static bool are_images(double from_plane, double apart)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_mirror plane = {true, {1, 0, 0}, 0, 0, 0};
	const ossai_branch branch[] = {
		{OSSA_NONE, true, {-from_plane, 0, 0}}, {OSSA_NONE, true, {from_plane, apart, 0}}, {OSSA_NONE, true, {0, 3, 0}}};
	ossai_branch_image image[3];
	assert_ok(context, ossai_mirrored_chains(&arena, &plane, NULL, 3, branch, image));
	ossai_arena_end(&arena);
	test_context_end(context);
	assert_int_equal(image[2].chain, 2);
	assert_int_equal(image[0].chain == 1, image[1].chain == 0);
	return image[0].chain == 1;
}

/* 6 % of the diagonal and 35 % of the distance from the plane, about */
static void images_are_near(void **state)
{
	(void)state;
	assert_true(are_images(0.1, 0.0949));
	assert_false(are_images(0.1, 0.0951));
	/* arms that are held differently */
	assert_true(are_images(0.4, 0.199));
	assert_false(are_images(0.4, 0.203));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(images_are_those_of_the_ends),
		cmocka_unit_test(a_root_that_is_an_end_has_an_image),
		cmocka_unit_test(images_are_near),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
