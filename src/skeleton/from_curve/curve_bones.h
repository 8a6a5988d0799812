/* skeleton/from_curve/curve_bones.h: from a curve to bones: joints where a rigger would want them.

   Place in the path: curve/tree -> here -> rest_weights, rig. */
#ifndef OSSAI_SKELETON_FROM_CURVE_CURVE_BONES_H
#define OSSAI_SKELETON_FROM_CURVE_CURVE_BONES_H

#include "curve/curve.h"
#include "skeleton/from_curve/joint_energy.h"
#include "skeleton/tree.h"
#include "proxy/mirror.h"
#include <ossa/stages.h>

/* Start from ossai_curve_bones_default(). */
typedef struct ossai_curve_bones_options {
	size_t bones; /* wanted; 0: as many as the shape tells */
	ossa_symmetry_kind symmetry;
	ossai_joint_weights weights;
	bool control_points; /* the paper: every node is a joint, nothing is chosen */
} ossai_curve_bones_options;

ossai_curve_bones_options ossai_curve_bones_default(void);

typedef struct ossai_curve_bones {
	ossai_tree tree;          /* pair: OSSA_NONE everywhere */
	ossai_vec3 *joint;        /* B: where the bone begins; the root's at the root node */
	ossai_vec3 *tail;         /* B: where it ends: leaves at the tip of their patch */
	double *radius;           /* B: of the curve at the joint */
	uint32_t *mirrored;       /* B: the bone on the other side, itself on the middle, OSSA_NONE without symmetry */
	uint32_t *bone_of_vertex; /* N: of the proxy */
} ossai_curve_bones;

/* Places joints on the curve, which is a tree: at branchings, where limbs leave the body, at bends and narrow places, evenly elsewhere; as many
   as wanted where the shape allows (warnings "fewer-bones", "more-bones" tell why not). `mirror` may not exist (enforced: warning "not-symmetric").
   Arrays are the arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_INPUT (a curve without nodes). */
ossa_status ossai_curve_bones_place(ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, uint32_t root,
	const ossai_mirror *mirror, const ossai_curve_bones_options *options, ossai_curve_bones *bones);

#endif
