/* mesh/manifold.h: any triangles as a manifold mesh of half-edges, and what had to be changed for
   that.

   Place in the path: first step of remesh; proxy uses it to classify a surface. */
#ifndef OSSAI_MESH_MANIFOLD_H
#define OSSAI_MESH_MANIFOLD_H

#include "mesh/half_edges.h"

/* What had to be done. A surface is closed and manifold where all counts except dropped and
   flipped faces are 0. */
typedef struct ossai_manifold {
	size_t dropped_faces; /* repeat a vertex, or another face */
	/* were turned over: mixed ones, or those of a piece that looked inwards */
	size_t turned_faces;
	size_t mixed_faces;   /* were oriented against most of their piece */
	size_t border_edges;  /* had one face */
	size_t crowded_edges; /* had more than two: their faces were cut apart */
	size_t twisted_edges; /* cut because no orientation fits both faces */
	/* had more than one fan of faces, or are on cut edges: a vertex for each fan */
	size_t pinched_vertices;
	uint32_t piece_count; /* once all is cut */
	uint32_t *vertex_of;  /* of the mesh's vertices: the input's */
	/* V: the vertex of its first fan; OSSA_NONE where no face that was kept uses it */
	uint32_t *of_vertex;
} ossai_manifold;

/* Drops degenerate and repeated faces, cuts edges of more than two faces and fans that meet in a
   vertex, and orients the faces of each piece: as most of them are, and outwards where the piece
   encloses a volume. triangles: F x 3, each below `vertex_count`. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: linear, but for edges with very many faces
   (n log n of those). */
ossa_status ossai_manifold_make(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, ossai_half_edges *mesh, ossai_manifold *made);

/* How the faces of a surface are joined, once all are oriented. */
typedef struct ossai_face_joins {
	/* F x 3: the half-edge on the other side, OSSA_NONE where there is none; NULL where a repeated
	   face was dropped or an edge was cut because no orientation fits, so that the order of the
	   faces matters */
	uint32_t *twin;
	ossai_manifold counts; /* without the arrays */
} ossai_face_joins;

/* Turns faces of `triangles` over as ossai_manifold_make would, and changes nothing else. joins:
   theirs; the array is the arena's, and the caller may renumber it with the faces and their
   corners.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: linear, about half of it. */
ossa_status ossai_manifold_orient(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	uint32_t *triangles, ossai_face_joins *joins);

/* As ossai_manifold_make, of oriented triangles whose joins are known. */
ossa_status ossai_manifold_make_joined(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, const ossai_face_joins *joins, ossai_half_edges *mesh, ossai_manifold *made);

#endif
