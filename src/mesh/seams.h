/* mesh/seams.h: the two sides of a seam as one: vertices that a file has several times because
   their UVs, normals or materials differ.

   Place in the path: below the transfer of weights.
   Input: triangles.
   Output: points and triangles over them.

   Where whole surfaces touch, their vertices may lie at one point too and must stay apart: weights
   would bleed from one limb to the other. A seam is an open edge on both sides, and touching closed
   surfaces have none; so vertices are joined along open edges only (mesh/weld.h joins all). */
#ifndef OSSAI_MESH_SEAMS_H
#define OSSAI_MESH_SEAMS_H

#include "mesh/weld.h"

/* Vertices are one point where edges of one face each, which end at the same two places, meet in
   them. point_of_vertex is given for every vertex of a face; vertex_of_point is the smallest of a
   point. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: V log V. */
ossa_status ossai_seams_weld(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_weld *weld);

#endif
