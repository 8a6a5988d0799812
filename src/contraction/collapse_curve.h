/* contraction/collapse_curve.h: a collapsed graph as a curve.

   Place in the path: below collapse.
   Input: a graph whose edges have collapsed.
   Output: nodes, edges, and the surface patches that the nodes stand for. */
#ifndef OSSAI_CONTRACTION_COLLAPSE_CURVE_H
#define OSSAI_CONTRACTION_COLLAPSE_CURVE_H

#include "contraction/collapse_graph.h"
#include "curve/curve.h"

/* position: N x 3, by slot; contracted: N x 3, by vertex, or NULL. With it a leaf node is placed at
   the vertex of its patch that is farthest from the leaf's neighbour, because the vertices of the
   patch lie on a line there. Vertices without edges are assigned to the first node, and add no
   area. Nodes are in the order of the first vertex of their patch. Arrays are the arena's. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_collapse_curve(ossai_arena *arena, const ossai_proxy *proxy, ossai_collapse_graph *graph,
	const double *position, const double *contracted, ossai_curve *curve);

#endif
