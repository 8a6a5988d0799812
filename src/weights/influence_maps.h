/* weights/influence_maps.h: the published influence maps, which bones may move a vertex.

   Place in the path: weights solved among all bones -> here -> weights solved again.
   Input: weights.
   Output: the bones that each vertex may follow.
   Source: Schaefer & Yuksel 2007, section 4.
   Departures: maps cross from piece to piece where the surface links them; on a piece without any
   vertices keep their bones. */
#ifndef OSSAI_WEIGHTS_INFLUENCE_MAPS_H
#define OSSAI_WEIGHTS_INFLUENCE_MAPS_H

#include "weights/least_squares.h"

/* For each bone the flood from the vertex of its largest weight through vertices of weight > 0.
   Vertices in no map take the maps of their neighbours, ring by ring. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_influence_maps(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights, ossai_allowed_bones *allowed);

#endif
