/* export/gltf/kept_animations.c: the animations of a kept glTF file beside those of the new rig.

   Place in the path: inside the GLB writer.
   Input: the document's animations, clips of the rig.
   Output: what still moves: cameras, lights, other nodes, morph targets; the rig's clips. */
#include "export/gltf/kept.h"

#include <stdio.h>
#include <string.h>

/* the name of the clip that was read from each; another clip may have the name of one that has its
   own in the file */
static ossa_status name_animations(ossai_kept *kept, const json_t *animations)
{
	const ossa_document *document = kept->document;
	kept->clip_name = ossai_arena_zero(&kept->writer->arena, document->animation_count, sizeof *kept->clip_name);
	if (!kept->clip_name) return ossa_context_error(kept->writer->context)->status;
	for (size_t i = 0; i < document->animation_count; i++) {
		const bool has_own = json_string_length(json_object_get(json_array_get(animations, i), "name")) > 0;
		if (has_own || document->is_read[i]) kept->clip_name[i] = document->clip_names[i];
	}
	return OSSA_OK;
}

/* the animation of the document that becomes part of a clip; animation_count where none does */
static size_t find_clip_name(const ossai_kept *kept, const char *name)
{
	size_t index = 0;
	const size_t count = kept->document->animation_count;
	while (index < count && !(kept->clip_name[index] && strcmp(kept->clip_name[index], name) == 0)) index++;
	return index;
}

/* which animations lose their weights of targets to those that a clip has now */
static ossa_status compare_morphs(ossai_kept *kept)
{
	const ossa_document *document = kept->document;
	kept->moves_morphs = ossai_arena_zero(&kept->writer->arena, document->animation_count, 1);
	if (!kept->moves_morphs) return ossa_context_error(kept->writer->context)->status;
	for (size_t i = 0; i < ossa_rig_clip_count(kept->rig); i++) {
		const ossa_clip *clip = ossa_rig_clip_at(kept->rig, i);
		const size_t index = find_clip_name(kept, clip->name);
		if (clip->frame_count == 0 || !clip->morph_weights || index == document->animation_count) continue;
		kept->moves_morphs[index] = !ossai_document_has_morphs(document, index, clip);
	}
	return OSSA_OK;
}

static bool is_clip_of_rig(const ossai_kept *kept, size_t index)
{
	const char *name = kept->clip_name[index];
	for (size_t i = 0; name && i < ossa_rig_clip_count(kept->rig); i++) {
		const ossa_clip *clip = ossa_rig_clip_at(kept->rig, i);
		if (clip->frame_count > 0 && strcmp(clip->name, name) == 0) return true;
	}
	return false;
}

/* whether a channel moves a child of an old joint, which is the child of a bone now */
static bool moves_orphan(const ossai_kept *kept, const json_t *channel)
{
	const size_t node = ossai_kept_number(json_object_get(channel, "target"), "node");
	return node < kept->document->node_count && kept->is_shown[node] && ossai_kept_is_orphan(kept, (uint32_t)node);
}

/* whether channels of an animation move joints that are replaced */
static bool moves_joints(const ossai_kept *kept, const json_t *channels)
{
	json_t *channel;
	size_t c;
	json_array_foreach(channels, c, channel)
	{
		const size_t node = ossai_kept_number(json_object_get(channel, "target"), "node");
		if (node < kept->document->node_count && kept->is_replaced[node]) return true;
	}
	return false;
}

/* Whether a channel moves something that is still there: joints are replaced, and a skinned mesh
   stands where its joints are. Its morph targets stay, except those that are in the frames that the
   rig was made from, or that the clip moves otherwise now. */
static bool channel_stays(const ossai_kept *kept, size_t animation, const json_t *channel)
{
	const json_t *target = json_object_get(channel, "target");
	const size_t node = ossai_kept_number(target, "node");
	const char *path = json_string_value(json_object_get(target, "path"));
	if (node == SIZE_MAX || node >= kept->document->node_count) return true;
	if (kept->is_dropped[node]) return false;
	if (path && strcmp(path, "weights") == 0)
		return !kept->is_mesh[node] || (!kept->document->is_sampled[animation] && !kept->moves_morphs[animation]);
	const uint32_t above = kept->parent[node];
	if (kept->keeps_skin && kept->is_joint[node]) return true;
	if (kept->is_replaced[node] || kept->is_bare[node]) return false;
	return above == OSSA_NONE || !kept->is_replaced[above] || moves_orphan(kept, channel);
}

/* samplers that no channel names any more go, too */
static ossa_status drop_samplers(ossai_kept *kept, json_t *animation)
{
	const size_t count = json_array_size(json_object_get(animation, "samplers"));
	uint8_t *stays = ossai_arena_zero(&kept->writer->arena, count, 1);
	size_t *number_of = ossai_arena_zero(&kept->writer->arena, count, sizeof *number_of), i;
	json_t *channel;
	if (!stays || !number_of) return ossa_context_error(kept->writer->context)->status;
	json_array_foreach(json_object_get(animation, "channels"), i, channel)
	{
		const size_t sampler = ossai_kept_number(channel, "sampler");
		if (sampler < count) stays[sampler] = 1;
	}
	for (size_t s = 0, left = 0; s < count; s++) {
		number_of[s] = left;
		left += stays[s];
	}
	json_array_foreach(json_object_get(animation, "channels"), i, channel)
	{
		const size_t sampler = ossai_kept_number(channel, "sampler");
		if (sampler < count) json_integer_set(json_object_get(channel, "sampler"), (json_int_t)number_of[sampler]);
	}
	return ossai_kept_filter(kept, animation, "samplers", stays);
}

/* Marks the channels that stay; returns how many do. What moves against a joint goes where the
   joint's motion goes. *cut: some went with it. */
static size_t mark_channels(const ossai_kept *kept, size_t index, const json_t *channels, uint8_t *stays, bool *cut)
{
	size_t count = 0;
	const bool has_joints = is_clip_of_rig(kept, index) || !moves_joints(kept, channels);
	for (size_t c = 0; c < json_array_size(channels); c++) {
		const json_t *channel = json_array_get(channels, c);
		stays[c] = channel_stays(kept, index, channel);
		const bool goes = stays[c] && !has_joints && moves_orphan(kept, channel);
		*cut |= goes;
		stays[c] = stays[c] && !goes;
		count += stays[c];
	}
	return count;
}

/* an animation that stays, without some of its channels; `name`: of the clip of the rig that
   becomes part of it, or NULL */
static ossa_status keep_animation(ossai_kept *kept, json_t *animations, size_t index, const char *name, const uint8_t *stays)
{
	json_t *own = json_deep_copy(json_array_get(animations, index));
	if (json_array_set_new(animations, index, own) != 0) return ossai_glb_no_memory(kept->writer->context);
	if (name && json_object_set_new(own, "name", json_string(name)) != 0) return ossai_glb_no_memory(kept->writer->context);
	if (!stays) return OSSA_OK;
	OSSAI_TRY(ossai_kept_filter(kept, own, "channels", stays));
	return drop_samplers(kept, own);
}

/* *lost: whether motion that is in no clip of the rig is left out */
static ossa_status drop_channels(ossai_kept *kept, json_t *animations, size_t index, uint8_t *animation_stays, bool *lost)
{
	const json_t *animation = json_array_get(animations, index), *channels = json_object_get(animation, "channels");
	const size_t count = json_array_size(channels);
	uint8_t *stays = ossai_arena_zero(&kept->writer->arena, count, 1);
	if (!stays) return ossa_context_error(kept->writer->context)->status;
	bool cut = false;
	const size_t left = mark_channels(kept, index, channels, stays, &cut);
	const bool is_own = is_clip_of_rig(kept, index);
	*lost = cut || (left < count && !is_own && !kept->document->is_read[index]);
	*animation_stays = is_own || left > 0;
	if (!*animation_stays) return OSSA_OK;
	const char *name = is_own ? kept->clip_name[index] : NULL;
	return keep_animation(kept, animations, index, name, left < count ? stays : NULL);
}

/* weights of morph targets follow a mesh that went to a node of its own */
static void retarget_weights(ossai_kept *kept, size_t from, size_t to)
{
	json_t *animation, *channel;
	size_t a, c;
	json_array_foreach(json_object_get(kept->writer->root, "animations"), a, animation)
	{
		json_array_foreach(json_object_get(animation, "channels"), c, channel)
		{
			json_t *target = json_object_get(channel, "target");
			const char *path = json_string_value(json_object_get(target, "path"));
			if (ossai_kept_number(target, "node") == from && path && strcmp(path, "weights") == 0)
				json_integer_set(json_object_get(target, "node"), (json_int_t)to);
		}
	}
}

static void follow_meshes(ossai_kept *kept)
{
	for (size_t m = 0; m < kept->document->mesh_count; m++) {
		const size_t from = kept->document->meshes[m].node, to = kept->mesh_node[m];
		if (from != to) retarget_weights(kept, from, to);
	}
}

ossa_status ossai_kept_drop_channels(ossai_kept *kept)
{
	json_t *root = kept->writer->root, *animations = json_object_get(root, "animations");
	const size_t count = json_array_size(animations);
	uint8_t *stays = ossai_arena_zero(&kept->writer->arena, count, 1);
	int64_t all_lost = 0;
	if (!stays) return ossa_context_error(kept->writer->context)->status;
	OSSAI_TRY(name_animations(kept, animations));
	OSSAI_TRY(compare_morphs(kept));
	for (size_t i = 0; i < count; i++) {
		bool lost = false;
		OSSAI_TRY(drop_channels(kept, animations, i, &stays[i], &lost));
		all_lost += lost;
	}
	if (all_lost > 0) {
		ossai_warn(kept->writer->context, "clips-left-out", all_lost,
			"%s: animations moved joints that are replaced, and are left out; the rig takes those that are read with it "
			"(`clip`)",
			kept->document->path);
	}
	OSSAI_TRY(ossai_kept_filter(kept, root, "animations", stays));
	follow_meshes(kept);
	return OSSA_OK;
}

/* ---- what moves ---- */

/* the node that a channel moves, also by KHR_animation_pointer; SIZE_MAX: none */
static size_t moved_node(const json_t *target)
{
	const json_t *extension = json_object_get(json_object_get(target, "extensions"), "KHR_animation_pointer");
	const char *path = json_string_value(json_object_get(target, "path"));
	const char *pointer = json_string_value(json_object_get(extension, "pointer"));
	size_t node;
	if (pointer) return sscanf(pointer, "/nodes/%zu/", &node) == 1 ? node : SIZE_MAX;
	return path && strcmp(path, "weights") != 0 ? ossai_kept_number(target, "node") : SIZE_MAX;
}

void ossai_kept_mark_moving(const ossai_kept *kept, uint8_t *moves, size_t count)
{
	json_t *animation, *channel;
	size_t a, c;
	json_array_foreach(json_object_get(kept->writer->root, "animations"), a, animation)
	{
		json_array_foreach(json_object_get(animation, "channels"), c, channel)
		{
			const size_t node = moved_node(json_object_get(channel, "target"));
			if (node < count) moves[node] = 1;
		}
	}
}

/* ---- the rig's own ---- */

/* the animation before `first` that has the name; count where there is none */
static size_t find_name(const json_t *animations, size_t first, const char *name)
{
	size_t i = 0;
	while (i < first) {
		const char *other = json_string_value(json_object_get(json_array_get(animations, i), "name"));
		if (other && strcmp(other, name) == 0) break;
		i++;
	}
	return i;
}

/* when the animation that the file has under the name of a clip begins; 0 where there is none */
static double begin_of(const ossai_kept *kept, const char *name)
{
	const size_t index = find_clip_name(kept, name);
	return index < kept->document->animation_count ? kept->document->begin[index] : 0;
}

bool ossai_kept_has_morphs(const ossai_kept *kept, size_t first, const ossa_clip *clip)
{
	if (!clip->morph_weights) return true;
	if (find_name(json_object_get(kept->writer->root, "animations"), first, clip->name) == first) return false;
	const size_t index = find_clip_name(kept, clip->name);
	return index < kept->document->animation_count && !kept->moves_morphs[index];
}

ossa_status ossai_kept_time_clip(ossai_kept *kept, size_t first, ossa_clip *clip)
{
	const double begin = begin_of(kept, clip->name);
	const json_t *animations = json_object_get(kept->writer->root, "animations");
	const json_t *stays = json_array_get(animations, find_name(animations, first, clip->name));
	if (!(begin > 0) || json_array_size(json_object_get(stays, "channels")) == 0) return OSSA_OK;
	double *times = ossai_arena_new(&kept->writer->arena, clip->frame_count, sizeof *times);
	if (!times) return ossa_context_error(kept->writer->context)->status;
	for (size_t f = 0; f < clip->frame_count; f++) times[f] = clip->times[f] + begin;
	clip->times = times;
	return OSSA_OK;
}

static json_t *own_list(json_t *item, const char *key)
{
	json_t *list = json_object_get(item, key);
	if (list) return list;
	list = json_array();
	return json_object_set_new(item, key, list) == 0 ? list : NULL;
}

/* channels and samplers of `from` after those of `to` */
static ossa_status append(ossai_kept *kept, const json_t *from, json_t *to)
{
	json_t *samplers = own_list(to, "samplers"), *channels = own_list(to, "channels"), *channel;
	size_t c;
	if (!samplers || !channels) return ossai_glb_no_memory(kept->writer->context);
	const json_int_t first = (json_int_t)json_array_size(samplers);
	json_array_foreach(json_object_get(from, "channels"), c, channel)
	{
		json_t *number = json_object_get(channel, "sampler");
		json_integer_set(number, json_integer_value(number) + first);
	}
	const bool whole = json_array_extend(samplers, json_object_get(from, "samplers")) == 0 &&
		json_array_extend(channels, json_object_get(from, "channels")) == 0;
	return whole ? OSSA_OK : ossai_glb_no_memory(kept->writer->context);
}

ossa_status ossai_kept_join_animations(ossai_kept *kept, size_t first)
{
	json_t *animations = json_object_get(kept->writer->root, "animations");
	for (size_t i = first; i < json_array_size(animations);) {
		const json_t *own = json_array_get(animations, i);
		const size_t like = find_name(animations, first, json_string_value(json_object_get(own, "name")));
		if (like < first) OSSAI_TRY(append(kept, own, json_array_get(animations, like)));
		if (like < first) json_array_remove(animations, i);
		else i++;
	}
	return OSSA_OK;
}
