/* body/limb_odds.c: see limb_odds.h. */
#include "body/limb_odds.h"

#include <stdio.h>
#include <string.h>

/* the limb that each trait is of */
static const ossai_limb_group group_of[OSSAI_TRAIT_COUNT] = {
	[OSSAI_TRAIT_FOOT_HEIGHT] = OSSAI_LIMBS_LEGS,
	[OSSAI_TRAIT_HAND_HEIGHT] = OSSAI_LIMBS_ARMS,
	[OSSAI_TRAIT_HEAD_HEIGHT] = OSSAI_LIMBS_HEAD,
	[OSSAI_TRAIT_HIP_HEIGHT] = OSSAI_LIMBS_LEGS,
	[OSSAI_TRAIT_SHOULDER_HEIGHT] = OSSAI_LIMBS_ARMS,
	[OSSAI_TRAIT_TRUNK_LENGTH] = OSSAI_LIMBS_TRUNK,
	[OSSAI_TRAIT_TRUNK_SLANT] = OSSAI_LIMBS_TRUNK,
	[OSSAI_TRAIT_HEAD_SLANT] = OSSAI_LIMBS_HEAD,
	[OSSAI_TRAIT_LEG_LENGTH] = OSSAI_LIMBS_LEGS,
	[OSSAI_TRAIT_ARM_LENGTH] = OSSAI_LIMBS_ARMS,
	[OSSAI_TRAIT_HEAD_LENGTH] = OSSAI_LIMBS_HEAD,
	[OSSAI_TRAIT_FOOT_SPREAD] = OSSAI_LIMBS_LEGS,
	[OSSAI_TRAIT_HAND_SPREAD] = OSSAI_LIMBS_ARMS,
	[OSSAI_TRAIT_LEG_RATIO] = OSSAI_LIMBS_LEGS,
	[OSSAI_TRAIT_ARM_RATIO] = OSSAI_LIMBS_ARMS,
};

typedef struct measuring {
	const ossai_figure *figure;
	const ossai_body *body;
	double value[OSSAI_TRAIT_COUNT];
} measuring;

static double height_of(const measuring *m, ossai_vec3 p)
{
	return (ossai_dot(m->body->up, p) - m->body->low) / m->body->height;
}

static double apart(const measuring *m, ossai_vec3 a, ossai_vec3 b)
{
	const ossai_vec3 d = ossai_sub(a, b);
	return ossai_length(ossai_madd(d, -ossai_dot(d, m->body->up), m->body->up)) / m->body->height;
}

/* the traits of a pair: mean height and distance of the tips, mean and ratio of the lengths */
static void measure_pair(measuring *m, const size_t pair[2], uint32_t node, const ossai_trait trait[4])
{
	const ossai_figure_end *a = &m->figure->end[pair[0]], *b = &m->figure->end[pair[1]];
	m->value[trait[0]] = (height_of(m, a->tip) + height_of(m, b->tip)) / 2;
	m->value[trait[1]] = apart(m, a->tip, b->tip);
	m->value[trait[2]] = (a->distance[node] + b->distance[node]) / 2 / m->body->height;
	m->value[trait[3]] = log(a->distance[node] / b->distance[node]);
}

static void measure(measuring *m)
{
	static const ossai_trait leg[4] = {
		OSSAI_TRAIT_FOOT_HEIGHT, OSSAI_TRAIT_FOOT_SPREAD, OSSAI_TRAIT_LEG_LENGTH, OSSAI_TRAIT_LEG_RATIO};
	static const ossai_trait arm[4] = {
		OSSAI_TRAIT_HAND_HEIGHT, OSSAI_TRAIT_HAND_SPREAD, OSSAI_TRAIT_ARM_LENGTH, OSSAI_TRAIT_ARM_RATIO};
	const ossai_body *b = m->body;
	const ossai_figure_end *head = &m->figure->end[b->limbs.head];
	const ossai_vec3 hips = m->figure->curve->node[b->hip_node], chest = m->figure->curve->node[b->shoulder_node];
	if (!ossai_body_hides_legs(b)) measure_pair(m, b->limbs.leg, b->hip_node, leg);
	measure_pair(m, b->limbs.arm, b->shoulder_node, arm);
	m->value[OSSAI_TRAIT_HEAD_HEIGHT] = height_of(m, head->tip);
	m->value[OSSAI_TRAIT_HIP_HEIGHT] = height_of(m, hips);
	m->value[OSSAI_TRAIT_SHOULDER_HEIGHT] = height_of(m, chest);
	m->value[OSSAI_TRAIT_TRUNK_LENGTH] = fabs(head->distance[b->hip_node] - head->distance[b->shoulder_node]) / b->height;
	m->value[OSSAI_TRAIT_TRUNK_SLANT] = apart(m, hips, chest);
	m->value[OSSAI_TRAIT_HEAD_SLANT] = apart(m, hips, head->tip);
	m->value[OSSAI_TRAIT_HEAD_LENGTH] = head->distance[b->shoulder_node] / b->height;
}

void ossai_limb_odds(const ossai_figure *figure, const ossai_body *body, double odds[OSSAI_LIMBS_COUNT])
{
	measuring m = {.figure = figure, .body = body};
	measure(&m);
	memset(odds, 0, OSSAI_LIMBS_COUNT * sizeof *odds);
	for (int t = 0; t < OSSAI_TRAIT_COUNT; t++) {
		const bool is_seen = group_of[t] != OSSAI_LIMBS_LEGS || !ossai_body_hides_legs(body);
		if (is_seen) odds[group_of[t]] += ossai_trait_likelihood(body->plan->trait[t], m.value[t]);
	}
}

void ossai_limb_odds_print(const ossai_figure *figure, const ossai_body *body, char *text, size_t size)
{
	static const char *const words[] = {"the legs are", "the arms are", "the head is", "the trunk is"};
	double odds[OSSAI_LIMBS_COUNT];
	size_t used = 0;
	text[0] = 0;
	ossai_limb_odds(figure, body, odds);
	for (int g = 0; g < OSSAI_LIMBS_COUNT && used < size; g++) {
		char number[48];
		const bool is_hidden = g == OSSAI_LIMBS_LEGS && ossai_body_hides_legs(body);
		const char *comma = used > 0 ? ", " : "";
		if (is_hidden) used += (size_t)snprintf(text + used, size - used, "%sno legs are seen", comma);
		else if (odds[g] < 0)
			used += (size_t)snprintf(text + used, size - used, "%s%s unlikely (%s)", comma, words[g],
				ossa_odds_print(odds[g], number, sizeof number));
	}
}
