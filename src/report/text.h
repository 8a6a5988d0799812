/* report/text.h: captions: the few letters a picture needs, as strokes of a pen.

   Place in the path: pictures.  In: words.  Out: how much of each pixel the pen covers. */
#ifndef OSSAI_REPORT_TEXT_H
#define OSSAI_REPORT_TEXT_H

#include <stddef.h>

/* Pixels from the first stroke to the last of `text` written `height` pixels high. Letters known: 0-9 and those of
   "frame rest"; others are blanks. */
double ossai_text_width(const char *text, double height);

/* The share of the pixel around (x, y) that `text` covers, 0 to 1; (0, 0) is the upper left corner of the writing. */
double ossai_text_coverage(const char *text, double height, double x, double y);

#endif
