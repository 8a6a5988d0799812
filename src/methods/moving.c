/* methods/moving.c: see moving.h.

   Place in the path: between the stages' own folders and the methods.
   What goes past the papers, and why:
   - begin with more bones than wanted and prune those that are missed least: the start decides the minimum that is found;
   - alternate weights and bones (Le & Deng 2012, 2014) on a few moments instead of all vertices;
   - join bones by how well a joint fits both, not by how much they blend, and hang them where the whole tree fits best;
   - believe a joint's motion as far as it speaks, else the shape;
   - refit weights, joints and rotations of a hierarchy of constant bone lengths together. */
#include "methods/moving.h"

#include "motion/prune.h"
#include "motion/tree_search.h"
#include "rig/assemble.h"
#include "weights/least_squares.h"
#include "weights/locality.h"

#include <string.h>

/* Lengths are shares of the rest's diagonal; see docs/examples.md for how each was found. */

/* rounds: of weights and bones spreading from the clusters; before pruning; after each removal; after it, with free and
   with connected supports. The last are what joints are found from: bones that have settled meet in better places. */
enum { SPREAD_ROUNDS = 4, SETTLE_ROUNDS = 4, PRUNE_ROUNDS = 2, FREE_ROUNDS = 4, LOCAL_ROUNDS = 12 };
/* a refinement ends with a round that changes the RMS by less than this share of it */
static const double least_gain = 1e-3, least_gain_free = 4e-3;
/* share of the largest eigenvalue below which the paper's pseudo-inverse calls a direction silent */
static const double silent_share = 0.1;
/* a bone is hung elsewhere where that lowers the squared error by this share */
static const double tree_gain = 0.01;

/* ---- prepare ---- */

ossa_status ossai_moving_prepare(ossai_moving_work *m)
{
	OSSAI_TRY(ossai_posed_surface_make(m->context, m->arena, m->mesh, m->poses, m->options.link_pieces, &m->surface));
	return ossai_moving_tell_poses(m);
}

/* ---- weights ---- */

ossa_status ossai_moving_spread_weights(ossai_moving_work *m)
{
	ossai_fit *fit = &m->fit;
	OSSAI_TRY(ossai_fit_new(m->context, m->arena, &m->surface, m->part_count, (size_t)m->options.influences, fit));
	ossai_bone_weights_from_clusters(&m->surface, m->part_of_face, &fit->weights);
	OSSAI_TRY(ossai_bone_motion_from_clusters(m->context, &m->surface, m->part_of_face, &fit->motion));
	return ossai_moving_refines(m) ? ossai_fit_alternate(fit, SPREAD_ROUNDS, 0, false) : OSSA_OK;
}

/* ---- refine ---- */

/* to the number asked for or that the tolerance needs, or to bones that are each worth it */
static ossa_status prune(ossai_moving_work *m)
{
	if (m->options.bones > 0 || m->options.tolerance > 0) return ossai_fit_prune(&m->fit, m->bones, 0, PRUNE_ROUNDS);
	const double worth = m->options.worth / 100;
	const double least = worth * worth * (double)m->surface.used_count * (double)m->surface.pose_count;
	return ossai_fit_prune(&m->fit, worth > 0 ? 1 : m->bones, least, PRUNE_ROUNDS);
}

ossa_status ossai_moving_refine(ossai_moving_work *m)
{
	if (ossai_moving_refines(m)) {
		OSSAI_TRY(ossai_fit_alternate(&m->fit, SETTLE_ROUNDS, 0, false));
		OSSAI_TRY(prune(m));
		OSSAI_TRY(ossai_fit_alternate(&m->fit, FREE_ROUNDS, 0, false));
		OSSAI_TRY(ossai_fit_alternate(&m->fit, LOCAL_ROUNDS, 0, m->options.local));
	}
	return ossai_fit_drop_idle(&m->fit, &m->dropped);
}

/* ---- skeleton ---- */

/* lower is better: the paper's blend mass, or how well a joint fits */
static double pair_cost(const ossai_moving_work *m, const ossai_bone_pair *pair, const ossai_joint *joint)
{
	if (ossai_moving_refines(m)) return joint->residual + OSSAI_JOINT_PRIOR_PRICE * joint->prior_distance;
	/* pairs that only touch come after all that blend */
	return pair->mass > 0 ? -pair->mass : 1 / pair->contact;
}

static ossai_joint fit_joint(const ossai_moving_work *m, const ossai_bone_pair *pair)
{
	const ossai_bone_motion *motion = &m->fit.motion;
	if (ossai_moving_refines(m))
		return ossai_joint_fit_soft(motion, pair->a, pair->b, pair->prior, OSSAI_JOINT_DOUBT, OSSAI_JOINT_NOISE);
	return ossai_joint_fit(motion, pair->a, pair->b, pair->prior, silent_share);
}

/* every joint where its own two bones want it */
static void place_joints(ossai_moving_work *m)
{
	for (size_t b = 0; b < m->tree.bone_count; b++) {
		const uint32_t pair = m->tree.pair[b];
		m->joint[b] = pair == OSSA_NONE ? m->graph.center[b] : m->joint_of_pair[pair].position;
	}
}

ossa_status ossai_moving_join(ossai_moving_work *m)
{
	const size_t bones = m->fit.weights.bone_count;
	OSSAI_TRY(ossai_bone_graph_make(m->arena, &m->surface, &m->fit.weights, m->options.area_weighting, &m->graph));
	double *cost = ossai_arena_new(m->arena, m->graph.pair_count, sizeof *cost);
	m->joint_of_pair = ossai_arena_new(m->arena, m->graph.pair_count, sizeof *m->joint_of_pair);
	m->joint = ossai_arena_new(m->arena, bones, sizeof *m->joint);
	if (!cost || !m->joint_of_pair || !m->joint) return ossa_context_error(m->context)->status;
	for (size_t i = 0; i < m->graph.pair_count; i++) {
		m->joint_of_pair[i] = fit_joint(m, &m->graph.pairs[i]);
		cost[i] = pair_cost(m, &m->graph.pairs[i], &m->joint_of_pair[i]);
	}
	OSSAI_TRY(ossai_tree_make(m->arena, &m->graph, cost, ossai_tree_root(&m->surface, &m->graph), &m->tree));
	place_joints(m);
	return OSSA_OK;
}

/* ---- hierarchy ---- */

static double hold_of(const ossai_moving_work *m) { return OSSAI_JOINT_HOLD * (double)m->surface.used_count; }

/* Rotations alone, for the weights and joints that are there; the tree is searched from them. What moved the joints in the search
   were trees, good and bad: they begin anew in the tree that is left. */
static ossa_status bind_bones(ossai_moving_work *m, ossai_hierarchy *hierarchy)
{
	enum { SWEEPS = 3, NEWTON = 8 };
	ossai_moments moments;
	ossa_status status = ossai_moments_make(m->context, &m->surface, &m->fit.weights, &moments);
	if (status == OSSA_OK) status = ossai_hierarchy_fit(m->context, &moments, hierarchy, SWEEPS, NEWTON, &m->fit.motion);
	if (status == OSSA_OK && ossai_moving_refines(m)) {
		status = ossai_tree_search(
			m->context, &moments, &m->graph, m->joint_of_pair, &m->fit.motion, hold_of(m), tree_gain, &m->tree, m->joint);
		place_joints(m);
		if (status == OSSA_OK) status = ossai_hierarchy_fit(m->context, &moments, hierarchy, SWEEPS, NEWTON, &m->fit.motion);
	}
	ossai_moments_end(&moments);
	return status;
}

ossa_status ossai_moving_fit_hierarchy(ossai_moving_work *m)
{
	const size_t bones = m->fit.weights.bone_count;
	ossai_hierarchy hierarchy = {&m->tree, m->joint};
	OSSAI_TRY(ossai_fit_new(m->context, m->arena, &m->surface, bones, (size_t)m->options.influences, &m->free_fit));
	ossai_fit_copy(&m->fit, &m->free_fit);
	OSSAI_TRY(bind_bones(m, &hierarchy));
	if (!ossai_moving_refines(m)) return OSSA_OK;
	ossai_vec3 *anchor = ossai_arena_new(m->arena, bones, sizeof *anchor);
	if (!anchor) return ossa_context_error(m->context)->status;
	memcpy(anchor, m->joint, bones * sizeof *anchor);
	double error;
	return ossai_fit_alternate_hierarchy(
		&m->fit, &hierarchy, anchor, hold_of(m), m->options.refine, least_gain, m->options.local, &error);
}

/* ---- free bones ---- */

/* the hierarchy's motion is one of free bones too: where it fits better than what was found for them, it is theirs */
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
	if (!ossai_moving_refines(m) || ossai_moving_weighs_by_shape(m)) return OSSA_OK;
	OSSAI_TRY(ossai_fit_alternate(&m->free_fit, m->options.refine, least_gain_free, m->options.local));
	return keep_better(m);
}

/* ---- the rig ---- */

ossa_status ossai_moving_assemble(ossai_moving_work *m, ossa_rig **rig)
{
	const ossai_findings findings = {.method = m->method,
		.mesh = m->mesh,
		.frames = m->poses,
		.surface = &m->surface,
		.tree = &m->tree,
		.joint = m->joint,
		.joint_of_pair = m->joint_of_pair,
		.weights = &m->fit.weights,
		.motion = &m->fit.motion,
		.free_weights = &m->free_fit.weights,
		.free_motion = &m->free_fit.motion,
		.influences = m->options.influences};
	OSSAI_TRY(ossai_rig_assemble(m->context, &findings, rig));
	OSSAI_TRY(ossai_tell_idle_bones(m->arena, &m->surface, false, *rig));
	if (m->merges.count == 0) return OSSA_OK;
	(*rig)->merges = ossai_new(m->context, m->merges.count, sizeof *(*rig)->merges);
	if (!(*rig)->merges) return ossa_context_error(m->context)->status;
	memcpy((*rig)->merges, m->merges.merges, m->merges.count * sizeof *(*rig)->merges);
	(*rig)->merge_count = m->merges.count;
	return OSSA_OK;
}

ossa_status ossai_moving_run(ossai_moving_work *m, const char *name, ossai_moving_stage *stage)
{
	const ossa_status entered = ossai_stage_enter(m->context, name);
	return ossai_stage_leave(m->context, entered == OSSA_OK ? stage(m) : entered);
}
