/* methods/examples.c: a rig from example poses.

   In: a rest mesh and poses of the same vertices.  Out: a rig with one keyframe per pose.
   Source: S. Schaefer, C. Yuksel, Example-Based Skeleton Extraction, SGP 2007: cluster faces by rigid error, solve weights, keep
   them local, span a tree, root it, place joints. `refine` 0 is that. Beyond it: begin with more bones and prune, alternate
   weights and bones (Le & Deng 2012, 2014), join bones by how well a joint fits, and fit a hierarchy of constant bone lengths. */
#include <ossa/examples.h>

#include "motion/free_bones.h"
#include "motion/prune.h"
#include "parts/face_clusters.h"
#include "rig/assemble.h"
#include "skeleton/joints.h"
#include "skeleton/tree.h"
#include "weights/least_squares.h"
#include "weights/locality.h"

#include <string.h>
#include <stdio.h>
#include <stdlib.h>

/* What the stages hand to each other; arrays live in the arena. */
typedef struct recipe {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_mesh *mesh;
	const ossa_frames *poses;
	ossa_examples_options options;
	ossai_posed_surface surface;
	ossai_merge_hierarchy merges;
	ossai_fit fit;              /* weights and free bones, later those of the hierarchy */
	ossai_fit free_fit;         /* the free bones as they were before the hierarchy */
	ossai_bone_graph graph;
	ossai_joint *joints;        /* per pair of the graph */
	ossai_tree tree;
	ossai_vec3 *joint;          /* per bone */
} recipe;

static const ossai_plan_step plan[] = {
	{"prepare", 2}, {"clusters", 15}, {"weights", 10}, {"refine", 45}, {"skeleton", 3}, {"hierarchy", 25}};

static ossa_status prepare(recipe *r)
{
	return ossai_posed_surface_make(r->context, r->arena, r->mesh, r->poses, r->options.link_pieces, &r->surface);
}

static ossa_status cluster(recipe *r) { return ossai_face_clusters_make(r->context, r->arena, &r->surface, &r->merges); }

/* bones to begin with: more than wanted where they will be pruned */
static size_t first_bones(const recipe *r)
{
	const size_t wanted = (size_t)r->options.bones;
	double f=getenv("FAC")?atof(getenv("FAC")):2.5;
	return r->options.refine > 0 ? (size_t)((double)wanted*f+0.5) : wanted;
}

static ossa_status solve_weights(recipe *r)
{
	const size_t level =
		ossai_merge_hierarchy_level(&r->merges, &r->surface, first_bones(r), r->options.tolerance / 100);
	uint32_t *scratch = ossai_arena_new(r->arena, r->surface.face_count, sizeof *scratch);
	uint32_t *cluster_of_face = ossai_arena_new(r->arena, r->surface.face_count, sizeof *cluster_of_face);
	double *largest = ossai_arena_new(r->arena, r->surface.vertex_count, sizeof *largest);
	if (!scratch || !cluster_of_face || !largest) return ossa_context_error(r->context)->status;
	const size_t bones = ossai_merge_hierarchy_cut(&r->merges, level, scratch, cluster_of_face);
	OSSAI_TRY(ossai_fit_new(r->context, r->arena, &r->surface, bones, (size_t)r->options.influences, &r->fit));
	ossai_bone_weights_from_clusters(&r->surface, cluster_of_face, largest, &r->fit.weights);
	OSSAI_TRY(ossai_bone_motion_from_clusters(r->context, &r->surface, cluster_of_face, &r->fit.motion));
	if (r->options.refine > 0 && !getenv("ELIM")) return ossai_fit_alternate(&r->fit, getenv("R0")?atoi(getenv("R0")):6, 0, false);
	OSSAI_TRY(ossai_weights_eliminate(r->context, &r->surface, &r->fit.motion, NULL, &r->fit.weights));
	if (!r->options.local) return OSSA_OK;
	ossai_allowed_bones allowed;
	OSSAI_TRY(ossai_influence_maps(r->arena, &r->surface, &r->fit.weights, &allowed));
	OSSAI_TRY(ossai_weights_eliminate(r->context, &r->surface, &r->fit.motion, &allowed, &r->fit.weights));
	return ossai_locality_enforce(r->context, &r->surface, &r->fit.motion, 0, &r->fit.weights);
}

static ossa_status refine(recipe *r)
{
	if (r->options.refine == 0) return OSSA_OK;
	int pr=getenv("PR")?atoi(getenv("PR")):2;
	OSSAI_TRY(ossai_fit_alternate(&r->fit, 4, 0, false));
	OSSAI_TRY(ossai_fit_prune(&r->fit, (size_t)r->options.bones, pr));
	int s1=getenv("S1")?atoi(getenv("S1")):4,s2=getenv("S2")?atoi(getenv("S2")):4;
	OSSAI_TRY(ossai_fit_alternate(&r->fit, s1, 0, false));
	return ossai_fit_alternate(&r->fit, s2, 0, r->options.local);
}

static ossa_status join_bones(recipe *r)
{
	OSSAI_TRY(ossai_bone_graph_make(r->arena, &r->surface, &r->fit.weights, r->options.area_weighting, &r->graph));
	const size_t bones = r->fit.weights.bone_count;
	r->joints = ossai_arena_new(r->arena, r->graph.pair_count, sizeof *r->joints);
	double *cost = ossai_arena_new(r->arena, r->graph.pair_count, sizeof *cost);
	r->joint = ossai_arena_new(r->arena, bones, sizeof *r->joint);
	if (!r->joints || !cost || !r->joint) return ossa_context_error(r->context)->status;
	double doubt=getenv("DOUBT")?atof(getenv("DOUBT")):0.05;
	int tc=getenv("TC")?atoi(getenv("TC")):7;
	for (size_t i = 0; i < r->graph.pair_count; i++) {
		const ossai_bone_pair *p = &r->graph.pairs[i];
		if (r->options.refine == 0) {
			r->joints[i] = ossai_joint_fit(&r->fit.motion, p->a, p->b, p->prior, 0.1, 1e-4);
			cost[i] = p->mass > 0 ? -p->mass : 1 / p->contact;
		} else {
			r->joints[i] = ossai_joint_fit_soft(&r->fit.motion, p->a, p->b, p->prior, doubt, 1e-4);
			cost[i] = r->joints[i].residual;
			double ar=fmin(r->graph.area[p->a],r->graph.area[p->b]);
			if(tc==2) cost[i]*=sqrt(ar);
			if(tc==6) cost[i]/=p->shared+1e-9;
			double AA=getenv("AA")?atof(getenv("AA")):0.1; double SH=getenv("SH")?atof(getenv("SH")):1; if(tc==7) cost[i]+=AA*r->joints[i].prior_distance; if(tc==9) cost[i]=(cost[i]+AA*r->joints[i].prior_distance)/pow(p->shared+1e-9,SH);
			if(tc==8) cost[i]=sqrt(ar)*(r->joints[i].residual+0.1*r->joints[i].prior_distance);
		}
	}
	OSSAI_TRY(ossai_tree_make(r->arena, &r->graph, cost, ossai_tree_root(&r->surface, &r->graph), &r->tree));
	for (size_t b = 0; b < bones; b++) {
		const uint32_t pair = r->tree.pair[b];
		r->joint[b] = pair == OSSA_NONE ? r->graph.center[b] : r->joints[pair].position;
	}
	return OSSA_OK;
}

static ossa_status fit_hierarchy(recipe *r)
{
	const size_t bones = r->fit.weights.bone_count;
	OSSAI_TRY(ossai_fit_new(r->context, r->arena, &r->surface, bones, (size_t)r->options.influences, &r->free_fit));
	ossai_fit_copy(&r->fit, &r->free_fit);
	if (r->options.refine > 0 && !getenv("NOFREE")) OSSAI_TRY(ossai_fit_alternate(&r->free_fit, r->options.refine, 1e-3, r->options.local));
	ossai_hierarchy hierarchy = {&r->tree, r->joint};
	ossai_vec3 *anchor = ossai_arena_new(r->arena, bones, sizeof *anchor);
	if (!anchor) return ossa_context_error(r->context)->status;
	memcpy(anchor, r->joint, bones * sizeof *anchor);
	ossai_moments moments;
	ossa_status status = ossai_moments_make(r->context, &r->surface, &r->fit.weights, &moments);
	if (status == OSSA_OK) status = ossai_hierarchy_fit(r->context, &moments, &hierarchy, 3, 8, &r->fit.motion);
	if(getenv("SETTLE")){ for(int i=0;i<8;i++){ ossai_hierarchy_place_joints(r->context,&moments,&hierarchy,&r->fit.motion,anchor,0.1); ossai_hierarchy_fit(r->context,&moments,&hierarchy,2,2,&r->fit.motion); if(i==1||i==3||i==7)fprintf(stderr," settle %d %.4f",i,ossai_rms_percent(&r->surface,ossai_moments_error(&moments,&r->fit.motion))); } }
	ossai_moments_end(&moments);
	if (status != OSSA_OK || r->options.refine == 0) return status;
	double hold=getenv("HOLD")?atof(getenv("HOLD")):0.1;
	double error; double hl=getenv("HL")?atof(getenv("HL")):1e-3;
	return ossai_fit_alternate_hierarchy(&r->fit, &hierarchy, anchor, hold, r->options.refine, hl, r->options.local, &error);
}

static ossa_status assemble(recipe *r, ossa_rig **rig)
{
	const ossai_findings findings = {"examples", r->mesh, r->poses, &r->surface, &r->tree, r->joint, r->joints,
		&r->fit.weights, &r->fit.motion, &r->free_fit.weights, &r->free_fit.motion, r->options.influences};
	OSSAI_TRY(ossai_rig_assemble(r->context, &findings, rig));
	(*rig)->merges = ossai_new(r->context, r->merges.count, sizeof *(*rig)->merges);
	if (!(*rig)->merges) return ossa_context_error(r->context)->status;
	memcpy((*rig)->merges, r->merges.merges, r->merges.count * sizeof *(*rig)->merges);
	(*rig)->merge_count = r->merges.count;
	return OSSA_OK;
}

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
	}
	ossai_arena_end(&arena);
	if (status != OSSA_OK) {
		ossa_rig_free(context, *rig);
		*rig = NULL;
	}
	return status;
}
