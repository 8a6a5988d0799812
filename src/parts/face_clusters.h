/* parts/face_clusters.h: merges faces that move together, cheapest first, into a hierarchy that can
   be cut at any number of clusters.

   Place in the path: posed surface -> rigid_error -> here -> weights (a bone per cluster).
   Input: a posed surface.
   Output: a merge hierarchy.
   Source: Schaefer & Yuksel 2007, section 3.2, with its lazy queue: entries next to a merge are
   updated only when they reach the top, because the error of a union is never below that of its
   parts. */
#ifndef OSSAI_PARTS_FACE_CLUSTERS_H
#define OSSAI_PARTS_FACE_CLUSTERS_H

#include "surface/posed_surface.h"
#include <ossa/rig.h>

/* The whole hierarchy: `count` merges of ascending errors; after n merges there are F - n
   clusters. */
typedef struct ossai_merge_hierarchy {
	size_t face_count;
	size_t count; /* F - 1 where the faces and links are connected */
	ossa_merge *merges;
	size_t evaluations; /* number of unions computed: the lazy queue keeps it low */
} ossai_merge_hierarchy;

/* Merges until no adjacent clusters are left. Faces are adjacent where they share an edge or a link
   of the surface. Arrays are the arena's. Cost: about n log n; memory: one state per cluster of
   several faces. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. */
ossa_status ossai_face_clusters_make(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, ossai_merge_hierarchy *hierarchy);

/* The same for the faces that `wanted` (F) marks; the others are not merged. */
ossa_status ossai_face_clusters_of_some(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface,
	const uint8_t *wanted, ossai_merge_hierarchy *hierarchy);

/* Number of merges to make for `clusters` clusters (0: no such goal), going on while the error
   stays within `tolerance` (RMS over surface and poses in units of the diagonal; 0: no such limit):
   with both, at most that many clusters, fewer where the tolerance allows. */
size_t ossai_merge_hierarchy_level(
	const ossai_merge_hierarchy *hierarchy, const ossai_posed_surface *surface, size_t clusters, double tolerance);

/* Gives clusters other names in a list of merges, cheapest first. name (F): the new name of each
   cluster before the first merge, by its old one, then scratch; a union has the smaller of two
   names, and that cluster is kept. parent: scratch, F. */
void ossai_merges_rename(size_t count, ossa_merge *merges, size_t face_count, uint32_t *name, uint32_t *parent);

/* The clusters after `level` merges: cluster_of_face (F, the caller's), numbered by their smallest
   face. `scratch` is F uint32. Returns the number of clusters. */
size_t ossai_merge_hierarchy_cut(
	const ossai_merge_hierarchy *hierarchy, size_t level, uint32_t *scratch, uint32_t *cluster_of_face);

#endif
