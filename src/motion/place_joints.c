/* motion/place_joints.c: the least-squares joint positions of a hierarchy, for given rotations.

   Place in the path: the part of hierarchy.h that moves joints.
   Input: moments, tree, motion.
   Output: joints. */
#include "math/cholesky.h"
#include "motion/hierarchy.h"
#include "skeleton/from_motion/joints.h"

/* blocks of poses between two tests for cancellation */
enum { BLOCKS_PER_LOOK = 16 };

/* at this distance from its anchor a joint's penalty has half of its weight */
static const double half_hold_distance = 0.01;
/* penalty of a hinge's displacement along its axis, as a share of the cost of the same displacement
   across it */
static const double axis_hold = 0.01;

/* The system of all joints but the root's, numbered in the tree's order, and the poses that are
   added to it, each in a lane. */
typedef struct joint_system {
	const ossai_subtree_moments *sums;
	size_t size;       /* unknowns */
	double *h, *g;     /* normal equations */
	ossai_lanes *r;    /* B x 9: rotations, by bone */
	ossai_lanes *bend; /* B x 9, in the tree's order */
} joint_system;

/* Rotations of the poses from `k` on, and their bends: the difference of the parent's and the
   bone's, which is the displacement caused by moving the joint, per unit of subtree weight. 0 where
   there is no pose. */
static void load_poses(const joint_system *w, const ossai_bone_motion *motion, size_t k)
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
OSSAI_INLINE void find_rest(const joint_system *w, size_t k, uint32_t d, const ossai_lanes means[3], ossai_lanes want[3])
{
	const ossai_subtree_moments *t = w->sums;
	const size_t n = t->bone_count;
	for (size_t i = 0; i < 3; i++) want[i] = t->free_count * t->a_mean[d] * means[i];
	for (size_t l = 0; l < OSSAI_LANES && k + l < t->pose_count; l++) {
		for (size_t i = 0; i < 3; i++) want[i][l] += t->av[((k + l) * n + d) * 3 + i];
	}
	for (size_t b = 0; b < n; b++) {
		const double *p = t->pa + (d * n + b) * 3;
		ossai_lanes carried[3];
		if (p[0] == 0 && p[1] == 0 && p[2] == 0) continue;
		ossai_lanes_turn(w->r + 9 * b, p, carried);
		for (size_t i = 0; i < 3; i++) want[i] -= carried[i];
	}
}

/* Adds the poses from `k` on to the normal equations: x_i = g + sum_b R_b P_ib + sum_d A_id
   (R_parent - R_d) c_d. The products of bends are weighted when all poses are summed. */
OSSAI_CLONES static void add_poses(const joint_system *w, size_t k)
{
	const ossai_subtree_moments *t = w->sums;
	const size_t n = t->bone_count;
	ossai_lanes means[3] = {{0}}, want[3];
	for (size_t b = 0; b < n; b++) {
		ossai_lanes turned[3];
		ossai_lanes_turn(w->r + 9 * b, t->p_mean + 3 * b, turned);
		for (size_t i = 0; i < 3; i++) means[i] += turned[i];
	}
	for (size_t i = 1; i < n; i++) {
		const ossai_lanes *own = w->bend + 9 * i;
		find_rest(w, k, t->tree->order[i], means, want);
		for (size_t e = 0; e < 3; e++) {
			w->g[3 * (i - 1) + e] += ossai_lanes_sum(own[e] * want[0] + own[3 + e] * want[1] + own[6 + e] * want[2]);
		}
		for (size_t j = 1; j <= i; j++) {
			const ossai_lanes *other = w->bend + 9 * j;
			for (size_t e = 0; e < 9; e++) {
				const size_t p = e / 3, q = e % 3;
				w->h[(3 * (i - 1) + p) * w->size + 3 * (j - 1) + q] += ossai_lanes_sum(
					own[p] * other[q] + own[3 + p] * other[3 + q] + own[6 + p] * other[6 + q]);
			}
		}
	}
}

/* the products of bends become the normal equations: about the mean where the translation is
   free */
static void weigh(const joint_system *w)
{
	const ossai_subtree_moments *t = w->sums;
	const size_t n = t->bone_count;
	for (size_t i = 1; i < n; i++) {
		for (size_t j = 1; j <= i; j++) {
			const size_t d = t->tree->order[i], e = t->tree->order[j];
			const double share = t->aa[d * n + e] - t->free_count * t->a_mean[d] * t->a_mean[e];
			for (size_t x = 0; x < 9; x++) w->h[(3 * (i - 1) + x / 3) * w->size + 3 * (j - 1) + x % 3] *= share;
		}
	}
}

/* adds the penalties of the joints to the normal equations; `joint` is their current position */
static void add_holds(
	const ossai_tree *tree, const ossai_vec3 *joint, const ossai_vec3 *anchor, double hold, double *h, double *g)
{
	const size_t n = tree->bone_count, size = 3 * (n - 1);
	for (size_t i = 1; i < n; i++) {
		const uint32_t b = tree->order[i];
		const double weight = hold / (1 + ossai_distance(joint[b], anchor[b]) / half_hold_distance) + 1e-12;
		const double held[3] = {anchor[b].x, anchor[b].y, anchor[b].z};
		for (size_t e = 0; e < 3; e++) {
			h[(3 * (i - 1) + e) * (size + 1)] += weight;
			g[3 * (i - 1) + e] += weight * held[e];
		}
	}
}

/* The position of a hinge along its axis is determined by the last percent of its motion only:
   where skin slides or a length changes, joints would leave the body to compensate. Along the axis
   they are penalised by a share of the weight of their motion, whatever their position. */
static void add_axis_holds(
	const ossai_subtree_moments *t, const ossai_bone_motion *motion, const ossai_vec3 *anchor, double *h, double *g)
{
	const ossai_tree *tree = t->tree;
	const size_t n = tree->bone_count, size = 3 * (n - 1);
	for (size_t i = 1; i < n; i++) {
		const uint32_t d = tree->order[i];
		ossai_joint joint;
		ossai_joint_classify(motion, tree->parent[d], d, &joint);
		const double share = t->aa[d * n + d] - t->free_count * t->a_mean[d] * t->a_mean[d];
		const double vertices = share * (double)motion->pose_count;
		const double weight = axis_hold * ossai_joint_silence(&joint) * joint.spread[0] * vertices;
		const double axis[3] = {joint.axis.x, joint.axis.y, joint.axis.z}, along = ossai_dot(joint.axis, anchor[d]);
		for (size_t e = 0; e < 9; e++) {
			h[(3 * (i - 1) + e / 3) * size + 3 * (i - 1) + e % 3] += weight * axis[e / 3] * axis[e % 3];
		}
		for (size_t e = 0; e < 3; e++) g[3 * (i - 1) + e] += weight * along * axis[e];
	}
}

/* reduces the system to the joints of marked bones: the terms of the others go to the right-hand
   side */
static void hold_joints(const ossai_tree *tree, const ossai_vec3 *joint, const uint8_t *movable, double *h, double *g)
{
	const size_t size = 3 * (tree->bone_count - 1);
	for (size_t i = 0; i < size; i++) {
		const uint32_t b = tree->order[i / 3 + 1];
		const double position[3] = {joint[b].x, joint[b].y, joint[b].z};
		if (movable[b]) continue;
		for (size_t j = 0; j < size; j++) {
			double *entry = j < i ? &h[i * size + j] : &h[j * size + i];
			if (j == i) continue;
			g[j] -= *entry * position[i % 3];
			*entry = 0;
		}
		h[i * (size + 1)] = 1;
		g[i] = position[i % 3];
	}
}

/* positions of the origin of the root's frame: what is left of a vertex's position when all
   rotations are removed; NULL where memory ends */
static ossai_vec3 *root_translations(
	ossai_arena *arena, const ossai_moments *m, const ossai_hierarchy *hierarchy, const ossai_bone_motion *motion)
{
	ossai_vec3 *positions = ossai_arena_new(arena, m->pose_count, sizeof *positions);
	for (size_t k = 0; positions && k < m->pose_count; k++) {
		positions[k] = motion->rigid[hierarchy->tree->root * m->pose_count + k].t;
	}
	return positions;
}

static ossa_status sum_poses(
	ossai_arena *arena, const ossai_subtree_moments *sums, const ossai_bone_motion *motion, joint_system *w)
{
	const size_t n = sums->bone_count;
	*w = (joint_system){.sums = sums, .size = 3 * (n - 1)};
	w->h = ossai_arena_zero(arena, w->size, w->size * sizeof *w->h);
	w->g = ossai_arena_zero(arena, w->size, sizeof *w->g);
	w->r = ossai_arena_new(arena, n, 9 * sizeof *w->r);
	w->bend = ossai_arena_new(arena, n, 9 * sizeof *w->bend);
	if (!w->h || !w->g || !w->r || !w->bend) return ossa_context_error(arena->context)->status;
	for (size_t k = 0; k < sums->pose_count; k += OSSAI_LANES) {
		if (k / OSSAI_LANES % BLOCKS_PER_LOOK == 0) OSSAI_TRY(ossai_ask(arena->context));
		load_poses(w, motion, k);
		add_poses(w, k);
	}
	weigh(w);
	return OSSA_OK;
}

static ossa_status place_joints(ossai_arena *arena, const ossai_subtree_moments *sums, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const uint8_t *movable, const ossai_vec3 *anchor, double hold)
{
	const ossai_tree *tree = hierarchy->tree;
	joint_system w;
	if (tree->bone_count < 2) return OSSA_OK;
	OSSAI_TRY(sum_poses(arena, sums, motion, &w));
	add_holds(tree, hierarchy->joint, anchor, hold * (double)sums->pose_count, w.h, w.g);
	if (hold > 0) add_axis_holds(sums, motion, anchor, w.h, w.g);
	if (movable) hold_joints(tree, hierarchy->joint, movable, w.h, w.g);
	if (!ossai_cholesky_solve(w.size, w.h, w.g)) return OSSA_OK;
	for (size_t i = 1; i < tree->bone_count; i++) {
		const uint32_t b = tree->order[i];
		if (!movable || movable[b]) hierarchy->joint[b] = ossai_v3_of(w.g + 3 * (i - 1));
	}
	return OSSA_OK;
}

ossa_status ossai_hierarchy_place_joints(ossa_context *context, const ossai_subtree_moments *sums, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const uint8_t *movable, const ossai_vec3 *anchor, double hold)
{
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = place_joints(&arena, sums, hierarchy, motion, movable, anchor, hold);
	ossai_arena_end(&arena);
	return status;
}

ossa_status ossai_hierarchy_place_some(ossa_context *context, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const uint8_t *movable, const ossai_vec3 *anchor, double hold)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_subtree_moments sums;
	const ossai_vec3 *root = root_translations(&arena, moments, hierarchy, motion);
	ossa_status status = root ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK) status = ossai_subtree_moments_make(&arena, moments, hierarchy->tree, root, &sums);
	if (status == OSSA_OK) status = place_joints(&arena, &sums, hierarchy, motion, movable, anchor, hold);
	ossai_arena_end(&arena);
	return status;
}
