/* proxy/geodesic_maxima.h: the persistent local maxima of the average geodesic distance: tips of
   limbs.

   Place in the path: proxy -> here -> curve/tips.
   Input: a proxy.
   Output: the persistence of each vertex as a local maximum of the average geodesic distance.
   Sources: average geodesic distance: M. Hilaga, Y. Shinagawa, T. Kohmura, T. Kunii, Topology
   Matching for Fully Automatic Similarity Estimation of 3D Shapes, SIGGRAPH 2001. Persistence: H.
   Edelsbrunner, D. Letscher, A. Zomorodian, Topological Persistence and Simplification, 2002.

   The tip of a limb is a local maximum of the average geodesic distance to the rest of the surface.
   Its persistence is the difference between the maximum and the saddle over which a path leads on
   to a higher one, which is about the length of the limb. Persistence hardly changes when the shape
   is meshed otherwise, or posed. */
#ifndef OSSAI_PROXY_GEODESIC_MAXIMA_H
#define OSSAI_PROXY_GEODESIC_MAXIMA_H

#include "proxy/proxy.h"

/* persistence: of each of the proxy's N vertices, in the proxy's lengths; 0 where it is no local
   maximum. That of the global maximum is its difference from the global minimum. A limb that has a
   share s of the surface has a persistence of about 1 - s times its length. Between unconnected
   parts the distance is Euclidean. average: of each vertex, or NULL.
   Errors: OSSA_ERROR_MEMORY.  Cost: n log n, 16 times. */
ossa_status ossai_geodesic_maxima_find(ossai_arena *arena, const ossai_proxy *proxy, double *persistence, double *average);

#endif
