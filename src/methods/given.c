/* methods/given.c: weights and joints for bones that are given.

   Input: a rig whose bones are right, frames of its mesh.
   Output: the rig, whose weights and joints reproduce the frames best.
   Source: as motion/refine.h: weights and motion in turn. Departure: bones of a given skeleton
   are not where the motion would put them, so a vertex may begin far from its bone, or in a
   piece of the mesh that its bone does not reach from neighbours. After the rounds have
   converged every vertex may take bones from anywhere, and the rounds begin again. */
#include "methods/given.h"

#include "base/options.h"
#include "rig/clip_morphs.h"
#include "rig/join_rigs.h"
#include "scene/mesh.h"
#include "skeleton/from_motion/joints.h"

/* the rotations that weights are first solved for */
enum { SWEEPS = 3, NEWTON_STEPS = 8 };
/* a refinement ends when a round changes the RMS by less than this share of it */
static const double least_gain = 1e-3;

/* ---- the fit ---- */

ossa_status ossai_given_fit_rotations(ossai_given *g, double *error)
{
	ossai_moments moments;
	const ossai_hierarchy hierarchy = {&g->tree, g->joint, NULL};
	ossa_status status = ossai_moments_make(g->context, &g->surface, &g->fit.weights, &moments);
	if (status == OSSA_OK && g->options->motion) {
		status = ossai_hierarchy_fit_some(g->context, &moments, &hierarchy, NULL, SWEEPS, NEWTON_STEPS, &g->fit.motion);
	}
	if (status == OSSA_OK) *error = ossai_moments_error(&moments, &g->fit.motion);
	ossai_moments_end(&moments);
	return status;
}

/* The price of leaving the known weights is that of the error that is left, as long as this is more
   than noise: what the motion says is not believed before bones and weights agree. */
static void follow_error(ossai_given *g) { g->prior.price = ossai_fit_price(&g->fit, g->error); }

/* the motion stays: weights alone, as far as they spread */
static ossa_status alternate_still(ossai_given *g)
{
	double before = INFINITY;
	for (int round = 0; round < g->options->refine && (round < 2 || before - g->error > 2 * least_gain * g->error); round++) {
		before = g->error;
		follow_error(g);
		OSSAI_TRY(ossai_fit_weights(&g->fit, NULL, NULL));
		OSSAI_TRY(ossai_fit_error(&g->fit, &g->error));
		OSSAI_TRY(ossai_progress(g->context, (double)round / g->options->refine));
	}
	return OSSA_OK;
}

static ossai_joint_rules rules_of(const ossai_given *g)
{
	return (ossai_joint_rules){g->movable, g->anchor, OSSAI_JOINT_HOLD * (double)g->surface.used_count};
}

static ossa_status alternate(ossai_given *g)
{
	ossai_hierarchy hierarchy = {&g->tree, g->joint, NULL};
	const ossai_joint_rules joints = rules_of(g);
	const bool has_helpers = g->tree.bone_count > g->given_count;
	const ossai_joint_rules *moved = g->options->joints || has_helpers ? &joints : NULL;
	if (!g->options->motion) return alternate_still(g);
	g->rounds = ossai_rounds_begin();
	while (g->rounds.done < g->options->refine && !g->rounds.has_converged) {
		follow_error(g);
		OSSAI_TRY(ossai_fit_alternate_hierarchy(
			&g->fit, &hierarchy, moved, g->rounds.done + 1, least_gain, g->options->local, &g->rounds));
		g->error = g->rounds.error;
	}
	return OSSA_OK;
}

static ossa_status connect(ossai_given *g) { return g->options->local ? ossai_fit_connect(&g->fit) : OSSA_OK; }

ossa_status ossai_given_solve_weights(ossai_given *g, double *error)
{
	g->error = *error;
	OSSAI_TRY(alternate(g));
	for (int time = 0; time < OSSAI_FAR_TIMES; time++) {
		ossai_plan_window(g->context, (time + 1.0) / (OSSAI_FAR_TIMES + 1), (time + 2.0) / (OSSAI_FAR_TIMES + 1));
		OSSAI_TRY(ossai_fit_far_weights(&g->fit, OSSAI_FAR_BONES));
		OSSAI_TRY(connect(g));
		OSSAI_TRY(alternate(g));
	}
	OSSAI_TRY(connect(g));
	return ossai_given_fit_rotations(g, error);
}

/* joints and rotations for weights that stay */
static ossa_status solve_joints(ossai_given *g)
{
	ossai_hierarchy hierarchy = {&g->tree, g->joint, NULL};
	const ossai_joint_rules joints = rules_of(g);
	return ossai_fit_joints(&g->fit, &hierarchy, &joints, g->options->refine, least_gain, &g->rounds);
}

static double percent_of(const ossai_given *g, double error)
{
	return 100 * sqrt(error / ((double)g->surface.used_count * (double)g->surface.pose_count)) / g->surface.diagonal;
}

static ossa_status solve(ossai_given *g, ossa_frame_stream *stream, ossa_fit_facts *facts)
{
	double error;
	OSSAI_TRY(ossai_given_load(g, stream));
	OSSAI_TRY(ossai_given_fit_rotations(g, &error));
	facts->key_frame_count = g->frames->frame_count;
	facts->before_percent = facts->rms_percent = percent_of(g, error);
	g->error = error;
	if (g->options->weights) OSSAI_TRY(ossai_given_solve_weights(g, &error));
	else if (g->options->joints && g->options->motion) OSSAI_TRY(solve_joints(g));
	if (g->options->add_bones > 0) OSSAI_TRY(ossai_given_add_bones(g, &error));
	OSSAI_TRY(ossai_given_fit_rotations(g, &error));
	facts->added_bones = g->tree.bone_count - g->given_count;
	facts->rms_percent = percent_of(g, error);
	return ossai_given_store(g, facts);
}

/* they were for what other weights leave */
static void drop_shapes(ossa_context *context, ossa_rig *rig)
{
	const size_t shapes = ossai_morphs_driven(rig->mesh);
	if (shapes == 0) return;
	ossai_warn(context, "shapes-left-out", (int64_t)shapes,
		"corrective shapes are for the weights and joints that the rig had: it goes without");
	ossai_rig_drop_shapes(context, rig);
}

ossa_status ossa_rig_fit_weights(ossa_context *context, ossa_rig *rig, ossa_frame_stream *stream,
	const ossa_fit_options *options, const ossa_fit_locks *locks, ossa_fit_facts *facts)
{
	static const ossa_fit_locks none = {0};
	ossa_fit_facts own;
	OSSAI_NEED(context, rig, stream);
	const ossa_fit_options used = options ? *options : ossa_fit_default();
	OSSAI_TRY(ossa_options_check(context, ossa_fit_option_table(), &used));
	if (!facts) facts = &own;
	*facts = (ossa_fit_facts){0};
	if (used.add_bones > 0 && !(used.weights && used.motion)) {
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "`add-bones` needs `weights` and `motion`: new bones have neither");
	}
	if (used.joints || (used.weights && used.motion)) OSSAI_TRY(ossai_rig_check_one_tree(context, rig));
	ossai_arena arena = ossai_arena_begin(context);
	ossai_given given = {.context = context, .arena = &arena, .rig = rig, .options = &used, .locks = locks ? locks : &none};
	ossai_stage_begin(context, "weights");
	given.helpers = ossai_arena_begin(context);
	const ossa_status status = solve(&given, stream, facts);
	ossai_stage_end(context);
	ossa_frames_free(context, given.frames);
	ossai_arena_end(&given.helpers);
	ossai_arena_end(&arena);
	if (status == OSSA_OK) drop_shapes(context, rig);
	return status;
}
