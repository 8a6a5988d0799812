/* skeleton/from_motion/bone_graph.h: the graph of bones that could be connected: they influence the
   same vertices, or their patches touch.

   Place in the path: weights -> here -> joints, tree.
   Input: weights.
   Output: pairs of bones, with how much they share. */
#ifndef OSSAI_SKELETON_FROM_MOTION_BONE_GRAPH_H
#define OSSAI_SKELETON_FROM_MOTION_BONE_GRAPH_H

#include "weights/bone_weights.h"

typedef struct ossai_bone_pair {
	uint32_t a, b; /* a < b */
	/* Schaefer & Yuksel 5.1: sum of the lesser bone's weight where the other one is the largest */
	double mass;
	double shared; /* sum of min(w_a, w_b) over vertices whose largest weight is a's or b's */
	/* mesh edges and links between the two patches */
	double contact;
	/* the joint position by shape alone: the weighted mean of section 5.2, else the centroid of the
	   contact */
	ossai_vec3 prior;
} ossai_bone_pair;

typedef struct ossai_bone_graph {
	size_t bone_count;
	size_t pair_count;
	ossai_bone_pair *pairs;   /* ascending by a, then b */
	uint32_t *bone_of_vertex; /* V: bone of the largest weight, OSSA_NONE for vertices without */
	/* B: area-weighted centroid of the patch where a bone has the largest weight */
	ossai_vec3 *center;
	double *area; /* B: of that patch */
} ossai_bone_graph;

/* Arrays are the arena's. The surface's links count as contacts. */
ossa_status ossai_bone_graph_make(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	bool area_weighting, ossai_bone_graph *graph);

#endif
