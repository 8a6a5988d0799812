/* body/recognize.c: see recognize.h. */
#include "body/recognize.h"

#include "body/front.h"
#include "body/names.h"

#include <string.h>

/* The hem of a robe and the feet below it are in the lowest part of the height. */
static const double HEM = 0.2;

/* Limbs that so large a share of bodies shows are expected. */
static const double USUAL = 0.9;

typedef struct search {
	ossai_matcher matcher;
	ossai_frame frames[OSSAI_FRAMES];
	size_t frame_count;
} search;

static void take_limbs(const ossai_match *m, ossai_body_limbs *limbs)
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
static bool is_whole(const ossai_match *m)
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
static void find_matches(search *s, ossai_match best[OSSAI_BODY_KINDS], ossai_match opposite[OSSAI_BODY_KINDS])
{
	for (size_t k = 0; k < OSSAI_BODY_KINDS; k++) {
		best[k] = (ossai_match){.score = -INFINITY};
		opposite[k] = best[k];
	}
	for (size_t f = 0; f < ossai_form_count; f++) {
		for (size_t i = 0; i < s->frame_count; i++) {
			ossai_match m, *of_kind = &best[ossai_forms[f].kind];
			if (ossai_match_find(&s->matcher, &ossai_forms[f], &s->frames[i], of_kind->score, &m) && is_whole(&m)) *of_kind = m;
		}
	}
	for (size_t f = 0; f < ossai_form_count; f++) {
		const ossai_match *m = &best[ossai_forms[f].kind];
		for (size_t i = 0; i < s->frame_count && m->form; i++) {
			const ossai_frame *frame = &s->frames[i];
			const bool is_opposite = ossai_dot(frame->front, m->frame->front) < -0.5 &&
				ossai_dot(frame->up, m->frame->up) > 0.5;
			ossai_match other, *most = &opposite[m->form->kind];
			if (is_opposite && ossai_match_find(&s->matcher, &ossai_forms[f], frame, most->score, &other)) *most = other;
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

static ossa_status take_match(ossai_arena *arena, ossai_figure *figure, const ossai_match *m, double opposite, ossai_body *body)
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

/* the match, or where the feet of an animal speak against its front, the one that faces the other way */
static ossa_status take_facing(
	ossai_arena *arena, ossai_figure *figure, const ossai_match *m, const ossai_match *opposite, ossai_body *body)
{
	OSSAI_TRY(take_match(arena, figure, m, opposite->score, body));
	if (m->form->kind == OSSA_BODY_HUMAN) return OSSA_OK;
	body->front_odds += ossai_body_feet_odds(figure, body);
	if (body->front_odds >= 0) return OSSA_OK;
	/* turned round it would rather be another body or none: which way it faces is open */
	if (!(opposite->score > fmax(body->runner_up_score, 0)) || !is_whole(opposite)) {
		body->front_odds = 0;
		return OSSA_OK;
	}
	const double odds = -body->front_odds;
	OSSAI_TRY(take_match(arena, figure, opposite, m->score, body));
	body->front_odds = odds;
	return OSSA_OK;
}

/* the odds of a kind against all others and no body together; of no body the likelihood is 1 */
static double odds_of_kind(const ossai_match best[OSSAI_BODY_KINDS], size_t found)
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
	ossai_match best[OSSAI_BODY_KINDS], opposite[OSSAI_BODY_KINDS];
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
	return best[found].form ? take_facing(arena, figure, &best[found], &opposite[found], body) : OSSA_OK;
}

double ossai_body_limb_score(const ossai_figure *figure, const ossai_body *body)
{
	size_t limbs = 0;
	for (size_t l = 0; l < body->form->limb_count; l++) {
		for (int side = 0; side < (body->form->limb[l].is_pair ? 2 : 1); side++)
			limbs += body->end[l][side] != OSSAI_LIMB_HIDDEN;
	}
	return body->score - (double)(figure->end_count - limbs) * ossai_no_limb;
}

ossa_status ossai_body_recognize(ossai_arena *arena, ossai_figure *figure, ossa_body_kind kind, ossai_body *body)
{
	*body = (ossai_body){.runner_up = OSSA_BODY_NONE, .runner_up_score = -INFINITY};
	if (kind == OSSA_BODY_NONE || figure->end_count == 0) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	search *s = ossai_arena_zero(&scratch, 1, sizeof *s);
	ossa_status status = s ? ossai_matcher_make(&scratch, figure, &s->matcher) : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK && s->matcher.moments.scale > 0) {
		s->frame_count = ossai_frames_find(figure, &s->matcher.moments, s->frames);
		status = recognize(arena, s, figure, kind, body);
	}
	ossai_arena_end(&scratch);
	return status;
}
