/* import/asset/asset_keys.c: checks the channels of animations and sorts their keys.

   Place in the path: ossai_asset_finish.
   Input: keys in any order.
   Output: finite keys at increasing times; of equal times the last one of the file stays. */
#include "import/asset/asset_parts.h"

#include <stdlib.h>
#include <string.h>

static ossa_status fail_channel(const ossai_asset *asset, size_t clip, size_t channel, const char *what)
{
	const char *name = asset->clips[clip].name;
	return ossai_asset_fail(asset, "animation %zu \"%s\", channel %zu: %s", clip + 1, name ? name : "", channel + 1, what);
}

/* values of each key */
static size_t row_width(const ossai_asset_channel *c) { return (c->interpolation == OSSAI_HERMITE ? 3 : 1) * (size_t)c->width; }

/* the fault of a channel's target, or NULL */
static const char *target_fault(const ossai_asset *asset, const ossai_asset_channel *c)
{
	size_t capacity;
	if (c->node == OSSA_NONE) {
		if (c->mesh >= asset->mesh_count) return "moves a mesh that is not there";
		capacity = asset->meshes[c->mesh].target_count;
	} else {
		if (c->node >= asset->node_count) return "moves a node that is not there";
		if (c->op >= asset->nodes[c->node].op_count) return "moves a transform that its node does not have";
		capacity = ossai_op_width(asset->nodes[c->node].ops[c->op].kind);
	}
	if (c->width == 0 || c->first >= capacity || c->width > capacity - c->first) return "moves more values than there are";
	if ((int)c->interpolation < OSSAI_STEP || c->interpolation > OSSAI_BEZIER) return "has no known interpolation";
	if (c->key_count > 0 && (!c->times || !c->values)) return "has no keys or no values";
	return NULL;
}

static const char *number_fault(const ossai_asset_channel *c)
{
	for (size_t k = 0; k < c->key_count; k++) {
		if (!isfinite(c->times[k])) return "has a time that is not finite";
	}
	for (size_t i = 0; i < c->key_count * row_width(c); i++) {
		if (!isfinite(c->values[i])) return "has a value that is not finite";
	}
	if (c->interpolation != OSSAI_BEZIER || !c->controls) return NULL;
	for (size_t i = 0; i < c->key_count * c->width * 4; i++) {
		if (!isfinite(c->controls[i])) return "has a tangent that is not finite";
	}
	return NULL;
}

/* ---- sorting ---- */

typedef struct key {
	double time;
	size_t index;
} key;

static int compare_keys(const void *a, const void *b)
{
	const key *p = a, *q = b;
	if (p->time != q->time) return p->time < q->time ? -1 : 1;
	return (p->index > q->index) - (p->index < q->index);
}

static bool is_sorted(const ossai_asset_channel *c)
{
	for (size_t k = 1; k < c->key_count; k++) {
		if (!(c->times[k] > c->times[k - 1])) return false;
	}
	return true;
}

/* a new array of the rows that `keys` name; NULL with the error set */
static void *pick_rows(ossai_asset *asset, const void *array, size_t row, size_t count, const key *keys)
{
	char *picked = ossai_arena_new(&asset->arena, count, row);
	for (size_t k = 0; picked && k < count; k++) memcpy(picked + k * row, (const char *)array + keys[k].index * row, row);
	return picked;
}

/* into new arrays: channels may share theirs */
static ossa_status take_keys(ossai_asset *asset, ossai_asset_channel *c, size_t count, const key *keys)
{
	c->times = pick_rows(asset, c->times, sizeof *c->times, count, keys);
	if (!c->times) return ossa_context_error(asset->context)->status;
	c->values = pick_rows(asset, c->values, row_width(c) * sizeof *c->values, count, keys);
	if (!c->values) return ossa_context_error(asset->context)->status;
	if (c->controls) c->controls = pick_rows(asset, c->controls, 4 * c->width * sizeof *c->controls, count, keys);
	if (c->holds) {
		c->holds = pick_rows(asset, c->holds, sizeof *c->holds, count, keys);
		if (!c->holds) return ossa_context_error(asset->context)->status;
	}
	c->key_count = count;
	return c->controls || c->interpolation != OSSAI_BEZIER ? OSSA_OK : ossa_context_error(asset->context)->status;
}

static ossa_status sort_channel(ossai_asset *asset, ossai_asset_channel *c, int64_t *dropped)
{
	if (is_sorted(c)) return OSSA_OK;
	key *keys = ossai_new(asset->context, c->key_count, sizeof *keys);
	if (!keys) return ossa_context_error(asset->context)->status;
	for (size_t k = 0; k < c->key_count; k++) keys[k] = (key){c->times[k], k};
	qsort(keys, c->key_count, sizeof *keys, compare_keys);
	size_t count = 0;
	for (size_t k = 0; k < c->key_count; k++) {
		if (k + 1 < c->key_count && keys[k + 1].time == keys[k].time) continue;
		keys[count++] = keys[k];
	}
	*dropped += (int64_t)(c->key_count - count);
	const ossa_status status = take_keys(asset, c, count, keys);
	ossa_free(asset->context, keys);
	return status;
}

ossa_status ossai_asset_check_clips(ossai_asset *asset)
{
	int64_t dropped = 0;
	for (size_t i = 0; i < asset->clip_count; i++) {
		ossai_asset_clip *clip = &asset->clips[i];
		if (!isfinite(clip->begin) || !isfinite(clip->end) || clip->end < clip->begin) {
			return ossai_asset_fail(asset, "animation %zu \"%s\" plays from %g to %g seconds", i + 1,
				clip->name ? clip->name : "", clip->begin, clip->end);
		}
		for (size_t k = 0; k < clip->channel_count; k++) {
			ossai_asset_channel *channel = &clip->channels[k];
			const char *fault = target_fault(asset, channel);
			if (!fault) fault = number_fault(channel);
			if (fault) return fail_channel(asset, i, k, fault);
			if (channel->interpolation != OSSAI_BEZIER) channel->controls = NULL;
			else if (!channel->controls) channel->interpolation = OSSAI_LINEAR;
			OSSAI_TRY(sort_channel(asset, channel, &dropped));
		}
	}
	if (dropped > 0) {
		ossai_warn(asset->context, "double-keys", dropped, "%s: keys at the same time as another one; the last one stays",
			asset->path);
	}
	return OSSA_OK;
}
