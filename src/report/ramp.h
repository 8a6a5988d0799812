/* report/ramp.h: a colour map of perceptually uniform steps, from pale and colourless to dark and
   saturated.

   Place in the path: pictures and their legends.
   Input: 0 to 1.
   Output: a colour as OKLab.
   Lightness decreases monotonically, so that the order of values is visible without distinguishing
   hues, and on paper; both ends contrast with white and with black grounds. */
#ifndef OSSAI_REPORT_RAMP_H
#define OSSAI_REPORT_RAMP_H

#include "report/palette.h"

/* The colour of `value`, which is clamped to 0..1; NaN counts as 0. Equal steps are equal distances
   in OKLab. */
ossai_color ossai_ramp_color(double value);

#endif
