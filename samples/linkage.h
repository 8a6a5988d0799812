/* samples/linkage.h: four-bar linkages in closed form: how coupler and rocker turn with the crank.

   Place in the path: creature, the crank's angle -> here -> motion.
   Source: F. Freudenstein, Approximate Synthesis of Four-Bar Linkages, 1955: the loop of the four
   bars closes; here as two circles that meet in the pin. */
#ifndef OSSA_SAMPLES_LINKAGE_H
#define OSSA_SAMPLES_LINKAGE_H

#include "samples/creature.h"

/* The linkage in which the bone is coupler or rocker; NULL where there is none. */
const creature_linkage *ossai_linkage_of(const ossai_creature *creature, int bone);

/* The turn of coupler or rocker against its parent, radians about its axis, where the crank has
   turned by so many from rest. Of the two places where the pin can be it is on the side of the line
   from crank to rocker where it is at rest. */
double ossai_linkage_turn(const ossai_creature *creature, const creature_linkage *linkage, int bone, double crank);

#endif
