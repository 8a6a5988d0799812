/* methods/moving_outline.c: the refined outline of the methods for motion, examples and sequence:
   they differ in the parts that they begin with.

   Place in the path: the stages of moving.h -> here -> examples, sequence. */
#include "methods/moving.h"

const ossai_plan_step ossai_moving_refined_plan[] = {{"prepare", 2}, {"coarsen", 2}, {"parts", 12}, {"weights", 5},
	{"refine", 38}, {"skeleton", 1}, {"hierarchy", 22}, {"all vertices", 8}, {"weights by shape", 2}, {"free bones", 8},
	{NULL, 0}};

ossa_status ossai_moving_run_refined(ossai_moving_work *m, ossa_rig **rig)
{
	ossa_context *context = m->context;
	OSSAI_TRY(OSSAI_STAGE(context, "prepare", ossai_moving_prepare(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "coarsen", ossai_moving_coarsen(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "parts", ossai_moving_refined_parts(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "weights", ossai_moving_spread_weights(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "refine", ossai_moving_refine(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "skeleton", ossai_moving_refined_skeleton(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "hierarchy", ossai_moving_refined_hierarchy(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "all vertices", ossai_moving_refine_all(m)));
	if (ossai_moving_weighs_by_shape(m)) OSSAI_TRY(OSSAI_STAGE(context, "weights by shape", ossai_moving_refined_reweigh(m)));
	OSSAI_TRY(ossai_moving_drop_ends(m));
	OSSAI_TRY(OSSAI_STAGE(context, "free bones", ossai_moving_refine_free(m)));
	return ossai_moving_assemble(m, rig);
}
