/* report/ramp.h: one number as a colour: a ramp whose steps look even, from pale and colourless to
   dark and full.

   Place in the path: pictures and their legends.
   Input: 0 to 1.
   Output: a colour as OKLab.
   Lightness only falls, so that the order of values is seen without telling hues apart, and on
   paper; both ends stand off from white and from black grounds. */
#ifndef OSSAI_REPORT_RAMP_H
#define OSSAI_REPORT_RAMP_H

#include "report/palette.h"

/* The colour of `value`, which is cut to 0..1; what is no number is as 0. Equal steps are equally
   far in OKLab. */
ossai_color ossai_ramp_color(double value);

#endif
