/* body/front.c: see front.h. */
#include "body/front.h"

/* Feet point forward, and hands hang before the trunk: in heights of the figure. */
static const ossai_range FOOT_AHEAD = {0.06, 0.04}, HAND_AHEAD = {0.02, 0.06};

/* The larger part of files have figures that look along +Z, or where Z is up along -Y. */
static const double USUAL_FRONT = 1;

/* A pose or clothes may hide what is expected. */
static const double HIDDEN = 0.03;

/* the logarithm of a density that may fail, on 0..1 */
static double likelihood(ossai_range range, double value)
{
	return log((1 - HIDDEN) * exp(ossai_range_log_density(range, value)) + HIDDEN);
}

static bool is_hidden(size_t end) { return end == OSSAI_LIMB_HIDDEN; }

/* from the second limb of a pair to the first one; 0 where one is hidden */
static ossai_vec3 across(const ossai_figure *figure, const size_t pair[2])
{
	if (is_hidden(pair[0]) || is_hidden(pair[1])) return ossai_v3(0, 0, 0);
	return ossai_sub(figure->end[pair[0]].tip, figure->end[pair[1]].tip);
}

/* the horizontal axis from one side to the other: the normal of the plane of symmetry, else the
   mean direction of both pairs, else what it was */
static ossai_vec3 side_axis(const ossai_figure *figure, const ossai_body *body)
{
	ossai_vec3 axis = ossai_add(across(figure, body->limbs.leg), across(figure, body->limbs.arm));
	const ossai_mirror *mirror = figure->mirror;
	/* the plane, unless the limbs were found to lie before and behind it */
	if (mirror && mirror->exists && fabs(ossai_dot(mirror->normal, body->left)) > 0.7) axis = mirror->normal;
	axis = ossai_madd(axis, -ossai_dot(axis, body->up), body->up);
	axis = ossai_unit(axis, body->left);
	return ossai_dot(axis, body->left) < 0 ? ossai_scale(axis, -1) : axis;
}

/* the point of the path from an end to a node at a share of its length */
static ossai_vec3 point_on(const ossai_figure *figure, size_t end, uint32_t node, double share)
{
	const ossai_figure_end *e = &figure->end[end];
	const double at = share * e->distance[node];
	while (e->distance[node] > at && e->toward[node] != node) node = e->toward[node];
	return figure->curve->node[node];
}

/* the logarithm of the odds that a body faces `front` and not the opposite direction */
static double odds_of_front(const ossai_figure *figure, const ossai_body *body, ossai_vec3 front)
{
	double foot = 0, hand = 0;
	int feet = 0, hands = 0;
	for (int k = 0; k < 2; k++) {
		const size_t arm = body->limbs.arm[k], leg = body->limbs.leg[k];
		const ossai_vec3 chest = figure->curve->node[body->shoulder_node];
		if (!is_hidden(arm)) hand += ossai_dot(front, ossai_sub(figure->end[arm].tip, chest)) / body->height;
		hands += !is_hidden(arm);
		if (is_hidden(leg)) continue;
		const ossai_vec3 shank = point_on(figure, leg, body->hip_node, 0.4);
		foot += ossai_dot(front, ossai_sub(figure->end[leg].tip, shank)) / body->height;
		feet++;
	}
	const bool is_z_up = fabs(ossai_dot(body->up, figure->axis[2])) > 0.5;
	double odds = USUAL_FRONT * (is_z_up ? -ossai_dot(front, figure->axis[1]) : ossai_dot(front, figure->axis[2]));
	if (feet > 0) odds += likelihood(FOOT_AHEAD, foot / feet) - likelihood(FOOT_AHEAD, -foot / feet);
	if (hands > 0) odds += likelihood(HAND_AHEAD, hand / hands) - likelihood(HAND_AHEAD, -hand / hands);
	return odds;
}

static void swap(size_t pair[2])
{
	const size_t other = pair[0];
	pair[0] = pair[1];
	pair[1] = other;
}

void ossai_body_find_front(const ossai_figure *figure, ossai_body *body)
{
	body->left = side_axis(figure, body);
	body->front = ossai_scale(ossai_cross(body->left, body->up), figure->hand);
	body->front_odds = odds_of_front(figure, body, body->front);
	if (body->front_odds >= 0) return;
	body->front_odds = -body->front_odds;
	body->front = ossai_scale(body->front, -1);
	body->left = ossai_scale(body->left, -1);
	swap(body->limbs.leg);
	swap(body->limbs.arm);
	for (size_t l = 0; l < body->form->limb_count; l++) {
		if (body->form->limb[l].is_pair) swap(body->end[l]);
	}
}
