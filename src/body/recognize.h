/* body/recognize.h: which kind of body a figure is, and which of its ends are its limbs.

   Place in the path: body/figure -> here -> body/joints, body/roles.
   Input: a figure, the forms of bodies.
   Output: the most likely form with its limbs, its axes, and the margins of these decisions.

   A form says where the tips of limbs are in the body's own axes, and how the surface is spread
   along them. For every choice of up and front the ends are assigned to the limbs of a form so that
   the likelihood is largest (a constellation of parts). The score is the logarithm of the
   likelihood under the form over that under no body, where a tip may be anywhere: above 0 the form
   is more likely than none. Limbs that show no end, and ends that are no limb, cost what they are
   rare.
   Source: M. Weber, M. Welling, P. Perona, Unsupervised Learning of Models for Recognition, 2000. */
#ifndef OSSAI_BODY_RECOGNIZE_H
#define OSSAI_BODY_RECOGNIZE_H

#include "body/match.h"
#include "body/plan.h"

/* The limbs of a body with two pairs and a head: ends of the figure. */
typedef struct ossai_body_limbs {
	size_t leg[2], arm[2]; /* the left one first; any may be hidden */
	size_t head;
} ossai_body_limbs;

typedef struct ossai_body {
	const ossai_form *form;      /* NULL: none */
	const ossai_body_plan *plan; /* bones that such a body has to have; NULL: none */
	double score;                /* logarithm of the form's likelihood over that of no body */
	ossa_body_kind runner_up;    /* the most likely other kind (NONE: there is no other), and its score */
	double runner_up_score;
	/* logarithm of the odds of its kind against all others and no body together */
	double kind_odds;
	/* of each limb of the form the end on the left, or in the middle, and that on the right */
	size_t end[OSSAI_FORM_LIMBS][2];
	/* of each limb the logarithm of the odds that its end is that limb rather than anything, or of
	   the share of bodies that do not show it */
	double odds[OSSAI_FORM_LIMBS][2];
	ossai_body_limbs limbs;
	/* of the curve: where the pairs and the head meet; of hidden legs the lowest node */
	uint32_t hip_node, shoulder_node;
	ossai_vec3 up, front, left; /* unit; left x up = front where the figure's hand is 1 */
	double low, height;         /* of the figure along `up` */
	double front_odds;          /* logarithm: of this front against the opposite one */
} ossai_body;

/* Its score without what ends that are no limbs cost. */
double ossai_body_limb_score(const ossai_figure *figure, const ossai_body *body);

static inline bool ossai_body_hides_legs(const ossai_body *body)
{
	return body->limbs.leg[0] == OSSAI_LIMB_HIDDEN && body->limbs.leg[1] == OSSAI_LIMB_HIDDEN;
}

/* Whether an end is a foot, or a corner of the hem, of a body that hides its legs. */
bool ossai_body_is_hem(const ossai_figure *figure, const ossai_body *body, size_t end);

/* Odds of so much to 1, and more, are no doubt. */
#define OSSAI_SURE_ODDS 9

/* Positive and strong evidence: logarithms of odds that are 2 and 6 on the scale of Kass and
   Raftery (twice as much). */
#define OSSAI_POSITIVE_LOG_ODDS 1.0
#define OSSAI_STRONG_LOG_ODDS 3.0

/* Finds the body. Of a human that shows no head the figure gets an end at its highest point, which
   is limbs.head; `end` says that it is hidden. kind: AUTO, or the kind that it has to be (then `form` is NULL only where the
   figure lacks limbs that it needs, and the score may be below 0).
   Errors: OSSA_ERROR_MEMORY.  Cost: forms x 204 frames x limbs^2 x ends. */
ossa_status ossai_body_recognize(ossai_arena *arena, ossai_figure *figure, ossa_body_kind kind, ossai_body *body);

#endif
