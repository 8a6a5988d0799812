/* proxy/isotropic.h: the passes that make a mesh even: split, collapse, flip, smooth, each as far
   as the lengths wanted say.

   Place in the path: below remesh, which says in what order.
   Source: M. Botsch, L. Kobbelt, A Remeshing Approach to Multiresolution Modeling, 2004. Here flips
   make the triangles Delaunay (what Laplacians like) instead of evening valences; vertices slide
   along the planes around them, so that creases stay; and they come back to the surface by walking
   over it. */
#ifndef OSSAI_PROXY_ISOTROPIC_H
#define OSSAI_PROXY_ISOTROPIC_H

#include "query/walk.h"

typedef struct ossai_isotropic {
	ossa_context *context;
	const ossai_half_edges *target; /* the surface, packed */
	ossai_half_edges mesh;          /* the one that becomes even */
	uint32_t *place;                /* of its vertices: the face of the target that they lie on */
	double *size;                   /* of its vertices: how long edges shall be */
	uint32_t *merged;               /* of its vertices: what they have become */
	uint32_t *stand;                /* of the target's vertices: the vertex that stands for each */
	double *moved;                  /* scratch: room x 3 */
	uint32_t *new_vertex, *new_face;
	struct ossai_heap_entry *heap; /* scratch: edges by their length */
} ossai_isotropic;

/* Begins with a copy of the target that has room for `spare` more vertices. Arrays are the
   arena's. */
ossa_status ossai_isotropic_begin(ossai_arena *arena, const ossai_half_edges *target, size_t spare, ossai_isotropic *even);

/* Collapses edges shorter than 4/5 of their size; no face turns farther than the cosine says. */
void ossai_isotropic_collapse(ossai_isotropic *even, double cosine);

/* Splits edges longer than 4/3 of their size, the longest first, as far as there is room. */
void ossai_isotropic_split(ossai_isotropic *even);

/* Flips edges until the triangles are Delaunay, or nearly; none across a crease. */
void ossai_isotropic_flip(ossai_isotropic *even);

/* Moves vertices to the middle of their neighbours, along the surface. */
void ossai_isotropic_smooth(ossai_isotropic *even);

/* Moves vertices off the surface, outwards where it bulges over their faces and inwards where it
   sinks below, so that on average it does neither and thin limbs keep their volume. For the end:
   other passes would bring them back. */
void ossai_isotropic_fit(ossai_isotropic *even);

/* Numbers the vertices and faces without gaps. */
void ossai_isotropic_pack(ossai_isotropic *even);

#endif
