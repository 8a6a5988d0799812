/* query/walk.h: the point of a surface nearest to a given one, found by a walk over its faces.

   Place in the path: below remesh. A walk goes from face to neighbouring face while the distance
   falls, so it stays on the sheet that it begins on and never jumps between two fingers that nearly
   touch.
   Input: a mesh of half-edges, a face to begin with, a point.
   Output: a point on the surface. */
#ifndef OSSAI_QUERY_WALK_H
#define OSSAI_QUERY_WALK_H

#include "mesh/half_edges.h"

typedef struct ossai_spot {
	uint32_t face;
	ossai_vec3 point;
	double distance2;
} ossai_spot;

/* Cost: a few faces for each edge length of the path. */
ossai_spot ossai_walk_to(const ossai_half_edges *surface, uint32_t face, ossai_vec3 point);

/* The same for a more distant point, in steps along the straight line from `from`, which lies on
   the face. Where `from` is a corner or on an edge of the surface, all faces there are tried,
   because a walk would stop at a sharp edge. */
ossai_spot ossai_walk_along(const ossai_half_edges *surface, uint32_t face, ossai_vec3 from, ossai_vec3 to);

#endif
