/* samples/machines.h: creatures that are machines.

   Place in the path: tables (machines.c) -> creature. Each fills an empty creature but for
   tails. */
#ifndef OSSA_SAMPLES_MACHINES_H
#define OSSA_SAMPLES_MACHINES_H

#include "samples/creature.h"

void ossai_gimbals_build(ossai_creature *creature);
void ossai_machine_build(ossai_creature *creature);
void ossai_linkage_build(ossai_creature *creature);

void ossai_slides_build(ossai_creature *creature);

#endif
