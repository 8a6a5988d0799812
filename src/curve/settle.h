/* curve/settle.h: branchings in the middle of the bodies that they lie in, wherever the curve came through them.

   Place in the path: curve/tree (loops cut, pruned) -> here -> the root, skeleton/curve_bones. */
#ifndef OSSAI_CURVE_SETTLE_H
#define OSSAI_CURVE_SETTLE_H

#include "curve/curve.h"

/* Moves each branching to the middle of its ball and gives it that radius; the ways from there are straight as far as the ball reaches, and radii on
   them change evenly. Nothing without balls (curve/center.h finds them). Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_settle(ossa_context *context, ossai_curve *curve);

#endif
