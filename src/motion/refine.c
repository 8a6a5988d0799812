/* motion/refine.c: see refine.h. */
#include "motion/refine.h"

#include "motion/free_bones.h"
#include "weights/least_squares.h"
#include "weights/locality.h"
#include "weights/symmetry.h"

enum { BONE_SWEEPS = 3, TURN_SWEEPS = 2, NEWTON_STEPS = 1, LOCAL_EVERY = 3 };

/* Positions are known to this share of the size: a smaller gain says nothing about weights. A
   change of weights whose square is `usual_change` is as likely as an error of one deviation. */
static const double noise = 1e-4, usual_change = 0.1;

/* momentum: the share of the last step that is added grows by this in each round that lowers the
   error ... */
static const double momentum_step = 0.1, momentum_most = 1.2;
/* ... and falls to this share of itself where a round does not */
static const double momentum_brake = 0.3;

ossa_status ossai_fit_new(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, size_t bone_count,
	size_t influences, ossai_fit *fit)
{
	*fit = (ossai_fit){.context = context, .surface = surface};
	OSSAI_TRY(ossai_bone_weights_new(arena, surface->vertex_count, bone_count, influences, &fit->weights));
	OSSAI_TRY(ossai_bone_weights_new(arena, surface->vertex_count, bone_count, influences, &fit->spare));
	OSSAI_TRY(ossai_bone_motion_new(arena, bone_count, surface->pose_count, &fit->motion));
	OSSAI_TRY(ossai_bone_motion_new(arena, bone_count, surface->pose_count, &fit->last));
	fit->slot_cost = ossai_arena_new(arena, surface->vertex_count, influences * sizeof *fit->slot_cost);
	return fit->slot_cost ? OSSA_OK : ossa_context_error(context)->status;
}

void ossai_fit_copy(const ossai_fit *from, ossai_fit *to)
{
	ossai_bone_weights_copy(&from->weights, &to->weights);
	ossai_bone_motion_copy(&from->motion, &to->motion);
	to->spare.bone_count = from->weights.bone_count;
}

static ossa_status own_error(const ossai_fit *fit, double *error)
{
	ossai_moments moments;
	const ossa_status status = ossai_moments_make(fit->context, fit->surface, &fit->weights, &moments);
	if (status == OSSA_OK) *error = ossai_moments_error(&moments, &fit->motion);
	ossai_moments_end(&moments);
	return status;
}

static void lend_weights(const ossai_fit *fit)
{
	for (size_t c = 0; c < fit->companion_count; c++) fit->companions[c].fit->weights = fit->weights;
}

ossa_status ossai_fit_error(ossai_fit *fit, double *error)
{
	OSSAI_TRY(own_error(fit, error));
	lend_weights(fit);
	for (size_t c = 0; c < fit->companion_count; c++) {
		double more;
		OSSAI_TRY(own_error(fit->companions[c].fit, &more));
		*error += more;
	}
	return OSSA_OK;
}

static ossa_status improve(ossai_fit *fit, const ossai_weight_bounds *bounds)
{
	OSSAI_TRY(ossai_weights_improve(fit->context, fit->surface, &fit->motion, bounds, &fit->weights, &fit->spare));
	const ossai_bone_weights swap = fit->weights;
	fit->weights = fit->spare;
	fit->spare = swap;
	return OSSA_OK;
}

ossa_status ossai_fit_weights(ossai_fit *fit, const uint8_t *closed, const uint8_t *open)
{
	const ossai_weight_bounds bounds = {.closed = closed, .open = open, .prior = fit->prior};
	return improve(fit, &bounds);
}

double ossai_fit_price(const ossai_fit *fit, double error)
{
	double poses = (double)fit->surface->pose_count;
	for (size_t c = 0; c < fit->companion_count; c++) poses += (double)fit->companions[c].fit->surface->pose_count;
	const double coordinates = 3 * (double)fit->surface->used_count * poses;
	return ossai_larger(error / coordinates, noise * noise) / usual_change;
}

ossa_status ossai_fit_far_weights(ossai_fit *fit, size_t reach)
{
	const ossai_weight_bounds bounds = {.prior = fit->prior, .reach = reach};
	return improve(fit, &bounds);
}

ossa_status ossai_fit_motion(ossai_fit *fit, double *error)
{
	ossai_moments moments;
	ossa_status status = ossai_moments_make(fit->context, fit->surface, &fit->weights, &moments);
	if (status == OSSA_OK) status = ossai_free_bones_fit(fit->context, &moments, BONE_SWEEPS, &fit->motion);
	if (status == OSSA_OK && error) *error = ossai_moments_error(&moments, &fit->motion);
	ossai_moments_end(&moments);
	return status;
}

static ossa_status fit_joints_and_turns(
	ossai_fit *fit, const ossai_moments *moments, ossai_hierarchy *hierarchy, const ossai_joint_rules *joints, double *error)
{
	ossa_context *context = fit->context;
	ossai_subtree_moments sums;
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = ossai_subtree_moments_make(&arena, moments, hierarchy->tree, NULL, &sums);
	if (status == OSSA_OK && joints) {
		status = ossai_hierarchy_place_joints(
			context, &sums, hierarchy, &fit->motion, joints->movable, joints->anchor, joints->hold);
	}
	if (status == OSSA_OK) {
		status = ossai_hierarchy_fit(context, &sums, hierarchy, TURN_SWEEPS, NEWTON_STEPS, &fit->motion, error);
	}
	ossai_arena_end(&arena);
	return status;
}

static ossa_status fit_hierarchy(ossai_fit *fit, ossai_hierarchy *hierarchy, const ossai_joint_rules *joints, double *error)
{
	ossai_moments moments;
	ossa_status status = ossai_moments_make(fit->context, fit->surface, &fit->weights, &moments);
	if (status == OSSA_OK) status = fit_joints_and_turns(fit, &moments, hierarchy, joints, error);
	ossai_moments_end(&moments);
	return status;
}

/* ---- momentum ---- */

ossai_rounds ossai_rounds_begin(void) { return (ossai_rounds){.error = INFINITY, .local_error = INFINITY}; }

/* extrapolates `motion` by `share` of its difference from `last`, which then becomes the motion
   before */
static void carry_on(ossai_bone_motion *motion, ossai_bone_motion *last, double share)
{
	for (size_t i = 0; i < motion->bone_count * motion->pose_count; i++) {
		const ossai_rigid now = motion->rigid[i], before = last->rigid[i];
		const ossai_quat q = ossai_mat3_quat(&now.r);
		ossai_quat p = ossai_mat3_quat(&before.r);
		if (ossai_quat_dot(p, q) < 0) p = ossai_quat_negate(p);
		const ossai_quat ahead = {
			q.x + share * (q.x - p.x), q.y + share * (q.y - p.y), q.z + share * (q.z - p.z), q.w + share * (q.w - p.w)};
		motion->rigid[i].r = ossai_quat_matrix(ahead);
		motion->rigid[i].t = ossai_madd(now.t, share, ossai_sub(now.t, before.t));
		last->rigid[i] = now;
	}
}

static void begin_round(ossai_fit *fit, const ossai_rounds *r)
{
	if (r->done > 1 && r->share > 0) carry_on(&fit->motion, &fit->last, r->share);
	else ossai_bone_motion_copy(&fit->motion, &fit->last);
	for (size_t c = 0; c < fit->companion_count; c++) begin_round(fit->companions[c].fit, r);
}

/* the error is squared: half of its relative change is that of the RMS */
static bool is_steady(double before, double error, double least) { return fabs(before - error) <= 2 * least * error; }

/* It is time to stop where the round changed the RMS by less than `least` of it, and not because
   momentum overshot. A round that makes supports connected drops small weights, which the next one
   may find again, over and over: it is compared with the last round that did so. */
static void end_round(ossai_rounds *r, bool is_local, double error, double least)
{
	const bool overshot = error > r->error && r->share > 0;
	r->has_converged = r->done > 0 && !overshot && is_steady(r->error, error, least);
	if (is_local) {
		r->has_converged |= is_steady(r->local_error, error, least);
		r->local_error = error;
	}
	r->share = error > r->error ? momentum_brake * r->share : fmin(momentum_most, r->share + momentum_step);
	if (r->done == 0) r->share = 0;
	r->error = error;
	r->done++;
}

/* what is fitted to the weights: free bones, or a hierarchy */
typedef struct model {
	ossai_hierarchy *hierarchy; /* NULL: free bones */
	const ossai_joint_rules *joints;
} model;

/* each with its own joints; the error is added */
static ossa_status fit_companions(ossai_fit *fit, const model *what, double *error)
{
	lend_weights(fit);
	for (size_t c = 0; c < fit->companion_count; c++) {
		ossai_fit_companion *other = &fit->companions[c];
		double more;
		OSSAI_TRY(fit_hierarchy(other->fit, &other->hierarchy, what->joints ? &other->joints : NULL, &more));
		*error += more;
	}
	return OSSA_OK;
}

static ossa_status fit_model(ossai_fit *fit, const model *what, double *error)
{
	if (!what->hierarchy) return ossai_fit_motion(fit, error);
	OSSAI_TRY(fit_hierarchy(fit, what->hierarchy, what->joints, error));
	return fit_companions(fit, what, error);
}

ossa_status ossai_fit_connect(ossai_fit *fit)
{
	OSSAI_TRY(ossai_locality_enforce(fit->context, fit->surface, &fit->motion, fit->prior, OSSAI_LEAST_WEIGHT, &fit->weights));
	ossai_share_weights(fit->surface, &fit->weights);
	return OSSA_OK;
}

static ossa_status alternate(ossai_fit *fit, const model *what, int most, double least, bool local, ossai_rounds *r)
{
	while (r->done < most && !r->has_converged) {
		double error;
		begin_round(fit, r);
		OSSAI_TRY(ossai_fit_weights(fit, NULL, NULL));
		/* supports become disconnected slowly: testing every few rounds suffices until the end */
		const bool is_local = local && r->done % LOCAL_EVERY == LOCAL_EVERY - 1;
		if (is_local) OSSAI_TRY(ossai_fit_connect(fit));
		OSSAI_TRY(fit_model(fit, what, &error));
		OSSAI_TRY(ossai_progress(fit->context, (double)r->done / most));
		end_round(r, is_local, error, least);
	}
	return OSSA_OK;
}

static ossa_status end(ossai_fit *fit, const model *what, ossai_rounds *r)
{
	OSSAI_TRY(ossai_fit_connect(fit));
	return fit_model(fit, what, &r->error);
}

ossa_status ossai_fit_alternate(ossai_fit *fit, int rounds, double least, bool local)
{
	const model free_bones = {NULL, NULL};
	ossai_rounds r = ossai_rounds_begin();
	OSSAI_TRY(alternate(fit, &free_bones, rounds, least, local, &r));
	return local ? end(fit, &free_bones, &r) : OSSA_OK;
}

ossa_status ossai_fit_alternate_hierarchy(ossai_fit *fit, ossai_hierarchy *hierarchy, const ossai_joint_rules *joints, int most,
	double least, bool local, ossai_rounds *rounds)
{
	const model bound = {hierarchy, joints};
	return alternate(fit, &bound, most, least, local, rounds);
}

ossa_status ossai_fit_joints_to(ossai_fit *fit, const ossai_moments *moments, ossai_hierarchy *hierarchy,
	const ossai_joint_rules *joints, int most, double least, ossai_rounds *rounds)
{
	*rounds = ossai_rounds_begin();
	while (rounds->done < most && !rounds->has_converged) {
		double error;
		begin_round(fit, rounds);
		OSSAI_TRY(fit_joints_and_turns(fit, moments, hierarchy, joints, &error));
		OSSAI_TRY(ossai_progress(fit->context, (double)rounds->done / most));
		end_round(rounds, false, error, least);
	}
	return OSSA_OK;
}

ossa_status ossai_fit_joints(
	ossai_fit *fit, ossai_hierarchy *hierarchy, const ossai_joint_rules *joints, int most, double least, ossai_rounds *rounds)
{
	ossai_moments moments;
	ossa_status status = ossai_moments_make(fit->context, fit->surface, &fit->weights, &moments);
	if (status == OSSA_OK) status = ossai_fit_joints_to(fit, &moments, hierarchy, joints, most, least, rounds);
	ossai_moments_end(&moments);
	return status;
}

ossa_status ossai_fit_end_hierarchy(
	ossai_fit *fit, ossai_hierarchy *hierarchy, const ossai_joint_rules *joints, ossai_rounds *rounds)
{
	const model bound = {hierarchy, joints};
	return end(fit, &bound, rounds);
}
