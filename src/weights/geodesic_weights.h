/* weights/geodesic_weights.h: skinning weights by the inverse geodesic distance from bones.

   Place in the path: bones as segments, surface at rest -> here -> ossai_bone_weights.
   Input: bones as segments, the surface at rest.
   Output: weights of every vertex.
   Source: M. Madaras, Extraction of skinning data by mesh contraction with Collada 1.5 support:
   gd(i, k) = D(i, j) + |C_k - v_j| where v_j is the vertex nearest to the control point C_k and D
   the length of the shortest path along edges; w_ik = (1 / gd) / sum over the closest control
   points.
   Departures: the paper finds D by Floyd and Warshall's algorithm; here one pass of Dijkstra's
   keeps the closest few bones of every vertex, with the same result. A bone that is a segment
   starts at every vertex that has it as nearest visible bone, so that all sides of a limb get the
   same weights and a hanging arm does not influence the flank; and the inverse distance is raised
   to a power. */
#ifndef OSSAI_WEIGHTS_GEODESIC_WEIGHTS_H
#define OSSAI_WEIGHTS_GEODESIC_WEIGHTS_H

#include "weights/bone_segments.h"

/* Start from ossai_geodesic_default(). */
typedef struct ossai_geodesic_options {
	size_t influences; /* number of closest bones that share a vertex */
	/* of 1 / gd; 1 as published, 4 poses artists' characters best (by the median of their
	   errors) */
	double power;
	/* bones are the starting points of their segments, each reached from the nearest vertex, as
	   published */
	bool points;
	bool local; /* keep one connected patch of every bone in every piece */
	/* edges between pieces, 2 vertices each, in place of the surface's links; or NULL */
	size_t join_count;
	const uint32_t *joins;
} ossai_geodesic_options;

ossai_geodesic_options ossai_geodesic_default(void);

/* Makes `weights` (arrays of the arena) from the rest pose: descending, sum 1 at every used vertex.
   Pieces are connected by the surface's links, and where they touch at vertices. Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED, OSSA_ERROR_ARGUMENT (no bones). Cost:
   influences x V log V; one thread. Memory: some 200 bytes a vertex. */
ossa_status ossai_geodesic_weights(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_segments *segments,
	const ossai_geodesic_options *options, ossai_bone_weights *weights);

#endif
