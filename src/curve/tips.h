/* curve/tips.h: the tips of a shape's limbs, found once for every still method.

   Input: a proxy and its plane of symmetry.
   Output: vertices of the proxy with their persistence, the most persistent first.
   Source: persistent maxima of the average geodesic distance (proxy/geodesic_maxima.h).
   Departure: mirror images count as the more persistent of the two. */
#ifndef OSSAI_CURVE_TIPS_H
#define OSSAI_CURVE_TIPS_H

#include "curve/curve.h"
#include "proxy/mirror.h"

typedef struct ossai_tips {
	size_t count;        /* all maxima, the most persistent first */
	size_t limb_count;   /* the first of them, which are persistent enough to be tips of limbs */
	uint32_t *vertex;    /* of the proxy */
	double *persistence; /* in the proxy's lengths */
	ossai_vec3 *point;   /* positions of the vertices */
	/* the most of all limbs' tips: length over girth of what protrudes there, doubled if it is
	   round (proxy/slenderness.h) */
	double slenderness;
} ossai_tips;

/* Finds all maxima; those of a persistence of `least` or more are tips of limbs. Of two mirror
   images both are, or neither is. `mirror` may not exist. Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Cost: that of ossai_geodesic_maxima_find. */
ossa_status ossai_tips_find(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_mirror *mirror, double least, ossai_tips *tips);

/* Whether what protrudes at some tip is long enough for its girth to be a limb: no corner of a
   box or of a sheet, no rim of a cup. */
bool ossai_tips_are_limbs(const ossai_tips *tips);

/* Fills curve->persistence: of each node the persistence of the most persistent tip in its patch;
   0 where there is none. The array is the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_take_tips(ossai_arena *arena, const ossai_tips *tips, ossai_curve *curve);

#endif
