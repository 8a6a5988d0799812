/* body/front.c: see front.h. */
#include "body/front.h"

/* Feet point forward, and hands hang before the trunk: in heights of the figure. */
static const ossai_range FOOT_AHEAD = {0.06, 0.04}, HAND_AHEAD = {0.02, 0.06};

/* The feet of animals, hind and fore, are so far ahead of the point of the leg at this share of the
   way from the tip to the trunk (scripts/calibrate_forms). */
static const ossai_range PAW_AHEAD = {0.063, 0.056};
static const double PAW_SHANK = 0.2;

/* Logarithm of the odds of the front that most files have (body/figure.h). */
static const double USUAL_FRONT = 1;

/* the logarithm of the odds that something so far ahead is not as far behind */
static double odds_ahead(ossai_range range, double ahead)
{
	return ossai_range_evidence(range, ahead, 1) - ossai_range_evidence(range, -ahead, 1);
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
	double odds = USUAL_FRONT * ossai_figure_usual_front(figure, body->up, front);
	if (feet > 0) odds += odds_ahead(FOOT_AHEAD, foot / feet);
	if (hands > 0) odds += odds_ahead(HAND_AHEAD, hand / hands);
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

/* whether the pair's tips are feet that stand on the ground and point forward */
static bool has_feet(const ossai_body *body, bool is_fore)
{
	const ossa_body_kind kind = body->form->kind;
	if (is_fore) return kind == OSSA_BODY_QUADRUPED && body->shoulder_node != OSSA_NONE;
	if (kind != OSSA_BODY_QUADRUPED && kind != OSSA_BODY_THEROPOD && kind != OSSA_BODY_BIRD) return false;
	for (size_t l = 0; l < body->form->limb_count; l++) {
		const ossai_limb *limb = &body->form->limb[l];
		if (limb->kind == OSSAI_LIMB_LEG) return limb->from_ground && body->hip_node != OSSA_NONE;
	}
	return false;
}

bool ossai_body_feet_ahead(const ossai_figure *figure, const ossai_body *body, bool is_fore, double *ahead)
{
	if (!has_feet(body, is_fore)) return false;
	const size_t *pair = is_fore ? body->limbs.arm : body->limbs.leg;
	double sum = 0;
	int feet = 0;
	for (int k = 0; k < 2; k++) {
		if (is_hidden(pair[k])) continue;
		const ossai_vec3 shank = point_on(figure, pair[k], is_fore ? body->shoulder_node : body->hip_node, PAW_SHANK);
		sum += ossai_dot(body->front, ossai_sub(figure->end[pair[k]].tip, shank)) / body->height;
		feet++;
	}
	*ahead = feet > 0 ? sum / feet : 0;
	return feet > 0;
}

double ossai_body_feet_odds(const ossai_figure *figure, const ossai_body *body)
{
	double odds = 0;
	for (int pair = 0; pair < 2; pair++) {
		double ahead;
		if (ossai_body_feet_ahead(figure, body, pair == 1, &ahead)) odds += odds_ahead(PAW_AHEAD, ahead);
	}
	return odds;
}
