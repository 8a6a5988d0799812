/* proxy/remesh.h: triangles of even size in place of those that are there, on the same surface.

   Place in the path: below proxy/proxy. */
#ifndef OSSAI_PROXY_REMESH_H
#define OSSAI_PROXY_REMESH_H

#include "base/context.h"
#include "mesh/manifold.h"

/* Triangles over points, and which point stands for each vertex of what they were made from. */
typedef struct ossai_isotropic_mesh {
	size_t vertex_count; /* N */
	size_t face_count;   /* M */
	double *positions;   /* N x 3 */
	uint32_t *triangles; /* M x 3 */
	/* V: the point nearest over the surface; OSSA_NONE where no face uses the vertex */
	uint32_t *of_vertex;
} ossai_isotropic_mesh;

/* Splits long edges, collapses short ones and flips, until edges have about one length and about
   `wanted` vertices are left; finer where the shape is thin. Keeps pieces, borders and handles as
   they are. Arrays are the arena's.
   What is not manifold is cut into sheets that are (mesh/manifold.h). Triangles look outwards and
   are Delaunay, or nearly. Errors: OSSA_ERROR_INPUT (nothing that has an area), OSSA_ERROR_MEMORY,
   OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED. Cost: near linear; to 8000 vertices 0.09 s from 20k
   faces, 0.4 s from 300k, 1.6 s from 1.4M. */
ossa_status ossai_remesh(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, size_t wanted, ossai_isotropic_mesh *made);

/* The same of triangles that are a manifold already, which is changed; vertices and positions are
   those that it was made from. */
ossa_status ossai_remesh_manifold(ossai_arena *arena, ossai_half_edges *mesh, const ossai_manifold *manifold,
	size_t vertex_count, const double *positions, size_t wanted, ossai_isotropic_mesh *made);

#endif
