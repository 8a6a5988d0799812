/* samples/arms.h: two arms with twist bones.

   Place in the path: tables (arms.c) -> creature. It fills an empty creature but for tails. */
#ifndef OSSA_SAMPLES_ARMS_H
#define OSSA_SAMPLES_ARMS_H

#include "samples/creature.h"

void ossai_arms_build(ossai_creature *creature);

#endif
