/* body/recognize.h: which kind of body a figure is, and which of its limbs are legs, arms, head.

   Place in the path: body/figure -> here -> body/joints.
   Input: a figure, the plans of bodies.
   Output: the most likely plan with its limbs, its axes, and the margins of these decisions.

   A plan says how each trait of such a body is distributed. The score of a choice of limbs is the
   logarithm of the likelihood of its traits under the plan, less that under no plan, where every
   value from 0 to 1 is as likely as another: above 0 the plan is more likely than none. A limb that
   a choice leaves over costs a constant, so that four-legged bodies are no humans with two limbs
   more. */
#ifndef OSSAI_BODY_RECOGNIZE_H
#define OSSAI_BODY_RECOGNIZE_H

#include "body/figure.h"
#include "body/plan.h"

/* In place of an end: the limb is there, but clothes hide it. */
#define OSSAI_LIMB_HIDDEN SIZE_MAX

/* Limbs of a body with two pairs and a head: ends of the figure. */
typedef struct ossai_body_limbs {
	/* the left one first once the front is known; legs may be hidden, both or none */
	size_t leg[2], arm[2];
	size_t head;
} ossai_body_limbs;

typedef struct ossai_body {
	const ossai_body_plan *plan; /* NULL: none */
	double score;                /* logarithm of its likelihood over that of no plan */
	ossai_body_limbs limbs;
	/* of the curve: where the pairs and the head meet; of hidden legs the lowest node */
	uint32_t hip_node, shoulder_node;
	ossai_vec3 up, front, left; /* unit; left x up = front where the figure's hand is 1 */
	double low, height;         /* of the figure along `up` */
	double front_odds;          /* logarithm: of this front against the opposite one */
} ossai_body;

static inline bool ossai_body_hides_legs(const ossai_body *body) { return body->limbs.leg[0] == OSSAI_LIMB_HIDDEN; }

/* Whether an end is a foot, or a corner of the hem, of a body that hides its legs. */
bool ossai_body_is_hem(const ossai_figure *figure, const ossai_body *body, size_t end);

/* Finds the body. kind: AUTO, or the plan that it has to be (then `plan` is NULL only where the
   figure has too few ends).  Cost: ends^5 for each direction of up. */
void ossai_body_recognize(const ossai_figure *figure, ossa_body_kind kind, ossai_body *body);

#endif
