/* rig/twist.c: twist bones of arms and legs.

   Place in the path: after the rig is named, before export.
   Input: a rig whose bones have roles.
   Output: the same with twist bones at the end of the list. They are children of the segment's
   bone, beside the next joint, as in the mannequin of Unreal Engine; until something turns them
   about the segment they move as their parent does, so that they change no pose. */
#include "base/context.h"
#include "math/vec.h"
#include "rig/clips.h"
#include "rig/pose.h"

#include <ossa/rig.h>
#include <stdio.h>
#include <string.h>

typedef struct twisting {
	ossa_context *context;
	ossa_rig *rig;
	size_t each;       /* twist bones of a segment */
	size_t count;      /* segments */
	uint32_t *segment; /* count: their bones */
	ossai_vec3 *end;   /* count: where they end */
	uint32_t *number;  /* B: of the segment that a bone is, OSSA_NONE */
} twisting;

static bool is_segment(const ossa_bone *bone)
{
	const ossa_body_part part = bone->role.part;
	return bone->role.side != 0 &&
		(part == OSSA_PART_UPPER_ARM || part == OSSA_PART_LOWER_ARM || part == OSSA_PART_UPPER_LEG ||
			part == OSSA_PART_LOWER_LEG);
}

static bool is_twist(const ossa_bone *bone) { return strstr(bone->name, "_twist_") != NULL; }

/* whether an earlier call gave the bone twist bones */
static bool has_twist(const ossa_skeleton *skeleton, size_t bone)
{
	for (size_t b = bone + 1; b < skeleton->bone_count; b++) {
		if (skeleton->bones[b].parent == (int32_t)bone && is_twist(&skeleton->bones[b])) return true;
	}
	return false;
}

/* the joint of the next part of the limb, else the tail */
static ossai_vec3 end_of(const ossa_skeleton *skeleton, size_t bone)
{
	for (size_t b = bone + 1; b < skeleton->bone_count; b++) {
		const ossa_bone *child = &skeleton->bones[b];
		const bool is_next = child->parent == (int32_t)bone && child->role.part != OSSA_PART_NONE;
		if (is_next && child->role.side == skeleton->bones[bone].role.side) return ossai_v3_of(child->joint);
	}
	return ossai_v3_of(skeleton->bones[bone].tail);
}

static ossa_status find_segments(twisting *t)
{
	const ossa_skeleton *skeleton = &t->rig->skeleton;
	const size_t bones = skeleton->bone_count;
	t->segment = ossai_new(t->context, bones, sizeof *t->segment);
	t->end = ossai_new(t->context, bones, sizeof *t->end);
	t->number = ossai_new(t->context, bones, sizeof *t->number);
	if (!t->segment || !t->end || !t->number) return ossa_context_error(t->context)->status;
	for (size_t b = 0; b < bones; b++) {
		const ossai_vec3 end = end_of(skeleton, b);
		const bool has_length = ossai_distance(end, ossai_v3_of(skeleton->bones[b].joint)) > 0;
		t->number[b] = OSSA_NONE;
		if (!is_segment(&skeleton->bones[b]) || !has_length || has_twist(skeleton, b)) continue;
		t->number[b] = (uint32_t)t->count;
		t->end[t->count] = end;
		t->segment[t->count++] = (uint32_t)b;
	}
	return OSSA_OK;
}

/* ---- bones ---- */

/* "upperarm_L" gives "upperarm_twist_01_L" */
static void name_twist(const char *name, size_t which, char *twist, size_t size)
{
	const size_t length = strlen(name);
	const bool has_side = length > 2 && (strcmp(name + length - 2, "_L") == 0 || strcmp(name + length - 2, "_R") == 0);
	const int stem = (int)(has_side ? length - 2 : length);
	snprintf(twist, size, "%.*s_twist_%02zu%s", stem < 48 ? stem : 48, name, which, has_side ? name + length - 2 : "");
}

/* evenly between the segment's ends */
static void fill_bone(const twisting *t, size_t segment, size_t which, ossa_bone *bone)
{
	const ossa_bone *from = &t->rig->skeleton.bones[t->segment[segment]];
	const ossai_vec3 begin = ossai_v3_of(from->joint);
	const double share = 1 / (double)(t->each + 1);
	*bone = (ossa_bone){.parent = (int32_t)t->segment[segment], .kind = OSSA_JOINT_UNKNOWN};
	name_twist(from->name, which + 1, bone->name, sizeof bone->name);
	ossai_v3_store(ossai_lerp(begin, t->end[segment], share * (double)(which + 1)), bone->joint);
	ossai_v3_store(ossai_lerp(begin, t->end[segment], share * (double)(which + 2)), bone->tail);
	memcpy(bone->orientation, from->orientation, sizeof bone->orientation);
	memcpy(bone->modelled, from->modelled, sizeof bone->modelled);
}

/* The arrays of the larger rig, all of them before any is put in its place. */
typedef struct larger {
	ossa_bone *bones;
	uint8_t *last_level;
	ossai_clips clips;
	ossa_clip *free_clip;
} larger;

/* twist bones rest in their parents' frames */
static ossa_status extend_clip(void *user, const ossa_clip *old, ossa_clip **result)
{
	const twisting *t = user;
	const size_t before = t->rig->skeleton.bone_count, bones = before + t->count * t->each;
	OSSAI_TRY(ossa_clip_create(t->context, old->frame_count, bones, old->translations != NULL, result));
	ossa_clip *clip = *result;
	memcpy(clip->name, old->name, sizeof clip->name);
	memcpy(clip->times, old->times, old->frame_count * sizeof *clip->times);
	memcpy(clip->root_positions, old->root_positions, 3 * old->frame_count * sizeof *clip->root_positions);
	for (size_t f = 0; f < old->frame_count; f++) {
		memcpy(clip->rotations + 4 * f * bones, old->rotations + 4 * f * before, 4 * before * sizeof(double));
		for (size_t b = before; b < bones; b++) ossai_quat_store(ossai_quat_identity(), clip->rotations + 4 * (f * bones + b));
		if (!clip->translations) continue;
		memcpy(clip->translations + 3 * f * bones, old->translations + 3 * f * before, 3 * before * sizeof(double));
		for (size_t i = 0; i < t->count * t->each; i++) {
			const ossa_bone *from = &t->rig->skeleton.bones[t->segment[i / t->each]];
			const ossai_vec3 begin = ossai_v3_of(from->joint);
			const double share = (double)(i % t->each + 1) / (double)(t->each + 1);
			const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(from->orientation));
			const ossai_vec3 offset = ossai_scale(ossai_sub(t->end[i / t->each], begin), share);
			ossai_v3_store(ossai_mat3_tmul_v(&frame, offset), clip->translations + 3 * (f * bones + before + i));
		}
	}
	return OSSA_OK;
}

static ossa_status make_larger(twisting *t, larger *made)
{
	const ossa_rig *rig = t->rig;
	const size_t before = rig->skeleton.bone_count, bones = before + t->count * t->each;
	made->bones = ossa_alloc(t->context, bones, sizeof *made->bones);
	if (!made->bones) return ossa_context_error(t->context)->status;
	memcpy(made->bones, rig->skeleton.bones, before * sizeof *made->bones);
	for (size_t i = 0; i < t->count * t->each; i++) fill_bone(t, i / t->each, i % t->each, &made->bones[before + i]);
	if (rig->last_level) {
		/* coarser levels go without */
		made->last_level = ossa_alloc(t->context, bones, 1);
		if (!made->last_level) return ossa_context_error(t->context)->status;
		memcpy(made->last_level, rig->last_level, before);
	}
	OSSAI_TRY(ossai_clips_change(t->context, rig, extend_clip, t, &made->clips));
	return rig->free_clip ? extend_clip(t, rig->free_clip, &made->free_clip) : OSSA_OK;
}

static void free_larger(ossa_context *context, larger *made)
{
	ossa_free(context, made->bones);
	ossa_free(context, made->last_level);
	ossai_clips_drop(context, &made->clips);
	ossa_clip_free(context, made->free_clip);
}

/* the rig's arrays and the larger ones change places */
static void put_in_place(twisting *t, larger *made)
{
	ossa_rig *rig = t->rig;
	const larger old = {rig->skeleton.bones, rig->last_level, ossai_clips_of(rig), rig->free_clip};
	rig->skeleton.bones = made->bones;
	rig->skeleton.bone_count += t->count * t->each;
	rig->last_level = made->last_level;
	ossai_clips_put(rig, &made->clips);
	rig->free_clip = made->free_clip;
	*made = old;
}

/* ---- weights ---- */

/* where a vertex is along a segment: 0 its joint, 1 its end */
static double share_along(const twisting *t, const ossa_bone *bones, size_t segment, const float *position)
{
	const ossai_vec3 begin = ossai_v3_of(bones[t->segment[segment]].joint), along = ossai_sub(t->end[segment], begin);
	const double share = ossai_dot(ossai_sub(ossai_v3_of_float(position), begin), along) / ossai_dot(along, along);
	return fmin(fmax(share, 0), 1);
}

static void sort_pairs(uint16_t *bones, float *values, int count)
{
	for (int i = 1; i < count; i++) {
		const uint16_t bone = bones[i];
		const float value = values[i];
		int at = i;
		for (; at > 0 && (values[at - 1] < value || (values[at - 1] == value && value > 0 && bones[at - 1] > bone)); at--) {
			values[at] = values[at - 1];
			bones[at] = bones[at - 1];
		}
		values[at] = value;
		bones[at] = bone;
	}
}

/* A weight is split linearly between the two neighbours along the segment: the bone itself at its
   joint, the last twist bone at its end. With no pair left the nearer one takes it whole: other
   bones' weights never change. */
static void split_vertex(const twisting *t, ossa_weights *weights, size_t vertex, size_t first)
{
	const int width = weights->influences;
	uint16_t *bones = weights->bones + vertex * (size_t)width;
	float *values = weights->values + vertex * (size_t)width;
	int used = 0;
	while (used < width && values[used] > 0) used++;
	for (int i = 0, count = used; i < count; i++) {
		const uint32_t segment = bones[i] < first ? t->number[bones[i]] : OSSA_NONE;
		if (segment == OSSA_NONE) continue;
		const double at = (double)t->each *
			share_along(t, t->rig->skeleton.bones, segment, t->rig->mesh->positions + 3 * vertex);
		const size_t below = at < (double)t->each ? (size_t)at : t->each - 1;
		const float part = (float)(at - (double)below) * values[i], rest = values[i] - part;
		const uint16_t self = bones[i], twist = (uint16_t)(first + segment * t->each);
		const uint16_t low = below == 0 ? self : (uint16_t)(twist + below - 1), high = (uint16_t)(twist + below);
		if (used < width && part > 0 && rest > 0) {
			bones[i] = low;
			values[i] = rest;
			bones[used] = high;
			values[used++] = part;
		} else bones[i] = part > rest ? high : low;
	}
	sort_pairs(bones, values, used);
}

ossa_status ossa_rig_add_twist(ossa_context *context, ossa_rig *rig, int count, size_t *added)
{
	twisting t = {.context = context, .rig = rig, .each = count > 0 ? (size_t)count : 0};
	larger made = {0};
	if (added) *added = 0;
	OSSAI_NEED(context, rig);
	if (count < 1 || count > OSSA_TWIST_MAX)
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "%d twist bones are outside 1 to %d", count, OSSA_TWIST_MAX);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	const size_t before = rig->skeleton.bone_count;
	ossa_status status = find_segments(&t);
	if (status == OSSA_OK && before + t.count * t.each > UINT16_MAX)
		status = ossai_fail(context, OSSA_ERROR_LIMIT, NULL, "a rig holds 65536 bones");
	if (status == OSSA_OK && t.count > 0) status = make_larger(&t, &made);
	if (status == OSSA_OK && t.count > 0) {
		put_in_place(&t, &made);
		for (size_t v = 0; v < rig->weights.vertex_count; v++) split_vertex(&t, &rig->weights, v, before);
		for (size_t v = 0; v < rig->free_weights.vertex_count; v++) split_vertex(&t, &rig->free_weights, v, before);
		if (added) *added = t.count * t.each;
	}
	free_larger(context, &made);
	ossa_free(context, t.segment);
	ossa_free(context, t.end);
	ossa_free(context, t.number);
	return status;
}
