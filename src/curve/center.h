/* curve/center.h: centering: moves the nodes of a curve to the centers of their patches, and keeps
   them inside.

   Place in the path: collapse -> here -> curve/tree.
   Source: Au et al. 2008, section 6: a node moves by the area-weighted mean of the displacements of
   its patch's boundary loops; at branches the mean over the loops.
   Departure: leaves are not pulled in; nodes and edges that lie outside the surface (winding
   number) are brought inside. */
#ifndef OSSAI_CURVE_CENTER_H
#define OSSAI_CURVE_CENTER_H

#include "curve/curve.h"
#include "proxy/proxy.h"
#include "query/clearance.h"

/* Moves the nodes and updates radius, area and volume; edges that leave the surface are divided
   where that keeps them inside, so node and edge counts may rise. `clearance`: of the proxy, with
   its inside. `outside` (or NULL): the number of nodes that could not be moved inside.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_curve_center(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_clearance *clearance, ossai_curve *curve, size_t *outside);

/* As M. Madaras prints it (section 5): every node at the center of the area of its patch; a node
   whose patch has no area stays. Updates area and volume. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_center_by_patches(ossai_arena *arena, const ossai_proxy *proxy, ossai_curve *curve);

#endif
