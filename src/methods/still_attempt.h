/* methods/still_attempt.h: compares the rigs that several methods make of one mesh.

   Place in the path: rigs -> here -> make_still.
   Input: attempts with rigs.
   Output: how much of the bones lies inside, how close they are to the surface, which rig is
   better. */
#ifndef OSSAI_METHODS_STILL_ATTEMPT_H
#define OSSAI_METHODS_STILL_ATTEMPT_H

#include "methods/make_rig.h"

/* Fills `inside` of an attempt with a rig. Errors: OSSA_ERROR_MEMORY.
   Cost: a winding number for 8 points of each bone. */
ossa_status ossai_still_attempt_measure_inside(ossa_context *context, ossai_attempt *attempt);

/* Fills `distance` of an attempt with a rig, which only a comparison with another one asks for.
   Cost: 20 000 points x bones. */
void ossai_still_attempt_measure_distance(ossai_attempt *attempt);

/* Whether no other method needs to be tried: enough of the bones is inside, or the shape has no
   limbs, of which no method would make more. */
bool ossai_still_attempt_is_enough(const ossai_attempt *attempt);

/* Whether bones lie in a part of the shape only: the method has left parts out, or the bones of
   another rig are much closer to its surface. false where one of the two has no rig. */
bool ossai_still_attempt_is_partial(const ossai_attempt *attempt, const ossai_attempt *other);

/* Whether a rig lacks loops of the shape that another has found and cut. false where one of the two
   has no rig. */
bool ossai_still_attempt_lacks_loops(const ossai_attempt *attempt, const ossai_attempt *other);

/* Whether a later rig replaces an earlier one: more of its bones is inside, and they lie in all of
   the shape and in all of its loops; and it has a body, and props, if the earlier one has. */
bool ossai_still_attempt_is_better(const ossai_attempt *late, const ossai_attempt *early);

#endif
