/* motion/tree_search.c: see tree_search.h. */
#include "motion/tree_search.h"

#include "base/heap.h"
#include "skeleton/from_motion/mirrored_graph.h"

#include <string.h>

/* rounds on joints and rotations: before the first trial, and of a trial */
enum { POSES_MOST = 8, FIRST_ROUNDS = 4, TRIAL_ROUNDS = 4, TRIAL_SWEEPS = 2 };

/* A trial is about quadratic in the bones: this many divided by the bones keeps the search a small
   part of the whole. */
enum { TRIALS_BONES = 3000 };

/* A change has to lower the energy by this: trials are fitted roughly. */
static const double least_gain = 0.5;
/* A change that costs this much energy before its first round is given up. Of 1956 changes of 11
   characters 56 % cost more; of those that lowered the energy in one round none cost more than
   44. */
static const double hopeless = 50;
/* residuals of joints below this (diagonals) are equal */
static const double tiny_gap = 1e-5;

typedef struct search {
	ossa_context *context;
	ossai_moments moments; /* of the chosen poses */
	const ossai_bone_graph *graph;
	const ossai_joint *joint_of_pair;
	const ossai_joint_prior *prior_of_pair;
	double hold;
	const ossai_symmetry *symmetry;
	ossai_bone_motion motion; /* of the chosen poses and the best tree, where trials begin */
	ossai_bone_motion trial_motion;
	ossai_tree *tree; /* the best so far */
	ossai_vec3 *joint, *anchor;
	double energy; /* of the best so far, after the rounds of a trial */
	ossai_tree trial;
	ossai_vec3 *trial_joint, *trial_anchor;
} search;

/* the moments and motion of every n-th pose; sums over vertices are shared */
static ossa_status choose_poses(search *s, ossai_arena *arena, const ossai_moments *all, const ossai_bone_motion *motion)
{
	const size_t n = all->bone_count, count = all->pose_count < POSES_MOST ? all->pose_count : POSES_MOST;
	s->moments = *all;
	s->moments.pose_count = count;
	s->moments.c = ossai_arena_new(arena, n, 12 * count * sizeof(double));
	double *target = ossai_arena_new(arena, count, sizeof *target);
	ossai_vec3 *target_sum = ossai_arena_new(arena, count, sizeof *target_sum);
	OSSAI_TRY(ossai_bone_motion_new(arena, n, count, &s->motion));
	OSSAI_TRY(ossai_bone_motion_new(arena, n, count, &s->trial_motion));
	if (!s->moments.c || !target || !target_sum) return ossa_context_error(arena->context)->status;
	s->moments.target = target;
	s->moments.target_sum = target_sum;
	for (size_t i = 0; i < count; i++) {
		const size_t k = i * all->pose_count / count;
		target[i] = all->target[k];
		target_sum[i] = all->target_sum[k];
		for (size_t b = 0; b < n; b++) {
			double c[12];
			ossai_moments_target(all, b, k, c);
			for (size_t e = 0; e < 12; e++) s->moments.c[b * 12 * count + e / 3 * 3 * count + 3 * i + e % 3] = c[e];
			s->motion.rigid[b * count + i] = motion->rigid[b * all->pose_count + k];
		}
	}
	return OSSA_OK;
}

static double energy_of(const search *s, double error)
{
	const ossai_tree *tree = &s->trial;
	double energy = ossai_hierarchy_surprise(error, s->moments.vertex_count, s->moments.pose_count, tree->bone_count);
	for (size_t b = 0; b < tree->bone_count; b++) {
		const uint32_t pair = tree->pair[b];
		if (pair != OSSA_NONE) energy += ossai_joint_surprise(&s->prior_of_pair[pair], s->trial_joint[b]);
	}
	return energy;
}

static ossa_status place(search *s, const ossai_subtree_moments *sums)
{
	ossai_hierarchy hierarchy = {&s->trial, s->trial_joint, s->symmetry};
	return ossai_hierarchy_place_joints(s->context, sums, &hierarchy, &s->trial_motion, NULL, s->trial_anchor, s->hold);
}

static ossa_status turn(search *s, const ossai_subtree_moments *sums, double *energy)
{
	double error;
	const ossai_hierarchy hierarchy = {&s->trial, s->trial_joint, s->symmetry};
	OSSAI_TRY(ossai_hierarchy_fit(s->context, sums, &hierarchy, TRIAL_SWEEPS, 0, &s->trial_motion, &error));
	*energy = energy_of(s, error);
	return OSSA_OK;
}

/* The energy of the trial tree after so many rounds. A round gains less than half of the one before
   it: a trial ends where all that are left cannot make a change of it. */
static ossa_status refit(search *s, ossai_arena *arena, int rounds, double *energy)
{
	ossai_subtree_moments sums;
	ossai_bone_motion_copy(&s->motion, &s->trial_motion);
	OSSAI_TRY(ossai_subtree_moments_make(arena, &s->moments, &s->trial, NULL, &sums));
	OSSAI_TRY(turn(s, &sums, energy));
	double most = s->energy + hopeless;
	for (int round = 0; round < rounds && *energy < most; round++) {
		const double before = *energy;
		OSSAI_TRY(place(s, &sums));
		OSSAI_TRY(turn(s, &sums, energy));
		most = s->energy - least_gain + (before - *energy);
	}
	return OSSA_OK;
}

static ossa_status evaluate(search *s, int rounds, double *energy)
{
	ossai_arena arena = ossai_arena_begin(s->context);
	const ossa_status status = refit(s, &arena, rounds, energy);
	ossai_arena_end(&arena);
	return status;
}

static bool is_below(const ossai_tree *tree, uint32_t bone, uint32_t above)
{
	while (bone != OSSA_NONE && bone != above) bone = tree->parent[bone];
	return bone == above;
}

static uint32_t other_end(const search *s, uint32_t bone, uint32_t pair)
{
	const ossai_bone_pair *p = &s->graph->pairs[pair];
	return p->a == bone ? p->b : p->a;
}

/* whether making `bone` the child of the other end of `pair` is a change and leaves a tree; with a
   symmetry one of two images stands for both */
static bool is_change(const search *s, uint32_t bone, uint32_t pair)
{
	if (s->symmetry && ossai_image_of(s->symmetry, bone) < bone) return false;
	return bone != s->tree->root && s->tree->pair[bone] != pair && !is_below(s->tree, other_end(s, bone, pair), bone);
}

static void set_parent(search *s, uint32_t bone, uint32_t parent, uint32_t pair)
{
	s->trial.parent[bone] = parent;
	s->trial.pair[bone] = pair;
	s->trial_joint[bone] = s->trial_anchor[bone] = s->joint_of_pair[pair].position;
}

/* The same change of the other side. False where the tree would not be symmetric: below the bone's
   own image, a central bone below one of a side, any other below a lone bone. */
static bool make_image(search *s, uint32_t bone, uint32_t parent)
{
	const ossai_symmetry *symmetry = s->symmetry;
	if (!symmetry || ossai_is_lone(symmetry, bone)) return true;
	if (ossai_is_lone(symmetry, parent) || symmetry->image[bone] == parent) return false;
	const uint32_t other = symmetry->image[bone], above = symmetry->image[parent];
	if (other == bone) return above == parent;
	if (is_below(&s->trial, above, other)) return false;
	set_parent(s, other, above, ossai_bone_graph_find(s->graph, other, above));
	return true;
}

/* the best tree as it is */
static void begin_trial(search *s)
{
	const size_t size = s->tree->bone_count * sizeof *s->joint;
	ossai_tree_copy(s->tree, &s->trial);
	memcpy(s->trial_joint, s->joint, size);
	memcpy(s->trial_anchor, s->anchor, size);
}

/* the trial becomes the best, and where the next ones begin */
static void keep_trial(search *s)
{
	const size_t size = s->tree->bone_count * sizeof *s->joint;
	ossai_tree_copy(&s->trial, s->tree);
	ossai_bone_motion_copy(&s->trial_motion, &s->motion);
	memcpy(s->joint, s->trial_joint, size);
	memcpy(s->anchor, s->trial_anchor, size);
}

/* One change of the best tree. False where it is none. */
static bool make_trial(search *s, uint32_t bone, uint32_t pair)
{
	const uint32_t parent = other_end(s, bone, pair);
	if (!is_change(s, bone, pair)) return false;
	begin_trial(s);
	set_parent(s, bone, parent, pair);
	if (!make_image(s, bone, parent)) return false;
	ossai_tree_sort(&s->trial);
	return true;
}

/* The expected gain of making `bone` the child of the other end of `pair`: the ratio of the
   residuals of the two joints; smaller is more promising. INFINITY where it is no change. */
static double promise(const search *s, uint32_t bone, uint32_t pair)
{
	const uint32_t now = s->tree->pair[bone];
	if (!is_change(s, bone, pair)) return INFINITY;
	if (now == OSSA_NONE) return 0;
	return (s->joint_of_pair[pair].residual + tiny_gap) / (s->joint_of_pair[now].residual + tiny_gap);
}

/* the most promising changes, best first: change 2 i + e makes end e of pair i the child of the
   other end */
static void list_changes(search *s, ossai_heap *heap)
{
	heap->count = 0;
	for (uint32_t pair = 0; pair < s->graph->pair_count; pair++) {
		/* bones that do not meet, of a mirrored graph */
		if (!(s->graph->pairs[pair].shared > 0) && !(s->graph->pairs[pair].contact > 0)) continue;
		const double a = promise(s, s->graph->pairs[pair].a, pair), b = promise(s, s->graph->pairs[pair].b, pair);
		if (a < INFINITY) ossai_heap_push(heap, a, 2 * pair);
		if (b < INFINITY) ossai_heap_push(heap, b, 2 * pair + 1);
	}
}

/* evaluates the tree with a change, where that is still one */
static ossa_status try_change(search *s, uint32_t change, double *energy)
{
	const ossai_bone_pair *p = &s->graph->pairs[change / 2];
	*energy = INFINITY;
	return make_trial(s, change % 2 ? p->b : p->a, change / 2) ? evaluate(s, TRIAL_ROUNDS, energy) : OSSA_OK;
}

/* Trials begin where the last one ended. Its tree is compared with as what one more trial makes of
   it without a change: every round lowers the energy a little. */
static ossa_status go_on(search *s)
{
	double energy;
	keep_trial(s);
	OSSAI_TRY(evaluate(s, TRIAL_ROUNDS, &energy));
	s->energy = energy;
	return OSSA_OK;
}

static ossa_status begin(search *s)
{
	double energy;
	memcpy(s->anchor, s->joint, s->tree->bone_count * sizeof *s->anchor);
	begin_trial(s);
	OSSAI_TRY(evaluate(s, FIRST_ROUNDS, &energy));
	return go_on(s);
}

/* Evaluates the changes one by one against the tree as it is, then makes those that lowered the
   energy, best first, each evaluated again after the ones before it. */
static ossa_status run(search *s, ossai_heap *changes, ossai_heap *gains)
{
	OSSAI_TRY(begin(s));
	list_changes(s, changes);
	gains->count = 0;
	double energy;
	for (size_t left = TRIALS_BONES / s->tree->bone_count; left > 0 && changes->count > 0; left--) {
		const uint32_t change = changes->entries[0].item;
		ossai_heap_pop(changes);
		OSSAI_TRY(try_change(s, change, &energy));
		if (energy < s->energy - least_gain) ossai_heap_push(gains, energy, change);
		OSSAI_TRY(ossai_progress(s->context, 0));
	}
	for (; gains->count > 0; ossai_heap_pop(gains)) {
		OSSAI_TRY(try_change(s, gains->entries[0].item, &energy));
		OSSAI_TRY(ossai_progress(s->context, 0));
		if (!(energy < s->energy - least_gain)) continue;
		OSSAI_TRY(go_on(s));
	}
	return OSSA_OK;
}

ossa_status ossai_tree_search(ossa_context *context, const ossai_moments *moments, const ossai_bone_graph *graph,
	const ossai_joint *joint_of_pair, const ossai_joint_prior *prior_of_pair, const ossai_bone_motion *motion, double hold,
	const ossai_symmetry *symmetry, ossai_tree *tree, ossai_vec3 *joint)
{
	const size_t n = tree->bone_count;
	ossai_arena arena = ossai_arena_begin(context);
	search s = {.context = context,
		.graph = graph,
		.joint_of_pair = joint_of_pair,
		.prior_of_pair = prior_of_pair,
		.hold = hold,
		.symmetry = symmetry,
		.tree = tree,
		.joint = joint,
		.energy = INFINITY};
	ossa_status status = ossai_tree_new(&arena, n, &s.trial);
	if (status == OSSA_OK) status = choose_poses(&s, &arena, moments, motion);
	s.trial_joint = ossai_arena_new(&arena, n, sizeof *s.trial_joint);
	s.anchor = ossai_arena_new(&arena, n, sizeof *s.anchor);
	s.trial_anchor = ossai_arena_new(&arena, n, sizeof *s.trial_anchor);
	ossai_heap changes = {ossai_arena_new(&arena, graph->pair_count, 2 * sizeof *changes.entries), 0};
	ossai_heap gains = {ossai_arena_new(&arena, graph->pair_count, 2 * sizeof *gains.entries), 0};
	const bool ready = s.trial_joint && s.anchor && s.trial_anchor && changes.entries && gains.entries;
	if (status == OSSA_OK && !ready) status = ossa_context_error(context)->status;
	if (status == OSSA_OK) status = run(&s, &changes, &gains);
	ossai_arena_end(&arena);
	return status;
}
