/* methods/moving_pivots.c: bones without skin, where one joint is not enough.

   Place in the path: hierarchy -> here -> joints inside, the rig.
   Input: a hierarchy whose bones all move skin.
   Output: the same with pivots between a bone and some of its children.
   Pruning keeps the bones that the skin needs. A hierarchy may need more: a waist between chest and
   hips, a root that bears both legs and the trunk, none of which has skin of its own. A pivot there
   has to be worth what any bone is. Candidates are the children of each bone whose joints gape
   most; joints and rotations follow in a trial, and weights that stay. */
#include "methods/moving.h"

#include "math/rigid_fit.h"
#include "skeleton/from_motion/joint_posterior.h"

#include <math.h>
#include <string.h>

/* Children of one bone that a pivot takes at most: those that gape most. Rounds of a trial, and of
   the best one before it is judged. */
enum { CHILDREN_MOST = 3, TRIAL_ROUNDS = 4, LAST_ROUNDS = 40 };
/* how much a pivot's first rotation is the parent's: only so much that none is left open */
static const double as_parent = 0.01;

/* a hierarchy with one bone more, the last; its weights are those of the work */
typedef struct pivot_trial {
	ossai_fit fit;
	ossai_tree tree;
	ossai_vec3 *joint, *anchor;
	double error;
	uint32_t parent; /* of the pivot, with so many of those of its children that gape most */
	size_t count;
} pivot_trial;

typedef struct pivot_search {
	ossai_moving_work *m;
	ossai_moments moments; /* of the weights, with one bone more that has none */
	pivot_trial trial, best;
	double *mass;    /* B: the weight of the skin from each bone outward */
	uint32_t *child; /* of a bone those that gape most, the worst first */
	double *gap;     /* the error that closing the gap of each of these could cost */
	bool is_free;    /* the best one is of the free bones' weights */
} pivot_search;

/* ---- a trial ---- */

static ossa_status trial_new(const ossai_moving_work *m, ossai_arena *scratch, pivot_trial *t)
{
	const size_t bones = m->tree.bone_count + 1, poses = m->surface.pose_count;
	t->fit = m->fit;
	t->fit.weights.bone_count = bones;
	t->error = INFINITY;
	t->joint = ossai_arena_new(scratch, bones, sizeof *t->joint);
	t->anchor = ossai_arena_new(scratch, bones, sizeof *t->anchor);
	if (!t->joint || !t->anchor) return ossa_context_error(m->context)->status;
	OSSAI_TRY(ossai_bone_motion_new(scratch, bones, poses, &t->fit.motion));
	OSSAI_TRY(ossai_bone_motion_new(scratch, bones, poses, &t->fit.last));
	return ossai_tree_new(scratch, bones, &t->tree);
}

/* Between several children in their middle, of one halfway to the parent's own joint: a link has a
   length. */
static ossai_vec3 first_place(const pivot_search *s, uint32_t parent, size_t count)
{
	const ossai_moving_work *m = s->m;
	ossai_vec3 sum = {0, 0, 0};
	for (size_t i = 0; i < count; i++) sum = ossai_add(sum, m->joint[s->child[i]]);
	return count > 1 ? ossai_scale(sum, 1 / (double)count) : ossai_lerp(sum, m->joint[parent], 0.5);
}

/* The pivot's rotation in a pose: the one that takes its own place to where the parent has it, and
   the children's joints to where these have them; as the parent's as they leave open. */
static ossai_mat3 first_turn(const pivot_search *s, uint32_t parent, size_t count, ossai_vec3 place, size_t pose)
{
	const ossai_moving_work *m = s->m;
	const ossai_bone_motion *motion = &m->free_fit.motion;
	const ossai_rigid *up = &motion->rigid[parent * motion->pose_count + pose];
	const ossai_vec3 from = ossai_rigid_point(up, place);
	double sum[9] = {0}, size = 0;
	for (size_t i = 0; i < count; i++) {
		const uint32_t b = s->child[i];
		const ossai_vec3 p = ossai_sub(m->joint[b], place);
		const ossai_vec3 q = ossai_sub(ossai_rigid_point(&motion->rigid[b * motion->pose_count + pose], m->joint[b]), from);
		const double own[3] = {p.x, p.y, p.z}, moved[3] = {q.x, q.y, q.z};
		for (size_t k = 0; k < 9; k++) sum[k] += own[k / 3] * moved[k % 3];
		size += ossai_length2(p);
	}
	for (size_t k = 0; k < 9; k++) sum[k] += as_parent * size * up->r.m[k % 3][k / 3];
	return ossai_quat_matrix(ossai_rigid_rotation(sum));
}

static void begin_trial(const pivot_search *s, uint32_t parent, size_t count, pivot_trial *t)
{
	const ossai_moving_work *m = s->m;
	const size_t bones = m->tree.bone_count, poses = m->surface.pose_count;
	const uint32_t pivot = (uint32_t)bones;
	ossai_rigid *own = t->fit.motion.rigid + bones * poses;
	const ossai_vec3 place = first_place(s, parent, count);
	t->tree.root = m->tree.root;
	memcpy(t->tree.parent, m->tree.parent, bones * sizeof *t->tree.parent);
	memcpy(t->tree.pair, m->tree.pair, bones * sizeof *t->tree.pair);
	memcpy(t->joint, m->joint, bones * sizeof *t->joint);
	memcpy(t->anchor, m->anchor, bones * sizeof *t->anchor);
	memcpy(t->fit.motion.rigid, m->fit.motion.rigid, bones * poses * sizeof *own);
	for (size_t k = 0; k < poses; k++)
		own[k] = (ossai_rigid){first_turn(s, parent, count, place, k), m->fit.motion.rigid[parent * poses + k].t};
	for (size_t i = 0; i < count; i++) t->tree.parent[s->child[i]] = pivot;
	t->tree.parent[pivot] = parent;
	t->joint[pivot] = t->anchor[pivot] = place;
	ossai_tree_sort(&t->tree);
	t->parent = parent;
	t->count = count;
}

static ossa_status run_trial(const pivot_search *s, const ossai_moments *moments, int rounds, pivot_trial *t)
{
	ossai_hierarchy hierarchy = {&t->tree, t->joint, NULL};
	const ossai_joint_rules joints = {.anchor = t->anchor, .hold = ossai_moving_hold(s->m)};
	ossai_rounds done;
	OSSAI_TRY(ossai_fit_joints_to(&t->fit, moments, &hierarchy, &joints, rounds, OSSAI_MOVING_LEAST_GAIN, &done));
	t->error = done.error;
	return OSSA_OK;
}

/* ---- candidates ---- */

static void find_masses(const pivot_search *s)
{
	const ossai_moving_work *m = s->m;
	const ossai_bone_weights *w = &m->fit.weights;
	const size_t bones = m->tree.bone_count;
	for (size_t b = 0; b < bones; b++) s->mass[b] = 0;
	for (size_t v = 0; v < w->vertex_count; v++) {
		for (size_t i = v * w->width; m->surface.used[v] && i < v * w->width + w->count[v]; i++)
			s->mass[w->bone[i]] += w->value[i];
	}
	for (size_t at = bones; at-- > 1;) s->mass[m->tree.parent[m->tree.order[at]]] += s->mass[m->tree.order[at]];
}

/* The squared error, over all poses, of closing the gap between a bone and its child in the motion
   of the free bones: both sides move, the lighter one farther. A pivot gains no more. 0: the gap
   means nothing. */
static double cost_of_gap(const pivot_search *s, uint32_t parent, uint32_t b)
{
	const ossai_moving_work *m = s->m;
	const double gap =
		ossai_joint_fit_soft(&m->free_fit.motion, parent, b, m->joint[b], OSSAI_JOINT_DOUBT, OSSAI_JOINT_NOISE).residual;
	const double all = s->mass[m->tree.root], own = s->mass[b];
	return gap > OSSAI_LEAST_ERROR ? gap * gap * (double)m->surface.pose_count * own * (all - own) / all : 0;
}

/* whether a bone would be that leaves this error of the hierarchy's */
static bool is_worth_it(const ossai_moving_work *m, double error)
{
	return m->rounds.error - error > ossai_bone_worth_at(&m->goal.worth, fmax(error, 0));
}

/* the children whose joints gape; returns how many */
static size_t find_children(const pivot_search *s, uint32_t parent)
{
	const ossai_moving_work *m = s->m;
	size_t count = 0;
	for (uint32_t b = 0; b < m->tree.bone_count; b++) {
		if (m->tree.parent[b] != parent) continue;
		const double gap = cost_of_gap(s, parent, b);
		if (!(gap > 0)) continue;
		size_t at = count++;
		for (; at > 0 && s->gap[at - 1] < gap; at--) {
			s->gap[at] = s->gap[at - 1];
			s->child[at] = s->child[at - 1];
		}
		s->gap[at] = gap;
		s->child[at] = b;
	}
	return count < CHILDREN_MOST ? count : CHILDREN_MOST;
}

static ossa_status try_bones(pivot_search *s)
{
	for (uint32_t b = 0; b < s->m->tree.bone_count; b++) {
		const size_t most = find_children(s, b);
		double gain = 0;
		for (size_t count = 1; count <= most; count++) {
			gain += s->gap[count - 1];
			if (!is_worth_it(s->m, s->m->rounds.error - gain)) continue;
			begin_trial(s, b, count, &s->trial);
			OSSAI_TRY(run_trial(s, &s->moments, TRIAL_ROUNDS, &s->trial));
			if (!(s->trial.error < s->best.error)) continue;
			const pivot_trial swap = s->best;
			s->best = s->trial;
			s->trial = swap;
		}
	}
	return s->best.error < INFINITY ? run_trial(s, &s->moments, LAST_ROUNDS, &s->best) : OSSA_OK;
}

/* Weights of a hierarchy that lacks a pivot make up for that: those of the free bones do not. */
static ossa_status try_free_weights(pivot_search *s)
{
	const ossai_moving_work *m = s->m;
	ossai_moments moments;
	ossai_bone_weights weights = m->free_fit.weights;
	weights.bone_count++;
	find_children(s, s->best.parent);
	begin_trial(s, s->best.parent, s->best.count, &s->trial);
	ossa_status status = ossai_moments_make(m->context, &m->surface, &weights, &moments);
	if (status == OSSA_OK) status = run_trial(s, &moments, LAST_ROUNDS, &s->trial);
	ossai_moments_end(&moments);
	s->is_free = status == OSSA_OK && s->trial.error < s->best.error;
	if (s->is_free) s->best = s->trial;
	return status;
}

/* ---- the best one ---- */

/* weights with one bone more, which has none */
static ossa_status extend(const ossai_moving_work *m, const ossai_bone_motion *pivot, ossai_fit *fit)
{
	const ossai_fit few = *fit;
	const size_t bones = few.weights.bone_count, poses = m->surface.pose_count;
	OSSAI_TRY(ossai_fit_new(m->context, m->arena, &m->surface, bones + 1, few.weights.width, fit));
	ossai_bone_weights_copy(&few.weights, &fit->weights);
	fit->weights.bone_count = fit->spare.bone_count = bones + 1;
	memcpy(fit->motion.rigid, few.motion.rigid, bones * poses * sizeof *few.motion.rigid);
	memcpy(fit->motion.rigid + bones * poses, pivot->rigid + bones * poses, poses * sizeof *pivot->rigid);
	return OSSA_OK;
}

static ossa_status take(ossai_moving_work *m, const pivot_trial *best, bool is_free)
{
	const size_t bones = best->tree.bone_count;
	ossai_vec3 *joint = ossai_arena_new(m->arena, bones, sizeof *joint);
	ossai_vec3 *anchor = ossai_arena_new(m->arena, bones, sizeof *anchor);
	double *deviation = ossai_arena_zero(m->arena, bones, sizeof *deviation);
	if (!joint || !anchor || !deviation) return ossa_context_error(m->context)->status;
	memcpy(joint, best->joint, bones * sizeof *joint);
	memcpy(anchor, best->joint, bones * sizeof *anchor);
	if (m->deviation) memcpy(deviation, m->deviation, (bones - 1) * sizeof *deviation);
	if (is_free) ossai_bone_weights_copy(&m->free_fit.weights, &m->fit.weights);
	OSSAI_TRY(extend(m, &best->fit.motion, &m->fit));
	ossai_bone_motion_copy(&best->fit.motion, &m->fit.motion);
	OSSAI_TRY(extend(m, &best->fit.motion, &m->free_fit));
	OSSAI_TRY(ossai_tree_new(m->arena, bones, &m->tree));
	ossai_tree_copy(&best->tree, &m->tree);
	m->joint = joint;
	m->anchor = anchor;
	m->deviation = deviation;
	m->rounds.error = best->error;
	return OSSA_OK;
}

static ossa_status add_pivot(ossai_moving_work *m, ossai_arena *scratch, bool *gains)
{
	const size_t bones = m->tree.bone_count;
	pivot_search s = {.m = m,
		.mass = ossai_arena_new(scratch, bones, sizeof *s.mass),
		.child = ossai_arena_new(scratch, bones, sizeof *s.child),
		.gap = ossai_arena_new(scratch, bones, sizeof *s.gap)};
	if (!s.mass || !s.child || !s.gap) return ossa_context_error(m->context)->status;
	find_masses(&s);
	OSSAI_TRY(trial_new(m, scratch, &s.trial));
	OSSAI_TRY(trial_new(m, scratch, &s.best));
	ossa_status status = ossai_moments_make(m->context, &m->surface, &s.trial.fit.weights, &s.moments);
	if (status == OSSA_OK) status = try_bones(&s);
	if (status == OSSA_OK && s.best.error < INFINITY) status = try_free_weights(&s);
	ossai_moments_end(&s.moments);
	OSSAI_TRY(status);
	*gains = is_worth_it(m, s.best.error);
	return *gains ? take(m, &s.best, s.is_free) : OSSA_OK;
}

ossa_status ossai_moving_add_pivots(ossai_moving_work *m, bool *has_any)
{
	bool gains = true;
	double free_error;
	*has_any = false;
	/* an asked for number of bones is there already; of a symmetric rig both sides would need it */
	if (!(m->goal.worth.most > 0) || m->surface.symmetry) return OSSA_OK;
	OSSAI_TRY(ossai_fit_error(&m->free_fit, &free_error));
	/* no hierarchy of these bones is better than they are free */
	while (gains && is_worth_it(m, free_error)) {
		ossai_arena scratch = ossai_arena_begin(m->context);
		const ossa_status status = add_pivot(m, &scratch, &gains);
		ossai_arena_end(&scratch);
		OSSAI_TRY(status);
		*has_any = *has_any || gains;
	}
	return OSSA_OK;
}
