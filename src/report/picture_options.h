/* report/picture_options.h: bounds of the options of pictures. */
#ifndef OSSAI_REPORT_PICTURE_OPTIONS_H
#define OSSAI_REPORT_PICTURE_OPTIONS_H

#include <ossa/picture.h>

enum { OSSAI_PICTURE_VIEWS_MAX = 64 };

#endif
