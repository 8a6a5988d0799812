/* math/persistence.h: the local maxima of a function on the nodes of a graph, and by how much each
   protrudes.

   Place in the path: below tips of limbs on a surface and extreme points of a medial surface.
   Input: a graph, and its nodes in the order of falling values.
   Output: for each local maximum the saddle at which its component merges into that of a higher
   one: its persistence is the difference of both values.
   Source: H. Edelsbrunner, D. Letscher and A. Zomorodian, Topological Persistence and
   Simplification, 2002: components of superlevel sets, merged by union-find. */
#ifndef OSSAI_MATH_PERSISTENCE_H
#define OSSAI_MATH_PERSISTENCE_H

#include "base/context.h"

/* N: of a local maximum the higher one that its component merges into, and the saddle at which
   that happens. A node that is no local maximum merges at itself; the highest of a connected
   component is its own `higher` and `saddle`. */
typedef struct ossai_local_maxima {
	uint32_t *higher, *saddle;
} ossai_local_maxima;

static inline bool ossai_is_local_maximum(const ossai_local_maxima *maxima, uint32_t node)
{
	return maxima->saddle[node] != node || maxima->higher[node] == node;
}

/* order: N, by falling value; rank: N, of each node how many are higher, which decides among equal
   values. start, neighbor: N + 1, and both directions of each edge. Arrays are the arena's.
   Errors: OSSA_ERROR_MEMORY.  Cost: nearly linear. */
ossa_status ossai_local_maxima_find(ossai_arena *arena, size_t count, const uint32_t *order, const uint32_t *rank,
	const uint32_t *start, const uint32_t *neighbor, ossai_local_maxima *maxima);

#endif
