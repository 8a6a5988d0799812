/* curve/limbs.h: which nodes of a curve stand for the tips of limbs, and where limbs end.

   Place in the path: curve/tree (loops cut), proxy/geodesic_maxima -> here -> curve/prune. */
#ifndef OSSAI_CURVE_LIMBS_H
#define OSSAI_CURVE_LIMBS_H

#include "curve/curve.h"
#include "proxy/mirror.h"

/* Fills curve->limb: how far the surface protrudes in each node's patch. Tips that are images of each other count as the one that protrudes farther:
   both are limbs, which protrude by `least`, or none is. `mirror` may not exist. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_find_limbs(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_mirror *mirror, double least, ossai_curve *curve);

/* Limbs end where a ball in them holds, nearly, all that is beyond: which corner of a blunt end the curve has run into differs with every mesh, and what the
   end is like is told by its vertices (skeleton/from_curve/curve_chains). The patches beyond go to that node. Node numbers change. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_shorten_ends(ossai_arena *arena, ossai_curve *curve);

#endif
