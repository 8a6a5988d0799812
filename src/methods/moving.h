/* methods/moving.h: what the methods for motion share: the work that their stages pass on, and the
   stages.

   Place in the path: posed surface, parts, weights, skeleton, motion -> here -> examples, sequence.
   Lengths are shares of the rest's diagonal. */
#ifndef OSSAI_METHODS_MOVING_H
#define OSSAI_METHODS_MOVING_H

#include "methods/pipeline.h"
#include "methods/rig_warnings.h"
#include "motion/prune.h"
#include "parts/face_clusters.h"
#include "parts/spectral.h"
#include "skeleton/from_motion/joints.h"
#include "skeleton/from_motion/loop_joints.h"
#include "skeleton/rest_weights.h"
#include "skeleton/tree.h"
#include "surface/coarse_surface.h"

#include <ossa/stages.h>

/* Times that bones are exchanged: more lower the error by less than they cost (docs/sequence.md,
   effort). */
enum { OSSAI_USUAL_EXCHANGES = 1 };

/* The options of the stages, of whichever method. */
typedef struct ossai_moving_options {
	/* wanted; 0: as many as the tolerance needs, or as the motion of the seeds shows */
	int bones;
	/* clusters: the RMS that one part may add to that of the whole, % of the diagonal; 0: off */
	double tolerance;
	/* refining without `bones` and `tolerance`: a bone stays that lowers the RMS by this, % of the
	   diagonal, or by enough of what is left (motion/bone_worth.h); 0: off */
	double worth;
	bool has_errors; /* poses have errors that no bones explain, and what is left says nothing */
	int lloyd;       /* clusters: rounds of variational refinement */
	/* refined: times that bones are exchanged (motion/exchange.h): of each draft, and of the one
	   that is finished */
	int draft_exchanges, exchanges;
	ossa_parts_kind parts;
	ossai_spectral_options spectral;
	ossa_weights_kind weights;
	int weight_poses;    /* heat: the number of poses that it is averaged over; 0: chosen */
	int influences;      /* of a vertex, at most */
	bool link_pieces;    /* a part may extend over pieces of the mesh that are close */
	bool local;          /* the vertices of each bone are one connected patch */
	bool area_weighting; /* published: vertices count by their area where bones are connected */
	ossa_symmetry_kind symmetry;
	bool is_face; /* refined: bones stay free, and there is no hierarchy */
	int refine;   /* rounds of each refinement, at most; 0: the paper */
} ossai_moving_options;

/* Where the rig of the rest shape comes from, in the order of the work's mesh, if its bones are a
   body's, else NULL: it may be made meanwhile, and is asked for once. get NULL: there is none. */
typedef struct ossai_rest_source {
	ossa_status (*get)(void *arg, const ossa_rig **rest);
	void *arg;
} ossai_rest_source;

/* What the stages pass on; each member is labelled with the stage that fills it. Arrays are the
   arena's. */
typedef struct ossai_moving_work {
	ossa_context *context;
	ossai_arena *arena;
	const char *method;
	const ossa_mesh *mesh;
	/* refined prepare: the mesh that was given, where `mesh` is it in another order; else NULL */
	const ossa_mesh *own_mesh;
	const ossa_frames *poses;
	ossai_moving_options options;
	ossai_rest_source rest;
	/* finish: the rig of the rest shape, in the order of the mesh that was given, if the rig is to
	   have the tree of its body's plan; else NULL */
	ossa_rig *plan;
	/* prepare: of all vertices; from coarsen to take_all of those that stand for them */
	ossai_posed_surface surface;
	bool is_coarse; /* coarsen: whether the next two are filled */
	ossai_posed_surface fine;
	ossai_coarse_surface coarse;
	ossai_merge_hierarchy merges;  /* parts, by clustering; else count is 0 */
	ossai_spectral_parts spectral; /* parts, by seeds; else part_count is 0 */
	size_t bones;                  /* parts: the number wanted */
	size_t part_count;             /* parts: at least as many; the others are pruned */
	uint32_t *part_of_face;
	/* take_all, F: the smallest of the faces that were one from the beginning; else NULL */
	uint32_t *first_cluster;
	/* published weights, B: from the center of the bone's part to that of the shape */
	double *off_center;
	size_t dropped;        /* bones that were removed because they would move no vertex */
	ossai_prune_goal goal; /* refine: until when bones were pruned */
	double worth;          /* refine: what the last of them had to be worth, squared error */
	ossai_fit fit;         /* weights and motion: of free bones, then of the hierarchy */
	ossai_fit free_fit;    /* hierarchy: those of free bones, refined separately */
	/* hierarchy, refined: free bones and hierarchy have different weights */
	bool has_free_weights;
	ossai_bone_graph graph; /* skeleton */
	ossai_joint *joint_of_pair;
	ossai_tree tree;
	ossai_vec3 *joint;  /* B */
	ossai_vec3 *anchor; /* hierarchy, refined, B: joints that are best for their own two bones */
	/* hierarchy, refined, B: how sure the joints are, 0 for the root; else NULL */
	double *deviation;
	ossai_rounds rounds;     /* hierarchy, refined */
	bool has_all_rounds;     /* likewise: none is left */
	ossa_bone *named;        /* plan, B: names and roles; else NULL */
	ossai_loop_joint *loops; /* loops, refined */
	size_t loop_count;
} ossai_moving_work;

/* Rounds in which the rotations of a hierarchy are fitted, and Newton steps of each. */
enum { OSSAI_MOVING_SWEEPS = 3, OSSAI_MOVING_NEWTON_STEPS = 8 };

/* Whether weights follow from the positions of the bones, and are not fitted to the poses. */
static inline bool ossai_moving_weighs_by_shape(const ossai_moving_work *m)
{
	const ossa_weights_kind kind = m->options.weights;
	return kind == OSSA_WEIGHTS_HEAT || kind == OSSA_WEIGHTS_GEODESIC || kind == OSSA_WEIGHTS_COVERAGE;
}

/* A refinement of the hierarchy ends when a round changes the RMS by less than this share of it. */
#define OSSAI_MOVING_LEAST_GAIN 1e-3

/* What holds joints near their anchors. */
static inline double ossai_moving_hold(const ossai_moving_work *m) { return OSSAI_JOINT_HOLD * (double)m->surface.used_count; }

/* All vertices, whether or not a coarse surface stands for them at this stage. */
static inline const ossai_posed_surface *ossai_moving_whole_surface(const ossai_moving_work *m)
{
	return m->is_coarse ? &m->fine : &m->surface;
}

/* ---- moving_outline.c: the refined outline, of both methods ---- */

extern const ossai_plan_step ossai_moving_refined_plan[], ossai_moving_draft_plan[], ossai_moving_finish_plan[];

/* Prepares and coarsens. earlier: of another method for the same mesh and poses, whose surfaces are
   taken; or NULL. */
ossa_status ossai_moving_find_surfaces(ossai_moving_work *m, const ossai_moving_work *earlier);

/* Then everything up to a tree and the first rounds of its hierarchy, whose error, rounds.error,
   predicts that of the rig. */
ossa_status ossai_moving_run_draft(ossai_moving_work *m);

/* The rig of a draft. */
ossa_status ossai_moving_finish(ossai_moving_work *m, ossa_rig **rig);

/* Both. */
ossa_status ossai_moving_run_refined(ossai_moving_work *m, ossa_rig **rig);

/* ---- prepare ---- */

/* Scales rest and poses to one size, and warns of what is wrong with them. */
ossa_status ossai_moving_prepare(ossai_moving_work *m);

/* The same in an order of vertices and faces that does not depend on the mesh's: the surface knows
   which is which, the rig has the mesh's own. */
ossa_status ossai_moving_refined_prepare(ossai_moving_work *m);

/* Whether the surfaces of an earlier draft, of all and of few vertices, are those that this one
   would make. */
bool ossai_moving_can_share(const ossai_moving_work *m, const ossai_moving_work *earlier);

/* Takes them, with their warnings, in place of prepare and coarsen. */
ossa_status ossai_moving_share(ossai_moving_work *m, const ossai_moving_work *earlier);

/* Whether nothing moves: every pose is the rest after a rigid motion, but for the rounding of
   files. */
bool ossai_moving_is_still(const ossai_moving_work *m);

/* Warns of poses much larger or smaller than the rest ("pose-size") and of poses without motion
   ("no-motion"). Errors: OSSA_ERROR_INPUT (seeds are to be grouped by motion, and there is
   none). */
ossa_status ossai_moving_warn_of_poses(const ossai_moving_work *m);

/* Fails with OSSA_ERROR_INPUT: nothing moves; the message says what can be done. */
ossa_status ossai_moving_refuse_stillness(const ossai_moving_work *m);

/* ---- published: S. Schaefer and C. Yuksel 2007, E. de Aguiar and others 2008 ---- */

/* Parts that move together, by clustering faces or by seeds: as many as bones are wanted.
   Fills bones, part_count, part_of_face. Warnings "too-many-parts", "more-bones", "fewer-bones".
   Errors: OSSA_ERROR_INPUT (the seeds do not move relative to each other). */
ossa_status ossai_moving_published_parts(ossai_moving_work *m);

/* Solves for weights of all bones, then once more of those bones that may act at each vertex.
   Updates fit. */
ossa_status ossai_moving_fit_weights(ossai_moving_work *m);

/* The same for parts; bones that move no vertex are removed. Fills fit, dropped. */
ossa_status ossai_moving_published_weights(ossai_moving_work *m);

/* Joints between bones that could be connected, and the tree of those that blend most.
   Fills graph, joint_of_pair, tree, joint. */
ossa_status ossai_moving_published_skeleton(ossai_moving_work *m);

/* Rotations of a hierarchy of constant bone lengths. Fills free_fit with a copy of fit; updates
   fit. */
ossa_status ossai_moving_published_hierarchy(ossai_moving_work *m);

/* Replaces fitted weights by those of heat, distance or coverage. Updates fit, free_fit. */
ossa_status ossai_moving_published_reweigh(ossai_moving_work *m);

/* Replaces fitted weights by heat as E. de Aguiar and others 2008 print it: c = 1, averaged over
   all frames. Updates fit, free_fit. */
ossa_status ossai_moving_published_heat(ossai_moving_work *m);

/* ---- refined: our stages ---- */

/* A few vertices in place of all, where there are many, until take_all. */
ossa_status ossai_moving_coarsen(ossai_moving_work *m);

/* All vertices and faces again, with what was found for those that stand for them. */
ossa_status ossai_moving_take_all(ossai_moving_work *m);

/* What each bone has to lower the RMS by, where no number is asked for: the option, but of a face,
   which moves little, at most a share of what one rigid piece leaves, if anything. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_moving_find_worth(ossai_moving_work *m, double *worth);

/* The parts of the published stage, but more of them than bones are wanted, to be pruned. */
ossa_status ossai_moving_refined_parts(ossai_moving_work *m);

/* Cuts the parts where the limbs of the rest shape meet, if it is a body. Updates part_count and
   part_of_face. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_moving_cut_at_limbs(ossai_moving_work *m);

/* Weights by least squares that spread from the parts in a few rounds. Fills fit. */
ossa_status ossai_moving_spread_weights(ossai_moving_work *m);

/* Alternates weights and free bones, and prunes to `bones`. Updates fit, dropped. Fills goal. */
ossa_status ossai_moving_refine(ossai_moving_work *m);

/* From the free bones of a draft others, by exchanging some, as many as refine would leave. Fills
   fit, which is new, and dropped. */
ossa_status ossai_moving_exchange_bones(ossai_moving_work *m);

/* By which bones are exchanged: the squared error of its hierarchy, and what its bones had to be
   worth together when they were kept. */
double ossai_moving_energy(const ossai_moving_work *m);

/* Joints between bones that could be connected, and the tree of those that fit both bones best.
   Fills graph, joint_of_pair, tree, joint. */
ossa_status ossai_moving_refined_skeleton(ossai_moving_work *m);

/* Tree, joints, weights and rotations of a hierarchy of constant bone lengths, in its first rounds.
   Fills free_fit with a copy of fit; updates fit, tree, joint. */
ossa_status ossai_moving_draft_hierarchy(ossai_moving_work *m);

/* Another tree, from the motion of the hierarchy, and its first rounds, where their error is
   smaller. Updates fit, tree, joint. */
ossa_status ossai_moving_search_again(ossai_moving_work *m);

/* Bones without skin between a bone and some of its children, each where it lowers the error by
   what a bone is worth: none where a number is asked for, or the rig is symmetric. Updates fit,
   free_fit, tree, joint. Cost: for each joint that gapes, a fit of joints and rotations. */
ossa_status ossai_moving_add_pivots(ossai_moving_work *m, bool *has_any);

/* The rounds that are left, once. Updates fit, joint. */
ossa_status ossai_moving_refined_hierarchy(ossai_moving_work *m);

/* Weights, joints and rotations of all vertices, where they were found for a few. */
ossa_status ossai_moving_refine_all(ossai_moving_work *m);

/* Weights, joints and rotations again, from a tree, joints and anchors that are new; joints are
   kept inside with all vertices. Updates fit, joint. */
ossa_status ossai_moving_refit(ossai_moving_work *m);

/* The tree of a human's plan (skeleton/naming/plan_tree.h), and names: `plan` is a human's. Updates
   fit, tree, joint; fills named. Warning "human-tree": it costs error. */
ossa_status ossai_moving_take_plan(ossai_moving_work *m);

/* Gives the rig's bones the names and roles of the plan, if there are any. */
void ossai_moving_name(const ossai_moving_work *m, ossa_rig *rig);

/* Replaces fitted weights by those of heat, distance or coverage, and fits the rotations of the
   hierarchy to them. Updates fit, free_fit. */
ossa_status ossai_moving_refined_reweigh(ossai_moving_work *m);

/* Refines the free bones where they have weights of their own; their error never exceeds that of
   the hierarchy. Updates free_fit. */
ossa_status ossai_moving_refine_free(ossai_moving_work *m);

/* Finds joints that the tree leaves out, by the motion of the free bones. Fills loops. Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_moving_find_loops(ossai_moving_work *m);

/* ---- of both outlines ---- */

/* Each vertex follows its part alone, and the parts have their motion. Fills fit. */
ossa_status ossai_moving_begin_weights(ossai_moving_work *m);

/* Removes bones that move no vertex, before there is a tree. Updates fit, dropped. */
ossa_status ossai_moving_drop_idle(ossai_moving_work *m);

/* Places each joint where it fits its own two bones best. Updates joint. */
void ossai_moving_place_joints(ossai_moving_work *m);

/* Places each joint of the tree where the motion of the free bones (free_fit) and the sections of
   the limbs together expect it. Updates joint; fills deviation. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_moving_expect_joints(ossai_moving_work *m);

/* Removes ends of the tree that are not worth a bone by the error of the hierarchy, where a worth
   decides about their number; in a symmetric rig pairs. Updates fit, free_fit, tree, joint, anchor.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. Cost: for each of them, three rounds of the
   hierarchy. */
ossa_status ossai_moving_prune_ends(ossai_moving_work *m, bool *has_any);

/* Removes the marked bones (B), which move no vertex, or are ends of the tree. Updates fit,
   free_fit, tree, joint, anchor. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_moving_remove_bones(ossai_moving_work *m, const uint8_t *removed);

/* Moves joints that are outside of the surface inside where that lowers the energy
   (moving_inside.c), and lets the rest follow. Updates fit, joint. Errors: OSSA_ERROR_MEMORY.
   Cost: for each such joint a few fits of the hierarchy. */
ossa_status ossai_moving_keep_inside(ossai_moving_work *m);

/* Copies fit to free_fit. */
ossa_status ossai_moving_keep_free(ossai_moving_work *m);

/* Fits the rotations of the hierarchy to given weights and joints. Updates fit. */
ossa_status ossai_moving_turn_bones(ossai_moving_work *m);

/* Removes bones that move no vertex at the ends of the tree; others stay, as they have children.
   Updates fit, free_fit, tree, joint, dropped. Warning "fewer-bones", for all that were dropped. */
ossa_status ossai_moving_drop_ends(ossai_moving_work *m);

/* The rig of all findings. Ownership: ossa_rig_free. */
ossa_status ossai_moving_assemble(ossai_moving_work *m, ossa_rig **rig);

#endif
