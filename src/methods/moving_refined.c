/* methods/moving_refined.c: the stages for motion where they depart from the papers.

   Input: parts that move together, and poses.
   Output: weights, joints, a tree and rotations with less error than the papers' stages have.
   Source: B. H. Le, Z. Deng, Smooth Skinning Decomposition with Rigid Bones, 2012, and Robust and
   Accurate Skeletal Rigging from Mesh Sequences, 2014: alternate between weights and bones.
   Departures from the papers of the methods:
   - there are more parts than bones wanted, and those whose absence raises the error least are
     pruned, because the initial parts decide which local minimum is found;
   - weights and bones alternate, on moments in place of all vertices (motion/moments.h);
   - each bone gets the parent with which the whole tree fits best;
   - weights, joints and rotations of a hierarchy of constant bone lengths are refined together.
   Lengths are shares of the rest's diagonal; docs/examples.md says how each constant was found. */
#include "methods/moving.h"

#include "motion/exchange.h"
#include "motion/tree_search.h"
#include "skeleton/from_motion/pair_priors.h"
#include "surface/canonical_order.h"

#include <string.h>

/* Rounds of weights and bones: from the parts; before pruning; after each bone removed; after
   pruning, with any supports and with connected ones. Joints are found after the last of them, as
   they lie better when the bones have converged. DRAFT_ROUNDS of the hierarchy tell which of two
   rigs will be better (docs/sequence.md, which method). */
enum { SPREAD_ROUNDS = 4, CONVERGE_ROUNDS = 4, PRUNE_ROUNDS = 2, FREE_ROUNDS = 4, LOCAL_ROUNDS = 12, DRAFT_ROUNDS = 5 };
/* the same as OSSAI_MOVING_LEAST_GAIN for free bones, and for bones from anywhere */
static const double least_gain_free = 4e-3, least_gain_far = 1e-2;
/* what a bone of a face has to gain: a share of the RMS that one rigid piece leaves */
static const double face_worth = 0.05;

/* ---- prepare ---- */

/* the poses are needed in that order until the surface has them */
static ossa_status make_ordered(ossai_moving_work *m, ossai_arena *scratch, const ossai_canonical_order *order)
{
	ossa_frames poses;
	OSSAI_TRY(ossai_canonical_order_poses(scratch, m->poses, order, &poses));
	return ossai_posed_surface_make(m->context, m->arena, m->mesh, &poses, m->options.link_pieces, &m->surface);
}

ossa_status ossai_moving_refined_prepare(ossai_moving_work *m)
{
	ossai_canonical_order order;
	/* errors name vertices of the mesh */
	OSSAI_TRY(ossai_posed_surface_check(m->context, m->mesh, m->poses));
	OSSAI_TRY(ossai_canonical_order_make(m->arena, m->mesh, m->poses, &order));
	ossa_mesh *ordered = ossai_arena_new(m->arena, 1, sizeof *ordered);
	if (!ordered) return ossa_context_error(m->context)->status;
	OSSAI_TRY(ossai_canonical_order_mesh(m->arena, m->mesh, &order, ordered));
	m->own_mesh = m->mesh;
	m->mesh = ordered;
	ossai_arena scratch = ossai_arena_begin(m->context);
	const ossa_status status = make_ordered(m, &scratch, &order);
	ossai_arena_end(&scratch);
	m->surface.place_of_vertex = order.place;
	m->surface.mesh_face = order.face;
	OSSAI_TRY(status);
	return ossai_moving_warn_of_poses(m);
}

/* ---- weights ---- */

ossa_status ossai_moving_spread_weights(ossai_moving_work *m)
{
	OSSAI_TRY(ossai_moving_begin_weights(m));
	return ossai_fit_alternate(&m->fit, SPREAD_ROUNDS, 0, false);
}

/* ---- refine ---- */

/* what is left where all vertices are one rigid piece: the sum of squares */
static ossa_status find_rigid_error(ossai_moving_work *m, ossai_arena *scratch, double *error)
{
	ossai_fit one;
	const uint32_t *part = ossai_arena_zero(scratch, m->surface.face_count, sizeof *part);
	if (!part) return ossa_context_error(m->context)->status;
	OSSAI_TRY(ossai_fit_new(m->context, scratch, &m->surface, 1, 1, &one));
	ossai_bone_weights_from_clusters(&m->surface, part, &one.weights);
	OSSAI_TRY(ossai_bone_motion_from_clusters(m->context, &m->surface, part, &one.motion));
	return ossai_fit_error(&one, error);
}

ossa_status ossai_moving_find_worth(ossai_moving_work *m, double *worth)
{
	*worth = m->options.worth / 100;
	if (!m->options.is_face || ossai_moving_is_still(m)) return OSSA_OK;
	double error = 0;
	ossai_arena scratch = ossai_arena_begin(m->context);
	const ossa_status status = find_rigid_error(m, &scratch, &error);
	ossai_arena_end(&scratch);
	*worth = fmin(*worth, face_worth * sqrt(error / ((double)m->surface.used_count * (double)m->surface.pose_count)));
	return status;
}

/* the number that is wanted or that the tolerance needs, or as many as lower the error by `worth`
   each */
static ossa_status find_goal(ossai_moving_work *m)
{
	double worth;
	ossai_prune_goal *goal = &m->goal;
	*goal = (ossai_prune_goal){.bones = m->bones, .rounds = PRUNE_ROUNDS};
	if (m->options.bones > 0 || m->options.tolerance > 0) return OSSA_OK;
	OSSAI_TRY(ossai_moving_find_worth(m, &worth));
	goal->worth = ossai_bone_worth_of(worth, (double)m->surface.used_count * (double)m->surface.pose_count);
	if (m->options.has_errors) goal->worth.unseen = INFINITY;
	if (worth > 0) goal->bones = 1;
	return OSSA_OK;
}

/* drafts of several numbers of bones are compared by what was enough for the last of these */
static ossa_status keep_worth(ossai_moving_work *m)
{
	double error;
	m->worth = 0;
	if (!(m->goal.worth.most > 0)) return OSSA_OK;
	OSSAI_TRY(ossai_fit_error(&m->fit, &error));
	m->worth = ossai_bone_worth_at(&m->goal.worth, error);
	return OSSA_OK;
}

/* supports of the bones become connected */
static ossa_status connect(ossai_moving_work *m)
{
	OSSAI_TRY(ossai_fit_alternate(&m->fit, LOCAL_ROUNDS, 0, m->options.local));
	return ossai_moving_drop_idle(m);
}

ossa_status ossai_moving_refine(ossai_moving_work *m)
{
	OSSAI_TRY(ossai_fit_alternate(&m->fit, CONVERGE_ROUNDS, 0, false));
	OSSAI_TRY(find_goal(m));
	OSSAI_TRY(ossai_fit_prune(&m->fit, &m->goal));
	OSSAI_TRY(keep_worth(m));
	OSSAI_TRY(ossai_fit_alternate(&m->fit, FREE_ROUNDS, 0, false));
	return connect(m);
}

ossa_status ossai_moving_exchange_bones(ossai_moving_work *m)
{
	OSSAI_TRY(ossai_fit_new(m->context, m->arena, &m->surface, m->part_count, m->free_fit.weights.width, &m->fit));
	ossai_fit_copy(&m->free_fit, &m->fit);
	OSSAI_TRY(ossai_fit_exchange(&m->fit, m->part_count, &m->goal));
	OSSAI_TRY(keep_worth(m));
	OSSAI_TRY(connect(m));
	/* those that the draft had dropped are missing, too, where a number is wanted */
	const size_t bones = m->fit.weights.bone_count;
	if (!(m->goal.worth.most > 0)) m->dropped = bones < m->goal.bones ? m->goal.bones - bones : 0;
	return OSSA_OK;
}

double ossai_moving_energy(const ossai_moving_work *m)
{
	return m->rounds.error + m->worth * (double)m->fit.weights.bone_count;
}

/* ---- hierarchy ---- */

static ossa_status change_tree(ossai_moving_work *m, const ossai_moments *moments)
{
	ossai_arena scratch = ossai_arena_begin(m->context);
	ossai_joint_prior *prior = ossai_arena_new(&scratch, m->graph.pair_count, sizeof *prior);
	ossa_status status = prior ? OSSA_OK : ossa_context_error(m->context)->status;
	if (status == OSSA_OK) {
		status = ossai_pair_priors_make(m->context, &m->surface, &m->fit.weights, &m->graph, OSSAI_JOINT_DOUBT, prior);
	}
	if (status == OSSA_OK) {
		status = ossai_tree_search(m->context, moments, &m->graph, m->joint_of_pair, prior, &m->fit.motion,
			ossai_moving_hold(m), m->surface.symmetry, &m->tree, m->joint);
	}
	ossai_arena_end(&scratch);
	return status;
}

/* Fits rotations to given weights and joints, and searches the tree from these. The search moves
   joints for each tree that it tries, so they are placed again in the tree that it finds. */
static ossa_status search_tree(ossai_moving_work *m)
{
	ossai_moments moments;
	ossai_bone_motion *motion = &m->fit.motion;
	ossai_hierarchy hierarchy = {&m->tree, m->joint, m->surface.symmetry};
	const int sweeps = OSSAI_MOVING_SWEEPS, newton = OSSAI_MOVING_NEWTON_STEPS;
	ossa_status status = ossai_moments_make(m->context, &m->surface, &m->fit.weights, &moments);
	if (status == OSSA_OK) {
		status = ossai_hierarchy_fit_some(m->context, &moments, &hierarchy, NULL, sweeps, newton, motion);
	}
	if (status == OSSA_OK) status = change_tree(m, &moments);
	if (status == OSSA_OK) ossai_moving_place_joints(m);
	if (status == OSSA_OK) status = ossai_moving_expect_joints(m);
	if (status == OSSA_OK) {
		status = ossai_hierarchy_fit_some(m->context, &moments, &hierarchy, NULL, sweeps, newton, motion);
	}
	ossai_moments_end(&moments);
	return status;
}

/* weights, joints and rotations in turn, until so many rounds are done */
static ossa_status alternate(ossai_moving_work *m, int most)
{
	ossai_hierarchy hierarchy = {&m->tree, m->joint, m->surface.symmetry};
	const ossai_joint_rules joints = {.anchor = m->anchor, .hold = ossai_moving_hold(m)};
	return ossai_fit_alternate_hierarchy(
		&m->fit, &hierarchy, &joints, most, OSSAI_MOVING_LEAST_GAIN, m->options.local, &m->rounds);
}

/* the rounds that are left */
static ossa_status finish_rounds(ossai_moving_work *m)
{
	ossai_hierarchy hierarchy = {&m->tree, m->joint, m->surface.symmetry};
	const ossai_joint_rules joints = {.anchor = m->anchor, .hold = ossai_moving_hold(m)};
	OSSAI_TRY(alternate(m, m->options.refine));
	return m->options.local ? ossai_fit_end_hierarchy(&m->fit, &hierarchy, &joints, &m->rounds) : OSSA_OK;
}

/* Bones reach vertices from neighbours only, and the patch of a bone that is largest at first is
   the one that stays: a part that moves with a bone far away cannot get to it. So every vertex may
   take bones from anywhere once, and the rounds begin again. Of two bones that move alike a vertex
   keeps the one that it has. */
static ossa_status reach_far(ossai_moving_work *m)
{
	const ossai_weight_prior now = {.weights = &m->fit.weights, .price = ossai_fit_price(&m->fit, m->rounds.error)};
	m->fit.prior = &now;
	const ossa_status status = ossai_fit_far_weights(&m->fit, OSSAI_FAR_BONES);
	m->fit.prior = NULL;
	OSSAI_TRY(status);
	if (m->options.local) OSSAI_TRY(ossai_fit_connect(&m->fit));
	m->rounds = ossai_rounds_begin();
	return finish_rounds(m);
}

/* the best of a few times; kept: space for a fit, joint: for its joints */
static ossa_status reach_best(ossai_moving_work *m, ossai_fit *kept, ossai_vec3 *joint)
{
	const size_t size = m->tree.bone_count * sizeof *joint;
	double best = INFINITY;
	bool has_gained = true;
	for (int time = 0; has_gained && time <= OSSAI_FAR_TIMES; time++) {
		const double error = m->rounds.error;
		has_gained = error * (1 + 2 * least_gain_far) < best;
		if (error < best) {
			ossai_fit_copy(&m->fit, kept);
			memcpy(joint, m->joint, size);
			best = error;
		}
		if (has_gained && time < OSSAI_FAR_TIMES) OSSAI_TRY(reach_far(m));
	}
	ossai_fit_copy(kept, &m->fit);
	memcpy(m->joint, joint, size);
	m->rounds.error = best;
	return OSSA_OK;
}

static ossa_status take_far_bones(ossai_moving_work *m)
{
	const size_t bones = m->tree.bone_count;
	ossai_arena scratch = ossai_arena_begin(m->context);
	ossai_fit kept;
	ossai_vec3 *joint = ossai_arena_new(&scratch, bones, sizeof *joint);
	ossa_status status = joint ? OSSA_OK : ossa_context_error(m->context)->status;
	if (status == OSSA_OK) {
		status = ossai_fit_new(m->context, &scratch, &m->surface, bones, m->fit.weights.width, &kept);
	}
	if (status == OSSA_OK) status = reach_best(m, &kept, joint);
	ossai_arena_end(&scratch);
	return status;
}

/* a tree, and the first rounds in it */
static ossa_status begin_hierarchy(ossai_moving_work *m)
{
	OSSAI_TRY(search_tree(m));
	memcpy(m->anchor, m->joint, m->tree.bone_count * sizeof *m->anchor);
	m->rounds = ossai_rounds_begin();
	return alternate(m, m->options.refine < DRAFT_ROUNDS ? m->options.refine : DRAFT_ROUNDS);
}

ossa_status ossai_moving_draft_hierarchy(ossai_moving_work *m)
{
	const size_t bones = m->fit.weights.bone_count;
	OSSAI_TRY(ossai_moving_keep_free(m));
	m->rounds = ossai_rounds_begin();
	if (m->options.is_face) return ossai_fit_error(&m->free_fit, &m->rounds.error);
	m->anchor = ossai_arena_new(m->arena, bones, sizeof *m->anchor);
	if (!m->anchor) return ossa_context_error(m->context)->status;
	m->has_free_weights = true;
	return begin_hierarchy(m);
}

ossa_status ossai_moving_search_again(ossai_moving_work *m)
{
	const size_t bones = m->tree.bone_count;
	ossai_moving_work again = *m;
	OSSAI_TRY(ossai_fit_new(m->context, m->arena, &m->surface, bones, m->fit.weights.width, &again.fit));
	OSSAI_TRY(ossai_tree_new(m->arena, bones, &again.tree));
	again.joint = ossai_arena_new(m->arena, bones, sizeof *again.joint);
	again.anchor = ossai_arena_new(m->arena, bones, sizeof *again.anchor);
	if (!again.joint || !again.anchor) return ossa_context_error(m->context)->status;
	ossai_fit_copy(&m->fit, &again.fit);
	ossai_tree_copy(&m->tree, &again.tree);
	memcpy(again.joint, m->joint, bones * sizeof *again.joint);
	OSSAI_TRY(begin_hierarchy(&again));
	if (again.rounds.error < m->rounds.error) *m = again;
	return OSSA_OK;
}

/* and weights and the other joints follow them */
static ossa_status use_pivots(ossai_moving_work *m)
{
	bool has_any;
	OSSAI_TRY(ossai_moving_add_pivots(m, &has_any));
	if (!has_any) return OSSA_OK;
	m->rounds = ossai_rounds_begin();
	OSSAI_TRY(finish_rounds(m));
	return take_far_bones(m);
}

static ossa_status prune_ends(ossai_moving_work *m)
{
	bool has_any;
	OSSAI_TRY(ossai_moving_prune_ends(m, &has_any));
	if (!has_any) return OSSA_OK;
	m->rounds = ossai_rounds_begin();
	return finish_rounds(m);
}

ossa_status ossai_moving_refined_hierarchy(ossai_moving_work *m)
{
	if (m->has_all_rounds || m->options.is_face) return OSSA_OK;
	m->has_all_rounds = true;
	OSSAI_TRY(finish_rounds(m));
	OSSAI_TRY(take_far_bones(m));
	OSSAI_TRY(use_pivots(m));
	OSSAI_TRY(prune_ends(m));
	return m->is_coarse ? OSSA_OK : ossai_moving_keep_inside(m);
}

ossa_status ossai_moving_refit(ossai_moving_work *m)
{
	m->rounds = ossai_rounds_begin();
	OSSAI_TRY(finish_rounds(m));
	OSSAI_TRY(take_far_bones(m));
	return m->is_coarse ? OSSA_OK : ossai_moving_keep_inside(m);
}

ossa_status ossai_moving_refine_all(ossai_moving_work *m)
{
	if (!m->is_coarse) return OSSA_OK;
	OSSAI_TRY(ossai_moving_take_all(m));
	if (m->options.is_face) return OSSA_OK;
	m->rounds = ossai_rounds_begin();
	OSSAI_TRY(finish_rounds(m));
	return ossai_moving_keep_inside(m);
}

/* ---- free bones ---- */

/* the motion of the hierarchy is one of free bones, too: they take it where its error is smaller */
static ossa_status keep_better(ossai_moving_work *m)
{
	double free_error, bound_error;
	OSSAI_TRY(ossai_fit_error(&m->free_fit, &free_error));
	OSSAI_TRY(ossai_fit_error(&m->fit, &bound_error));
	if (bound_error < free_error) ossai_fit_copy(&m->fit, &m->free_fit);
	return OSSA_OK;
}

ossa_status ossai_moving_refine_free(ossai_moving_work *m)
{
	if (!m->has_free_weights && !m->options.is_face) return OSSA_OK;
	OSSAI_TRY(ossai_fit_alternate(&m->free_fit, m->options.refine, least_gain_free, m->options.local));
	return keep_better(m);
}
