/* import/asset/asset_clip.c: which animation of an asset, at which times.

   Place in the path: between an asset's channels and its poses.
   Input: the user's options.
   Output: an ossai_take, or what animations there are. */
#include "import/asset/asset_parts.h"

#include "base/order.h"
#include "import/frame_range.h"
#include "scene/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 10000000 };

void ossai_asset_mark_above(const ossai_asset *asset, uint8_t *marks)
{
	for (size_t i = asset->node_count; i-- > 0;) {
		const uint32_t n = asset->order[i];
		if (marks[n] && asset->nodes[n].parent != OSSA_NONE) marks[asset->nodes[n].parent] = 1;
	}
}

/* ---- names ---- */

ossa_status ossai_asset_name_clips(ossai_asset *asset)
{
	char(*names)[64] = ossai_arena_zero(&asset->arena, asset->clip_count, sizeof *names);
	if (!names) return ossa_context_error(asset->context)->status;
	for (size_t i = 0; i < asset->clip_count; i++) {
		const char *own = asset->clips[i].name;
		if (own) ossai_name_copy(names[i], (ossai_word){own, strlen(own)});
		if (!names[i][0]) ossai_name_of_path(names[i], asset->path);
	}
	OSSAI_TRY(ossai_names_apart(asset->context, asset->clip_count, names));
	for (size_t i = 0; i < asset->clip_count; i++) asset->clips[i].name = names[i];
	return OSSA_OK;
}

/* ---- the choice ---- */

static const char *clip_name(const ossai_asset *asset, size_t index) { return asset->clips[index].name; }

static ossa_status no_such_clip(const ossai_asset *asset, const char *wanted)
{
	char list[384] = "";
	for (size_t i = 0, used = 0; i < asset->clip_count && used < sizeof list; i++) {
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%zu \"%s\"", i ? ", " : "", i + 1, clip_name(asset, i));
	}
	const ossai_place place = ossai_in_file(asset->path);
	if (asset->clip_count == 0) {
		return ossai_fail(
			asset->context, OSSA_ERROR_ARGUMENT, &place, "holds no animation, so there is none called \"%s\"", wanted);
	}
	return ossai_fail(asset->context, OSSA_ERROR_ARGUMENT, &place, "holds no animation \"%s\"; it has %s", wanted, list);
}

/* by name, else by number from 1 on; false where there is none */
static bool find_clip(const ossai_asset *asset, const char *wanted, size_t *index)
{
	for (*index = 0; *index < asset->clip_count; ++*index) {
		if (strcmp(clip_name(asset, *index), wanted) == 0) return true;
	}
	const bool is_number = wanted[strspn(wanted, "0123456789")] == 0 && strlen(wanted) < 10;
	const size_t number = is_number ? (size_t)strtoul(wanted, NULL, 10) : 0;
	*index = number - 1;
	return number > 0 && number <= asset->clip_count;
}

/* the names between commas, blanks around them apart; each animation once */
static ossa_status choose_listed(const ossai_asset *asset, const char *wanted, ossai_chosen_clips *chosen)
{
	for (const char *at = wanted; *at;) {
		char name[OSSA_OPTION_TEXT_SIZE];
		size_t index, length = strcspn(at, ","), i = 0;
		const char *next = at[length] ? at + length + 1 : at + length;
		while (length > 0 && at[0] == ' ') at++, length--;
		while (length > 0 && at[length - 1] == ' ') length--;
		snprintf(name, sizeof name, "%.*s", (int)length, at);
		if (!find_clip(asset, name, &index)) return no_such_clip(asset, name);
		while (i < chosen->count && chosen->clips[i] != index) i++;
		chosen->clips[i] = index;
		if (i == chosen->count) chosen->count++;
		at = next;
	}
	return OSSA_OK;
}

ossa_status ossai_asset_choose_clips(ossai_asset *asset, const ossa_read_options *options, ossai_chosen_clips *chosen)
{
	const char *wanted = options ? options->clip : "";
	*chosen = (ossai_chosen_clips){.clips = ossai_arena_zero(&asset->arena, asset->clip_count + 1, sizeof *chosen->clips)};
	if (!chosen->clips) return ossa_context_error(asset->context)->status;
	if (!wanted[0]) {
		chosen->count = asset->clip_count > 0;
		return OSSA_OK;
	}
	if (find_clip(asset, wanted, &chosen->clips[0])) {
		chosen->count = 1;
		return OSSA_OK;
	}
	if (strcmp(wanted, "all") != 0) return choose_listed(asset, wanted, chosen);
	for (; chosen->count < asset->clip_count; chosen->count++) chosen->clips[chosen->count] = chosen->count;
	return OSSA_OK;
}

ossa_status ossai_asset_refuse_several(ossai_asset *asset, const ossa_read_options *options)
{
	ossai_chosen_clips chosen;
	OSSAI_TRY(ossai_asset_choose_clips(asset, options, &chosen));
	if (chosen.count < 2) return OSSA_OK;
	const ossai_place place = ossai_in_file(asset->path);
	return ossai_fail(asset->context, OSSA_ERROR_ARGUMENT, &place,
		"these frames are of one animation, and `clip %s` names %zu: only a rig holds several", options->clip, chosen.count);
}

/* ---- times ---- */

/* Sorts and drops equal times: keys of different channels may differ by the rounding
   of floats, also when they are counted from the first one on. Returns how many are kept. */
static size_t unique_times(double *times, size_t total)
{
	size_t count = 0;
	if (total > 0) qsort(times, total, sizeof *times, ossai_compare_doubles);
	for (size_t i = 0; i < total; i++) {
		const double same = fmax(1e-6, fmax(fabs(times[i]), fabs(times[0])) * 0x1p-22);
		if (count == 0 || times[i] - times[count - 1] > same) times[count++] = times[i];
	}
	return count;
}

/* which of the sorted times play: those between `begin` and `end`, and these two; there is capacity
   for two more times */
static size_t cut_times(double *times, size_t count, double begin, double end)
{
	size_t kept = 0;
	if (!(end > begin) || count == 0) return count;
	for (size_t i = 0; i < count; i++) {
		if (times[i] > begin && times[i] < end) times[kept++] = times[i];
	}
	times[kept++] = begin;
	times[kept++] = end;
	return unique_times(times, kept);
}

static ossa_status join_times(ossai_asset *asset, const ossai_asset_clip *clip, bool with_samples, ossai_take *take)
{
	size_t total = 0;
	for (size_t c = 0; c < take->channel_count; c++) total += take->channels[c]->key_count;
	for (size_t m = 0; with_samples && m < asset->mesh_count; m++) total += asset->meshes[m].sample_count;
	take->times = ossai_arena_new(&asset->arena, total + 2, sizeof *take->times);
	if (!take->times) return ossa_context_error(asset->context)->status;
	total = 0;
	for (size_t c = 0; c < take->channel_count; c++) {
		const ossai_asset_channel *channel = take->channels[c];
		memcpy(take->times + total, channel->times, channel->key_count * sizeof *take->times);
		total += channel->key_count;
	}
	for (size_t m = 0; with_samples && m < asset->mesh_count; m++) {
		const ossai_asset_mesh *mesh = &asset->meshes[m];
		if (mesh->sample_count > 0) memcpy(take->times + total, mesh->sample_times, mesh->sample_count * sizeof *take->times);
		total += mesh->sample_count;
	}
	take->frame_count = unique_times(take->times, total);
	if (clip) take->frame_count = cut_times(take->times, take->frame_count, clip->begin, clip->end);
	return OSSA_OK;
}

/* times at a steady rate from the first key on, as far as the last one */
static ossa_status resample(ossai_asset *asset, double rate, ossai_take *take)
{
	if (rate == 0 || take->frame_count == 0) return OSSA_OK;
	const double first = take->times[0], steps = floor((take->times[take->frame_count - 1] - first) * rate + 1e-4);
	/* times far from 0 have no precision for small steps between them */
	const bool is_fine = take->times[take->frame_count - 1] + 0.01 / rate > take->times[take->frame_count - 1];
	if (!(steps < FRAMES_MAX) || !is_fine) {
		const ossai_place place = ossai_in_file(asset->path);
		return ossai_fail(asset->context, OSSA_ERROR_LIMIT, &place,
			"%g frames per second make %.0f frames of its %g seconds: "
			"take a lower rate (`fps`)",
			rate, steps + 1, take->times[take->frame_count - 1] - first);
	}
	const size_t count = (size_t)steps + 1;
	OSSAI_TRY(ossai_asset_charge(asset, count, sizeof *take->times));
	take->times = ossai_arena_new(&asset->arena, count, sizeof *take->times);
	if (!take->times) return ossa_context_error(asset->context)->status;
	for (size_t i = 0; i < count; i++) take->times[i] = first + (double)i / rate;
	take->frame_count = count;
	return OSSA_OK;
}

static ossa_status choose_frames(ossai_asset *asset, const ossa_range *wanted, ossai_take *take)
{
	take->is_whole = wanted->first == 0 && wanted->last == 0 && wanted->step == 0;
	if (take->is_whole) return OSSA_OK;
	if (take->frame_count == 0) {
		ossai_place place = OSSAI_NOWHERE;
		char text[72];
		place.file = asset->path;
		ossai_range_print(wanted, text, sizeof text);
		return ossai_fail(
			asset->context, OSSA_ERROR_ARGUMENT, &place, "does not move, so there are no frames \"%s\" in it", text);
	}
	ossai_frame_range range;
	OSSAI_TRY(ossai_frame_range_of(asset->context, wanted, take->frame_count, &range));
	take->frame_count = ossai_frame_range_count(&range);
	for (size_t i = 0; i < take->frame_count; i++) take->times[i] = take->times[range.first + i * range.step];
	return OSSA_OK;
}

/* ---- the take ---- */

/* how many targets a channel moves; those that follow joints move with these */
static size_t count_moved(const ossai_asset *asset, const ossai_asset_channel *channel)
{
	size_t count = 0;
	for (size_t i = 0; i < channel->width; i++) {
		const bool is_driven = asset->meshes[channel->mesh].targets[channel->first + i].driver != NULL;
		count += !is_driven && ossai_target_moves(asset, channel, i);
	}
	return count;
}

static bool takes_targets(
	const ossai_asset *asset, const ossai_asset_channel *channel, ossai_take_shapes shapes, ossai_take *take)
{
	if (shapes == OSSAI_SHAPES_ALL) return true;
	const size_t moved = count_moved(asset, channel);
	if (moved == 0) return false;
	if (shapes == OSSAI_SHAPES_MOVING) {
		const bool is_joined = asset->meshes[channel->mesh].target_morphs != NULL;
		take->moves_shapes = take->moves_shapes || is_joined;
		return is_joined;
	}
	take->left_out += moved;
	take->shapes[take->shape_count++] = channel;
	return false;
}

static ossa_status choose_channels(
	ossai_asset *asset, const ossai_asset_clip *clip, const uint8_t *is_wanted, ossai_take_shapes shapes, ossai_take *take)
{
	take->name = clip->name;
	take->channels = ossai_arena_new(&asset->arena, clip->channel_count, sizeof *take->channels);
	take->shapes = ossai_arena_new(&asset->arena, clip->channel_count, sizeof *take->shapes);
	if (!take->channels || !take->shapes) return ossa_context_error(asset->context)->status;
	for (size_t i = 0; i < clip->channel_count; i++) {
		const ossai_asset_channel *channel = &clip->channels[i];
		if (channel->key_count == 0) continue;
		const bool is_taken = channel->node == OSSA_NONE ? takes_targets(asset, channel, shapes, take)
														 : is_wanted[channel->node];
		if (is_taken) take->channels[take->channel_count++] = channel;
	}
	return OSSA_OK;
}

ossa_status ossai_take_make(ossai_asset *asset, const ossa_read_options *options, size_t index, const uint8_t *is_wanted,
	ossai_take_shapes shapes, ossai_take *take)
{
	const ossa_read_options chosen = options ? *options : ossa_read_default();
	*take = (ossai_take){0};
	const ossai_asset_clip *clip = index < asset->clip_count ? &asset->clips[index] : NULL;
	if (clip) OSSAI_TRY(choose_channels(asset, clip, is_wanted, shapes, take));
	OSSAI_TRY(join_times(asset, clip, shapes == OSSAI_SHAPES_ALL, take));
	OSSAI_TRY(resample(asset, chosen.frames_per_second, take));
	OSSAI_TRY(choose_frames(asset, &chosen.frames, take));
	/* every frame visits all nodes and channels: bounds the time */
	return ossai_asset_charge(asset, take->frame_count, 16 * (asset->node_count + take->channel_count));
}

/* ---- what there is ---- */

/* nodes whose motion moves joints, and those that move meshes without a skin */
static ossa_status mark_kinds(ossai_asset *asset, uint8_t **joints, uint8_t **parts)
{
	*joints = ossai_arena_zero(&asset->arena, asset->node_count, 1);
	*parts = ossai_arena_zero(&asset->arena, asset->node_count, 1);
	if (!*joints || !*parts) return ossa_context_error(asset->context)->status;
	OSSAI_TRY(ossai_asset_mark_joints(asset, *joints));
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const ossai_asset_mesh *mesh = &asset->meshes[m];
		if (mesh->skin == OSSA_NONE && mesh->node != OSSA_NONE) (*parts)[mesh->node] = 1;
	}
	ossai_asset_mark_above(asset, *joints);
	ossai_asset_mark_above(asset, *parts);
	return OSSA_OK;
}

static ossa_status clip_facts(
	ossai_asset *asset, const ossai_asset_clip *clip, const uint8_t *joints, const uint8_t *parts, ossa_clip_facts *facts)
{
	size_t total = 0;
	const char *name = clip->name ? clip->name : "";
	ossai_name_copy(facts->name, (ossai_word){name, strlen(name)});
	for (size_t i = 0; i < clip->channel_count; i++) total += clip->channels[i].key_count;
	double *times = ossai_new(asset->context, total + 2, sizeof *times);
	if (!times) return ossa_context_error(asset->context)->status;
	total = 0;
	for (size_t i = 0; i < clip->channel_count; i++) {
		const ossai_asset_channel *channel = &clip->channels[i];
		if (channel->key_count == 0) continue;
		memcpy(times + total, channel->times, channel->key_count * sizeof *times);
		total += channel->key_count;
		facts->moves_shapes |= channel->node == OSSA_NONE;
		facts->moves_joints |= channel->node != OSSA_NONE && joints[channel->node];
		facts->moves_parts |= channel->node != OSSA_NONE && parts[channel->node];
	}
	facts->key_count = cut_times(times, unique_times(times, total), clip->begin, clip->end);
	if (facts->key_count > 0) facts->seconds = times[facts->key_count - 1] - times[0];
	ossa_free(asset->context, times);
	return OSSA_OK;
}

/* stored samples are in every animation, and one by themselves */
static void add_samples(const ossai_asset *asset, ossa_clip_facts *facts)
{
	for (size_t m = 0; m < asset->mesh_count; m++) {
		const ossai_asset_mesh *mesh = &asset->meshes[m];
		if (mesh->sample_count < 2) continue;
		facts->moves_shapes = true;
		if (mesh->sample_count > facts->key_count) facts->key_count = mesh->sample_count;
		facts->seconds = fmax(facts->seconds, mesh->sample_times[mesh->sample_count - 1] - mesh->sample_times[0]);
	}
}

ossa_status ossai_asset_clips(ossai_asset *asset, size_t *count, ossa_clip_facts **clips)
{
	uint8_t *joints, *parts;
	*count = 0;
	*clips = NULL;
	OSSAI_TRY(mark_kinds(asset, &joints, &parts));
	ossa_clip_facts samples = {.name = ""};
	add_samples(asset, &samples);
	const size_t found = asset->clip_count > 0 ? asset->clip_count : samples.moves_shapes;
	if (found == 0) return OSSA_OK;
	ossa_clip_facts *facts = ossa_alloc(asset->context, found, sizeof *facts);
	if (!facts) return ossa_context_error(asset->context)->status;
	facts[0] = samples;
	ossa_status status = OSSA_OK;
	for (size_t i = 0; i < asset->clip_count && status == OSSA_OK; i++) {
		status = clip_facts(asset, &asset->clips[i], joints, parts, &facts[i]);
		add_samples(asset, &facts[i]);
	}
	if (status != OSSA_OK) {
		ossa_free(asset->context, facts);
		return status;
	}
	*count = found;
	*clips = facts;
	return OSSA_OK;
}
