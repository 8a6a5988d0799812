/* query/crossings.h: which faces of a surface intersect.

   Place in the path: metrics of rigs in a pose.
   Input: a tree over faces.
   Output: a mark per face. */
#ifndef OSSAI_QUERY_CROSSINGS_H
#define OSSAI_QUERY_CROSSINGS_H

#include "query/face_tree.h"

/* The query. */
typedef struct ossai_crossing_query {
	const ossai_face_tree *tree;
	size_t face_count;
	/* F x 3: faces that share one of these are neighbours and never counted */
	const uint32_t *points;
	/* F: faces of one group other than OSSA_NONE never count; the tree knows them; NULL: none */
	const uint32_t *group_of_face;
	const uint8_t *passed_over; /* F: faces that need no answer; NULL: none */
} ossai_crossing_query;

/* Sets crosses[f] to whether a face that is no neighbour of f goes through it or it through that
   one. Faces in one plane do not, nor one whose corner or edge only lies on the other; ones whose
   edges meet in a point do. Faces that are passed over get 0.
   Threads: the context's; allocates nothing.  Cost: faces x log, and the pairs whose boxes meet. */
void ossai_face_crossings(ossa_context *context, const ossai_crossing_query *query, uint8_t *crosses);

/* Whether two faces go through each other: the same for (f, g) and (g, f). */
bool ossai_faces_cross(const float *positions, const uint32_t *triangles, size_t f, size_t g);

#endif
