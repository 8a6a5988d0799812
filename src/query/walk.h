/* query/walk.h: the place of a surface that is nearest to a point, found by walking over it.

   Place in the path: below remesh. A walk goes from face to neighbouring face as long as that
   brings it nearer, so it stays on the sheet that it begins on: two fingers that nearly touch are
   far apart for it.
   Input: a mesh of half-edges, a face to begin with, a point.
   Output: a place. */
#ifndef OSSAI_QUERY_WALK_H
#define OSSAI_QUERY_WALK_H

#include "mesh/half_edges.h"

typedef struct ossai_spot {
	uint32_t face;
	ossai_vec3 point;
	double distance2;
} ossai_spot;

/* Cost: a few faces for each edge length of the way. */
ossai_spot ossai_walk_to(const ossai_half_edges *surface, uint32_t face, ossai_vec3 point);

/* The same for a point that is farther away, by way of the straight line from `from`, which lies
   on the face. Where that is a corner or an edge of the surface, all faces there are tried: sharp
   ones would not be walked over. */
ossai_spot ossai_walk_along(const ossai_half_edges *surface, uint32_t face, ossai_vec3 from, ossai_vec3 to);

#endif
