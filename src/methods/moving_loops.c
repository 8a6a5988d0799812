/* methods/moving_loops.c: joints that the tree leaves out.

   Place in the path: tree, free bones -> skeleton/from_motion -> here -> the rig's loops. */
#include "methods/moving.h"

#include "skeleton/from_motion/pair_priors.h"

static ossa_status find_loops(ossai_moving_work *m, ossai_arena *scratch)
{
	const ossai_bone_weights *weights = &m->free_fit.weights;
	ossai_bone_graph graph;
	OSSAI_TRY(ossai_bone_graph_make(scratch, &m->surface, weights, m->options.area_weighting, &graph));
	ossai_joint_prior *prior = ossai_arena_new(scratch, graph.pair_count, sizeof *prior);
	ossai_bone_core *core = ossai_arena_new(scratch, m->tree.bone_count, sizeof *core);
	const double *size = ossai_bone_sizes(scratch, &m->surface, weights);
	if (!prior || !core || !size) return ossa_context_error(m->context)->status;
	OSSAI_TRY(ossai_pair_priors_make(m->context, &m->surface, weights, &graph, OSSAI_JOINT_DOUBT, prior));
	OSSAI_TRY(ossai_bone_cores_make(scratch, &m->surface, weights, &m->free_fit.motion, core));
	const ossai_loop_search search = {&m->surface, &m->free_fit.motion, core, size, &graph, prior, &m->tree};
	return ossai_loop_joints_find(m->arena, &search, &m->loops, &m->loop_count);
}

ossa_status ossai_moving_find_loops(ossai_moving_work *m)
{
	if (m->options.is_face) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(m->context);
	const ossa_status status = find_loops(m, &scratch);
	ossai_arena_end(&scratch);
	return status;
}
