/* rig/leaks.h: weights of one limb on the bones of another one.

   Place in the path: metrics.  In: a skeleton, weights.  Out: how many limbs there are, how many vertices leak. */
#ifndef OSSAI_RIG_LEAKS_H
#define OSSAI_RIG_LEAKS_H

#include "base/context.h"

#include <ossa/rig.h>

/* A limb is a chain of bones: one that is its parent's only child is in its parent's limb, any other begins one. `share`, 0 to 1, of
   the vertices used (V) have more weight than a thousandth on a bone of a limb that neither is that of their largest weight, nor
   leaves it, nor is left by it; NAN where no vertex is used.  Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_leaks_measure(ossa_context *context, const ossa_skeleton *skeleton, const ossa_weights *weights,
	const uint8_t *used, int *limb_count, double *share);

#endif
