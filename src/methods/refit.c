/* methods/refit.c: the motion of a given rig over frames of its mesh, in one pass over a stream.

   Input: a rig, a stream of frames of the same vertices.
   Output: a clip with rotations and root position of each frame, and its errors.
   Joints and weights are given, so the error of a frame is quadratic in the rotations of the bones
   (motion/hierarchy.h) and needs only the sums C of its vertices (motion/moments.h); S, which costs
   most, is computed once. Frames are read in batches. Of each batch every eighth frame is fitted,
   starting from the eighth before it, in sequence; then those between, starting from their
   predecessors, in parallel: each fit starts close to its solution, and all threads have work. Each
   frame is fitted a second time, starting from the rigid motion of each bone's own vertices, and
   the better of the two results is taken: neither cuts in the sequence nor a wrong local minimum
   affect the frames after them. Memory does not grow with the number of frames, except for the
   clip. Hinges that are kept are held by a term of the same form as the error (motion/pose_fit.h),
   as heavy as if all vertices were a diagonal away, and what is left of turns off their axes is
   removed. */
#include "base/options.h"
#include "methods/refit.h"

#include "math/rigid_fit.h"
#include "motion/free_bones.h"
#include "metrics/errors.h"
#include "metrics/metrics.h"
#include "rig/clip_morphs.h"
#include "rig/hinge.h"
#include "rig/slides.h"
#include "rig/turns.h"
#include "mesh/bounds.h"

#include <string.h>

/* rounds and Newton steps of each fit */
enum { CHAIN = OSSAI_REFIT_CHAIN, SWEEPS = 2, NEWTON = 12, FREE_SWEEPS = 30 };
/* of each joint, a share of the number of vertices: less than the weight of any bone with a vertex,
   more than rounding errors */
static const double stiffness = 1e-13;
/* The start from the bones' own vertices is taken where its squared error is smaller by this share
   of the frame's squared size: between results that differ by rounding only, the continuous one
   stays. */
static const double least_gain = 1e-12;
/* bones with less than this share of the vertices start with the rotation of their parents */
static const double least_mass = 1e-9;

static const ossa_motion_options defaults = {.cookie = OSSAI_COOKIE('m', 'o', ossa_motion_options), .free_motion = false};

ossa_motion_options ossa_motion_default(void) { return defaults; }

const ossa_option_table *ossa_motion_option_table(void)
{
	static const ossa_option options[] = {
		{"free-motion", OSSA_OPTION_BOOL, offsetof(ossa_motion_options, free_motion), 0, 1, "", "",
			"also fit every bone independently of its parent", "off: animators edit the hierarchy"},
		{"keep-hinges", OSSA_OPTION_BOOL, offsetof(ossa_motion_options, keep_hinges), 0, 1, "", "",
			"turn hinges about their axis alone", "off: the error is as small as the joints allow"},
	};
	static const ossa_option_table table = {"motion", options, sizeof options / sizeof options[0], &defaults,
		.size = sizeof(ossa_motion_options), .cookie = OSSAI_COOKIE('m', 'o', ossa_motion_options)};
	return &table;
}

/* ---- reading ---- */

static ossa_status read_tiles(ossai_refit *r, size_t first, size_t count)
{
	for (size_t at = 0; at < count; at += OSSAI_TILE_FRAMES) {
		const float *frames[OSSAI_TILE_FRAMES];
		size_t index[OSSAI_TILE_FRAMES];
		const size_t left = count - at, own = left < OSSAI_TILE_FRAMES ? left : OSSAI_TILE_FRAMES;
		ossai_frame_tile *tile = &r->tiles[at / OSSAI_TILE_FRAMES];
		for (size_t k = 0; k < own; k++) index[k] = first + at + k;
		OSSAI_TRY(ossai_frame_stream_read_several(r->context, r->stream, own, index, r->read));
		/* the last frame fills the tile */
		for (size_t k = 0; k < OSSAI_TILE_FRAMES; k++) frames[k] = r->read[k < own ? k : own - 1];
		ossai_tile_fill(r->context, &r->bound.lists, frames, r->surface.scale, tile, r->scratch);
		for (size_t k = 0; k < own; k++) {
			r->target[at + k] = tile->square[k];
			r->fit->frame_size[first + at + k] = sqrt(tile->square[k] / r->rest_square);
		}
	}
	return OSSA_OK;
}

static void sum_targets(const ossai_refit *r, ossai_refit_blend *b, size_t count)
{
	b->moments.pose_count = b->motion.pose_count = count;
	ossai_tile_targets(r->context, &b->lists, r->tiles, count, r->surface.scale, b->moments.c);
}

/* ---- rotations ---- */

typedef struct chain_job {
	const ossai_refit *r;
	const ossai_pose_fit *pose_fit;
	size_t count;
	size_t scratch_size;
	double *scratch; /* of each chain: rotations of the second start, then what a fit needs */
} chain_job;

/* each bone gets the rotation of its own vertices */
static void start_cold(const ossai_refit *r, size_t k, ossai_mat3 *rotations)
{
	for (uint32_t b = 0; b < r->bones; b++) {
		const double *mass = r->bound.lists.mass[b];
		double c[12], m[9];
		if (mass[3] < least_mass * (double)r->surface.used_count) {
			rotations[b] = b == 0 ? ossai_mat3_identity() : rotations[r->tree.parent[b]];
			continue;
		}
		ossai_moments_target(&r->bound.moments, b, k, c);
		for (size_t i = 0; i < 9; i++) m[i] = c[i] - mass[i / 3] / mass[3] * c[9 + i % 3];
		rotations[b] = ossai_quat_matrix(ossai_rigid_rotation(m));
	}
}

static void fit_frame(const chain_job *job, size_t k, const ossai_mat3 *before, double *scratch)
{
	const ossai_refit *r = job->r;
	ossai_mat3 *own = r->rotations + k * r->bones, *cold = (ossai_mat3 *)scratch;
	double *rest = scratch + 9 * r->bones;
	double error[2];
	memcpy(own, before, r->bones * sizeof *own);
	start_cold(r, k, cold);
	ossai_pose_fit_rotations(job->pose_fit, 2, (const size_t[]){k, k}, (ossai_mat3 *const[]){own, cold}, error, rest);
	if (error[1] < error[0] - least_gain * r->target[k]) memcpy(own, cold, r->bones * sizeof *own);
}

static void fit_chains(void *arg, size_t begin, size_t end)
{
	const chain_job *job = arg;
	for (size_t chain = begin; chain < end; chain++) {
		double *scratch = job->scratch + chain * job->scratch_size;
		for (size_t k = CHAIN * chain + 1; k < CHAIN * (chain + 1) && k < job->count; k++) {
			fit_frame(job, k, job->r->rotations + (k - 1) * job->r->bones, scratch);
		}
	}
}

/* What the fit leaves of turns off the axes is small: it goes. The angle about an axis is that of
   the nearest turn about it. */
static void keep_hinges(const ossai_refit *r, ossai_mat3 *rotations)
{
	for (size_t at = 1; at < r->bones; at++) {
		const uint32_t b = r->hierarchy.tree->order[at];
		const ossai_mat3 *up = &rotations[r->hierarchy.tree->parent[b]], back = ossai_mat3_transpose(up);
		const ossai_mat3 turn = ossai_mat3_mul(&back, &rotations[b]);
		if (!(ossai_length2(r->hinge[b]) > 0)) continue;
		const double degrees = ossai_hinge_angle(ossai_mat3_quat(&turn), r->hinge[b], 0);
		const ossai_mat3 own = ossai_quat_matrix(ossai_quat_axis_angle(r->hinge[b], degrees * OSSAI_PI / 180));
		rotations[b] = ossai_mat3_mul(up, &own);
	}
}

static ossa_status fit_rotations(ossai_refit *r, ossai_arena *arena, size_t count)
{
	ossai_subtree_moments sums;
	ossai_pose_fit pose_fit;
	const double stiff = stiffness * (double)r->surface.used_count;
	const ossai_pose_fit_plan plan = {.sweeps = SWEEPS,
		.newton = NEWTON,
		.stiffness = stiff,
		.hinge = r->hinge,
		.hinge_weight = (double)r->surface.used_count};
	OSSAI_TRY(ossai_subtree_moments_make(arena, &r->bound.moments, r->hierarchy.tree, NULL, &sums));
	OSSAI_TRY(ossai_pose_fit_begin(arena, &sums, &r->hierarchy, &plan, &pose_fit));
	const size_t chains = (count - 1) / CHAIN + 1;
	chain_job job = {r, &pose_fit, count, 9 * r->bones + pose_fit.scratch_size, NULL};
	job.scratch = ossai_arena_new(arena, chains, job.scratch_size * sizeof *job.scratch);
	if (!job.scratch) return ossa_context_error(r->context)->status;
	for (size_t k = 0; k < count; k += CHAIN) {
		fit_frame(&job, k, k > 0 ? r->rotations + (k - CHAIN) * r->bones : r->last, job.scratch);
		OSSAI_TRY(ossai_progress(r->context, 0));
	}
	ossai_parallel_for(r->context, chains, 1, fit_chains, &job);
	memcpy(r->last, r->rotations + (count - 1) * r->bones, r->bones * sizeof *r->last);
	for (size_t k = 0; k < count; k++) {
		if (r->hinge) keep_hinges(r, r->rotations + k * r->bones);
		ossai_pose_fit_store(&pose_fit, k, r->rotations + k * r->bones, r->bound.motion.rigid + k, count);
	}
	return OSSA_OK;
}

/* each body by its own vertices; the common root stands still */
static ossa_status fit_bodies(ossai_refit *r, ossai_arena *arena, size_t count)
{
	for (size_t i = 0; i < r->body_count; i++) {
		ossai_refit_body_load(r, count, &r->bodies[i]);
		OSSAI_TRY(fit_rotations(&r->bodies[i].own, arena, count));
		ossai_refit_body_store(r, count, &r->bodies[i]);
	}
	ossai_refit_keep_slides(r, count);
	ossai_refit_hold_root(r, count);
	return OSSA_OK;
}

/* ---- the clip ---- */

/* the frame of a joint in the units of the animation */
static ossai_rigid world_frame(const ossai_refit *r, const ossai_rigid *x, ossai_vec3 center, size_t b)
{
	const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(r->rig->skeleton.bones[b].orientation));
	const ossai_vec3 at = ossai_rigid_point(x, r->hierarchy.joint[b]);
	return (ossai_rigid){ossai_mat3_mul(&x->r, &rest), ossai_madd(center, r->surface.scale, at)};
}

static void store_frame(
	const ossai_refit *r, const ossai_bone_motion *motion, size_t k, size_t frame, ossai_rigid *world, ossa_clip *clip)
{
	const ossai_vec3 center = r->tiles[k / OSSAI_TILE_FRAMES].center[k % OSSAI_TILE_FRAMES];
	for (size_t b = 0; b < r->bones; b++) {
		const uint32_t parent = r->tree.parent[b];
		world[b] = world_frame(r, &motion->rigid[b * motion->pose_count + k], center, b);
		ossai_rigid local = world[b];
		if (parent != OSSA_NONE) {
			const ossai_rigid up = ossai_rigid_inverse(&world[parent]);
			local = ossai_rigid_mul(&up, &world[b]);
		}
		ossai_quat q = ossai_mat3_quat(&local.r);
		double *to = clip->rotations + (frame * r->bones + b) * 4;
		/* of one sign over time, so that programs which interpolate keys take the shorter arc */
		ossai_quat_store_after(q, frame > 0 ? to - 4 * r->bones : NULL, to);
		if (clip->translations) ossai_v3_store(local.t, clip->translations + (frame * r->bones + b) * 3);
		if (parent == OSSA_NONE) ossai_v3_store(local.t, clip->root_positions + 3 * frame);
	}
}

static void store_frames(
	const ossai_refit *r, const ossai_refit_blend *b, size_t first, size_t count, ossai_rigid *world, ossa_clip *clip)
{
	for (size_t k = 0; k < count; k++) store_frame(r, &b->motion, k, first + k, world, clip);
}

/* ---- errors ---- */

static void measure(
	const ossai_refit *r, const ossai_refit_blend *b, size_t first, size_t count, double *frame_rms, ossai_refit_totals *totals)
{
	ossai_tile_errors_make(r->context, &b->lists, r->tiles, r->surface.scale, &b->motion, r->matrices, r->scratch, r->errors,
		totals->vertex_square);
	for (size_t k = 0; k < count; k++) {
		const ossai_tile_errors *e = &r->errors[k / OSSAI_TILE_FRAMES];
		const size_t lane = k % OSSAI_TILE_FRAMES;
		totals->square += e->square[lane];
		totals->sum += e->sum[lane];
		if (frame_rms) frame_rms[first + k] = ossai_rms_percent(e->square[lane], (double)r->surface.used_count);
		if (totals->frame >= 0 && !(e->largest2[lane] > totals->largest2)) continue;
		totals->largest2 = e->largest2[lane];
		totals->vertex = e->worst[lane];
		totals->frame = (int64_t)(first + k);
	}
}

static ossa_metrics metrics_of(
	const ossai_refit *r, const ossai_refit_totals *totals, const ossa_weights *weights, const ossa_clip *clip)
{
	const ossai_bounds bounds = ossai_bounds_make(r->rig->mesh->vertex_count, r->rig->mesh->positions);
	const double count = (double)r->surface.used_count * (double)r->frames;
	ossa_metrics metrics = ossai_no_metrics();
	metrics.rms_percent = ossai_rms_percent(totals->square, count);
	metrics.max_percent = 100 * sqrt(totals->largest2);
	metrics.accu_percent = 100 * totals->sum / count * r->surface.scale / bounds.largest_side;
	metrics.max_vertex = totals->vertex;
	metrics.max_frame = totals->frame;
	metrics.compression = ossai_rig_compression(r->rig, weights, clip, r->frames);
	return metrics;
}

static ossa_status take_errors(ossai_refit *r)
{
	const ossa_rig *rig = r->rig;
	const ossa_weights *free_weights = rig->free_weights.vertex_count > 0 ? &rig->free_weights : &rig->weights;
	ossa_motion_fit *fit = r->fit;
	fit->errors = metrics_of(r, &r->bound_totals, &rig->weights, fit->clip);
	fit->free_errors = r->wants_free ? metrics_of(r, &r->free_totals, free_weights, fit->free_clip) : ossai_no_metrics();
	return ossai_bone_errors(
		r->arena, rig, &rig->weights, r->surface.used, r->bound_totals.vertex_square, 1 / (double)r->frames, fit->bone_rms);
}

/* ---- all frames ---- */

static ossa_status fit_free_bones(ossai_refit *r, size_t count)
{
	sum_targets(r, &r->free, count);
	memcpy(r->free.motion.rigid, r->bound.motion.rigid, r->bones * count * sizeof *r->free.motion.rigid);
	return ossai_free_bones_fit(r->context, &r->free.moments, FREE_SWEEPS, &r->free.motion);
}

/* the bones of a face begin as if they kept their places on the head */
static ossa_status fit_bound(ossai_refit *r, ossai_arena *arena, size_t count)
{
	if (r->body_count > 0) return fit_bodies(r, arena, count);
	OSSAI_TRY(fit_rotations(r, arena, count));
	return r->is_free ? ossai_free_bones_fit(r->context, &r->bound.moments, FREE_SWEEPS, &r->bound.motion) : OSSA_OK;
}

static ossa_status fit_batch(ossai_refit *r, ossai_arena *arena, size_t first, size_t count)
{
	ossai_rigid *world = ossai_arena_new(arena, r->bones, sizeof *world);
	if (!world) return ossa_context_error(r->context)->status;
	sum_targets(r, &r->bound, count);
	OSSAI_TRY(fit_bound(r, arena, count));
	store_frames(r, &r->bound, first, count, world, r->fit->clip);
	measure(r, &r->bound, first, count, r->fit->frame_rms, &r->bound_totals);
	if (!r->wants_free) return OSSA_OK;
	OSSAI_TRY(fit_free_bones(r, count));
	store_frames(r, &r->free, first, count, world, r->fit->free_clip);
	measure(r, &r->free, first, count, NULL, &r->free_totals);
	return OSSA_OK;
}

static ossa_status fit_stream(ossai_refit *r)
{
	OSSAI_TRY(ossai_refit_prepare(r));
	for (size_t first = 0; first < r->frames; first += r->batch) {
		const size_t count = r->frames - first < r->batch ? r->frames - first : r->batch;
		OSSAI_TRY(ossai_progress(r->context, (double)first / (double)r->frames));
		ossai_stage_begin(r->context, "frames");
		ossa_status status = read_tiles(r, first, count);
		ossai_stage_end(r->context);
		ossai_arena arena = ossai_arena_begin(r->context);
		if (status == OSSA_OK) status = fit_batch(r, &arena, first, count);
		ossai_arena_end(&arena);
		OSSAI_TRY(status);
	}
	OSSAI_TRY(take_errors(r));
	return ossai_progress(r->context, 1);
}

ossa_status ossa_rig_fit_motion(ossa_context *context, const ossa_rig *rig, ossa_frame_stream *stream,
	const ossa_motion_options *options, ossa_motion_fit **fit)
{
	if (fit) *fit = NULL;
	OSSAI_NEED(context, rig, stream, fit);
	const ossa_motion_options used = options ? *options : defaults;
	OSSAI_TRY(ossa_options_check(context, ossa_motion_option_table(), &used));
	ossai_arena arena = ossai_arena_begin(context);
	ossai_refit r = {.context = context,
		.arena = &arena,
		.rig = rig,
		.stream = stream,
		.bones = rig->skeleton.bone_count,
		.frames = ossa_frame_stream_frame_count(stream),
		.wants_free = used.free_motion,
		.keeps_hinges = used.keep_hinges,
		.bound_totals = {.frame = -1},
		.free_totals = {.frame = -1},
		.fit = ossa_alloc(context, 1, sizeof *r.fit)};
	ossai_stage_begin(context, "motion");
	ossa_status status = r.fit ? fit_stream(&r) : ossa_context_error(context)->status;
	if (status == OSSA_OK) status = ossai_refit_measure_shapes(&r);
	if (status == OSSA_OK) status = ossai_clip_take_frame_morphs(context, stream, rig->mesh, r.fit->clip);
	if (status == OSSA_OK) status = ossai_clip_take_frame_morphs(context, stream, rig->mesh, r.fit->free_clip);
	ossai_stage_end(context);
	ossai_moments_end(&r.bound.moments);
	ossai_moments_end(&r.free.moments);
	ossai_arena_end(&arena);
	if (status == OSSA_OK) *fit = r.fit;
	else ossa_motion_fit_free(context, r.fit);
	return status;
}

void ossa_motion_fit_free(ossa_context *context, ossa_motion_fit *fit)
{
	if (!fit) return;
	ossa_clip_free(context, fit->clip);
	ossa_clip_free(context, fit->free_clip);
	ossa_free(context, fit->frame_rms);
	ossa_free(context, fit->frame_size);
	ossa_free(context, fit->bone_rms);
	ossa_free(context, fit);
}

/* ---- the rig ---- */

/* the largest rotation relative to the rest over all frames */
static double turn_degrees(const ossa_rig *rig, size_t b)
{
	const ossai_quat rest = ossai_rest_rotation(rig->skeleton.bones, b);
	const ossa_clip *clip = rig->clip;
	double most = 0;
	for (size_t f = 0; f < clip->frame_count; f++) {
		const ossai_quat q = ossai_quat_of(clip->rotations + (f * clip->bone_count + b) * 4);
		most = fmax(most, ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(rest), q)));
	}
	return most * 180 / OSSAI_PI;
}

void ossa_rig_take_motion(ossa_context *context, ossa_rig *rig, ossa_motion_fit *fit)
{
	if (!context || !rig || !fit) return;
	ossa_clip_free(context, rig->clip);
	ossa_clip_free(context, rig->free_clip);
	rig->clip = fit->clip;
	rig->free_clip = fit->free_clip;
	fit->clip = fit->free_clip = NULL;
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		if (bone->kind != OSSA_JOINT_ROOT) bone->turn_degrees = turn_degrees(rig, b);
		const bool follows = bone->has_limits && bone->limits_of_motion;
		if (bone->kind == OSSA_JOINT_PRISMATIC && follows) ossai_slide_range(rig, b, bone->slide_limits);
	}
}
