/* methods/moving_outline.c: the refined outline of the methods for motion, examples and sequence:
   they differ in the parts that they begin with.

   Place in the path: the stages of moving.h -> here -> examples, sequence, draft. */
#include "methods/moving.h"

#include "methods/moving_symmetry.h"

/* the stages with their usual shares of the time */
#define DRAFT_STEPS                                                                                                            \
	{"prepare", 2}, {"coarsen", 2}, {"parts", 16}, {"weights", 5}, {"refine", 20}, { "skeleton", 3 }
#define FINISH_STEPS                                                                                                           \
	{"plan", 6}, {"all vertices", 8}, {"weights by shape", 2}, { "free bones", 8 }

const ossai_plan_step ossai_moving_draft_plan[] = {DRAFT_STEPS, {"hierarchy", 10}, {"exchange", 10}, {NULL, 0}};
const ossai_plan_step ossai_moving_finish_plan[] = {
	{"exchange", 25}, {"symmetry", 20}, {"hierarchy", 12}, FINISH_STEPS, {NULL, 0}};
const ossai_plan_step ossai_moving_refined_plan[] = {
	DRAFT_STEPS, {"hierarchy", 10}, {"exchange", 25}, {"symmetry", 20}, {"hierarchy", 12}, FINISH_STEPS, {NULL, 0}};

ossa_status ossai_moving_find_surfaces(ossai_moving_work *m, const ossai_moving_work *earlier)
{
	if (earlier && ossai_moving_can_share(m, earlier)) return ossai_moving_share(m, earlier);
	OSSAI_TRY(OSSAI_STAGE(m->context, "prepare", ossai_moving_refined_prepare(m)));
	return OSSAI_STAGE(m->context, "coarsen", ossai_moving_coarsen(m));
}

/* Bones are exchanged again and again, and the draft of the least energy stays. That of the free
   bones would not tell: it says little of the hierarchy's. */
static ossa_status exchange(ossai_moving_work *m, int times)
{
	ossai_moving_work next = *m;
	if (times == 0 || m->options.is_face) return OSSA_OK;
	for (int time = 0; time < times; time++) {
		OSSAI_TRY(ossai_moving_exchange_bones(&next));
		OSSAI_TRY(ossai_moving_refined_skeleton(&next));
		OSSAI_TRY(ossai_moving_draft_hierarchy(&next));
		if (ossai_moving_energy(&next) < ossai_moving_energy(m)) *m = next;
	}
	m->fit.surface = m->free_fit.surface = &m->surface;
	return ossai_moving_search_again(m);
}

ossa_status ossai_moving_run_draft(ossai_moving_work *m)
{
	ossa_context *context = m->context;
	OSSAI_TRY(OSSAI_STAGE(context, "parts", ossai_moving_refined_parts(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "weights", ossai_moving_spread_weights(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "refine", ossai_moving_refine(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "skeleton", ossai_moving_refined_skeleton(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "hierarchy", ossai_moving_draft_hierarchy(m)));
	if (m->options.draft_exchanges == 0) return OSSA_OK;
	return OSSAI_STAGE(context, "exchange", exchange(m, m->options.draft_exchanges));
}

ossa_status ossai_moving_finish(ossai_moving_work *m, ossa_rig **rig)
{
	ossa_context *context = m->context;
	OSSAI_TRY(OSSAI_STAGE(context, "exchange", exchange(m, m->options.exchanges)));
	OSSAI_TRY(OSSAI_STAGE(context, "symmetry", ossai_moving_symmetrize(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "hierarchy", ossai_moving_refined_hierarchy(m)));
	if (m->plan) OSSAI_TRY(OSSAI_STAGE(context, "plan", ossai_moving_take_plan(m)));
	OSSAI_TRY(OSSAI_STAGE(context, "all vertices", ossai_moving_refine_all(m)));
	if (ossai_moving_weighs_by_shape(m)) OSSAI_TRY(OSSAI_STAGE(context, "weights by shape", ossai_moving_refined_reweigh(m)));
	OSSAI_TRY(ossai_moving_drop_ends(m));
	OSSAI_TRY(OSSAI_STAGE(context, "free bones", ossai_moving_refine_free(m)));
	OSSAI_TRY(ossai_moving_find_loops(m));
	OSSAI_TRY(ossai_moving_assemble(m, rig));
	ossai_moving_name(m, *rig);
	return OSSA_OK;
}

ossa_status ossai_moving_run_refined(ossai_moving_work *m, ossa_rig **rig)
{
	OSSAI_TRY(ossai_moving_find_surfaces(m, NULL));
	OSSAI_TRY(ossai_moving_run_draft(m));
	return ossai_moving_finish(m, rig);
}
