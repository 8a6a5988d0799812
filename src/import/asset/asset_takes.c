/* import/asset/asset_takes.c: the chosen animations of an asset, one after the other.

   Place in the path: between asset_clip.c, which makes a take of one animation, and asset_frames.c.
   Input: the user's options.
   Output: ossai_takes: frames of all of them in a row, in rising times. */
#include "import/asset/asset_parts.h"

#include "base/search.h"
#include "import/registry.h"

/* an animation that moves nothing has no frames, and is left out */
static ossa_status add_take(
	ossai_asset *asset, const ossa_read_options *options, size_t clip, const uint8_t *is_wanted, ossai_takes *takes)
{
	ossai_take *take = &takes->items[takes->count];
	/* stored samples are of files without skins */
	const ossai_take_shapes shapes = takes->keeps_morphs ? OSSAI_SHAPES_NONE : OSSAI_SHAPES_ALL;
	OSSAI_TRY(ossai_take_make(asset, options, clip, is_wanted, shapes, take));
	if (!takes->name) takes->name = take->name;
	if (take->frame_count == 0) return OSSA_OK;
	takes->clips[takes->count] = clip;
	takes->first[takes->count + 1] = takes->frame_count += take->frame_count;
	takes->count++;
	return OSSA_OK;
}

/* each begins one frame after the end of the one before */
static void place_in_time(const ossa_read_options *options, ossai_takes *takes)
{
	const double rate = options && options->frames_per_second > 0 ? options->frames_per_second : OSSAI_DEFAULT_RATE;
	for (size_t i = 0; i + 1 < takes->count; i++) {
		const ossai_take *take = &takes->items[i];
		const double seconds = take->times[take->frame_count - 1] - take->times[0];
		takes->begin[i + 1] = takes->begin[i] + seconds + 1 / rate;
	}
}

/* nodes above joints of the skins that meshes have */
static void mark_skins(const ossai_asset *asset, uint8_t *marks)
{
	for (size_t m = 0; m < asset->mesh_count; m++) {
		if (asset->meshes[m].skin == OSSA_NONE) continue;
		const ossai_asset_skin *skin = &asset->skins[asset->meshes[m].skin];
		for (size_t j = 0; j < skin->joint_count; j++) marks[skin->joints[j]] = 1;
	}
	ossai_asset_mark_above(asset, marks);
}

/* whether a chosen animation moves the joints of a skin */
static ossa_status moves_skin(ossai_asset *asset, const ossai_chosen_clips *chosen, bool *found)
{
	uint8_t *marks = ossai_arena_zero(&asset->arena, asset->node_count, 1);
	if (!marks) return ossa_context_error(asset->context)->status;
	mark_skins(asset, marks);
	*found = false;
	for (size_t i = 0; i < chosen->count; i++) {
		const ossai_asset_clip *clip = &asset->clips[chosen->clips[i]];
		for (size_t c = 0; c < clip->channel_count && !*found; c++) {
			const ossai_asset_channel *channel = &clip->channels[c];
			*found = channel->node != OSSA_NONE && marks[channel->node] && ossai_channel_moves(asset, channel);
		}
	}
	return OSSA_OK;
}

ossa_status ossai_takes_make(ossai_asset *asset, const ossa_read_options *options, const uint8_t *is_wanted, ossai_takes *takes)
{
	ossai_chosen_clips chosen;
	*takes = (ossai_takes){0};
	OSSAI_TRY(ossai_asset_choose_clips(asset, options, &chosen));
	if (options && options->morphs == OSSA_MORPHS_KEEP) OSSAI_TRY(moves_skin(asset, &chosen, &takes->keeps_morphs));
	/* stored samples move without an animation, too */
	if (chosen.count == 0) chosen.clips[chosen.count++] = asset->clip_count;
	takes->items = ossai_arena_zero(&asset->arena, chosen.count, sizeof *takes->items);
	takes->clips = ossai_arena_zero(&asset->arena, chosen.count, sizeof *takes->clips);
	takes->first = ossai_arena_zero(&asset->arena, chosen.count + 1, sizeof *takes->first);
	takes->begin = ossai_arena_zero(&asset->arena, chosen.count, sizeof *takes->begin);
	if (!takes->items || !takes->clips || !takes->first || !takes->begin) return ossa_context_error(asset->context)->status;
	for (size_t i = 0; i < chosen.count; i++) OSSAI_TRY(add_take(asset, options, chosen.clips[i], is_wanted, takes));
	place_in_time(options, takes);
	return OSSA_OK;
}

size_t ossai_takes_find(const ossai_takes *takes, size_t frame) { return ossai_search_size(takes->first, takes->count, frame); }

double ossai_takes_time(const ossai_takes *takes, size_t frame)
{
	const size_t i = ossai_takes_find(takes, frame);
	const ossai_take *take = &takes->items[i];
	return takes->begin[i] + (take->times[frame - takes->first[i]] - take->times[0]);
}
