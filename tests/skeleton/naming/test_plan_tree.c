/* tests/skeleton/naming/test_plan_tree.c: the tree of a human's plan for bones from motion. */
#include "skeleton/naming/plan_tree.h"
#include "support/support.h"

#include <string.h>

enum { MOST = 12 };

typedef struct rest_bone {
	int parent;
	ossa_role role;
} rest_bone;

static const rest_bone human[] = {{-1, {OSSA_PART_HIPS, 0, 0, 0}}, {0, {OSSA_PART_SPINE, 0, 1, 0}},
	{1, {OSSA_PART_SPINE, 0, 2, 0}}, {2, {OSSA_PART_HEAD, 0, 0, 0}}, {2, {OSSA_PART_CLAVICLE, 1, 0, 0}},
	{4, {OSSA_PART_UPPER_ARM, 1, 0, 0}}, {5, {OSSA_PART_LOWER_ARM, 1, 0, 0}}, {6, {OSSA_PART_HAND, 1, 0, 0}},
	{7, {OSSA_PART_THUMB, 1, 1, 0}}, {8, {OSSA_PART_THUMB, 1, 2, 0}}, {2, {OSSA_PART_UPPER_ARM, -1, 0, 0}},
	{0, {OSSA_PART_UPPER_LEG, 1, 0, 0}}, {11, {OSSA_PART_LOWER_LEG, 1, 0, 0}}};
enum {
	HIPS,
	SPINE,
	SPINE_2,
	HEAD,
	CLAVICLE,
	UPPER_ARM,
	LOWER_ARM,
	HAND,
	THUMB,
	THUMB_2,
	OTHER_ARM,
	THIGH,
	CALF,
	REST,
	NO_PART
};

/* a bone from motion: its parent, its part in the plan, its number in it, how much skin it has of
   that; what the plan makes of it: a parent, a number, whether it is a helper */
typedef struct own_bone {
	int parent, part, number;
	double skin;
	int planned, planned_number;
	bool is_helper;
} own_bone;

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 10;
}

/* fills bones and their skin by a table */
static void fill(const own_bone *own, size_t count, ossa_bone *rest_bones, ossa_bone *bones, double *overlap)
{
	for (size_t r = 0; r < REST; r++) {
		rest_bones[r].parent = human[r].parent;
		rest_bones[r].role = human[r].role;
	}
	for (size_t b = 0; b < count; b++) {
		bones[b].parent = own[b].parent;
		if (own[b].part == NO_PART) continue;
		bones[b].role = human[own[b].part].role;
		bones[b].role.number = own[b].number;
		overlap[b * REST + (size_t)own[b].part] = own[b].skin;
	}
}

static size_t depth_of(const ossai_plan_tree *found, size_t count, uint32_t b)
{
	size_t depth = 0;
	for (; found->parent[b] != OSSA_NONE; b = found->parent[b]) assert_true(++depth < count);
	return depth;
}

static void check_any(uint32_t root, const own_bone *own, size_t count)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossa_bone rest_bones[REST] = {{.parent = 0}}, bones[MOST] = {{.parent = 0}};
	double overlap[MOST * REST] = {0};
	ossai_plan_tree found;
	fill(own, count, rest_bones, bones, overlap);
	const ossa_skeleton rest = {REST, rest_bones}, skeleton = {count, bones};
	const ossai_shared_skin skin = {.skeleton = &skeleton, .overlap = overlap};
	assert_ok(context, ossai_plan_tree_find(&arena, &rest, &skin, root, &found));
	assert_true(found.parent[root] == OSSA_NONE && !found.is_helper[root]);
	for (uint32_t b = 0; b < count; b++) {
		depth_of(&found, count, b);
		if (own[b].part == NO_PART || found.is_helper[b]) continue;
		for (uint32_t other = 0; other < b; other++) {
			const bool is_one = own[other].part != NO_PART && !found.is_helper[other] &&
				bones[b].role.part == bones[other].role.part && bones[b].role.side == bones[other].role.side;
			assert_false(is_one && found.number[b] == found.number[other]);
		}
		/* the nearest bone of the plan above is of a part above, or of its own and before it */
		uint32_t up = found.parent[b];
		while (up != OSSA_NONE && (own[up].part == NO_PART || found.is_helper[up])) up = found.parent[up];
		if (up == OSSA_NONE) continue;
		int32_t part = own[b].part;
		while (part >= 0 && part != own[up].part) part = human[part].parent;
		const bool is_own = bones[b].role.part == bones[up].role.part && found.number[up] < found.number[b];
		assert_true(part >= 0 || is_own);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void check_from(uint32_t root, const own_bone *own, size_t count, bool is_new)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossa_bone rest_bones[REST] = {{.parent = 0}}, bones[MOST] = {{.parent = 0}};
	double overlap[MOST * REST] = {0};
	ossai_plan_tree found;
	fill(own, count, rest_bones, bones, overlap);
	const ossa_skeleton rest = {REST, rest_bones}, skeleton = {count, bones};
	const ossai_shared_skin skin = {.skeleton = &skeleton, .overlap = overlap};
	assert_ok(context, ossai_plan_tree_find(&arena, &rest, &skin, root, &found));
	for (size_t b = 0; b < count; b++) {
		assert_int_equal((int32_t)found.parent[b], own[b].planned);
		assert_int_equal(found.is_helper[b], own[b].is_helper);
		if (!own[b].is_helper) assert_int_equal(found.number[b], own[b].planned_number);
	}
	assert_int_equal(found.is_new, is_new);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void check(const own_bone *own, size_t count, bool is_new) { check_from(0, own, count, is_new); }

static void a_tree_as_planned_stays(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, SPINE, 1, 1, 0, 1, false}, {1, HEAD, 0, 1, 1, 0, false},
		{1, UPPER_ARM, 0, 1, 1, 0, false}, {3, LOWER_ARM, 0, 1, 3, 0, false}, {0, THIGH, 0, 1, 0, 0, false}};
	check(own, 6, false);
}

/* the same from another root */
static void the_hips_become_the_root(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HEAD, 0, 1, 1, 0, false}, {0, SPINE, 1, 1, 2, 1, false}, {1, HIPS, 0, 1, -1, 0, false},
		{1, UPPER_ARM, 0, 1, 1, 0, false}, {2, THIGH, 0, 1, 2, 0, false}};
	check_from(2, own, 5, false);
}

/* a leg on the other one, an arm on the head, a foot's bone on the thigh */
static void limbs_hang_where_the_plan_has_them(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, SPINE, 1, 1, 0, 1, false}, {1, OTHER_ARM, 0, 1, 1, 0, false},
		{2, HEAD, 0, 1, 1, 0, false}, {3, UPPER_ARM, 0, 1, 1, 0, false}, {4, THIGH, 0, 1, 0, 0, false},
		{5, HAND, 0, 1, 7, 0, false}, {4, LOWER_ARM, 0, 1, 4, 0, false}};
	check(own, 8, true);
}

/* of a thigh in two the one that bears the calf goes on: the other one may stand above */
static void a_split_thigh_has_a_helper(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, THIGH, 1, 3, 0, 0, true}, {1, THIGH, 2, 1, 1, 0, false},
		{2, CALF, 0, 1, 2, 0, false}};
	check(own, 4, false);
	/* both bear nothing that is known: that with more skin */
	const own_bone ends[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, THIGH, 1, 1, 0, 0, true}, {1, THIGH, 2, 3, 1, 0, false}};
	check(ends, 3, false);
}

/* of a forearm in two, between an upper arm and a hand, that with more skin */
static void a_split_forearm_has_a_helper(void **state)
{
	(void)state;
	own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, UPPER_ARM, 0, 1, 0, 0, false}, {1, LOWER_ARM, 1, 3, 1, 0, false},
		{2, LOWER_ARM, 2, 1, 2, 0, true}, {3, HAND, 0, 1, 2, 0, false}};
	check(own, 5, true);
	own[2].skin = 0.5;
	own[2].is_helper = true;
	own[3].is_helper = false;
	own[3].planned = 1;
	own[4].planned = 3;
	check(own, 5, true);
	/* of a hand in two that at the wrist */
	const own_bone hand[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, UPPER_ARM, 0, 1, 0, 0, false},
		{1, LOWER_ARM, 0, 3, 1, 0, false}, {2, HAND, 1, 1, 2, 0, false}, {3, HAND, 2, 3, 3, 0, true}};
	check(hand, 5, false);
}

/* what has neither neck nor arms beyond it is beside the spine */
static void the_spine_bears_head_and_arms(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, SPINE, 1, 1, 0, 1, false}, {1, SPINE, 2, 1, 1, 2, false},
		{2, HEAD, 0, 1, 2, 0, false}, {2, UPPER_ARM, 0, 1, 2, 0, false}, {1, SPINE, 3, 9, 1, 0, true},
		{1, OTHER_ARM, 0, 1, 2, 0, false}};
	check(own, 7, true);
	/* none bears them */
	const own_bone aside[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, SPINE, 1, 1, 0, 0, true}, {0, SPINE, 2, 2, 0, 1, true},
		{0, HEAD, 0, 1, 0, 0, false}, {0, UPPER_ARM, 0, 1, 0, 0, false}};
	check(aside, 5, false);
}

/* nothing branches off: the largest with those above it */
static void a_spine_alone_is_one_path(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, SPINE, 1, 1, 0, 0, true}, {0, SPINE, 2, 1, 0, 1, false},
		{2, SPINE, 3, 5, 2, 2, false}, {3, SPINE, 4, 2, 3, 0, true}};
	check(own, 5, false);
}

/* a patch of the chest that the motion has on an arm would follow that arm */
static void a_helper_bends_with_its_own_part(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, SPINE, 1, 2, 0, 1, false}, {1, UPPER_ARM, 0, 1, 1, 0, false},
		{2, SPINE, 2, 1, 1, 0, true}, {3, NO_PART, 0, 0, 3, 0, false}, {1, HEAD, 0, 1, 1, 0, false}};
	check(own, 6, true);
	/* and what the plan has below moves to where that has it */
	const own_bone between[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, SPINE, 1, 2, 0, 1, false}, {1, HEAD, 0, 1, 1, 0, false},
		{2, SPINE, 2, 1, 1, 0, true}, {3, UPPER_ARM, 0, 1, 3, 0, false}, {1, OTHER_ARM, 0, 1, 1, 0, false}};
	check(between, 6, true);
}

/* a bone without skin of its part stands for it only where no other has any */
static void a_bone_without_skin_stands_for_no_part(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, THIGH, 1, 1, 0, 0, false}, {1, THIGH, 2, 0, 1, 0, true},
		{2, CALF, 0, 1, 1, 0, false}};
	check(own, 4, true);
}

/* Any tree and any parts: parents form a tree, parts and numbers are unique, and what the plan has
   below is below. */
static void every_tree_becomes_one_of_the_plan(void **state)
{
	(void)state;
	uint32_t seed = 1;
	for (int round = 0; round < 4000; round++) {
		own_bone own[MOST];
		const size_t count = 2 + next(&seed) % (MOST - 1);
		const uint32_t root = next(&seed) % (uint32_t)count;
		for (size_t b = 0; b < count; b++) {
			own[b] = (own_bone){.parent = b == 0 ? -1 : (int)(next(&seed) % b),
				.part = (int)(next(&seed) % (NO_PART + 1)),
				.number = (int)b,
				.skin = (double)(next(&seed) % 3)};
			if (own[b].part == REST) own[b].part = NO_PART;
		}
		own[root].part = HIPS;
		check_any(root, own, count);
	}
}

/* an armpit between spine and arm, a skirt: bones of no part stay where they are */
static void bones_of_no_part_stay(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, SPINE, 1, 1, 0, 1, false}, {1, NO_PART, 0, 0, 1, 0, false},
		{2, UPPER_ARM, 0, 1, 2, 0, false}, {3, NO_PART, 0, 0, 3, 0, false}, {4, LOWER_ARM, 0, 1, 3, 0, false},
		{4, NO_PART, 0, 0, 4, 0, false}};
	check(own, 7, true);
}

/* a clavicle that bears the arm is above it; another one is beside the plan */
static void a_clavicle_bears_an_arm(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, SPINE, 1, 1, 0, 1, false}, {1, CLAVICLE, 0, 1, 1, 0, false},
		{2, UPPER_ARM, 0, 1, 2, 0, false}, {1, HEAD, 0, 1, 1, 0, false}};
	check(own, 5, false);
	const own_bone aside[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, SPINE, 1, 1, 0, 1, false}, {0, CLAVICLE, 0, 9, 0, 0, true},
		{1, UPPER_ARM, 0, 1, 1, 0, false}, {1, HEAD, 0, 1, 1, 0, false}};
	check(aside, 5, false);
}

static void fingers_keep_their_numbers(void **state)
{
	(void)state;
	const own_bone own[] = {{-1, HIPS, 0, 1, -1, 0, false}, {0, UPPER_ARM, 0, 1, 0, 0, false}, {1, HAND, 0, 1, 1, 0, false},
		{1, THUMB, 1, 1, 2, 1, false}, {2, THUMB, 2, 1, 3, 2, false}};
	check(own, 5, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_tree_as_planned_stays), cmocka_unit_test(the_hips_become_the_root),
		cmocka_unit_test(limbs_hang_where_the_plan_has_them), cmocka_unit_test(a_split_thigh_has_a_helper),
		cmocka_unit_test(a_split_forearm_has_a_helper), cmocka_unit_test(the_spine_bears_head_and_arms),
		cmocka_unit_test(a_spine_alone_is_one_path), cmocka_unit_test(a_helper_bends_with_its_own_part),
		cmocka_unit_test(a_bone_without_skin_stands_for_no_part), cmocka_unit_test(every_tree_becomes_one_of_the_plan),
		cmocka_unit_test(bones_of_no_part_stay), cmocka_unit_test(a_clavicle_bears_an_arm),
		cmocka_unit_test(fingers_keep_their_numbers)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
