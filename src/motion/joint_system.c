/* motion/joint_system.c: see joint_system.h. */
#include "motion/joint_system.h"

/* blocks of poses between two tests for cancellation */
enum { BLOCKS_PER_LOOK = 16 };

/* The form with zeros is chosen where it costs less than this share of the other: with few bones it
   gains nothing. */
static const double sparse_share = 0.25;

/* ---- the form ---- */

static bool are_coupled(const ossai_joint_system *w, size_t i, size_t j)
{
	const ossai_subtree_moments *t = w->sums;
	return !w->is_sparse || i == j || t->aa[t->tree->order[i] * t->bone_count + t->tree->order[j]] > 0;
}

static size_t count_coupled(const ossai_joint_system *w)
{
	size_t count = 0;
	for (size_t i = 1; i < w->sums->bone_count; i++) {
		for (size_t j = 1; j <= i; j++) count += are_coupled(w, i, j);
	}
	return count;
}

static ossa_status list_coupled(ossai_arena *arena, ossai_joint_system *w)
{
	const size_t n = w->sums->bone_count;
	uint32_t *start = ossai_arena_zero(arena, n + 1, sizeof *start), count = 0;
	w->start = start;
	w->coupled = ossai_arena_new(arena, count_coupled(w), sizeof *w->coupled);
	if (!start || !w->coupled) return ossa_context_error(arena->context)->status;
	for (uint32_t i = 1; i < n; i++) {
		start[i] = count;
		for (uint32_t j = 1; j <= i; j++) {
			if (are_coupled(w, i, j)) w->coupled[count++] = j;
		}
	}
	start[n] = count;
	return OSSA_OK;
}

static ossa_status list_points(ossai_arena *arena, ossai_joint_system *w)
{
	const size_t n = w->sums->bone_count;
	const double *p = w->sums->pa;
	OSSAI_TRY(ossai_csr_begin(arena, n, &w->points));
	for (size_t i = 0; i < n * n; i++) {
		if (p[3 * i] != 0 || p[3 * i + 1] != 0 || p[3 * i + 2] != 0) ossai_csr_count(&w->points, i / n);
	}
	OSSAI_TRY(ossai_csr_take_items(arena, &w->points));
	for (size_t i = 0; i < n * n; i++) {
		if (p[3 * i] != 0 || p[3 * i + 1] != 0 || p[3 * i + 2] != 0) ossai_csr_put(&w->points, i / n, (uint32_t)(i % n));
	}
	return OSSA_OK;
}

/* the places of the joints: in the tree's order, or each behind its subtree */
static ossa_status number_joints(ossai_arena *arena, ossai_joint_system *w)
{
	const ossai_tree *tree = w->sums->tree;
	w->place = ossai_arena_new(arena, tree->bone_count, sizeof *w->place);
	if (!w->place) return ossa_context_error(arena->context)->status;
	if (w->is_sparse) return ossai_tree_number(arena, tree, NULL, w->place);
	for (uint32_t i = 0; i < tree->bone_count; i++) w->place[tree->order[i]] = i > 0 ? i - 1 : OSSA_NONE;
	return OSSA_OK;
}

static ossa_status find_shape(ossai_arena *arena, ossai_joint_system *w)
{
	const ossai_tree *tree = w->sums->tree;
	const size_t joints = tree->bone_count - 1, poses = w->is_sparse && w->sums->free_count > 0 ? w->sums->pose_count : 0;
	uint32_t *first = ossai_arena_zero(arena, joints + poses, sizeof *first);
	size_t *start = ossai_arena_zero(arena, joints + poses + 1, sizeof *start);
	if (!first || !start) return ossa_context_error(arena->context)->status;
	for (uint32_t i = 0; i < joints; i++) first[i] = i;
	for (size_t i = 1; i <= joints; i++) {
		const uint32_t own = w->place[tree->order[i]];
		for (size_t e = w->start[i]; e < w->start[i + 1]; e++) {
			const uint32_t other = w->place[tree->order[w->coupled[e]]];
			const uint32_t low = own < other ? own : other, high = own < other ? other : own;
			if (low < first[high]) first[high] = low;
		}
	}
	for (size_t i = 0; i < joints + poses; i++) start[i + 1] = start[i] + (i - first[i] + 1);
	w->shape = (ossai_skyline){joints + poses, first, start};
	return OSSA_OK;
}

static ossa_status take_form(ossai_arena *arena, bool is_sparse, ossai_joint_system *w)
{
	w->is_sparse = is_sparse;
	OSSAI_TRY(list_coupled(arena, w));
	OSSAI_TRY(number_joints(arena, w));
	return find_shape(arena, w);
}

/* Most rigs have few bones: whether there are enough for zeros to count is asked first. The
   translations alone cost as much as so many joints that are all coupled. */
static ossa_status choose_form(ossai_arena *arena, ossai_joint_form form, ossai_joint_system *w)
{
	const double joints = (double)w->sums->bone_count - 1;
	const double poses = w->sums->free_count > 0 ? (double)w->sums->pose_count : 0;
	const double limit = sparse_share * joints * joints * joints / 6;
	if (form == OSSAI_JOINTS_DENSE) return take_form(arena, false, w);
	if (form == OSSAI_JOINTS_CHEAPER && poses * poses * poses / 6 >= limit) return take_form(arena, false, w);
	OSSAI_TRY(take_form(arena, true, w));
	if (form == OSSAI_JOINTS_CHEAPER && ossai_skyline_cost(&w->shape) >= limit) return take_form(arena, false, w);
	return OSSA_OK;
}

/* ---- sums over the poses ---- */

/* Rotations of the poses from `k` on, and their bends: the difference of the parent's and the
   bone's, which is the displacement caused by moving the joint, per unit of subtree weight. 0 where
   there is no pose. */
static void load_poses(const ossai_joint_system *w, const ossai_bone_motion *motion, size_t k)
{
	const ossai_tree *tree = w->sums->tree;
	const size_t n = tree->bone_count, poses = motion->pose_count;
	for (size_t b = 0; b < n; b++) {
		for (size_t l = 0; l < OSSAI_LANES; l++) {
			const ossai_mat3 *r = &motion->rigid[b * poses + (k + l < poses ? k + l : k)].r;
			for (size_t i = 0; i < 9; i++) ((double *)(w->r + 9 * b + i))[l] = k + l < poses ? r->m[i / 3][i % 3] : 0;
		}
	}
	for (size_t at = 1; at < n; at++) {
		const uint32_t b = tree->order[at], parent = tree->parent[b];
		for (size_t i = 0; i < 9; i++) w->bend[9 * at + i] = w->r[9 * parent + i] - w->r[9 * b + i];
	}
}

/* sum A_d (v - sum_b R_b P_b): what is wanted of the joints */
OSSAI_INLINE void find_rest(const ossai_joint_system *w, size_t k, uint32_t d, const ossai_lanes means[3], ossai_lanes want[3])
{
	const ossai_subtree_moments *t = w->sums;
	const size_t n = t->bone_count;
	const double carried_by = w->is_sparse ? 0 : t->free_count * t->a_mean[d];
	for (size_t i = 0; i < 3; i++) want[i] = carried_by * means[i];
	for (size_t l = 0; l < OSSAI_LANES && k + l < t->pose_count; l++) {
		for (size_t i = 0; i < 3; i++) want[i][l] += t->av[((k + l) * n + d) * 3 + i];
	}
	for (size_t e = w->points.start[d]; e < w->points.start[d + 1]; e++) {
		const uint32_t b = w->points.item[e];
		ossai_lanes carried[3];
		ossai_lanes_turn(w->r + 9 * b, t->pa + (d * n + b) * 3, carried);
		for (size_t i = 0; i < 3; i++) want[i] -= carried[i];
	}
}

/* where the block of two joints of the tree's order begins, and how far its rows and columns are
   apart: only the half below the diagonal is stored */
OSSAI_INLINE double *block_of(const ossai_joint_system *w, size_t i, size_t j, size_t *down, size_t *right)
{
	const uint32_t *order = w->sums->tree->order;
	const size_t p = w->place[order[i]], q = w->place[order[j]], row = p > q ? p : q, column = p > q ? q : p;
	const size_t width = 3 * (row - w->shape.first[row] + 1);
	*down = p >= q ? width : 1;
	*right = p >= q ? 1 : width;
	return w->h + 9 * w->shape.start[row] + 3 * (column - w->shape.first[row]);
}

OSSAI_INLINE void couple(const ossai_joint_system *w, size_t i)
{
	const ossai_lanes *own = w->bend + 9 * i;
	for (size_t e = w->start[i]; e < w->start[i + 1]; e++) {
		const size_t j = w->coupled[e];
		const ossai_lanes *other = w->bend + 9 * j;
		size_t down, right;
		double *block = block_of(w, i, j, &down, &right);
		for (size_t x = 0; x < 9; x++) {
			const size_t p = x / 3, q = x % 3;
			block[p * down + q * right] += ossai_lanes_sum(
				own[p] * other[q] + own[3 + p] * other[3 + q] + own[6 + p] * other[6 + q]);
		}
	}
}

/* Adds the poses from `k` on to the normal equations. The products of bends are weighted when all
   poses are summed. */
OSSAI_CLONES static void add_poses(const ossai_joint_system *w, size_t k, ossai_lanes means[3])
{
	const ossai_subtree_moments *t = w->sums;
	const size_t n = t->bone_count;
	ossai_lanes want[3];
	for (size_t i = 0; i < 3; i++) means[i] = ossai_lanes_all(0);
	for (size_t b = 0; b < n; b++) {
		ossai_lanes turned[3];
		ossai_lanes_turn(w->r + 9 * b, t->p_mean + 3 * b, turned);
		for (size_t i = 0; i < 3; i++) means[i] += turned[i];
	}
	for (size_t i = 1; i < n; i++) {
		const ossai_lanes *own = w->bend + 9 * i;
		const uint32_t d = t->tree->order[i];
		double *g = w->g + 3 * w->place[d];
		find_rest(w, k, d, means, want);
		for (size_t e = 0; e < 3; e++) {
			g[e] += ossai_lanes_sum(own[e] * want[0] + own[3 + e] * want[1] + own[6 + e] * want[2]);
		}
		couple(w, i);
	}
}

/* the rows of the translations of the poses from `k` on: N g + sum_d N a_d (R_parent - R_d) c_d =
   -N means */
static void add_translations(const ossai_joint_system *w, size_t k, const ossai_lanes means[3])
{
	const ossai_subtree_moments *t = w->sums;
	const size_t joints = t->bone_count - 1;
	for (size_t l = 0; l < OSSAI_LANES && k + l < t->pose_count; l++) {
		const size_t row = joints + k + l;
		for (size_t e = 0; e < 3; e++) {
			double *h = w->h + 9 * w->shape.start[row] + e * 3 * (row + 1);
			for (size_t i = 1; i <= joints; i++) {
				const uint32_t d = t->tree->order[i];
				for (size_t q = 0; q < 3; q++) {
					h[3 * w->place[d] + q] = t->free_count * t->a_mean[d] * w->bend[9 * i + 3 * e + q][l];
				}
			}
			h[3 * row + e] = t->free_count;
			w->g[3 * row + e] = -t->free_count * means[e][l];
		}
	}
}

/* the products of bends become the normal equations: dense, about the mean where the translation is
   free */
static void weigh(const ossai_joint_system *w)
{
	const ossai_subtree_moments *t = w->sums;
	const size_t n = t->bone_count;
	const double free_count = w->is_sparse ? 0 : t->free_count;
	for (size_t i = 1; i < n; i++) {
		for (size_t f = w->start[i]; f < w->start[i + 1]; f++) {
			const size_t d = t->tree->order[i], e = t->tree->order[w->coupled[f]];
			const double share = t->aa[d * n + e] - free_count * t->a_mean[d] * t->a_mean[e];
			size_t down, right;
			double *block = block_of(w, i, w->coupled[f], &down, &right);
			for (size_t x = 0; x < 9; x++) block[x / 3 * down + x % 3 * right] *= share;
		}
	}
}

ossa_status ossai_joint_system_make(ossai_arena *arena, const ossai_subtree_moments *sums, const ossai_bone_motion *motion,
	ossai_joint_form form, ossai_joint_system *system)
{
	const size_t n = sums->bone_count;
	*system = (ossai_joint_system){.sums = sums};
	OSSAI_TRY(choose_form(arena, form, system));
	OSSAI_TRY(list_points(arena, system));
	system->h = ossai_arena_zero(arena, system->shape.start[system->shape.count], 9 * sizeof *system->h);
	system->g = ossai_arena_zero(arena, system->shape.count, 3 * sizeof *system->g);
	system->r = ossai_arena_new(arena, n, 9 * sizeof *system->r);
	system->bend = ossai_arena_new(arena, n, 9 * sizeof *system->bend);
	if (!system->h || !system->g || !system->r || !system->bend) return ossa_context_error(arena->context)->status;
	for (size_t k = 0; k < sums->pose_count; k += OSSAI_LANES) {
		ossai_lanes means[3];
		if (k / OSSAI_LANES % BLOCKS_PER_LOOK == 0) OSSAI_TRY(ossai_ask(arena->context));
		load_poses(system, motion, k);
		add_poses(system, k, means);
		if (system->shape.count > n - 1) add_translations(system, k, means);
	}
	weigh(system);
	return OSSA_OK;
}

double *ossai_joint_system_entry(const ossai_joint_system *system, size_t i, size_t j)
{
	const size_t row = i > j ? i : j, column = i > j ? j : i, first = system->shape.first[row / 3];
	if (column < 3 * first) return NULL;
	return system->h + 9 * system->shape.start[row / 3] + row % 3 * 3 * (row / 3 - first + 1) + column - 3 * first;
}
