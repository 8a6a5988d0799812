/* query/nearest_point.h: which of many points is nearest to each of many others.

   Place in the path: below shell.
   Input: points.
   Output: indices. */
#ifndef OSSAI_QUERY_NEAREST_POINT_H
#define OSSAI_QUERY_NEAREST_POINT_H

#include "base/context.h"

/* nearest[i]: the point nearest to query i; of equally near ones the smallest. There is at least
   one point. Nearest is the caller's.
   Errors: OSSA_ERROR_MEMORY.  Cost: about linear where the distances to points are not much
   larger than those between points. */
ossa_status ossai_nearest_points(ossa_context *context, size_t point_count, const double *points, size_t query_count,
	const double *queries, uint32_t *nearest);

#endif
