/* curve/tree.h: cuts the loops of a curve and finds its root.

   Place in the path: center -> here -> skeleton/from_curve/curve_bones. */
#ifndef OSSAI_CURVE_TREE_H
#define OSSAI_CURVE_TREE_H

#include "curve/curve.h"

/* Cuts each loop where it is thinnest (at the node of the smallest radius, or its longest edge
   where it is a link), joins separate pieces by their nearest nodes, and records the cuts. */
ossa_status ossai_curve_cut_loops(ossai_arena *arena, ossai_curve *curve);

/* The node whose patch encloses the largest volume (the paper); ties by index. */
uint32_t ossai_curve_root(const ossai_curve *curve);

/* The junction with the smallest integral of distances to all of the curve, a tree: hips rather
   than heads. Without junctions, the node. Errors: OSSA_ERROR_MEMORY.  Cost: linear. */
ossa_status ossai_curve_central_node(ossai_arena *arena, const ossai_curve *curve, uint32_t *center);

#endif
