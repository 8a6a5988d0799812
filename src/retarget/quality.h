/* retarget/quality.h: how well a motion came over from one body to another. */
#ifndef OSSAI_RETARGET_QUALITY_H
#define OSSAI_RETARGET_QUALITY_H

#include "retarget/legs.h"

#include <ossa/retarget.h>

/* Fills the segments, degrees, lowest points, slides and steps of `facts` for the clip that was made
   of the source's. legs: of both bodies.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_measure_retarget(
	ossai_arena *arena, const ossai_legs *legs, const ossa_clip *clip, ossa_retarget_facts *facts);

#endif
