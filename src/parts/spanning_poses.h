/* parts/spanning_poses.h: a few poses that span a motion, for stages that cost as much for each
   pose.

   Place in the path: seeds -> here -> spectral (borders of parts).
   Most poses of a sequence repeat each other: the farthest from those chosen before say the most
   (T. Gonzalez, Clustering to Minimize the Maximum Intercluster Distance, 1985). Poses differ as
   the distances between seeds do, so where the body stands and which way it looks does not
   count. */
#ifndef OSSAI_PARTS_SPANNING_POSES_H
#define OSSAI_PARTS_SPANNING_POSES_H

#include "parts/seeds.h"

/* Chooses at most `wanted` poses, the first the one least like the rest; none that is like the rest
   or one chosen before. pose: the caller's, `wanted`, rising. Errors: OSSA_ERROR_MEMORY.  Cost:
   wanted x poses x 500; 4 KB a pose. */
ossa_status ossai_spanning_poses(ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds,
	size_t wanted, size_t *count, uint32_t *pose);

/* The same surface with only these poses; what poses do not change is shared. Arrays are the
   arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_surface_of_poses(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t count, const uint32_t *pose, ossai_posed_surface *few);

#endif
