/* import/asset/asset_morph_motion.c: how the morph targets of an asset's meshes move.

   Place in the path: inside the asset layer, between channels and the targets of the joined mesh.
   Input: channels of targets.
   Output: which targets move alike, so that they can be one; the joined mesh's weights. */
#include "import/asset/asset_parts.h"

#include "scene/document.h"

#include <string.h>

/* FNV-1a */
static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3U;
	return hash;
}

/* the keys of target `first` + index of a channel */
static uint64_t mix_keys(uint64_t hash, const ossai_asset_channel *channel, size_t index)
{
	const size_t width = channel->width, parts = channel->interpolation == OSSAI_HERMITE ? 3 : 1;
	hash = mix(hash, &channel->interpolation, sizeof channel->interpolation);
	hash = mix(hash, channel->times, channel->key_count * sizeof *channel->times);
	for (size_t k = 0; k < channel->key_count * parts; k++)
		hash = mix(hash, &channel->values[k * width + index], sizeof *channel->values);
	for (size_t k = 0; channel->controls && k < channel->key_count; k++)
		hash = mix(hash, &channel->controls[4 * (k * width + index)], 4 * sizeof *channel->controls);
	return channel->holds ? mix(hash, channel->holds, channel->key_count * sizeof *channel->holds) : hash;
}

static void mix_channel(const ossai_asset *asset, size_t clip, const ossai_asset_channel *channel, uint64_t *motion)
{
	for (size_t i = 0; i < channel->width; i++) {
		uint64_t *own = &motion[channel->first + i];
		/* what stays at rest needs no channel */
		if (!ossai_target_moves(asset, channel, i)) continue;
		if (*own == 0) *own = 0xcbf29ce484222325U;
		*own = mix_keys(mix(*own, &clip, sizeof clip), channel, i);
	}
}

uint64_t **ossai_asset_morph_motion(ossai_asset *asset)
{
	uint64_t **motion = ossai_arena_new(&asset->arena, asset->mesh_count, sizeof *motion);
	for (size_t m = 0; motion && m < asset->mesh_count; m++) {
		motion[m] = ossai_arena_zero(&asset->arena, asset->meshes[m].target_count, sizeof *motion[m]);
		if (!motion[m]) return NULL;
	}
	for (size_t c = 0; motion && c < asset->clip_count; c++) {
		for (size_t i = 0; i < asset->clips[c].channel_count; i++) {
			const ossai_asset_channel *channel = &asset->clips[c].channels[i];
			if (channel->node == OSSA_NONE && channel->key_count > 0) mix_channel(asset, c, channel, motion[channel->mesh]);
		}
	}
	return motion;
}

void ossai_asset_morph_weights(const ossai_asset *asset, const ossai_pose *pose, const double *from, double *weights)
{
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const ossai_asset_mesh *mesh = &asset->meshes[m];
		for (size_t t = 0; mesh->target_morphs && t < mesh->target_count; t++)
			weights[mesh->target_morphs[t]] = from[pose->first_weight[m] + t];
	}
}

size_t ossai_takes_left_out(const ossai_takes *takes)
{
	size_t count = 0;
	for (size_t i = 0; i < takes->count; i++) count += takes->items[i].left_out;
	return count;
}

void ossai_takes_weights(const ossai_pose *pose, const ossai_takes *takes, size_t frame, double *own, double *weights)
{
	const ossai_asset *asset = pose->asset;
	const size_t index = ossai_takes_find(takes, frame);
	const ossai_take *take = &takes->items[index];
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const ossai_asset_mesh *mesh = &asset->meshes[m];
		for (size_t t = 0; t < mesh->target_count; t++) own[pose->first_weight[m] + t] = mesh->targets[t].weight;
	}
	for (size_t i = 0; i < take->shape_count; i++) {
		const ossai_asset_channel *c = take->shapes[i];
		const double time = take->times[frame - takes->first[index]];
		ossai_channel_sample(c, OSSAI_FORM_NUMBERS, time, own + pose->first_weight[c->mesh] + c->first);
	}
	ossai_asset_morph_weights(asset, pose, own, weights);
}

ossa_status ossai_takes_note_morphs(const ossai_pose *pose, const ossai_takes *takes, double *own, const ossa_mesh *mesh)
{
	ossa_context *context = pose->asset->context;
	const size_t count = mesh->morph_count;
	for (size_t i = 0; i < takes->count; i++) {
		const ossai_take *take = &takes->items[i];
		if (!take->is_whole) continue;
		double *weights = ossai_new(context, take->frame_count * count, sizeof *weights);
		if (!weights) return ossa_context_error(context)->status;
		for (size_t f = 0; f < take->frame_count; f++)
			ossai_takes_weights(pose, takes, takes->first[i] + f, own, weights + f * count);
		const double seconds = take->times[take->frame_count - 1] - take->times[0];
		ossai_document_note_morphs(mesh->document, takes->clips[i], take->frame_count, seconds, count, weights);
		ossa_free(context, weights);
	}
	return OSSA_OK;
}
