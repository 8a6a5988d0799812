/* methods/recipe.c: see recipe.h.

   Place in the path: between the stages' own folders and the methods.
   What goes past the papers, and why:
   - begin with more bones than wanted and prune those that are missed least: the start decides the minimum that is found;
   - alternate weights and bones (Le & Deng 2012, 2014) on a few moments instead of all vertices;
   - join bones by how well a joint fits both, not by how much they blend, and hang them where the whole tree fits best;
   - believe a joint's motion as far as it speaks, else the shape;
   - refit weights, joints and rotations of a hierarchy of constant bone lengths together. */
#include "methods/recipe.h"

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

ossa_status ossai_recipe_prepare(ossai_recipe *r)
{
	OSSAI_TRY(ossai_posed_surface_make(r->context, r->arena, r->mesh, r->poses, r->options.link_pieces, &r->surface));
	return ossai_recipe_tell_poses(r);
}

/* ---- weights ---- */

ossa_status ossai_recipe_spread_weights(ossai_recipe *r)
{
	ossai_fit *fit = &r->fit;
	OSSAI_TRY(ossai_fit_new(r->context, r->arena, &r->surface, r->part_count, (size_t)r->options.influences, fit));
	ossai_bone_weights_from_clusters(&r->surface, r->part_of_face, &fit->weights);
	OSSAI_TRY(ossai_bone_motion_from_clusters(r->context, &r->surface, r->part_of_face, &fit->motion));
	return ossai_recipe_refines(r) ? ossai_fit_alternate(fit, SPREAD_ROUNDS, 0, false) : OSSA_OK;
}

/* ---- refine ---- */

/* to the number asked for or that the tolerance needs, or to bones that are each worth it */
static ossa_status prune(ossai_recipe *r)
{
	if (r->options.bones > 0 || r->options.tolerance > 0) return ossai_fit_prune(&r->fit, r->bones, 0, PRUNE_ROUNDS);
	const double worth = r->options.worth / 100;
	const double least = worth * worth * (double)r->surface.used_count * (double)r->surface.pose_count;
	return ossai_fit_prune(&r->fit, worth > 0 ? 1 : r->bones, least, PRUNE_ROUNDS);
}

ossa_status ossai_recipe_refine(ossai_recipe *r)
{
	if (ossai_recipe_refines(r)) {
		OSSAI_TRY(ossai_fit_alternate(&r->fit, SETTLE_ROUNDS, 0, false));
		OSSAI_TRY(prune(r));
		OSSAI_TRY(ossai_fit_alternate(&r->fit, FREE_ROUNDS, 0, false));
		OSSAI_TRY(ossai_fit_alternate(&r->fit, LOCAL_ROUNDS, 0, r->options.local));
	}
	return ossai_fit_drop_idle(&r->fit, &r->dropped);
}

/* ---- skeleton ---- */

/* lower is better: the paper's blend mass, or how well a joint fits */
static double pair_cost(const ossai_recipe *r, const ossai_bone_pair *pair, const ossai_joint *joint)
{
	if (ossai_recipe_refines(r)) return joint->residual + OSSAI_JOINT_PRIOR_PRICE * joint->prior_distance;
	/* pairs that only touch come after all that blend */
	return pair->mass > 0 ? -pair->mass : 1 / pair->contact;
}

static ossai_joint fit_joint(const ossai_recipe *r, const ossai_bone_pair *pair)
{
	const ossai_bone_motion *motion = &r->fit.motion;
	if (ossai_recipe_refines(r))
		return ossai_joint_fit_soft(motion, pair->a, pair->b, pair->prior, OSSAI_JOINT_DOUBT, OSSAI_JOINT_NOISE);
	return ossai_joint_fit(motion, pair->a, pair->b, pair->prior, silent_share);
}

/* every joint where its own two bones want it */
static void place_joints(ossai_recipe *r)
{
	for (size_t b = 0; b < r->tree.bone_count; b++) {
		const uint32_t pair = r->tree.pair[b];
		r->joint[b] = pair == OSSA_NONE ? r->graph.center[b] : r->joint_of_pair[pair].position;
	}
}

ossa_status ossai_recipe_join(ossai_recipe *r)
{
	const size_t bones = r->fit.weights.bone_count;
	OSSAI_TRY(ossai_bone_graph_make(r->arena, &r->surface, &r->fit.weights, r->options.area_weighting, &r->graph));
	double *cost = ossai_arena_new(r->arena, r->graph.pair_count, sizeof *cost);
	r->joint_of_pair = ossai_arena_new(r->arena, r->graph.pair_count, sizeof *r->joint_of_pair);
	r->joint = ossai_arena_new(r->arena, bones, sizeof *r->joint);
	if (!cost || !r->joint_of_pair || !r->joint) return ossa_context_error(r->context)->status;
	for (size_t i = 0; i < r->graph.pair_count; i++) {
		r->joint_of_pair[i] = fit_joint(r, &r->graph.pairs[i]);
		cost[i] = pair_cost(r, &r->graph.pairs[i], &r->joint_of_pair[i]);
	}
	OSSAI_TRY(ossai_tree_make(r->arena, &r->graph, cost, ossai_tree_root(&r->surface, &r->graph), &r->tree));
	place_joints(r);
	return OSSA_OK;
}

/* ---- hierarchy ---- */

static double hold_of(const ossai_recipe *r) { return OSSAI_JOINT_HOLD * (double)r->surface.used_count; }

/* Rotations alone, for the weights and joints that are there; the tree is searched from them. What moved the joints in the search
   were trees, good and bad: they begin anew in the tree that is left. */
static ossa_status bind_bones(ossai_recipe *r, ossai_hierarchy *hierarchy)
{
	enum { SWEEPS = 3, NEWTON = 8 };
	ossai_moments moments;
	ossa_status status = ossai_moments_make(r->context, &r->surface, &r->fit.weights, &moments);
	if (status == OSSA_OK) status = ossai_hierarchy_fit(r->context, &moments, hierarchy, SWEEPS, NEWTON, &r->fit.motion);
	if (status == OSSA_OK && ossai_recipe_refines(r)) {
		status = ossai_tree_search(
			r->context, &moments, &r->graph, r->joint_of_pair, &r->fit.motion, hold_of(r), tree_gain, &r->tree, r->joint);
		place_joints(r);
		if (status == OSSA_OK) status = ossai_hierarchy_fit(r->context, &moments, hierarchy, SWEEPS, NEWTON, &r->fit.motion);
	}
	ossai_moments_end(&moments);
	return status;
}

ossa_status ossai_recipe_fit_hierarchy(ossai_recipe *r)
{
	const size_t bones = r->fit.weights.bone_count;
	ossai_hierarchy hierarchy = {&r->tree, r->joint};
	OSSAI_TRY(ossai_fit_new(r->context, r->arena, &r->surface, bones, (size_t)r->options.influences, &r->free_fit));
	ossai_fit_copy(&r->fit, &r->free_fit);
	OSSAI_TRY(bind_bones(r, &hierarchy));
	if (!ossai_recipe_refines(r)) return OSSA_OK;
	ossai_vec3 *anchor = ossai_arena_new(r->arena, bones, sizeof *anchor);
	if (!anchor) return ossa_context_error(r->context)->status;
	memcpy(anchor, r->joint, bones * sizeof *anchor);
	double error;
	return ossai_fit_alternate_hierarchy(
		&r->fit, &hierarchy, anchor, hold_of(r), r->options.refine, least_gain, r->options.local, &error);
}

/* ---- free bones ---- */

/* the hierarchy's motion is one of free bones too: where it fits better than what was found for them, it is theirs */
static ossa_status keep_better(ossai_recipe *r)
{
	double free_error, bound_error;
	OSSAI_TRY(ossai_fit_error(&r->free_fit, &free_error));
	OSSAI_TRY(ossai_fit_error(&r->fit, &bound_error));
	if (bound_error < free_error) ossai_fit_copy(&r->fit, &r->free_fit);
	return OSSA_OK;
}

ossa_status ossai_recipe_refine_free(ossai_recipe *r)
{
	if (!ossai_recipe_refines(r) || ossai_recipe_weighs_by_shape(r)) return OSSA_OK;
	OSSAI_TRY(ossai_fit_alternate(&r->free_fit, r->options.refine, least_gain_free, r->options.local));
	return keep_better(r);
}

/* ---- the rig ---- */

ossa_status ossai_recipe_assemble(ossai_recipe *r, ossa_rig **rig)
{
	const ossai_findings findings = {.method = r->method,
		.mesh = r->mesh,
		.frames = r->poses,
		.surface = &r->surface,
		.tree = &r->tree,
		.joint = r->joint,
		.joint_of_pair = r->joint_of_pair,
		.weights = &r->fit.weights,
		.motion = &r->fit.motion,
		.free_weights = &r->free_fit.weights,
		.free_motion = &r->free_fit.motion,
		.influences = r->options.influences};
	OSSAI_TRY(ossai_rig_assemble(r->context, &findings, rig));
	OSSAI_TRY(ossai_recipe_tell_idle(r, *rig));
	if (r->merges.count == 0) return OSSA_OK;
	(*rig)->merges = ossai_new(r->context, r->merges.count, sizeof *(*rig)->merges);
	if (!(*rig)->merges) return ossa_context_error(r->context)->status;
	memcpy((*rig)->merges, r->merges.merges, r->merges.count * sizeof *(*rig)->merges);
	(*rig)->merge_count = r->merges.count;
	return OSSA_OK;
}

ossa_status ossai_recipe_run(ossai_recipe *r, const char *name, ossai_recipe_stage stage)
{
	ossai_stage_begin(r->context, name);
	ossa_status status = ossai_progress(r->context, 0);
	if (status == OSSA_OK) status = stage(r);
	ossai_stage_end(r->context);
	return status;
}

ossa_status ossai_recipe_make(ossai_recipe *r, const ossai_plan_step *plan, size_t plan_count,
	ossa_status (*run)(ossai_recipe *recipe, ossa_rig **rig), ossa_rig **rig)
{
	ossai_arena arena = ossai_arena_begin(r->context);
	r->arena = &arena;
	ossai_plan(r->context, plan, plan_count);
	const ossa_status status = run(r, rig);
	ossai_plan(r->context, NULL, 0);
	ossai_arena_end(&arena);
	r->arena = NULL;
	if (status != OSSA_OK) {
		ossa_rig_free(r->context, *rig);
		*rig = NULL;
	}
	return status;
}
