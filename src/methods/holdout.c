/* methods/holdout.c: how well a rig follows frames that it was not made from.

   Place in the path: after a method.  In: a rig, the frames it was made from, others.  Out: errors on both.
   The others get a motion of their own: bones free of each other from a start that the weights tell, then, from those rotations, the
   hierarchy's. Skeleton and weights stay as they are. */
#include <ossa/holdout.h>

#include "motion/free_bones.h"
#include "motion/hierarchy.h"

#include <string.h>

/* rounds of sweeps of free bones end where one lowers the error by less than this share */
static const double least_gain = 1e-3;
enum { ROUNDS = 40, SWEEPS_PER_ROUND = 10, HIERARCHY_SWEEPS = 10, HIERARCHY_NEWTON = 20 };

typedef struct holding {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_rig *rig;
	const ossa_frames *held;
	ossai_posed_surface surface; /* rest and the held frames */
	ossai_tree tree;             /* the rig's: bones in its order */
	ossai_vec3 *joint;           /* B, rest, normalised */
	ossai_bone_motion motion;    /* of the held frames */
} holding;

/* ---- the rig as the stages know it ---- */

static ossai_vec3 to_surface(const ossai_posed_surface *s, ossai_vec3 p)
{
	return ossai_scale(ossai_sub(p, s->rest_center), 1 / s->scale);
}

static ossa_status take_skeleton(holding *h)
{
	const ossa_skeleton *skeleton = &h->rig->skeleton;
	OSSAI_TRY(ossai_tree_new(h->arena, skeleton->bone_count, &h->tree));
	h->joint = ossai_arena_new(h->arena, skeleton->bone_count, sizeof *h->joint);
	if (!h->joint) return ossa_context_error(h->context)->status;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_bone *bone = &skeleton->bones[b];
		h->tree.parent[b] = bone->parent < 0 ? OSSA_NONE : (uint32_t)bone->parent;
		h->tree.pair[b] = OSSA_NONE;
		h->tree.order[b] = (uint32_t)b;
		h->joint[b] = to_surface(&h->surface, ossai_v3_of(bone->joint));
	}
	h->tree.root = 0;
	return ossai_bone_motion_new(h->arena, skeleton->bone_count, h->surface.pose_count, &h->motion);
}

static ossa_status take_weights(const holding *h, const ossa_weights *from, ossai_bone_weights *to)
{
	const size_t slots = (size_t)from->influences;
	OSSAI_TRY(ossai_bone_weights_new(h->arena, from->vertex_count, h->rig->skeleton.bone_count, slots, to));
	for (size_t v = 0; v < from->vertex_count; v++) {
		to->count[v] = 0;
		for (size_t i = v * slots; h->surface.used[v] && i < (v + 1) * slots && from->values[i] > 0; i++) {
			const size_t at = v * slots + to->count[v]++;
			to->bone[at] = from->bones[i];
			to->value[at] = from->values[i];
		}
	}
	return OSSA_OK;
}

/* ---- the motion of the held frames ---- */

static ossa_status fit_free(holding *h, const ossai_moments *moments)
{
	ossai_free_bones_begin(h->context, moments, &h->motion);
	double error = ossai_moments_error(moments, &h->motion);
	for (int round = 0; round < ROUNDS; round++) {
		ossai_free_bones_fit(h->context, moments, SWEEPS_PER_ROUND, &h->motion);
		const double now = ossai_moments_error(moments, &h->motion);
		if (!(now < (1 - least_gain) * error)) break;
		error = now;
		OSSAI_TRY(ossai_progress(h->context, (round + 1.0) / ROUNDS));
	}
	return OSSA_OK;
}

/* the joint's frame in a pose, in mesh units */
static ossai_rigid world_frame(const holding *h, size_t bone, size_t pose)
{
	const ossai_posed_surface *s = &h->surface;
	const ossai_rigid *x = &h->motion.rigid[bone * h->motion.pose_count + pose];
	const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(h->rig->skeleton.bones[bone].orientation));
	return (ossai_rigid){
		ossai_mat3_mul(&x->r, &rest), ossai_madd(s->pose_center[pose], s->scale, ossai_rigid_point(x, h->joint[bone]))};
}

static void fill_pose(const holding *h, size_t pose, ossai_rigid *world, ossa_clip *clip)
{
	for (size_t b = 0; b < clip->bone_count; b++) {
		const int32_t parent = h->rig->skeleton.bones[b].parent;
		const size_t at = pose * clip->bone_count + b;
		world[b] = world_frame(h, b, pose);
		ossai_rigid local = world[b];
		if (parent >= 0) {
			const ossai_rigid up = ossai_rigid_inverse(&world[parent]);
			local = ossai_rigid_mul(&up, &world[b]);
		} else ossai_v3_store(local.t, clip->root_positions + 3 * pose);
		ossai_quat_store(ossai_mat3_quat(&local.r), clip->rotations + 4 * at);
		if (clip->translations) ossai_v3_store(local.t, clip->translations + 3 * at);
	}
}

/* errors of the motion that was found, with the weights it was found for */
static ossa_status measure_motion(const holding *h, const ossa_weights *weights, bool free_bones, ossa_metrics *metrics)
{
	ossa_clip *clip = NULL;
	ossai_rigid *world = ossai_arena_new(h->arena, h->rig->skeleton.bone_count, sizeof *world);
	if (!world) return ossa_context_error(h->context)->status;
	OSSAI_TRY(ossa_clip_create(h->context, h->held->frame_count, h->rig->skeleton.bone_count, free_bones, &clip));
	memcpy(clip->times, h->held->times, clip->frame_count * sizeof *clip->times);
	for (size_t k = 0; k < clip->frame_count; k++) fill_pose(h, k, world, clip);
	const ossa_status status = ossa_rig_measure(h->context, h->rig, weights, clip, h->held, metrics);
	ossa_clip_free(h->context, clip);
	return status;
}

static ossa_status fit_motion(holding *h, const ossa_weights *from, bool free_bones)
{
	ossai_bone_weights weights;
	ossai_moments moments;
	const ossai_hierarchy hierarchy = {&h->tree, h->joint};
	OSSAI_TRY(take_weights(h, from, &weights));
	ossa_status status = ossai_moments_make(h->context, &h->surface, &weights, &moments);
	if (status == OSSA_OK) status = fit_free(h, &moments);
	if (status == OSSA_OK && !free_bones) {
		status = ossai_hierarchy_fit(h->context, &moments, &hierarchy, HIERARCHY_SWEEPS, HIERARCHY_NEWTON, &h->motion);
	}
	ossai_moments_end(&moments);
	return status;
}

/* ---- */

static void take_errors(ossa_holdout_errors *errors, int set, const ossa_metrics *metrics)
{
	errors->rms_percent[set] = metrics->rms_percent;
	errors->max_percent[set] = metrics->max_percent;
	errors->accu_percent[set] = metrics->accu_percent;
}

/* of all frames, from those of the two sets */
static void join_errors(ossa_holdout_errors *errors, size_t fitted, size_t held)
{
	const double all = (double)(fitted + held), a = (double)fitted / all, b = (double)held / all;
	const double *rms = errors->rms_percent, *accu = errors->accu_percent, *max = errors->max_percent;
	errors->rms_percent[2] = sqrt(a * rms[0] * rms[0] + b * rms[1] * rms[1]);
	errors->accu_percent[2] = a * accu[0] + b * accu[1];
	errors->max_percent[2] = max[0] > max[1] ? max[0] : max[1];
}

static ossa_holdout_errors no_errors(void) { return (ossa_holdout_errors){{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}; }

static ossa_status measure_held(holding *h, const ossa_weights *weights, bool free_bones, ossa_holdout_errors *errors)
{
	ossa_metrics metrics;
	OSSAI_TRY(fit_motion(h, weights, free_bones));
	OSSAI_TRY(measure_motion(h, weights, free_bones, &metrics));
	take_errors(errors, 1, &metrics);
	return OSSA_OK;
}

static ossa_status measure(holding *h, const ossa_frames *fitted, ossa_holdout *holdout)
{
	const ossa_rig *rig = h->rig;
	const ossa_weights *free_weights = rig->free_weights.vertex_count > 0 ? &rig->free_weights : &rig->weights;
	ossa_metrics metrics;
	OSSAI_TRY(ossa_rig_measure(h->context, rig, NULL, NULL, fitted, &metrics));
	take_errors(&holdout->hierarchy, 0, &metrics);
	OSSAI_TRY(ossai_posed_surface_make(h->context, h->arena, rig->mesh, h->held, true, &h->surface));
	OSSAI_TRY(take_skeleton(h));
	OSSAI_TRY(measure_held(h, &rig->weights, false, &holdout->hierarchy));
	join_errors(&holdout->hierarchy, fitted->frame_count, h->held->frame_count);
	if (!rig->free_clip) return OSSA_OK;
	OSSAI_TRY(ossa_rig_measure(h->context, rig, free_weights, rig->free_clip, fitted, &metrics));
	take_errors(&holdout->free_bones, 0, &metrics);
	OSSAI_TRY(measure_held(h, free_weights, true, &holdout->free_bones));
	join_errors(&holdout->free_bones, fitted->frame_count, h->held->frame_count);
	return OSSA_OK;
}

ossa_status ossa_holdout_measure(
	ossa_context *context, const ossa_rig *rig, const ossa_frames *fitted, const ossa_frames *held, ossa_holdout *holdout)
{
	*holdout = (ossa_holdout){fitted->frame_count, held->frame_count, no_errors(), no_errors()};
	if (fitted->frame_count == 0 || held->frame_count == 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"%zu frames to fit and %zu to hold out: at least one of each is needed", fitted->frame_count, held->frame_count);
	}
	ossai_arena arena = ossai_arena_begin(context);
	holding h = {.context = context, .arena = &arena, .rig = rig, .held = held};
	ossai_stage_begin(context, "held frames");
	const ossa_status status = measure(&h, fitted, holdout);
	ossai_stage_end(context);
	ossai_arena_end(&arena);
	return status;
}
