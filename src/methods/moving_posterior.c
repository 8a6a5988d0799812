/* methods/moving_posterior.c: joints of a tree at their posterior: by the motion of free bones and
   by the limbs' cross sections.

   Place in the path: the tree, free bones -> skeleton/from_motion -> here -> hierarchy. */
#include "methods/moving.h"

#include "skeleton/from_motion/joint_posterior.h"
#include "weights/symmetry.h"

/* where the shape has the joint without a section: between the patches, else where it is */
static ossa_status find_priors(ossai_moving_work *m, ossai_arena *scratch, ossai_joint_prior *prior)
{
	ossai_vec3 *shape = ossai_arena_new(scratch, m->tree.bone_count, sizeof *shape);
	if (!shape) return ossa_context_error(m->context)->status;
	for (size_t b = 0; b < m->tree.bone_count; b++) {
		const uint32_t pair = m->tree.pair[b];
		shape[b] = pair == OSSA_NONE ? m->joint[b] : m->graph.pairs[pair].prior;
	}
	return ossai_joint_priors_make(m->context, &m->surface, &m->free_fit.weights, &m->tree, shape, OSSAI_JOINT_DOUBT, prior);
}

/* both sides of a symmetric rig say where a pair of joints is */
static void share_sides(ossai_moving_work *m)
{
	const ossai_symmetry *symmetry = m->surface.symmetry;
	if (!symmetry) return;
	ossai_share_joints(symmetry, m->tree.bone_count, m->joint);
	for (uint32_t b = 0; b < m->tree.bone_count; b++) {
		const uint32_t other = ossai_image_of(symmetry, b);
		if (other > b) m->deviation[b] = m->deviation[other] = 0.5 * (m->deviation[b] + m->deviation[other]);
	}
}

static ossa_status find_joints(ossai_moving_work *m, ossai_arena *scratch)
{
	const size_t n = m->tree.bone_count;
	const ossai_bone_motion *motion = &m->free_fit.motion;
	ossai_joint_prior *prior = ossai_arena_new(scratch, n, sizeof *prior);
	ossai_bone_core *core = ossai_arena_new(scratch, n, sizeof *core);
	m->deviation = ossai_arena_zero(m->arena, n, sizeof *m->deviation);
	if (!prior || !core || !m->deviation) return ossa_context_error(m->context)->status;
	OSSAI_TRY(find_priors(m, scratch, prior));
	OSSAI_TRY(ossai_bone_cores_make(scratch, &m->surface, &m->free_fit.weights, motion, core));
	for (uint32_t b = 0; b < n; b++) {
		if (m->tree.parent[b] == OSSA_NONE || !(core[b].weight > 0) || !(core[m->tree.parent[b]].weight > 0)) continue;
		const ossai_joint_posterior found = ossai_joint_posterior_find(motion, core, m->tree.parent[b], b, &prior[b]);
		m->joint[b] = found.mean;
		m->deviation[b] = sqrt(found.covariance[0] + found.covariance[4] + found.covariance[8]);
	}
	share_sides(m);
	return OSSA_OK;
}

ossa_status ossai_moving_expect_joints(ossai_moving_work *m)
{
	ossai_arena scratch = ossai_arena_begin(m->context);
	const ossa_status status = find_joints(m, &scratch);
	ossai_arena_end(&scratch);
	return status;
}
