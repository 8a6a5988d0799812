/* methods/helper_part.h: the part of one bone's skin that another bone should take.

   Place in the path: a fit of given bones -> here -> given_add. */
#ifndef OSSAI_METHODS_HELPER_PART_H
#define OSSAI_METHODS_HELPER_PART_H

#include "methods/given.h"

/* Connected vertices of one bone, and the rigid motion that they follow. */
typedef struct ossai_helper_part {
	uint32_t bone;
	double gain;         /* by how much their own motion lowers the error; 0: there is no part */
	uint8_t *member;     /* V */
	ossai_rigid *motion; /* K */
	ossai_rigid *left;   /* K: of the bone's skin that is left */
} ossai_helper_part;

/* Finds the part of the largest gain among the bones that are not marked as `tried` (B). Vertices
   and bones that keep weights give none away. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.
   Cost: vertices x poses for each of a few rounds. */
ossa_status ossai_helper_part_find(ossai_arena *arena, const ossai_given *given, const uint8_t *tried, ossai_helper_part *part);

#endif
