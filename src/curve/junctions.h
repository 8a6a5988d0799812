/* curve/junctions.h: merges and centers the junctions of a curve: one for each body of the shape,
   at its center.

   Source: the mean shift (K. Fukunaga and L. Hostetler, 1975; D. Comaniciu and P. Meer, 2002), here
   weighted by the clearance.

   Place in the path: curve/tree (loops cut, pruned) -> here -> the root,
   skeleton/from_curve/curve_bones. */
#ifndef OSSAI_CURVE_JUNCTIONS_H
#define OSSAI_CURVE_JUNCTIONS_H

#include "curve/curve.h"
#include "query/clearance.h"

/* Merges junctions whose balls touch (curve->ball, which is filled: curve/largest_ball.h), with all
   nodes between them, the body; none further from the largest ball than twice the sum of both
   radii, so that a row of legs keeps its spine. Then each junction moves by mean shift from its
   ball to the mean of points of large clearance, and gets the clearance there as radius; the chains
   from there are straight until they are well out of the ball, and radii on them change linearly.
   `clearance`: of the proxy, with its inside. Node numbers change. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY.  Cost: some hundred queries of the nearest face for each junction. */
ossa_status ossai_curve_center_junctions(ossai_arena *arena, const ossai_clearance *clearance, ossai_curve *curve);

#endif
