/* surface/carry_poses.h: poses of one shape as poses of another one of the same topology.

   Place in the path: posed surfaces -> here -> methods/characters.
   Source: R. Sumner, J. Popovic, Deformation Transfer for Triangle Meshes, 2004. Departures: the
   gradients are those at vertices and the edges are fitted, not the triangles; what an edge of the
   source does beside its gradient is added, so that pieces which slide against each other do, and a
   surface of the same shape gets the poses themselves. Where limbs move rigidly the result is
   exact. */
#ifndef OSSAI_SURFACE_CARRY_POSES_H
#define OSSAI_SURFACE_CARRY_POSES_H

#include "surface/posed_surface.h"

/* Fills K x V x 3 positions, in the units of the mesh of `to`: the poses of `from` for the rest of
   `to`, whose centroid stays. Both are welded alike. The rests may be turned against each other as
   a whole. Vertices that no face uses stay at rest.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED.
   Cost: a sparse factor of the surface, and linear in K x V. */
ossa_status ossai_carry_poses(
	ossa_context *context, const ossai_posed_surface *from, const ossai_posed_surface *to, float *positions);

#endif
