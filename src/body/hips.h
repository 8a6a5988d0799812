/* body/hips.h: how high the hip joints of a human are.

   Place in the path: below body/joints. */
#ifndef OSSAI_BODY_HIPS_H
#define OSSAI_BODY_HIPS_H

#include "body/plan.h"

/* Lengths are shares of the height from the floor to the neck unless they say otherwise. */

/* Shares of the figure's height. */
typedef struct ossai_build {
	double head;    /* what is above the neck */
	double breadth; /* half of that over both shoulders, arms included */
} ossai_build;

/* The height at which hip joints are expected: large heads and broad shoulders have short legs. */
ossai_range ossai_hips_expected(const ossai_build *build);

/* The height of the hip joints: it follows from where the legs part unless a skirt hides that; the
   mean over both cases, each by its probability, and the deviation. parting: that height. */
ossai_range ossai_hips_height(const ossai_build *build, double parting);

/* Half the distance between the hip joints. Where the legs part: legs: half the distance between
   their axes; radius: of one. */
double ossai_hips_apart(const ossai_build *build, double legs, double radius);

#endif
