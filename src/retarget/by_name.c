/* retarget/by_name.c: retargets the motion of one skeleton to another, by the names of their bones.

   Place in the path: two rigs -> clip.
   Input: the rig to move, and another with joints and motion (motion capture has no mesh).
   Output: a clip for the bones of the first.

   The world rotation of a source bone since its rest is applied to the bone of the same name since
   its own rest. Bones without a counterpart keep their rest rotation relative to their parent. The
   root follows the translation of the uppermost pair, scaled by the sizes of the skeletons. Where
   source bones translate relative to their parents, so do their counterparts, by the same
   translation in world space times that scale. */
#include "retarget/by_name.h"

#include "base/context.h"
#include "math/vec.h"
#include "retarget/name_pairs.h"

#include <stdio.h>
#include <string.h>

/* bones slide where they leave their rest position by more than this share of the skeleton's
   size */
static const double least_slide = 1e-4;
/* skeletons are the same, but for their size, where no joint is off by more than this share of it:
   what files round */
static const double same_place = 1e-3;

typedef struct retargeting {
	ossa_context *context;
	ossai_arena arena;
	const char *path;
	const ossa_rig *rig;    /* to be moved */
	const ossa_rig *source; /* of the file */
	const uint32_t *forced; /* by bone of the rig: what a map says */
	uint32_t *counterpart;  /* by bone of the rig: bone of the source, or OSSA_NONE */
	size_t pair_count;
	uint32_t top; /* the uppermost bone with a counterpart */
	double scale; /* size of the rig's skeleton over that of the source's */
	bool slides;  /* the clip has translations of bones relative to their parents */
	/* by bone of the source: its translation is the root's or its own counterpart's */
	uint8_t *leads;
	double *worlds;  /* of the source in the current frame: B x 12 */
	ossai_quat *own; /* world rotations of the rig's bones in the current frame */
} retargeting;

/* ---- counterparts ---- */

/* some names of a skeleton, for a message */
static void list_names(const ossa_skeleton *skeleton, char *text, size_t size)
{
	enum { NAMES_SHOWN = 6 };
	size_t used = 0;
	text[0] = 0;
	for (size_t b = 0; b < skeleton->bone_count && b < NAMES_SHOWN && used < size; b++) {
		used += (size_t)snprintf(text + used, size - used, "%s%s", b ? ", " : "", skeleton->bones[b].name);
	}
	if (skeleton->bone_count > NAMES_SHOWN && used < size) snprintf(text + used, size - used, " ...");
}

static void take_forced(retargeting *r)
{
	r->pair_count = 0;
	for (size_t b = 0; b < r->rig->skeleton.bone_count; b++) {
		if (r->forced[b] != OSSA_NONE) r->counterpart[b] = r->forced[b] == OSSAI_FOLLOWS_NONE ? OSSA_NONE : r->forced[b];
		r->pair_count += r->counterpart[b] != OSSA_NONE;
	}
}

static ossa_status find_counterparts(retargeting *r)
{
	const size_t count = r->rig->skeleton.bone_count;
	r->counterpart = ossai_arena_new(&r->arena, count, sizeof *r->counterpart);
	if (!r->counterpart) return ossa_context_error(r->context)->status;
	OSSAI_TRY(ossai_pair_names(&r->arena, &r->rig->skeleton, &r->source->skeleton, r->counterpart, &r->pair_count));
	take_forced(r);
	if (r->pair_count == 0) {
		char own[200], other[200];
		list_names(&r->rig->skeleton, own, sizeof own);
		list_names(&r->source->skeleton, other, sizeof other);
		const ossai_place place = ossai_in_file(r->path);
		return ossai_fail(r->context, OSSA_ERROR_INPUT, &place,
			"has no bone of a name that the rig has: it has %s; the rig has %s: rename the bones of one of them", other, own);
	}
	while (r->counterpart[r->top] == OSSA_NONE) r->top++;
	return OSSA_OK;
}

/* ---- sizes ---- */

/* RMS distance of joints from their mean: of those with a counterpart, or of all */
static double skeleton_size(const ossa_skeleton *skeleton, const uint32_t *bones, size_t count)
{
	ossai_vec3 mean = {0, 0, 0};
	double sum = 0;
	for (size_t i = 0; i < count; i++) {
		mean = ossai_madd(mean, 1 / (double)count, ossai_v3_of(skeleton->bones[bones ? bones[i] : i].joint));
	}
	for (size_t i = 0; i < count; i++) {
		sum += ossai_length2(ossai_sub(ossai_v3_of(skeleton->bones[bones ? bones[i] : i].joint), mean));
	}
	return sqrt(sum / (double)count);
}

static ossa_status find_scale(retargeting *r)
{
	const size_t count = r->rig->skeleton.bone_count;
	uint32_t *own = ossai_arena_new(&r->arena, r->pair_count, sizeof *own);
	uint32_t *other = ossai_arena_new(&r->arena, r->pair_count, sizeof *other);
	size_t pairs = 0;
	if (!own || !other) return ossa_context_error(r->context)->status;
	for (size_t b = 0; b < count; b++) {
		if (r->counterpart[b] == OSSA_NONE) continue;
		own[pairs] = (uint32_t)b;
		other[pairs++] = r->counterpart[b];
	}
	double size = skeleton_size(&r->rig->skeleton, own, pairs), source_size = skeleton_size(&r->source->skeleton, other, pairs);
	if (!(size > 0 && source_size > 0)) {
		size = skeleton_size(&r->rig->skeleton, NULL, count);
		source_size = skeleton_size(&r->source->skeleton, NULL, r->source->skeleton.bone_count);
	}
	r->scale = size > 0 && source_size > 0 ? size / source_size : 1;
	return OSSA_OK;
}

/* ---- frames ---- */

/* the world rotation of a source bone since its rest */
static ossai_quat source_turn(const retargeting *r, uint32_t bone)
{
	const ossai_rigid world = ossai_rigid_of(r->worlds + 12 * (size_t)bone);
	const ossai_quat rest = ossai_quat_of(r->source->skeleton.bones[bone].orientation);
	return ossai_quat_mul(ossai_mat3_quat(&world.r), ossai_quat_conjugate(rest));
}

/* Motion capture has its root at the origin in the rest pose, wherever the actor stands: only
   positions in the motion count. */
static bool rest_has_no_position(const ossa_rig *source)
{
	const double *root = source->skeleton.bones[0].joint;
	return source->mesh->vertex_count == 0 && root[0] == 0 && root[1] == 0 && root[2] == 0;
}

/* the translation of the uppermost pair since its rest in the rig, in the current frame */
static ossai_vec3 translation_of_top(const retargeting *r)
{
	const uint32_t guide = r->counterpart[r->top];
	const ossai_rigid world = ossai_rigid_of(r->worlds + 12 * (size_t)guide);
	if (guide == 0 && rest_has_no_position(r->source)) {
		return ossai_sub(ossai_scale(world.t, r->scale), ossai_v3_of(r->rig->skeleton.bones[r->top].joint));
	}
	return ossai_scale(ossai_sub(world.t, ossai_v3_of(r->source->skeleton.bones[guide].joint)), r->scale);
}

/* a bone's position in its parent's frame at rest */
static ossai_vec3 rest_offset(const ossa_skeleton *skeleton, size_t bone)
{
	const ossa_bone *own = &skeleton->bones[bone], *parent = &skeleton->bones[own->parent];
	const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_of(parent->orientation));
	return ossai_mat3_tmul_v(&turn, ossai_sub(ossai_v3_of(own->joint), ossai_v3_of(parent->joint)));
}

/* the translation of a source bone from its rest position, in its parent's frame */
static ossai_vec3 source_slide(const retargeting *r, size_t frame, size_t bone)
{
	const ossa_clip *motion = r->source->clip;
	const double *place = motion->translations + 3 * (frame * motion->bone_count + bone);
	return ossai_sub(ossai_v3_of(place), rest_offset(&r->source->skeleton, bone));
}

/* Marks the bones that provide translations, and finds whether any but the root's slides. */
static ossa_status find_slides(retargeting *r)
{
	const ossa_skeleton *source = &r->source->skeleton;
	const ossa_clip *motion = r->source->clip;
	const double least = least_slide * skeleton_size(source, NULL, source->bone_count);
	r->leads = ossai_arena_zero(&r->arena, source->bone_count, 1);
	if (!r->leads) return ossa_context_error(r->context)->status;
	for (int32_t b = (int32_t)r->counterpart[r->top]; b >= 0; b = source->bones[b].parent) r->leads[b] = 1;
	for (size_t b = 1; motion->translations && b < source->bone_count; b++) {
		for (size_t f = 0; f < motion->frame_count && !r->leads[b] && !r->slides; f++) {
			r->slides = ossai_length(source_slide(r, f, b)) > least;
		}
	}
	for (size_t b = 0; b < r->rig->skeleton.bone_count; b++) {
		if (r->counterpart[b] != OSSA_NONE) r->leads[r->counterpart[b]] = 1;
	}
	return OSSA_OK;
}

/* the translation of a bone of the rig from its rest position, in world space: its counterpart's
   and those of the ancestors up to the next that provides one */
static ossai_vec3 translation_of_pair(const retargeting *r, size_t frame, size_t bone)
{
	ossai_vec3 translation = {0, 0, 0};
	if (r->counterpart[bone] == OSSA_NONE || bone == r->top) return translation;
	const ossa_bone *source = r->source->skeleton.bones;
	uint32_t at = r->counterpart[bone];
	do {
		const int32_t parent = source[at].parent;
		if (parent < 0) break;
		const ossai_rigid above = ossai_rigid_of(r->worlds + 12 * (size_t)parent);
		translation = ossai_add(translation, ossai_mat3_mul_v(&above.r, source_slide(r, frame, at)));
		at = (uint32_t)parent;
	} while (!r->leads[at]);
	return ossai_scale(translation, r->scale);
}

/* positions of all bones relative to their parents; their rotations are in `own` */
static void fill_positions(const retargeting *r, size_t frame, ossa_clip *clip)
{
	const ossa_skeleton *skeleton = &r->rig->skeleton;
	double *positions = clip->translations + 3 * frame * clip->bone_count;
	memcpy(positions, clip->root_positions + 3 * frame, 3 * sizeof *positions);
	for (size_t b = 1; b < clip->bone_count; b++) {
		const ossai_mat3 above = ossai_quat_matrix(r->own[skeleton->bones[b].parent]);
		const ossai_vec3 translation = ossai_mat3_tmul_v(&above, translation_of_pair(r, frame, b));
		ossai_v3_store(ossai_add(rest_offset(skeleton, b), translation), positions + 3 * b);
	}
}

static void fill_frame(retargeting *r, size_t frame, ossa_clip *clip)
{
	const ossa_bone *bones = r->rig->skeleton.bones;
	ossa_rig_joint_matrices(r->source, r->source->clip, frame, r->worlds);
	for (size_t b = 0; b < clip->bone_count; b++) {
		const int32_t parent = bones[b].parent;
		const ossai_quat rest = ossai_quat_of(bones[b].orientation);
		ossai_quat above = ossai_quat_identity(), rest_above = above;
		if (parent >= 0) {
			above = r->own[parent];
			rest_above = ossai_quat_of(bones[parent].orientation);
		}
		const ossai_quat rest_local = ossai_quat_mul(ossai_quat_conjugate(rest_above), rest);
		r->own[b] = r->counterpart[b] == OSSA_NONE ? ossai_quat_mul(above, rest_local)
												   : ossai_quat_mul(source_turn(r, r->counterpart[b]), rest);
		r->own[b] = ossai_quat_unit(r->own[b]);
		ossai_quat local = ossai_quat_unit(ossai_quat_mul(ossai_quat_conjugate(above), r->own[b]));
		double *out = clip->rotations + 4 * (frame * clip->bone_count + b);
		ossai_quat_store_after(local, frame > 0 ? out - 4 * clip->bone_count : NULL, out);
	}
	/* ancestors of the uppermost pair do not rotate, so that its translation is the root's */
	ossai_v3_store(ossai_add(ossai_v3_of(bones[0].joint), translation_of_top(r)), clip->root_positions + 3 * frame);
	if (r->slides) fill_positions(r, frame, clip);
}

static ossa_status retarget(retargeting *r, ossa_clip **clip)
{
	const ossa_clip *motion = r->source->clip;
	OSSAI_TRY(find_counterparts(r));
	OSSAI_TRY(find_scale(r));
	OSSAI_TRY(find_slides(r));
	r->worlds = ossai_arena_new(&r->arena, r->source->skeleton.bone_count, 12 * sizeof *r->worlds);
	r->own = ossai_arena_new(&r->arena, r->rig->skeleton.bone_count, sizeof *r->own);
	if (!r->worlds || !r->own) return ossa_context_error(r->context)->status;
	OSSAI_TRY(ossa_clip_create(r->context, motion->frame_count, r->rig->skeleton.bone_count, r->slides, clip));
	memcpy((*clip)->name, motion->name, sizeof(*clip)->name);
	memcpy((*clip)->times, motion->times, motion->frame_count * sizeof *motion->times);
	for (size_t f = 0; f < motion->frame_count; f++) fill_frame(r, f, *clip);
	return OSSA_OK;
}

ossa_status ossai_retarget_by_name(ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const char *path,
	const uint32_t *forced, ossa_clip **clip, size_t *matched)
{
	*clip = NULL;
	retargeting r = {.context = context, .arena = ossai_arena_begin(context), .path = path, .rig = rig, .source = source};
	r.forced = forced;
	const ossa_status status = retarget(&r, clip);
	*matched = r.pair_count;
	ossai_arena_end(&r.arena);
	return status;
}

/* ---- the same skeleton ---- */

/* the largest distance of a joint from its counterpart's, moved and scaled onto the rig's */
static double joint_difference(const retargeting *r)
{
	const ossa_skeleton *own = &r->rig->skeleton, *other = &r->source->skeleton;
	ossai_vec3 mean = {0, 0, 0};
	double most = 0;
	for (size_t b = 0; b < own->bone_count; b++) {
		const ossai_vec3 from = ossai_scale(ossai_v3_of(other->bones[r->counterpart[b]].joint), r->scale);
		mean = ossai_madd(mean, 1 / (double)own->bone_count, ossai_sub(ossai_v3_of(own->bones[b].joint), from));
	}
	for (size_t b = 0; b < own->bone_count; b++) {
		const ossai_vec3 from = ossai_scale(ossai_v3_of(other->bones[r->counterpart[b]].joint), r->scale);
		most = fmax(most, ossai_distance(ossai_sub(ossai_v3_of(own->bones[b].joint), from), mean));
	}
	return most;
}

static ossa_status compare_skeletons(retargeting *r, bool *is_same)
{
	const ossa_skeleton *own = &r->rig->skeleton, *other = &r->source->skeleton;
	r->counterpart = ossai_arena_new(&r->arena, own->bone_count, sizeof *r->counterpart);
	if (!r->counterpart) return ossa_context_error(r->context)->status;
	OSSAI_TRY(ossai_pair_names(&r->arena, own, other, r->counterpart, &r->pair_count));
	if (r->pair_count < own->bone_count) return OSSA_OK;
	for (size_t b = 0; b < own->bone_count; b++) {
		const int32_t parent = own->bones[b].parent, other_parent = other->bones[r->counterpart[b]].parent;
		if (parent >= 0 && (other_parent < 0 || (uint32_t)other_parent != r->counterpart[parent])) return OSSA_OK;
	}
	OSSAI_TRY(find_scale(r));
	*is_same = joint_difference(r) <= same_place * skeleton_size(own, NULL, own->bone_count);
	return OSSA_OK;
}

ossa_status ossai_is_same_skeleton(ossa_context *context, const ossa_rig *rig, const ossa_rig *source, bool *is_same)
{
	retargeting r = {.context = context, .arena = ossai_arena_begin(context), .rig = rig, .source = source};
	*is_same = false;
	const ossa_status status = compare_skeletons(&r, is_same);
	ossai_arena_end(&r.arena);
	return status;
}
