/* weights/match_patches.h: places that belong to another limb than those around them.

   Place in the path: surface_match -> here -> inpaint.
   Where limbs go into each other, or clothes through them, a few points may find their places on
   the wrong one. The places of two neighbors are coherent where the surface connects them nearby;
   a patch of points that is coherent with nothing around, and smaller than a patch beside it on the
   same piece, is not sure. Pieces of a rig that the other mesh joins, such as the parts of a robot,
   stay sure. */
#ifndef OSSAI_WEIGHTS_MATCH_PATCHES_H
#define OSSAI_WEIGHTS_MATCH_PATCHES_H

#include "weights/surface_match.h"

/* Makes sure points of such patches OSSAI_MATCH_TURNED.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: linear in the edges of `from` times the
   points of `to` within about twice their length. */
ossa_status ossai_match_drop_strays(
	ossai_arena *arena, const ossai_match_surface *from, const ossai_match_surface *to, ossai_surface_match *match);

#endif
