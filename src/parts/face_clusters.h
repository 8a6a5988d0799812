/* parts/face_clusters.h: merges faces that move together, cheapest first, into a hierarchy that can
   be cut at any count.

   Place in the path: posed surface -> rigid_error -> here -> weights (a bone per cluster).
   Source: Schaefer & Yuksel 2007, section 3.2, with its lazy queue: entries next to a merge are not
   computed again until they reach the top, because a union's error is never below its parts'. */
#ifndef OSSAI_PARTS_FACE_CLUSTERS_H
#define OSSAI_PARTS_FACE_CLUSTERS_H

#include "surface/posed_surface.h"
#include <ossa/rig.h>

/* The whole hierarchy: `count` merges, errors never falling; after n merges there are F - n
   clusters. */
typedef struct ossai_merge_hierarchy {
	size_t face_count;
	size_t count; /* F - 1 where the faces and links are connected */
	ossa_merge *merges;
	size_t evaluations; /* unions computed: what the lazy queue saves */
} ossai_merge_hierarchy;

/* Merges until nothing adjacent is left. Adjacent are faces that share an edge, and the surface's
   links. Arrays are the arena's. Cost: about n log n; memory: one state per cluster of several
   faces. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_face_clusters_make(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, ossai_merge_hierarchy *hierarchy);

/* The same for the faces that `wanted` (F) marks alone: the others take part in no merge. */
ossa_status ossai_face_clusters_of_some(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface,
	const uint8_t *wanted, ossai_merge_hierarchy *hierarchy);

/* Number of merges to make for `clusters` clusters (0: no such goal), going on while the error
   stays within `tolerance` (RMS over surface and poses in units of the diagonal; 0: no such limit):
   with both, at most that many clusters, fewer where the tolerance allows. */
size_t ossai_merge_hierarchy_level(
	const ossai_merge_hierarchy *hierarchy, const ossai_posed_surface *surface, size_t clusters, double tolerance);

/* The clusters after `level` merges: cluster_of_face (F, the caller's), numbered by their smallest
   face. `scratch` is F uint32. Returns the number of clusters. */
size_t ossai_merge_hierarchy_cut(
	const ossai_merge_hierarchy *hierarchy, size_t level, uint32_t *scratch, uint32_t *cluster_of_face);

#endif
