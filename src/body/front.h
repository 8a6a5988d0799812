/* body/front.h: which way a human faces, by feet and hands.

   Place in the path: below body/recognize. */
#ifndef OSSAI_BODY_FRONT_H
#define OSSAI_BODY_FRONT_H

#include "body/recognize.h"

/* Sets front, left and front_odds of a human by its limbs, and puts the left limbs first. */
void ossai_body_find_front(const ossai_figure *figure, ossai_body *body);

#endif
