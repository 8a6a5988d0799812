/* motion/place_joints.c: the least-squares joint positions of a hierarchy, for given rotations.

   Place in the path: the part of hierarchy.h that moves joints.
   Input: moments, tree, motion.
   Output: joints. */
#include "motion/hierarchy.h"
#include "motion/joint_system.h"
#include "motion/mirrored_joints.h"
#include "skeleton/from_motion/joints.h"

/* at this distance from its anchor a joint's penalty has half of its weight */
static const double half_hold_distance = 0.01;
/* penalty of a hinge's displacement along its axis, as a share of the cost of the same displacement
   across it */
static const double axis_hold = 0.01;

/* adds the penalties of the joints to the normal equations; `joint` is their current position */
static void add_holds(const ossai_joint_system *w, const ossai_vec3 *joint, const ossai_vec3 *anchor, double hold)
{
	const ossai_tree *tree = w->sums->tree;
	for (size_t i = 1; i < tree->bone_count; i++) {
		const uint32_t b = tree->order[i];
		const double weight = hold / (1 + ossai_distance(joint[b], anchor[b]) / half_hold_distance) + 1e-12;
		const double held[3] = {anchor[b].x, anchor[b].y, anchor[b].z};
		for (size_t e = 0; e < 3; e++) {
			const size_t at = 3 * w->place[b] + e;
			*ossai_joint_system_entry(w, at, at) += weight;
			w->g[at] += weight * held[e];
		}
	}
}

/* The position of a hinge along its axis is determined by the last percent of its motion only:
   where skin slides or a length changes, joints would leave the body to compensate. Along the axis
   they are penalised by a share of the weight of their motion, whatever their position. */
static void add_axis_holds(const ossai_joint_system *w, const ossai_bone_motion *motion, const ossai_vec3 *anchor)
{
	const ossai_subtree_moments *t = w->sums;
	const ossai_tree *tree = t->tree;
	const size_t n = tree->bone_count;
	for (size_t i = 1; i < n; i++) {
		const uint32_t d = tree->order[i];
		const size_t at = 3 * w->place[d];
		ossai_joint joint;
		ossai_joint_measure_turns(motion, tree->parent[d], d, &joint);
		const double share = t->aa[d * n + d] - t->free_count * t->a_mean[d] * t->a_mean[d];
		const double vertices = share * (double)motion->pose_count;
		const double weight = axis_hold * ossai_joint_silence(joint.spread) * joint.spread[0] * vertices;
		const double axis[3] = {joint.axis.x, joint.axis.y, joint.axis.z}, along = ossai_dot(joint.axis, anchor[d]);
		for (size_t e = 0; e < 9; e++) {
			if (e % 3 <= e / 3) *ossai_joint_system_entry(w, at + e / 3, at + e % 3) += weight * axis[e / 3] * axis[e % 3];
		}
		for (size_t e = 0; e < 3; e++) w->g[at + e] += weight * along * axis[e];
	}
}

/* the terms of an unknown that is fixed go to the right-hand side of the others */
static void hold_unknown(const ossai_joint_system *w, size_t i, double position)
{
	for (size_t j = 0; j < 3 * w->shape.count; j++) {
		double *entry = ossai_joint_system_entry(w, i, j);
		if (j == i || !entry) continue;
		w->g[j] -= *entry * position;
		*entry = 0;
	}
	*ossai_joint_system_entry(w, i, i) = 1;
	w->g[i] = position;
}

/* reduces the system to the joints of marked bones */
static void hold_joints(const ossai_joint_system *w, const ossai_vec3 *joint, const uint8_t *movable)
{
	const ossai_tree *tree = w->sums->tree;
	for (size_t i = 1; i < tree->bone_count; i++) {
		const uint32_t b = tree->order[i];
		const double position[3] = {joint[b].x, joint[b].y, joint[b].z};
		for (size_t e = 0; e < 3 && !movable[b]; e++) hold_unknown(w, 3 * w->place[b] + e, position[e]);
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

static ossa_status place_joints(ossai_arena *arena, const ossai_subtree_moments *sums, ossai_hierarchy *hierarchy,
	const ossai_bone_motion *motion, const uint8_t *movable, const ossai_vec3 *anchor, double hold)
{
	const ossai_tree *tree = hierarchy->tree;
	ossai_joint_system w;
	if (tree->bone_count < 2) return OSSA_OK;
	const ossai_joint_form form = hierarchy->symmetry ? OSSAI_JOINTS_DENSE : OSSAI_JOINTS_CHEAPER;
	OSSAI_TRY(ossai_joint_system_make(arena, sums, motion, form, &w));
	add_holds(&w, hierarchy->joint, anchor, hold * (double)sums->pose_count);
	if (hold > 0) add_axis_holds(&w, motion, anchor);
	if (hierarchy->symmetry) OSSAI_TRY(ossai_joints_mirror(arena, hierarchy->symmetry, &w));
	if (movable) hold_joints(&w, hierarchy->joint, movable);
	if (!ossai_skyline_solve_one(&w.shape, w.h, w.g)) return OSSA_OK;
	for (size_t i = 1; i < tree->bone_count; i++) {
		const uint32_t b = tree->order[i];
		if (!movable || movable[b]) hierarchy->joint[b] = ossai_v3_of(w.g + 3 * w.place[b]);
	}
	/* rounding */
	if (hierarchy->symmetry) ossai_share_joints(hierarchy->symmetry, tree->bone_count, hierarchy->joint);
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
