/* tests/skeleton/from_curve/test_cut_sides.c: the bones on both sides of a cut: of a horseshoe
   whose ends once were one, and of a single bone. */
#include "skeleton/from_curve/cut_sides.h"
#include "support/curves.h"
#include "support/support.h"

/* bones along these points, each the child of the one before */
static ossai_curve_bones chain_of(test_curve_bench *b, size_t count, const double (*point)[3])
{
	ossai_curve_bones bones;
	assert_ok(b->context, ossai_curve_bones_new(&b->arena, count, 0, &bones));
	for (uint32_t i = 0; i < count; i++) {
		bones.joint[i] = ossai_v3_of(point[i]);
		bones.tail[i] = ossai_v3_of(point[i + 1]);
		bones.tree.parent[i] = i > 0 ? i - 1 : OSSA_NONE;
	}
	bones.tree.root = 0;
	ossai_tree_sort(&bones.tree);
	return bones;
}

static const double horseshoe[][3] = {{-0.1, 1, 0}, {-1, 1, 0}, {-1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0.12, 1, 0}};

static void the_ends_of_a_horseshoe_are_the_sides_of_its_cut(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_curve_bones bones = chain_of(&b, 5, horseshoe);
	ossai_loop_cut cuts[2] = {{.center = {0, 1, 0}}, {.center = {0.03, 1, 0}}};
	const ossai_curve curve = {.cut_count = 2, .cuts = cuts};
	ossai_cut_sides *sides;
	assert_ok(b.context, ossai_cut_sides_find(&b.arena, &curve, &bones, &sides));
	/* the nearer first */
	assert_int_equal(sides[0].bones[0], 0);
	assert_int_equal(sides[0].bones[1], 4);
	assert_int_equal(sides[1].bones[0], 4);
	assert_int_equal(sides[1].bones[1], 0);
	test_curve_end(&b);
}

/* a joint's neighbour is nearer to the cut than the bone beyond, which is distant in the tree */
static void the_other_side_is_no_neighbour(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	static const double loop[][3] = {{-1, 0, 0}, {0, 0, 0}, {0.05, -1, 0}, {1, -1, 0}, {1, 0.1, 0}, {0.02, 0.12, 0}};
	const ossai_curve_bones bones = chain_of(&b, 5, loop);
	ossai_loop_cut cut = {.center = {-0.02, 0.04, 0}};
	const ossai_curve curve = {.cut_count = 1, .cuts = &cut};
	ossai_cut_sides *sides;
	assert_ok(b.context, ossai_cut_sides_find(&b.arena, &curve, &bones, &sides));
	assert_int_equal(sides[0].bones[0], 0);
	assert_int_equal(sides[0].bones[1], 4);
	test_curve_end(&b);
}

static void a_single_bone_is_on_both_sides(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	const ossai_curve_bones bones = chain_of(&b, 1, horseshoe);
	ossai_loop_cut cut = {.center = {0, 1, 0}};
	ossai_curve curve = {.cut_count = 1, .cuts = &cut};
	ossai_cut_sides *sides;
	assert_ok(b.context, ossai_cut_sides_find(&b.arena, &curve, &bones, &sides));
	assert_true(sides[0].bones[0] == 0 && sides[0].bones[1] == 0);
	curve.cut_count = 0;
	assert_ok(b.context, ossai_cut_sides_find(&b.arena, &curve, &bones, &sides));
	assert_null(sides);
	test_curve_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_ends_of_a_horseshoe_are_the_sides_of_its_cut),
		cmocka_unit_test(the_other_side_is_no_neighbour), cmocka_unit_test(a_single_bone_is_on_both_sides)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
