/* body/match.h: which ends of a figure are the limbs of a form, in one frame.

   Place in the path: body/figure, body/frames, body/forms -> here -> body/recognize.
   Output: the assignment of the largest likelihood, and its score.

   The score is the logarithm of the likelihood under the form over that under no body. Each end that
   is a limb counts by where its tip is and how far it stands out; each pair by how equally long its
   limbs are. */
#ifndef OSSAI_BODY_MATCH_H
#define OSSAI_BODY_MATCH_H

#include "body/form.h"
#include "body/frames.h"
#include "math/assignment.h"

/* In place of an end: the limb shows none; clothes hide it, or it lies against the trunk. */
#define OSSAI_LIMB_HIDDEN SIZE_MAX

/* An end that is no limb of a body (a finger, a weapon, a plait) is less frequent than ends of
   shapes that are no body, by this logarithm. */
static const double ossai_no_limb = -1.05;

/* Limbs of a form, left and right counted apart, and these beside all ends. */
enum { OSSAI_MATCH_ROWS = 2 * OSSAI_FORM_LIMBS, OSSAI_MATCH_COLUMNS = OSSAI_FIGURE_ENDS + OSSAI_MATCH_ROWS };

/* What is measured of a figure once, and space for matching. */
typedef struct ossai_matcher {
	const ossai_figure *figure;
	ossai_spread_moments moments;
	double slimness;
	ossai_assignment space;
	/* of the form that was matched last, what no frame changes */
	const ossai_form *form;
	double peak[OSSAI_FORM_LIMBS][3];                     /* log densities of tips where they are usual */
	double standing[OSSAI_FORM_LIMBS][OSSAI_FIGURE_ENDS]; /* evidence of how far each end stands out */
	double gain_most[OSSAI_FORM_LIMBS];                   /* of any end in any frame */
	double cost[OSSAI_MATCH_ROWS * OSSAI_MATCH_COLUMNS];
} ossai_matcher;

/* A form in a frame, with the end of each of its limbs, left or medial and right, and the logarithm
   of the odds that it is that limb rather than anything, or of the share of bodies that do not show
   it. */
typedef struct ossai_match {
	const ossai_form *form; /* NULL: none */
	const ossai_frame *frame;
	double score;
	size_t end[OSSAI_FORM_LIMBS][2];
	double odds[OSSAI_FORM_LIMBS][2];
} ossai_match;

/* The figure must outlive it. Errors: OSSA_ERROR_MEMORY.  Cost: linear, and ends^2. */
ossa_status ossai_matcher_make(ossai_arena *arena, const ossai_figure *figure, ossai_matcher *matcher);

/* Finds the limbs. False, and the match is not to be used, where the score is not above `least`.
   Cost: limbs^2 x ends; where a pair is not alike limbs x ends^2 a few times. */
bool ossai_match_find(
	ossai_matcher *matcher, const ossai_form *form, const ossai_frame *frame, double least, ossai_match *match);

/* How much less likely a pair is than one of equally long limbs, as a logarithm: 0 or less. lengths:
   from both tips to where their paths part from that to the head. */
double ossai_match_pair_odds(double left_length, double right_length);

#endif
