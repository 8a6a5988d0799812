/* proxy/proxy_split.h: removes short edges of a proxy, so that parts which should not be connected
   are not.

   Place in the path: below proxy, of the published graph.
   Input: a proxy with its links.
   Output: the same with fewer faces and links.
   Source: M. Madaras, Extraction of skinning data by mesh contraction, 3.1: edges shorter than a
   splitting distance are removed, to avoid cycles of the skeleton; the distance is set by hand or
   computed, "opposite" to the joining distance.
   Departures: an edge goes with its faces, and edges that are left without a face go too. The
   computed distance, for which the paper has no formula, is the least that leaves no cycle and
   every vertex an edge. */
#ifndef OSSAI_PROXY_PROXY_SPLIT_H
#define OSSAI_PROXY_PROXY_SPLIT_H

#include "proxy/proxy.h"

typedef struct ossai_split {
	double distance; /* edges that are shorter were removed; 0: none */
	size_t cycles;   /* before the split: handles of the surface, and cycles of linked pieces */
	size_t left;     /* the same after it */
	size_t torn;     /* vertices that lost all of their edges */
	size_t count;    /* edges that were removed */
	uint32_t *edges; /* 2 each */
} ossai_split;

/* Removes edges, faces, links and ties of the proxy. distance < 0: the computed one, 0 where no
   distance leaves every vertex an edge and no cycle. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: n log n. */
ossa_status ossai_proxy_split(ossai_arena *arena, double distance, ossai_proxy *proxy, ossai_split *split);

#endif
