/* export/collada/collada_animation.c: the motion of a Collada file: a matrix of each joint in each
   frame.

   Place in the path: inside the Collada writer.
   Input: the rig's clips.
   Output: for each an animation without children, whose channels share times and interpolation, and
   a clip around it: programs take the motion's name from there. Programs that read no clips mix
   several (Blender). */
#include "export/collada/collada.h"

/* a clip as it is written. Ids of the first are ossa-motion, ossa-times ..., of the second
   ossa-2-motion and so on */
typedef struct motion {
	ossai_collada *file;
	const ossa_clip *clip;
	size_t index;
} motion;

typedef char identifier[OSSAI_COLLADA_ID];

/* "ossa-WHAT", or "#ossa-2-WHAT" with `lead` "#" */
static const char *name_part(const motion *m, const char *lead, const char *what, identifier id)
{
	if (m->index == 0) snprintf(id, OSSAI_COLLADA_ID, "%sossa-%s", lead, what);
	else snprintf(id, OSSAI_COLLADA_ID, "%sossa-%zu-%s", lead, m->index + 1, what);
	return id;
}

static const char *name_bone_part(const motion *m, const char *lead, const char *what, size_t bone, identifier id)
{
	char numbered[40];
	snprintf(numbered, sizeof numbered, "%s-%zu", what, bone);
	return name_part(m, lead, numbered, id);
}

static void put_times(const motion *m)
{
	identifier id, kinds_id;
	ossai_collada *file = m->file;
	const size_t count = m->clip->frame_count;
	const ossai_collada_source times = {name_part(m, "", "times", id), "float_array", "float", "TIME", count, 1};
	const ossai_collada_source kinds = {
		name_part(m, "", "interpolations", kinds_id), "Name_array", "Name", "INTERPOLATION", count, 1};
	ossai_collada_open_source(file, &times);
	ossai_markup_doubles(&file->markup, m->clip->times, count);
	ossai_collada_close_source(file, &times);
	ossai_collada_open_source(file, &kinds);
	for (size_t f = 0; f < count; f++) ossai_markup_word(&file->markup, "LINEAR");
	ossai_collada_close_source(file, &kinds);
}

/* a bone's transform against its parent's in a frame */
static ossai_rigid local_transform(const ossa_clip *clip, const ossai_rigid *rest, size_t frame, size_t bone)
{
	const size_t at = frame * clip->bone_count + bone;
	ossai_rigid local = {ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(clip->rotations + 4 * at))), rest->t};
	if (bone == 0) local.t = ossai_v3_of(clip->root_positions + 3 * frame);
	else if (clip->translations) local.t = ossai_v3_of(clip->translations + 3 * at);
	return local;
}

static void put_matrices(const motion *m, size_t bone)
{
	identifier id;
	ossai_collada *file = m->file;
	const ossai_rigid rest = ossai_collada_rest(&file->rig->skeleton, bone);
	name_bone_part(m, "", "motion", bone, id);
	const ossai_collada_source source = {id, "float_array", "float4x4", "TRANSFORM", m->clip->frame_count, 16};
	ossai_collada_open_source(file, &source);
	for (size_t f = 0; f < m->clip->frame_count; f++) {
		double rows[12];
		const ossai_rigid local = local_transform(m->clip, &rest, f, bone);
		ossai_rigid_store(&local, rows);
		for (size_t i = 0; i < 12; i++) ossai_markup_float(&file->markup, (float)rows[i]);
		ossai_markup_word(&file->markup, "0 0 0 1");
	}
	ossai_collada_close_source(file, &source);
}

static void put_sampler(const motion *m, size_t bone)
{
	ossai_markup *markup = &m->file->markup;
	identifier id, times, output, kinds;
	ossai_markup_open(markup, "sampler", "id", name_bone_part(m, "", "sampler", bone, id), NULL);
	ossai_markup_empty(markup, "input", "semantic", "INPUT", "source", name_part(m, "#", "times", times), NULL);
	ossai_markup_empty(markup, "input", "semantic", "OUTPUT", "source", name_bone_part(m, "#", "motion", bone, output), NULL);
	ossai_markup_empty(
		markup, "input", "semantic", "INTERPOLATION", "source", name_part(m, "#", "interpolations", kinds), NULL);
	ossai_markup_close(markup, "sampler");
}

static void put_channel(const motion *m, size_t bone)
{
	identifier source;
	char target[OSSAI_COLLADA_ID];
	snprintf(target, sizeof target, "%s/%s", m->file->ids[bone], m->file->matrix_sid);
	ossai_markup_empty(
		&m->file->markup, "channel", "source", name_bone_part(m, "#", "sampler", bone, source), "target", target, NULL);
}

static void put_motion(const motion *m)
{
	identifier id;
	ossai_markup *markup = &m->file->markup;
	const size_t bones = m->file->rig->skeleton.bone_count;
	ossai_markup_open(markup, "animation", "id", name_part(m, "", "motion", id), NULL);
	if (m->clip->name[0]) ossai_collada_put_name(m->file, m->clip->name);
	put_times(m);
	for (size_t b = 0; b < bones; b++) put_matrices(m, b);
	for (size_t b = 0; b < bones; b++) put_sampler(m, b);
	for (size_t b = 0; b < bones; b++) put_channel(m, b);
	ossai_markup_close(markup, "animation");
}

/* From 0, or the first key where that is earlier, to the last: three.js takes end - start for the
   time of the last key, and Godot plays nothing after the end. For ossa itself the file says where
   the motion begins later, so that no frame is added at 0. */
static void put_clip(const motion *m)
{
	identifier url;
	const ossa_clip *clip = m->clip;
	ossai_collada *file = m->file;
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "animation_clip", "id", file->clip_ids[m->index], NULL);
	ossai_markup_attribute_double(markup, "start", clip->times[0] < 0 ? clip->times[0] : 0);
	ossai_markup_attribute_double(markup, "end", clip->times[clip->frame_count - 1]);
	if (clip->name[0]) ossai_collada_put_name(file, clip->name);
	ossai_markup_empty(markup, "instance_animation", "url", name_part(m, "#", "motion", url), NULL);
	if (clip->name[0]) ossai_collada_put_whole_name(file, clip->name);
	if (clip->times[0] > 0) {
		ossai_collada_open_extra(file);
		ossai_markup_text_element(markup, "whole", "true");
		ossai_collada_close_extra(file);
	}
	ossai_markup_close(markup, "animation_clip");
}

static void put_each(ossai_collada *file, void (*put)(const motion *m))
{
	for (size_t i = 0; i < ossa_rig_clip_count(file->rig); i++) {
		const motion m = {file, ossa_rig_clip_at(file->rig, i), i};
		if (m.clip->frame_count > 0) put(&m);
	}
}

void ossai_collada_put_animation(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "library_animations", NULL);
	put_each(file, put_motion);
	ossai_markup_close(markup, "library_animations");
	ossai_markup_open(markup, "library_animation_clips", NULL);
	put_each(file, put_clip);
	ossai_markup_close(markup, "library_animation_clips");
}
