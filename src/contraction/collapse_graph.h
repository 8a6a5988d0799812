/* contraction/collapse_graph.h: a graph whose edges collapse, with the faces that are still between
   them.

   Place in the path: below collapse.
   In: the edges and faces of a proxy.  Out: which vertices have become one, and what is still
   joined. Edges lie in a list at each end and in a table by their ends. When two vertices merge,
   only the edges of the one with fewer are touched; so collapsing all of N edges costs about N log
   N, hubs or not. */
#ifndef OSSAI_CONTRACTION_COLLAPSE_GRAPH_H
#define OSSAI_CONTRACTION_COLLAPSE_GRAPH_H

#include "proxy/proxy.h"

#include <ossa/mesh.h>

/* Side s of edge e is 2 e + s: it lies in the list of the slot end[2 e + s]. A slot is a set of
   merged vertices, named after one of them. */
typedef struct ossai_collapse_graph {
	size_t vertex_count, edge_count, face_count;
	size_t live_faces, live_slots;
	uint32_t *end, *next, *last; /* 2 E; next, last: sides; OSSA_NONE at the ends of a list */
	uint32_t *first, *degree;    /* N, of slots */
	uint32_t *parent;            /* N: of the merged vertices (base/union_find.h's find) */
	uint32_t *table;             /* edges by their ends, open addressing */
	size_t mask;
	uint32_t *ring;             /* E: a side of some face (3 face + k) or OSSA_NONE ... */
	uint32_t *ring_next;        /* 3 F: ... and the others around */
	uint8_t *is_dead, *is_link; /* E */
	uint8_t *face_dead;         /* F */
} ossai_collapse_graph;

/* Arrays are the arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT. */
ossa_status ossai_collapse_graph_make(ossai_arena *arena, const ossai_proxy *proxy, ossai_collapse_graph *graph);

/* The live edge between two slots, or OSSA_NONE. */
uint32_t ossai_collapse_edge(const ossai_collapse_graph *graph, uint32_t a, uint32_t b);

/* Whether a face is left at the edge. */
bool ossai_collapse_has_face(ossai_collapse_graph *graph, uint32_t edge);

/* The slot at the other end of a side. */
static inline uint32_t ossai_collapse_other(const ossai_collapse_graph *graph, uint32_t side) { return graph->end[side ^ 1]; }

/* Takes the edge away; its ends stay apart. */
void ossai_collapse_drop(ossai_collapse_graph *graph, uint32_t edge);

/* The ends of the edge become one slot, which is given: the one of more edges. `moved` gets the
   edges that have another end now, or stand for one more: as many as the fewer had at most. */
uint32_t ossai_collapse_merge(ossai_collapse_graph *graph, uint32_t edge, uint32_t *moved, size_t *moved_count);

#endif
