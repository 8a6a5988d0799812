/* mesh/laplacian.h: the cotangent Laplacian of triangles and the area of their vertices, safe on
   any triangles.

   Place in the path: below heat weights (and whatever diffuses or contracts).
   Input: triangles, then positions as often as wanted.
   Output: one pattern, its values and masses for each set of positions.
   Source: U. Pinkall and K. Polthier, Computing Discrete Minimal Surfaces and Their Conjugates,
   1993 (cotangents); N. Sharp and K. Crane, A Laplacian for Nonmanifold Triangle Meshes, 2020, 4
   (intrinsic mollification: all edges are lengthened by what makes the worst triangle fat enough,
   so that no cotangent or area is lost to rounding); edges whose cotangents sum to less than a
   little get that little (positive weights in place of exact linear functions: M. Wardetzky and
   others, Discrete Laplace Operators: No Free Lunch, 2007), so that what is diffused stays
   between its least and its largest value, and every mesh's matrix is semi-definite. */
#ifndef OSSAI_MESH_LAPLACIAN_H
#define OSSAI_MESH_LAPLACIAN_H

#include "mesh/view.h"

/* L: symmetric, rows sum to 0, L_ij < 0 on edges; stored as its lower triangle, as math/sparse.h
   wants it: column j has the rows row[start[j]] = j, then rising. Arrays are the arena's. */
typedef struct ossai_laplacian {
	size_t vertex_count, face_count;
	const uint32_t *triangles;
	uint32_t *start; /* V + 1 */
	uint32_t *row;   /* start[V] */
	double *value;   /* start[V] */
	double *mass;    /* V: a third of the areas around */
	size_t edge_count;
	uint32_t *edge_entry;  /* E: where it is among row and value */
	uint32_t *edge_start;  /* E + 1: its corners ... */
	uint32_t *edge_corner; /* ... the ones opposite to it: 3 face + corner */
	double *cotangent;     /* 3 F, of each corner */
	double *face_area;     /* F */
	double *length;        /* 3 F: of the side opposite to each corner */
} ossai_laplacian;

/* Finds the pattern; positions are not read. Triangles may repeat vertices or each other and meet
   in any number at an edge; they must outlive it.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: linear. */
ossa_status ossai_laplacian_make(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_laplacian *laplacian);

/* Fills value and mass for positions (V x 3). Masses are > 0 for vertices of faces, and weights
   of edges too, whatever the positions are. Threads: the context's; allocates nothing. */
void ossai_laplacian_fill(ossa_context *context, const double *positions, ossai_laplacian *laplacian);

/* Fills mass, cotangent and face_area alone. */
void ossai_laplacian_measure(ossa_context *context, const double *positions, ossai_laplacian *laplacian);

#endif
