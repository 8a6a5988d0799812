/* methods/examples.c: a rig from example poses.

   In: a rest mesh and poses of the same vertices.  Out: a rig with one keyframe per pose.
   Source: S. Schaefer, C. Yuksel, Example-Based Skeleton Extraction, SGP 2007: cluster faces by rigid error, solve weights, keep
   them local, span a tree, root it, place joints. With `refine` 0 that is all, but for the hierarchy's rotations, which the
   paper leaves to the animator. Beyond it, and why:
   - begin with more bones than wanted and prune those that are missed least: the start decides the minimum that is found;
   - alternate weights and bones (Le & Deng 2012, 2014) on a few moments instead of all vertices;
   - join bones by how well a joint fits both, not by how much they blend, and hang them where the whole tree fits best;
   - believe a joint's motion as far as it speaks, else the shape;
   - refit weights, joints and rotations of a hierarchy of constant bone lengths together. */
#include <ossa/examples.h>

#include "motion/prune.h"
#include "motion/refine.h"
#include "motion/tree_search.h"
#include "parts/face_clusters.h"
#include "parts/lloyd.h"
#include "rig/assemble.h"
#include "skeleton/joints.h"
#include "skeleton/tree.h"
#include "weights/least_squares.h"
#include "weights/locality.h"

#include <string.h>

/* Lengths are shares of the rest's diagonal; see docs/examples.md for how each was found. */

/* bones to begin with, for each bone wanted */
static const double first_bones_factor = 2.5;
/* rounds: of weights and bones spreading from the clusters; before pruning; after each removal; after it, with free and
   with connected supports. More rounds here fit the free bones better and the hierarchy worse. */
enum { SPREAD_ROUNDS = 4, SETTLE_ROUNDS = 4, PRUNE_ROUNDS = 2, FREE_ROUNDS = 4, LOCAL_ROUNDS = 4 };
/* a refinement ends with a round that changes the RMS by less than this share of it */
static const double least_gain = 1e-3, least_gain_free = 4e-3;
/* standard deviation of a joint's place by shape alone */
static const double joint_doubt = 0.05;
/* of the motion of two bones: below it a gap means nothing */
static const double joint_noise = 1e-4;
/* share of the largest eigenvalue below which the paper's pseudo-inverse calls a direction silent */
static const double silent_share = 0.1;
/* what a joint's way from its place by shape costs next to its residual, when bones are joined */
static const double prior_price = 0.1;
/* what a joint's first place weighs when the hierarchy is refitted, as a share of all vertices */
static const double joint_hold = 3e-5;
/* a bone is hung elsewhere where that lowers the squared error by this share */
static const double tree_gain = 0.01;
/* a pose this many times larger or smaller than the rest is worth a word */
static const double size_most = 1.5;
/* without a number of bones: what one part may add to the RMS of the whole, in % of the diagonal */
static const double default_tolerance = 0.2;
/* the most bones of a rig, also where a tolerance would have more: motion that needs them has no parts */
enum { BONES_MOST = 500 };

/* What the stages hand to each other; arrays live in the arena. */
typedef struct recipe {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_mesh *mesh;
	const ossa_frames *poses;
	ossa_examples_options options;
	size_t bones;                 /* wanted */
	ossai_posed_surface surface;  /* prepare */
	ossai_merge_hierarchy merges; /* clusters */
	uint32_t *cluster_of_face;
	ossai_fit fit;          /* weights: of the free bones; hierarchy: of the hierarchy */
	ossai_fit free_fit;     /* hierarchy: the free bones, refined for themselves */
	ossai_bone_graph graph; /* skeleton */
	ossai_joint *joint_of_pair;
	ossai_tree tree;
	ossai_vec3 *joint; /* B */
} recipe;

static bool refines(const recipe *r) { return r->options.refine > 0; }

/* ---- prepare ---- */

/* poses in other units than the rest mesh are a common mistake, and no rigid bone can follow them */
static void compare_sizes(const recipe *r)
{
	const ossai_posed_surface *s = &r->surface;
	double rest = 0;
	for (size_t v = 0; v < s->vertex_count; v++) rest += s->used[v] ? ossai_length2(ossai_rest_point(s, v)) : 0;
	for (size_t k = 0; k < s->pose_count; k++) {
		const double ratio = sqrt(s->pose_square[k] / rest);
		if (ratio < size_most && ratio > 1 / size_most) continue;
		ossai_warn(r->context, "pose-size", 1,
			"pose %zu is %.3g times the size of the rest mesh, which bones cannot follow: are both in the same units?", k + 1,
			ratio);
	}
}

static ossa_status prepare(recipe *r)
{
	OSSAI_TRY(ossai_posed_surface_make(r->context, r->arena, r->mesh, r->poses, r->options.link_pieces, &r->surface));
	compare_sizes(r);
	return OSSA_OK;
}

/* ---- clusters ---- */

/* how many bones to aim at: as asked, but never more than there are faces or the tolerance needs */
static void count_bones(recipe *r)
{
	const ossa_examples_options *o = &r->options;
	const double tolerance = o->tolerance > 0 || o->bones > 0 ? o->tolerance : default_tolerance;
	const size_t level = ossai_merge_hierarchy_level(&r->merges, &r->surface, (size_t)o->bones, tolerance / 100);
	r->bones = r->surface.face_count - level;
	if (o->bones == 0 && r->bones > BONES_MOST) {
		ossai_warn(r->context, "too-many-parts", (int64_t)r->bones,
			"the poses would need %zu bones to stay within the tolerance, %d are made: if the poses' vertices are in another "
			"order than "
			"the rest mesh's, no rig can follow them",
			r->bones, (int)BONES_MOST);
		r->bones = BONES_MOST;
	}
	if (o->bones > 0 && r->bones > (size_t)o->bones) {
		ossai_warn(r->context, "more-bones", (int64_t)r->bones - o->bones,
			"%d bones were asked for, but the mesh has %zu pieces that are not linked, and each needs one", o->bones, r->bones);
	}
	if (o->bones > 0 && r->bones < (size_t)o->bones && tolerance == 0) {
		ossai_warn(r->context, "fewer-bones", (int64_t)(size_t)o->bones - (int64_t)r->bones,
			"%d bones were asked for, but the mesh has only %zu faces", o->bones, r->surface.face_count);
	}
}

static ossa_status cluster(recipe *r)
{
	const size_t faces = r->surface.face_count;
	OSSAI_TRY(ossai_face_clusters_make(r->context, r->arena, &r->surface, &r->merges));
	count_bones(r);
	uint32_t *scratch = ossai_arena_new(r->arena, faces, sizeof *scratch);
	r->cluster_of_face = ossai_arena_new(r->arena, faces, sizeof *r->cluster_of_face);
	if (!scratch || !r->cluster_of_face) return ossa_context_error(r->context)->status;
	const double wanted = refines(r) ? first_bones_factor * (double)r->bones + 0.5 : (double)r->bones;
	const size_t first = wanted < (double)faces ? (size_t)wanted : faces;
	const size_t level = ossai_merge_hierarchy_level(&r->merges, &r->surface, first, 0);
	const size_t made = ossai_merge_hierarchy_cut(&r->merges, level, scratch, r->cluster_of_face);
	OSSAI_TRY(ossai_lloyd(r->context, &r->surface, made, r->options.lloyd, r->cluster_of_face));
	return ossai_fit_new(r->context, r->arena, &r->surface, made, (size_t)r->options.influences, &r->fit);
}

/* ---- weights ---- */

static ossa_status solve_weights(recipe *r)
{
	ossai_fit *fit = &r->fit;
	ossai_bone_weights_from_clusters(&r->surface, r->cluster_of_face, &fit->weights);
	OSSAI_TRY(ossai_bone_motion_from_clusters(r->context, &r->surface, r->cluster_of_face, &fit->motion));
	if (refines(r)) return ossai_fit_alternate(fit, SPREAD_ROUNDS, 0, false);
	OSSAI_TRY(ossai_weights_eliminate(r->context, &r->surface, &fit->motion, NULL, &fit->weights));
	if (!r->options.local) return OSSA_OK;
	ossai_allowed_bones allowed;
	OSSAI_TRY(ossai_influence_maps(r->arena, &r->surface, &fit->weights, &allowed));
	OSSAI_TRY(ossai_weights_eliminate(r->context, &r->surface, &fit->motion, &allowed, &fit->weights));
	return ossai_locality_enforce(r->context, &r->surface, &fit->motion, 0, &fit->weights);
}

/* ---- refine ---- */

static ossa_status drop_idle_bones(recipe *r)
{
	size_t dropped;
	OSSAI_TRY(ossai_fit_drop_idle(&r->fit, &dropped));
	if (dropped == 0) return OSSA_OK;
	ossai_warn(r->context, "fewer-bones", (int64_t)dropped,
		"%zu of %zu bones would move no vertex and were left out: what is left follows the poses as well without them", dropped,
		dropped + r->fit.weights.bone_count);
	return OSSA_OK;
}

static ossa_status refine(recipe *r)
{
	if (refines(r)) {
		OSSAI_TRY(ossai_fit_alternate(&r->fit, SETTLE_ROUNDS, 0, false));
		OSSAI_TRY(ossai_fit_prune(&r->fit, r->bones, PRUNE_ROUNDS));
		OSSAI_TRY(ossai_fit_alternate(&r->fit, FREE_ROUNDS, 0, false));
		OSSAI_TRY(ossai_fit_alternate(&r->fit, LOCAL_ROUNDS, 0, r->options.local));
	}
	return drop_idle_bones(r);
}

/* ---- skeleton ---- */

/* lower is better: the paper's blend mass, or how well a joint fits */
static double pair_cost(const recipe *r, const ossai_bone_pair *pair, const ossai_joint *joint)
{
	if (refines(r)) return joint->residual + prior_price * joint->prior_distance;
	/* pairs that only touch come after all that blend */
	return pair->mass > 0 ? -pair->mass : 1 / pair->contact;
}

static ossai_joint fit_joint(const recipe *r, const ossai_bone_pair *pair)
{
	const ossai_bone_motion *motion = &r->fit.motion;
	if (refines(r)) return ossai_joint_fit_soft(motion, pair->a, pair->b, pair->prior, joint_doubt, joint_noise);
	return ossai_joint_fit(motion, pair->a, pair->b, pair->prior, silent_share);
}

static ossa_status join_bones(recipe *r)
{
	const size_t bones = r->fit.weights.bone_count;
	OSSAI_TRY(ossai_bone_graph_make(r->arena, &r->surface, &r->fit.weights, r->options.area_weighting, &r->graph));
	double *cost = ossai_arena_new(r->arena, r->graph.pair_count, sizeof *cost);
	r->joint_of_pair = ossai_arena_new(r->arena, r->graph.pair_count, sizeof *r->joint_of_pair);
	r->joint = ossai_arena_new(r->arena, bones, sizeof *r->joint);
	if (!cost || !r->joint_of_pair || !r->joint) return ossa_context_error(r->context)->status;
	for (size_t i = 0; i < r->graph.pair_count; i++) {
		r->joint_of_pair[i] = fit_joint(r, &r->graph.pairs[i]);
		cost[i] = pair_cost(r, &r->graph.pairs[i], &r->joint_of_pair[i]);
	}
	OSSAI_TRY(ossai_tree_make(r->arena, &r->graph, cost, ossai_tree_root(&r->surface, &r->graph), &r->tree));
	for (size_t b = 0; b < bones; b++) {
		const uint32_t pair = r->tree.pair[b];
		r->joint[b] = pair == OSSA_NONE ? r->graph.center[b] : r->joint_of_pair[pair].position;
	}
	return OSSA_OK;
}

/* ---- hierarchy ---- */

static double hold_of(const recipe *r) { return joint_hold * (double)r->surface.used_count; }

/* rotations alone, for the weights and joints that are there; the tree is searched from them */
static ossa_status bind_bones(recipe *r, ossai_hierarchy *hierarchy)
{
	enum { SWEEPS = 3, NEWTON = 8 };
	ossai_moments moments;
	ossa_status status = ossai_moments_make(r->context, &r->surface, &r->fit.weights, &moments);
	if (status == OSSA_OK) status = ossai_hierarchy_fit(r->context, &moments, hierarchy, SWEEPS, NEWTON, &r->fit.motion);
	if (status == OSSA_OK && refines(r)) {
		status = ossai_tree_search(
			r->context, &moments, &r->graph, r->joint_of_pair, &r->fit.motion, hold_of(r), tree_gain, &r->tree, r->joint);
		if (status == OSSA_OK) status = ossai_hierarchy_fit(r->context, &moments, hierarchy, SWEEPS, NEWTON, &r->fit.motion);
	}
	ossai_moments_end(&moments);
	return status;
}

static ossa_status fit_hierarchy(recipe *r)
{
	const size_t bones = r->fit.weights.bone_count;
	ossai_hierarchy hierarchy = {&r->tree, r->joint};
	OSSAI_TRY(ossai_fit_new(r->context, r->arena, &r->surface, bones, (size_t)r->options.influences, &r->free_fit));
	ossai_fit_copy(&r->fit, &r->free_fit);
	OSSAI_TRY(bind_bones(r, &hierarchy));
	if (!refines(r)) return OSSA_OK;
	ossai_vec3 *anchor = ossai_arena_new(r->arena, bones, sizeof *anchor);
	if (!anchor) return ossa_context_error(r->context)->status;
	memcpy(anchor, r->joint, bones * sizeof *anchor);
	double error;
	return ossai_fit_alternate_hierarchy(
		&r->fit, &hierarchy, anchor, hold_of(r), r->options.refine, least_gain, r->options.local, &error);
}

/* ---- free bones ---- */

/* the hierarchy's motion is one of free bones too: where it fits better than what was found for them, it is theirs */
static ossa_status keep_better(recipe *r)
{
	double free_error, bound_error;
	OSSAI_TRY(ossai_fit_error(&r->free_fit, &free_error));
	OSSAI_TRY(ossai_fit_error(&r->fit, &bound_error));
	if (bound_error < free_error) ossai_fit_copy(&r->fit, &r->free_fit);
	return OSSA_OK;
}

static ossa_status refine_free_bones(recipe *r)
{
	if (!refines(r)) return OSSA_OK;
	OSSAI_TRY(ossai_fit_alternate(&r->free_fit, r->options.refine, least_gain_free, r->options.local));
	return keep_better(r);
}

/* ---- the rig ---- */

static ossa_status assemble(recipe *r, ossa_rig **rig)
{
	const ossai_findings findings = {"examples", r->mesh, r->poses, &r->surface, &r->tree, r->joint, r->joint_of_pair,
		&r->fit.weights, &r->fit.motion, &r->free_fit.weights, &r->free_fit.motion, r->options.influences};
	OSSAI_TRY(ossai_rig_assemble(r->context, &findings, rig));
	(*rig)->merges = ossai_new(r->context, r->merges.count, sizeof *(*rig)->merges);
	if (!(*rig)->merges) return ossa_context_error(r->context)->status;
	memcpy((*rig)->merges, r->merges.merges, r->merges.count * sizeof *(*rig)->merges);
	(*rig)->merge_count = r->merges.count;
	return OSSA_OK;
}

/* names as they are shown, with their usual share of the time */
static const ossai_plan_step plan[] = {
	{"prepare", 2}, {"clusters", 15}, {"weights", 5}, {"refine", 40}, {"skeleton", 1}, {"hierarchy", 25}, {"free bones", 12}};

static ossa_status run_stage(recipe *r, const char *name, ossa_status (*stage)(recipe *r))
{
	ossai_stage_begin(r->context, name);
	ossa_status status = ossai_progress(r->context, 0);
	if (status == OSSA_OK) status = stage(r);
	ossai_stage_end(r->context);
	return status;
}

static ossa_status run(recipe *r, ossa_rig **rig)
{
	OSSAI_TRY(run_stage(r, "prepare", prepare));
	OSSAI_TRY(run_stage(r, "clusters", cluster));
	OSSAI_TRY(run_stage(r, "weights", solve_weights));
	OSSAI_TRY(run_stage(r, "refine", refine));
	OSSAI_TRY(run_stage(r, "skeleton", join_bones));
	OSSAI_TRY(run_stage(r, "hierarchy", fit_hierarchy));
	OSSAI_TRY(run_stage(r, "free bones", refine_free_bones));
	return assemble(r, rig);
}

ossa_status ossa_rig_from_examples(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses,
	const ossa_examples_options *options, ossa_rig **rig)
{
	*rig = NULL;
	ossai_arena arena = ossai_arena_begin(context);
	recipe r = {.context = context, .arena = &arena, .mesh = mesh, .poses = poses};
	r.options = options ? *options : ossa_examples_default();
	ossa_status status = ossa_options_check(context, ossa_examples_option_table(), &r.options);
	if (status == OSSA_OK) {
		ossai_plan(context, plan, sizeof plan / sizeof plan[0]);
		status = run(&r, rig);
		ossai_plan(context, NULL, 0);
	}
	ossai_arena_end(&arena);
	if (status != OSSA_OK) {
		ossa_rig_free(context, *rig);
		*rig = NULL;
	}
	return status;
}
