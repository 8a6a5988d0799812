/* curve/center.h: nodes of a curve moved to the middle of what they stand for, and kept inside.

   Place in the path: collapse -> here -> curve/tree.
   Source: Au et al. 2008, section 6: a node moves by the area-weighted mean of the displacements of its patch's boundary loops; at branches
   the mean over the loops. Departure: leaves are not pulled in; nodes and edges that lie outside the surface (winding number) are brought
   inside. */
#ifndef OSSAI_CURVE_CENTER_H
#define OSSAI_CURVE_CENTER_H

#include "curve/curve.h"
#include "proxy/proxy.h"
#include "query/clearance.h"

/* Moves the nodes and fills radius, area and volume anew; edges that leave the surface are divided where that keeps them inside, so
   node and edge counts may rise. `room`: of the proxy, with its inside. `outside` (or NULL): how many nodes could not be brought inside.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_curve_center(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_clearance *room, ossai_curve *curve, size_t *outside);

/* The paper's: every node at the mean of its patch's loops, wherever that is; fills area and volume anew.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_center_by_loops(ossai_arena *arena, const ossai_proxy *proxy, ossai_curve *curve);

#endif
