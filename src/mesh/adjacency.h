/* mesh/adjacency.h: which vertices share an edge, which faces share one, and which faces are on the
   border.

   Place in the path: what every method knows of the surface's connections.
   Input: triangles.
   Output: neighbours in rising order. */
#ifndef OSSAI_MESH_ADJACENCY_H
#define OSSAI_MESH_ADJACENCY_H

#include "base/context.h"

#include <ossa/mesh.h>

/* Arrays live in the arena they were made in. */
typedef struct ossai_adjacency {
	size_t vertex_count, face_count;
	uint32_t *vertex_start; /* V + 1 */
	/* those of v: [vertex_start[v], vertex_start[v + 1]), rising, unique, without v */
	uint32_t *vertex_neighbor;
	size_t face_pair_count;
	/* 2 a pair, first < second: faces that share an edge; sorted, unique */
	uint32_t *face_pairs;
	uint8_t *face_on_border; /* F: 1 where the face has an edge that no other face has */
} ossai_adjacency;

/* Makes the adjacency. Triangles may repeat a vertex (their edge from a vertex to itself is none)
   or repeat each other. All pairs on a non-manifold edge are given; where very many faces meet in
   one edge only those next to each other in face order, with a warning "crowded-edge".
   Errors: OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY.  Cost: linear in vertices and faces. */
ossa_status ossai_adjacency_make(ossa_context *context, ossai_arena *arena, size_t vertex_count, size_t face_count,
	const uint32_t *triangles, ossai_adjacency *adjacency);

/* The same for vertices alone, in half the time: face_pairs and face_on_border stay empty, and
   there is no warning. */
ossa_status ossai_adjacency_make_of_vertices(ossa_context *context, ossai_arena *arena, size_t vertex_count, size_t face_count,
	const uint32_t *triangles, ossai_adjacency *adjacency);

/* Neighbours over the edges of the mesh's polygons alone, without the diagonals that cut them into
   triangles: connectivity over these is the same in every program, however it triangulates. start:
   V + 1, neighbor: rising, unique. A welded vertex counts as its representative (`first_of_vertex`;
   NULL: none are welded).
   Errors: OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_polygon_neighbors_make(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh,
	const uint32_t *first_of_vertex, uint32_t **start, uint32_t **neighbor);

/* The faces around each vertex, in rising order; a triangle that repeats a vertex is there as
   often. */
typedef struct ossai_vertex_faces {
	uint32_t *start; /* V + 1 */
	uint32_t *faces; /* 3 F */
} ossai_vertex_faces;

ossa_status ossai_vertex_faces_make(ossa_context *context, ossai_arena *arena, size_t vertex_count, size_t face_count,
	const uint32_t *triangles, ossai_vertex_faces *around);

#endif
