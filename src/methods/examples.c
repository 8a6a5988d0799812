/* methods/examples.c: a rig from example poses.

   Input: a rest mesh and poses of the same vertices.
   Output: a rig with a key frame for each pose.
   Source: S. Schaefer, C. Yuksel, Example-Based Skeleton Extraction, SGP 2007: cluster faces by
   rigid error, solve for weights, keep them local, make a tree, choose its root, place joints.
   Departures: of run_published, that the rotations of the hierarchy are fitted, which the paper
   leaves to the animator; the refined outline is in moving_outline.c. */
#include <ossa/examples.h>

#include "methods/draft.h"
#include "methods/examples_warnings.h"

/* the stages as the progress display shows them, with their usual shares of the time */
static const ossai_plan_step published_plan[] = {
	{"prepare", 5}, {"parts", 40}, {"weights", 40}, {"skeleton", 3}, {"hierarchy", 10}, {"weights by shape", 2}, {NULL, 0}};

static ossa_status run_published(ossai_moving_work *m, ossa_rig **rig)
{
	OSSAI_TRY(OSSAI_STAGE(m->context, "prepare", ossai_moving_prepare(m)));
	ossai_examples_warn_of_pieces(m);
	OSSAI_TRY(OSSAI_STAGE(m->context, "parts", ossai_moving_published_parts(m)));
	ossai_examples_warn_of_weights(m);
	OSSAI_TRY(OSSAI_STAGE(m->context, "weights", ossai_moving_published_weights(m)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "skeleton", ossai_moving_published_skeleton(m)));
	ossai_examples_warn_of_joints(m);
	OSSAI_TRY(OSSAI_STAGE(m->context, "hierarchy", ossai_moving_published_hierarchy(m)));
	if (ossai_moving_weighs_by_shape(m))
		OSSAI_TRY(OSSAI_STAGE(m->context, "weights by shape", ossai_moving_published_reweigh(m)));
	OSSAI_TRY(ossai_moving_drop_ends(m));
	return ossai_moving_assemble(m, rig);
}

static void warn_unused(ossa_context *context, const ossa_examples_options *o)
{
	static const char *const of_faces = "faces are not merged: `parts clusters`";
	const ossa_examples_options usual = ossa_examples_default();
	const bool has_seeds = o->parts == OSSA_PARTS_SPECTRAL;
	const char *const of_number = o->bones > 0 ? "a number of bones is given"
		: o->tolerance > 0                     ? "a tolerance is given"
											   : "the paper removes no bones: `tolerance`";
	const ossai_unused options[] = {{"tolerance", o->tolerance > 0 && has_seeds, of_faces},
		{"lloyd", o->lloyd > 0 && has_seeds, of_faces},
		{"worth", o->worth != usual.worth && (o->bones > 0 || o->tolerance > 0 || o->refine == 0), of_number},
		{"symmetry", o->symmetry == OSSA_SYMMETRY_ENFORCE && o->refine == 0,
			"the paper's bones need not be symmetric: `refine 1`"},
		{"area-weighting", o->area_weighting && o->refine > 0,
			"only the paper connects bones by how much they blend: `refine 0`"}};
	ossai_warn_of_unused_options(context, sizeof options / sizeof options[0], options);
}

/* what the stages begin with, except the arena */
static ossa_status begin(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses,
	const ossa_examples_options *own, ossai_moving_work *work)
{
	OSSAI_TRY(ossa_options_check(context, ossa_examples_option_table(), own));
	warn_unused(context, own);
	*work = (ossai_moving_work){.context = context,
		.method = "examples",
		.mesh = mesh,
		.poses = poses,
		.options = {.bones = own->bones,
			.exchanges = OSSAI_USUAL_EXCHANGES,
			.tolerance = own->tolerance,
			.lloyd = own->lloyd,
			.worth = own->worth,
			.parts = own->parts,
			.spectral = ossai_spectral_default(),
			.weights = own->weights,
			.influences = own->influences,
			.link_pieces = own->link_pieces,
			.local = own->local,
			.area_weighting = own->area_weighting,
			.symmetry = own->symmetry,
			.refine = own->refine}};
	return OSSA_OK;
}

ossa_status ossai_examples_draft(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options,
	const ossai_draft_start *start, ossai_draft *draft)
{
	OSSAI_TRY(begin(context, mesh, frames, options, &draft->work));
	return ossai_draft_begin(context, start, draft);
}

ossa_status ossa_rig_from_examples(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses,
	const ossa_examples_options *options, ossa_rig **rig)
{
	if (rig) *rig = NULL;
	OSSAI_NEED(context, mesh, poses, rig);
	const ossa_examples_options own = options ? *options : ossa_examples_default();
	ossai_moving_work work;
	OSSAI_TRY(begin(context, mesh, poses, &own, &work));
	const bool is_published = own.refine == 0;
	ossai_pipeline pipeline;
	if (is_published) ossai_examples_warn_of_options(context, &own);
	ossai_pipeline_begin(context, is_published ? published_plan : ossai_moving_refined_plan, &pipeline);
	work.arena = &pipeline.arena;
	const ossa_status status = is_published ? run_published(&work, rig) : ossai_moving_run_refined(&work, rig);
	return ossai_pipeline_end(&pipeline, status, rig);
}
