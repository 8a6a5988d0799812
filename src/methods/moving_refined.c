/* methods/moving_refined.c: the stages for moving input where they go past the papers.

   Place in the path: parts -> motion/ -> here -> the rig.
   Departures, and why:
   - begin with more bones than wanted and prune those that are missed least: the start decides the minimum that is found;
   - alternate weights and bones (Le & Deng 2012, 2014) on a few moments instead of all vertices;
   - choose the parent of each bone so that the whole tree fits best;
   - refit weights, joints and rotations of a hierarchy of constant bone lengths together.
   Lengths are shares of the rest's diagonal; see docs/examples.md for how each constant was found. */
#include "methods/moving.h"

#include "motion/prune.h"
#include "motion/tree_search.h"

#include <string.h>

/* rounds: of weights and bones spreading from the clusters; before pruning; after each removal; after it, with free and
   with connected supports. The last are what joints are found from: bones that have settled meet in better places. */
enum { SPREAD_ROUNDS = 4, SETTLE_ROUNDS = 4, PRUNE_ROUNDS = 2, FREE_ROUNDS = 4, LOCAL_ROUNDS = 12 };
/* a refinement ends with a round that changes the RMS by less than this share of it */
static const double least_gain = 1e-3, least_gain_free = 4e-3;
/* a bone gets another parent where that lowers the squared error by this share */
static const double tree_gain = 0.01;

/* ---- weights ---- */

ossa_status ossai_moving_spread_weights(ossai_moving_work *m)
{
	OSSAI_TRY(ossai_moving_begin_weights(m));
	return ossai_fit_alternate(&m->fit, SPREAD_ROUNDS, 0, false);
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
	OSSAI_TRY(ossai_fit_alternate(&m->fit, SETTLE_ROUNDS, 0, false));
	OSSAI_TRY(prune(m));
	OSSAI_TRY(ossai_fit_alternate(&m->fit, FREE_ROUNDS, 0, false));
	OSSAI_TRY(ossai_fit_alternate(&m->fit, LOCAL_ROUNDS, 0, m->options.local));
	return ossai_moving_drop_idle(m);
}

/* ---- hierarchy ---- */

static double hold_of(const ossai_moving_work *m) { return OSSAI_JOINT_HOLD * (double)m->surface.used_count; }

/* Rotations alone, for the weights and joints that are there; the tree is searched from them. What moved the joints in the search
   were trees, good and bad: they begin again in the tree that is left. */
static ossa_status search_tree(ossai_moving_work *m)
{
	ossai_moments moments;
	ossai_bone_motion *motion = &m->fit.motion;
	ossai_hierarchy hierarchy = {&m->tree, m->joint};
	ossa_status status = ossai_moments_make(m->context, &m->surface, &m->fit.weights, &moments);
	if (status == OSSA_OK) {
		status = ossai_hierarchy_fit(m->context, &moments, &hierarchy, OSSAI_MOVING_SWEEPS, OSSAI_MOVING_NEWTON_STEPS, motion);
	}
	if (status == OSSA_OK) {
		status = ossai_tree_search(
			m->context, &moments, &m->graph, m->joint_of_pair, motion, hold_of(m), tree_gain, &m->tree, m->joint);
		ossai_moving_place_joints(m);
	}
	if (status == OSSA_OK) {
		status = ossai_hierarchy_fit(m->context, &moments, &hierarchy, OSSAI_MOVING_SWEEPS, OSSAI_MOVING_NEWTON_STEPS, motion);
	}
	ossai_moments_end(&moments);
	return status;
}

ossa_status ossai_moving_refined_hierarchy(ossai_moving_work *m)
{
	const size_t bones = m->fit.weights.bone_count;
	ossai_hierarchy hierarchy = {&m->tree, m->joint};
	OSSAI_TRY(ossai_moving_keep_free(m));
	OSSAI_TRY(search_tree(m));
	ossai_vec3 *anchor = ossai_arena_new(m->arena, bones, sizeof *anchor);
	if (!anchor) return ossa_context_error(m->context)->status;
	memcpy(anchor, m->joint, bones * sizeof *anchor);
	double error;
	m->has_free_weights = true;
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
	if (!m->has_free_weights) return OSSA_OK;
	OSSAI_TRY(ossai_fit_alternate(&m->free_fit, m->options.refine, least_gain_free, m->options.local));
	return keep_better(m);
}
