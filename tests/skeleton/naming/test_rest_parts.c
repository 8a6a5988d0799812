/* tests/skeleton/naming/test_rest_parts.c: parts of a body from skin that bones have in common with
   a rig of the rest shape: as many bones, more, fewer, at other places. */
#include "skeleton/naming/rest_parts.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 12 };

typedef struct rest_bone {
	const char *name;
	int parent;
	ossa_role role;
} rest_bone;

/* a trunk and one leg, and a limb of no plan */
static const rest_bone body[] = {{"pelvis", -1, {OSSA_PART_HIPS, 0, 0, 0}}, {"spine_01", 0, {OSSA_PART_SPINE, 0, 1, 0}},
	{"thigh_L", 0, {OSSA_PART_UPPER_LEG, 1, 0, 0}}, {"spine_02", 1, {OSSA_PART_SPINE, 0, 2, 0}},
	{"calf_L", 2, {OSSA_PART_LOWER_LEG, 1, 0, 0}}, {"head", 3, {OSSA_PART_HEAD, 0, 0, 0}},
	{"foot_L", 4, {OSSA_PART_FOOT, 1, 0, 0}}, {"bone_07", 1, {OSSA_PART_NONE, 0, 0, 0}}};
enum { PELVIS, SPINE_1, THIGH, SPINE_2, CALF, HEAD, FOOT, EXTRA, REST };

/* the tail is longer than the spine, so that the hips are of its chain */
static const rest_bone tailed[] = {{"pelvis", -1, {OSSA_PART_HIPS, 0, 0, 0}}, {"spine", 0, {OSSA_PART_SPINE, 0, 0, 0}},
	{"tail_01", 0, {OSSA_PART_TAIL, 0, 1, 0}}, {"tail_02", 2, {OSSA_PART_TAIL, 0, 2, 0}}};
enum { TAILED = sizeof tailed / sizeof *tailed };

typedef struct own_bone {
	const char *before;
	int parent;
	double skin[REST]; /* in common with the rest shape's bones */
	const char *after;
	double beside;
} own_bone;

/* height: of its joint */
static void put_bone(ossa_bone *bone, const char *name, int parent, double height)
{
	snprintf(bone->name, sizeof bone->name, "%s", name);
	bone->parent = parent;
	bone->joint[1] = height;
	bone->tail[1] = height + 1;
}

/* names the bones after those of a plan and compares all names; returns the root. Heights are of
   joints, of the plan's bones and of ours; NULL: all are 0. */
static uint32_t check_at(size_t rest_count, const rest_bone *plan, const double *rest_height, const own_bone *own,
	const double *height, size_t count)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossa_bone rest_bones[REST] = {{.parent = 0}}, bones[MOST] = {{.parent = 0}};
	double overlap[MOST * REST], beside[MOST];
	ossai_vec3 center[MOST];
	ossai_rest_parts parts;
	for (size_t r = 0; r < rest_count; r++) {
		put_bone(&rest_bones[r], plan[r].name, plan[r].parent, rest_height ? rest_height[r] : 0);
		rest_bones[r].role = plan[r].role;
	}
	for (size_t b = 0; b < count; b++) {
		put_bone(&bones[b], own[b].before, own[b].parent, height ? height[b] : 0);
		memcpy(overlap + b * rest_count, own[b].skin, rest_count * sizeof *overlap);
		beside[b] = own[b].beside;
		center[b] = ossai_v3(0, height ? height[b] - 0.5 : (double)b / MOST, 0);
	}
	ossa_skeleton rest = {rest_count, rest_bones}, skeleton = {count, bones};
	const ossai_shared_skin skin = {&skeleton, overlap, beside, center};
	assert_ok(context, ossai_rest_parts_find(&arena, &rest, &skin, &parts));
	ossai_rest_parts_name(&rest, &parts, &skeleton);
	for (size_t b = 0; b < count; b++) assert_string_equal(bones[b].name, own[b].after);
	ossai_arena_end(&arena);
	test_context_end(context);
	return parts.root;
}

static uint32_t check_plan(size_t rest_count, const rest_bone *plan, const own_bone *own, size_t count)
{
	return check_at(rest_count, plan, NULL, own, NULL, count);
}

static uint32_t check(const own_bone *own, size_t count) { return check_plan(REST, body, own, count); }

/* the arms begin on the chest */
static const rest_bone armed[] = {{"pelvis", -1, {OSSA_PART_HIPS, 0, 0, 0}}, {"spine_01", 0, {OSSA_PART_SPINE, 0, 1, 0}},
	{"spine_02", 1, {OSSA_PART_SPINE, 0, 2, 0}}, {"head", 2, {OSSA_PART_HEAD, 0, 0, 0}},
	{"upperarm_L", 2, {OSSA_PART_UPPER_ARM, 1, 0, 0}}, {"upperarm_R", 2, {OSSA_PART_UPPER_ARM, -1, 0, 0}}};
enum { CHEST = 2, ARMED_HEAD, ARM_L, ARM_R, ARMED };

/* one bone moves chest and head: with arms on it, it is the chest, though more of it is head */
static void what_bears_arms_is_no_head(void **state)
{
	(void)state;
	const own_bone own[] = {{"root", -1, {[PELVIS] = 1}, "pelvis", 0},
		{"bone_01", 0, {[CHEST] = 0.4, [ARMED_HEAD] = 0.6}, "spine_01", 0}, {"bone_02", 1, {[ARM_L] = 1}, "upperarm_L", 0},
		{"bone_03", 1, {[ARM_R] = 1}, "upperarm_R", 0}};
	check_plan(ARMED, armed, own, 4);
	const own_bone armless[] = {
		{"root", -1, {[PELVIS] = 1}, "pelvis", 0}, {"bone_01", 0, {[CHEST] = 0.4, [ARMED_HEAD] = 0.6}, "head", 0}};
	check_plan(ARMED, armed, armless, 2);
}

static void the_same_bones_have_the_same_names(void **state)
{
	(void)state;
	const own_bone own[] = {{"root", -1, {[SPINE_1] = 1}, "spine_01", 0}, {"bone_01", 0, {[PELVIS] = 1}, "pelvis", 0},
		{"bone_02", 1, {[THIGH] = 1}, "thigh_L", 0}, {"bone_03", 2, {[CALF] = 1}, "calf_L", 0},
		{"bone_04", 3, {[FOOT] = 1}, "foot_L", 0}, {"bone_05", 0, {[SPINE_2] = 1}, "spine_02", 0},
		{"bone_06", 5, {[HEAD] = 1}, "head", 0}};
	assert_int_equal(check(own, 7), 1);
}

/* the rest shape's knee lies too low: three bones of a leg are thigh, calf and foot all the same */
static void a_leg_of_three_bones_has_three_parts(void **state)
{
	(void)state;
	const own_bone own[] = {{"root", -1, {[PELVIS] = 1}, "pelvis", 0}, {"bone_01", 0, {[THIGH] = 1}, "thigh_L", 0},
		{"bone_02", 1, {[THIGH] = 0.7, [CALF] = 0.3}, "calf_L", 0}, {"bone_03", 2, {[CALF] = 0.8, [FOOT] = 0.2}, "foot_L", 0}};
	assert_int_equal(check(own, 4), 0);
}

static const rest_bone legged[] = {{"pelvis", -1, {OSSA_PART_HIPS, 0, 0, 0}}, {"thigh_L", 0, {OSSA_PART_UPPER_LEG, 1, 0, 0}},
	{"calf_L", 1, {OSSA_PART_LOWER_LEG, 1, 0, 0}}, {"foot_L", 2, {OSSA_PART_FOOT, 1, 0, 0}}};
enum { HIP, KNEE = 2, ANKLE, LEGGED };
/* a shank is as long as four feet */
static const double legged_height[] = {9, 8.5, 4.5, 0.5};

/* of two bones that begin at the knee none is the foot, though half of the lower one's skin is; of
   bones that begin at knee and ankle one is */
static void a_foot_begins_at_the_ankle(void **state)
{
	(void)state;
	own_bone own[] = {{"root", -1, {[HIP] = 1}, "pelvis", 0}, {"bone_01", 0, {[1] = 1}, "thigh_L", 0},
		{"bone_02", 1, {[KNEE] = 1}, "calf_01_L", 0}, {"bone_03", 2, {[KNEE] = 0.5, [ANKLE] = 0.5}, "calf_02_L", 0}};
	check_at(LEGGED, legged, legged_height, own, (const double[]){9, 8.5, 4.5, 4.4}, 4);
	own[2].after = "calf_L";
	own[3].after = "foot_L";
	check_at(LEGGED, legged, legged_height, own, (const double[]){9, 8.5, 4.5, 0.7}, 4);
}

/* numbers follow the tree from the hips, whatever the order of the bones */
static void more_bones_than_a_part_has_are_numbered_outward(void **state)
{
	(void)state;
	const own_bone own[] = {{"root", -1, {[PELVIS] = 1}, "pelvis", 0}, {"bone_01", 0, {[THIGH] = 1}, "thigh_01_L", 0},
		{"bone_02", 1, {[THIGH] = 1}, "thigh_02_L", 0}, {"bone_03", 2, {[CALF] = 1}, "calf_L", 0},
		{"bone_04", 3, {[FOOT] = 1}, "foot_L", 0}, {"bone_05", 0, {[SPINE_2] = 1}, "spine_01", 0}};
	check(own, 6);
}

/* the trunk of one bone is the root, whatever it has most of; a leg of one bone what it is most */
static void few_bones_have_the_parts_of_most_of_their_skin(void **state)
{
	(void)state;
	const own_bone own[] = {{"root", -1, {[PELVIS] = 0.2, [SPINE_1] = 0.5, [SPINE_2] = 0.5, [HEAD] = 0.4}, "pelvis", 0},
		{"bone_01", 0, {[THIGH] = 0.5, [CALF] = 0.3, [FOOT] = 0.1}, "thigh_L", 0}};
	assert_int_equal(check(own, 2), 0);
}

/* a limb of no plan, a bone without skin, and one that is on one side of the head have numbers, of
   their own order, whatever they were called */
static void what_no_plan_has_is_numbered(void **state)
{
	(void)state;
	const own_bone own[] = {{"spine_01", -1, {[PELVIS] = 1}, "pelvis", 0}, {"tail_01", 0, {[EXTRA] = 1}, "bone_01", 0},
		{"hand_L", 0, {0}, "bone_02", 0}, {"ear_L", 0, {[HEAD] = 0.2}, "bone_03", 0.8},
		{"skull", 0, {[HEAD] = 0.8}, "head", 0.2}};
	check(own, 5);
}

/* programs ask for one bone of hips: what else is there is spine */
static void the_hips_are_one_bone(void **state)
{
	(void)state;
	const own_bone own[] = {{"a", -1, {[PELVIS] = 0.6}, "spine_01", 0}, {"b", 0, {[PELVIS] = 1}, "pelvis", 0},
		{"c", 0, {[SPINE_2] = 1}, "spine_02", 0}};
	assert_int_equal(check(own, 3), 1);
}

/* a child of a thigh is of the leg, though most of its skin is the hips' */
static void a_limb_is_one_branch_of_the_tree(void **state)
{
	(void)state;
	const own_bone own[] = {{"root", -1, {[PELVIS] = 1}, "pelvis", 0}, {"bone_01", 0, {[SPINE_2] = 1}, "spine_01", 0},
		{"bone_02", 0, {[THIGH] = 1}, "thigh_01_L", 0}, {"bone_03", 2, {[PELVIS] = 0.6, [THIGH] = 0.4}, "thigh_02_L", 0},
		{"bone_04", 3, {[CALF] = 1}, "calf_L", 0}};
	assert_int_equal(check(own, 5), 0);
}

/* Two legs in a row are a fault of the tree, and their skin says what they are; a bone of little
   skin is what its neighbours say. */
static void skin_counts_by_how_much_there_is(void **state)
{
	(void)state;
	const own_bone row[] = {{"root", -1, {[PELVIS] = 1}, "pelvis", 0},
		{"a", 0, {[THIGH] = 0.93, [PELVIS] = 0.07}, "thigh_L", 0}, {"b", 1, {[SPINE_1] = 1}, "spine_01", 0},
		{"c", 1, {[CALF] = 1}, "calf_L", 0}};
	const own_bone little[] = {{"root", -1, {[PELVIS] = 1}, "pelvis", 0}, {"a", 0, {[THIGH] = 1}, "thigh_01_L", 0},
		{"b", 1, {[PELVIS] = 0.03}, "thigh_02_L", 0}, {"c", 2, {[CALF] = 1}, "calf_L", 0}};
	own_bone more[4];
	memcpy(more, little, sizeof more);
	more[2].skin[PELVIS] = 1;
	more[1].after = "thigh_L";
	more[2].after = "spine_01";
	check(row, 4);
	check(little, 4);
	check(more, 4);
}

/* what was hips and what was spine are numbered together, though their order is of two chains */
static void names_are_unique(void **state)
{
	(void)state;
	const own_bone own[] = {{"root", -1, {1, 0, 0, 0}, "pelvis", 0}, {"a", 0, {0.6, 0, 0, 0}, "spine_02", 0},
		{"b", 0, {0, 1, 0, 0}, "spine_01", 0}, {"c", 0, {0, 1, 0, 0}, "spine_03", 0}, {"d", 0, {0, 0, 1, 0}, "tail_01", 0},
		{"e", 4, {0, 0, 0, 1}, "tail_02", 0}};
	assert_int_equal(check_plan(TAILED, tailed, own, 6), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_bones_have_the_same_names),
		cmocka_unit_test(what_bears_arms_is_no_head), cmocka_unit_test(a_leg_of_three_bones_has_three_parts),
		cmocka_unit_test(a_foot_begins_at_the_ankle), cmocka_unit_test(more_bones_than_a_part_has_are_numbered_outward),
		cmocka_unit_test(few_bones_have_the_parts_of_most_of_their_skin), cmocka_unit_test(what_no_plan_has_is_numbered),
		cmocka_unit_test(the_hips_are_one_bone), cmocka_unit_test(a_limb_is_one_branch_of_the_tree),
		cmocka_unit_test(names_are_unique), cmocka_unit_test(skin_counts_by_how_much_there_is)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
