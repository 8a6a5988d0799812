/* body/match.c: see match.h. */
#include "body/match.h"

/* Under no body a tip is anywhere in a cube of this side, and so are logarithms of spreads and of
   slimness in ranges of these lengths. */
static const double ANYWHERE = 4, ANY_SPREAD = 2, ANY_SLIMNESS = 3;

/* The logarithm of the persistence of ends that are no limbs. */
static const ossai_range OF_OTHERS = {-0.5, 0.6};

/* The logarithm of the left limb's length over the right one's: half of all pairs are within 0.02, in
   any pose (scripts/calibrate_forms). Of two ends that are no pair it is anywhere in a range of that
   length. */
static const ossai_range PAIR_RATIO = {0, 0.05};
static const double ANY_RATIO = 3;

/* Pairs less alike than odds of e to 1 are looked at again. */
static const double UNALIKE = -1;

typedef struct row {
	size_t limb;
	int side; /* 0 left or medial, 1 right */
} row;

ossa_status ossai_matcher_make(ossai_arena *arena, const ossai_figure *figure, ossai_matcher *matcher)
{
	matcher->figure = figure;
	matcher->moments = ossai_spread_moments_of(figure->proxy);
	matcher->slimness = ossai_figure_slimness(figure);
	return ossai_assignment_make(arena, OSSAI_MATCH_ROWS, OSSAI_MATCH_COLUMNS, &matcher->space);
}

/* ---- what is measured of the whole ---- */

static double log_spread(const ossai_matcher *s, ossai_vec3 axis)
{
	const double *c = s->moments.covariance, a[3] = {axis.x, axis.y, axis.z};
	double variance = 0;
	for (int i = 0; i < 9; i++) variance += a[i / 3] * c[i] * a[i % 3];
	/* flat shapes have none across */
	return log(fmax(sqrt(fmax(variance, 0)) / s->moments.scale, 1e-3));
}

static double score_shape(const ossai_matcher *s, const ossai_form *form, const ossai_frame *frame)
{
	return ossai_range_evidence(form->spread[0], log_spread(s, frame->left), ANY_SPREAD) +
		ossai_range_evidence(form->spread[1], log_spread(s, frame->up), ANY_SPREAD) +
		ossai_range_evidence(form->spread[2], log_spread(s, frame->front), ANY_SPREAD) +
		ossai_range_evidence(form->slimness, s->slimness, ANY_SLIMNESS);
}

/* ---- limbs one by one ---- */

/* What a tip adds by its place to the logarithm of how much likelier an end is a limb than it is
   anything under no body; log_density: of the place. */
static double evidence_of_tip(double log_density) { return log((1 - ossai_astray) * exp(log_density) + ossai_astray); }

static double told_of(const ossai_limb *limb, const ossai_figure_end *end)
{
	return limb->kind <= OSSAI_LIMB_ARM ? end->told[limb->kind] : 0;
}

/* what a limb gains by being shown, whichever end it is */
static double gain_shown(const ossai_limb *limb) { return log(limb->share) - log(1 - limb->share) - ossai_no_limb; }

/* a limb beside all ends, with the most that it gains where its tip is as usual */
static void prepare_limb(ossai_matcher *s, size_t l)
{
	const ossai_limb *limb = &s->form->limb[l];
	double usual = 0, most = -INFINITY;
	for (int k = 0; k < 3; k++) {
		s->peak[l][k] = ossai_range_peak(limb->at[k]);
		usual += s->peak[l][k] + log(ANYWHERE);
	}
	for (size_t e = 0; e < s->figure->end_count; e++) {
		const double persistence = log(fmax(s->figure->end[e].persistence / s->moments.scale, 1e-3));
		const double others = exp(ossai_range_log_density(OF_OTHERS, persistence));
		s->standing[l][e] = ossai_range_evidence(limb->persistence, persistence, 1 / others);
		most = fmax(most, told_of(limb, &s->figure->end[e]) + s->standing[l][e]);
	}
	s->gain_most[l] = fmax(0, most + evidence_of_tip(usual) + gain_shown(limb));
}

static void prepare(ossai_matcher *s, const ossai_form *form)
{
	if (s->form == form) return;
	s->form = form;
	for (size_t l = 0; l < form->limb_count; l++) prepare_limb(s, l);
}

/* the logarithm of how much likelier an end is this limb than it is anything under no body; side:
   0 left or medial, 1 right */
static double score_tip(const ossai_matcher *s, size_t l, int side, const ossai_frame *frame, size_t end)
{
	const ossai_limb *limb = &s->form->limb[l];
	const ossai_vec3 tip = s->figure->end[end].tip, d = ossai_sub(tip, s->moments.center);
	const double scale = s->moments.scale, rise = ossai_dot(frame->up, tip) - frame->low;
	const double at[3] = {(side == 0 ? 1 : -1) * ossai_dot(frame->left, d) / scale,
		(limb->from_ground ? rise : ossai_dot(frame->up, d)) / scale, ossai_dot(frame->front, d) / scale};
	double sum = 0;
	for (int k = 0; k < 3; k++) sum += ossai_range_log_density_of(limb->at[k], s->peak[l][k], at[k]) + log(ANYWHERE);
	return told_of(limb, &s->figure->end[end]) + evidence_of_tip(sum) + s->standing[l][end];
}

static size_t make_rows(const ossai_form *form, row *rows)
{
	size_t count = 0;
	for (size_t l = 0; l < form->limb_count; l++) {
		for (int side = 0; side < (form->limb[l].is_pair ? 2 : 1); side++) rows[count++] = (row){l, side};
	}
	return count;
}

/* more than rounding changes in a sum of gains */
static const double ROUNDING = 1e-9;

/* Limbs in rows, ends and then one "hidden" for each limb in columns. A hidden limb gains nothing;
   to be an end gains what it is likelier than a hidden limb and an end that is none. False as soon
   as all limbs together cannot gain more than `least`. */
static bool fill_costs(ossai_matcher *s, const ossai_frame *frame, size_t row_count, const row *rows, double least)
{
	const size_t ends = s->figure->end_count, columns = ends + row_count;
	double most = 0, left = ROUNDING;
	for (size_t r = 0; r < row_count; r++) left += s->gain_most[rows[r].limb];
	for (size_t r = 0; r < row_count; r++) {
		if (!(most + left > least)) return false;
		const double shown = gain_shown(&s->form->limb[rows[r].limb]);
		double *cost = s->cost + r * columns, gain = 0;
		for (size_t e = 0; e < ends; e++) {
			cost[e] = -(score_tip(s, rows[r].limb, rows[r].side, frame, e) + shown);
			gain = fmax(gain, -cost[e]);
		}
		for (size_t c = ends; c < columns; c++) cost[c] = 0;
		most += gain;
		left -= s->gain_most[rows[r].limb];
	}
	return most > least;
}

/* ---- pairs ---- */

double ossai_match_pair_odds(double left_length, double right_length)
{
	const double ratio = log(left_length / right_length);
	return ossai_range_evidence(PAIR_RATIO, ratio, ANY_RATIO) - ossai_range_evidence(PAIR_RATIO, 0, ANY_RATIO);
}

/* along the curve */
static double path(const ossai_figure *figure, size_t a, size_t b) { return figure->end[a].distance[figure->end[b].node]; }

static double score_pairs(const ossai_matcher *s, const ossai_form *form, size_t ends[OSSAI_FORM_LIMBS][2])
{
	const ossai_figure *figure = s->figure;
	size_t head = OSSAI_LIMB_HIDDEN;
	double sum = 0;
	for (size_t l = 0; l < form->limb_count; l++) {
		if (form->limb[l].kind == OSSAI_LIMB_HEAD) head = ends[l][0];
	}
	for (size_t l = 0; l < form->limb_count && head != OSSAI_LIMB_HIDDEN; l++) {
		const size_t a = ends[l][0], b = ends[l][1];
		if (!form->limb[l].is_pair || a == OSSAI_LIMB_HIDDEN || b == OSSAI_LIMB_HIDDEN) continue;
		const double least = 1e-3 * s->moments.scale, between = path(figure, a, b);
		const double left = (between + path(figure, a, head) - path(figure, b, head)) / 2;
		sum += ossai_match_pair_odds(fmax(left, least), fmax(between - left, least));
	}
	return sum;
}

typedef struct choice {
	size_t end[OSSAI_FORM_LIMBS][2];
	double gain;
} choice;

static double gain_of(const ossai_matcher *s, size_t row_count, const row *rows, size_t end[OSSAI_FORM_LIMBS][2])
{
	const size_t ends = s->figure->end_count, columns = ends + row_count;
	double sum = 0;
	for (size_t r = 0; r < row_count; r++) {
		const size_t e = end[rows[r].limb][rows[r].side];
		if (e != OSSAI_LIMB_HIDDEN) sum -= s->cost[r * columns + e];
	}
	return sum;
}

/* whether an end is no other limb than `limb` */
static bool is_free(const choice *c, const ossai_form *form, size_t limb, size_t end)
{
	for (size_t l = 0; l < form->limb_count; l++) {
		if (l != limb && (c->end[l][0] == end || c->end[l][1] == end)) return false;
	}
	return true;
}

/* the best ends of one limb beside those of the others; whether they are better */
static bool improve_limb(
	const ossai_matcher *s, const ossai_form *form, size_t row_count, const row *rows, size_t limb, choice *best)
{
	const size_t ends = s->figure->end_count, sides = form->limb[limb].is_pair ? 2 : 1;
	const choice start = *best;
	/* one more than the ends: hidden */
	for (size_t a = 0; a <= ends; a++) {
		if (a < ends && !is_free(&start, form, limb, a)) continue;
		for (size_t b = 0; b <= (sides == 2 ? ends : 0); b++) {
			if (sides == 2 && b < ends && (b == a || !is_free(&start, form, limb, b))) continue;
			choice tried = start;
			tried.end[limb][0] = a < ends ? a : OSSAI_LIMB_HIDDEN;
			tried.end[limb][1] = sides == 2 && b < ends ? b : OSSAI_LIMB_HIDDEN;
			tried.gain = gain_of(s, row_count, rows, tried.end) + score_pairs(s, form, tried.end);
			if (tried.gain > best->gain) *best = tried;
		}
	}
	return best->gain > start.gain;
}

/* ---- all limbs ---- */

/* whether a form, as a hand, has a limb on one side alone: it is no mirror image of itself */
static bool is_lopsided(const ossai_form *form)
{
	for (size_t l = 0; l < form->limb_count; l++) {
		if (!form->limb[l].is_pair && form->limb[l].at[0].mean != 0) return true;
	}
	return false;
}

/* The best ends of each limb by itself; where a pair of them is not alike, limbs are changed in turn
   as long as one gains by it. */
static void choose(ossai_matcher *s, const ossai_form *form, size_t row_count, const row *rows, choice *best)
{
	const size_t ends = s->figure->end_count;
	uint32_t column[OSSAI_MATCH_ROWS];
	ossai_assign_in(&s->space, row_count, ends + row_count, s->cost, column);
	for (size_t l = 0; l < OSSAI_FORM_LIMBS; l++) best->end[l][0] = best->end[l][1] = OSSAI_LIMB_HIDDEN;
	for (size_t r = 0; r < row_count; r++) {
		if (column[r] < ends) best->end[rows[r].limb][rows[r].side] = column[r];
	}
	const double alike = score_pairs(s, form, best->end);
	best->gain = gain_of(s, row_count, rows, best->end) + alike;
	for (bool is_better = alike < UNALIKE; is_better;) {
		is_better = false;
		for (size_t l = 0; l < form->limb_count; l++) is_better |= improve_limb(s, form, row_count, rows, l, best);
	}
}

bool ossai_match_find(
	ossai_matcher *matcher, const ossai_form *form, const ossai_frame *frame, double least, ossai_match *match)
{
	const size_t ends = matcher->figure->end_count;
	row rows[OSSAI_MATCH_ROWS];
	if (frame->is_symmetric && is_lopsided(form)) return false;
	prepare(matcher, form);
	const size_t row_count = make_rows(form, rows), columns = ends + row_count;
	match->score = form->odds + frame->odds + score_shape(matcher, form, frame) + (double)ends * ossai_no_limb;
	for (size_t r = 0; r < row_count; r++) match->score += log(1 - form->limb[rows[r].limb].share);
	if (!fill_costs(matcher, frame, row_count, rows, least - match->score)) return false;
	choice best;
	choose(matcher, form, row_count, rows, &best);
	match->form = form;
	match->frame = frame;
	match->score += best.gain;
	for (size_t l = 0; l < OSSAI_FORM_LIMBS; l++) {
		for (int side = 0; side < 2; side++) match->end[l][side] = best.end[l][side];
	}
	for (size_t r = 0; r < row_count; r++) {
		const ossai_limb *limb = &form->limb[rows[r].limb];
		const size_t e = best.end[rows[r].limb][rows[r].side];
		match->odds[rows[r].limb][rows[r].side] = e == OSSAI_LIMB_HIDDEN ? log(1 - limb->share)
																		 : -matcher->cost[r * columns + e] - gain_shown(limb);
	}
	return match->score > least;
}
