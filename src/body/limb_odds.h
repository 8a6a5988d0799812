/* body/limb_odds.h: how likely each limb of a body is what the plan takes it for.

   Place in the path: body/recognize -> here -> messages.
   Input: a recognized body.
   Output: for legs, arms, head and trunk the logarithm of the odds of their traits under the plan
   against those under no plan, and in words the limbs that speak against the plan. */
#ifndef OSSAI_BODY_LIMB_ODDS_H
#define OSSAI_BODY_LIMB_ODDS_H

#include "body/recognize.h"

typedef enum ossai_limb_group {
	OSSAI_LIMBS_LEGS,
	OSSAI_LIMBS_ARMS,
	OSSAI_LIMBS_HEAD,
	OSSAI_LIMBS_TRUNK,
	OSSAI_LIMBS_COUNT
} ossai_limb_group;

/* Logarithms of odds; of legs that nothing shows 0. */
void ossai_limb_odds(const ossai_figure *figure, const ossai_body *body, double odds[OSSAI_LIMBS_COUNT]);

/* "no legs are seen, the arms are unlikely (1 to 40)": the limbs whose odds are below 0; an empty
   text where there are none. */
void ossai_limb_odds_print(const ossai_figure *figure, const ossai_body *body, char *text, size_t size);

#endif
