/* proxy/slenderness.h: how slender a surface is towards the maxima of its average geodesic
   distance.

   Input: a proxy, the average geodesic distance of its vertices, and some of its maxima.
   Output: for each maximum the length of what protrudes there over its girth.
   Used by: curve/tips, which distinguishes shapes with limbs from shapes without.

   Around a maximum the superlevel sets grow as the value falls. Of a limb they are a topological
   disk, a cap and a tube, whose area grows with the length l that the value has fallen; of the
   corner of a box it grows with the square of l, and around the rim of a cup they become a ring.
   The girth is the mean length of the level sets in the second half of l: a cylinder's
   circumference. The corner of a terrain is as long for its girth as a stubby leg, but flat: the
   roundness of the cross-section, 4 pi area / girth^2, distinguishes the two. */
#ifndef OSSAI_PROXY_SLENDERNESS_H
#define OSSAI_PROXY_SLENDERNESS_H

#include "proxy/proxy.h"

/* slenderness: for each of `count` maxima the most of l / girth * (1 + roundness) over all lengths
   l up to its persistence at which the superlevel set is a disk; 0 where it is none. Lengths under
   two of the proxy's edges are left out. A cylinder of length L and radius r on a large body has
   L / (pi r) of it; without a body the average distance falls more slowly, and it is less. Corners
   and rims have 0.36 or less, arms and tails 1 to 4.
   Errors: OSSA_ERROR_MEMORY.  Cost: m log m of the vertices in the sets of each maximum. */
ossa_status ossai_slenderness_find(ossai_arena *arena, const ossai_proxy *proxy, const double *average, size_t count,
	const uint32_t *maximum, const double *persistence, double *slenderness);

#endif
