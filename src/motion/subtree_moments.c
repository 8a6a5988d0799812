/* motion/subtree_moments.c: see subtree_moments.h. */
#include "motion/subtree_moments.h"

static ossa_status take_arrays(ossai_arena *arena, ossai_subtree_moments *t)
{
	const size_t n = t->bone_count, k = t->pose_count;
	t->pp = ossai_arena_new(arena, n, n * 9 * sizeof(double));
	t->pa = ossai_arena_new(arena, n, n * 3 * sizeof(double));
	t->aa = ossai_arena_new(arena, n, n * sizeof(double));
	t->pv = ossai_arena_new(arena, k, n * 9 * sizeof(double));
	t->av = ossai_arena_new(arena, k, n * 3 * sizeof(double));
	t->p_mean = ossai_arena_new(arena, n, 3 * sizeof(double));
	t->a_mean = ossai_arena_new(arena, n, sizeof(double));
	t->v_mean = ossai_arena_new(arena, k, sizeof *t->v_mean);
	t->vv = ossai_arena_new(arena, k, sizeof(double));
	const bool all = t->pp && t->pa && t->aa && t->pv && t->av && t->p_mean && t->a_mean && t->v_mean && t->vv;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

/* sums for single bones: A_b is a_b for now */
static void copy_sums(const ossai_moments *m, ossai_subtree_moments *t)
{
	const uint32_t n = (uint32_t)t->bone_count;
	for (uint32_t b = 0; b < n; b++) {
		for (uint32_t c = 0; c < n; c++) {
			double s[4][4];
			ossai_moments_matrix(m, b, c, s);
			for (size_t i = 0; i < 9; i++) t->pp[((size_t)b * n + c) * 9 + i] = s[i / 3][i % 3];
			for (size_t i = 0; i < 3; i++) t->pa[((size_t)b * n + c) * 3 + i] = s[i][3];
			t->aa[(size_t)b * n + c] = s[3][3];
		}
		for (size_t k = 0; k < t->pose_count; k++) {
			double c[12];
			ossai_moments_target(m, b, k, c);
			for (size_t i = 0; i < 9; i++) t->pv[(k * n + b) * 9 + i] = c[i];
			for (size_t i = 0; i < 3; i++) t->av[(k * n + b) * 3 + i] = c[9 + i];
		}
	}
}

/* sums of P_b and a_b over the vertices: weights sum to 1 at every vertex, so summing over the
   other bone does it */
static void find_means(const ossai_moments *m, ossai_subtree_moments *t)
{
	const size_t n = t->bone_count;
	for (size_t b = 0; b < n; b++) {
		double sum[4] = {0};
		for (size_t c = 0; c < n; c++) {
			for (size_t i = 0; i < 3; i++) sum[i] += t->pa[(b * n + c) * 3 + i];
			sum[3] += t->aa[b * n + c];
		}
		for (size_t i = 0; i < 3; i++) t->p_mean[3 * b + i] = sum[i] / m->vertex_count;
		t->a_mean[b] = sum[3] / m->vertex_count;
	}
	for (size_t k = 0; k < t->pose_count; k++) {
		const ossai_vec3 mean = ossai_scale(m->target_sum[k], 1 / m->vertex_count);
		ossai_v3_store(mean, t->v_mean[k]);
		t->vv[k] = m->target[k] - m->vertex_count * ossai_length2(mean);
	}
}

/* adds every bone's sums to its parent's, children first */
static void climb(const ossai_tree *tree, ossai_subtree_moments *t)
{
	const size_t n = t->bone_count;
	for (size_t at = n; at-- > 1;) {
		const size_t b = tree->order[at], parent = tree->parent[b];
		for (size_t c = 0; c < n; c++) {
			for (size_t i = 0; i < 3; i++) t->pa[(c * n + parent) * 3 + i] += t->pa[(c * n + b) * 3 + i];
			t->aa[c * n + parent] += t->aa[c * n + b];
		}
		for (size_t k = 0; k < t->pose_count; k++) {
			for (size_t i = 0; i < 3; i++) t->av[(k * n + parent) * 3 + i] += t->av[(k * n + b) * 3 + i];
		}
		t->a_mean[parent] += t->a_mean[b];
	}
	/* the rows of aa: its columns hold subtrees already */
	for (size_t at = n; at-- > 1;) {
		const size_t b = tree->order[at], parent = tree->parent[b];
		for (size_t c = 0; c < n; c++) t->aa[parent * n + c] += t->aa[b * n + c];
	}
}

/* adds to the sums `count` times the products of the means; of the targets' means less `root` (K;
   NULL: 0) */
static void add_means(double count, const ossai_vec3 *root, ossai_subtree_moments *t)
{
	const size_t n = t->bone_count;
	for (size_t b = 0; b < n; b++) {
		const double *pb = t->p_mean + 3 * b;
		for (size_t c = 0; c < n; c++) {
			const double *pc = t->p_mean + 3 * c;
			for (size_t i = 0; i < 9; i++) t->pp[(b * n + c) * 9 + i] += count * pb[i / 3] * pc[i % 3];
			for (size_t i = 0; i < 3; i++) t->pa[(b * n + c) * 3 + i] += count * pb[i] * t->a_mean[c];
			t->aa[b * n + c] += count * t->a_mean[b] * t->a_mean[c];
		}
		for (size_t k = 0; k < t->pose_count; k++) {
			const ossai_vec3 mean = ossai_v3_of(t->v_mean[k]);
			double v[3];
			ossai_v3_store(root ? ossai_sub(mean, root[k]) : mean, v);
			for (size_t i = 0; i < 9; i++) t->pv[(k * n + b) * 9 + i] += count * pb[i / 3] * v[i % 3];
			for (size_t i = 0; i < 3; i++) t->av[(k * n + b) * 3 + i] += count * t->a_mean[b] * v[i];
		}
	}
}

void ossai_subtree_moments_hold(const ossai_moments *moments, const ossai_vec3 *root, ossai_subtree_moments *t)
{
	add_means(moments->vertex_count, root, t);
	for (size_t k = 0; k < t->pose_count; k++) {
		t->vv[k] += moments->vertex_count * ossai_length2(ossai_sub(ossai_v3_of(t->v_mean[k]), root[k]));
	}
}

ossa_status ossai_subtree_moments_make(
	ossai_arena *arena, const ossai_moments *moments, const ossai_tree *tree, ossai_subtree_moments *sums)
{
	*sums = (ossai_subtree_moments){.bone_count = moments->bone_count, .pose_count = moments->pose_count};
	OSSAI_TRY(take_arrays(arena, sums));
	copy_sums(moments, sums);
	find_means(moments, sums);
	climb(tree, sums);
	/* sum x y^T  ->  sum (x - mean) (y - mean)^T */
	add_means(-moments->vertex_count, NULL, sums);
	return OSSA_OK;
}
