/* motion/place_joints.c: the least-squares joint positions of a hierarchy, for given rotations.

   Place in the path: the part of hierarchy.h that moves joints.
   Input: moments, tree, motion.
   Output: joints. */
#include "math/cholesky.h"
#include "motion/hierarchy.h"
#include "skeleton/from_motion/joints.h"

/* poses between two tests for cancellation */
enum { POSES_PER_LOOK = 16 };

/* at this distance from its anchor a joint's penalty has half of its weight */
static const double half_hold_distance = 0.01;
/* penalty of a hinge's displacement along its axis, as a share of the cost of the same displacement
   across it */
static const double axis_hold = 0.01;

/* difference of the parent's and the bone's rotation: the displacement caused by moving the joint,
   per unit of subtree weight */
static ossai_mat3 bend(const ossai_bone_motion *motion, const ossai_tree *tree, uint32_t b, size_t k)
{
	const ossai_mat3 *p = &motion->rigid[tree->parent[b] * motion->pose_count + k].r;
	const ossai_mat3 *r = &motion->rigid[b * motion->pose_count + k].r;
	ossai_mat3 d;
	for (int i = 0; i < 9; i++) d.m[i / 3][i % 3] = p->m[i / 3][i % 3] - r->m[i / 3][i % 3];
	return d;
}

/* normal equations of all joints but the root's: x_i = g + sum_b R_b P_ib + sum_d A_id (R_parent -
   R_d) c_d */
static void joint_equations(const ossai_subtree_moments *t, const ossai_tree *tree, const ossai_bone_motion *motion, size_t k,
	ossai_mat3 *bends, double *h, double *g)
{
	const size_t n = t->bone_count, size = 3 * (n - 1);
	for (size_t at = 1; at < n; at++) bends[at] = bend(motion, tree, tree->order[at], k);
	for (size_t i = 1; i < n; i++) {
		const size_t d = tree->order[i];
		ossai_vec3 want = ossai_v3_of(t->av + (k * n + d) * 3);
		for (size_t b = 0; b < n; b++) {
			const ossai_vec3 carried_by = ossai_v3_of(t->pa + (b * n + d) * 3);
			want = ossai_sub(want, ossai_mat3_mul_v(&motion->rigid[b * motion->pose_count + k].r, carried_by));
		}
		const ossai_vec3 row = ossai_mat3_tmul_v(&bends[i], want);
		g[3 * (i - 1)] += row.x;
		g[3 * (i - 1) + 1] += row.y;
		g[3 * (i - 1) + 2] += row.z;
		for (size_t j = 1; j <= i; j++) {
			const double share = t->aa[d * n + tree->order[j]];
			const ossai_mat3 left = ossai_mat3_transpose(&bends[i]);
			const ossai_mat3 block = ossai_mat3_mul(&left, &bends[j]);
			for (size_t e = 0; e < 9; e++)
				h[(3 * (i - 1) + e / 3) * size + 3 * (j - 1) + e % 3] += share * block.m[e / 3][e % 3];
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
static void add_axis_holds(const ossai_subtree_moments *t, const ossai_tree *tree, const ossai_bone_motion *motion,
	const ossai_vec3 *anchor, double *h, double *g)
{
	const size_t n = tree->bone_count, size = 3 * (n - 1);
	for (size_t i = 1; i < n; i++) {
		const uint32_t d = tree->order[i];
		ossai_joint joint;
		ossai_joint_classify(motion, tree->parent[d], d, &joint);
		const double vertices = t->aa[d * n + d] * (double)motion->pose_count;
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

static ossa_status place_joints(ossa_context *context, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const uint8_t *movable, const ossai_vec3 *anchor, double hold)
{
	const size_t n = moments->bone_count, size = 3 * (n - 1);
	const ossai_tree *tree = hierarchy->tree;
	if (n < 2) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_subtree_moments t;
	ossa_status status = ossai_subtree_moments_make(&arena, moments, tree, &t);
	double *h = ossai_arena_zero(&arena, size, size * sizeof *h), *g = ossai_arena_zero(&arena, size, sizeof *g);
	ossai_mat3 *bends = ossai_arena_new(&arena, n, sizeof *bends);
	const ossai_vec3 *root = movable ? root_translations(&arena, moments, hierarchy, motion) : NULL;
	if (status == OSSA_OK && (!h || !g || !bends || (movable && !root))) status = ossa_context_error(context)->status;
	if (status == OSSA_OK) {
		if (root) ossai_subtree_moments_hold(moments, root, &t);
		for (size_t k = 0; k < moments->pose_count && status == OSSA_OK; k++) {
			if (k % POSES_PER_LOOK == 0) status = ossai_ask(context);
			joint_equations(&t, tree, motion, k, bends, h, g);
		}
	}
	if (status == OSSA_OK) {
		add_holds(tree, hierarchy->joint, anchor, hold * (double)moments->pose_count, h, g);
		if (hold > 0) add_axis_holds(&t, tree, motion, anchor, h, g);
		if (movable) hold_joints(tree, hierarchy->joint, movable, h, g);
		if (ossai_cholesky_solve(size, h, g)) {
			for (size_t i = 1; i < n; i++) {
				if (!movable || movable[tree->order[i]]) hierarchy->joint[tree->order[i]] = ossai_v3_of(g + 3 * (i - 1));
			}
		}
	}
	ossai_arena_end(&arena);
	return status;
}

ossa_status ossai_hierarchy_place_joints(ossa_context *context, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const ossai_vec3 *anchor, double hold)
{
	return place_joints(context, moments, hierarchy, motion, NULL, anchor, hold);
}

ossa_status ossai_hierarchy_place_some(ossa_context *context, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const uint8_t *movable, const ossai_vec3 *anchor, double hold)
{
	return place_joints(context, moments, hierarchy, motion, movable, anchor, hold);
}
