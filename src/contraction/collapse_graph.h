/* contraction/collapse_graph.h: a graph whose edges can be collapsed, with the faces that are still
   adjacent to them.

   Place in the path: below collapse.
   Input: the edges and faces of a proxy.
   Output: which vertices have been merged, and which of them are still adjacent.

   Each edge is in a list at both of its ends, and in a hash table by its ends. When two vertices
   merge, only the edges of the one with the lower degree are touched, so collapsing all of N edges
   costs about N log N, whether there are hubs or not. */
#ifndef OSSAI_CONTRACTION_COLLAPSE_GRAPH_H
#define OSSAI_CONTRACTION_COLLAPSE_GRAPH_H

#include "proxy/proxy.h"

#include <ossa/mesh.h>

/* Side s of edge e is 2 e + s: it is in the list of the slot end[2 e + s]. A slot is a set of
   merged vertices, named after one of them. */
typedef struct ossai_collapse_graph {
	size_t vertex_count, edge_count, face_count;
	size_t live_faces, live_slots;
	uint32_t *end, *next, *last; /* 2 E; next, last: sides; OSSA_NONE at the ends of a list */
	uint32_t *first, *degree;    /* N, of slots */
	uint32_t *parent;            /* N: of the merged vertices (base/union_find.h's find) */
	uint32_t *table;             /* edges by their ends, open addressing */
	size_t mask;
	uint32_t *ring;             /* E: the side of one face (3 face + k) or OSSA_NONE ... */
	uint32_t *ring_next;        /* 3 F: ... and the sides of the other faces of that edge */
	uint8_t *is_dead, *is_link; /* E */
	uint8_t *face_dead;         /* F */
} ossai_collapse_graph;

/* Arrays are the arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT. */
ossa_status ossai_collapse_graph_make(ossai_arena *arena, const ossai_proxy *proxy, ossai_collapse_graph *graph);

/* The live edge between two slots, or OSSA_NONE. */
uint32_t ossai_collapse_edge(const ossai_collapse_graph *graph, uint32_t a, uint32_t b);

/* Whether the edge still has a face. */
bool ossai_collapse_has_face(ossai_collapse_graph *graph, uint32_t edge);

/* The slot at the other end of a side. */
static inline uint32_t ossai_collapse_other(const ossai_collapse_graph *graph, uint32_t side) { return graph->end[side ^ 1]; }

/* Removes the edge; its ends stay two slots. */
void ossai_collapse_drop(ossai_collapse_graph *graph, uint32_t edge);

/* Merges the ends of the edge into one slot, which is returned: the one of higher degree. `moved`
   receives the edges that now have another end or were merged with another edge: at most as many as
   the lower degree. */
uint32_t ossai_collapse_merge(ossai_collapse_graph *graph, uint32_t edge, uint32_t *moved, size_t *moved_count);

#endif
