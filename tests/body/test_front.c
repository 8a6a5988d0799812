/* tests/body/test_front.c: which way an animal faces, by a leg with a foot. */
#include "body/front.h"
#include "support/support.h"

#include <string.h>

/* nodes of a leg, the first one at the hip, the last one at the tip of the foot */
enum { NODES = 11 };

typedef struct leg {
	ossai_figure figure;
	ossai_curve curve;
	ossai_vec3 node[NODES];
	uint32_t toward[NODES];
	double distance[NODES];
	ossai_body body;
} leg;

static const ossai_form *form_of(const char *name)
{
	for (size_t f = 0; f < ossai_form_count; f++) {
		if (strcmp(ossai_forms[f].name, name) == 0) return &ossai_forms[f];
	}
	fail_msg("there is no form %s", name);
	return NULL;
}

/* A leg 1 long of a body 1 high that faces +Z: below a fifth of its length it is a foot, its shank
   is upright, and above a third of it it is bent ahead. The tip is so far ahead of the shank. */
static void make_leg(leg *l, const char *form, double ahead)
{
	*l = (leg){.curve = {.node_count = NODES, .node = l->node}};
	for (uint32_t i = 0; i < NODES; i++) {
		l->distance[i] = 0.1 * (NODES - 1 - i);
		l->toward[i] = i + 1 < NODES ? i + 1 : i;
		l->node[i] = ossai_v3(0, l->distance[i], l->distance[i] < 0.19 || l->distance[i] > 0.33 ? 0.5 : 0);
	}
	l->figure = (ossai_figure){.curve = &l->curve, .end_count = 1};
	l->figure.end[0] = (ossai_figure_end){
		.node = NODES - 1, .tip = ossai_v3(0, 0, ahead), .toward = l->toward, .distance = l->distance};
	const size_t none = OSSAI_LIMB_HIDDEN;
	l->body = (ossai_body){.form = form_of(form),
		.limbs = {.leg = {0, none}, .arm = {none, none}, .head = none},
		.up = {0, 1, 0},
		.front = {0, 0, 1},
		.height = 1};
}

/* ahead of the shank, not of the foot's middle or the knee, in heights of the body */
static void feet_are_ahead_of_the_shank(void **state)
{
	(void)state;
	leg l;
	double ahead = 0;
	make_leg(&l, "quadruped", 0.08);
	assert_true(ossai_body_feet_ahead(&l.figure, &l.body, false, &ahead));
	assert_near(ahead, 0.08, 1e-9);
	l.body.height = 2;
	assert_true(ossai_body_feet_ahead(&l.figure, &l.body, false, &ahead));
	assert_near(ahead, 0.04, 1e-9);
	assert_false(ossai_body_feet_ahead(&l.figure, &l.body, true, &ahead));
}

/* a foot as long as most says it by e^2.2 to e^3.1, a short one by less than e^0.7, one that is far
   ahead, as of a leg that is lifted, hardly anything */
static void feet_point_forward(void **state)
{
	(void)state;
	static const struct {
		double ahead, least, most;
	} cases[] = {{0.064, 2.2, 3.1}, {0.01, 0.1, 0.7}, {0, 0, 0}, {0.4, 0, 0.05}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		leg l;
		make_leg(&l, "quadruped", cases[i].ahead);
		const double odds = ossai_body_feet_odds(&l.figure, &l.body);
		if (!(odds >= cases[i].least - 1e-9 && odds <= cases[i].most + 1e-9))
			fail_msg("a foot that is %g ahead gives odds of %g", cases[i].ahead, odds);
		make_leg(&l, "quadruped", -cases[i].ahead);
		assert_near(ossai_body_feet_odds(&l.figure, &l.body), -odds, 1e-9);
	}
}

/* a bird that flies, and legs on all sides of a body, say nothing */
static void only_feet_on_the_ground_count(void **state)
{
	(void)state;
	static const struct {
		const char *form;
		bool has_feet;
	} cases[] = {{"bird, standing", true}, {"theropod", true}, {"bird, flying", false}, {"spider", false}, {"fish", false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		leg l;
		make_leg(&l, cases[i].form, 0.064);
		const double odds = ossai_body_feet_odds(&l.figure, &l.body);
		assert_true(cases[i].has_feet ? odds > 2 : odds == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(feet_are_ahead_of_the_shank), cmocka_unit_test(feet_point_forward),
		cmocka_unit_test(only_feet_on_the_ground_count)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
