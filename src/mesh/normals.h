/* mesh/normals.h: normals of vertices.

   Place in the path: metrics and pictures.
   Input: positions, triangles.
   Output: unit vectors. */
#ifndef OSSAI_MESH_NORMALS_H
#define OSSAI_MESH_NORMALS_H

#include "math/vec.h"
#include "mesh/adjacency.h"

/* The unit normal of one vertex, weighted by the areas of the faces around it; zero where there
   is none. */
ossai_vec3 ossai_vertex_normal(
	const uint32_t *triangles, const ossai_vertex_faces *around, const float *positions, size_t vertex);

/* Normals of faces, as long as twice their areas. normals: F. Threads: the context's; allocates
   nothing. Then that of one vertex from those of the faces around it: to the bit the same as
   ossai_vertex_normal, in a third of the time for many vertices. */
void ossai_face_normals(
	ossa_context *context, size_t face_count, const uint32_t *triangles, const float *positions, ossai_vec3 *normals);
ossai_vec3 ossai_vertex_normal_of_faces(const ossai_vec3 *face_normals, const ossai_vertex_faces *around, size_t vertex);

/* The same for all vertices. positions and normals: V x 3. Threads: the context's; allocates
   nothing. */
void ossai_vertex_normals(ossa_context *context, size_t vertex_count, const uint32_t *triangles,
	const ossai_vertex_faces *around, const float *positions, float *normals);

#endif
