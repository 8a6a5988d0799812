/* body/recognize.c: see recognize.h. */
#include "body/recognize.h"

/* What a limb costs that is none of the plan's: about one in seven bodies has one. */
static const double EXTRA_LIMB = -2;

/* Distance of a limb's tip from the mirror image of the other one of its pair, where the shape is
   symmetric; and of the head's from the plane: shares of the figure's height. */
static const ossai_range IMAGE = {0, 0.04}, MIDDLE = {0, 0.06};

/* Most files have +Y up, some +Z; figures that lie on their side or hang are rare. */
static const struct up_choice {
	int axis;
	double sign, odds; /* logarithm */
} ups[] = {{1, 1, 0}, {2, 1, -2}, {2, -1, -6}, {0, 1, -6}, {0, -1, -6}, {1, -1, -6}};

/* The larger part of files have figures that look along +Z, or where Z is up along -Y. */
static const double USUAL_FRONT = 1;

/* Feet point forward, and hands hang before the trunk: in heights of the figure. */
static const ossai_range FOOT_AHEAD = {0.06, 0.04}, HAND_AHEAD = {0.02, 0.06};

typedef struct search {
	const ossai_figure *figure;
	const ossai_body_plan *plan;
	ossai_vec3 up;
	double low, height;
} search;

/* the logarithm of a normal density, over that of the uniform one on 0..1 */
static double likelihood(ossai_range range, double value)
{
	const double z = (value - range.mean) / range.deviation;
	return -z * z / 2 - log(range.deviation * sqrt(2 * OSSAI_PI));
}

static double height_of(const search *s, ossai_vec3 p) { return (ossai_dot(s->up, p) - s->low) / s->height; }

/* horizontal distance, in heights */
static double apart(const search *s, ossai_vec3 a, ossai_vec3 b)
{
	const ossai_vec3 d = ossai_sub(a, b);
	return ossai_length(ossai_madd(d, -ossai_dot(d, s->up), s->up)) / s->height;
}

static ossai_vec3 tip(const search *s, size_t end) { return s->figure->end[end].tip; }

static double length_to(const search *s, size_t end, uint32_t node) { return s->figure->end[end].distance[node] / s->height; }

static double score_mirror(const search *s, const size_t pair[2])
{
	const ossai_mirror *mirror = s->figure->mirror;
	if (!mirror || !mirror->exists) return 0;
	const double off = ossai_distance(tip(s, pair[0]), ossai_mirror_point(mirror, tip(s, pair[1])));
	return likelihood(IMAGE, off / s->height);
}

static double score_middle(const search *s, size_t end)
{
	const ossai_mirror *mirror = s->figure->mirror;
	if (!mirror || !mirror->exists) return 0;
	return likelihood(MIDDLE, (ossai_dot(mirror->normal, tip(s, end)) - mirror->offset) / s->height);
}

/* traits of a pair of limbs and of all five, as far as they depend on them: pairs are scored once */
static double score_pair(const search *s, const size_t pair[2], ossai_trait height, ossai_trait spread)
{
	const ossai_range *trait = s->plan->trait;
	const ossai_vec3 a = tip(s, pair[0]), b = tip(s, pair[1]);
	return likelihood(trait[height], (height_of(s, a) + height_of(s, b)) / 2) + likelihood(trait[spread], apart(s, a, b)) +
		score_mirror(s, pair);
}

static double score_all(const search *s, const ossai_body_limbs *limbs, uint32_t hip, uint32_t shoulder)
{
	const ossai_range *trait = s->plan->trait;
	const ossai_vec3 hips = s->figure->curve->node[hip], chest = s->figure->curve->node[shoulder];
	const double leg[2] = {length_to(s, limbs->leg[0], hip), length_to(s, limbs->leg[1], hip)};
	const double arm[2] = {length_to(s, limbs->arm[0], shoulder), length_to(s, limbs->arm[1], shoulder)};
	double score = likelihood(trait[OSSAI_TRAIT_HEAD_HEIGHT], height_of(s, tip(s, limbs->head)));
	score += likelihood(trait[OSSAI_TRAIT_HIP_HEIGHT], height_of(s, hips));
	score += likelihood(trait[OSSAI_TRAIT_SHOULDER_HEIGHT], height_of(s, chest));
	score += likelihood(trait[OSSAI_TRAIT_TRUNK_SLANT], apart(s, hips, chest));
	score += likelihood(trait[OSSAI_TRAIT_HEAD_SLANT], apart(s, hips, tip(s, limbs->head)));
	score += likelihood(trait[OSSAI_TRAIT_LEG_LENGTH], (leg[0] + leg[1]) / 2);
	score += likelihood(trait[OSSAI_TRAIT_ARM_LENGTH], (arm[0] + arm[1]) / 2);
	score += likelihood(trait[OSSAI_TRAIT_HEAD_LENGTH], length_to(s, limbs->head, shoulder));
	score += likelihood(trait[OSSAI_TRAIT_LEG_RATIO], log(leg[0] / leg[1]));
	score += likelihood(trait[OSSAI_TRAIT_ARM_RATIO], log(arm[0] / arm[1]));
	return score + score_middle(s, limbs->head);
}

static void try_limbs(const search *s, const ossai_body_limbs *limbs, double score, ossai_body *best)
{
	const uint32_t hip = ossai_figure_meet(s->figure, limbs->leg[0], limbs->leg[1], limbs->head);
	const uint32_t shoulder = ossai_figure_meet(s->figure, limbs->arm[0], limbs->arm[1], limbs->head);
	score += score_all(s, limbs, hip, shoulder);
	if (!(score > best->score)) return;
	*best = (ossai_body){.plan = s->plan,
		.score = score,
		.limbs = *limbs,
		.hip_node = hip,
		.shoulder_node = shoulder,
		.up = s->up,
		.low = s->low,
		.height = s->height};
}

static bool has_end(const size_t pair[2], size_t end) { return pair[0] == end || pair[1] == end; }

/* all choices of a head and a pair of arms to a pair of legs */
static void try_legs(const search *s, const size_t leg[2], double score, ossai_body *best)
{
	const size_t count = s->figure->end_count;
	ossai_body_limbs limbs = {.leg = {leg[0], leg[1]}};
	for (limbs.arm[0] = 0; limbs.arm[0] < count; limbs.arm[0]++) {
		if (has_end(leg, limbs.arm[0])) continue;
		for (limbs.arm[1] = limbs.arm[0] + 1; limbs.arm[1] < count; limbs.arm[1]++) {
			if (has_end(leg, limbs.arm[1])) continue;
			const double arms = score_pair(s, limbs.arm, OSSAI_TRAIT_HAND_HEIGHT, OSSAI_TRAIT_HAND_SPREAD);
			for (limbs.head = 0; limbs.head < count; limbs.head++) {
				if (has_end(leg, limbs.head) || has_end(limbs.arm, limbs.head)) continue;
				try_limbs(s, &limbs, score + arms, best);
			}
		}
	}
}

static void measure_extent(search *s)
{
	const ossai_proxy *proxy = s->figure->proxy;
	double low = INFINITY, high = -INFINITY;
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const double at = ossai_dot(s->up, ossai_v3_of(proxy->positions + 3 * v));
		low = ossai_lesser(low, at);
		high = ossai_larger(high, at);
	}
	s->low = low;
	s->height = high - low;
}

static void try_up(search *s, double odds, ossai_body *best)
{
	const size_t count = s->figure->end_count;
	measure_extent(s);
	const double extra = EXTRA_LIMB * (double)(count - 5);
	size_t leg[2];
	for (leg[0] = 0; leg[0] < count; leg[0]++) {
		for (leg[1] = leg[0] + 1; leg[1] < count; leg[1]++) {
			const double legs = score_pair(s, leg, OSSAI_TRAIT_FOOT_HEIGHT, OSSAI_TRAIT_FOOT_SPREAD);
			try_legs(s, leg, odds + extra + legs, best);
		}
	}
}

/* ---- front, left and right ---- */

/* the horizontal axis from one side to the other: the normal of the plane of symmetry, else the
   mean direction of both pairs */
static ossai_vec3 side_axis(const ossai_figure *figure, const ossai_body *body)
{
	const ossai_body_limbs *l = &body->limbs;
	ossai_vec3 axis = ossai_sub(figure->end[l->leg[1]].tip, figure->end[l->leg[0]].tip);
	const ossai_vec3 arms = ossai_sub(figure->end[l->arm[1]].tip, figure->end[l->arm[0]].tip);
	axis = ossai_madd(axis, ossai_dot(axis, arms) < 0 ? -1 : 1, arms);
	if (figure->mirror && figure->mirror->exists) axis = figure->mirror->normal;
	axis = ossai_madd(axis, -ossai_dot(axis, body->up), body->up);
	return ossai_unit(axis, ossai_v3(1, 0, 0));
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
	for (int k = 0; k < 2; k++) {
		const ossai_vec3 shank = point_on(figure, body->limbs.leg[k], body->hip_node, 0.4);
		const ossai_vec3 chest = figure->curve->node[body->shoulder_node];
		foot += ossai_dot(front, ossai_sub(figure->end[body->limbs.leg[k]].tip, shank)) / body->height / 2;
		hand += ossai_dot(front, ossai_sub(figure->end[body->limbs.arm[k]].tip, chest)) / body->height / 2;
	}
	const bool is_z_up = fabs(ossai_dot(body->up, figure->axis[2])) > 0.5;
	const double along = is_z_up ? -ossai_dot(front, figure->axis[1]) : ossai_dot(front, figure->axis[2]);
	return likelihood(FOOT_AHEAD, foot) - likelihood(FOOT_AHEAD, -foot) + likelihood(HAND_AHEAD, hand) -
		likelihood(HAND_AHEAD, -hand) + USUAL_FRONT * along;
}

static void swap_sides(const ossai_figure *figure, const ossai_body *body, size_t pair[2])
{
	const ossai_vec3 middle = figure->curve->node[body->shoulder_node];
	const double a = ossai_dot(body->left, ossai_sub(figure->end[pair[0]].tip, middle));
	const double b = ossai_dot(body->left, ossai_sub(figure->end[pair[1]].tip, middle));
	if (a >= b) return;
	const size_t other = pair[0];
	pair[0] = pair[1];
	pair[1] = other;
}

static void find_front(const ossai_figure *figure, ossai_body *body)
{
	body->left = side_axis(figure, body);
	body->front = ossai_cross(body->left, body->up);
	body->front_odds = odds_of_front(figure, body, body->front);
	if (body->front_odds < 0) {
		body->front_odds = -body->front_odds;
		body->front = ossai_scale(body->front, -1);
		body->left = ossai_scale(body->left, -1);
	}
	swap_sides(figure, body, body->limbs.leg);
	swap_sides(figure, body, body->limbs.arm);
}

/* ---- the whole ---- */

void ossai_body_recognize(const ossai_figure *figure, ossa_body_kind kind, ossai_body *body)
{
	*body = (ossai_body){.score = kind == OSSA_BODY_AUTO ? 0 : -INFINITY};
	if (kind == OSSA_BODY_NONE || figure->end_count < 5) return;
	search s = {.figure = figure, .plan = &ossai_human_plan};
	for (size_t i = 0; i < sizeof ups / sizeof ups[0]; i++) {
		s.up = ossai_scale(figure->axis[ups[i].axis], ups[i].sign);
		try_up(&s, ups[i].odds, body);
	}
	if (body->plan) find_front(figure, body);
}
