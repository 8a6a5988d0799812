/* proxy/isotropic.h: the passes of isotropic remeshing: split, collapse, flip, smooth, each up to
   the target edge lengths.

   Place in the path: below remesh, which calls them in order.
   Input: a manifold surface and a target edge length for each vertex.
   Output: a mesh of well-shaped triangles of these lengths on the same surface.
   Source: M. Botsch, L. Kobbelt, A Remeshing Approach to Multiresolution Modeling, 2004.
   Departures: flips make the triangles Delaunay, which Laplacians need, instead of equalising
   valences; vertices slide along the planes around them, so that creases stay; and they are
   projected back to the surface by walking over it. */
#ifndef OSSAI_PROXY_ISOTROPIC_H
#define OSSAI_PROXY_ISOTROPIC_H

#include "query/walk.h"

typedef struct ossai_isotropic {
	ossa_context *context;
	const ossai_half_edges *target; /* the surface, packed */
	ossai_half_edges mesh;          /* the mesh that is remeshed */
	uint32_t *target_face;          /* of its vertices: the face of the target that they lie on */
	double *size;                   /* of its vertices: target edge length */
	uint32_t *merged;               /* of its vertices: the vertex that each was merged into */
	uint32_t *of_target;            /* of the target's vertices: the corresponding vertex */
	double *moved;                  /* scratch: room x 3 */
	uint32_t *new_vertex, *new_face;
	struct ossai_heap_entry *heap; /* scratch: edges by their length */
	/* scratch, of faces: the last pass of flips that tests their edges; their planes */
	uint8_t *due;
	struct ossai_face_plane *plane;
} ossai_isotropic;

/* Begins with a copy of the target that has capacity for `spare` more vertices. Arrays are the
   arena's. */
ossa_status ossai_isotropic_begin(ossai_arena *arena, const ossai_half_edges *target, size_t spare, ossai_isotropic *e);

/* Collapses edges shorter than 4/5 of their target length; no face turns by more than the angle of
   this cosine. */
void ossai_isotropic_collapse(ossai_isotropic *e, double cosine);

/* Splits edges longer than 4/3 of their target length, longest first, until the capacity is
   used. */
void ossai_isotropic_split(ossai_isotropic *e);

/* Flips edges until the triangles are Delaunay, or nearly; none across a crease. */
void ossai_isotropic_flip(ossai_isotropic *e);

/* The point of the target that is reached by walking over it from a vertex towards a point. */
ossai_spot ossai_isotropic_follow(const ossai_isotropic *e, uint32_t from, ossai_vec3 to);

/* Moves each vertex to the centroid of its neighbours, along the surface. */
void ossai_isotropic_smooth(ossai_isotropic *e);

/* Offsets vertices from the surface, outwards where it bulges over their faces and inwards where it
   sinks below, so that the mean offset of a face is zero and thin limbs keep their volume. Call it
   last: other passes project back to the surface. */
void ossai_isotropic_fit(ossai_isotropic *e);

/* Numbers the vertices and faces without gaps. */
void ossai_isotropic_pack(ossai_isotropic *e);

#endif
