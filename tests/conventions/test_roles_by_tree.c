/* tests/conventions/test_roles_by_tree.c: which part of a body each bone is, by the tree alone. */
#include "conventions/roles_by_tree.h"
#include "support/named_bones.h"

#include <stdio.h>

/* names tell the test, not the code */
static const char *const human =
	"root(hips(spine(chest(neck(head),claviL(armL(foreL(handL))),claviR(armR(foreR(handR))))),thighL(calfL(footL(toeL))),"
	"thighR(calfR(footR(toeR)))))";

/* A human of 1.8 m in a T-pose that faces +Z; `turn` is applied to every joint. */
static void place_human(named_bones *made, const ossai_mat3 *turn)
{
	static const struct {
		const char *name;
		double at[3];
	} joints[] = {{"root", {0, 0, 0}}, {"hips", {0, 1, 0}}, {"spine", {0, 1.1, 0}}, {"chest", {0, 1.3, 0}},
		{"neck", {0, 1.5, 0}}, {"head", {0, 1.6, 0}}, {"claviL", {0.03, 1.43, 0}}, {"armL", {0.18, 1.43, 0}},
		{"foreL", {0.46, 1.43, 0}}, {"handL", {0.72, 1.43, 0}}, {"claviR", {-0.03, 1.43, 0}}, {"armR", {-0.18, 1.43, 0}},
		{"foreR", {-0.46, 1.43, 0}}, {"handR", {-0.72, 1.43, 0}}, {"thighL", {0.1, 0.95, 0}}, {"calfL", {0.1, 0.5, 0}},
		{"footL", {0.1, 0.1, 0}}, {"toeL", {0.1, 0.02, 0.14}}, {"thighR", {-0.1, 0.95, 0}}, {"calfR", {-0.1, 0.5, 0}},
		{"footR", {-0.1, 0.1, 0}}, {"toeR", {-0.1, 0.02, 0.14}}};
	named_bones_of(made, human);
	for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
		const ossai_vec3 at = ossai_mat3_mul_v(turn, ossai_v3_of(joints[i].at));
		place_bone(made, joints[i].name, at, at);
	}
}

static ossa_body_kind find(const named_bones *made, ossa_role *role)
{
	ossa_context *context = test_context(1);
	ossa_body_kind kind;
	size_t matched, count = 0;
	assert_ok(context, ossai_roles_by_tree(context, &made->skeleton, role, &kind, &matched));
	for (size_t b = 0; b < made->skeleton.bone_count; b++) count += role[b].part != OSSA_PART_NONE;
	assert_int_equal(matched, count);
	test_context_end(context);
	return kind;
}

/* puts bones where those of the same names are */
static void place_alike(const named_bones *from, named_bones *to)
{
	for (size_t b = 0; b < from->skeleton.bone_count; b++) {
		const ossai_vec3 at = ossai_v3_of(from->bones[b].joint);
		place_bone(to, from->bones[b].name, at, at);
	}
}

static void assert_human(const named_bones *made)
{
	ossa_role role[NAMED_BONES_MAX];
	assert_int_equal(find(made, role), OSSA_BODY_HUMAN);
	assert_role_of(made, role, "root", "");
	assert_role_of(made, role, "hips", "pelvis");
	assert_role_of(made, role, "spine", "spine 1");
	assert_role_of(made, role, "chest", "spine 2");
	assert_role_of(made, role, "neck", "neck");
	assert_role_of(made, role, "head", "head");
	assert_role_of(made, role, "claviL", "left clavicle");
	assert_role_of(made, role, "armL", "left upperarm");
	assert_role_of(made, role, "foreR", "right lowerarm");
	assert_role_of(made, role, "handR", "right hand");
	assert_role_of(made, role, "thighL", "left thigh");
	assert_role_of(made, role, "calfR", "right calf");
	assert_role_of(made, role, "footL", "left foot");
	assert_role_of(made, role, "toeR", "right toe");
}

/* whatever axis is up, and wherever it faces */
static void a_human_however_it_is_turned(void **state)
{
	(void)state;
	static const ossai_mat3 turns[] = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}},
		{{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}}, {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}};
	named_bones made;
	for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
		place_human(&made, &turns[i]);
		assert_human(&made);
	}
}

/* steep feet say little, and +Z is across: the line between the legs says the rest */
static void a_human_across_on_steep_feet(void **state)
{
	(void)state;
	const ossai_mat3 turn = {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}};
	named_bones made;
	place_human(&made, &turn);
	for (int side = 0; side < 2; side++) {
		const ossai_vec3 foot = ossai_v3_of(made.bones[named_bone(&made, side ? "footR" : "footL")].joint);
		const ossai_vec3 toe = ossai_add(foot, ossai_v3(0.03, -0.065, 0));
		place_bone(&made, side ? "toeR" : "toeL", toe, toe);
	}
	assert_human(&made);
}

/* a sword in one hand, twist bones, controls of inverse kinematics under the root */
static void a_human_with_other_bones(void **state)
{
	(void)state;
	const ossai_mat3 turn = ossai_mat3_identity();
	named_bones plain, made;
	ossa_role role[NAMED_BONES_MAX];
	place_human(&plain, &turn);
	named_bones_of(&made,
		"root(hips(spine(chest(neck(head(eyeL,eyeR)),claviL(armL(twistL,foreL(handL(sword)))),claviR(armR(twistR,foreR(handR)))"
		")),"
		"thighL(calfL(footL(toeL))),thighR(calfR(footR(toeR)))),ikL,ikR)");
	place_alike(&plain, &made);
	const ossai_vec3 sword = ossai_v3(0.72, 1.43, 0.1), eye = ossai_v3(0.03, 1.7, 0.08), other = ossai_v3(-0.03, 1.7, 0.08);
	place_bone(&made, "sword", sword, sword);
	place_bone(&made, "eyeL", eye, eye);
	place_bone(&made, "eyeR", other, other);
	place_bone(&made, "twistL", ossai_v3(0.3, 1.43, 0), ossai_v3(0.46, 1.43, 0));
	place_bone(&made, "twistR", ossai_v3(-0.3, 1.43, 0), ossai_v3(-0.46, 1.43, 0));
	place_bone(&made, "ikL", ossai_v3(0.1, 0.1, 0), ossai_v3(0.1, 0.1, 0));
	place_bone(&made, "ikR", ossai_v3(-0.1, 0.1, 0), ossai_v3(-0.1, 0.1, 0));
	assert_human(&made);
	assert_int_equal(find(&made, role), OSSA_BODY_HUMAN);
	assert_role_of(&made, role, "sword", "");
	assert_role_of(&made, role, "twistL", "");
	assert_role_of(&made, role, "ikR", "");
	assert_role_of(&made, role, "eyeL", "");
}

/* upper and lower arm in two halves each, as Rigify makes them */
static void split_arms(void **state)
{
	(void)state;
	const ossai_mat3 turn = ossai_mat3_identity();
	named_bones plain, made;
	ossa_role role[NAMED_BONES_MAX];
	place_human(&plain, &turn);
	named_bones_of(&made,
		"root(hips(spine(chest(neck(head),claviL(armL(armL2(foreL(foreL2(handL))))),claviR(armR(armR2(foreR(foreR2(handR)))))))"
		","
		"thighL(calfL(footL(toeL))),thighR(calfR(footR(toeR)))))");
	place_alike(&plain, &made);
	place_bone(&made, "armL2", ossai_v3(0.32, 1.43, 0), ossai_v3(0.46, 1.43, 0));
	place_bone(&made, "armR2", ossai_v3(-0.32, 1.43, 0), ossai_v3(-0.46, 1.43, 0));
	place_bone(&made, "foreL2", ossai_v3(0.59, 1.43, 0), ossai_v3(0.72, 1.43, 0));
	place_bone(&made, "foreR2", ossai_v3(-0.59, 1.43, 0), ossai_v3(-0.72, 1.43, 0));
	assert_int_equal(find(&made, role), OSSA_BODY_HUMAN);
	assert_role_of(&made, role, "claviL", "left clavicle");
	assert_role_of(&made, role, "armL", "left upperarm 1");
	assert_role_of(&made, role, "armL2", "left upperarm 2");
	assert_role_of(&made, role, "foreR", "right lowerarm 1");
	assert_role_of(&made, role, "foreR2", "right lowerarm 2");
	assert_role_of(&made, role, "handR", "right hand");
	assert_role_of(&made, role, "calfL", "left calf");
}

/* five fingers beside each other along z, the thumb apart in front */
static void fingers(void **state)
{
	(void)state;
	static const char *const words[] = {"a", "b", "c", "d", "e"};
	static const char *const parts[] = {"pinky", "ring", "middle", "index", "thumb"};
	const ossai_mat3 turn = ossai_mat3_identity();
	named_bones plain, made;
	ossa_role role[NAMED_BONES_MAX];
	place_human(&plain, &turn);
	named_bones_of(&made,
		"root(hips(spine(chest(neck(head),claviL(armL(foreL(handL(a1(a2(a3)),b1(b2(b3)),c1(c2(c3)),d1(d2(d3)),e1(e2(e3)))))),"
		"claviR("
		"armR(foreR(handR))))),thighL(calfL(footL(toeL))),thighR(calfR(footR(toeR)))))");
	place_alike(&plain, &made);
	for (int f = 0; f < 5; f++) {
		for (int k = 0; k < 3; k++) {
			char name[8];
			const ossai_vec3 at = ossai_v3(0.78 + 0.03 * k - 0.04 * (f == 4), 1.43, -0.04 + 0.02 * f + 0.03 * (f == 4));
			snprintf(name, sizeof name, "%s%d", words[f], k + 1);
			place_bone(&made, name, at, at);
		}
	}
	assert_int_equal(find(&made, role), OSSA_BODY_HUMAN);
	for (int f = 0; f < 5; f++) {
		char name[8], expected[32];
		snprintf(name, sizeof name, "%s2", words[f]);
		snprintf(expected, sizeof expected, "left %s 2", parts[f]);
		assert_role_of(&made, role, name, expected);
	}
}

/* a dog along +Z: its head higher than its tail */
static void a_quadruped(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double at[3];
	} joints[] = {{"hips", {0, 0.6, -0.4}}, {"back", {0, 0.62, -0.1}}, {"chest", {0, 0.62, 0.2}}, {"neck", {0, 0.7, 0.35}},
		{"head", {0, 0.85, 0.45}}, {"nose", {0, 0.83, 0.6}}, {"tail", {0, 0.62, -0.5}}, {"tail2", {0, 0.55, -0.7}},
		{"foreL", {0.1, 0.55, 0.25}}, {"shinL", {0.1, 0.35, 0.22}}, {"pawL", {0.1, 0.1, 0.24}}, {"clawL", {0.1, 0.02, 0.28}},
		{"foreR", {-0.1, 0.55, 0.25}}, {"shinR", {-0.1, 0.35, 0.22}}, {"pawR", {-0.1, 0.1, 0.24}},
		{"clawR", {-0.1, 0.02, 0.28}}, {"hindL", {0.1, 0.55, -0.4}}, {"hockL", {0.1, 0.3, -0.35}},
		{"metaL", {0.1, 0.15, -0.45}}, {"padL", {0.1, 0.02, -0.4}}, {"hindR", {-0.1, 0.55, -0.4}},
		{"hockR", {-0.1, 0.3, -0.35}}, {"metaR", {-0.1, 0.15, -0.45}}, {"padR", {-0.1, 0.02, -0.4}}};
	named_bones made;
	ossa_role role[NAMED_BONES_MAX];
	named_bones_of(&made,
		"hips(back(chest(neck(head(nose)),foreL(shinL(pawL(clawL))),foreR(shinR(pawR(clawR))))),hindL(hockL(metaL(padL))),"
		"hindR(hockR("
		"metaR(padR))),tail(tail2))");
	for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++)
		place_bone(&made, joints[i].name, ossai_v3_of(joints[i].at), ossai_v3_of(joints[i].at));
	assert_int_equal(find(&made, role), OSSA_BODY_QUADRUPED);
	assert_role_of(&made, role, "hips", "pelvis");
	assert_role_of(&made, role, "back", "spine 1");
	assert_role_of(&made, role, "chest", "spine 2");
	assert_role_of(&made, role, "foreL", "left upperleg_front");
	assert_role_of(&made, role, "clawR", "right toe_front");
	assert_role_of(&made, role, "hockL", "left lowerleg_back");
	assert_role_of(&made, role, "padR", "right toe_back");
	assert_role_of(&made, role, "tail2", "tail 2");
	assert_role_of(&made, role, "neck", "neck 1");
}

/* a snake, three bones, one, all bones at one point, a human without a head */
static void what_is_no_body(void **state)
{
	(void)state;
	static const char *const trees[] = {
		"a(b(c(d(e(f)))))", "a(b,c)", "a", "hips(chest(neck(head),l(l2(l3)),r(r2(r3))),x(x2(x3)),y(y2(y3)))"};
	named_bones made;
	ossa_role role[NAMED_BONES_MAX];
	for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
		named_bones_of(&made, trees[i]);
		assert_int_equal(find(&made, role), OSSA_BODY_NONE);
		for (size_t b = 0; b < made.skeleton.bone_count; b++) assert_int_equal(role[b].part, OSSA_PART_NONE);
	}
	const ossai_mat3 turn = ossai_mat3_identity();
	place_human(&made, &turn);
	place_bone(&made, "neck", ossai_v3(0, 1.1, 0), ossai_v3(0, 1.1, 0));
	place_bone(&made, "head", ossai_v3(0, 1.1, 0), ossai_v3(0, 1.1, 0));
	assert_int_equal(find(&made, role), OSSA_BODY_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_human_however_it_is_turned),
		cmocka_unit_test(a_human_across_on_steep_feet),
		cmocka_unit_test(a_human_with_other_bones),
		cmocka_unit_test(split_arms),
		cmocka_unit_test(fingers),
		cmocka_unit_test(a_quadruped),
		cmocka_unit_test(what_is_no_body),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
