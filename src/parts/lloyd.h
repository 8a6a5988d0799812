/* parts/lloyd.h: variational refinement of face clusters: fit each cluster's motion, then grow the
   clusters again from their best faces.

   Place in the path: face_clusters -> here -> weights.
   Input: face clusters.
   Output: as many face clusters of lower error.
   Source: Schaefer & Yuksel 2007, section 3.2 (an option there; little gain), after Cohen-Steiner,
   Alliez, Desbrun, Variational Shape Approximation, 2004. */
#ifndef OSSAI_PARTS_LLOYD_H
#define OSSAI_PARTS_LLOYD_H

#include "surface/posed_surface.h"

/* `rounds` rounds on cluster_of_face (F, in place). Clusters grow over shared edges and links, so
   they stay connected, and none is lost. Cost: rounds x (F K + F log F). Errors: OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED. */
ossa_status ossai_lloyd(
	ossa_context *context, const ossai_posed_surface *surface, size_t cluster_count, int rounds, uint32_t *cluster_of_face);

#endif
