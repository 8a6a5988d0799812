/* motion/pose_sums.c: the sums of y y^T and y v^T, and the shape of the normal equations; see
   pose_fit.h. */
#include "motion/pose_fit.h"

#include <string.h>

/* the steps' cost is at most about that of so many bones that are all coupled */
enum { NEWTON_BONES_MOST = 150 };

/* what the sums are made of, until they are made */
typedef struct making {
	ossai_pose_fit *fit;
	uint32_t *first_child, *next; /* B each; OSSA_NONE ends */
	double *ay;                   /* B x B x 3: row c has sum A_i y_c */
} making;

static ossa_status list_children(ossai_arena *arena, const ossai_tree *tree, making *w)
{
	const size_t n = tree->bone_count;
	w->first_child = ossai_arena_new(arena, n, sizeof *w->first_child);
	w->next = ossai_arena_new(arena, n, sizeof *w->next);
	if (!w->first_child || !w->next) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < n; b++) w->first_child[b] = OSSA_NONE;
	for (size_t at = n; at-- > 1;) {
		const uint32_t b = tree->order[at], parent = tree->parent[b];
		w->next[b] = w->first_child[parent];
		w->first_child[parent] = b;
	}
	return OSSA_OK;
}

/* ---- rows: which bones are coupled ---- */

static bool are_coupled(const ossai_subtree_moments *t, size_t b, size_t c)
{
	return t->aa[b * t->bone_count + c] > 0 || t->tree->parent[b] == c || t->tree->parent[c] == b;
}

static ossa_status list_rows(ossai_arena *arena, ossai_pose_fit *fit)
{
	const size_t n = fit->sums->bone_count;
	size_t count = 0;
	fit->row = ossai_arena_new(arena, n + 1, sizeof *fit->row);
	fit->middle = ossai_arena_new(arena, n, sizeof *fit->middle);
	if (!fit->row || !fit->middle) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < n; b++) {
		fit->row[b] = fit->middle[b] = count;
		for (size_t c = 0; c < n; c++) {
			const bool is_entry = c != b && are_coupled(fit->sums, b, c);
			count += is_entry;
			if (c < b) fit->middle[b] = count;
		}
	}
	fit->row[n] = count;
	fit->other = ossai_arena_new(arena, count, sizeof *fit->other);
	fit->n = ossai_arena_new(arena, count, 9 * sizeof *fit->n);
	if (!fit->other || !fit->n) return ossa_context_error(arena->context)->status;
	for (size_t b = 0, e = 0; b < n; b++) {
		for (uint32_t c = 0; c < n; c++) {
			if (c != b && are_coupled(fit->sums, b, c)) fit->other[e++] = c;
		}
	}
	return OSSA_OK;
}

/* ---- sums of y ---- */

/* One bone's y is P_b and a sum of simple terms: A_i times a joint for the bone itself (negative)
   and each child. */
static ossai_vec3 own_term(const making *w, uint32_t b) { return ossai_scale(w->fit->hierarchy->joint[b], -1); }

static void add_outer(double m[9], const double a[3], const double b[3], double scale)
{
	for (int i = 0; i < 9; i++) m[i] += scale * a[i / 3] * b[i % 3];
}

/* sum A_i y_c for one i and c */
static void carry_weight(const making *w, size_t i, uint32_t c, double ay[3])
{
	const ossai_subtree_moments *t = w->fit->sums;
	const size_t n = t->bone_count;
	ossai_vec3 sum = ossai_v3_of(t->pa + (i * n + c) * 3);
	sum = ossai_madd(sum, t->aa[i * n + c], own_term(w, c));
	for (uint32_t d = w->first_child[c]; d != OSSA_NONE; d = w->next[d]) {
		sum = ossai_madd(sum, t->aa[i * n + d], w->fit->hierarchy->joint[d]);
	}
	ossai_v3_store(sum, ay);
}

/* m += sum P_b y_c^T */
static void carry_points(const making *w, uint32_t b, uint32_t c, double m[9])
{
	const ossai_subtree_moments *t = w->fit->sums;
	const size_t n = t->bone_count;
	const uint32_t pair = t->moments->pair_of[b * n + c];
	double joint[3];
	if (pair != OSSA_NONE) {
		static const int index[9] = {0, 1, 2, 1, 4, 5, 2, 5, 7};
		for (int i = 0; i < 9; i++) m[i] += t->moments->s[pair][index[i]];
	}
	ossai_v3_store(own_term(w, c), joint);
	add_outer(m, t->pa + (c * n + b) * 3, joint, 1);
	for (uint32_t d = w->first_child[c]; d != OSSA_NONE; d = w->next[d]) {
		ossai_v3_store(w->fit->hierarchy->joint[d], joint);
		add_outer(m, t->pa + (d * n + b) * 3, joint, 1);
	}
}

/* adds to m, for the terms of b but P_b, the products with sums by A: rows (stride doubles apart)
   of sum A_i (...) */
static void add_terms(const making *w, uint32_t b, const double *rows, size_t stride, size_t width, double *m)
{
	double joint[3];
	ossai_v3_store(own_term(w, b), joint);
	for (size_t i = 0; i < 3 * width; i++) m[i] += joint[i / width] * rows[b * stride + i % width];
	for (uint32_t d = w->first_child[b]; d != OSSA_NONE; d = w->next[d]) {
		ossai_v3_store(w->fit->hierarchy->joint[d], joint);
		for (size_t i = 0; i < 3 * width; i++) m[i] += joint[i / width] * rows[d * stride + i % width];
	}
}

/* N_bc */
static void carry_pair(const making *w, uint32_t b, uint32_t c, double m[9])
{
	const size_t n = w->fit->sums->bone_count;
	memset(m, 0, 9 * sizeof *m);
	carry_points(w, b, c, m);
	add_terms(w, b, w->ay + c * n * 3, 3, 3, m);
}

/* all N_bc: those with c below b, and transposed into row c, whose entries above its middle come in
   the order of b */
static void carry_rows(const making *w, size_t *next)
{
	ossai_pose_fit *fit = w->fit;
	const size_t n = fit->sums->bone_count;
	memcpy(next, fit->middle, n * sizeof *next);
	for (uint32_t c = 0; c < n; c++) {
		for (size_t i = 0; i < n; i++) {
			if (fit->sums->aa[i * n + c] > 0) carry_weight(w, i, c, w->ay + (c * n + i) * 3);
		}
	}
	for (uint32_t b = 0; b < n; b++) {
		double *self = fit->self + 9 * b;
		carry_pair(w, b, b, self);
		for (size_t e = fit->row[b]; e < fit->middle[b]; e++) {
			const uint32_t c = fit->other[e];
			double *m = fit->n + 9 * e, *other = fit->n + 9 * next[c]++;
			carry_pair(w, b, c, m);
			for (int i = 0; i < 9; i++) other[i % 3 * 3 + i / 3] = m[i];
		}
	}
}

static void carry_targets(const making *w)
{
	ossai_pose_fit *fit = w->fit;
	const ossai_subtree_moments *t = fit->sums;
	const size_t n = t->bone_count;
	for (uint32_t b = 0; b < n; b++) {
		memcpy(fit->mean + 3 * b, t->p_mean + 3 * b, 3 * sizeof *fit->mean);
		add_terms(w, b, t->a_mean, 1, 1, fit->mean + 3 * b);
		for (size_t k = 0; k < t->pose_count; k++) {
			double *y = fit->y + (k * n + b) * 9;
			memcpy(y, t->pv + (k * n + b) * 9, 9 * sizeof *y);
			add_terms(w, b, t->av + k * n * 3, 3, 3, y);
		}
	}
}

static ossa_status carry(ossai_arena *arena, ossai_pose_fit *fit)
{
	const size_t n = fit->sums->bone_count;
	making w = {.fit = fit, .ay = ossai_arena_zero(arena, n, n * 3 * sizeof(double))};
	fit->self = ossai_arena_new(arena, n, 9 * sizeof *fit->self);
	fit->y = ossai_arena_new(arena, fit->sums->pose_count, n * 9 * sizeof *fit->y);
	fit->mean = ossai_arena_new(arena, n, 3 * sizeof *fit->mean);
	size_t *next = ossai_arena_new(arena, n, sizeof *next);
	if (!w.ay || !fit->self || !fit->y || !fit->mean || !next) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(list_children(arena, fit->hierarchy->tree, &w));
	carry_rows(&w, next);
	carry_targets(&w);
	return OSSA_OK;
}

/* ---- stiffness ---- */

static void add_diagonal(double m[9], double x)
{
	for (int i = 0; i < 9; i += 4) m[i] += x;
}

static double *entry(const ossai_pose_fit *fit, uint32_t b, uint32_t c)
{
	size_t e = fit->row[b];
	while (fit->other[e] != c) e++;
	return fit->n + 9 * e;
}

/* |R_b - R_parent|^2 for every bone is of the same form as the error */
static void stiffen(ossai_pose_fit *fit, double stiffness)
{
	const ossai_tree *tree = fit->hierarchy->tree;
	for (size_t at = 1; at < tree->bone_count; at++) {
		const uint32_t b = tree->order[at], parent = tree->parent[b];
		add_diagonal(fit->self + 9 * b, stiffness);
		add_diagonal(fit->self + 9 * parent, stiffness);
		add_diagonal(entry(fit, b, parent), -stiffness);
		add_diagonal(entry(fit, parent, b), -stiffness);
	}
}

static void add_square(double m[9], const double v[3], double weight)
{
	for (int i = 0; i < 9; i++) m[i] += weight * v[i / 3] * v[i % 3];
}

/* |R_b axis - R_parent axis|^2 is so, too */
static void hold_hinges(ossai_pose_fit *fit, const ossai_vec3 *hinge, double weight)
{
	const ossai_tree *tree = fit->hierarchy->tree;
	for (size_t at = 1; at < tree->bone_count; at++) {
		const uint32_t b = tree->order[at], parent = tree->parent[b];
		const double axis[3] = {hinge[b].x, hinge[b].y, hinge[b].z};
		add_square(fit->self + 9 * b, axis, weight);
		add_square(fit->self + 9 * parent, axis, weight);
		add_square(entry(fit, b, parent), axis, -weight);
		add_square(entry(fit, parent, b), axis, -weight);
	}
}

/* ---- the normal equations ---- */

static ossa_status find_shape(ossai_arena *arena, ossai_pose_fit *fit)
{
	const size_t blocks = fit->moving_count + (fit->sums->free_count > 0 && fit->moving_count > 0);
	uint32_t *first = ossai_arena_zero(arena, blocks, sizeof *first);
	size_t *start = ossai_arena_new(arena, blocks + 1, sizeof *start);
	if (!first || !start) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < fit->moving_count; i++) {
		const uint32_t b = fit->moving[i];
		uint32_t least = fit->place[b];
		for (size_t e = fit->row[b]; e < fit->row[b + 1]; e++) {
			const uint32_t place = fit->place[fit->other[e]];
			/* a bone that does not move has the largest place of all */
			if (place < least) least = place;
		}
		first[fit->place[b]] = least;
	}
	start[0] = 0;
	for (size_t i = 0; i < blocks; i++) start[i + 1] = start[i] + (i - first[i] + 1);
	fit->equations = (ossai_skyline){blocks, first, start};
	return OSSA_OK;
}

ossa_status ossai_pose_fit_begin(ossai_arena *arena, const ossai_subtree_moments *sums, const ossai_hierarchy *hierarchy,
	const ossai_pose_fit_plan *plan, ossai_pose_fit *fit)
{
	const size_t n = sums->bone_count;
	*fit = (ossai_pose_fit){.hierarchy = hierarchy,
		.sums = sums,
		.sweeps = plan->sweeps,
		.newton = plan->newton,
		.is_stiff = plan->stiffness > 0,
		.moving = ossai_arena_new(arena, n, sizeof *fit->moving)};
	if (!fit->moving) return ossa_context_error(arena->context)->status;
	for (uint32_t b = 0; b < n; b++) {
		if (!plan->moving || plan->moving[b]) fit->moving[fit->moving_count++] = b;
	}
	OSSAI_TRY(list_rows(arena, fit));
	OSSAI_TRY(carry(arena, fit));
	if (fit->is_stiff) stiffen(fit, plan->stiffness);
	if (plan->hinge) hold_hinges(fit, plan->hinge, plan->hinge_weight);
	for (size_t i = 0; i < 9 * n; i += 9) fit->trace += fit->self[i] + fit->self[i + 4] + fit->self[i + 8];
	if (fit->newton > 0) {
		fit->place = ossai_arena_new(arena, n, sizeof *fit->place);
		if (!fit->place) return ossa_context_error(arena->context)->status;
		/* a bone is coupled with its ancestors and few others */
		OSSAI_TRY(ossai_tree_number(arena, hierarchy->tree, plan->moving, fit->place));
		OSSAI_TRY(find_shape(arena, fit));
		const double most = (double)NEWTON_BONES_MOST * NEWTON_BONES_MOST * NEWTON_BONES_MOST / 6;
		if (ossai_skyline_cost(&fit->equations) > most) fit->newton = 0;
	}
	const size_t matrix = fit->newton > 0 ? 9 * fit->equations.start[fit->equations.count] + 3 * fit->equations.count : 0;
	fit->scratch_size = OSSAI_LANES * (9 * n * 4 + 3 * n + matrix);
	return OSSA_OK;
}
