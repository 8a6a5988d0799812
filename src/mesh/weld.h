/* mesh/weld.h: vertices that lie at one point at rest and in all poses, as one.

   Place in the path: below the posed surface: a seam cut for normals or textures must neither block
   algorithms on the surface nor open up.
   Input: positions.
   Output: for each vertex its representative; then triangles over fewer vertices. */
#ifndef OSSAI_MESH_WELD_H
#define OSSAI_MESH_WELD_H

#include "mesh/view.h"

typedef struct ossai_placed_vertex {
	float place[3]; /* never -0 */
	uint32_t vertex;
} ossai_placed_vertex;

/* By x, then y, then z; 0 at equal positions. Sorting orders vertices at one position by their
   index. */
int ossai_compare_places(const ossai_placed_vertex *a, const ossai_placed_vertex *b);
void ossai_sort_by_place(ossai_placed_vertex *list, size_t count);

/* first_of_vertex (V, the caller's) becomes the smallest used vertex that lies where the vertex
   lies at rest (V x 3) and in every pose (K x V x 3); a vertex that is not used is its own where no
   used one does. Returns how many are not their own in `*others`.
   Errors: OSSA_ERROR_MEMORY.  Cost: V log V. */
ossa_status ossai_weld_vertices(ossa_context *context, size_t vertex_count, const uint8_t *used, const float *rest,
	size_t pose_count, const float *poses, uint32_t *first_of_vertex, size_t *others);

/* The used vertices of a mesh that is welded, numbered without gaps. */
typedef struct ossai_weld {
	size_t point_count;        /* N */
	uint32_t *point_of_vertex; /* V; OSSA_NONE where no face uses the vertex */
	uint32_t *vertex_of_point; /* N: rising */
	uint32_t *triangles;       /* F x 3 points; a triangle may repeat one */
} ossai_weld;

/* used: V, not 0 for every corner of a face. Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_weld_make(ossai_arena *arena, const ossai_mesh_view *mesh, const uint8_t *used, ossai_weld *weld);

#endif
