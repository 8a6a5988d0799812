/* export/gltf/glb_animation.c: the motion of a GLB: one keyframe for each frame, in order.

   Place in the path: inside the GLB writer.
   Input: a clip.
   Output: a glTF animation: rotations of every joint; translations of the root alone, or of every
   joint where the clip has them; weights of morph targets that move. */
#include "export/gltf/glb.h"
#include "math/vec.h"
#include "rig/clip_morphs.h"

/* what the channels share */
typedef struct channels {
	ossai_glb_writer *writer;
	const ossa_clip *clip;
	size_t first_node, times; /* node of bone 0; accessor of the key times */
	json_t *samplers, *list;
} channels;

ossa_status ossai_glb_put_times(ossai_glb_writer *writer, const double *seconds, size_t count, size_t *accessor)
{
	const double shift = seconds[0] < 0 ? -seconds[0] : 0;
	size_t view;
	float *times = ossai_glb_put_block(writer, count * sizeof *times, OSSAI_GLB_DATA, &view);
	if (!times) return ossa_context_error(writer->context)->status;
	for (size_t f = 0; f < count; f++) {
		times[f] = (float)(seconds[f] + shift);
		if (f > 0 && !(times[f] > times[f - 1])) times[f] = nextafterf(times[f - 1], INFINITY);
	}
	return ossai_glb_put_accessor(writer, view, 0, OSSAI_GLB_SCALAR, count, times, accessor);
}

static ossa_status put_channel(channels *all, size_t node, const char *path, size_t accessor)
{
	const json_int_t sampler = (json_int_t)json_array_size(all->samplers);
	json_t *item = json_pack("{s:I,s:I}", "input", (json_int_t)all->times, "output", (json_int_t)accessor);
	if (json_array_append_new(all->samplers, item) != 0) return ossai_glb_no_memory(all->writer->context);
	item = json_pack("{s:I,s:{s:I,s:s}}", "sampler", sampler, "target", "node", (json_int_t)node, "path", path);
	return json_array_append_new(all->list, item) == 0 ? OSSA_OK : ossai_glb_no_memory(all->writer->context);
}

/* bone after bone, each with its frames in a row */
static ossa_status put_rotations(channels *all)
{
	const ossa_clip *clip = all->clip;
	const size_t frames = clip->frame_count, bones = clip->bone_count;
	size_t view, accessor;
	float *data = ossai_glb_put_block(all->writer, frames * bones * 16, OSSAI_GLB_DATA, &view);
	if (!data) return ossa_context_error(all->writer->context)->status;
	for (size_t b = 0; b < bones; b++) {
		for (size_t f = 0; f < frames; f++) {
			const ossai_quat q = ossai_quat_unit(ossai_quat_of(clip->rotations + (f * bones + b) * 4));
			float *out = data + (b * frames + f) * 4;
			out[0] = (float)q.x;
			out[1] = (float)q.y;
			out[2] = (float)q.z;
			out[3] = (float)q.w;
		}
		OSSAI_TRY(ossai_glb_put_accessor(all->writer, view, b * frames * 16, OSSAI_GLB_VEC4, frames, NULL, &accessor));
		OSSAI_TRY(put_channel(all, all->first_node + b, "rotation", accessor));
	}
	return OSSA_OK;
}

static ossa_status put_translations(channels *all)
{
	const ossa_clip *clip = all->clip;
	const size_t frames = clip->frame_count, bones = clip->translations ? clip->bone_count : 1;
	size_t view, accessor;
	float *data = ossai_glb_put_block(all->writer, frames * bones * 12, OSSAI_GLB_DATA, &view);
	if (!data) return ossa_context_error(all->writer->context)->status;
	for (size_t b = 0; b < bones; b++) {
		for (size_t f = 0; f < frames; f++) {
			const double *t = clip->translations && b > 0 ? clip->translations + (f * bones + b) * 3
														  : clip->root_positions + f * 3;
			for (size_t k = 0; k < 3; k++) data[(b * frames + f) * 3 + k] = (float)t[k];
		}
		OSSAI_TRY(ossai_glb_put_accessor(all->writer, view, b * frames * 12, OSSAI_GLB_VEC3, frames, NULL, &accessor));
		OSSAI_TRY(put_channel(all, all->first_node + b, "translation", accessor));
	}
	return OSSA_OK;
}

/* morph targets, of the nodes that have any that move */
static ossa_status put_shapes(channels *all, const ossai_glb_shapes *shapes)
{
	for (size_t i = 0; shapes && i < shapes->count; i++) {
		size_t accessor;
		if (!ossai_glb_moves_shapes(shapes, all->clip, i)) continue;
		OSSAI_TRY(ossai_glb_put_shape_weights(all->writer, shapes, all->clip, i, &accessor));
		OSSAI_TRY(put_channel(all, shapes->nodes[i].node, "weights", accessor));
	}
	return OSSA_OK;
}

/* a motion of targets alone leaves joints to others */
static bool leaves_joints(const channels *all, const ossai_glb_shapes *shapes)
{
	size_t i = 0;
	if (!shapes || !ossai_clip_is_of_morphs(shapes->rig, all->clip)) return false;
	while (i < shapes->count && !ossai_glb_moves_shapes(shapes, all->clip, i)) i++;
	return i < shapes->count;
}

ossa_status ossai_glb_put_animation(
	ossai_glb_writer *writer, const ossa_clip *clip, const ossai_glb_shapes *shapes, size_t first_node)
{
	channels all = {writer, clip, first_node, 0, json_array(), json_array()};
	ossa_status status = all.samplers && all.list ? ossai_glb_put_times(writer, clip->times, clip->frame_count, &all.times)
												  : ossai_glb_no_memory(writer->context);
	const bool has_joints = !leaves_joints(&all, shapes);
	if (status == OSSA_OK && has_joints) status = put_rotations(&all);
	if (status == OSSA_OK && has_joints) status = put_translations(&all);
	if (status == OSSA_OK) status = put_shapes(&all, shapes);
	if (status == OSSA_OK) {
		json_t *item = json_pack("{s:o,s:O,s:O}", "name", ossai_glb_text(clip->name[0] ? clip->name : "motion"), "samplers",
			all.samplers, "channels", all.list);
		status = ossai_glb_put(writer, "animations", item, NULL);
	}
	json_decref(all.samplers);
	json_decref(all.list);
	return status;
}
