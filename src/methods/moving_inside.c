/* methods/moving_inside.c: joints that lie outside of the shape, or far from their limb, move back,
   unless the motion insists.

   Place in the path: hierarchy -> here -> the rig.
   A joint outside moves along the line to the center of its limb's section (joint_prior.h), to the
   first point inside that is not far from it. It moves where that lowers the energy: the error that
   it adds is weighed against how unlikely the joint was. That is tried with rotations and other
   joints following, first for each joint alone, then for one after the other, those that gain most
   first. Of many bones those near the joint follow (motion/local_fit.h): a trial of the whole would
   cost as much as all bones. */
#include "methods/moving.h"

#include "base/heap.h"
#include "motion/local_fit.h"
#include "query/inside.h"
#include "skeleton/from_motion/joint_prior.h"
#include "weights/symmetry.h"

#include <string.h>

/* points that are tried on a line; rounds in which weights follow the moved joints, and those of a
   trial; times that all of it is done */
enum { STEPS = 32, ROUNDS = 12, TRIAL_ROUNDS = 2, TRIAL_SWEEPS = 2, PASSES = 3 };

/* How unlikely a joint outside is, as a negative logarithm of odds: of 302 artists' joints of 15
   shared characters 16 are. */
static const double outside_surprise = 2.9;
/* Edges to the farthest bones that follow a joint of many; what a joint moves fades faster. */
enum { LOCAL_STEPS = 4 };
/* ... where these are at most this share of all bones: else all of them follow */
static const double local_share = 0.5;
/* A joint whose move costs this much energy before the others follow stays. Of 587 moves in 16
   models 39 % cost more; of the 150 that lowered the energy in the end none cost more than 8. */
static const double hopeless = 50;
/* Trials do not fit the weights, which then make up for about half of the error. */
static const double share_of_trial = 0.5;

typedef struct inside_work {
	ossai_moving_work *m;
	ossai_vec3 *shape;        /* B: where joints without a section are by shape */
	ossai_joint_prior *prior; /* B: of the weights as they are */
	/* B x (STEPS + 1) x 3: from the joint to the center of its section; and which are inside */
	double *points;
	uint8_t *inside;
	uint8_t *is_outside; /* B: the joint as it is */
	uint8_t *movable;    /* B: joints that the fit may move */
	size_t moved;        /* in this pass */
	double energy;       /* of a trial that moves nothing */
	double share;        /* of the error's surprise that counts */
	const ossai_subtree_moments *sums;
	ossai_vec3 *joint;        /* B, of a trial */
	ossai_bone_motion motion; /* of a trial; of many bones what local trials begin with */
	bool is_local;
	double *error, *trial_error; /* K: squared errors of that motion, and of the last local trial */
	uint8_t *near;               /* B: bones of the last local trial */
	ossai_arena local_memory;
	ossai_local_fit local; /* the last local trial */
	ossai_fit last_fit;    /* before this pass */
	ossai_vec3 *last_joint;
	uint8_t *last_movable;
} inside_work;

static ossai_vec3 shape_of(const ossai_moving_work *m, uint32_t b)
{
	const uint32_t pair = m->tree.pair[b];
	return pair == OSSA_NONE ? m->joint[b] : m->graph.pairs[pair].prior;
}

static ossa_status find_points(inside_work *w)
{
	ossai_moving_work *m = w->m;
	const size_t n = m->tree.bone_count;
	for (uint32_t b = 0; b < n; b++) w->shape[b] = shape_of(m, b);
	/* the root's joint changes no error: from the center of its skin to where its children are */
	ossai_joint_prior *root = &w->prior[m->tree.root];
	*root = (ossai_joint_prior){.mean = m->joint[m->tree.root]};
	ossai_tree_children_mean(&m->tree, m->joint, m->tree.root, &root->mean);
	OSSAI_TRY(
		ossai_joint_priors_make(m->context, &m->surface, &m->fit.weights, &m->tree, w->shape, OSSAI_JOINT_DOUBT, w->prior));
	for (uint32_t b = 0; b < n; b++) {
		for (size_t i = 0; i <= STEPS; i++) {
			const ossai_vec3 p = ossai_lerp(m->joint[b], w->prior[b].mean, (double)i / STEPS);
			ossai_v3_store(p, w->points + 3 * (b * (STEPS + 1) + i));
		}
	}
	const ossai_mesh_view view = ossai_posed_surface_view(&m->surface);
	OSSAI_TRY(ossai_find_inside(m->context, &view, n * (STEPS + 1), w->points, w->inside));
	for (size_t b = 0; b < n; b++) w->is_outside[b] = !w->inside[b * (STEPS + 1)];
	return OSSA_OK;
}

/* the energy of a hierarchy with this error and these joints */
static double energy_of(const inside_work *w, const ossai_vec3 *joint, double error)
{
	const ossai_posed_surface *surface = &w->m->surface;
	const size_t n = w->m->tree.bone_count;
	double energy = w->share * ossai_hierarchy_surprise(error, (double)surface->used_count, surface->pose_count, n);
	for (size_t b = 0; b < n; b++) {
		energy += ossai_joint_surprise(&w->prior[b], joint[b]);
		if (w->is_outside[b]) energy += outside_surprise;
	}
	return energy;
}

static bool is_likely(const inside_work *w, uint32_t b, size_t step)
{
	const size_t at = b * (STEPS + 1) + step;
	const double most = OSSAI_JOINT_PULLED * OSSAI_JOINT_PULLED;
	return w->inside[at] && ossai_joint_prior_distance2(&w->prior[b], ossai_v3_of(w->points + 3 * at)) <= most;
}

/* the first likely point of a joint's line, a step further from the skin; false where the joint
   itself is at one, or there is none */
static bool find_target(const inside_work *w, uint32_t b, ossai_vec3 *to)
{
	size_t i = 0;
	while (i <= STEPS && !is_likely(w, b, i)) i++;
	if (i == 0 || i > STEPS) return false;
	if (i < STEPS && is_likely(w, b, i + 1)) i++;
	*to = ossai_v3_of(w->points + 3 * (b * (STEPS + 1) + i));
	return true;
}

/* The error where joints that are not movable stay, and the others and all rotations follow, by the
   weights as they are. A round gains less than the one before it: a trial ends where another such
   gain would not lower the energy. */
static ossa_status try_joints(inside_work *w, double *error)
{
	ossai_moving_work *m = w->m;
	ossai_hierarchy hierarchy = {&m->tree, w->joint, m->surface.symmetry};
	double most = w->energy + hopeless;
	memcpy(w->joint, m->joint, m->tree.bone_count * sizeof *w->joint);
	ossai_bone_motion_copy(&m->fit.motion, &w->motion);
	OSSAI_TRY(ossai_hierarchy_fit(m->context, w->sums, &hierarchy, TRIAL_SWEEPS, 1, &w->motion, error));
	double energy = energy_of(w, w->joint, *error);
	for (int round = 0; round < TRIAL_ROUNDS && energy < most; round++) {
		const double before = energy;
		OSSAI_TRY(ossai_hierarchy_place_joints(
			m->context, w->sums, &hierarchy, &w->motion, w->movable, m->anchor, ossai_moving_hold(m)));
		OSSAI_TRY(ossai_hierarchy_fit(m->context, w->sums, &hierarchy, TRIAL_SWEEPS, 1, &w->motion, error));
		energy = energy_of(w, w->joint, *error);
		most = w->energy + (before - energy);
	}
	return OSSA_OK;
}

/* the same with the bones near a joint */
static ossa_status fit_locally(inside_work *w, uint32_t b)
{
	ossai_moving_work *m = w->m;
	ossai_local_fit *local = &w->local;
	const ossai_hierarchy all = {&m->tree, m->joint, NULL};
	ossai_hierarchy part = {&local->tree, NULL, NULL};
	ossai_local_bones(&m->tree, b, LOCAL_STEPS, w->near);
	OSSAI_TRY(ossai_local_fit_make(&w->local_memory, w->sums, &all, &w->motion, w->error, w->near, local));
	part.joint = local->joint;
	uint8_t *movable = ossai_arena_new(&w->local_memory, local->count, sizeof *movable);
	ossai_vec3 *anchor = ossai_arena_new(&w->local_memory, local->count, sizeof *anchor);
	if (!movable || !anchor) return ossa_context_error(m->context)->status;
	for (size_t i = 0; i < local->count; i++) {
		movable[i] = w->movable[local->bone[i]] && local->bone[i] != b;
		anchor[i] = m->anchor[local->bone[i]];
		if (i > 0 && local->bone[i] == b) local->joint[i] = w->joint[b];
	}
	for (int round = 0; round < TRIAL_ROUNDS; round++) {
		OSSAI_TRY(
			ossai_hierarchy_fit_part(m->context, &local->sums, &part, local->moving, TRIAL_SWEEPS, 1, &local->motion, NULL));
		OSSAI_TRY(ossai_hierarchy_place_joints(
			m->context, &local->sums, &part, &local->motion, movable, anchor, ossai_moving_hold(m)));
	}
	return ossai_hierarchy_fit_part(
		m->context, &local->sums, &part, local->moving, TRIAL_SWEEPS, 1, &local->motion, w->trial_error);
}

static ossa_status try_locally(inside_work *w, uint32_t b, ossai_vec3 to, double *error)
{
	memcpy(w->joint, w->m->joint, w->m->tree.bone_count * sizeof *w->joint);
	w->joint[b] = to;
	ossai_arena_end(&w->local_memory);
	w->local_memory = ossai_arena_begin(w->m->context);
	OSSAI_TRY(fit_locally(w, b));
	for (size_t i = 1; i < w->local.count; i++) w->joint[w->local.bone[i]] = w->local.joint[i];
	*error = ossai_error_of_poses(w->motion.pose_count, w->trial_error);
	return OSSA_OK;
}

/* a joint; in a symmetric rig with its image, and that of a central bone on the plane */
static void put_joint(inside_work *w, uint32_t b, ossai_vec3 at, uint8_t movable, uint8_t is_outside)
{
	const ossai_symmetry *symmetry = w->m->surface.symmetry;
	const uint32_t other = ossai_image_of(symmetry, b);
	if (symmetry && ossai_is_central(symmetry, b)) at = ossai_lerp(at, ossai_joint_image(symmetry, b, at), 0.5);
	w->m->joint[b] = at;
	w->movable[b] = movable;
	w->is_outside[b] = is_outside;
	if (other == b) return;
	w->m->joint[other] = ossai_joint_image(symmetry, b, at);
	w->movable[other] = movable;
	w->is_outside[other] = is_outside;
}

static ossa_status try_joint(inside_work *w, uint32_t b, ossai_vec3 to, double *energy)
{
	double error = 0;
	const ossai_vec3 from = w->m->joint[b];
	const uint8_t was_outside = w->is_outside[b];
	if (!w->is_local) put_joint(w, b, to, 0, 0);
	w->is_outside[b] = 0;
	const ossa_status status = w->is_local ? try_locally(w, b, to, &error) : try_joints(w, &error);
	*energy = energy_of(w, w->joint, error);
	if (!w->is_local) put_joint(w, b, from, 1, was_outside);
	w->is_outside[b] = was_outside;
	return status;
}

/* what follows a joint of many that moves is where later trials begin */
static void take_joint(inside_work *w, uint32_t b, ossai_vec3 to)
{
	put_joint(w, b, to, 0, 0);
	w->moved++;
	if (!w->is_local) return;
	const ossai_hierarchy all = {&w->m->tree, w->m->joint, NULL};
	ossai_local_fit_give(&w->local, &all, &w->motion);
	memcpy(w->error, w->trial_error, w->motion.pose_count * sizeof *w->error);
}

/* the joints that gain by moving alone */
static ossa_status list_joints(inside_work *w, ossai_heap *heap)
{
	heap->count = 0;
	for (uint32_t b = 0; b < w->m->tree.bone_count; b++) {
		ossai_vec3 to;
		double energy;
		if (!w->movable[b] || !find_target(w, b, &to)) continue;
		OSSAI_TRY(try_joint(w, b, to, &energy));
		if (energy < w->energy) ossai_heap_push(heap, energy, b);
	}
	return OSSA_OK;
}

static ossa_status move_joints(inside_work *w, ossai_heap *heap)
{
	OSSAI_TRY(list_joints(w, heap));
	for (; heap->count > 0; ossai_heap_pop(heap)) {
		const uint32_t b = heap->entries[0].item;
		ossai_vec3 to;
		double energy = INFINITY;
		/* its image may have taken it along */
		if (w->movable[b] && find_target(w, b, &to)) OSSAI_TRY(try_joint(w, b, to, &energy));
		if (!(energy < w->energy)) continue;
		w->energy = energy;
		take_joint(w, b, to);
	}
	return OSSA_OK;
}

/* Whether trials are local: where all neighbourhoods are small, and no joint takes an image along.
   These begin with the motion as it is, of which they need the error in each pose. */
static ossa_status begin_trials(inside_work *w)
{
	ossai_moving_work *m = w->m;
	const ossai_hierarchy all = {&m->tree, m->joint, NULL};
	size_t most = 0;
	for (uint32_t b = 0; b < m->tree.bone_count; b++) {
		const size_t count = ossai_local_bones(&m->tree, b, LOCAL_STEPS, w->near);
		most = count > most ? count : most;
	}
	w->is_local = !m->surface.symmetry && (double)most <= local_share * (double)m->tree.bone_count;
	if (!w->is_local) return OSSA_OK;
	ossai_bone_motion_copy(&m->fit.motion, &w->motion);
	return ossai_hierarchy_fit_part(m->context, w->sums, &all, NULL, 0, 0, &w->motion, w->error);
}

static ossa_status try_all(inside_work *w, ossai_heap *heap)
{
	w->local_memory = ossai_arena_begin(w->m->context);
	ossa_status status = begin_trials(w);
	if (status == OSSA_OK) status = move_joints(w, heap);
	if (w->is_local && w->moved > 0) ossai_bone_motion_copy(&w->motion, &w->m->fit.motion);
	ossai_arena_end(&w->local_memory);
	return status;
}

static ossa_status choose_joints(inside_work *w)
{
	ossai_moving_work *m = w->m;
	const size_t n = m->tree.bone_count;
	ossai_arena scratch = ossai_arena_begin(m->context);
	ossai_moments moments;
	ossai_subtree_moments sums;
	ossai_heap heap = {ossai_arena_new(&scratch, n, sizeof *heap.entries), 0};
	ossa_status status = ossai_moments_make(m->context, &m->surface, &m->fit.weights, &moments);
	if (status == OSSA_OK && !heap.entries) status = ossa_context_error(m->context)->status;
	if (status == OSSA_OK) status = ossai_subtree_moments_make(&scratch, &moments, &m->tree, NULL, &sums);
	w->sums = &sums;
	w->moved = 0;
	if (status == OSSA_OK) status = try_all(w, &heap);
	w->sums = NULL;
	ossai_moments_end(&moments);
	ossai_arena_end(&scratch);
	return status;
}

/* weights, rotations and the other joints follow those that moved */
static ossa_status follow(inside_work *w, double *error)
{
	ossai_moving_work *m = w->m;
	ossai_hierarchy hierarchy = {&m->tree, m->joint, m->surface.symmetry};
	const ossai_joint_rules joints = {.movable = w->movable, .anchor = m->anchor, .hold = ossai_moving_hold(m)};
	ossai_rounds rounds = ossai_rounds_begin();
	OSSAI_TRY(ossai_fit_alternate_hierarchy(
		&m->fit, &hierarchy, &joints, ROUNDS, OSSAI_MOVING_LEAST_GAIN, m->options.local, &rounds));
	if (m->options.local) OSSAI_TRY(ossai_fit_end_hierarchy(&m->fit, &hierarchy, &joints, &rounds));
	*error = rounds.error;
	return OSSA_OK;
}

static void keep_last(inside_work *w)
{
	const size_t n = w->m->tree.bone_count;
	ossai_fit_copy(&w->m->fit, &w->last_fit);
	memcpy(w->last_joint, w->m->joint, n * sizeof *w->last_joint);
	memcpy(w->last_movable, w->movable, n);
}

static void take_last(inside_work *w)
{
	const size_t n = w->m->tree.bone_count;
	ossai_fit_copy(&w->last_fit, &w->m->fit);
	memcpy(w->m->joint, w->last_joint, n * sizeof *w->last_joint);
	memcpy(w->movable, w->last_movable, n);
}

static ossa_status run_pass(inside_work *w, double share)
{
	double error;
	ossai_rounds *rounds = &w->m->rounds;
	keep_last(w);
	OSSAI_TRY(find_points(w));
	w->share = 1;
	const double before = energy_of(w, w->m->joint, rounds->error);
	w->share = share;
	w->energy = energy_of(w, w->m->joint, rounds->error);
	OSSAI_TRY(choose_joints(w));
	if (w->moved == 0) return OSSA_OK;
	OSSAI_TRY(follow(w, &error));
	w->share = 1;
	if (energy_of(w, w->m->joint, error) < before) rounds->error = error;
	else take_last(w);
	return OSSA_OK;
}

static ossa_status take_space(inside_work *w, ossai_arena *scratch)
{
	const ossai_moving_work *m = w->m;
	const size_t n = m->tree.bone_count;
	w->shape = ossai_arena_new(scratch, n, sizeof *w->shape);
	w->prior = ossai_arena_zero(scratch, n, sizeof *w->prior);
	w->points = ossai_arena_new(scratch, n, (STEPS + 1) * 3 * sizeof *w->points);
	w->inside = ossai_arena_new(scratch, n, (STEPS + 1) * sizeof *w->inside);
	w->is_outside = ossai_arena_zero(scratch, n, sizeof *w->is_outside);
	w->movable = ossai_arena_new(scratch, n, sizeof *w->movable);
	w->joint = ossai_arena_new(scratch, n, sizeof *w->joint);
	w->last_joint = ossai_arena_new(scratch, n, sizeof *w->last_joint);
	w->last_movable = ossai_arena_new(scratch, n, sizeof *w->last_movable);
	const bool ready = w->shape && w->prior && w->points && w->inside && w->is_outside && w->movable && w->joint;
	w->error = ossai_arena_new(scratch, m->surface.pose_count, sizeof *w->error);
	w->trial_error = ossai_arena_new(scratch, m->surface.pose_count, sizeof *w->trial_error);
	w->near = ossai_arena_new(scratch, n, sizeof *w->near);
	const bool has_trials = w->error && w->trial_error && w->near;
	if (!ready || !has_trials || !w->last_joint || !w->last_movable) return ossa_context_error(m->context)->status;
	OSSAI_TRY(ossai_bone_motion_new(scratch, n, m->surface.pose_count, &w->motion));
	return ossai_fit_new(m->context, scratch, &m->surface, n, m->fit.weights.width, &w->last_fit);
}

static ossa_status keep_inside(ossai_moving_work *m, ossai_arena *scratch)
{
	inside_work w = {.m = m};
	OSSAI_TRY(take_space(&w, scratch));
	memset(w.movable, 1, m->tree.bone_count);
	for (int pass = 0; pass < PASSES; pass++) OSSAI_TRY(run_pass(&w, pass == 0 ? share_of_trial : 1));
	return OSSA_OK;
}

ossa_status ossai_moving_keep_inside(ossai_moving_work *m)
{
	ossai_arena scratch = ossai_arena_begin(m->context);
	const ossa_status status = keep_inside(m, &scratch);
	ossai_arena_end(&scratch);
	return status;
}
