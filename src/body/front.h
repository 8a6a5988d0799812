/* body/front.h: which way a body faces, by feet and hands.

   Place in the path: below body/recognize. */
#ifndef OSSAI_BODY_FRONT_H
#define OSSAI_BODY_FRONT_H

#include "body/recognize.h"

/* Sets front, left and front_odds of a human by its limbs, and puts the left limbs first. */
void ossai_body_find_front(const ossai_figure *figure, ossai_body *body);

/* How far the feet of one pair are ahead of the shanks, the mean of those that are shown: in heights
   of the figure. False: none is, or the kind of body is none that stands on feet that point
   forward. is_fore: the front legs of a quadruped. */
bool ossai_body_feet_ahead(const ossai_figure *figure, const ossai_body *body, bool is_fore, double *ahead);

/* The logarithm of the odds that an animal faces its front and not the opposite direction, by its
   feet alone; 0 where they say nothing. */
double ossai_body_feet_odds(const ossai_figure *figure, const ossai_body *body);

#endif
