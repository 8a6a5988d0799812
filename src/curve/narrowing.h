/* curve/narrowing.h: the narrowest section of a stretch of a limb.

   Used by: edit/solve_split. */
#ifndef OSSAI_CURVE_NARROWING_H
#define OSSAI_CURVE_NARROWING_H

#include "base/context.h"

/* Scratch memory of ossai_narrowing, for `count` points. */
typedef struct ossai_narrowing_scratch {
	double *radius, *peak, *other;
	uint32_t *stack;
} ossai_narrowing_scratch;

ossa_status ossai_narrowing_scratch_make(ossai_arena *arena, size_t count, ossai_narrowing_scratch *scratch);

/* Where, as a share of its length, a stretch of `count` points is best split: at `base`, or as
   far as `reach` from there where it narrows, the farther towards the narrowest the more it
   narrows, so that no hair decides. arc: rising; radius: of the balls. No narrowing is less than
   5 % of the radius: voxels make as much. Cost: linear. */
double ossai_narrowing(
	const ossai_narrowing_scratch *scratch, size_t count, const double *arc, const double *radius, double base, double reach);

#endif
