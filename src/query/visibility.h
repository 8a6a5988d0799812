/* query/visibility.h: visibility: whether the segment from a vertex to a point stays inside the
   body.

   Place in the path: below heat weights.
   Input: triangles, closed or not, in one piece or many, of any orientation; positions.
   Output: whether the point is visible from the vertex. The crossings of the segment with faces
   are counted: an entry into a piece adds one, an exit takes one off, and the count must stay
   above 0 all along (A. Jacobson, L. Kavan and O. Sorkine-Hornung, Robust Inside-Outside
   Segmentation, 2013, for the sum). Faces are first oriented like their neighbours, then each
   piece outwards by its volume. A piece without volume, a card of hair say, has two outer sides:
   it blocks nothing, and whether its corners are inside a body follows from the first crossing. */
#ifndef OSSAI_QUERY_VISIBILITY_H
#define OSSAI_QUERY_VISIBILITY_H

#include "query/face_tree.h"
#include "mesh/laplacian.h"

typedef struct ossai_visibility {
	size_t vertex_count, face_count;
	const uint32_t *triangles;
	float *positions; /* V x 3 */
	/* V x 3: outward, as long as the faces around are large; 0 where only two-sided ones are */
	double *normal;
	int8_t *side; /* F: 1 outward as it is, -1 inward, 0 of a piece without volume */
	ossai_face_tree tree;
} ossai_visibility;

/* Orients the faces of a mesh at rest and makes a tree. edges: of the same triangles, which must
   outlive it. piece_of_face: F, piece_count of them. Arrays are the arena's.  Errors:
   OSSA_ERROR_MEMORY.  Cost: n log n. */
ossa_status ossai_visibility_make(ossai_arena *arena, const ossai_mesh_view *mesh, const ossai_laplacian *edges,
	const uint32_t *piece_of_face, size_t piece_count, ossai_visibility *visibility);

/* Moves the vertices to where the same mesh has them now. Allocates nothing. Cost: linear. */
void ossai_visibility_move(ossai_visibility *visibility, const ossai_mesh_view *mesh);

/* Whether `target` is visible from `vertex` through the inside. Cost: about log F. */
bool ossai_visibility_inside(const ossai_visibility *visibility, uint32_t vertex, ossai_vec3 target);

#endif
