/* volume/medial.h: the discrete medial surface: voxels whose balls reach where no neighbour's does.

   Place in the path: volume/voxels -> here -> volume/path_tree.
   Source: L. Wade and R. Parent 2002, section 3.3. The exposure of a voxel is the share of its maximal ball's surface that the balls of its 26
   neighbours leave uncovered. */
#ifndef OSSAI_VOLUME_MEDIAL_H
#define OSSAI_VOLUME_MEDIAL_H

#include "volume/voxels.h"

typedef struct ossai_medial {
	size_t count;       /* M */
	uint32_t *voxel;    /* M: numbers of interior voxels, rising; 26-connected */
	float *exposure;    /* M: 0 where a voxel only connects others */
	uint32_t *of_voxel; /* N: its place in `voxel`, OSSA_NONE where it is not on the surface */
} ossai_medial;

/* Voxels at least `exposure` exposed, and those on the steepest ascents between them that make all one. It spans every protrusion.
   Arrays are the arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Threads: the context's; the same bytes for any number. Cost: linear in voxels. */
ossa_status ossai_medial_make(ossai_arena *arena, const ossai_voxels *voxels, double exposure, ossai_medial *medial);

#endif
