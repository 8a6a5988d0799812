/* motion/refine.c: see refine.h. */
#include "motion/refine.h"

#include "motion/free_bones.h"
#include "weights/least_squares.h"
#include "weights/locality.h"
#include "weights/simplex_fit.h"

#include <string.h>

enum { VERTEX_GRAIN = 256, BONE_SWEEPS = 3 };

static const double LEAST_WEIGHT = 1e-3;

ossa_status ossai_fit_new(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, size_t bone_count,
	size_t influences, ossai_fit *fit)
{
	*fit = (ossai_fit){.context = context, .surface = surface};
	OSSAI_TRY(ossai_bone_weights_new(arena, surface->vertex_count, bone_count, influences, &fit->weights));
	OSSAI_TRY(ossai_bone_weights_new(arena, surface->vertex_count, bone_count, influences, &fit->spare));
	OSSAI_TRY(ossai_bone_motion_new(arena, bone_count, surface->pose_count, &fit->motion));
	fit->range_sums = ossai_arena_new(arena, ossai_blend_error_ranges(surface), sizeof *fit->range_sums);
	fit->slot_cost = ossai_arena_new(arena, surface->vertex_count, influences * sizeof *fit->slot_cost);
	return fit->range_sums && fit->slot_cost ? OSSA_OK : ossa_context_error(context)->status;
}

void ossai_fit_copy(const ossai_fit *from, ossai_fit *to)
{
	ossai_bone_weights_copy(&from->weights, &to->weights);
	ossai_bone_motion_copy(&from->motion, &to->motion);
	to->spare.bone_count = from->weights.bone_count;
}

double ossai_fit_error(ossai_fit *fit)
{
	return ossai_blend_error(fit->context, fit->surface, &fit->weights, &fit->motion, fit->range_sums);
}

static void improve_weights(ossai_fit *fit, const uint8_t *closed)
{
	ossai_weights_improve(fit->context, fit->surface, &fit->motion, closed, &fit->weights, &fit->spare);
	const ossai_bone_weights swap = fit->weights;
	fit->weights = fit->spare;
	fit->spare = swap;
}

static ossa_status improve_motion(ossai_fit *fit, double *error)
{
	ossai_moments moments;
	const ossa_status status = ossai_moments_make(fit->context, fit->surface, &fit->weights, &moments);
	if (status == OSSA_OK) {
		ossai_free_bones_fit(fit->context, &moments, BONE_SWEEPS, &fit->motion);
		*error = ossai_moments_error(&moments, &fit->motion);
	}
	ossai_moments_end(&moments);
	return status;
}

ossa_status ossai_fit_alternate(ossai_fit *fit, int rounds, double least)
{
	double before = INFINITY;
	for (int round = 0; round < rounds; round++) {
		double error;
		improve_weights(fit, NULL);
		OSSAI_TRY(improve_motion(fit, &error));
		OSSAI_TRY(ossai_progress(fit->context, (double)round / rounds));
		/* the error is squared: half of its relative change is that of the RMS */
		if (before - error < 2 * least * error) break;
		before = error;
	}
	return OSSA_OK;
}

/* ---- pruning ---- */

typedef struct removal_job {
	ossai_fit *fit;
	const uint8_t *asked;  /* bones whose removal is to be judged */
} removal_job;

/* rise of a vertex's error when it must do without its i-th bone */
static double removal_cost(const ossai_fit *fit, size_t v, size_t out)
{
	const ossai_bone_weights *w = &fit->weights;
	const ossai_adjacency *adjacency = &fit->surface->adjacency;
	uint16_t bones[OSSAI_SIMPLEX_MAX];
	double g[OSSAI_SIMPLEX_MAX * OSSAI_SIMPLEX_MAX], a[OSSAI_SIMPLEX_MAX] = {0}, now = 0;
	const uint16_t *own = w->bone + v * w->width;
	size_t n = 0;
	for (size_t i = 0; i < w->count[v]; i++) bones[n++] = own[i];
	for (uint32_t e = adjacency->vertex_start[v]; e < adjacency->vertex_start[v + 1]; e++) {
		const size_t u = adjacency->vertex_neighbor[e];
		for (size_t i = 0; i < w->count[u]; i++) {
			size_t at = 0;
			while (at < n && bones[at] != w->bone[u * w->width + i]) at++;
			if (at == n && n < OSSAI_SIMPLEX_MAX) bones[n++] = w->bone[u * w->width + i];
		}
	}
	ossai_residual_gram(fit->surface, &fit->motion, v, n, bones, g);
	const double *value = w->value + v * w->width;
	for (size_t i = 0; i < w->count[v]; i++) {
		for (size_t j = 0; j < w->count[v]; j++) now += value[i] * value[j] * g[i * n + j];
	}
	/* alone with the bone: nothing near can take over, which counts as the cost of standing still */
	if (n == 1) {
		double rest = 0;
		for (size_t k = 0; k < fit->surface->pose_count; k++) {
			rest += ossai_length2(ossai_sub(ossai_rest_point(fit->surface, v), ossai_pose_point(fit->surface, v, k)));
		}
		return rest;
	}
	/* strike row and column `out` */
	for (size_t i = 0, to = 0; i < n; i++) {
		if (i == out) continue;
		for (size_t j = 0; j < n; j++) {
			if (j != out) g[to++] = g[i * n + j];
		}
	}
	return ossai_simplex_fit(n - 1, g, w->width, a) - now;
}

static void removal_range(void *arg, size_t begin, size_t end)
{
	const removal_job *job = arg;
	const ossai_bone_weights *w = &job->fit->weights;
	for (size_t v = begin; v < end; v++) {
		for (size_t i = 0; i < w->count[v]; i++) {
			if (!job->asked[w->bone[v * w->width + i]]) continue;
			job->fit->slot_cost[v * w->width + i] = removal_cost(job->fit, v, i);
		}
	}
}

static void removal_costs(ossai_fit *fit, const uint8_t *asked, double *cost)
{
	const ossai_bone_weights *w = &fit->weights;
	removal_job job = {fit, asked};
	ossai_parallel_for(fit->context, w->vertex_count, VERTEX_GRAIN, removal_range, &job);
	for (size_t b = 0; b < w->bone_count; b++) {
		if (asked[b]) cost[b] = 0;
	}
	for (size_t v = 0; v < w->vertex_count; v++) {
		for (size_t i = 0; i < w->count[v]; i++) {
			const size_t slot = v * w->width + i;
			if (asked[w->bone[slot]]) cost[w->bone[slot]] += fit->slot_cost[slot];
		}
	}
}

/* the last bone takes the number of the one that is gone */
static void renumber(ossai_fit *fit, size_t gone)
{
	ossai_bone_weights *w = &fit->weights;
	const size_t last = w->bone_count - 1, poses = fit->surface->pose_count;
	for (size_t i = 0; i < w->vertex_count * w->width; i++) {
		if (w->bone[i] == last) w->bone[i] = (uint16_t)gone;
	}
	memmove(fit->motion.rigid + gone * poses, fit->motion.rigid + last * poses, poses * sizeof *fit->motion.rigid);
	w->bone_count = fit->spare.bone_count = fit->motion.bone_count = last;
}

/* The bone that is missed least. Costs of earlier rounds only order the search: those that look cheapest are judged again
   until the cheapest is fresh. */
static size_t cheapest_bone(ossai_fit *fit, double *cost, uint8_t *asked, uint8_t *fresh)
{
	enum { BATCH = 3 };
	const size_t n = fit->weights.bone_count;
	memset(fresh, 0, n);
	for (;;) {
		size_t best = 0;
		for (size_t b = 1; b < n; b++) {
			if (cost[b] < cost[best]) best = b;
		}
		if (fresh[best]) return best;
		memset(asked, 0, n);
		for (int i = 0; i < BATCH; i++) {
			size_t next = n;
			for (size_t b = 0; b < n; b++) {
				if (!fresh[b] && (next == n || cost[b] < cost[next])) next = b;
			}
			if (next == n) break;
			asked[next] = fresh[next] = 1;
		}
		removal_costs(fit, asked, cost);
	}
}

static ossa_status prune(ossai_fit *fit, size_t bones, int rounds, double *cost, uint8_t *asked, uint8_t *fresh)
{
	const size_t begin = fit->weights.bone_count;
	memset(asked, 1, begin);
	removal_costs(fit, asked, cost);
	while (fit->weights.bone_count > bones) {
		const size_t gone = cheapest_bone(fit, cost, asked, fresh);
		memset(asked, 0, begin);
		asked[gone] = 1;
		improve_weights(fit, asked);
		cost[gone] = cost[fit->weights.bone_count - 1];
		renumber(fit, gone);
		double error;
		OSSAI_TRY(improve_motion(fit, &error));
		OSSAI_TRY(ossai_fit_alternate(fit, rounds, 0));
		const double done = (double)(begin - fit->weights.bone_count) / (double)(begin - bones);
		OSSAI_TRY(ossai_progress(fit->context, done));
	}
	return OSSA_OK;
}

ossa_status ossai_fit_prune_hierarchy(ossai_fit *fit, ossai_hierarchy *hierarchy, ossai_vec3 *anchor, double hold, size_t bones, int rounds);
ossa_status ossai_fit_prune_hierarchy(ossai_fit *fit, ossai_hierarchy *hierarchy, ossai_vec3 *anchor, double hold, size_t bones, int rounds)
{
	ossai_arena arena = ossai_arena_begin(fit->context);
	const size_t n = fit->weights.bone_count;
	double *cost = ossai_arena_new(&arena, n, sizeof *cost);
	uint8_t *asked = ossai_arena_new(&arena, n, 1), *fresh = ossai_arena_new(&arena, n, 1);
	ossai_tree *tree=(ossai_tree*)(uintptr_t)hierarchy->tree;
	memset(asked, 1, n);
	removal_costs(fit, asked, cost);
	while (fit->weights.bone_count > bones) {
		const size_t gone = cheapest_bone(fit, cost, asked, fresh);
		memset(asked, 0, n);
		asked[gone] = 1;
		improve_weights(fit, asked);
		size_t last=fit->weights.bone_count - 1;
		cost[gone] = cost[last];
		/* tree */
		uint32_t heir=OSSA_NONE; 
		if(tree->root==gone){ for(size_t at=1;at<tree->bone_count;at++){uint32_t b=tree->order[at]; if(tree->parent[b]==gone){ if(heir==OSSA_NONE){heir=b;tree->parent[b]=OSSA_NONE;tree->root=b;} else tree->parent[b]=heir; } } }
		else for(size_t b=0;b<tree->bone_count;b++) if(tree->parent[b]==gone) tree->parent[b]=tree->parent[gone];
		tree->parent[gone]=tree->parent[last]; hierarchy->joint[gone]=hierarchy->joint[last]; anchor[gone]=anchor[last];
		for(size_t b=0;b<last;b++) if(tree->parent[b]==last) tree->parent[b]=(uint32_t)gone;
		if(tree->root==last) tree->root=(uint32_t)gone;
		tree->bone_count=last; size_t c=0; tree->order[c++]=tree->root; for(size_t at=0;at<c;at++) for(uint32_t b=0;b<last;b++) if(tree->parent[b]==tree->order[at]) tree->order[c++]=b;
		renumber(fit, gone);
		OSSAI_TRY(ossai_fit_alternate_hierarchy(fit, hierarchy, anchor, hold, rounds, 0));
	}
	ossai_arena_end(&arena);
	return OSSA_OK;
}
ossa_status ossai_fit_prune(ossai_fit *fit, size_t bones, int rounds)
{
	ossai_arena arena = ossai_arena_begin(fit->context);
	const size_t n = fit->weights.bone_count;
	double *cost = ossai_arena_new(&arena, n, sizeof *cost);
	uint8_t *asked = ossai_arena_new(&arena, n, 1), *fresh = ossai_arena_new(&arena, n, 1);
	ossa_status status = OSSA_OK;
	if (!cost || !asked || !fresh) status = ossa_context_error(fit->context)->status;
	else if (bones < n) status = prune(fit, bones, rounds, cost, asked, fresh);
	ossai_arena_end(&arena);
	return status;
}

/* ---- the hierarchy ---- */

/* turns every bone on by `share` of its last turn */
static void extrapolate(const ossai_bone_motion *before, const ossai_bone_motion *now, double share, ossai_bone_motion *to)
{
	for (size_t i = 0; i < now->bone_count * now->pose_count; i++) {
		ossai_quat q = ossai_mat3_quat(&now->rigid[i].r), p = ossai_mat3_quat(&before->rigid[i].r);
		if (ossai_quat_dot(p, q) < 0) p = ossai_quat_negate(p);
		const ossai_quat ahead = {q.x + share * (q.x - p.x), q.y + share * (q.y - p.y), q.z + share * (q.z - p.z),
			q.w + share * (q.w - p.w)};
		to->rigid[i].r = ossai_quat_matrix(ahead);
		to->rigid[i].t = ossai_madd(now->rigid[i].t, share, ossai_sub(now->rigid[i].t, before->rigid[i].t));
	}
}
#include <stdlib.h>
#include <stdio.h>
ossa_status ossai_fit_alternate_hierarchy(
	ossai_fit *fit, ossai_hierarchy *hierarchy, const ossai_vec3 *anchor, double hold, int rounds, double least)
{
	enum { SWEEPS = 2, NEWTON = 2 };
	double before = INFINITY;
	ossai_bone_motion last;
	ossai_arena arena = ossai_arena_begin(fit->context);
	ossai_bone_motion_new(&arena, fit->motion.bone_count, fit->motion.pose_count, &last);
	ossai_bone_motion now; ossai_bone_motion_new(&arena, fit->motion.bone_count, fit->motion.pose_count, &now);
	double beta=0; double step = getenv("BETA")?atof(getenv("BETA")):0.1, bmax=getenv("BMAX")?atof(getenv("BMAX")):0.9;
	ossai_bone_motion_copy(&fit->motion,&last);
	for (int round = 0; round < rounds; round++) {
		ossai_bone_motion_copy(&fit->motion,&now);
		if (round>1) extrapolate(&last,&now,beta,&fit->motion);
		ossai_bone_motion_copy(&now,&last);
		improve_weights(fit, NULL);
		if(!getenv("NOENF"))OSSAI_TRY(ossai_locality_enforce(fit->context, fit->surface, &fit->motion, LEAST_WEIGHT, &fit->weights));
		ossai_moments moments;
		double error = 0;
		ossa_status status = ossai_moments_make(fit->context, fit->surface, &fit->weights, &moments);
		if (status == OSSA_OK && anchor) {
			status = ossai_hierarchy_place_joints(fit->context, &moments, hierarchy, &fit->motion, anchor, hold);
		}
		if (status == OSSA_OK) status = ossai_hierarchy_fit(fit->context, &moments, hierarchy, SWEEPS, NEWTON, &fit->motion);
		if (status == OSSA_OK) error = ossai_moments_error(&moments, &fit->motion);
		ossai_moments_end(&moments);
		OSSAI_TRY(status);
		OSSAI_TRY(ossai_progress(fit->context, (double)round / rounds));
		if(getenv("VV"))printf("  %d %.4f %.2f\n",round,ossai_rms_percent(fit->surface,error),beta);
		if(error>before){beta*=0.3;} else beta=fmin(bmax,beta+step);
		(void)least;
		before = error;
	}
	ossai_arena_end(&arena);
	return OSSA_OK;
}
