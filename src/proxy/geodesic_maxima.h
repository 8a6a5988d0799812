/* proxy/geodesic_maxima.h: where a surface protrudes, and how far: the tips of its limbs.

   Place in the path: proxy -> here -> curve/tips.
   A limb's tip is farther from the rest of the surface, over the surface, than all that is around it. It protrudes as far as one must come back until a
   way leads on to where it is farther still. That hardly changes when the shape is meshed otherwise, or posed.
   Sources: the mean way to everything: M. Hilaga and others, Topology Matching for Fully Automatic Similarity Estimation of 3D Shapes, 2001;
   the height of hills: H. Edelsbrunner, D. Letscher, A. Zomorodian, Topological Persistence and Simplification, 2002. */
#ifndef OSSAI_PROXY_GEODESIC_MAXIMA_H
#define OSSAI_PROXY_GEODESIC_MAXIMA_H

#include "proxy/proxy.h"

/* height: for each of the proxy's N vertices how far the surface protrudes there, in the proxy's lengths; 0 where it has no tip. The tip that is farther
   from the rest than any other is as high as it is farther than the nearest place. A limb that has a share s of the surface protrudes by 1 - s of its length,
   about. What nothing joins is as far as it is straight.
   Errors: OSSA_ERROR_MEMORY.  Cost: n log n, 16 times. */
ossa_status ossai_geodesic_maxima_find(ossai_arena *arena, const ossai_proxy *proxy, double *height);

#endif
