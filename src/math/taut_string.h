/* math/taut_string.h: the shortest path through a tube over time.

   Place in the path: numbers over time -> here -> the travel of a body without its sway.
   Source: P. L. Davies, A. Kovac, "Local extremes, runs, strings and multiresolution" (Annals of
   Statistics, 2001): the taut string; found as D. T. Lee, F. P. Preparata, "Euclidean shortest
   paths in the presence of rectilinear barriers" (Networks, 1984) do, with a funnel. */
#ifndef OSSAI_MATH_TAUT_STRING_H
#define OSSAI_MATH_TAUT_STRING_H

#include "base/context.h"

/* Fills `path` with the values at `times` (strictly increasing) of the shortest line from
   (times[0], first) to (times[count - 1], last) that stays within `radius` of `values` in between.
   count: at least 1; with 1, `path` is `first`. Errors: OSSA_ERROR_MEMORY. Cost: linear. */
ossa_status ossai_taut_string(ossai_arena *arena, size_t count, const double *times, const double *values, double radius,
	double first, double last, double *path);

#endif
