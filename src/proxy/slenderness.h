/* proxy/slenderness.h: how slender a surface is towards the maxima of its average geodesic
   distance.

   Input: a proxy, the average geodesic distance of its vertices, and some of its maxima.
   Output: for each maximum the length of what protrudes there over its girth.
   Used by: curve/tips, which distinguishes shapes with limbs from shapes without.

   Around a maximum the superlevel sets grow as the value falls. Of a limb they are a topological
   disk, a cap and a tube, whose area grows with the length l that the value has fallen; of the
   corner of a box it grows with the square of l, and around the rim of a cup they become a ring.
   The girth is the area that the second half of l adds, over l / 2: a cylinder's circumference. */
#ifndef OSSAI_PROXY_SLENDERNESS_H
#define OSSAI_PROXY_SLENDERNESS_H

#include "proxy/proxy.h"

/* slenderness: for each of `count` maxima the most of l / girth over all lengths l up to its
   persistence at which the superlevel set is a disk; 0 where it is none. Lengths under 3.5 % of the
   size are too short for the proxy's edges and are left out. A cylinder of length L and radius
   r on a large body has L / (2 pi r) of it, a cone 2 / (3 pi sin a) of half its opening angle a;
   without a body the average distance falls more slowly, and it is less. Corners and rims have 0.14
   or less, arms and tails 0.4 to 2.
   Errors: OSSA_ERROR_MEMORY.  Cost: m log m of the vertices in the sets of each maximum. */
ossa_status ossai_slenderness_find(ossai_arena *arena, const ossai_proxy *proxy, const double *average, size_t count,
	const uint32_t *maximum, const double *persistence, double *slenderness);

#endif
