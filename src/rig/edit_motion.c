/* rig/edit_motion.c: edits of a motion as values.

   Place in the path: on finished rigs, under the command and the studio.
   Input: a rig, a clip, edits.
   Output: another clip.
   A joint's local rotation is its rest rotation times its turn (see turns.h); edits are given as
   turns, so that the same edit has the same effect on every skeleton in the frames of ossa/rig.h.
   The clip is copied once; then every edit changes the copy in place. */
#include <ossa/edit_motion.h>

#include "base/context.h"
#include "base/options.h"
#include "math/affine.h"
#include "math/euler.h"
#include "math/turn_path.h"
#include "rig/clips.h"
#include "rig/drive.h"
#include "rig/edit_closing.h"
#include "rig/edit_slides.h"
#include "rig/pose.h"
#include "rig/slides.h"
#include "rig/turns.h"
#include "base/format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* at later frames, times would coincide */
static const double SLOWEST = 1e-6, FASTEST = 1e6;

typedef struct editing {
	ossa_context *context;
	const ossa_rig *rig;
	ossa_clip *clip;             /* the copy being edited */
	const ossa_motion_edit *now; /* the current edit */
	size_t number;               /* its index in the list, from 1 on */
	size_t last;                 /* its last frame */
	ossai_quat rotation;         /* its rotation, unit */
	ossai_turn_key *path;        /* its keys */
	ossai_edit_closing closing;
} editing;

/* ---- constructors for callers ---- */

ossa_motion_edit ossa_motion_edit_default(ossa_motion_edit_kind kind, size_t bone)
{
	return (ossa_motion_edit){.cookie = OSSAI_COOKIE('m', 'e', ossa_motion_edit),
		.kind = kind,
		.bone = bone,
		.first = 0,
		.last = OSSA_LAST_FRAME,
		.rotation = {0, 0, 0, 1},
		.factor = 1};
}

/* ---- checks ---- */

static ossa_status refuse(const editing *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

static ossa_status refuse(const editing *e, const char *format, ...)
{
	char fault[256];
	va_list arguments;
	va_start(arguments, format);
	ossai_vformat(fault, sizeof fault, format, arguments);
	va_end(arguments);
	return ossai_fail(e->context, OSSA_ERROR_ARGUMENT, NULL, "edit %zu of the motion: %s", e->number, fault);
}

static bool turns_bones(ossa_motion_edit_kind kind)
{
	return kind == OSSA_MOTION_TURN || kind == OSSA_MOTION_SET || kind == OSSA_MOTION_KEYS || kind == OSSA_MOTION_SCALE ||
		kind == OSSA_MOTION_CLAMP || kind == OSSA_MOTION_SLIDE;
}

static bool take_rotation(const double from[4], ossai_quat *unit)
{
	const ossai_quat q = ossai_quat_of(from);
	const double square = ossai_quat_dot(q, q);
	if (!isfinite(square) || square < 1e-200) return false;
	*unit = ossai_quat_unit(q);
	return true;
}

static ossa_status check_keys(const editing *e)
{
	const ossa_motion_edit *now = e->now;
	if (now->key_count == 0 || !now->keys) return refuse(e, "there are no keys");
	for (size_t i = 0; i < now->key_count; i++) {
		ossai_quat unit;
		if (!take_rotation(now->keys[i].rotation, &unit)) return refuse(e, "key %zu has no rotation", i + 1);
		if (now->keys[i].frame >= e->clip->frame_count) {
			return refuse(e, "there is no frame %zu for key %zu: the motion has %zu, counted from 0", now->keys[i].frame, i + 1,
				e->clip->frame_count);
		}
		if (i > 0 && now->keys[i].frame <= now->keys[i - 1].frame)
			return refuse(e, "the frames of the keys do not increase at key %zu", i + 1);
	}
	return OSSA_OK;
}

static ossa_status check_values(editing *e)
{
	const ossa_motion_edit *now = e->now;
	switch (now->kind) {
	case OSSA_MOTION_TURN:
		if ((unsigned)now->axes > OSSA_AXES_WORLD) return refuse(e, "there are no axes of number %d", (int)now->axes);
		return take_rotation(now->rotation, &e->rotation) ? OSSA_OK : refuse(e, "the rotation is not a unit quaternion");
	case OSSA_MOTION_SET:
		return take_rotation(now->rotation, &e->rotation) ? OSSA_OK : refuse(e, "the rotation is not a unit quaternion");
	case OSSA_MOTION_KEYS: return check_keys(e);
	case OSSA_MOTION_SCALE: return isfinite(now->factor) ? OSSA_OK : refuse(e, "the factor is not finite");
	case OSSA_MOTION_MOVE: {
		const bool finite = isfinite(now->offset[0]) && isfinite(now->offset[1]) && isfinite(now->offset[2]);
		return finite ? OSSA_OK : refuse(e, "the offset is not finite");
	}
	case OSSA_MOTION_RETIME:
		if (now->factor >= SLOWEST && now->factor <= FASTEST) return OSSA_OK;
		return refuse(e, "a speed of %g is not within %g to %g", now->factor, SLOWEST, FASTEST);
	case OSSA_MOTION_SLIDE: return isfinite(now->distance) ? OSSA_OK : refuse(e, "the distance is not finite");
	case OSSA_MOTION_CLAMP:
	case OSSA_MOTION_CLOSE:
	case OSSA_MOTION_CROP: return OSSA_OK;
	}
	return refuse(e, "there is no edit of kind %d", (int)now->kind);
}

static ossa_status check(editing *e)
{
	const ossa_motion_edit *now = e->now;
	const size_t bones = e->rig->skeleton.bone_count, frames = e->clip->frame_count;
	e->last = now->last == OSSA_LAST_FRAME ? frames - 1 : now->last;
	if (turns_bones(now->kind) && now->bone != OSSA_ALL_BONES && now->bone >= bones)
		return refuse(e, "there is no bone %zu: the rig has %zu, counted from 0", now->bone, bones);
	if (e->last >= frames || now->first > e->last) {
		return refuse(e, "there are no frames %zu to %zu: the motion has %zu, counted from 0", now->first, e->last, frames);
	}
	OSSAI_TRY(check_values(e));
	const char *fault = turns_bones(now->kind) ? ossai_slide_fault(&e->rig->skeleton, now) : NULL;
	return fault ? refuse(e, "%s: %s", now->bone == OSSA_ALL_BONES ? "all" : e->rig->skeleton.bones[now->bone].name, fault)
				 : OSSA_OK;
}

/* ---- one bone in one frame ---- */

/* 1 in the edit's frames, falling smoothly to 0 over the eased ones */
static double share_at(const editing *e, size_t frame)
{
	const ossa_motion_edit *now = e->now;
	size_t away = 0;
	if (frame < now->first) away = now->first - frame;
	if (frame > e->last) away = frame - e->last;
	if (away == 0) return 1;
	if (away > now->ease) return 0;
	const double s = 1 - (double)away / ((double)now->ease + 1);
	return s * s * (3 - 2 * s);
}

static ossai_quat local_of(const ossa_clip *clip, size_t frame, size_t bone)
{
	return ossai_quat_unit(ossai_quat_of(clip->rotations + 4 * (frame * clip->bone_count + bone)));
}

/* the world rotation of the frame that the bone's local one is relative to */
static ossai_quat world_of_parent(const editing *e, size_t frame, size_t bone)
{
	ossai_quat world = ossai_quat_identity();
	for (int32_t up = e->rig->skeleton.bones[bone].parent; up >= 0; up = e->rig->skeleton.bones[up].parent) {
		world = ossai_quat_mul(local_of(e->clip, frame, (size_t)up), world);
	}
	return world;
}

static ossai_quat turned(const editing *e, size_t frame, size_t bone, ossai_quat local, double share)
{
	const ossai_quat more = ossai_quat_power(e->rotation, share);
	if (e->now->axes == OSSA_AXES_OWN) return ossai_quat_mul(local, more);
	if (e->now->axes == OSSA_AXES_PARENT) return ossai_quat_mul(more, local);
	/* up local' = more up local */
	const ossai_quat up = world_of_parent(e, frame, bone);
	return ossai_quat_mul(ossai_quat_conjugate(up), ossai_quat_mul(more, ossai_quat_mul(up, local)));
}

static ossai_quat clamped(const ossa_bone *bone, ossai_quat turn)
{
	double past;
	return bone->has_limits ? ossai_turn_within_limits(bone, turn, &past) : turn;
}

/* the bone's local rotation after the edit */
static ossai_quat edited(const editing *e, size_t frame, size_t bone, double share)
{
	const ossa_motion_edit *now = e->now;
	const ossai_quat local = local_of(e->clip, frame, bone), rest = ossai_rest_rotation(e->rig->skeleton.bones, bone);
	if (now->kind == OSSA_MOTION_TURN) return turned(e, frame, bone, local, share);
	const ossai_quat turn = ossai_quat_mul(ossai_quat_conjugate(rest), local);
	ossai_quat wanted = turn;
	if (now->kind == OSSA_MOTION_SET) wanted = e->rotation;
	if (now->kind == OSSA_MOTION_KEYS) wanted = ossai_turn_path_at(e->path, now->key_count, e->clip->times[frame]);
	if (now->kind == OSSA_MOTION_CLAMP) wanted = clamped(&e->rig->skeleton.bones[bone], turn);
	if (now->kind == OSSA_MOTION_SCALE) return ossai_quat_mul(rest, ossai_quat_power(turn, 1 + share * (now->factor - 1)));
	return ossai_quat_mul(rest, share < 1 ? ossai_quat_slerp(turn, wanted, share) : wanted);
}

/* ---- one edit ---- */

/* consistent signs over time, as ossa_clip requires */
static void make_continuous(ossa_clip *clip, size_t bone)
{
	const size_t row = 4 * clip->bone_count;
	for (size_t f = 1; f < clip->frame_count; f++) {
		double *at = clip->rotations + f * row + 4 * bone;
		const ossai_quat now = ossai_quat_of(at);
		if (ossai_quat_dot(now, ossai_quat_of(at - row)) < 0) ossai_quat_store(ossai_quat_negate(now), at);
	}
}

/* frames first..end-1 are those that the edit touches, eased ones too */
static void touched_frames(const editing *e, size_t *first, size_t *end)
{
	const ossa_motion_edit *now = e->now;
	const size_t after = e->clip->frame_count - 1 - e->last;
	*first = now->first > now->ease ? now->first - now->ease : 0;
	*end = e->last + (now->ease < after ? now->ease : after) + 1;
}

static void edit_slide(const editing *e, size_t bone, size_t first, size_t end)
{
	const ossa_bone *own = &e->rig->skeleton.bones[bone];
	for (size_t f = first; f < end && e->clip->translations; f++) {
		const double distance = ossai_slide_in(e->rig, e->clip, f, bone);
		const double edited = ossai_slide_edited(own, e->now, distance, share_at(e, f));
		if (edited != distance) ossai_slide_put(e->rig, e->clip, f, bone, edited);
	}
}

static void edit_bone(editing *e, size_t bone)
{
	size_t first, end;
	touched_frames(e, &first, &end);
	if (e->now->bone != OSSA_ALL_BONES) ossai_edit_closing_pose(&e->closing, bone, first, end);
	if (e->rig->skeleton.bones[bone].kind == OSSA_JOINT_PRISMATIC) {
		edit_slide(e, bone, first, end);
		return;
	}
	const bool drives = ossai_drives(e->rig, bone);
	for (size_t f = first; f < end; f++) {
		const ossai_quat before = local_of(e->clip, f, bone), local = ossai_quat_unit(edited(e, f, bone, share_at(e, f)));
		ossai_quat_store(local, e->clip->rotations + 4 * (f * e->clip->bone_count + bone));
		if (drives) ossai_drive(e->rig, e->clip, f, bone, before, local);
	}
	make_continuous(e->clip, bone);
	for (size_t i = 0; drives && i < e->rig->dependency_count; i++) {
		if (e->rig->dependencies[i].driver == (int32_t)bone) make_continuous(e->clip, (size_t)e->rig->dependencies[i].bone);
	}
}

static void warn_of_dependent(const editing *e)
{
	const int32_t dependency = ossa_rig_dependency_of(e->rig, e->now->bone);
	if (dependency < 0) return;
	const ossa_bone *bones = e->rig->skeleton.bones;
	ossai_warn(e->context, "dependent-turned", 1, "%s turns as %s does, and was turned on its own", bones[e->now->bone].name,
		bones[e->rig->dependencies[dependency].driver].name);
}

static void edit_bones(editing *e)
{
	if (e->now->bone != OSSA_ALL_BONES) {
		edit_bone(e, e->now->bone);
		warn_of_dependent(e);
		return;
	}
	/* children first: their rotation about the world's axes depends on their parents' as it was */
	for (size_t b = e->rig->skeleton.bone_count; b > 0; b--) {
		/* dependent bones move with their drivers */
		if (e->now->kind == OSSA_MOTION_CLAMP || ossa_rig_dependency_of(e->rig, b - 1) < 0) edit_bone(e, b - 1);
	}
}

static ossa_status edit_with_keys(editing *e)
{
	const ossa_motion_edit *now = e->now;
	e->path = ossai_new(e->context, now->key_count, sizeof *e->path);
	if (!e->path) return ossa_context_error(e->context)->status;
	for (size_t i = 0; i < now->key_count; i++) {
		const ossai_quat turn = ossai_quat_unit(ossai_quat_of(now->keys[i].rotation));
		e->path[i] = (ossai_turn_key){e->clip->times[now->keys[i].frame], turn};
	}
	edit_bones(e);
	ossa_free(e->context, e->path);
	e->path = NULL;
	return OSSA_OK;
}

static void move(const editing *e)
{
	size_t first, end;
	touched_frames(e, &first, &end);
	for (size_t f = first; f < end; f++) {
		double *root = e->clip->root_positions + 3 * f;
		const ossai_vec3 to = ossai_madd(ossai_v3_of(root), share_at(e, f), ossai_v3_of(e->now->offset));
		ossai_v3_store(to, root);
		if (e->clip->translations) ossai_v3_store(to, e->clip->translations + 3 * f * e->clip->bone_count);
	}
}

static void keep_frames(double *values, size_t width, size_t first, size_t count)
{
	if (values) memmove(values, values + width * first, width * count * sizeof *values);
}

static void crop(editing *e)
{
	ossa_clip *clip = e->clip;
	const size_t first = e->now->first, count = e->last - first + 1, bones = clip->bone_count;
	const double begin = clip->times[first];
	keep_frames(clip->rotations, 4 * bones, first, count);
	keep_frames(clip->root_positions, 3, first, count);
	keep_frames(clip->translations, 3 * bones, first, count);
	keep_frames(clip->morph_weights, clip->morph_count, first, count);
	for (size_t f = 0; f < count; f++) clip->times[f] = clip->times[first + f] - begin;
	clip->frame_count = count;
	ossai_edit_closing_crop(&e->closing, first, count);
}

static void retime(const editing *e)
{
	const double begin = e->clip->times[0];
	for (size_t f = 0; f < e->clip->frame_count; f++) e->clip->times[f] = (e->clip->times[f] - begin) / e->now->factor;
}

static ossa_status change(editing *e)
{
	if (e->now->kind == OSSA_MOTION_SLIDE) OSSAI_TRY(ossai_clip_give_translations(e->context, e->rig, e->clip));
	switch (e->now->kind) {
	case OSSA_MOTION_TURN:
	case OSSA_MOTION_SET:
	case OSSA_MOTION_SCALE:
	case OSSA_MOTION_SLIDE:
	case OSSA_MOTION_CLAMP: edit_bones(e); break;
	case OSSA_MOTION_KEYS: return edit_with_keys(e);
	case OSSA_MOTION_MOVE: move(e); break;
	case OSSA_MOTION_CLOSE:
		return e->closing.before ? ossai_edit_closing_close(e->context, e->rig, e->clip, &e->closing) : OSSA_OK;
	case OSSA_MOTION_CROP: crop(e); break;
	case OSSA_MOTION_RETIME: retime(e); break;
	}
	return OSSA_OK;
}

static ossa_status apply(editing *e)
{
	if (e->now->cookie != OSSAI_COOKIE('m', 'e', ossa_motion_edit)) {
		return refuse(e, "it does not come from ossa_motion_edit_default(): begin with what that gives");
	}
	OSSAI_TRY(check(e));
	OSSAI_TRY(change(e));
	return ossai_clip_is_in_reach(e->clip) ? OSSA_OK : refuse(e, "it moves joints farther than floats can hold, 3.4e38");
}

ossa_status ossa_motion_edit_apply(ossa_context *context, const ossa_rig *rig, const ossa_clip *clip, size_t count,
	const ossa_motion_edit *edits, ossa_clip **result)
{
	if (result) *result = NULL;
	OSSAI_NEED(context, rig, result);
	if (count > 0) OSSAI_NEED(context, edits);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	if (!clip) clip = rig->clip;
	if (!clip || clip->frame_count == 0) {
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "the rig has no motion to edit; ossa_clip_of_rest makes one of its rest pose");
	}
	if (clip->bone_count != rig->skeleton.bone_count) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the motion is for %zu bones, the skeleton has %zu",
			clip->bone_count, rig->skeleton.bone_count);
	}
	editing e = {.context = context, .rig = rig};
	OSSAI_TRY(ossa_clip_copy(context, clip, &e.clip));
	bool closes = false;
	for (size_t i = 0; i < count && rig->loop_count > 0; i++) closes = closes || edits[i].kind == OSSA_MOTION_CLOSE;
	ossa_status status = closes ? ossai_edit_closing_begin(context, clip, &e.closing) : OSSA_OK;
	for (size_t i = 0; i < count && status == OSSA_OK; i++) {
		e.now = &edits[i];
		e.number = i + 1;
		status = apply(&e);
	}
	ossai_edit_closing_end(context, &e.closing);
	if (status == OSSA_OK) *result = e.clip;
	else ossa_clip_free(context, e.clip);
	return status;
}
