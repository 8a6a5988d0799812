/* body/limb_odds.h: in words, which limbs speak against what a body was said to be.

   Place in the path: body/recognize -> here -> messages. */
#ifndef OSSAI_BODY_LIMB_ODDS_H
#define OSSAI_BODY_LIMB_ODDS_H

#include "body/recognize.h"

/* "no left leg is seen, the head is unlikely (1 to 40)": the limbs that most such bodies show and
   this one does not, and those whose odds are below 0; an empty text where there are none. */
void ossai_limb_odds_print(const ossai_body *body, char *text, size_t size);

#endif
