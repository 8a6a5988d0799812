/* medial/tree_trim.h: branches of a curve that its other balls cover are no limbs.

   Place in the path: medial/tree_curve -> here -> curve/prune. */
#ifndef OSSAI_MEDIAL_TREE_TRIM_H
#define OSSAI_MEDIAL_TREE_TRIM_H

#include "curve/curve.h"

/* Paths run to every corner of a thick body. A branch stays where some ball of it comes out of every ball of the rest of the curve by `reach` of that
   one's radius, and by `least`, a share of the diagonal, or by `slender` times its own mean radius where that is less; what goes becomes part of the node that it hung on. Of each branching two ways
   stay. Node numbers change. Errors: OSSA_ERROR_MEMORY.  Cost: nodes of branches x nodes. */
ossa_status ossai_tree_trim(ossai_arena *arena, double reach, double least, double slender, ossai_curve *curve);

#endif
