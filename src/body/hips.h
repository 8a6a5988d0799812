/* body/hips.h: how high the hip joints of a human are.

   Place in the path: below body/joints. */
#ifndef OSSAI_BODY_HIPS_H
#define OSSAI_BODY_HIPS_H

#include "body/plan.h"

/* Heights are shares of the height from the floor to the neck; head: the share of the figure's
   height above the neck. */

/* Where hip joints are expected. */
ossai_range ossai_hips_expected(double head);

/* The height of the hip joints: it follows from where the legs part unless a skirt hides that; the
   mean over both cases, each by its probability. parting: that height. */
double ossai_hips_height(double head, double parting);

/* Half the distance between the hip joints. legs: half of that between the axes of the legs there;
   radius: of a leg where they part. */
double ossai_hips_apart(double head, double legs, double radius);

#endif
