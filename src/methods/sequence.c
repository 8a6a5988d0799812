/* methods/sequence.c: a rig from a mesh animation.

   In: a mesh and frames of the same vertices.  Out: a rig with one keyframe per frame.
   Source: E. de Aguiar, C. Theobalt, S. Thrun, H.-P. Seidel, Automatic Conversion of Mesh Animations into Skeleton-based
   Animations, Eurographics 2008: group seeds by how they move, span a tree over the boundaries of the parts, place joints where their
   distances to the skin vary least, make bone lengths constant, find the angles, let bones heat the skin. With `refine` 0 that is
   all. Else the parts are where the refinement of moving_refined.c begins. */
#include <ossa/sequence.h>

#include "methods/sequence.h"

/* ---- the rig ---- */

ossa_status ossai_sequence_run(ossai_sequence *s, const char *name, ossa_status (*stage)(ossai_sequence *sequence))
{
	const ossa_status entered = ossai_stage_enter(s->moving.context, name);
	return ossai_stage_leave(s->moving.context, entered == OSSA_OK ? stage(s) : entered);
}

static ossa_status run_published(ossai_sequence *s, ossa_rig **rig)
{
	ossai_moving_work *m = &s->moving;
	OSSAI_TRY(ossai_moving_run(m, "prepare", ossai_moving_prepare));
	OSSAI_TRY(ossai_moving_run(m, "parts", ossai_moving_published_parts));
	OSSAI_TRY(ossai_sequence_run(s, "tree", ossai_sequence_tree));
	OSSAI_TRY(ossai_sequence_run(s, "joints", ossai_sequence_joints));
	OSSAI_TRY(ossai_sequence_run(s, "motion", ossai_sequence_motion));
	OSSAI_TRY(ossai_sequence_run(s, "weights", ossai_sequence_weights));
	return ossai_moving_assemble(m, rig);
}

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

/* names as they are shown, with their usual share of the time */
static const ossai_plan_step published_plan[] = {
	{"prepare", 5}, {"parts", 30}, {"tree", 5}, {"joints", 5}, {"motion", 15}, {"weights", 40}};
static const ossai_plan_step refined_plan[] = {{"prepare", 2}, {"parts", 10}, {"weights", 5}, {"refine", 40}, {"skeleton", 1},
	{"hierarchy", 28}, {"weights by shape", 2}, {"free bones", 12}};

static void tell_unused(ossa_context *context, const ossa_sequence_options *o, ossa_weights_kind weights)
{
	static const char *const of_seeds = "merged faces have no seeds: --parts spectral",
							 *const of_heat = "only heat is averaged over frames: --weights heat",
							 *const through_space = "the paper measures through space: --refine 1 or more",
							 *const of_heat_alone = "the paper's heat goes wherever it goes: --weights least-squares",
							 *const of_paper = "refined, joints follow from the motion alone: --refine 0";
	const ossa_sequence_options usual = ossa_sequence_default();
	const bool merges = o->parts == OSSA_PARTS_CLUSTERS;
	const char *const of_number = o->bones > 0 ? "a number of bones is given" : "the paper removes none: --variation";
	const ossai_unused options[] = {{"variation", o->variation != usual.variation && merges, of_seeds},
		{"variation", o->variation != usual.variation && !merges && o->bones > 0 && o->refine == 0, of_number},
		{"seeds", o->seeds != usual.seeds && merges, of_seeds},
		{"affinity-scale", o->affinity_scale != usual.affinity_scale && merges, of_seeds},
		{"geodesic", o->geodesic != usual.geodesic && o->refine == 0, through_space},
		{"local", o->local != usual.local && o->refine == 0 && weights == OSSA_WEIGHTS_HEAT, of_heat_alone},
		{"alpha", o->alpha != usual.alpha && o->refine > 0, of_paper},
		{"worth", o->worth != usual.worth && (o->bones > 0 || o->refine == 0), of_number},
		{"weight-poses", o->weight_poses > 0 && weights != OSSA_WEIGHTS_HEAT, of_heat}};
	ossai_tell_unused(context, sizeof options / sizeof options[0], options);
}

/* as many as were asked for, but no more than eigenvalues can be found of in half a minute */
static int count_seeds(ossa_context *context, const ossa_mesh *mesh, double share)
{
	enum { LEAST = 10, MOST = 3000 };
	const double wanted = ceil(share * (double)mesh->vertex_count);
	if (wanted > MOST) {
		ossai_warn(context, "fewer-seeds", (int64_t)wanted - MOST, "%.0f seeds were asked for, %d are taken", wanted, MOST);
	}
	return (int)fmin(fmax(wanted, LEAST), MOST);
}

static ossai_spectral_options spectral_options(ossa_context *context, const ossa_mesh *mesh, const ossa_sequence_options *own)
{
	const bool is_published = own->refine == 0;
	ossai_spectral_options spectral = ossai_spectral_default();
	spectral.share = own->variation;
	if (own->seeds > 0) spectral.seeds = count_seeds(context, mesh, own->seeds / 100);
	spectral.scale = own->affinity_scale * (is_published ? 1 : spectral.scale);
	spectral.geodesic = own->geodesic && !is_published;
	spectral.published = is_published;
	if (is_published) spectral.rounds = 0;
	return spectral;
}

void ossai_sequence_begin(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames,
	const ossa_sequence_options *own, ossai_sequence *sequence)
{
	*sequence = (ossai_sequence){.alpha = own->alpha,
		.moving = {.context = context,
			.method = "sequence",
			.mesh = mesh,
			.poses = frames,
			.options = {.bones = own->bones,
				.parts = own->parts,
				.spectral = spectral_options(context, mesh, own),
				.worth = own->worth,
				.weights = own->weights,
				.weight_poses = own->weight_poses,
				.influences = own->influences,
				.link_pieces = own->link_pieces,
				.local = own->local,
				.refine = own->refine}}};
	ossai_moving_options *options = &sequence->moving.options;
	if (own->refine == 0 && options->weights == OSSA_WEIGHTS_AUTO) options->weights = OSSA_WEIGHTS_HEAT;
}

static ossa_status make(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const ossa_sequence_options *own, ossa_rig **rig)
{
	const bool is_published = own->refine == 0;
	ossai_sequence work;
	ossai_sequence_begin(context, mesh, frames, own, &work);
	tell_unused(context, own, work.moving.options.weights);
	ossai_pipeline pipeline;
	if (is_published)
		ossai_pipeline_begin(context, sizeof published_plan / sizeof published_plan[0], published_plan, &pipeline);
	else ossai_pipeline_begin(context, sizeof refined_plan / sizeof refined_plan[0], refined_plan, &pipeline);
	work.moving.arena = &pipeline.arena;
	const ossa_status status = is_published ? run_published(&work, rig) : run_refined(&work.moving, rig);
	return ossai_pipeline_end(&pipeline, status, rig);
}

ossa_status ossa_rig_from_sequence(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames,
	const ossa_sequence_options *options, ossa_rig **rig)
{
	const ossa_sequence_options own = options ? *options : ossa_sequence_default();
	*rig = NULL;
	OSSAI_TRY(ossa_options_check(context, ossa_sequence_option_table(), &own));
	return make(context, mesh, frames, &own, rig);
}
