/* skeleton/rest_weights.h: weights from the rest pose alone, for the skeleton of any method.

   Place in the path: tree, joints -> here -> weights/heat, weights/geodesic_weights or
   weights/anchors -> hierarchy, rig.
   Input: joints, a tree, a posed surface.
   Output: weights. */
#ifndef OSSAI_SKELETON_REST_WEIGHTS_H
#define OSSAI_SKELETON_REST_WEIGHTS_H

#include "skeleton/tree.h"
#include "weights/bone_segments.h"

#include <ossa/stages.h>

typedef enum ossai_rest_weights_kind {
	OSSAI_REST_WEIGHTS_HEAT,     /* weights/heat.h */
	OSSAI_REST_WEIGHTS_GEODESIC, /* weights/geodesic_weights.h */
	OSSAI_REST_WEIGHTS_COVERAGE  /* weights/anchors.h, over voxels of its own */
} ossai_rest_weights_kind;

/* The kind for a public choice of weights: heat unless it is one of the others. */
static inline ossai_rest_weights_kind ossai_rest_weights_kind_of(ossa_weights_kind kind)
{
	if (kind == OSSA_WEIGHTS_COVERAGE) return OSSAI_REST_WEIGHTS_COVERAGE;
	return kind == OSSA_WEIGHTS_GEODESIC ? OSSAI_REST_WEIGHTS_GEODESIC : OSSAI_REST_WEIGHTS_HEAT;
}

/* Start from ossai_rest_weights_default(). */
typedef struct ossai_rest_weights_options {
	ossai_rest_weights_kind kind;
	size_t influences; /* maximum number of bones of a vertex */
	size_t poses;      /* heat: maximum number of poses averaged, the rest among them */
	double heat;       /* heat: c of c / distance^2 */
	double power;      /* geodesic: of 1 / distance */
	bool local;        /* keep one connected patch of every bone in every piece */
} ossai_rest_weights_options;

ossai_rest_weights_options ossai_rest_weights_default(void);

/* A skeleton at rest, in the units of the posed surface. */
typedef struct ossai_rest_bones {
	const ossai_tree *tree;
	const ossai_vec3 *joint; /* B: where the bone meets its parent; the root's center */
	/* B: where leaves end; NULL: at the farthest vertex of their patch, along it */
	const ossai_vec3 *tail;
	/* V: patches that leaves' tails are found by where `tail` is NULL; NULL: none, leaves are
	   points */
	const uint32_t *bone_of_vertex;
} ossai_rest_bones;

/* Bones as segments: from the joint to each child's joint, a leaf's to its tail. Arrays are the
   arena's. */
ossa_status ossai_rest_segments(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_rest_bones *bones, ossai_bone_segments *segments);

/* Makes `weights` (arrays of the arena). motion: the bones' over the surface's poses, or NULL: the
   rest alone counts. Errors, warnings, threads, cost: those of the kind. */
ossa_status ossai_rest_weights(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_rest_bones *bones,
	const ossai_bone_motion *motion, const ossai_rest_weights_options *options, ossai_bone_weights *weights);

#endif
