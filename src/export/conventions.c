/* export/conventions.c: axes, units and joint frames of the output.

   Place in the path: between the registry and the writers, which need not handle such options.
   Input: a rig, mesh or frames in ossa's own conventions (Y up, metres, +Y along a bone).
   Output: the same in those of the options.

   World: p' = S p / unit with S the identity or, for Z up, the quarter turn about x that takes (x,
   y, z) to (x, -z, y). Joint frames: W' = S W A with A the third turn about (1, 1, 1) or back,
   which renames y to x or z and changes no sign. So a bone's local rotation becomes A^-1 q A and
   its translation A^-1 t / unit; the root, which has no parent, is turned by S. */
#include "export/conventions.h"
#include "math/vec.h"
#include "retarget/rest_pose.h"
#include "rig/clips.h"
#include "scene/mesh.h"
#include "scene/objects.h"

#include <float.h>
#include <string.h>

typedef struct change {
	bool z_up;
	double scale;       /* 1 / unit */
	ossai_quat turn;    /* S */
	ossai_quat frame;   /* A */
	size_t old_axis[3]; /* the old axis of a joint's frame that each new one is */
} change;

static change change_of(const ossa_write_options *options)
{
	const double half = 0.70710678118654752440;
	change c = {.z_up = options->up == OSSA_UP_Z, .scale = 1 / options->unit};
	c.turn = c.z_up ? (ossai_quat){half, 0, 0, half} : ossai_quat_identity();
	/* how many cyclic steps along x, y, z, x ... each axis takes; 1 makes x of y, 2 makes z of y */
	const int step = options->bone_axis == OSSA_AXIS_X ? 1 : options->bone_axis == OSSA_AXIS_Z ? 2 : 0;
	c.frame = step == 0 ? ossai_quat_identity()
						: (ossai_quat){step == 1 ? 0.5 : -0.5, step == 1 ? 0.5 : -0.5, step == 1 ? 0.5 : -0.5, 0.5};
	for (size_t k = 0; k < 3; k++) c.old_axis[k] = (k + (size_t)step) % 3;
	return c;
}

static bool moves_points(const change *c) { return c->z_up || c->scale != 1; }

static bool turns_frames(const change *c) { return c->old_axis[0] != 0; }

/* ---- vectors; z-up only changes places and signs, so that nothing is rounded ---- */

static void turn_doubles(const change *c, double *v)
{
	if (!c->z_up) return;
	const double y = v[1];
	v[1] = -v[2];
	v[2] = y;
}

static void move_point(const change *c, double *v)
{
	turn_doubles(c, v);
	for (int k = 0; k < 3; k++) v[k] *= c->scale;
}

/* a vector in a joint's frame */
static void move_local(const change *c, double *v)
{
	double old[3];
	memcpy(old, v, sizeof old);
	for (size_t k = 0; k < 3; k++) v[k] = old[c->old_axis[k]] * c->scale;
}

/* `to` becomes the converted `from`; false where a float cannot hold it */
static bool move_floats(const change *c, const float *from, float *to, size_t count, double scale)
{
	bool fits = true;
	for (size_t i = 0; i < 3 * count; i += 3) {
		const double x = (double)from[i] * scale, y = (double)from[i + 1] * scale, z = (double)from[i + 2] * scale;
		to[i] = (float)x;
		to[i + 1] = (float)(c->z_up ? -z : y);
		to[i + 2] = (float)(c->z_up ? y : z);
		fits = fits && fabs(x) <= FLT_MAX && fabs(y) <= FLT_MAX && fabs(z) <= FLT_MAX;
	}
	return fits;
}

/* a changed copy of `count` points; NULL with the error set */
static float *moved_points(ossai_prepared *prepared, const change *c, const float *points, size_t count)
{
	float *moved = ossai_arena_new(&prepared->arena, count, 3 * sizeof *moved);
	if (!moved || move_floats(c, points, moved, count, c->scale)) return moved;
	ossai_fail(
		prepared->arena.context, OSSA_ERROR_LIMIT, NULL, "the positions are too large for a unit of %g metres", 1 / c->scale);
	return NULL;
}

static ossa_status last_error(const ossai_prepared *prepared) { return ossa_context_error(prepared->arena.context)->status; }

/* ---- meshes ---- */

static ossa_status change_morphs(ossai_prepared *prepared, const change *c)
{
	ossa_mesh *own = &prepared->own_mesh;
	ossa_morph *morphs = ossai_morphs_borrow(&prepared->arena, own);
	if (!morphs) return last_error(prepared);
	for (size_t m = 0; m < own->morph_count; m++) {
		move_floats(c, own->morphs[m].deltas, morphs[m].deltas, morphs[m].count, c->scale);
		turn_doubles(c, morphs[m].driver.axis);
	}
	own->morphs = morphs;
	return OSSA_OK;
}

static ossa_status change_objects(ossai_prepared *prepared, const change *c)
{
	ossai_rigid map = {c->z_up ? (ossai_mat3){{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}} : ossai_mat3_identity(), {0, 0, 0}};
	for (int i = 0; i < 9; i++) map.r.m[i / 3][i % 3] *= c->scale;
	prepared->own_mesh.objects = ossai_objects_moved(&prepared->arena, &prepared->own_mesh, &map);
	return prepared->own_mesh.objects ? OSSA_OK : last_error(prepared);
}

static ossa_status change_mesh(ossai_prepared *prepared, const change *c)
{
	const ossa_mesh *mesh = prepared->mesh;
	ossa_mesh *own = &prepared->own_mesh;
	*own = *mesh;
	own->positions = moved_points(prepared, c, mesh->positions, mesh->vertex_count);
	if (!own->positions) return last_error(prepared);
	prepared->mesh = own;
	OSSAI_TRY(change_morphs(prepared, c));
	OSSAI_TRY(change_objects(prepared, c));
	if (!mesh->normals || !c->z_up) return OSSA_OK;
	own->normals = ossai_arena_new(&prepared->arena, mesh->normal_count, 3 * sizeof *own->normals);
	if (!own->normals) return last_error(prepared);
	move_floats(c, mesh->normals, own->normals, mesh->normal_count, 1);
	return OSSA_OK;
}

/* ---- skeletons ---- */

/* S q A for a frame in world space */
static void turn_frame(const change *c, double *q)
{
	ossai_quat turned = ossai_quat_mul(ossai_quat_of(q), c->frame);
	if (c->z_up) turned = ossai_quat_mul(c->turn, turned);
	ossai_quat_store(turned, q);
}

static ossa_status change_bones(ossai_prepared *prepared, const change *c)
{
	ossa_skeleton *skeleton = &prepared->own_rig.skeleton;
	const size_t count = skeleton->bone_count;
	ossa_bone *bones = ossai_arena_new(&prepared->arena, count, sizeof *bones);
	if (!bones) return last_error(prepared);
	memcpy(bones, skeleton->bones, count * sizeof *bones);
	for (size_t b = 0; b < count; b++) {
		move_point(c, bones[b].joint);
		move_point(c, bones[b].tail);
		turn_doubles(c, bones[b].axis);
		turn_doubles(c, bones[b].second_axis);
		turn_frame(c, bones[b].orientation);
		double *lengths[] = {&bones[b].fit_residual, &bones[b].deviation, &bones[b].slide_limits[0], &bones[b].slide_limits[1]};
		for (int i = 0; i < 4; i++) *lengths[i] *= c->scale;
		turn_doubles(c, bones[b].modelled);
		move_point(c, bones[b].modelled + 4);
	}
	skeleton->bones = bones;
	return OSSA_OK;
}

static ossa_status change_loops(ossai_prepared *prepared, const change *c)
{
	ossa_rig *rig = &prepared->own_rig;
	if (rig->loop_count == 0) return OSSA_OK;
	ossa_loop *loops = ossai_arena_new(&prepared->arena, rig->loop_count, sizeof *loops);
	if (!loops) return last_error(prepared);
	memcpy(loops, rig->loops, rig->loop_count * sizeof *loops);
	for (size_t i = 0; i < rig->loop_count; i++) move_point(c, loops[i].center);
	rig->loops = loops;
	return OSSA_OK;
}

static ossa_status change_dependencies(ossai_prepared *prepared, const change *c)
{
	ossa_rig *rig = &prepared->own_rig;
	if (rig->dependency_count == 0) return OSSA_OK;
	ossa_dependency *list = ossai_arena_new(&prepared->arena, rig->dependency_count, sizeof *list);
	if (!list) return last_error(prepared);
	memcpy(list, rig->dependencies, rig->dependency_count * sizeof *list);
	for (size_t i = 0; i < rig->dependency_count; i++) list[i].cost *= c->scale;
	for (size_t i = 0; i < rig->dependency_count; i++) turn_doubles(c, list[i].driver_axis);
	rig->dependencies = list;
	return OSSA_OK;
}

static void change_body(ossai_prepared *prepared, const change *c)
{
	turn_doubles(c, prepared->own_rig.body.up);
	turn_doubles(c, prepared->own_rig.body.front);
}

/* ---- motion ---- */

/* A^-1 q A: the vector part changes places like a vector */
static void change_local_rotation(const change *c, double *q)
{
	double old[3];
	memcpy(old, q, sizeof old);
	for (size_t k = 0; k < 3; k++) q[k] = old[c->old_axis[k]];
}

static void change_frame(const ossa_clip *clip, const change *c, const ossa_bone *bones, size_t frame)
{
	const size_t first = frame * clip->bone_count;
	move_point(c, clip->root_positions + 3 * frame);
	for (size_t b = 0; b < clip->bone_count; b++) {
		const bool is_root = bones[b].parent < 0;
		double *q = clip->rotations + 4 * (first + b), *t = clip->translations ? clip->translations + 3 * (first + b) : NULL;
		if (is_root) turn_frame(c, q);
		else change_local_rotation(c, q);
		if (t && is_root) move_point(c, t);
		else if (t) move_local(c, t);
	}
}

static double *copy_doubles(ossai_prepared *prepared, const double *values, size_t count)
{
	double *copy = ossai_arena_new(&prepared->arena, count, sizeof *copy);
	if (copy) memcpy(copy, values, count * sizeof *copy);
	return copy;
}

static ossa_status change_clip(ossai_prepared *prepared, const change *c, const ossa_clip *clip, ossa_clip **changed)
{
	ossa_clip *own = *changed = ossai_arena_new(&prepared->arena, 1, sizeof *own);
	const size_t cells = clip->frame_count * clip->bone_count;
	if (!own) return last_error(prepared);
	*own = *clip;
	own->rotations = copy_doubles(prepared, clip->rotations, 4 * cells);
	own->root_positions = copy_doubles(prepared, clip->root_positions, 3 * clip->frame_count);
	if (clip->translations) own->translations = copy_doubles(prepared, clip->translations, 3 * cells);
	if (!own->rotations || !own->root_positions || (clip->translations && !own->translations)) return last_error(prepared);
	for (size_t f = 0; f < clip->frame_count; f++) change_frame(own, c, prepared->own_rig.skeleton.bones, f);
	return OSSA_OK;
}

static ossa_status change_clips(ossai_prepared *prepared, const change *c)
{
	ossa_rig *rig = &prepared->own_rig;
	const ossa_rig before = *rig;
	if (rig->clip) OSSAI_TRY(change_clip(prepared, c, before.clip, &rig->clip));
	if (rig->other_clip_count == 0) return OSSA_OK;
	rig->other_clips = ossai_arena_new(&prepared->arena, rig->other_clip_count, sizeof *rig->other_clips);
	if (!rig->other_clips) return last_error(prepared);
	for (size_t i = 0; i < rig->other_clip_count; i++)
		OSSAI_TRY(change_clip(prepared, c, before.other_clips[i], &rig->other_clips[i]));
	return OSSA_OK;
}

/* ---- limits ---- */

/* bones with the ranges of their turns in the rig's clip as limits; those that never turn have the
   widest */
static ossa_status find_ranges(ossai_prepared *prepared, const ossa_rig *rig, ossa_bone **bones)
{
	ossa_rig judged = *rig;
	const size_t count = rig->skeleton.bone_count;
	*bones = judged.skeleton.bones = ossai_arena_new(&prepared->arena, count, sizeof **bones);
	if (!*bones) return last_error(prepared);
	memcpy(*bones, rig->skeleton.bones, count * sizeof **bones);
	for (size_t b = 0; b < count; b++) (*bones)[b].has_limits = false;
	return ossa_rig_find_limits(prepared->arena.context, &judged, 0);
}

static int free_axes(const ossa_bone *bone)
{
	int count = 0;
	for (int k = 0; k < 3; k++) count += bone->limits[k][0] < 0 || bone->limits[k][1] > 0;
	return count;
}

/* the slack of the limits beyond the old range of the motion is kept beyond the new one */
static void carry_limits(
	const change *c, const ossa_bone *old, const ossa_bone *old_range, const ossa_bone *range, ossa_bone *bone)
{
	for (size_t k = 0; k < 3; k++) {
		const double *limits = old->limits[c->old_axis[k]], *was = old_range->limits[c->old_axis[k]], *now = range->limits[k];
		bone->limits[k][0] = fmin(fmax(now[0] + (limits[0] - was[0]), -360), 0);
		bone->limits[k][1] = fmax(fmin(now[1] + (limits[1] - was[1]), 360), 0);
	}
}

/* Limits follow their axes; a single free axis stays as exact as it was. Rotations about several
   are decomposed in the order z y x of the new frame, no longer of the old: another set of poses,
   which contains the same motion with the same margin. */
static ossa_status change_limits(ossai_prepared *prepared, const ossa_rig *before, const change *c)
{
	const size_t count = before->skeleton.bone_count;
	const ossa_bone *old = before->skeleton.bones;
	ossa_bone *bones = prepared->own_rig.skeleton.bones, *old_ranges, *ranges;
	OSSAI_TRY(find_ranges(prepared, before, &old_ranges));
	OSSAI_TRY(find_ranges(prepared, &prepared->own_rig, &ranges));
	int64_t near = 0;
	for (size_t b = 0; b < count; b++) {
		if (!old[b].has_limits) continue;
		const bool exact = free_axes(&old[b]) <= 1;
		for (size_t k = 0; exact && k < 3; k++)
			memcpy(bones[b].limits[k], old[b].limits[c->old_axis[k]], sizeof bones[b].limits[k]);
		if (!exact) carry_limits(c, &old[b], &old_ranges[b], &ranges[b], &bones[b]);
		near += !exact && !old[b].limits_of_motion;
	}
	if (near > 0) {
		ossai_warn(prepared->arena.context, "limits-near", near,
			"limits about several axes were converted to rotated joint frames: they are approximate");
	}
	return OSSA_OK;
}

static ossa_status change_rig(ossai_prepared *prepared, const change *c)
{
	ossa_rig *own = &prepared->own_rig;
	const ossa_rig before = *own;
	if (moves_points(c)) {
		OSSAI_TRY(change_mesh(prepared, c));
		own->mesh = &prepared->own_mesh;
	}
	OSSAI_TRY(change_bones(prepared, c));
	OSSAI_TRY(change_loops(prepared, c));
	OSSAI_TRY(change_dependencies(prepared, c));
	change_body(prepared, c);
	OSSAI_TRY(change_clips(prepared, c));
	return turns_frames(c) ? change_limits(prepared, &before, c) : OSSA_OK;
}

/* the same rig with the other motion and the weights that belong to it; nothing is owned twice,
   nothing released */
static ossa_status pick_free_bones(ossai_prepared *prepared)
{
	ossa_rig *own = &prepared->own_rig;
	if (!own->free_clip) {
		return ossai_fail(prepared->arena.context, OSSA_ERROR_ARGUMENT, NULL,
			"this rig has no unconstrained bones to write: leave out `free-bones`");
	}
	ossai_clips_put(own, &(ossai_clips){.clip = own->free_clip});
	if (own->free_weights.vertex_count > 0) own->weights = own->free_weights;
	return OSSA_OK;
}

/* brings the rig to another rest pose */
static ossa_status pose_rig(ossai_prepared *prepared, int pose)
{
	ossai_reposed *posed;
	OSSAI_TRY(ossai_rest_pose(&prepared->arena, &prepared->own_rig, pose, &posed));
	if (!posed) return OSSA_OK;
	prepared->own_rig = posed->rig;
	prepared->mesh = posed->rig.mesh;
	return OSSA_OK;
}

/* ---- what writers call ---- */

ossa_status ossai_prepare_rig(
	ossa_context *context, const ossa_rig *rig, const ossa_write_options *options, ossai_prepared *prepared)
{
	const change c = change_of(options);
	*prepared = (ossai_prepared){.rig = rig, .mesh = rig->mesh, .arena = ossai_arena_begin(context)};
	const bool poses = options->rest_pose != OSSA_REST_KEEP;
	if (options->free_bones || poses || moves_points(&c) || turns_frames(&c)) {
		prepared->own_rig = *rig;
		prepared->rig = &prepared->own_rig;
	}
	if (options->free_bones) OSSAI_TRY(pick_free_bones(prepared));
	if (poses) OSSAI_TRY(pose_rig(prepared, options->rest_pose));
	if (moves_points(&c) || turns_frames(&c)) OSSAI_TRY(change_rig(prepared, &c));
	return ossai_learn_limits(prepared, rig, options->limit_slack);
}

ossa_status ossai_prepare_mesh(ossa_context *context, const ossa_mesh *mesh, const float *positions,
	const ossa_write_options *options, ossai_prepared *prepared)
{
	const change c = change_of(options);
	*prepared = (ossai_prepared){.mesh = mesh, .positions = positions, .arena = ossai_arena_begin(context)};
	if (!moves_points(&c)) return OSSA_OK;
	OSSAI_TRY(change_mesh(prepared, &c));
	if (positions) prepared->positions = moved_points(prepared, &c, positions, mesh->vertex_count);
	return positions && !prepared->positions ? last_error(prepared) : OSSA_OK;
}

ossa_status ossai_prepare_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames,
	const ossa_write_options *options, ossai_prepared *prepared)
{
	const change c = change_of(options);
	*prepared = (ossai_prepared){.mesh = mesh, .frames = frames, .arena = ossai_arena_begin(context)};
	if (!moves_points(&c)) return OSSA_OK;
	if (mesh) OSSAI_TRY(change_mesh(prepared, &c));
	prepared->own_frames = *frames;
	prepared->own_frames.positions = moved_points(prepared, &c, frames->positions, frames->frame_count * frames->vertex_count);
	if (!prepared->own_frames.positions) return last_error(prepared);
	prepared->frames = &prepared->own_frames;
	return OSSA_OK;
}

void ossai_prepared_end(ossai_prepared *prepared) { ossai_arena_end(&prepared->arena); }
