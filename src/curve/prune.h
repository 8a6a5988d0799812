/* curve/prune.h: removes the spurious branches of a curve.

   Place in the path: curve/tree (loops cut), curve/tips (persistence) -> here -> curve/limb_ends.
   Input: a tree with the persistence of its tips.
   Output: a tree whose branches are limbs.
   Source: D. Shaked and A. Bruckstein, Pruning Medial Axes, 1998: branches are removed by a measure
   of what they stand for. Ours is the persistence of the tips along them. */
#ifndef OSSAI_CURVE_PRUNE_H
#define OSSAI_CURVE_PRUNE_H

#include "curve/curve.h"
#include "proxy/mirror.h"

/* Removes spurious branches: chains from a junction to an end along which no tip has a persistence
   of `least` (curve->persistence, which is filled; curve/tips.h). Two that are mirror images at one
   junction are removed together. At least two chains stay at each junction. Their patches go to the
   junction. `mirror` may not exist. Node numbers change. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY.  Cost: linear, for each round of junctions that vanish. */
ossa_status ossai_curve_prune(ossai_arena *arena, double least, const ossai_mirror *mirror, ossai_curve *curve);

#endif
