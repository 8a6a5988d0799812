/* parts/part_centers.h: which part of the surface lies in the middle of it.

   Place in the path: face clusters -> here -> the root of the skeleton.
   Source: Schaefer & Yuksel 2007, section 5.1: the root is the bone whose faces have the center of
   mass closest to that of the rest pose. */
#ifndef OSSAI_PARTS_PART_CENTERS_H
#define OSSAI_PARTS_PART_CENTERS_H

#include "surface/posed_surface.h"

/* For each part the distance from the center of mass of its faces at rest to that of all faces, in
   diagonals; INFINITY for a part without area. The array (part_count) is the arena's; NULL:
   OSSA_ERROR_MEMORY. */
double *ossai_part_distances(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t part_count, const uint32_t *part_of_face);

#endif
