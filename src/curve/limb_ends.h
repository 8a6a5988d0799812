/* curve/limb_ends.h: where limbs end on a curve.

   Input: a pruned curve with the persistence of its tips.
   Output: the same curve; what lies beyond the last ball of a limb is cut off.
   Used by: curve/clean. */
#ifndef OSSAI_CURVE_LIMB_ENDS_H
#define OSSAI_CURVE_LIMB_ENDS_H

#include "curve/curve.h"

/* Shortens each chain to the node nearest to its junction whose ball, enlarged, holds all that is
   beyond: which corner of a blunt end the curve has run into differs with every mesh, and the
   shape of the end is measured from its vertices later (skeleton/from_curve/curve_chains). The
   patches beyond go to that node. Node numbers change. Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_shorten_ends(ossai_arena *arena, ossai_curve *curve);

#endif
