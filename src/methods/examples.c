/* methods/examples.c: a rig from example poses.

   In: a rest mesh and poses of the same vertices.  Out: a rig with one keyframe per pose.
   Source: S. Schaefer, C. Yuksel, Example-Based Skeleton Extraction, SGP 2007: cluster faces by rigid error, solve weights, keep
   them local, span a tree, root it, place joints. With `refine` 0 that is all, but for the hierarchy's rotations, which the
   paper leaves to the animator. What goes beyond it is told in moving_refined.c. */
#include <ossa/examples.h>

#include "methods/moving.h"

/* names as they are shown, with their usual share of the time */
static const ossai_plan_step published_plan[] = {
	{"prepare", 5}, {"parts", 40}, {"weights", 40}, {"skeleton", 3}, {"hierarchy", 10}, {"weights by shape", 2}};

static ossa_status run_published(ossai_moving_work *m, ossa_rig **rig)
{
	OSSAI_TRY(ossai_moving_run(m, "prepare", ossai_moving_prepare));
	OSSAI_TRY(ossai_moving_run(m, "parts", ossai_moving_published_parts));
	OSSAI_TRY(ossai_moving_run(m, "weights", ossai_moving_published_weights));
	OSSAI_TRY(ossai_moving_run(m, "skeleton", ossai_moving_published_skeleton));
	OSSAI_TRY(ossai_moving_run(m, "hierarchy", ossai_moving_published_hierarchy));
	if (ossai_moving_weighs_by_shape(m)) OSSAI_TRY(ossai_moving_run(m, "weights by shape", ossai_moving_published_reweigh));
	OSSAI_TRY(ossai_moving_drop_ends(m));
	return ossai_moving_assemble(m, rig);
}

static const ossai_plan_step refined_plan[] = {{"prepare", 2}, {"parts", 15}, {"weights", 5}, {"refine", 40}, {"skeleton", 1},
	{"hierarchy", 25}, {"weights by shape", 1}, {"free bones", 12}};

static ossa_status run_refined(ossai_moving_work *m, ossa_rig **rig)
{
	OSSAI_TRY(ossai_moving_run(m, "prepare", ossai_moving_prepare));
	OSSAI_TRY(ossai_moving_run(m, "parts", ossai_moving_refined_parts));
	OSSAI_TRY(ossai_moving_run(m, "weights", ossai_moving_spread_weights));
	OSSAI_TRY(ossai_moving_run(m, "refine", ossai_moving_refine));
	OSSAI_TRY(ossai_moving_run(m, "skeleton", ossai_moving_refined_skeleton));
	OSSAI_TRY(ossai_moving_run(m, "hierarchy", ossai_moving_refined_hierarchy));
	if (ossai_moving_weighs_by_shape(m)) OSSAI_TRY(ossai_moving_run(m, "weights by shape", ossai_moving_refined_reweigh));
	OSSAI_TRY(ossai_moving_drop_ends(m));
	OSSAI_TRY(ossai_moving_run(m, "free bones", ossai_moving_refine_free));
	return ossai_moving_assemble(m, rig);
}

static void tell_unused(ossa_context *context, const ossa_examples_options *o)
{
	static const char *const of_faces = "seeds merge no faces: `parts clusters`";
	const ossa_examples_options usual = ossa_examples_default();
	const bool has_seeds = o->parts == OSSA_PARTS_SPECTRAL;
	const char *const of_number = o->bones > 0 ? "a number of bones is given"
		: o->tolerance > 0                     ? "a tolerance is given"
											   : "the paper removes none: `tolerance`";
	const ossai_unused options[] = {{"tolerance", o->tolerance > 0 && has_seeds, of_faces},
		{"lloyd", o->lloyd > 0 && has_seeds, of_faces},
		{"worth", o->worth != usual.worth && (o->bones > 0 || o->tolerance > 0 || o->refine == 0), of_number},
		{"area-weighting", o->area_weighting && o->refine > 0,
			"only the paper joins bones by how much they blend: `refine 0`"}};
	ossai_tell_unused(context, sizeof options / sizeof options[0], options);
}

ossa_status ossa_rig_from_examples(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses,
	const ossa_examples_options *options, ossa_rig **rig)
{
	if (rig) *rig = NULL;
	OSSAI_NEED(context, mesh, poses, rig);
	const ossa_examples_options own = options ? *options : ossa_examples_default();
	OSSAI_TRY(ossa_options_check(context, ossa_examples_option_table(), &own));
	tell_unused(context, &own);
	ossai_moving_work work = {.context = context,
		.method = "examples",
		.mesh = mesh,
		.poses = poses,
		.options = {.bones = own.bones,
			.tolerance = own.tolerance,
			.lloyd = own.lloyd,
			.worth = own.worth,
			.parts = own.parts,
			.spectral = ossai_spectral_default(),
			.weights = own.weights,
			.influences = own.influences,
			.link_pieces = own.link_pieces,
			.local = own.local,
			.area_weighting = own.area_weighting,
			.refine = own.refine}};
	ossai_pipeline pipeline;
	const bool refines = own.refine > 0;
	if (refines) ossai_pipeline_begin(context, sizeof refined_plan / sizeof refined_plan[0], refined_plan, &pipeline);
	else ossai_pipeline_begin(context, sizeof published_plan / sizeof published_plan[0], published_plan, &pipeline);
	work.arena = &pipeline.arena;
	const ossa_status status = refines ? run_refined(&work, rig) : run_published(&work, rig);
	return ossai_pipeline_end(&pipeline, status, rig);
}
