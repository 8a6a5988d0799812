/* export/collada/collada_animation.c: the motion of a Collada file: a matrix of each joint in each
   frame.

   Place in the path: inside the Collada writer.
   Input: a clip.
   Output: one animation without children, whose channels share times and interpolation, and a clip
   around it: programs take the motion's name from there. */
#include "export/collada/collada.h"

static void put_times(ossai_collada *file)
{
	const ossa_clip *clip = file->clip;
	const ossai_collada_source times = {"ossa-times", "float_array", "float", "TIME", clip->frame_count, 1};
	const ossai_collada_source kinds = {"ossa-interpolations", "Name_array", "Name", "INTERPOLATION", clip->frame_count, 1};
	ossai_collada_open_source(file, &times);
	ossai_markup_doubles(&file->markup, clip->times, clip->frame_count);
	ossai_collada_close_source(file, &times);
	ossai_collada_open_source(file, &kinds);
	for (size_t f = 0; f < clip->frame_count; f++) ossai_markup_word(&file->markup, "LINEAR");
	ossai_collada_close_source(file, &kinds);
}

/* a bone's transform against its parent's in a frame */
static ossai_rigid local_transform(const ossai_collada *file, const ossai_rigid *rest, size_t frame, size_t bone)
{
	const ossa_clip *clip = file->clip;
	const size_t at = frame * clip->bone_count + bone;
	ossai_rigid local = {ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(clip->rotations + 4 * at))), rest->t};
	if (bone == 0) local.t = ossai_v3_of(clip->root_positions + 3 * frame);
	else if (clip->translations) local.t = ossai_v3_of(clip->translations + 3 * at);
	return local;
}

static void put_matrices(ossai_collada *file, size_t bone)
{
	const ossa_clip *clip = file->clip;
	const ossai_rigid rest = ossai_collada_rest(&file->rig->skeleton, bone);
	char id[OSSAI_COLLADA_ID];
	snprintf(id, sizeof id, "ossa-motion-%zu", bone);
	const ossai_collada_source source = {id, "float_array", "float4x4", "TRANSFORM", clip->frame_count, 16};
	ossai_collada_open_source(file, &source);
	for (size_t f = 0; f < clip->frame_count; f++) {
		double rows[12];
		const ossai_rigid local = local_transform(file, &rest, f, bone);
		ossai_rigid_store(&local, rows);
		for (size_t i = 0; i < 12; i++) ossai_markup_float(&file->markup, (float)rows[i]);
		ossai_markup_word(&file->markup, "0 0 0 1");
	}
	ossai_collada_close_source(file, &source);
}

static void put_sampler(ossai_collada *file, size_t bone)
{
	ossai_markup *markup = &file->markup;
	char id[OSSAI_COLLADA_ID], output[OSSAI_COLLADA_ID];
	snprintf(id, sizeof id, "ossa-sampler-%zu", bone);
	snprintf(output, sizeof output, "#ossa-motion-%zu", bone);
	ossai_markup_open(markup, "sampler", "id", id, NULL);
	ossai_markup_empty(markup, "input", "semantic", "INPUT", "source", "#ossa-times", NULL);
	ossai_markup_empty(markup, "input", "semantic", "OUTPUT", "source", output, NULL);
	ossai_markup_empty(markup, "input", "semantic", "INTERPOLATION", "source", "#ossa-interpolations", NULL);
	ossai_markup_close(markup, "sampler");
}

static void put_channel(ossai_collada *file, size_t bone)
{
	char source[OSSAI_COLLADA_ID], target[OSSAI_COLLADA_ID];
	snprintf(source, sizeof source, "#ossa-sampler-%zu", bone);
	snprintf(target, sizeof target, "%s/%s", file->ids[bone], file->matrix_sid);
	ossai_markup_empty(&file->markup, "channel", "source", source, "target", target, NULL);
}

/* From 0, or the first key where that is earlier, to the last: three.js takes end - start for the
   time of the last key, and Godot plays nothing after the end. For ossa itself the file says where
   the motion begins later, so that no frame is added at 0. */
static void put_clip(ossai_collada *file)
{
	const ossa_clip *clip = file->clip;
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "library_animation_clips", NULL);
	ossai_markup_open(markup, "animation_clip", "id", file->clip_id, NULL);
	ossai_markup_attribute_double(markup, "start", clip->times[0] < 0 ? clip->times[0] : 0);
	ossai_markup_attribute_double(markup, "end", clip->times[clip->frame_count - 1]);
	if (clip->name[0]) ossai_collada_put_name(file, clip->name);
	ossai_markup_empty(markup, "instance_animation", "url", "#ossa-motion", NULL);
	if (clip->name[0]) ossai_collada_put_whole_name(file, clip->name);
	if (clip->times[0] > 0) {
		ossai_collada_open_extra(file);
		ossai_markup_text_element(markup, "whole", "true");
		ossai_collada_close_extra(file);
	}
	ossai_markup_close(markup, "animation_clip");
	ossai_markup_close(markup, "library_animation_clips");
}

void ossai_collada_put_animation(ossai_collada *file)
{
	const size_t bones = file->rig->skeleton.bone_count;
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "library_animations", NULL);
	ossai_markup_open(markup, "animation", "id", "ossa-motion", NULL);
	if (file->clip->name[0]) ossai_collada_put_name(file, file->clip->name);
	put_times(file);
	for (size_t b = 0; b < bones; b++) put_matrices(file, b);
	for (size_t b = 0; b < bones; b++) put_sampler(file, b);
	for (size_t b = 0; b < bones; b++) put_channel(file, b);
	ossai_markup_close(markup, "animation");
	ossai_markup_close(markup, "library_animations");
	put_clip(file);
}
