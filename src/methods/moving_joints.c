/* methods/moving_joints.c: joints between bones that could be connected, and the tree of least
   cost.

   Place in the path: weights, motion of free bones -> skeleton/from_motion -> here -> hierarchy.
   Source: S. Schaefer, C. Yuksel, Example-Based Skeleton Extraction, SGP 2007: bones are connected
   by how much they blend.
   Departures, refined: bones are connected by how well a joint fits both; in directions that the
   motion does not determine, the joint is where the shape has it. */
#include "methods/moving.h"

#include "skeleton/from_motion/mirrored_graph.h"
#include "skeleton/from_motion/spanning_tree.h"

#include <string.h>

/* the share of the largest eigenvalue below which the paper's pseudo-inverse takes a direction as
   not determined by the motion */
static const double silent_share = 0.1;

/* lower is better */
typedef double pair_cost(const ossai_bone_pair *pair, const ossai_joint *joint);
typedef ossai_joint pair_joint(const ossai_bone_motion *motion, const ossai_bone_pair *pair);
typedef uint32_t root_bone(const ossai_moving_work *work);

/* ---- both ---- */

void ossai_moving_place_joints(ossai_moving_work *m)
{
	for (size_t b = 0; b < m->tree.bone_count; b++) {
		const uint32_t pair = m->tree.pair[b];
		m->joint[b] = pair == OSSA_NONE ? m->graph.center[b] : m->joint_of_pair[pair].position;
	}
}

/* where the rig is symmetric: the graph becomes so, and joints fit the mirrored poses too */
static ossa_status mirror_evidence(ossai_moving_work *m, ossai_bone_motion *motion)
{
	const ossai_symmetry *symmetry = m->surface.symmetry;
	const size_t poses = m->fit.motion.pose_count, bones = m->fit.motion.bone_count;
	*motion = m->fit.motion;
	if (!symmetry) return OSSA_OK;
	OSSAI_TRY(ossai_bone_graph_mirror(m->arena, symmetry, &m->graph));
	OSSAI_TRY(ossai_bone_motion_new(m->arena, bones, 2 * poses, motion));
	for (size_t b = 0; b < bones; b++)
		memcpy(motion->rigid + 2 * b * poses, m->fit.motion.rigid + b * poses, poses * sizeof *motion->rigid);
	ossai_mirrored_motion(symmetry, &m->fit.motion, poses, motion);
	return OSSA_OK;
}

static ossa_status join(ossai_moving_work *m, pair_joint *fit, pair_cost *cost_of, root_bone *root_of)
{
	const size_t bones = m->fit.weights.bone_count;
	OSSAI_TRY(ossai_bone_graph_make(m->arena, &m->surface, &m->fit.weights, m->options.area_weighting, &m->graph));
	ossai_bone_motion motion;
	OSSAI_TRY(mirror_evidence(m, &motion));
	double *cost = ossai_arena_new(m->arena, m->graph.pair_count, sizeof *cost);
	m->joint_of_pair = ossai_arena_new(m->arena, m->graph.pair_count, sizeof *m->joint_of_pair);
	m->joint = ossai_arena_new(m->arena, bones, sizeof *m->joint);
	if (!cost || !m->joint_of_pair || !m->joint) return ossa_context_error(m->context)->status;
	for (size_t i = 0; i < m->graph.pair_count; i++) m->joint_of_pair[i] = fit(&motion, &m->graph.pairs[i]);
	if (m->surface.symmetry) ossai_pair_joints_mirror(m->surface.symmetry, &m->graph, m->joint_of_pair);
	for (size_t i = 0; i < m->graph.pair_count; i++) cost[i] = cost_of(&m->graph.pairs[i], &m->joint_of_pair[i]);
	OSSAI_TRY(ossai_spanning_tree_make(m->arena, &m->graph, cost, root_of(m), m->surface.symmetry, &m->tree));
	ossai_moving_place_joints(m);
	return OSSA_OK;
}

/* ---- published ---- */

/* the mass that blends; pairs that touch without blending cost more than all that blend */
static double cost_of_blend(const ossai_bone_pair *pair, const ossai_joint *joint)
{
	(void)joint;
	return pair->mass > 0 ? -pair->mass : 1 / pair->contact;
}

static ossai_joint fit_published(const ossai_bone_motion *motion, const ossai_bone_pair *pair)
{
	return ossai_joint_fit(motion, pair->a, pair->b, pair->prior, silent_share);
}

/* the bone whose faces of the clustering have their center nearest that of the shape */
static uint32_t root_by_part(const ossai_moving_work *m)
{
	uint32_t best = 0;
	for (uint32_t b = 1; b < m->fit.weights.bone_count; b++) {
		if (m->off_center[b] < m->off_center[best]) best = b;
	}
	return best;
}

ossa_status ossai_moving_published_skeleton(ossai_moving_work *m)
{
	return join(m, fit_published, cost_of_blend, root_by_part);
}

/* ---- refined ---- */

static double cost_of_fit(const ossai_bone_pair *pair, const ossai_joint *joint)
{
	/* pairs that do not meet, of a mirrored graph, come after all that do */
	const double apart = pair->shared > 0 || pair->contact > 0 ? 0 : 1;
	return apart + joint->residual + OSSAI_JOINT_PRIOR_PRICE * joint->prior_distance;
}

static ossai_joint fit_refined(const ossai_bone_motion *motion, const ossai_bone_pair *pair)
{
	return ossai_joint_fit_soft(motion, pair->a, pair->b, pair->prior, OSSAI_JOINT_DOUBT, OSSAI_JOINT_NOISE);
}

/* the bone whose own vertices have their center nearest that of the shape: refined bones are no
   longer clusters */
static uint32_t root_by_patch(const ossai_moving_work *m) { return ossai_spanning_tree_root(&m->surface, &m->graph); }

ossa_status ossai_moving_refined_skeleton(ossai_moving_work *m) { return join(m, fit_refined, cost_of_fit, root_by_patch); }
