/* motion/subtree_moments.c: see subtree_moments.h. */
#include "motion/subtree_moments.h"

static ossa_status take_arrays(ossai_arena *arena, ossai_subtree_moments *t)
{
	const size_t n = t->bone_count, k = t->pose_count;
	t->pa = ossai_arena_zero(arena, n, n * 3 * sizeof(double));
	t->aa = ossai_arena_zero(arena, n, n * sizeof(double));
	t->pv = ossai_arena_new(arena, k, n * 9 * sizeof(double));
	t->av = ossai_arena_new(arena, k, n * 3 * sizeof(double));
	t->p_mean = ossai_arena_zero(arena, n, 3 * sizeof(double));
	t->a_mean = ossai_arena_zero(arena, n, sizeof(double));
	t->origin = ossai_arena_new(arena, k, sizeof *t->origin);
	t->vv = ossai_arena_new(arena, k, sizeof(double));
	const bool all = t->pa && t->aa && t->pv && t->av && t->p_mean && t->a_mean && t->origin && t->vv;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

/* sums for single bones: A_b is a_b for now. Weights sum to 1 at every vertex, so the sum over the
   other bone is that of the bone alone. */
static void copy_sums(const ossai_moments *m, ossai_subtree_moments *t)
{
	const size_t n = t->bone_count;
	for (size_t i = 0; i < m->pair_count; i++) {
		const double *s = m->s[i], p[3] = {s[3], s[6], s[8]};
		const size_t b = m->pairs[i][0], c = m->pairs[i][1];
		for (size_t e = 0; e < 3; e++) {
			t->pa[(b * n + c) * 3 + e] = t->pa[(c * n + b) * 3 + e] = p[e];
			t->p_mean[3 * b + e] += p[e];
			if (b != c) t->p_mean[3 * c + e] += p[e];
		}
		t->aa[b * n + c] = t->aa[c * n + b] = s[9];
		t->a_mean[b] += s[9];
		if (b != c) t->a_mean[c] += s[9];
	}
	for (size_t i = 0; i < 3 * n; i++) t->p_mean[i] /= m->vertex_count;
	for (size_t i = 0; i < n; i++) t->a_mean[i] /= m->vertex_count;
}

/* the sums of targets about the origin of a pose */
static void copy_targets(const ossai_moments *m, const ossai_vec3 *root, size_t k, ossai_subtree_moments *t)
{
	const size_t n = t->bone_count;
	const ossai_vec3 mean = ossai_scale(m->target_sum[k], 1 / m->vertex_count);
	double origin[3];
	t->origin[k] = root ? root[k] : mean;
	t->vv[k] = m->target[k] - m->vertex_count * ossai_length2(mean);
	if (root) t->vv[k] += m->vertex_count * ossai_length2(ossai_sub(mean, root[k]));
	ossai_v3_store(t->origin[k], origin);
	for (size_t b = 0; b < n; b++) {
		double c[12], *pv = t->pv + (k * n + b) * 9, *av = t->av + (k * n + b) * 3;
		ossai_moments_target(m, b, k, c);
		for (size_t i = 0; i < 9; i++) pv[i] = c[i] - m->vertex_count * t->p_mean[3 * b + i / 3] * origin[i % 3];
		for (size_t i = 0; i < 3; i++) av[i] = c[9 + i] - m->vertex_count * t->a_mean[b] * origin[i];
	}
}

static void add_row(size_t count, const double *from, double *to)
{
	for (size_t i = 0; i < count; i++) to[i] += from[i];
}

/* adds every bone's sums to its parent's, children first */
static void climb(ossai_subtree_moments *t)
{
	const size_t n = t->bone_count;
	const ossai_tree *tree = t->tree;
	for (size_t at = n; at-- > 1;) {
		const size_t b = tree->order[at], parent = tree->parent[b];
		add_row(3 * n, t->pa + b * n * 3, t->pa + parent * n * 3);
		add_row(n, t->aa + b * n, t->aa + parent * n);
		for (size_t k = 0; k < t->pose_count; k++) add_row(3, t->av + (k * n + b) * 3, t->av + (k * n + parent) * 3);
		t->a_mean[parent] += t->a_mean[b];
	}
	/* the columns of aa: its rows hold subtrees already */
	for (size_t c = 0; c < n; c++) {
		double *row = t->aa + c * n;
		for (size_t at = n; at-- > 1;) row[tree->parent[tree->order[at]]] += row[tree->order[at]];
	}
}

ossa_status ossai_subtree_moments_make(ossai_arena *arena, const ossai_moments *moments, const ossai_tree *tree,
	const ossai_vec3 *root, ossai_subtree_moments *sums)
{
	*sums = (ossai_subtree_moments){.moments = moments,
		.tree = tree,
		.bone_count = moments->bone_count,
		.pose_count = moments->pose_count,
		.free_count = root ? 0 : moments->vertex_count};
	OSSAI_TRY(take_arrays(arena, sums));
	copy_sums(moments, sums);
	for (size_t k = 0; k < sums->pose_count; k++) copy_targets(moments, root, k, sums);
	climb(sums);
	return OSSA_OK;
}
