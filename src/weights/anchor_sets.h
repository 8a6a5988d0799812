/* weights/anchor_sets.h: the set of bones that influence each voxel.

   Place in the path: below weights/anchors.
   Input: voxels, balls of bones.
   Output: a set of bones for each voxel.
   Source: L. Wade and R. Parent 2002, section 3.4.3. */
#ifndef OSSAI_WEIGHTS_ANCHOR_SETS_H
#define OSSAI_WEIGHTS_ANCHOR_SETS_H

#include "weights/anchors.h"
#include "weights/bone_sets.h"

/* Fills set_of_voxel (N: of the caller): first by balls, then breadth first over the 26 neighbours:
   an uncovered voxel gets the union of the sets of its neighbours in the layer before. Where there
   is no ball all sets are empty.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: rows of the balls, voxels x bones that
   cover each, 54 cells an uncovered voxel. */
ossa_status ossai_anchor_sets_make(ossa_context *context, const ossai_voxels *voxels, size_t bone_count, size_t ball_count,
	const ossai_anchor_ball *balls, ossai_bone_sets *sets, uint32_t *set_of_voxel);

#endif
