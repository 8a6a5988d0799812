/* tests/body/test_body_roles.c: which part of a body each bone of a tree is. */
#include "body/roles.h"
#include "support/support.h"

#include <ossa/mesh.h>

enum { BONES = 16 };

typedef struct tree {
	size_t count;
	uint32_t parent[BONES];
} tree;

static const ossai_form *form_of(ossa_body_kind kind)
{
	for (size_t f = 0; f < ossai_form_count; f++) {
		if (ossai_forms[f].kind == kind) return &ossai_forms[f];
	}
	fail_msg("there is no form of kind %d", (int)kind);
	return NULL;
}

static size_t limb_of(const ossai_form *form, ossai_limb_kind kind)
{
	for (size_t l = 0; l < form->limb_count; l++) {
		if (form->limb[l].kind == kind) return l;
	}
	fail_msg("%s has no limb of kind %d", form->name, (int)kind);
	return 0;
}

static void no_leaves(uint32_t leaf[OSSAI_FORM_LIMBS][2])
{
	for (size_t l = 0; l < OSSAI_FORM_LIMBS; l++) leaf[l][0] = leaf[l][1] = OSSA_NONE;
}

static void assert_role(ossa_role role, ossa_body_part part, int side, int number, int limb)
{
	assert_int_equal(role.part, part);
	assert_int_equal(role.side, side);
	assert_int_equal(role.number, number);
	assert_int_equal(role.limb, limb);
}

/* hips 0, spine 1 2, neck 3, head 4, a front leg of 3 bones (5 6 7) on 2, a tail (8 9) on 0, and a
   bone of nothing (10) on 3 */
static void a_quadruped(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	const tree t = {11, {OSSA_NONE, 0, 1, 2, 3, 2, 5, 6, 0, 8, 3}};
	const ossai_body body = {.form = form_of(OSSA_BODY_QUADRUPED)};
	uint32_t leaf[OSSAI_FORM_LIMBS][2];
	ossa_role role[BONES];
	no_leaves(leaf);
	leaf[limb_of(body.form, OSSAI_LIMB_HEAD)][0] = 4;
	leaf[limb_of(body.form, OSSAI_LIMB_ARM)][1] = 7;
	leaf[limb_of(body.form, OSSAI_LIMB_TAIL)][0] = 9;
	assert_ok(context, ossai_body_roles(&arena, &body, t.count, t.parent, leaf, role));
	assert_role(role[0], OSSA_PART_HIPS, 0, 0, 0);
	assert_role(role[1], OSSA_PART_SPINE, 0, 1, 0);
	assert_role(role[2], OSSA_PART_SPINE, 0, 2, 0);
	assert_role(role[3], OSSA_PART_NECK, 0, 0, 0);
	assert_role(role[4], OSSA_PART_HEAD, 0, 0, 0);
	assert_role(role[5], OSSA_PART_FRONT_UPPER_LEG, -1, 0, 0);
	assert_role(role[7], OSSA_PART_FRONT_FOOT, -1, 0, 0);
	assert_role(role[8], OSSA_PART_TAIL, 0, 1, 0);
	assert_role(role[9], OSSA_PART_TAIL, 0, 2, 0);
	assert_role(role[10], OSSA_PART_NONE, 0, 0, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static size_t finger_of(const ossai_form *form, int number)
{
	size_t l = 0;
	while (form->limb[l].kind != OSSAI_LIMB_FINGER || form->limb[l].number != number) l++;
	return l;
}

/* a palm of two bones (0 1), from the second one a wrist (2) and a thumb (3 4 5), from the first an
   index finger (6 7 8), and a bone of nothing (9) */
static void a_palm_of_several_bones(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	const tree t = {10, {OSSA_NONE, 0, 1, 1, 3, 4, 0, 6, 7, 1}};
	const ossai_body body = {.form = form_of(OSSA_BODY_HAND)};
	uint32_t leaf[OSSAI_FORM_LIMBS][2];
	ossa_role role[BONES];
	no_leaves(leaf);
	leaf[finger_of(body.form, 1)][0] = 5;
	leaf[finger_of(body.form, 2)][0] = 8;
	leaf[limb_of(body.form, OSSAI_LIMB_WRIST)][0] = 2;
	assert_ok(context, ossai_body_roles(&arena, &body, t.count, t.parent, leaf, role));
	assert_role(role[0], OSSA_PART_HAND, 0, 0, 0);
	assert_role(role[1], OSSA_PART_HAND, 0, 2, 0);
	assert_role(role[2], OSSA_PART_HAND, 0, 3, 0);
	assert_role(role[3], OSSA_PART_THUMB, 0, 1, 0);
	assert_role(role[8], OSSA_PART_INDEX, 0, 3, 0);
	assert_role(role[9], OSSA_PART_NONE, 0, 0, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* a leg of five bones has four parts, the last one divided; of one bone the first part alone */
static void limbs_of_other_numbers(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	const tree t = {8, {OSSA_NONE, 0, 1, 2, 3, 4, 0, 0}};
	const ossai_body body = {.form = form_of(OSSA_BODY_QUADRUPED)};
	const size_t leg = limb_of(body.form, OSSAI_LIMB_LEG);
	uint32_t leaf[OSSAI_FORM_LIMBS][2];
	ossa_role role[BONES];
	no_leaves(leaf);
	leaf[leg][0] = 5;
	leaf[leg][1] = 6;
	assert_ok(context, ossai_body_roles(&arena, &body, t.count, t.parent, leaf, role));
	assert_role(role[1], OSSA_PART_BACK_UPPER_LEG, 1, 0, 0);
	assert_role(role[4], OSSA_PART_BACK_TOES, 1, 1, 0);
	assert_role(role[5], OSSA_PART_BACK_TOES, 1, 2, 0);
	assert_role(role[6], OSSA_PART_BACK_UPPER_LEG, -1, 0, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* the second pair of a spider's legs; a fish's tail of two tips on one stock; a snake from end to
   end */
static void others(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t leaf[OSSAI_FORM_LIMBS][2];
	ossa_role role[BONES];
	const ossai_body spider = {.form = form_of(OSSA_BODY_SPIDER)};
	const tree legs = {5, {OSSA_NONE, 0, 1, 0, 3}};
	no_leaves(leaf);
	leaf[limb_of(spider.form, OSSAI_LIMB_LEG) + 1][0] = 2;
	leaf[limb_of(spider.form, OSSAI_LIMB_LEG)][1] = 4;
	assert_ok(context, ossai_body_roles(&arena, &spider, legs.count, legs.parent, leaf, role));
	assert_role(role[0], OSSA_PART_BODY, 0, 0, 0);
	assert_role(role[2], OSSA_PART_LEG, 1, 2, 2);
	assert_role(role[3], OSSA_PART_LEG, -1, 1, 1);
	const ossai_body fish = {.form = form_of(OSSA_BODY_FISH)};
	const tree stock = {6, {OSSA_NONE, 0, 1, 2, 2, 0}};
	no_leaves(leaf);
	leaf[limb_of(fish.form, OSSAI_LIMB_TAIL)][0] = 3;
	leaf[limb_of(fish.form, OSSAI_LIMB_TAIL) + 1][0] = 4;
	leaf[limb_of(fish.form, OSSAI_LIMB_HEAD)][0] = 5;
	assert_ok(context, ossai_body_roles(&arena, &fish, stock.count, stock.parent, leaf, role));
	assert_role(role[1], OSSA_PART_TAIL, 0, 1, 0);
	assert_role(role[2], OSSA_PART_TAIL, 0, 2, 0);
	assert_role(role[3], OSSA_PART_TAIL, 0, 1, 1);
	assert_role(role[4], OSSA_PART_TAIL, 0, 1, 2);
	assert_role(role[5], OSSA_PART_HEAD, 0, 0, 0);
	const ossai_body snake = {.form = form_of(OSSA_BODY_SNAKE)};
	const tree chain = {4, {OSSA_NONE, 0, 1, 0}};
	no_leaves(leaf);
	leaf[limb_of(snake.form, OSSAI_LIMB_TAIL)][0] = 2;
	leaf[limb_of(snake.form, OSSAI_LIMB_HEAD)][0] = 3;
	assert_ok(context, ossai_body_roles(&arena, &snake, chain.count, chain.parent, leaf, role));
	assert_role(role[2], OSSA_PART_SPINE, 0, 1, 0);
	assert_role(role[1], OSSA_PART_SPINE, 0, 2, 0);
	assert_role(role[0], OSSA_PART_SPINE, 0, 3, 0);
	assert_role(role[3], OSSA_PART_SPINE, 0, 4, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_quadruped), cmocka_unit_test(a_palm_of_several_bones),
		cmocka_unit_test(limbs_of_other_numbers), cmocka_unit_test(others)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
