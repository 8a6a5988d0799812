/* weights/anchors.h: weights from the voxels that bones cover.

   Place in the path: skeleton's segments, volume/voxels -> here -> rig.
   Source: L. Wade and R. Parent 2002, section 3.8: a voxel collects the segments whose path voxels' balls cover it, uncovered ones those
   of the neighbours (breadth first); of n segments w_i = (D - dist_i) / ((n - 1) D), D = sum dist_i. No weight exceeds 1 / (n - 1): the
   paper's mode, kept as --weights coverage. */
#ifndef OSSAI_WEIGHTS_ANCHORS_H
#define OSSAI_WEIGHTS_ANCHORS_H

#include "volume/voxels.h"
#include "weights/bone_segments.h"
#include "weights/bone_weights.h"

/* A ball of the path tree: a voxel and the bone whose segment it lies on. */
typedef struct ossai_anchor_ball {
	uint32_t voxel, bone;
} ossai_anchor_ball;

/* Fills `weights` of all vertices of the surface. A vertex outside the kept voxels takes the nearest one's set. influences: 0: all.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: linear in voxels covered and vertices. */
ossa_status ossai_anchor_weights(ossai_arena *arena, const ossai_voxels *voxels, size_t ball_count,
	const ossai_anchor_ball *balls, const ossai_posed_surface *surface, const ossai_bone_segments *segments, size_t influences,
	ossai_bone_weights *weights);

#endif
