/* methods/sequence.c: a rig from a mesh animation.

   Input: a mesh and frames of the same vertices.
   Output: a rig with a key frame for each frame.
   Source: E. de Aguiar, C. Theobalt, S. Thrun, H.-P. Seidel, Automatic Conversion of Mesh
   Animations into Skeleton-based Animations, Eurographics 2008: group seeds by their motion, make a
   tree of the boundaries of parts, place joints where their distances to the skin vary least, make
   bone lengths constant, find the rotations, find weights by heat.
   Departures: the refined outline is in moving_outline.c; it begins with the parts of this
   method. */
#include <ossa/sequence.h>

#include "methods/draft.h"
#include "methods/sequence.h"

/* ---- the outline ---- */

/* the stages as the progress display shows them, with their usual shares of the time */
static const ossai_plan_step published_plan[] = {
	{"prepare", 5}, {"parts", 30}, {"tree", 5}, {"joints", 5}, {"motion", 15}, {"weights", 40}, {NULL, 0}};

static ossa_status run_published(ossai_sequence *s, ossa_rig **rig)
{
	ossai_moving_work *m = &s->moving;
	OSSAI_TRY(OSSAI_STAGE(m->context, "prepare", ossai_moving_prepare(m)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "parts", ossai_moving_published_parts(m)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "tree", ossai_sequence_tree(s)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "joints", ossai_sequence_joints(s)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "motion", ossai_sequence_motion(s)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "weights", ossai_sequence_weights(s)));
	return ossai_moving_assemble(m, rig);
}

/* ---- the whole ---- */

static void warn_unused(ossa_context *context, const ossa_sequence_options *o, ossa_weights_kind weights)
{
	static const char *const of_seeds = "faces are merged, without seeds: `parts spectral`",
							 *const of_heat = "only heat is averaged over frames: `weights heat`",
							 *const euclidean = "the paper takes straight distances: `refine 1` or more",
							 *const of_heat_alone = "the paper's heat is not limited to one patch: `weights least-squares`",
							 *const of_paper = "only the paper's joints are attracted by boundaries: `refine 0`";
	const ossa_sequence_options usual = ossa_sequence_default();
	const bool merges = o->parts == OSSA_PARTS_CLUSTERS;
	const char *const of_number = o->bones > 0 ? "a number of bones is given" : "the paper removes no bones: `variation`";
	const ossai_unused options[] = {{"variation", o->variation != usual.variation && merges, of_seeds},
		{"variation", o->variation != usual.variation && !merges && o->bones > 0 && o->refine == 0, of_number},
		{"seeds", o->seeds != usual.seeds && merges, of_seeds},
		{"affinity-scale", o->affinity_scale != usual.affinity_scale && merges, of_seeds},
		{"geodesic", o->geodesic != usual.geodesic && o->refine == 0, euclidean},
		{"local", o->local != usual.local && o->refine == 0 && weights == OSSA_WEIGHTS_HEAT, of_heat_alone},
		{"alpha", o->alpha != usual.alpha && o->refine > 0, of_paper},
		{"worth", o->worth != usual.worth && (o->bones > 0 || o->refine == 0), of_number},
		{"symmetry", o->symmetry == OSSA_SYMMETRY_ENFORCE && o->refine == 0,
			"the paper's bones need not be symmetric: `refine 1`"},
		{"weight-poses", o->weight_poses > 0 && weights != OSSA_WEIGHTS_HEAT, of_heat}};
	ossai_warn_of_unused_options(context, sizeof options / sizeof options[0], options);
}

/* as many as are wanted; the eigenvectors of MOST seeds take half a minute, and the time grows with
   the cube */
static int count_seeds(ossa_context *context, const ossa_mesh *mesh, double share)
{
	enum { LEAST = 10, MOST = 3000 };
	const double wanted = ceil(share * (double)mesh->vertex_count);
	if (wanted > MOST) {
		ossai_warn(context, "fewer-seeds", (int64_t)wanted - MOST, "%.0f seeds were asked for, %d are used", wanted, MOST);
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
				.exchanges = OSSAI_USUAL_EXCHANGES,
				.parts = own->parts,
				.spectral = spectral_options(context, mesh, own),
				.worth = own->worth,
				.weights = own->weights,
				.weight_poses = own->weight_poses,
				.influences = own->influences,
				.link_pieces = own->link_pieces,
				.local = own->local,
				.symmetry = own->symmetry,
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
	warn_unused(context, own, work.moving.options.weights);
	ossai_pipeline pipeline;
	ossai_pipeline_begin(context, is_published ? published_plan : ossai_moving_refined_plan, &pipeline);
	work.moving.arena = &pipeline.arena;
	const ossa_status status = is_published ? run_published(&work, rig) : ossai_moving_run_refined(&work.moving, rig);
	return ossai_pipeline_end(&pipeline, status, rig);
}

ossa_status ossai_sequence_draft(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options,
	const ossai_draft_start *start, ossai_draft *draft)
{
	const ossa_sequence_options *own = options;
	ossai_sequence sequence;
	OSSAI_TRY(ossa_options_check(context, ossa_sequence_option_table(), own));
	ossai_sequence_begin(context, mesh, frames, own, &sequence);
	warn_unused(context, own, sequence.moving.options.weights);
	draft->work = sequence.moving;
	return ossai_draft_begin(context, start, draft);
}

ossa_status ossa_rig_from_sequence(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames,
	const ossa_sequence_options *options, ossa_rig **rig)
{
	if (rig) *rig = NULL;
	OSSAI_NEED(context, mesh, frames, rig);
	const ossa_sequence_options own = options ? *options : ossa_sequence_default();
	OSSAI_TRY(ossa_options_check(context, ossa_sequence_option_table(), &own));
	return make(context, mesh, frames, &own, rig);
}
