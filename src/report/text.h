/* report/text.h: captions: the letters of names and numbers, as strokes of a pen.

   Place in the path: pictures.
   Input: words.
   Output: how much of each pixel the pen covers. */
#ifndef OSSAI_REPORT_TEXT_H
#define OSSAI_REPORT_TEXT_H

#include <stddef.h>

/* Pixels from the first stroke to the last of `text` whose capitals are `height` pixels high.
   Letters known: those of names and numbers, a-z, A-Z, 0-9 and . , - + _ % : ; others are blanks.
   Descenders are up to a third of the height. */
double ossai_text_width(const char *text, double height);

/* The share of the pixel around (x, y) that `text` covers, 0 to 1; (0, 0) is the upper left corner
   of the writing. */
double ossai_text_coverage(const char *text, double height, double x, double y);

#endif
