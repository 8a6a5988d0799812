/* contraction/collapse_curve.h: the curve that a collapsed graph is.

   Place in the path: below collapse.  In: a graph that has collapsed.  Out: nodes, edges, and the
   patches that nodes stand for. */
#ifndef OSSAI_CONTRACTION_COLLAPSE_CURVE_H
#define OSSAI_CONTRACTION_COLLAPSE_CURVE_H

#include "contraction/collapse_graph.h"
#include "curve/curve.h"

/* position: N x 3, of slots; contracted: N x 3, of vertices. An end of the curve goes to the vertex
   of its patch that is farthest from the node before it: it is where the patch's other vertices
   are, which lie on a line. Vertices that no edge had count to the first node, and to no area.
   Nodes are in the order of the first vertex of their patch. Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_collapse_curve(ossai_arena *arena, const ossai_proxy *proxy, ossai_collapse_graph *graph,
	const double *position, const double *contracted, ossai_curve *curve);

#endif
