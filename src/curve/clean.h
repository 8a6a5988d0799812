/* curve/clean.h: cleans a curve skeleton of any method by a fixed sequence of passes.

   Input: a curve, the shape that it lies in, and the tips of its limbs.
   Output: a tree with a root: a chain for each limb, a junction for each body.
   Used by: methods/contraction, methods/volume. */
#ifndef OSSAI_CURVE_CLEAN_H
#define OSSAI_CURVE_CLEAN_H

#include "curve/tips.h"
#include "query/clearance.h"

/* Input of the passes. */
typedef struct ossai_clean_shape {
	const ossai_clearance *clearance; /* of the proxy, with its inside */
	const ossai_mirror *mirror;       /* may not exist */
	const ossai_tips *tips;
	double least; /* persistence of a limb's tip, in the proxy's lengths */
	/* the curve ends on the medial surface: no corner of a blunt end has to be cut off */
	bool ends_are_deep;
} ossai_clean_shape;

/* The passes, in this order:
     cut loops      where they are thinnest; pieces are joined by their nearest nodes (curve/tree)
     persistence    of each node: that of the most persistent tip in its patch (curve/tips)
     prune          chains without a persistent tip (curve/prune)
     shorten ends   to the last ball of each limb, unless they are deep (curve/limb_ends)
     balls          the largest at each junction, where centering has not found them from the loops
                    of the patches (curve/largest_ball, curve/center)
     junctions      of one body are merged, at its center (curve/junctions)
     root           the junction with the smallest integral of distances (curve/tree)
   Node numbers change. Arrays are the arena's. Warns of a single node in a shape with limbs
   ("limbs-lost").
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: n log n of the curve's nodes. */
ossa_status ossai_curve_clean(ossai_arena *arena, const ossai_clean_shape *shape, ossai_curve *curve, uint32_t *root);

#endif
