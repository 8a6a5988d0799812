/* curve/junctions.h: branchings in the middle of the bodies that they lie in, wherever the curve came through them, and one for each body.

   Source: the mean shift (K. Fukunaga and L. Hostetler, 1975; D. Comaniciu and P. Meer, 2002), here of the room that there is.

   Place in the path: curve/tree (loops cut, pruned) -> here -> the root, skeleton/from_curve/curve_bones. */
#ifndef OSSAI_CURVE_JUNCTIONS_H
#define OSSAI_CURVE_JUNCTIONS_H

#include "curve/curve.h"
#include "query/clearance.h"

/* Makes branchings whose balls touch one, with all that lies between them: what that is, is the body; none farther from the largest ball than twice the
   sum of both radii, so that a row of legs has a spine. Node numbers change. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_merge_junctions(ossai_arena *arena, ossai_curve *curve);

/* The same, and then, where it is known how much room there is, each branching goes from its ball to the middle of the roomy places around and gets the
   room there; the ways from there are straight until they are well out of it, and radii on them change evenly.
   `room`: of the proxy, with its inside. Nothing without balls (curve/center.h finds them).
   Errors: OSSA_ERROR_MEMORY.  Cost: some hundred looks for the nearest face for each branching. */
ossa_status ossai_curve_center_junctions(ossai_arena *arena, const ossai_clearance *room, ossai_curve *curve);

#endif
