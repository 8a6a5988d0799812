/* skeleton/from_curve/node_bones.h: bones from a curve as the paper has them: a joint at each node.

   Place in the path: curve/tree -> here -> weights, rig.
   Input: a curve without loops.
   Output: bones, one for each node.
   Source: M. Madaras: every control point is a joint. */
#ifndef OSSAI_SKELETON_FROM_CURVE_NODE_BONES_H
#define OSSAI_SKELETON_FROM_CURVE_NODE_BONES_H

#include "skeleton/from_curve/curve_bones.h"

/* Makes bone i of node i, without mirrored bones. Its tail is the next node of the last chain
   through it, at an end of the curve the tip of its patch. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_INPUT (a curve without nodes, or with loops). */
ossa_status ossai_curve_bones_of_nodes(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, uint32_t root, ossai_curve_bones *bones);

#endif
