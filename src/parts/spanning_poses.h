/* parts/spanning_poses.h: chooses a few poses that span a motion, for stages whose cost is
   proportional to the number of poses.

   Place in the path: seeds -> here -> spectral (borders of parts).
   Input: a posed surface, seeds.
   Output: indices of poses.
   Source: farthest point clustering: T. Gonzalez, Clustering to Minimize the Maximum Intercluster
   Distance, 1985. The distance of two poses is that of the distances between seeds, so the position
   and orientation of the body do not count. */
#ifndef OSSAI_PARTS_SPANNING_POSES_H
#define OSSAI_PARTS_SPANNING_POSES_H

#include "parts/seeds.h"

/* Chooses at most `wanted` poses, first the one farthest from the rest; no duplicates of the rest
   or of one chosen before. pose: the caller's, `wanted`, ascending. Errors: OSSA_ERROR_MEMORY.
   Cost: wanted x poses x 500; 4 KB a pose. */
ossa_status ossai_spanning_poses(ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds,
	size_t wanted, size_t *count, uint32_t *pose);

/* The same surface with only these poses; arrays that do not depend on poses are shared. Arrays are
   the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_surface_of_poses(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t count, const uint32_t *pose, ossai_posed_surface *few);

#endif
