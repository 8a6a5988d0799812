/* weights/anchors.h: skinning weights from the voxels that bones cover.

   Place in the path: bones as segments, voxels/voxels -> here -> ossai_bone_weights.
   Input: balls of bones, voxels, bones as segments.
   Output: weights of every vertex.
   Source: L. Wade and R. Parent 2002, section 3.4.3: the set of a voxel is that of the segments
   whose path voxels' balls cover it; an uncovered voxel takes the sets of its neighbours (breadth
   first). Of n segments w_i = (D - dist_i) / ((n - 1) D), with D = sum dist_i. No weight exceeds 1
   / (n - 1): this is the paper's mode, kept as --weights coverage. It works for the bones of any
   method: see ossai_anchor_balls_of_segments. */
#ifndef OSSAI_WEIGHTS_ANCHORS_H
#define OSSAI_WEIGHTS_ANCHORS_H

#include "voxels/voxels.h"
#include "weights/bone_segments.h"
#include "weights/bone_weights.h"

/* A ball: all voxels whose centers are no farther from this one's than its distance from the
   outside. A voxel may be given to several bones. */
typedef struct ossai_anchor_ball {
	uint32_t voxel, bone;
} ossai_anchor_ball;

/* Makes `weights` (arrays of the arena): descending, sum 1 at every used vertex. A vertex outside
   the kept voxels takes the nearest one's set; without any ball all follow the nearest bone.
   influences: the largest are kept and scaled to sum 1; 0: all, up to OSSAI_INFLUENCES_MAX.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED, OSSA_ERROR_ARGUMENT (no bones, or more than
   weights can index). Threads: the context's for vertices; the same bytes for any number.
   Cost: rows of the balls, voxels x bones that cover each, vertices x bones of their sets: 0.03 s
   for 200 000 voxels, 0.6 s for 4.6 million, 2.2 s for 15.5 million in a grid of 512 (71 paths). */
ossa_status ossai_anchor_weights(ossai_arena *arena, const ossai_voxels *voxels, size_t ball_count,
	const ossai_anchor_ball *balls, const ossai_posed_surface *surface, const ossai_bone_segments *segments, size_t influences,
	ossai_bone_weights *weights);

/* Balls for the bones of any method: of every voxel that a segment passes through, or of the one
   nearest to its midpoint where it passes through none. Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY. Cost: the segments' lengths in voxels. */
ossa_status ossai_anchor_balls_of_segments(ossai_arena *arena, const ossai_voxels *voxels, const ossai_bone_segments *segments,
	size_t *ball_count, ossai_anchor_ball **balls);

/* The voxel that contains each of `count` points (x y z), or the nearest one. Points need not be
   finite; one that is not gets the first voxel. Errors: OSSA_ERROR_MEMORY.  Threads: the
   context's. */
ossa_status ossai_anchor_voxels(
	ossa_context *context, const ossai_voxels *voxels, size_t count, const double *points, uint32_t *voxel);

#endif
