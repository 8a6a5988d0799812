/* motion/local_fit.c: see local_fit.h. */
#include "motion/local_fit.h"

#include <string.h>

/* the whole, and the part that is made of it */
typedef struct making {
	const ossai_subtree_moments *whole;
	const ossai_hierarchy *hierarchy;
	const ossai_bone_motion *motion;
	const uint8_t *near;
	ossai_local_fit *fit;
	ossai_vec3 *shift; /* K: from the origin of the part's targets to that of the whole's */
} making;

static const ossai_mat3 *rotation(const making *w, uint32_t b, size_t k)
{
	return &w->motion->rigid[b * w->motion->pose_count + k].r;
}

/* bones at the border of the part keep their rotations: so all children of those that rotate are in
   it */
static bool rotates(const making *w, uint32_t b) { return w->near[b] > 1; }

/* the whole's translation is one of the part's unknowns */
static bool is_free(const making *w) { return rotates(w, w->hierarchy->tree->root); }

/* ---- which bones ---- */

size_t ossai_local_bones(const ossai_tree *tree, uint32_t bone, size_t steps, uint8_t *near)
{
	size_t count = 0;
	memset(near, 0, tree->bone_count);
	/* one more than the steps that are left: of the bones above, then of those below each */
	for (size_t left = steps + 1; left > 0 && bone != OSSA_NONE; left--, bone = tree->parent[bone]) near[bone] = (uint8_t)left;
	for (size_t at = 0; at < tree->bone_count; at++) {
		const uint32_t b = tree->order[at], parent = tree->parent[b];
		if (near[b] == 0 && parent != OSSA_NONE && near[parent] > 1) near[b] = (uint8_t)(near[parent] - 1);
		count += near[b] > 0;
	}
	return count;
}

static ossa_status take_arrays(ossai_arena *arena, size_t poses, ossai_local_fit *fit)
{
	const size_t n = fit->count;
	ossai_subtree_moments *t = &fit->sums;
	OSSAI_TRY(ossai_tree_new(arena, n, &fit->tree));
	OSSAI_TRY(ossai_bone_motion_new(arena, n, poses, &fit->motion));
	fit->bone = ossai_arena_new(arena, n, sizeof *fit->bone);
	fit->joint = ossai_arena_new(arena, n, sizeof *fit->joint);
	fit->moments.pair_of = ossai_arena_new(arena, n, n * sizeof *fit->moments.pair_of);
	t->pa = ossai_arena_new(arena, n, n * 3 * sizeof *t->pa);
	t->aa = ossai_arena_new(arena, n, n * sizeof *t->aa);
	t->pv = ossai_arena_new(arena, poses, n * 9 * sizeof *t->pv);
	t->av = ossai_arena_new(arena, poses, n * 3 * sizeof *t->av);
	t->p_mean = ossai_arena_new(arena, n, 3 * sizeof *t->p_mean);
	t->a_mean = ossai_arena_new(arena, n, sizeof *t->a_mean);
	t->origin = ossai_arena_new(arena, poses, sizeof *t->origin);
	t->vv = ossai_arena_zero(arena, poses, sizeof *t->vv);
	fit->moving = ossai_arena_new(arena, n, sizeof *fit->moving);
	const bool own = fit->bone && fit->joint && fit->moving && fit->moments.pair_of;
	const bool sums = t->pa && t->aa && t->pv && t->av && t->p_mean && t->a_mean && t->origin && t->vv;
	return own && sums ? OSSA_OK : ossa_context_error(arena->context)->status;
}

/* the part's tree, in the order of the whole's; parents come first, so that they are found */
static void take_bones(const making *w)
{
	ossai_local_fit *fit = w->fit;
	const ossai_tree *tree = w->hierarchy->tree;
	const size_t poses = w->motion->pose_count;
	uint32_t count = 0;
	for (size_t at = 0; at < tree->bone_count; at++) {
		const uint32_t b = tree->order[at];
		if (!w->near[b]) continue;
		uint32_t parent = 0;
		while (parent < count && fit->bone[parent] != tree->parent[b]) parent++;
		fit->bone[count] = b;
		fit->tree.parent[count] = count > 0 ? parent : OSSA_NONE;
		fit->tree.order[count] = count;
		fit->joint[count] = count > 0 ? w->hierarchy->joint[b] : ossai_v3(0, 0, 0);
		memcpy(fit->motion.rigid + count * poses, w->motion->rigid + b * poses, poses * sizeof *w->motion->rigid);
		count++;
	}
	fit->tree.root = 0;
}

/* ---- sums ---- */

static void copy_sums(const making *w)
{
	const ossai_subtree_moments *t = w->whole;
	ossai_local_fit *fit = w->fit;
	ossai_subtree_moments *own = &fit->sums;
	const size_t n = t->bone_count, s = fit->count;
	for (size_t i = 0; i < s; i++) {
		const size_t b = fit->bone[i];
		for (size_t j = 0; j < s; j++) {
			const size_t c = fit->bone[j];
			memcpy(own->pa + (i * s + j) * 3, t->pa + (b * n + c) * 3, 3 * sizeof *t->pa);
			own->aa[i * s + j] = t->aa[b * n + c];
			fit->moments.pair_of[i * s + j] = t->moments->pair_of[b * n + c];
		}
		memcpy(own->p_mean + 3 * i, t->p_mean + 3 * b, 3 * sizeof *t->p_mean);
		own->a_mean[i] = t->a_mean[b];
		for (size_t k = 0; k < t->pose_count; k++) {
			memcpy(own->pv + (k * s + i) * 9, t->pv + (k * n + b) * 9, 9 * sizeof *t->pv);
			memcpy(own->av + (k * s + i) * 3, t->av + (k * n + b) * 3, 3 * sizeof *t->av);
		}
	}
}

/* adds a point with the weights A_a to the targets of the part's i-th bone */
static void add_target(const making *w, size_t i, size_t k, uint32_t a, ossai_vec3 point)
{
	const ossai_subtree_moments *t = w->whole;
	const size_t n = t->bone_count, b = w->fit->bone[i];
	double *pv = w->fit->sums.pv + (k * w->fit->count + i) * 9, *av = w->fit->sums.av + (k * w->fit->count + i) * 3;
	const double *p = t->pa + (a * n + b) * 3, x[3] = {point.x, point.y, point.z};
	for (int e = 0; e < 9; e++) pv[e] += p[e / 3] * x[e % 3];
	for (int e = 0; e < 3; e++) av[e] += t->aa[b * n + a] * x[e];
}

/* ---- the bones outside ---- */

/* the sums over y of an outside bone that the part's i-th bone needs: of P_b y^T and of A_b y */
typedef struct outer {
	double p[9], a[3];
} outer;

static void add_term(const making *w, uint32_t b, uint32_t a, ossai_vec3 joint, outer *sum)
{
	const ossai_subtree_moments *t = w->whole;
	const size_t n = t->bone_count;
	const double *p = t->pa + (a * n + b) * 3, x[3] = {joint.x, joint.y, joint.z};
	for (int e = 0; e < 9; e++) sum->p[e] += p[e / 3] * x[e % 3];
	for (int e = 0; e < 3; e++) sum->a[e] += t->aa[b * n + a] * x[e];
}

/* y_c = P_c - A_c c_c + the sum over its children d of A_d c_d, but for these, which the caller
   adds */
static outer own_terms(const making *w, uint32_t b, uint32_t c)
{
	static const int index[9] = {0, 1, 2, 1, 4, 5, 2, 5, 7};
	const ossai_subtree_moments *t = w->whole;
	const size_t n = t->bone_count;
	const uint32_t pair = t->moments->pair_of[b * n + c];
	outer sum = {{0}, {0}};
	for (int e = 0; e < 9 && pair != OSSA_NONE; e++) sum.p[e] = t->moments->s[pair][index[e]];
	memcpy(sum.a, t->pa + (b * n + c) * 3, sizeof sum.a);
	add_term(w, b, c, ossai_scale(w->hierarchy->joint[c], -1), &sum);
	return sum;
}

/* takes R_c y off the targets of the part's i-th bone */
static void subtract(const making *w, size_t i, uint32_t c, const outer *y)
{
	const size_t s = w->fit->count;
	for (size_t k = 0; k < w->motion->pose_count; k++) {
		const double(*r)[3] = rotation(w, c, k)->m;
		double *pv = w->fit->sums.pv + (k * s + i) * 9, *av = w->fit->sums.av + (k * s + i) * 3;
		for (int e = 0; e < 9; e++) {
			const double *p = y->p + e / 3 * 3, *row = r[e % 3];
			pv[e] -= p[0] * row[0] + p[1] * row[1] + p[2] * row[2];
		}
		for (int e = 0; e < 3; e++) av[e] -= r[e][0] * y->a[0] + r[e][1] * y->a[1] + r[e][2] * y->a[2];
	}
}

/* whether the joint of a bone is a term of its parent that the part does not have */
static bool is_outer_child(const making *w, uint32_t d)
{
	const uint32_t parent = w->hierarchy->tree->parent[d];
	return parent != OSSA_NONE && (!w->near[d] || !w->near[parent]);
}

/* takes all that is not of the part off the targets of its i-th bone */
static void subtract_outside(const making *w, outer *sum, size_t i)
{
	const ossai_tree *tree = w->hierarchy->tree;
	const size_t n = tree->bone_count;
	const uint32_t b = w->fit->bone[i];
	/* of subtrees: where a bone shares no vertex, those below it share none either */
	const double *shared = w->whole->aa + b * n;
	for (uint32_t c = 0; c < n; c++) sum[c] = !w->near[c] && shared[c] > 0 ? own_terms(w, b, c) : (outer){{0}, {0}};
	for (uint32_t d = 0; d < n; d++) {
		if (is_outer_child(w, d) && shared[d] > 0) add_term(w, b, d, w->hierarchy->joint[d], &sum[tree->parent[d]]);
	}
	for (uint32_t c = 0; c < n; c++) {
		if (!rotates(w, c) && shared[c] > 0) subtract(w, i, c, &sum[c]);
	}
}

/* the mean over the vertices of what is not of the part, by bone */
static void find_means(const making *w, ossai_vec3 *mean)
{
	const ossai_subtree_moments *t = w->whole;
	const ossai_vec3 *joint = w->hierarchy->joint;
	for (size_t c = 0; c < t->bone_count; c++) {
		mean[c] = ossai_v3(0, 0, 0);
		if (!w->near[c]) mean[c] = ossai_madd(ossai_v3_of(t->p_mean + 3 * c), -t->a_mean[c], joint[c]);
	}
	for (uint32_t d = 0; d < t->bone_count; d++) {
		if (!is_outer_child(w, d)) continue;
		ossai_vec3 *parent = &mean[w->hierarchy->tree->parent[d]];
		*parent = ossai_madd(*parent, t->a_mean[d], joint[d]);
	}
}

/* ---- the origin ---- */

/* With a free translation targets are about their mean, of which what is not of the part has a
   share (mean: B); else about the root's joint as it is. */
static void find_shifts(const making *w, const ossai_vec3 *mean)
{
	const ossai_tree *tree = w->hierarchy->tree;
	const size_t poses = w->motion->pose_count;
	for (size_t k = 0; k < poses; k++) {
		const ossai_vec3 g = ossai_rigid_point(&w->motion->rigid[tree->root * poses + k], w->hierarchy->joint[tree->root]);
		w->shift[k] = is_free(w) ? ossai_v3(0, 0, 0) : ossai_sub(w->whole->origin[k], g);
	}
	for (uint32_t c = 0; is_free(w) && c < tree->bone_count; c++) {
		for (size_t k = 0; !rotates(w, c) && k < poses; k++) {
			w->shift[k] = ossai_add(w->shift[k], ossai_mat3_mul_v(rotation(w, c, k), mean[c]));
		}
	}
}

static void shift_targets(const making *w)
{
	const ossai_subtree_moments *t = w->whole;
	const uint32_t root = w->hierarchy->tree->root, top = w->fit->bone[0];
	for (size_t k = 0; k < t->pose_count; k++) {
		w->fit->sums.origin[k] = ossai_sub(t->origin[k], w->shift[k]);
		/* the root's weight is 1 at every vertex; R y of the part's root without its joint */
		const ossai_vec3 joint = ossai_mat3_mul_v(rotation(w, top, k), w->hierarchy->joint[top]);
		for (size_t i = 0; i < w->fit->count; i++) {
			add_target(w, i, k, root, w->shift[k]);
			if (!is_free(w)) add_target(w, i, k, top, joint);
		}
	}
}

/* ---- all ---- */

/* the squares of the targets are what the errors of the motion as it is need */
static ossa_status find_squares(ossai_arena *arena, const double *error, ossai_local_fit *fit)
{
	const size_t poses = fit->motion.pose_count;
	const ossai_hierarchy part = {&fit->tree, fit->joint, NULL};
	double *less = ossai_arena_new(arena, poses, sizeof *less);
	if (!less) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_hierarchy_fit_part(arena->context, &fit->sums, &part, fit->moving, 0, 0, &fit->motion, less));
	for (size_t k = 0; k < poses; k++) fit->sums.vv[k] = error[k] - less[k];
	return OSSA_OK;
}

static ossa_status make(ossai_arena *arena, const making *w)
{
	ossai_local_fit *fit = w->fit;
	outer *sum = ossai_arena_new(arena, w->whole->bone_count, sizeof *sum);
	ossai_vec3 *mean = ossai_arena_new(arena, w->whole->bone_count, sizeof *mean);
	if (!sum || !mean || !w->shift) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(take_arrays(arena, w->motion->pose_count, fit));
	take_bones(w);
	copy_sums(w);
	fit->sums.free_count = is_free(w) ? w->whole->free_count : 0;
	for (size_t i = 0; i < fit->count; i++) fit->moving[i] = rotates(w, fit->bone[i]);
	for (size_t i = 0; i < fit->count; i++) subtract_outside(w, sum, i);
	find_means(w, mean);
	find_shifts(w, mean);
	shift_targets(w);
	return OSSA_OK;
}

ossa_status ossai_local_fit_make(ossai_arena *arena, const ossai_subtree_moments *sums, const ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const double *error, const uint8_t *near, ossai_local_fit *fit)
{
	*fit = (ossai_local_fit){.moments = {.s = sums->moments->s, .vertex_count = sums->moments->vertex_count}};
	for (size_t b = 0; b < sums->bone_count; b++) fit->count += near[b] > 0;
	const making w = {.whole = sums,
		.hierarchy = hierarchy,
		.motion = motion,
		.near = near,
		.fit = fit,
		.shift = ossai_arena_new(arena, sums->pose_count, sizeof *w.shift)};
	fit->sums = (ossai_subtree_moments){
		.moments = &fit->moments, .tree = &fit->tree, .bone_count = fit->count, .pose_count = sums->pose_count};
	fit->moments.bone_count = fit->count;
	fit->moments.pose_count = sums->pose_count;
	OSSAI_TRY(make(arena, &w));
	return find_squares(arena, error, fit);
}

void ossai_local_fit_give(const ossai_local_fit *fit, const ossai_hierarchy *hierarchy, ossai_bone_motion *motion)
{
	const ossai_tree *tree = hierarchy->tree;
	const size_t poses = motion->pose_count;
	for (size_t i = 0; i < fit->count; i++) {
		if (i > 0) hierarchy->joint[fit->bone[i]] = fit->joint[i];
		memcpy(motion->rigid + fit->bone[i] * poses, fit->motion.rigid + i * poses, poses * sizeof *motion->rigid);
	}
	for (size_t at = 1; at < tree->bone_count; at++) {
		const uint32_t b = tree->order[at];
		const ossai_vec3 c = hierarchy->joint[b];
		for (size_t k = 0; k < poses; k++) {
			ossai_rigid *x = &motion->rigid[b * poses + k];
			const ossai_vec3 image = ossai_rigid_point(&motion->rigid[tree->parent[b] * poses + k], c);
			x->t = ossai_sub(image, ossai_mat3_mul_v(&x->r, c));
		}
	}
}
