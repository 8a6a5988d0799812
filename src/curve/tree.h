/* curve/tree.h: a curve without loops, without spurs, and its root.

   Place in the path: center -> here -> skeleton/from_curve/curve_bones. */
#ifndef OSSAI_CURVE_TREE_H
#define OSSAI_CURVE_TREE_H

#include "curve/curve.h"
#include "proxy/mirror.h"

/* Cuts each loop at its weakest place (the node of the smallest radius, or its longest edge where it is a link), joins pieces that are apart by their
   nearest nodes, and records the cuts. */
ossa_status ossai_curve_cut_loops(ossai_arena *arena, ossai_curve *curve);

/* Removes branches that are no limbs: those along which the surface does not protrude by `reach` (where curve->limb tells; curve/limbs.h; of two images at one branching both go if one does), else those
   that do not reach out of the maximal ball of the node they hang on by `reach` of its radius (half of that for two thick ones that are images of
   each other), and by 6 % of the diagonal; images stay or go together then. Their patches go to that node. reach -INFINITY: nothing is
   removed. `mirror` may be NULL or not exist. Node numbers change. */
ossa_status ossai_curve_prune(ossai_arena *arena, double reach, const ossai_mirror *mirror, ossai_curve *curve);

/* The node whose patch encloses the largest volume (the paper); ties by index. */
uint32_t ossai_curve_root(const ossai_curve *curve);

/* The branching from which the ways to all of the curve, a tree, are shortest in the sum: hips rather than heads. Where nothing branches, the
   node. Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_curve_middle(ossai_arena *arena, const ossai_curve *curve, uint32_t *middle);

#endif
