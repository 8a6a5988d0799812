/* metrics/weight_bleeding.h: weight bleeding, or leaks: weights of one limb on the bones of
   another one.

   Place in the path: metrics.
   Input: a skeleton, weights.
   Output: the number of limbs, the share of vertices with bleeding weights. */
#ifndef OSSAI_METRICS_WEIGHT_BLEEDING_H
#define OSSAI_METRICS_WEIGHT_BLEEDING_H

#include "base/context.h"

#include <ossa/rig.h>

/* A limb is a chain of bones to a leaf, from the last junction before it. `share`, 0 to 1, of the
   vertices used (V) have their largest weight on a limb and more than a thousandth on another one,
   except bones with the same parent, which meet there; NAN where no vertex is used.
   Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_weight_bleeding_measure(ossa_context *context, const ossa_skeleton *skeleton, const ossa_weights *weights,
	const uint8_t *used, int *limb_count, double *share);

#endif
