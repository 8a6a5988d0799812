/* proxy/remesh.h: isotropic remeshing of a surface.

   Place in the path: below proxy/proxy.
   Input: triangles over points, manifold or not.
   Output: triangles of about one edge length on the same surface.
   Source: M. Botsch, L. Kobbelt, 2004 (see isotropic.h), after coarsening with quadrics (see
   coarsen.h). */
#ifndef OSSAI_PROXY_REMESH_H
#define OSSAI_PROXY_REMESH_H

#include "base/context.h"
#include "mesh/manifold.h"

/* Triangles over points, and the point that corresponds to each input vertex. */
typedef struct ossai_isotropic_mesh {
	size_t vertex_count; /* N */
	size_t face_count;   /* M */
	double *positions;   /* N x 3 */
	uint32_t *triangles; /* M x 3 */
	/* V: the point nearest over the surface; OSSA_NONE where no face uses the vertex */
	uint32_t *of_vertex;
} ossai_isotropic_mesh;

/* Splits long edges, collapses short ones and flips, until edges have about one length and about
   `wanted` vertices are left; shorter edges where the shape is thin. Preserves pieces, borders and
   handles. Arrays are the arena's.
   Non-manifold parts are cut into manifold sheets (mesh/manifold.h). Triangles are oriented
   outwards and are Delaunay, or nearly. Errors: OSSA_ERROR_INPUT (no face has an area),
   OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED. Cost: near linear; to 8000 vertices
   0.09 s from 20k faces, 0.4 s from 300k, 1.6 s from 1.4M. */
ossa_status ossai_remesh(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, size_t wanted, ossai_isotropic_mesh *made);

/* The same for triangles that are a manifold already, which is modified; vertices and positions are
   those that it was made from. */
ossa_status ossai_remesh_manifold(ossai_arena *arena, ossai_half_edges *mesh, const ossai_manifold *manifold,
	size_t vertex_count, const double *positions, size_t wanted, ossai_isotropic_mesh *made);

/* The error of a surface whose faces are all degenerate; returns OSSA_ERROR_INPUT. */
ossa_status ossai_fail_without_area(ossa_context *context, size_t face_count);

#endif
