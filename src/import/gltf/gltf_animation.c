/* import/gltf/gltf_animation.c: the animations of a glTF file.

   Place in the path: inside the glTF reader, after nodes and meshes.
   Input: channels and samplers.
   Output: the asset's clips; which parts of nodes they move is found before the nodes are read.
   Source: glTF 2.0 specification, 3.11. */
#include "import/gltf/gltf_document.h"

#include <string.h>

/* ---- what moves ---- */

static ossa_status mark_animated(ossai_gltf *document, const json_t *channels)
{
	for (size_t i = 0; i < json_array_size(channels); i++) {
		const json_t *target = json_object_get(json_array_get(channels, i), "target");
		ossai_gltf_part part;
		size_t node;
		OSSAI_TRY(ossai_gltf_index(document, target, "node", "nodes", &node));
		if (node == SIZE_MAX || !ossai_gltf_part_of(json_string_value(json_object_get(target, "path")), &part)) continue;
		document->animated[node] |= (uint8_t)(1 << part);
	}
	return OSSA_OK;
}

ossa_status ossai_gltf_find_animated(ossai_gltf *document)
{
	const size_t nodes = ossai_gltf_length(document, "nodes");
	OSSAI_TRY(ossai_gltf_scratch(document, &document->animated, nodes, 1));
	memset(document->animated, 0, nodes);
	for (size_t a = 0; a < ossai_gltf_length(document, "animations"); a++) {
		OSSAI_TRY(mark_animated(document, json_object_get(ossai_gltf_item(document, "animations", a), "channels")));
	}
	return OSSA_OK;
}

/* ---- samplers ---- */

static ossai_interpolation interpolation_of(const char *name)
{
	if (name && strcmp(name, "STEP") == 0) return OSSAI_STEP;
	return name && strcmp(name, "CUBICSPLINE") == 0 ? OSSAI_HERMITE : OSSAI_LINEAR;
}

static ossa_status read_times(ossai_gltf *document, const json_t *sampler, ossai_asset_channel *channel)
{
	float *times;
	OSSAI_TRY(ossai_gltf_read_floats(document, sampler, "input", 1, false, &document->scratch, &channel->key_count, &times));
	if (!times) return ossai_asset_fail(document->asset, "an animation sampler lacks its input");
	OSSAI_TRY(ossai_gltf_keep(document, &channel->times, channel->key_count, sizeof *channel->times));
	for (size_t i = 0; i < channel->key_count; i++) channel->times[i] = (double)times[i];
	return OSSA_OK;
}

/* `elements` of `width` numbers for each key; channel->width numbers in all */
static ossa_status read_values(ossai_gltf *document, const json_t *sampler, bool is_weights, ossai_asset_channel *channel)
{
	const size_t width = is_weights ? 1 : channel->width, elements = is_weights ? channel->width : 1;
	const size_t per_key = elements * (channel->interpolation == OSSAI_HERMITE ? 3 : 1);
	/* rotations and weights are fractions where they are integers; others are floats */
	const bool normalized = is_weights || width == 4;
	size_t count;
	OSSAI_TRY(ossai_gltf_read_floats(
		document, sampler, "output", width, normalized, &document->asset->arena, &count, &channel->values));
	if (!channel->values) return ossai_asset_fail(document->asset, "an animation sampler lacks its output");
	if (count / per_key >= channel->key_count) return OSSA_OK;
	return ossai_asset_fail(
		document->asset, "an animation sampler has %zu values for %zu keys", count / elements, channel->key_count);
}

/* ---- channels ---- */

/* What a channel moves; *known false where the asset has no such target. */
static ossa_status find_target(ossai_gltf *document, const json_t *target, ossai_asset_channel *channel, bool *known)
{
	const ossai_asset *asset = document->asset;
	ossai_gltf_part part;
	size_t node;
	*known = false;
	OSSAI_TRY(ossai_gltf_index(document, target, "node", "nodes", &node));
	if (node == SIZE_MAX || !ossai_gltf_part_of(json_string_value(json_object_get(target, "path")), &part)) return OSSA_OK;
	*channel = (ossai_asset_channel){.node = (uint32_t)node, .mesh = OSSA_NONE};
	if (part == OSSAI_GLTF_WEIGHTS) {
		channel->node = OSSA_NONE;
		channel->mesh = document->mesh_of_node[node];
		channel->width = channel->mesh == OSSA_NONE ? 0 : (uint32_t)asset->meshes[channel->mesh].target_count;
		*known = channel->width > 0;
		return OSSA_OK;
	}
	channel->op = ossai_gltf_op_of(&asset->nodes[node], part);
	channel->width = part == OSSAI_GLTF_ROTATION ? 4 : 3;
	*known = channel->op != OSSA_NONE;
	return OSSA_OK;
}

static ossa_status read_channel(
	ossai_gltf *document, const json_t *item, const json_t *samplers, size_t index, ossai_asset_channel *channel, bool *known)
{
	size_t which;
	OSSAI_TRY(ossai_gltf_whole(document, item, "sampler", SIZE_MAX, &which));
	OSSAI_TRY(find_target(document, json_object_get(item, "target"), channel, known));
	if (!*known) return OSSA_OK;
	const json_t *sampler = json_array_get(samplers, which);
	if (!json_is_object(sampler)) return ossai_asset_fail(document->asset, "animation channel %zu has no sampler", index);
	channel->interpolation = interpolation_of(json_string_value(json_object_get(sampler, "interpolation")));
	OSSAI_TRY(read_times(document, sampler, channel));
	return read_values(document, sampler, channel->node == OSSA_NONE, channel);
}

static ossa_status read_clip(ossai_gltf *document, const json_t *item, ossai_asset_clip *clip)
{
	const json_t *list = json_object_get(item, "channels"), *samplers = json_object_get(item, "samplers");
	const size_t count = json_array_size(list);
	int64_t skipped = 0;
	OSSAI_TRY(ossai_gltf_text(document, item, "name", &clip->name));
	OSSAI_TRY(ossai_gltf_keep(document, &clip->channels, count, sizeof *clip->channels));
	for (size_t i = 0; i < count; i++) {
		ossai_asset_channel *channel = &clip->channels[clip->channel_count];
		bool known;
		OSSAI_TRY(read_channel(document, json_array_get(list, i), samplers, i, channel, &known));
		skipped += !known;
		clip->channel_count += known && channel->key_count > 0;
	}
	if (skipped > 0) {
		ossai_warn(document->context, "skipped-channels", skipped,
			"%s: animation channels that move neither nodes nor morph targets are passed over: only a glTF file that is "
			"written "
			"from this one has them",
			document->source->path);
	}
	return OSSA_OK;
}

ossa_status ossai_gltf_read_clips(ossai_gltf *document)
{
	ossai_asset *asset = document->asset;
	const size_t count = ossai_gltf_length(document, "animations");
	OSSAI_TRY(ossai_gltf_keep(document, &asset->clips, count, sizeof *asset->clips));
	for (size_t a = 0; a < count; a++) {
		OSSAI_TRY(read_clip(document, ossai_gltf_item(document, "animations", a), &asset->clips[asset->clip_count++]));
	}
	return OSSA_OK;
}
