/* methods/moving.h: what the methods for moving input share: the work that their stages hand to each other, and the stages.

   Place in the path: posed surface, parts, weights, skeleton, motion -> here -> examples, sequence.
   A method is a list of stages: some its paper's own, others from here. Lengths are shares of the rest's diagonal. */
#ifndef OSSAI_METHODS_MOVING_H
#define OSSAI_METHODS_MOVING_H

#include "methods/pipeline.h"
#include "methods/rig_tell.h"
#include "motion/refine.h"
#include "parts/face_clusters.h"
#include "parts/spectral.h"
#include "skeleton/from_motion/joints.h"
#include "skeleton/rest_weights.h"
#include "skeleton/tree.h"

#include <ossa/stages.h>

/* Options of the stages here, whatever method has them. */
typedef struct ossai_moving_options {
	int bones;        /* wanted; 0: as many as the tolerance needs, or as the seeds' motion shows */
	double tolerance; /* clusters: what one part may add to the RMS of the whole, in % of the diagonal; 0: off */
	double
		worth; /* refining without `bones` and `tolerance`: a bone stays that lowers the RMS by this, in % of the diagonal; 0: off */
	int lloyd; /* clusters: variational rounds */
	ossa_parts_kind parts;
	ossai_spectral_options spectral;
	ossa_weights_kind weights;
	int weight_poses;    /* heat: how many poses it is averaged over; 0: chosen */
	int influences;      /* most weights per vertex */
	bool link_pieces;    /* parts may grow from one piece of the mesh to a near one */
	bool local;          /* keep every bone's influence one connected patch */
	bool area_weighting; /* weigh tree votes by the vertex's area (refine 0) */
	int refine;          /* 0: the paper; 1..: at most this many rounds of refinement */
} ossai_moving_options;

/* What the stages hand to each other; arrays live in the arena. */
typedef struct ossai_moving_work {
	ossa_context *context;
	ossai_arena *arena;
	const char *method;
	const ossa_mesh *mesh;
	const ossa_frames *poses;
	ossai_moving_options options;
	ossai_posed_surface surface;   /* prepare */
	ossai_merge_hierarchy merges;  /* parts by clustering; count 0: none */
	ossai_spectral_parts spectral; /* parts by seeds; part_count 0: none */
	size_t bones;                  /* parts: how many are wanted */
	size_t part_count;             /* parts: at least as many, to be pruned */
	uint32_t *part_of_face;
	size_t dropped;         /* bones that were left out because they would move no vertex */
	ossai_fit fit;          /* weights and motion: of the free bones, then of the hierarchy */
	ossai_fit free_fit;     /* hierarchy: the free bones, refined for themselves */
	bool has_free_weights;  /* hierarchy, refined: those of the free bones are others than the hierarchy's */
	ossai_bone_graph graph; /* skeleton */
	ossai_joint *joint_of_pair;
	ossai_tree tree;
	ossai_vec3 *joint; /* B */
} ossai_moving_work;

/* rounds in which the rotations of a hierarchy are found, and steps of each */
enum { OSSAI_MOVING_SWEEPS = 3, OSSAI_MOVING_NEWTON_STEPS = 8 };

/* Whether the weights are those of where the bones are, in place of fitted ones. */
static inline bool ossai_moving_weighs_by_shape(const ossai_moving_work *work)
{
	const ossa_weights_kind kind = work->options.weights;
	return kind == OSSA_WEIGHTS_HEAT || kind == OSSA_WEIGHTS_GEODESIC || kind == OSSA_WEIGHTS_COVERAGE;
}

/* A stage by name, as those of the methods' own work are run (methods/pipeline.h). */
typedef ossa_status ossai_moving_stage(ossai_moving_work *work);
ossa_status ossai_moving_run(ossai_moving_work *work, const char *name, ossai_moving_stage *stage);

/* Brings rest and poses to one scale, and tells what is odd about them. */
ossa_status ossai_moving_prepare(ossai_moving_work *work);

/* Warnings "pose-size": a pose much larger or smaller than the rest; "no-motion": no pose bends. Seeds cannot be grouped without motion:
   OSSA_ERROR_INPUT. */
ossa_status ossai_moving_tell_poses(const ossai_moving_work *work);

/* OSSA_ERROR_INPUT: nothing moves, and what can be done instead. */
ossa_status ossai_moving_refuse_stillness(const ossai_moving_work *work);

/* ---- published: S. Schaefer and C. Yuksel 2007, or E. de Aguiar and others 2008 ---- */

/* Parts that move together, by clustering faces or by seeds: as many as bones are wanted.
   Out: bones, part_count, part_of_face. Warnings "too-many-parts", "more-bones", "fewer-bones". Errors: OSSA_ERROR_INPUT where seeds show
   that nothing moves against anything else. */
ossa_status ossai_moving_published_parts(ossai_moving_work *work);

/* Weights for the motion that is there: solved among all bones, then again where each may act. In and out: fit. */
ossa_status ossai_moving_fit_weights(ossai_moving_work *work);

/* Such weights of parts; bones that move no vertex are left out. In: part_of_face, part_count. Out: fit, dropped. */
ossa_status ossai_moving_published_weights(ossai_moving_work *work);

/* Joints between bones that could meet, and the tree of those that blend most. In: fit. Out: graph, joint_of_pair, tree, joint. */
ossa_status ossai_moving_published_skeleton(ossai_moving_work *work);

/* Rotations of a hierarchy of constant bone lengths. In: fit, tree, joint. Out: fit (of the hierarchy), free_fit (a copy of what came in). */
ossa_status ossai_moving_published_hierarchy(ossai_moving_work *work);

/* Weights by heat or distance in place of the fitted ones. In and out: fit. Out: free_fit, with the same weights. */
ossa_status ossai_moving_published_reweigh(ossai_moving_work *work);

/* Weights by heat as E. de Aguiar and others 2008 print them: c = 1, averaged over all frames. In and out: fit.
   Out: free_fit, with the same weights. */
ossa_status ossai_moving_published_heat(ossai_moving_work *work);

/* ---- refined: past them ---- */

/* The same parts, but more of them than bones are wanted, for the pruning to choose from. */
ossa_status ossai_moving_refined_parts(ossai_moving_work *work);

/* Weights from parts by least squares that spread in a few rounds. In: part_of_face, part_count. Out: fit. */
ossa_status ossai_moving_spread_weights(ossai_moving_work *work);

/* Alternates weights and free bones, and prunes to `bones`. In and out: fit. Out: dropped. */
ossa_status ossai_moving_refine(ossai_moving_work *work);

/* Joints between bones that could meet, and the tree of those that fit both best. In: fit. Out: graph, joint_of_pair, tree, joint. */
ossa_status ossai_moving_refined_skeleton(ossai_moving_work *work);

/* Tree, joints, weights and rotations of a hierarchy of constant bone lengths. In: fit, tree, joint.
   Out: fit (of the hierarchy), free_fit (a copy of what came in). */
ossa_status ossai_moving_refined_hierarchy(ossai_moving_work *work);

/* Weights by heat or distance in place of the fitted ones, and the hierarchy's rotations for them.
   In and out: fit. Out: free_fit, with the same weights. */
ossa_status ossai_moving_refined_reweigh(ossai_moving_work *work);

/* Refines the free bones for themselves, where they have weights of their own; they are never worse than the hierarchy's.
   In and out: free_fit. */
ossa_status ossai_moving_refine_free(ossai_moving_work *work);

/* ---- both ---- */

/* Each vertex wholly of its part, and the motion of the parts. In: part_of_face, part_count. Out: fit. */
ossa_status ossai_moving_begin_weights(ossai_moving_work *work);

/* Leaves out bones that move no vertex, before there is a tree. In and out: fit. Out: dropped. */
ossa_status ossai_moving_drop_idle(ossai_moving_work *work);

/* Every joint where its own two bones want it. In: tree, graph, joint_of_pair. Out: joint. */
void ossai_moving_place_joints(ossai_moving_work *work);

/* free_fit becomes a copy of fit. */
ossa_status ossai_moving_keep_free(ossai_moving_work *work);

/* Rotations that suit the weights and joints that are there. In: fit, tree, joint. Out: fit. */
ossa_status ossai_moving_turn_bones(ossai_moving_work *work);

/* Leaves out the bones that move no vertex at the leaves of the tree: they have no children, so nothing changes without them. Those that
   have some stay. In and out: fit, free_fit, tree, joint, dropped. Warning "fewer-bones", for all that were dropped. */
ossa_status ossai_moving_drop_ends(ossai_moving_work *work);

/* The rig of all that was found. Ownership: ossa_rig_free. */
ossa_status ossai_moving_assemble(ossai_moving_work *work, ossa_rig **rig);

#endif
