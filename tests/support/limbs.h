/* tests/support/limbs.h: literal chains that joints are placed on. */
#ifndef OSSA_TEST_LIMBS_H
#define OSSA_TEST_LIMBS_H

#include "skeleton/from_curve/curve_chains.h"

/* `count` chains of `points` points each, from x, y, z, radius (points x 4 numbers a chain, one
   chain after another), all leaves that begin at the root, none mirrored. Arrays are the
   arena's. */
ossai_chains test_limbs(ossai_arena *arena, size_t count, size_t points, const double *numbers);

/* One straight limb of unit radius along x from 0. */
ossai_chains test_straight_limb(ossai_arena *arena, double length);

#endif
