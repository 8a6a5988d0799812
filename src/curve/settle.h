/* curve/settle.h: branchings in the middle of the bodies that they lie in, wherever the curve came through them.

   Source: the mean shift (K. Fukunaga and L. Hostetler, 1975; D. Comaniciu and P. Meer, 2002), here of the room that there is.

   Place in the path: curve/tree (loops cut, pruned) -> here -> the root, skeleton/curve_bones. */
#ifndef OSSAI_CURVE_SETTLE_H
#define OSSAI_CURVE_SETTLE_H

#include "curve/curve.h"
#include "surface/room.h"

/* Moves each branching from its ball to the middle of the roomy places around and gives it the room there; the ways from there are straight
   until they are well out of it, and radii on them change evenly. `room`: of the proxy, with its inside. Nothing without balls
   (curve/center.h finds them). Errors: OSSA_ERROR_MEMORY.  Cost: some hundred looks for the nearest face for each branching. */
ossa_status ossai_curve_settle(ossa_context *context, const ossai_room *room, ossai_curve *curve);

#endif
