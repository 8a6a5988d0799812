/* math/kmeans.h: k-means clustering of points.

   Place in the path: above base; spectral clustering ends with it.
   Source: S. Lloyd, Least Squares Quantization in PCM, 1982; starts: D. Arthur, S. Vassilvitskii,
   k-means++, 2007, and farthest-first. */
#ifndef OSSAI_MATH_KMEANS_H
#define OSSAI_MATH_KMEANS_H

#include "base/context.h"

/* Groups `count` points of `dimension` coordinates (points[i * dimension + d]) into `groups`, and
   gives the sum of squared distances to the groups' means. The best of several starts, all of them
   fixed: the same points in the same order always give the same groups. Groups are numbered by
   their first point; there are fewer only where there are fewer different points. Source: S. Lloyd,
   Least Squares Quantization in PCM, 1982; starts: D. Arthur, S. Vassilvitskii, k-means++, 2007,
   and farthest-first.  Errors: OSSA_ERROR_MEMORY.  Cost: starts x rounds x count x groups x
   dimension; fewer starts for large ones. */
ossa_status ossai_kmeans(ossa_context *context, size_t count, size_t dimension, const double *points, size_t groups,
	uint32_t *group_of_point, size_t *group_count, double *spread);

#endif
