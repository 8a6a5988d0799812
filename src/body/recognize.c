/* body/recognize.c: see recognize.h. */
#include "body/recognize.h"

#include "body/frames.h"
#include "body/front.h"
#include "body/names.h"
#include "math/assignment.h"

#include <string.h>

/* Under no body a tip is anywhere in a cube of this side, and so are logarithms of spreads and of
   slimness in ranges of these lengths. */
static const double ANYWHERE = 4, ANY_SPREAD = 2, ANY_SLIMNESS = 3;

/* An end that is no limb of a body (a finger, a weapon, a plait) is less frequent than ends of
   shapes that are no body, by this logarithm. */
static const double NO_LIMB = -1.05;

/* The hem of a robe and the feet below it are in the lowest part of the height. */
static const double HEM = 0.2;

/* The logarithm of the persistence of ends that are no limbs. */
static const ossai_range OF_OTHERS = {-0.5, 0.6};

/* Limbs that so large a share of bodies shows are expected. */
static const double USUAL = 0.9;

enum { SLOTS = 2 * OSSAI_FORM_LIMBS, COLUMNS = OSSAI_FIGURE_ENDS + SLOTS };

typedef struct search {
	ossai_assignment space;
	const ossai_figure *figure;
	ossai_moments moments;
	double slimness;
	ossai_frame frames[OSSAI_FRAMES];
	size_t frame_count;
	double cost[SLOTS * COLUMNS];
} search;

/* a form in a frame, with the end of each of its limbs */
typedef struct match {
	const ossai_form *form; /* NULL: none */
	const ossai_frame *frame;
	double score;
	size_t end[OSSAI_FORM_LIMBS][2];
	double odds[OSSAI_FORM_LIMBS][2];
} match;

/* ---- what is measured of the whole ---- */

static double log_spread(const search *s, ossai_vec3 axis)
{
	const double *c = s->moments.covariance, a[3] = {axis.x, axis.y, axis.z};
	double variance = 0;
	for (int i = 0; i < 9; i++) variance += a[i / 3] * c[i] * a[i % 3];
	/* flat shapes have none across */
	return log(fmax(sqrt(fmax(variance, 0)) / s->moments.scale, 1e-3));
}

static double score_shape(const search *s, const ossai_form *form, const ossai_frame *frame)
{
	return ossai_range_evidence(form->spread[0], log_spread(s, frame->left), ANY_SPREAD) +
		ossai_range_evidence(form->spread[1], log_spread(s, frame->up), ANY_SPREAD) +
		ossai_range_evidence(form->spread[2], log_spread(s, frame->front), ANY_SPREAD) +
		ossai_range_evidence(form->slimness, s->slimness, ANY_SLIMNESS);
}

/* ---- which end is which limb ---- */

/* the logarithm of how much likelier an end is this limb than it is anything under no body; side:
   0 left or medial, 1 right */
static double score_tip(const search *s, const ossai_limb *limb, int side, const ossai_frame *frame, size_t end)
{
	const ossai_vec3 tip = s->figure->end[end].tip, d = ossai_sub(tip, s->moments.center);
	const double scale = s->moments.scale, rise = ossai_dot(frame->up, tip) - frame->low;
	const double at[3] = {(side == 0 ? 1 : -1) * ossai_dot(frame->left, d) / scale,
		(limb->from_ground ? rise : ossai_dot(frame->up, d)) / scale, ossai_dot(frame->front, d) / scale};
	double sum = 0;
	for (int k = 0; k < 3; k++) sum += ossai_range_log_density(limb->at[k], at[k]) + log(ANYWHERE);
	const double persistence = log(fmax(s->figure->end[end].persistence / scale, 1e-3));
	const double others = exp(ossai_range_log_density(OF_OTHERS, persistence));
	const double told = limb->kind <= OSSAI_LIMB_ARM ? s->figure->end[end].told[limb->kind] : 0;
	return told + log((1 - ossai_astray) * exp(sum) + ossai_astray) +
		ossai_range_evidence(limb->persistence, persistence, 1 / others);
}

/* Limbs in rows, ends and then one "hidden" for each limb in columns. A hidden limb gains nothing;
   to be an end gains what it is likelier than a hidden limb and an end that is none. False, and the
   rest of `m` not set, where the score is not above `least`. */
static bool assign(search *s, const ossai_form *form, const ossai_frame *frame, double least, match *m)
{
	const size_t ends = s->figure->end_count;
	size_t limb_of[SLOTS], rows = 0;
	int side_of[SLOTS];
	for (size_t l = 0; l < form->limb_count; l++) {
		for (int side = 0; side < (form->limb[l].is_pair ? 2 : 1); side++, rows++) {
			limb_of[rows] = l;
			side_of[rows] = side;
		}
	}
	const size_t columns = ends + rows;
	m->score = form->odds + frame->odds + score_shape(s, form, frame) + (double)ends * NO_LIMB;
	double most = 0;
	for (size_t r = 0; r < rows; r++) {
		const ossai_limb *limb = &form->limb[limb_of[r]];
		double gain = 0;
		m->score += log(1 - limb->share);
		const double shown = log(limb->share) - log(1 - limb->share) - NO_LIMB;
		for (size_t e = 0; e < ends; e++) {
			s->cost[r * columns + e] = -(score_tip(s, limb, side_of[r], frame, e) + shown);
			gain = fmax(gain, -s->cost[r * columns + e]);
		}
		for (size_t c = ends; c < columns; c++) s->cost[r * columns + c] = 0;
		most += gain;
	}
	if (!(m->score + most > least)) return false;
	uint32_t column[SLOTS];
	ossai_assign_in(&s->space, rows, columns, s->cost, column);
	for (size_t l = 0; l < OSSAI_FORM_LIMBS; l++) m->end[l][0] = m->end[l][1] = OSSAI_LIMB_HIDDEN;
	for (size_t r = 0; r < rows; r++) {
		const double share = form->limb[limb_of[r]].share, shown = log(share) - log(1 - share) - NO_LIMB;
		m->odds[limb_of[r]][side_of[r]] = log(1 - share);
		if (column[r] >= ends) continue;
		m->odds[limb_of[r]][side_of[r]] = -s->cost[r * columns + column[r]] - shown;
		m->score -= s->cost[r * columns + column[r]];
		m->end[limb_of[r]][side_of[r]] = column[r];
	}
	m->form = form;
	m->frame = frame;
	return m->score > least;
}

static void take_limbs(const match *m, ossai_body_limbs *limbs)
{
	*limbs = (ossai_body_limbs){
		{OSSAI_LIMB_HIDDEN, OSSAI_LIMB_HIDDEN}, {OSSAI_LIMB_HIDDEN, OSSAI_LIMB_HIDDEN}, OSSAI_LIMB_HIDDEN};
	for (size_t l = 0; l < m->form->limb_count; l++) {
		const ossai_limb_kind kind = m->form->limb[l].kind;
		if (kind == OSSAI_LIMB_HEAD) limbs->head = m->end[l][0];
		if (kind == OSSAI_LIMB_LEG) memcpy(limbs->leg, m->end[l], sizeof limbs->leg);
		if (kind == OSSAI_LIMB_ARM || kind == OSSAI_LIMB_WING) memcpy(limbs->arm, m->end[l], sizeof limbs->arm);
	}
}

static int count_shown(const size_t pair[2]) { return (pair[0] != OSSAI_LIMB_HIDDEN) + (pair[1] != OSSAI_LIMB_HIDDEN); }

/* A human's joints need an arm to begin with, and a head or both legs; every form needs more than half of the
   limbs that such bodies show. */
static bool is_whole(const match *m)
{
	ossai_body_limbs limbs;
	take_limbs(m, &limbs);
	const bool has_trunk = limbs.head != OSSAI_LIMB_HIDDEN || count_shown(limbs.leg) == 2;
	if (m->form->kind == OSSA_BODY_HUMAN) return has_trunk && count_shown(limbs.arm) > 0;
	int wanted = 0, shown = 0;
	for (size_t l = 0; l < m->form->limb_count; l++) {
		if (m->form->limb[l].share < USUAL) continue;
		wanted += m->form->limb[l].is_pair ? 2 : 1;
		shown += count_shown(m->end[l]);
	}
	return 2 * shown > wanted;
}

/* The best form of each kind, in its best frame, and beside it the best one that faces the other
   way. */
static void find_matches(search *s, match best[OSSAI_BODY_KINDS], double opposite[OSSAI_BODY_KINDS])
{
	for (size_t k = 0; k < OSSAI_BODY_KINDS; k++) {
		best[k] = (match){.score = -INFINITY};
		opposite[k] = -INFINITY;
	}
	for (size_t f = 0; f < ossai_form_count; f++) {
		for (size_t i = 0; i < s->frame_count; i++) {
			match m, *of_kind = &best[ossai_forms[f].kind];
			if (assign(s, &ossai_forms[f], &s->frames[i], of_kind->score, &m) && is_whole(&m)) *of_kind = m;
		}
	}
	for (size_t f = 0; f < ossai_form_count; f++) {
		const match *m = &best[ossai_forms[f].kind];
		for (size_t i = 0; i < s->frame_count && m->form; i++) {
			const ossai_frame *frame = &s->frames[i];
			const bool is_opposite = ossai_dot(frame->front, m->frame->front) < -0.5 &&
				ossai_dot(frame->up, m->frame->up) > 0.5;
			match other;
			double *most = &opposite[m->form->kind];
			if (is_opposite && assign(s, &ossai_forms[f], frame, *most, &other)) *most = other.score;
		}
	}
}

/* ---- the body ---- */

bool ossai_body_is_hem(const ossai_figure *figure, const ossai_body *body, size_t end)
{
	if (!ossai_body_hides_legs(body) || body->limbs.arm[0] == end || body->limbs.arm[1] == end || body->limbs.head == end)
		return false;
	return (ossai_dot(body->up, figure->end[end].tip) - body->low) / body->height < HEM;
}

static uint32_t lowest_node(const ossai_figure *figure, ossai_vec3 up)
{
	const ossai_curve *curve = figure->curve;
	uint32_t lowest = 0;
	for (uint32_t i = 1; i < curve->node_count; i++) {
		if (ossai_dot(up, curve->node[i]) < ossai_dot(up, curve->node[lowest])) lowest = i;
	}
	return lowest;
}

/* the limb of a pair that shows an end; the left one where both do */
static size_t shown_of(const size_t pair[2]) { return pair[0] == OSSAI_LIMB_HIDDEN ? pair[1] : pair[0]; }

/* where the two limbs of a pair meet the path to the head; where one is hidden, where the other
   meets the path between `beyond` and the head */
static uint32_t meet(const ossai_figure *figure, const size_t pair[2], size_t head, size_t beyond)
{
	if (count_shown(pair) == 2) return ossai_figure_meet(figure, pair[0], pair[1], head);
	const size_t own = shown_of(pair);
	return beyond == OSSAI_LIMB_HIDDEN ? figure->end[own].node : ossai_figure_meet(figure, own, beyond, head);
}

static void find_junctions(const ossai_figure *figure, ossai_body *body)
{
	const ossai_body_limbs *l = &body->limbs;
	body->hip_node = body->shoulder_node = OSSA_NONE;
	const bool has_head = l->head != OSSAI_LIMB_HIDDEN, has_arm = count_shown(l->arm) > 0, has_leg = count_shown(l->leg) > 0;
	if (has_head && count_shown(l->leg) == 2) body->hip_node = meet(figure, l->leg, l->head, l->head);
	/* without a head the two pairs meet each other */
	if (!has_arm || !(has_head || has_leg)) return;
	body->shoulder_node = meet(figure, l->arm, has_head ? l->head : shown_of(l->leg), shown_of(l->leg));
	if (has_leg) body->hip_node = meet(figure, l->leg, has_head ? l->head : shown_of(l->arm), shown_of(l->arm));
	else body->hip_node = lowest_node(figure, body->up);
}

/* the head of a human that shows none is below the highest point */
static ossa_status add_head(ossai_arena *arena, ossai_figure *figure, ossai_body *body)
{
	const double *positions = figure->proxy->positions;
	uint32_t highest = 0;
	for (uint32_t v = 1; v < figure->proxy->vertex_count; v++) {
		const double rise = ossai_dot(body->up, ossai_v3_of(positions + 3 * (size_t)v));
		if (rise > ossai_dot(body->up, ossai_v3_of(positions + 3 * (size_t)highest))) highest = v;
	}
	body->limbs.head = figure->end_count;
	return ossai_figure_add_end(arena, figure, highest);
}

/* the plan of its kind, if the limbs that joints begin with are shown */
static const ossai_body_plan *plan_of(const ossai_body *body)
{
	const bool has_legs = count_shown(body->limbs.leg) > 0 && body->hip_node != OSSA_NONE;
	const bool has_arms = count_shown(body->limbs.arm) > 0 && body->shoulder_node != OSSA_NONE;
	switch (body->form->kind) {
	case OSSA_BODY_HUMAN: return &ossai_human_plan;
	case OSSA_BODY_QUADRUPED: return has_legs && has_arms ? &ossai_quadruped_plan : NULL;
	case OSSA_BODY_THEROPOD: return has_legs ? &ossai_theropod_plan : NULL;
	case OSSA_BODY_BIRD: return has_legs || has_arms ? &ossai_bird_plan : NULL;
	default: return NULL;
	}
}

static ossa_status take_match(ossai_arena *arena, ossai_figure *figure, const match *m, double opposite, ossai_body *body)
{
	body->form = m->form;
	body->score = m->score;
	memcpy(body->end, m->end, sizeof body->end);
	memcpy(body->odds, m->odds, sizeof body->odds);
	take_limbs(m, &body->limbs);
	body->up = m->frame->up;
	body->front = m->frame->front;
	body->left = m->frame->left;
	body->low = m->frame->low;
	body->height = m->frame->height;
	body->front_odds = m->score - opposite;
	if (m->form->kind == OSSA_BODY_HUMAN && body->limbs.head == OSSAI_LIMB_HIDDEN) OSSAI_TRY(add_head(arena, figure, body));
	find_junctions(figure, body);
	body->plan = plan_of(body);
	if (m->form->kind != OSSA_BODY_HUMAN) return OSSA_OK;
	ossai_body_find_front(figure, body);
	return OSSA_OK;
}

/* the odds of a kind against all others and no body together; of no body the likelihood is 1 */
static double odds_of_kind(const match best[OSSAI_BODY_KINDS], size_t found)
{
	double most = 0, sum = 0;
	for (size_t k = 0; k < OSSAI_BODY_KINDS; k++) {
		if (k != found) most = ossai_larger(most, best[k].score);
	}
	for (size_t k = 0; k < OSSAI_BODY_KINDS; k++) {
		if (k != found) sum += exp(best[k].score - most);
	}
	return best[found].score - (most + log(sum + exp(-most)));
}

static ossa_status recognize(ossai_arena *arena, search *s, ossai_figure *figure, ossa_body_kind kind, ossai_body *body)
{
	match best[OSSAI_BODY_KINDS];
	double opposite[OSSAI_BODY_KINDS];
	find_matches(s, best, opposite);
	size_t found = kind == OSSA_BODY_AUTO ? OSSA_BODY_NONE : (size_t)kind;
	for (size_t k = 0; k < OSSAI_BODY_KINDS && kind == OSSA_BODY_AUTO; k++) {
		if (best[k].form && best[k].score > (found == OSSA_BODY_NONE ? 0 : best[found].score)) found = k;
	}
	for (size_t k = 0; k < OSSAI_BODY_KINDS; k++) {
		if (k == found || !best[k].form || !(best[k].score > body->runner_up_score)) continue;
		body->runner_up = (ossa_body_kind)k;
		body->runner_up_score = best[k].score;
	}
	body->kind_odds = odds_of_kind(best, found);
	return best[found].form ? take_match(arena, figure, &best[found], opposite[found], body) : OSSA_OK;
}

ossa_status ossai_body_recognize(ossai_arena *arena, ossai_figure *figure, ossa_body_kind kind, ossai_body *body)
{
	*body = (ossai_body){.runner_up = OSSA_BODY_NONE, .runner_up_score = -INFINITY};
	if (kind == OSSA_BODY_NONE || figure->end_count == 0) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	search *s = ossai_arena_zero(&scratch, 1, sizeof *s);
	ossa_status status = s ? ossai_assignment_make(&scratch, SLOTS, COLUMNS, &s->space)
						   : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) {
		s->figure = figure;
		s->moments = ossai_moments_of(figure->proxy);
		s->slimness = ossai_figure_slimness(figure);
		s->frame_count = ossai_frames_find(figure, &s->moments, s->frames);
		if (s->moments.scale > 0) status = recognize(arena, s, figure, kind, body);
	}
	ossai_arena_end(&scratch);
	return status;
}
