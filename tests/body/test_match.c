/* tests/body/test_match.c: which ends are the limbs of a form, of ends that meet in one node. */
#include "body/match.h"
#include "support/support.h"

#include <string.h>

enum { ENDS = 6, LEFT_LEG = 0, RIGHT_LEG, LEFT_ARM, RIGHT_ARM, HEAD, DECOY };

typedef struct star {
	ossai_figure figure;
	double distance[ENDS][ENDS];
} star;

static const ossai_form *form_of(const char *name)
{
	for (size_t f = 0; f < ossai_form_count; f++) {
		if (strcmp(ossai_forms[f].name, name) == 0) return &ossai_forms[f];
	}
	fail_msg("there is no form %s", name);
	return NULL;
}

static const ossai_limb *limb_of(const ossai_form *form, ossai_limb_kind kind)
{
	size_t l = 0;
	while (form->limb[l].kind != kind) l++;
	return &form->limb[l];
}

static ossai_vec3 tip_of(const ossai_limb *limb, int sign, double low)
{
	return ossai_v3(sign * limb->at[0].mean, limb->at[1].mean + (limb->from_ground ? low : 0), limb->at[2].mean);
}

/* A human with its arms out, of unit scale around the origin, and beside its left hand a decoy that
   is as far from the node as the hand times e^ratio: the hand itself is farther from where hands
   are. */
static void make_star(double ratio, double low, star *s)
{
	const ossai_form *form = form_of("human, arms out");
	const ossai_limb *leg = limb_of(form, OSSAI_LIMB_LEG), *arm = limb_of(form, OSSAI_LIMB_ARM);
	const ossai_limb *head = limb_of(form, OSSAI_LIMB_HEAD);
	const ossai_vec3 tips[ENDS] = {tip_of(leg, 1, low), tip_of(leg, -1, low),
		ossai_add(tip_of(arm, 1, low), ossai_v3(0, 0.5 * arm->at[1].deviation, 0)), tip_of(arm, -1, low), tip_of(head, 1, low),
		tip_of(arm, 1, low)};
	const double length[ENDS] = {1, 1, 1, 1, 1, exp(ratio)};
	*s = (star){.figure = {.end_count = ENDS}};
	for (uint32_t e = 0; e < ENDS; e++) {
		for (int k = 0; k < ENDS; k++) s->distance[e][k] = length[e] + length[k];
		s->figure.end[e] = (ossai_figure_end){.node = e, .tip = tips[e], .persistence = 1, .distance = s->distance[e]};
	}
}

static void match_star(ossa_context *context, star *s, double low, ossai_match *match)
{
	const ossai_frame frame = {ossai_v3(1, 0, 0), ossai_v3(0, 1, 0), ossai_v3(0, 0, 1), 0, low, 3, true};
	ossai_arena arena = ossai_arena_begin(context);
	ossai_matcher *matcher = ossai_arena_zero(&arena, 1, sizeof *matcher);
	assert_non_null(matcher);
	*matcher = (ossai_matcher){.figure = &s->figure, .moments = {.scale = 1}, .slimness = 3.4};
	assert_ok(context, ossai_assignment_make(&arena, OSSAI_MATCH_ROWS, OSSAI_MATCH_COLUMNS, &matcher->space));
	assert_true(ossai_match_find(matcher, form_of("human, arms out"), &frame, -INFINITY, match));
	assert_false(ossai_match_find(matcher, form_of("left hand"), &frame, -INFINITY, &(ossai_match){0}));
	ossai_arena_end(&arena);
}

/* a match is found where it is better than what is asked for, and is the same then */
static void only_better_matches_are_found(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const double low = -1.5;
	const ossai_frame frame = {ossai_v3(1, 0, 0), ossai_v3(0, 1, 0), ossai_v3(0, 0, 1), 0, low, 3, true};
	ossai_arena arena = ossai_arena_begin(context);
	ossai_matcher *matcher = ossai_arena_zero(&arena, 1, sizeof *matcher);
	assert_non_null(matcher);
	star s;
	make_star(0.3, low, &s);
	*matcher = (ossai_matcher){.figure = &s.figure, .moments = {.scale = 1}, .slimness = 3.4};
	assert_ok(context, ossai_assignment_make(&arena, OSSAI_MATCH_ROWS, OSSAI_MATCH_COLUMNS, &matcher->space));
	for (size_t f = 0; f < ossai_form_count; f++) {
		ossai_match any, better;
		if (!ossai_match_find(matcher, &ossai_forms[f], &frame, -INFINITY, &any)) continue;
		assert_true(ossai_match_find(matcher, &ossai_forms[f], &frame, any.score - 1e-6, &better));
		assert_true(better.score == any.score);
		assert_memory_equal(better.end, any.end, sizeof any.end);
		assert_false(ossai_match_find(matcher, &ossai_forms[f], &frame, any.score + 1e-6, &better));
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static size_t left_arm(const ossai_match *match)
{
	for (size_t l = 0; l < match->form->limb_count; l++) {
		if (match->form->limb[l].kind == OSSAI_LIMB_ARM) return match->end[l][0];
	}
	return OSSAI_LIMB_HIDDEN;
}

/* lengths that differ by 3 % say nothing, by 30 % that it is another end */
static void limbs_of_a_pair_are_as_long(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const double low = -1.5;
	star s;
	ossai_match match;
	make_star(0.03, low, &s);
	match_star(context, &s, low, &match);
	assert_int_equal(left_arm(&match), DECOY);
	make_star(-0.3, low, &s);
	match_star(context, &s, low, &match);
	assert_int_equal(left_arm(&match), LEFT_ARM);
	make_star(0.3, low, &s);
	match_star(context, &s, low, &match);
	assert_int_equal(left_arm(&match), LEFT_ARM);
	test_context_end(context);
}

/* a pair whose lengths differ by less than the deviation is hardly less likely, one that differs by
   a quarter is none; how much more it differs does not matter */
static void odds_of_pairs(void **state)
{
	(void)state;
	assert_near(ossai_match_pair_odds(2, 2), 0, 1e-12);
	assert_true(ossai_match_pair_odds(1, 1.04) > -0.5 && ossai_match_pair_odds(1, 1.04) < 0);
	assert_near(ossai_match_pair_odds(1, 1.04), ossai_match_pair_odds(1.04, 1), 1e-12);
	assert_true(ossai_match_pair_odds(1, 1.1) > -2.5);
	assert_true(ossai_match_pair_odds(1, 1.25) < -5);
	assert_near(ossai_match_pair_odds(1, 2), ossai_match_pair_odds(1, 1000), 1e-6);
}

/* the odds of the left hand by how far it stands out, a logarithm */
static double odds_of_hand(ossa_context *context, double persistence)
{
	const double low = -1.5;
	star s;
	ossai_match match;
	make_star(0.3, low, &s);
	s.figure.end[LEFT_ARM].persistence = exp(persistence);
	match_star(context, &s, low, &match);
	assert_int_equal(left_arm(&match), LEFT_ARM);
	for (size_t l = 0; l < match.form->limb_count; l++) {
		if (match.form->limb[l].kind == OSSAI_LIMB_ARM) return match.odds[l][0];
	}
	return 0;
}

/* A tip that stands out as far as hands do is likelier one, by e^1.4 to e^1.8, than a tip that
   stands out as ends that are no limbs do. One that hardly stands out is less likely still. */
static void limbs_stand_out(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	const double hand = odds_of_hand(context, 0.05), other = odds_of_hand(context, -0.5);
	assert_true(hand - other > 1.4 && hand - other < 1.8);
	assert_true(odds_of_hand(context, -0.9) > other - 3 && odds_of_hand(context, -0.9) < other - 1);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_better_matches_are_found),
		cmocka_unit_test(limbs_of_a_pair_are_as_long),
		cmocka_unit_test(odds_of_pairs),
		cmocka_unit_test(limbs_stand_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
