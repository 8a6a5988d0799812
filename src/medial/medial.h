/* medial/medial.h: the discrete medial surface: voxels whose balls reach where no neighbour's does.

   Place in the path: voxels/voxels -> here -> medial/path_tree.
   Source: L. Wade and R. Parent 2002, section 3.2, which does not define exposure. Here it is the
   share of the surface of a voxel's maximal ball in a cap that holds all that the balls of its 26
   neighbours leave uncovered: 0 where they cover it, 1/2 where it touches the skin on opposite
   sides, (1 - cos a) / 2 where it does so at an angle of 2 a. The share that is uncovered itself
   would fall with the square of the radius in the middle of a flat body, and leave nothing of a
   large one. */
#ifndef OSSAI_MEDIAL_MEDIAL_H
#define OSSAI_MEDIAL_MEDIAL_H

#include "voxels/voxels.h"

typedef struct ossai_medial {
	size_t count;       /* M */
	uint32_t *voxel;    /* M: numbers of interior voxels, rising; 26-connected */
	float *exposure;    /* M: 0 where a voxel only connects others */
	uint32_t *of_voxel; /* N: its index in `voxel`, OSSA_NONE where it is not on the surface */
} ossai_medial;

/* The default of the least exposure of a medial voxel: edges of a box are above (0.146), bumps
   are below. */
#define OSSAI_MEDIAL_EXPOSURE 0.12

/* Voxels at least `exposure` exposed, and those on the steepest ascents between them that connect
   all. It spans every protrusion. What spreads over less than three voxels of the skin, or lies
   within one ball further up, is unevenness of the voxels and left out. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Threads: the context's; the same bytes for any number. Cost: linear in voxels. */
ossa_status ossai_medial_make(ossai_arena *arena, const ossai_voxels *voxels, double exposure, ossai_medial *medial);

#endif
