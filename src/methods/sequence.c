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

#include "methods/moving.h"
#include "motion/bone_lengths.h"
#include "motion/core_motion.h"
#include "motion/descent.h"
#include "skeleton/from_motion/boundary_graph.h"
#include "skeleton/from_motion/variance_joints.h"

/* What the stages pass on: the work of all methods for motion, and what only this one has. */
typedef struct sequence {
	ossai_moving_work moving;
	double alpha;
	double *trust;        /* V: how closely the vertex follows its part, 0 to 1 */
	ossai_vec3 *position; /* B x K: joints of each pose */
} sequence;

/* ---- tree ---- */

/* parts become bones, of which each vertex follows one, with the motion of their cores */
static ossa_status start_bones(sequence *s)
{
	ossai_moving_work *m = &s->moving;
	OSSAI_TRY(ossai_moving_begin_weights(m));
	OSSAI_TRY(ossai_boundary_graph_make(m->arena, &m->surface, m->part_of_face, m->part_count, &m->graph));
	OSSAI_TRY(ossai_boundary_tree_make(m->arena, &m->surface, &m->graph, &m->tree));
	s->trust = ossai_arena_new(m->arena, m->surface.vertex_count, sizeof *s->trust);
	if (!s->trust) return ossa_context_error(m->context)->status;
	return ossai_core_motion_fit(m->context, &m->surface, m->graph.bone_of_vertex, &m->fit.motion, s->trust);
}

/* ---- joints ---- */

/* the seeds that parts were found by; where they were found by merging faces, new seeds */
static ossa_status seed_parts(ossai_moving_work *m)
{
	ossai_spectral_parts *parts = &m->spectral;
	if (parts->part_count > 0) return OSSA_OK;
	const size_t wanted = m->surface.used_count / 100 + 100;
	OSSAI_TRY(ossai_seeds_choose(m->context, m->arena, &m->surface, wanted, &parts->seeds));
	parts->part_of_seed = ossai_arena_new(m->arena, parts->seeds.count, sizeof *parts->part_of_seed);
	if (!parts->part_of_seed) return ossa_context_error(m->context)->status;
	for (size_t i = 0; i < parts->seeds.count; i++) parts->part_of_seed[i] = m->graph.bone_of_vertex[parts->seeds.vertex[i]];
	return OSSA_OK;
}

static ossa_status place_joints(sequence *s)
{
	ossai_moving_work *m = &s->moving;
	OSSAI_TRY(seed_parts(m));
	ossai_variance_options options = ossai_variance_default();
	options.alpha = s->alpha;
	const ossai_variance_evidence evidence = {&m->surface, &m->graph, &m->tree, &m->fit.motion, m->spectral.seeds.count,
		m->spectral.seeds.vertex, m->spectral.part_of_seed, s->trust};
	m->joint_of_pair = ossai_arena_new(m->arena, m->graph.pair_count, sizeof *m->joint_of_pair);
	m->joint = ossai_arena_new(m->arena, m->part_count, sizeof *m->joint);
	s->position = ossai_arena_new(m->arena, m->part_count, m->surface.pose_count * sizeof *s->position);
	double *length = ossai_arena_new(m->arena, m->part_count, sizeof *length);
	if (!m->joint_of_pair || !m->joint || !s->position || !length) return ossa_context_error(m->context)->status;
	OSSAI_TRY(ossai_variance_joints_fit(m->context, &evidence, &options, m->joint_of_pair));
	ossai_joint_paths(&m->graph, &m->tree, m->joint_of_pair, &m->fit.motion, m->joint, s->position);
	ossai_bone_lengths_project(&m->tree, m->surface.pose_count, m->joint, s->position, length);
	return OSSA_OK;
}

/* ---- motion ---- */

static ossa_status turn_bones(sequence *s)
{
	ossai_moving_work *m = &s->moving;
	const ossai_hierarchy hierarchy = {&m->tree, m->joint};
	const ossai_descent_options options = ossai_descent_default();
	ossai_bone_motion parts;
	OSSAI_TRY(ossai_bone_motion_new(m->arena, m->part_count, m->surface.pose_count, &parts));
	ossai_bone_motion_copy(&m->fit.motion, &parts);
	OSSAI_TRY(ossai_fit_new(m->context, m->arena, &m->surface, m->part_count, (size_t)m->options.influences, &m->free_fit));
	return ossai_descent_fit(m->context, &hierarchy, s->position, &parts, &options, &m->fit.motion, NULL);
}

/* ---- weights ---- */

static ossa_status weigh(ossai_moving_work *m)
{
	if (m->options.weights != OSSA_WEIGHTS_LEAST_SQUARES) return ossai_moving_published_reweigh(m);
	double error;
	OSSAI_TRY(ossai_moving_fit_weights(m));
	ossai_fit_copy(&m->fit, &m->free_fit);
	return ossai_fit_motion(&m->free_fit, &error);
}

/* ---- the outline ---- */

/* the stages as the progress display shows them, with their usual shares of the time */
static const ossai_plan_step published_plan[] = {
	{"prepare", 5}, {"parts", 30}, {"tree", 5}, {"joints", 5}, {"motion", 15}, {"weights", 40}, {NULL, 0}};

static ossa_status run_published(sequence *s, ossa_rig **rig)
{
	ossai_moving_work *m = &s->moving;
	OSSAI_TRY(OSSAI_STAGE(m->context, "prepare", ossai_moving_prepare(m)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "parts", ossai_moving_published_parts(m)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "tree", start_bones(s)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "joints", place_joints(s)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "motion", turn_bones(s)));
	OSSAI_TRY(OSSAI_STAGE(m->context, "weights", weigh(m)));
	OSSAI_TRY(ossai_moving_drop_ends(m));
	return ossai_moving_assemble(m, rig);
}

/* ---- the whole ---- */

static void warn_unused(ossa_context *context, const ossa_sequence_options *o, ossa_weights_kind weights)
{
	static const char *const of_seeds = "faces are merged, without seeds: `parts spectral`",
							 *const of_heat = "only heat is averaged over frames: `weights heat`",
							 *const of_paper = "only the paper's joints are attracted by boundaries: `refine 0`";
	const ossa_sequence_options usual = ossa_sequence_default();
	const bool merges = o->parts == OSSA_PARTS_CLUSTERS;
	const char *const of_number = o->bones > 0 ? "a number of bones is given" : "the paper removes no bones: `variation`";
	const ossai_unused options[] = {{"variation", o->variation != usual.variation && merges, of_seeds},
		{"variation", o->variation != usual.variation && !merges && o->bones > 0 && o->refine == 0, of_number},
		{"seeds", o->seeds != usual.seeds && merges, of_seeds},
		{"affinity-scale", o->affinity_scale != usual.affinity_scale && merges, of_seeds},
		{"alpha", o->alpha != usual.alpha && o->refine > 0, of_paper},
		{"worth", o->worth != usual.worth && (o->bones > 0 || o->refine == 0), of_number},
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

static ossa_status make(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const ossa_sequence_options *own, ossa_rig **rig)
{
	ossai_spectral_options spectral = ossai_spectral_default();
	spectral.share = own->variation;
	if (own->seeds > 0) spectral.seeds = count_seeds(context, mesh, own->seeds / 100);
	spectral.scale *= own->affinity_scale;
	spectral.geodesic = own->geodesic;
	const bool is_published = own->refine == 0;
	sequence work = {.alpha = own->alpha,
		.moving = {.context = context,
			.method = "sequence",
			.mesh = mesh,
			.poses = frames,
			.options = {.bones = own->bones,
				.parts = own->parts,
				.spectral = spectral,
				.worth = own->worth,
				.weights = own->weights,
				.weight_poses = own->weight_poses,
				.influences = own->influences,
				.link_pieces = own->link_pieces,
				.local = own->local,
				.refine = own->refine}}};
	ossai_moving_options *options = &work.moving.options;
	if (is_published && options->weights == OSSA_WEIGHTS_AUTO) options->weights = OSSA_WEIGHTS_HEAT;
	warn_unused(context, own, options->weights);
	ossai_pipeline pipeline;
	ossai_pipeline_begin(context, is_published ? published_plan : ossai_moving_refined_plan, &pipeline);
	work.moving.arena = &pipeline.arena;
	const ossa_status status = is_published ? run_published(&work, rig) : ossai_moving_run_refined(&work.moving, rig);
	return ossai_pipeline_end(&pipeline, status, rig);
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
