/* mesh/gradients.h: how a surface that was deformed turned and stretched around each vertex.

   Place in the path: writers, for what is attached to a surface beside its positions: tangents,
   normals, differences of morph targets.
   Input: positions before and after, triangles.
   Output: linear maps.
   Source: Sumner and Popovic, Deformation Transfer for Triangle Meshes, SIGGRAPH 2004, section 3: a
   triangle's two edges and its normal have one linear map; here the mean of those around a vertex,
   weighted by area. */
#ifndef OSSAI_MESH_GRADIENTS_H
#define OSSAI_MESH_GRADIENTS_H

#include "base/context.h"
#include "math/vec.h"

/* gradients: V, the caller's; the identity where no face with an area is. first_of_vertex:
   vertices that count as one (ossai_weld_vertices), NULL: none do. from, to: V x 3.
   Errors: OSSA_ERROR_MEMORY. Cost: linear. */
ossa_status ossai_vertex_gradients(ossa_context *context, size_t vertex_count, size_t triangle_count, const uint32_t *triangles,
	const uint32_t *first_of_vertex, const float *from, const float *to, ossai_mat3 *gradients);

#endif
