/* body/recognize.c: see recognize.h. */
#include "body/recognize.h"

/* What a limb costs that is none of the plan's: fingers, horns, a weapon on another limb are more
   frequent than tails, wings and capes on the trunk. */
static const double EXTRA_ON_LIMB = -1, EXTRA_ON_TRUNK = -4;

/* ... on this share of the limb, from its tip. */
static const double FREE = 0.7;

/* One on the trunk that is longer than this share of an arm is a tail or a wing where the figure is
   symmetric, and a fifth finger where it is not. */
static const double LONG = 0.5, EXTRA_LONG = -9;

/* Shapes that are no body reach scores of some nats by chance: the logarithm of the odds before
   anything is measured. */
static const double BODIES = -5;

/* Narrower by this logarithm than head and trunk, a neck is one. 38 of 48 human heads have one; of
   the ends of other limbs one in five is assumed. */
static const double NECK = 0.15, NECK_FOUND = 1.4, NECK_MISSING = -1.4;

/* That a robe or a long dress hides the legs is assumed of one human in fifty; the hem and the feet
   below it are in the lowest part of the height. */
static const double ROBES = -4, HEM = 0.2;

/* Most bodies are symmetric in their rest pose. */
static const double NOT_SYMMETRIC = -1.5;

/* Distance of a limb's tip from the mirror image of the other one of its pair, where the shape is
   symmetric; and of the head's from the plane: shares of the figure's height. */
static const ossai_range IMAGE = {0, 0.04}, MIDDLE = {0, 0.06};

/* Most files have +Y up, some +Z; figures that lie on their side or hang are rare. */
static const struct up_choice {
	int axis;
	double sign, odds; /* logarithm */
} ups[] = {{1, 1, 0}, {2, 1, -4}, {2, -1, -9}, {0, 1, -9}, {0, -1, -9}, {1, -1, -9}};

/* The larger part of files have figures that look along +Z, or where Z is up along -Y. */
static const double USUAL_FRONT = 1;

/* Feet point forward, and hands hang before the trunk: in heights of the figure. */
static const ossai_range FOOT_AHEAD = {0.06, 0.04}, HAND_AHEAD = {0.02, 0.06};

/* Two arms and a head. */
enum { LEAST_ENDS = 3 };

typedef struct search {
	const ossai_figure *figure;
	const ossai_body_plan *plan;
	ossai_vec3 up;
	double low, height;
	uint32_t bottom; /* the lowest node of the curve */
} search;

static double likelihood(ossai_range range, double value) { return ossai_trait_likelihood(range, value); }

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

/* the traits of the legs beside those of their tips */
static double score_legs(const search *s, const ossai_body_limbs *limbs, uint32_t hip, uint32_t shoulder)
{
	const ossai_range *trait = s->plan->trait;
	const double leg[2] = {length_to(s, limbs->leg[0], hip), length_to(s, limbs->leg[1], hip)};
	const double trunk = fabs(length_to(s, limbs->head, hip) - length_to(s, limbs->head, shoulder));
	return likelihood(trait[OSSAI_TRAIT_HIP_HEIGHT], height_of(s, s->figure->curve->node[hip])) +
		likelihood(trait[OSSAI_TRAIT_TRUNK_LENGTH], trunk) + likelihood(trait[OSSAI_TRAIT_LEG_LENGTH], (leg[0] + leg[1]) / 2) +
		likelihood(trait[OSSAI_TRAIT_LEG_RATIO], log(leg[0] / leg[1]));
}

/* the traits of arms, head and trunk together */
static double score_all(const search *s, const ossai_body_limbs *limbs, uint32_t hip, uint32_t shoulder)
{
	const ossai_range *trait = s->plan->trait;
	const ossai_vec3 hips = s->figure->curve->node[hip], chest = s->figure->curve->node[shoulder];
	const double arm[2] = {length_to(s, limbs->arm[0], shoulder), length_to(s, limbs->arm[1], shoulder)};
	double score = likelihood(trait[OSSAI_TRAIT_HEAD_HEIGHT], height_of(s, tip(s, limbs->head)));
	score += likelihood(trait[OSSAI_TRAIT_SHOULDER_HEIGHT], height_of(s, chest));
	score += likelihood(trait[OSSAI_TRAIT_TRUNK_SLANT], apart(s, hips, chest));
	score += likelihood(trait[OSSAI_TRAIT_HEAD_SLANT], apart(s, hips, tip(s, limbs->head)));
	score += likelihood(trait[OSSAI_TRAIT_ARM_LENGTH], (arm[0] + arm[1]) / 2);
	score += likelihood(trait[OSSAI_TRAIT_HEAD_LENGTH], length_to(s, limbs->head, shoulder));
	score += likelihood(trait[OSSAI_TRAIT_ARM_RATIO], log(arm[0] / arm[1]));
	return score + score_middle(s, limbs->head);
}

/* the logarithm of how much narrower a limb is at its neck than on both sides of it; 0: it has none */
static double neck_depth(const ossai_figure *figure, size_t end, uint32_t node)
{
	const double *radius = figure->curve->radius;
	const uint32_t *toward = figure->end[end].toward;
	double trunk = radius[node], deepest = 0;
	for (; toward[node] != node; node = toward[node]) {
		double head = 0;
		for (uint32_t out = node; toward[out] != out; out = toward[out]) head = fmax(head, radius[toward[out]]);
		trunk = fmax(trunk, radius[node]);
		deepest = fmax(deepest, log(fmin(head, trunk) / radius[node]));
	}
	return deepest;
}

/* whether a node is on the path from another one to an end */
static bool is_between(const ossai_figure_end *end, uint32_t node, uint32_t stop)
{
	while (stop != end->node && stop != node) stop = end->toward[stop];
	return stop == node;
}

/* whether a node is on one of the plan's limbs, and whether on its free part */
static bool is_on_body(const search *s, const ossai_body *b, uint32_t node, bool *on_limb)
{
	const ossai_body_limbs *l = &b->limbs;
	const size_t ends[5] = {l->leg[0], l->leg[1], l->arm[0], l->arm[1], l->head};
	for (int i = 0; i < 5; i++) {
		const uint32_t stop = i < 2 ? b->hip_node : b->shoulder_node;
		if (ends[i] == OSSAI_LIMB_HIDDEN || !is_between(&s->figure->end[ends[i]], node, stop)) continue;
		*on_limb = s->figure->end[ends[i]].distance[node] < FREE * s->figure->end[ends[i]].distance[stop];
		return true;
	}
	*on_limb = false;
	return node == b->hip_node || is_between(&s->figure->end[l->head], node, b->hip_node);
}

static bool is_limb(const ossai_body_limbs *l, size_t end)
{
	return l->leg[0] == end || l->leg[1] == end || l->arm[0] == end || l->arm[1] == end || l->head == end;
}

bool ossai_body_is_hem(const ossai_figure *figure, const ossai_body *body, size_t end)
{
	if (!ossai_body_hides_legs(body) || is_limb(&body->limbs, end)) return false;
	return (ossai_dot(body->up, figure->end[end].tip) - body->low) / body->height < HEM;
}

static double odds_of_symmetry(const search *s) { return s->figure->mirror && s->figure->mirror->exists ? 0 : NOT_SYMMETRIC; }

/* what the limbs cost that the plan leaves over */
static double score_extra(const search *s, const ossai_body *b)
{
	double score = 0;
	for (size_t e = 0; e < s->figure->end_count; e++) {
		if (is_limb(&b->limbs, e)) continue;
		uint32_t node = s->figure->end[e].node;
		bool on_limb = false;
		const ossai_figure_end *head = &s->figure->end[b->limbs.head];
		while (node != head->node && !is_on_body(s, b, node, &on_limb)) node = head->toward[node];
		const double arm = s->figure->end[b->limbs.arm[0]].distance[b->shoulder_node];
		const bool is_odd = odds_of_symmetry(s) < 0 && s->figure->end[e].distance[node] > LONG * arm;
		/* arms and legs may hold something long */
		const bool on_head = is_between(head, node, b->shoulder_node) && is_odd;
		const bool is_light = (on_limb && !on_head) || node == head->node || ossai_body_is_hem(s->figure, b, e);
		score += is_light ? EXTRA_ON_LIMB : is_odd ? EXTRA_LONG : EXTRA_ON_TRUNK;
	}
	return score;
}

static void try_limbs(const search *s, const ossai_body_limbs *limbs, double score, ossai_body *best)
{
	const bool is_hidden = limbs->leg[0] == OSSAI_LIMB_HIDDEN;
	const uint32_t hip = is_hidden ? s->bottom : ossai_figure_meet(s->figure, limbs->leg[0], limbs->leg[1], limbs->head);
	const uint32_t shoulder = ossai_figure_meet(s->figure, limbs->arm[0], limbs->arm[1], limbs->head);
	score += score_all(s, limbs, hip, shoulder);
	if (!is_hidden) score += score_legs(s, limbs, hip, shoulder);
	if (!(score + NECK_FOUND > best->score)) return;
	ossai_body found = {.plan = s->plan, .limbs = *limbs, .hip_node = hip, .shoulder_node = shoulder, .up = s->up};
	found.low = s->low;
	found.height = s->height;
	found.score = score + score_extra(s, &found) +
		(neck_depth(s->figure, limbs->head, shoulder) > NECK ? NECK_FOUND : NECK_MISSING);
	if (found.score > best->score) *best = found;
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
	s->bottom = 0;
	const ossai_curve *curve = s->figure->curve;
	for (uint32_t i = 1; i < curve->node_count; i++) {
		if (height_of(s, curve->node[i]) < height_of(s, curve->node[s->bottom])) s->bottom = i;
	}
}

static void try_up(search *s, double odds, ossai_body *best)
{
	const size_t count = s->figure->end_count;
	size_t leg[2];
	measure_extent(s);
	for (leg[0] = 0; leg[0] < count; leg[0]++) {
		for (leg[1] = leg[0] + 1; leg[1] < count; leg[1]++) {
			const double legs = score_pair(s, leg, OSSAI_TRAIT_FOOT_HEIGHT, OSSAI_TRAIT_FOOT_SPREAD);
			try_legs(s, leg, BODIES + odds + odds_of_symmetry(s) + legs, best);
		}
	}
	leg[0] = leg[1] = OSSAI_LIMB_HIDDEN;
	if (s->plan->kind == OSSA_BODY_HUMAN) try_legs(s, leg, BODIES + odds + odds_of_symmetry(s) + ROBES, best);
}

/* ---- front, left and right ---- */

/* the horizontal axis from one side to the other: the normal of the plane of symmetry, else the
   mean direction of both pairs */
static ossai_vec3 side_axis(const ossai_figure *figure, const ossai_body *body)
{
	const ossai_body_limbs *l = &body->limbs;
	const ossai_vec3 arms = ossai_sub(figure->end[l->arm[1]].tip, figure->end[l->arm[0]].tip);
	ossai_vec3 axis = ossai_body_hides_legs(body) ? arms : ossai_sub(figure->end[l->leg[1]].tip, figure->end[l->leg[0]].tip);
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
		const ossai_vec3 chest = figure->curve->node[body->shoulder_node];
		hand += ossai_dot(front, ossai_sub(figure->end[body->limbs.arm[k]].tip, chest)) / body->height / 2;
		if (ossai_body_hides_legs(body)) continue;
		const ossai_vec3 shank = point_on(figure, body->limbs.leg[k], body->hip_node, 0.4);
		foot += ossai_dot(front, ossai_sub(figure->end[body->limbs.leg[k]].tip, shank)) / body->height / 2;
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
	body->front = ossai_scale(ossai_cross(body->left, body->up), figure->hand);
	body->front_odds = odds_of_front(figure, body, body->front);
	if (body->front_odds < 0) {
		body->front_odds = -body->front_odds;
		body->front = ossai_scale(body->front, -1);
		body->left = ossai_scale(body->left, -1);
	}
	if (!ossai_body_hides_legs(body)) swap_sides(figure, body, body->limbs.leg);
	swap_sides(figure, body, body->limbs.arm);
}

/* ---- the whole ---- */

static bool is_wanted(const ossai_body_plan *plan, ossa_body_kind kind) { return kind == OSSA_BODY_AUTO || kind == plan->kind; }

void ossai_body_recognize(const ossai_figure *figure, ossa_body_kind kind, ossai_body *body)
{
	static const ossai_body_plan *const plans[] = {&ossai_human_plan, &ossai_quadruped_plan};
	*body = (ossai_body){.score = kind == OSSA_BODY_AUTO ? 0 : -INFINITY};
	if (kind == OSSA_BODY_NONE || figure->end_count < LEAST_ENDS) return;
	for (size_t p = 0; p < sizeof plans / sizeof plans[0]; p++) {
		search s = {.figure = figure, .plan = plans[p]};
		for (size_t i = 0; i < sizeof ups / sizeof ups[0] && is_wanted(plans[p], kind); i++) {
			s.up = ossai_scale(figure->axis[ups[i].axis], ups[i].sign);
			try_up(&s, ups[i].odds, body);
		}
	}
	if (body->plan) find_front(figure, body);
}
