/* mesh/half_edges.h: a triangle mesh that can be changed edge by edge: split, collapse, flip.

   Place in the path: below remesh and coarsen. Always manifold: every edge has one face or two,
   of one orientation, and the faces around a vertex are one fan, open at a border.
   mesh/manifold.h makes one of any triangles. Half-edge 3 f + k runs from corner k of face f to
   the next; what is gone keeps its number until ossai_half_edges_pack. */
#ifndef OSSAI_MESH_HALF_EDGES_H
#define OSSAI_MESH_HALF_EDGES_H

#include "base/context.h"
#include "math/vec.h"

#include <ossa/mesh.h>

typedef struct ossai_half_edges {
	size_t vertex_count, face_count; /* numbers in use, those of what is gone included */
	size_t vertex_capacity, face_capacity;
	size_t live_vertices, live_faces;
	double *positions; /* V x 3 */
	uint32_t *vertex;  /* F x 3: where a half-edge begins; OSSA_NONE where the face is gone */
	uint32_t *twin;    /* F x 3: the same edge in the other face; OSSA_NONE at a border */
	/* V: a half-edge that begins there, at a border the first of the fan; OSSA_NONE: the vertex
	   is gone */
	uint32_t *out;
} ossai_half_edges;

/* Most neighbours of a vertex that may be collapsed, which is the capacity of an ossai_ring. */
enum { OSSAI_RING_MOST = 48 };

typedef struct ossai_ring {
	uint32_t count; /* OSSAI_RING_MOST + 1: there are more */
	bool is_border;
	uint32_t neighbors[OSSAI_RING_MOST + 1]; /* counterclockwise as seen from outside */
} ossai_ring;

static inline uint32_t ossai_edge_next(uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
static inline uint32_t ossai_edge_before(uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }
static inline uint32_t ossai_edge_end(const ossai_half_edges *m, uint32_t h) { return m->vertex[ossai_edge_next(h)]; }
/* the corner of the half-edge's face that it does not touch */
static inline uint32_t ossai_edge_across(const ossai_half_edges *m, uint32_t h) { return m->vertex[ossai_edge_before(h)]; }
static inline ossai_vec3 ossai_edge_point(const ossai_half_edges *m, uint32_t v)
{
	return ossai_v3_of(m->positions + 3 * (size_t)v);
}
static inline bool ossai_on_border(const ossai_half_edges *m, uint32_t v) { return m->twin[m->out[v]] == OSSA_NONE; }

/* The next half-edge that begins at the same vertex, counterclockwise; OSSA_NONE past the last of
   an open fan. */
static inline uint32_t ossai_edge_turn(const ossai_half_edges *m, uint32_t h) { return m->twin[ossai_edge_before(h)]; }

/* Whether this half-edge represents its edge: the smaller one of two opposite half-edges. */
static inline bool ossai_edge_is_first(const ossai_half_edges *m, uint32_t h)
{
	return m->vertex[h] != OSSA_NONE && (m->twin[h] == OSSA_NONE || h < m->twin[h]);
}

static inline double ossai_edge_length2(const ossai_half_edges *m, uint32_t h)
{
	return ossai_length2(ossai_sub(ossai_edge_point(m, ossai_edge_end(m, h)), ossai_edge_point(m, m->vertex[h])));
}

/* Twice the face's area along its normal. */
static inline ossai_vec3 ossai_edge_normal(const ossai_half_edges *m, size_t face)
{
	const ossai_vec3 a = ossai_edge_point(m, m->vertex[3 * face]);
	return ossai_cross(
		ossai_sub(ossai_edge_point(m, m->vertex[3 * face + 1]), a), ossai_sub(ossai_edge_point(m, m->vertex[3 * face + 2]), a));
}

/* The neighbours of a vertex, OSSAI_RING_MOST + 1 at most. */
void ossai_ring_make(const ossai_half_edges *m, uint32_t v, ossai_ring *ring);

/* Whether an edge around the vertex `from`, whose ring this is, becomes longer than before and
   longer than the root of `most2` when the vertex moves to `position`. */
bool ossai_ring_gets_long(const ossai_half_edges *m, const ossai_ring *ring, uint32_t from, ossai_vec3 position, double most2);

/* The same of a vertex whose ring was not made; true as well where that has more than
   OSSAI_RING_MOST neighbours, which may not be collapsed. */
bool ossai_fan_gets_long(const ossai_half_edges *m, uint32_t v, ossai_vec3 position, double most2);

/* Whether the half-edge's ends may become one without a change of what the surface is: no handle,
   piece, border or hole comes or goes, no edge gets three faces. The rings are those of its begin
   and its end. */
bool ossai_collapse_allowed(const ossai_half_edges *m, uint32_t h, const ossai_ring *begin, const ossai_ring *end);

/* Whether no face around the begin and the end of the half-edge, except those that vanish,
   changes its normal by more than the cosine allows when both move to `position`. */
bool ossai_collapse_keeps_normals(const ossai_half_edges *m, uint32_t h, ossai_vec3 position, double cosine);

/* Collapses the half-edge: its begin is merged into its end. Only where ossai_collapse_allowed. */
void ossai_edge_collapse(ossai_half_edges *m, uint32_t h);

/* Splits the half-edge by a new vertex at `position` and returns its number. The caller makes sure
   of capacity for a vertex and two faces (ossai_has_capacity). */
uint32_t ossai_edge_split(ossai_half_edges *m, uint32_t h, ossai_vec3 position);

/* Flips the edge within its two faces; false, and nothing is changed, where the other diagonal is
   an edge already or a fan is too large to test. */
bool ossai_edge_flip(ossai_half_edges *m, uint32_t h);

/* Whether there is capacity for one more vertex and two more faces. */
static inline bool ossai_has_capacity(const ossai_half_edges *m)
{
	return m->vertex_count < m->vertex_capacity && m->face_count + 2 <= m->face_capacity;
}

/* Allocates an empty mesh's ({0}) faces, and its vertices. Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT. */
ossa_status ossai_half_edges_allocate_faces(ossai_arena *arena, size_t count, ossai_half_edges *mesh);
ossa_status ossai_half_edges_allocate_vertices(ossai_arena *arena, size_t count, ossai_half_edges *mesh);

/* A copy with capacity for `spare` more vertices and twice as many faces. Arrays are the
   arena's. */
ossa_status ossai_half_edges_copy(ossai_arena *arena, const ossai_half_edges *from, size_t spare, ossai_half_edges *copy);

/* Numbers what is left without gaps, in the same order. new_vertex: V, filled with the new number
   of each, or OSSA_NONE. */
void ossai_half_edges_pack(ossai_half_edges *m, uint32_t *new_vertex, uint32_t *new_face);

#endif
