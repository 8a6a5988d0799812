/* import/fbx/fbx_weights.c: see fbx_weights.h.

   A channel (Deformer) is connected to a BlendShape, that to a Geometry, that to one Model or
   several, each of them to the Model above it, or to 0. Objects have ids and names: "NAME\0\1CLASS"
   in binary files, "CLASS::NAME" in ASCII. UV sets are inside of a Geometry. A file is read twice:
   how many objects there are, then what they are.
   Of several shapes of a channel each is full at its percentage, the ones between two of them are
   blended, and none is at 0.
   Source: Autodesk FBX SDK documentation, FbxBlendShapeChannel; the layout is that of
   fbx_guard.c. */
#include "import/fbx/fbx_weights.h"
#include "base/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which geometry a channel is of ---- */

static int compare_ids(int64_t a, int64_t b) { return (a > b) - (a < b); }

static int compare_words(ossai_word a, ossai_word b)
{
	const int order = memcmp(a.bytes, b.bytes, a.size < b.size ? a.size : b.size);
	return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_links(const void *a, const void *b)
{
	const ossai_fbx_link *p = a, *q = b;
	const int order = compare_ids(p->child, q->child);
	return order ? order : (p->number > q->number) - (p->number < q->number);
}

static int compare_models(const void *a, const void *b)
{
	return compare_ids(((const ossai_fbx_model *)a)->id, ((const ossai_fbx_model *)b)->id);
}

static int compare_channels(const void *a, const void *b)
{
	const ossai_fbx_channel *p = a, *q = b;
	const int order = compare_ids(p->geometry, q->geometry), named = order ? order : compare_words(p->name, q->name);
	return named ? named : (p->number > q->number) - (p->number < q->number);
}

static int compare_uvs(const void *a, const void *b)
{
	const ossai_fbx_uv *p = a, *q = b;
	const int order = compare_ids(p->geometry, q->geometry), placed = order ? order : compare_ids(p->set, q->set);
	return placed ? placed : (p->number > q->number) - (p->number < q->number);
}

static int compare_owners(const void *a, const void *b)
{
	const ossai_fbx_owner *p = a, *q = b;
	const int order = compare_ids(p->model, q->model);
	return order ? order : compare_ids(p->geometry, q->geometry);
}

static int compare_children(const void *a, const void *b)
{
	const ossai_fbx_child *p = a, *q = b;
	const int order = compare_ids(p->parent, q->parent);
	return order ? order : (p->number > q->number) - (p->number < q->number);
}

/* the first object that an object is connected to; its own id where there is none */
static int64_t parent_of(const ossai_fbx_weigher *w, int64_t child)
{
	const ossai_fbx_link key = {.child = child};
	const size_t at = ossai_search(&key, w->links, w->link_count, sizeof key, compare_links);
	return at < w->link_count && w->links[at].child == child ? w->links[at].parent : child;
}

static const ossai_fbx_model *model_of(const ossai_fbx_weigher *w, int64_t id)
{
	const ossai_fbx_model key = {.id = id};
	const size_t at = ossai_search(&key, w->models, w->model_count, sizeof key, compare_models);
	return at < w->model_count && w->models[at].id == id ? &w->models[at] : NULL;
}

/* whether a geometry has channels or named sets */
static bool is_known(const ossai_fbx_weights *weights, int64_t geometry)
{
	const ossai_fbx_channel first = {.geometry = geometry, .name = {"", 0}};
	const ossai_fbx_uv first_uv = {.geometry = geometry, .set = INT64_MIN};
	const size_t c = ossai_search(&first, weights->channels, weights->channel_count, sizeof first, compare_channels);
	const size_t u = ossai_search(&first_uv, weights->uvs, weights->uv_count, sizeof first_uv, compare_uvs);
	return (c < weights->channel_count && weights->channels[c].geometry == geometry) ||
		(u < weights->uv_count && weights->uvs[u].geometry == geometry);
}

static void find_owners(ossai_fbx_weigher *w)
{
	ossai_fbx_weights *weights = w->weights;
	for (size_t i = 0; i < w->link_count; i++) {
		const int64_t geometry = w->links[i].child;
		if (!is_known(weights, geometry) || !model_of(w, w->links[i].parent)) continue;
		weights->owners[weights->owner_count++] = (ossai_fbx_owner){w->links[i].parent, geometry};
	}
}

static void find_children(ossai_fbx_weigher *w)
{
	ossai_fbx_weights *weights = w->weights;
	for (size_t i = 0; i < w->link_count; i++) {
		const ossai_fbx_link *link = &w->links[i];
		const ossai_fbx_model *model = model_of(w, link->child);
		if (!model) continue;
		weights->children[weights->child_count++] = (ossai_fbx_child){link->parent, link->child, link->number, model->name};
	}
}

static void resolve(ossai_fbx_weigher *w)
{
	ossai_fbx_weights *weights = w->weights;
	qsort(w->links, w->link_count, sizeof *w->links, compare_links);
	qsort(w->models, w->model_count, sizeof *w->models, compare_models);
	for (size_t c = 0; c < weights->channel_count; c++)
		weights->channels[c].geometry = parent_of(w, parent_of(w, weights->channels[c].id));
	qsort(weights->channels, weights->channel_count, sizeof *weights->channels, compare_channels);
	qsort(weights->uvs, weights->uv_count, sizeof *weights->uvs, compare_uvs);
	find_owners(w);
	find_children(w);
	qsort(weights->owners, weights->owner_count, sizeof *weights->owners, compare_owners);
	qsort(weights->children, weights->child_count, sizeof *weights->children, compare_children);
}

/* ---- all ---- */

/* what was counted, as lists */
static ossa_status list_all(ossai_fbx_weigher *w)
{
	ossai_arena *arena = w->arena;
	ossai_fbx_weights *weights = w->weights;
	w->links = ossai_arena_new(arena, w->link_count, sizeof *w->links);
	w->models = ossai_arena_new(arena, w->model_count, sizeof *w->models);
	weights->channels = ossai_arena_new(arena, weights->channel_count, sizeof *weights->channels);
	weights->uvs = ossai_arena_new(arena, weights->uv_count, sizeof *weights->uvs);
	if (!w->links || !w->models || !weights->channels || !weights->uvs) return ossa_context_error(arena->context)->status;
	w->is_counting = false;
	return ossai_fbx_weigh(w);
}

ossa_status ossai_fbx_read_weights(ossai_arena *arena, const ossai_source *source, ossai_fbx_weights *weights)
{
	*weights = (ossai_fbx_weights){0};
	ossai_fbx_weigher w = {.arena = arena, .source = source, .weights = weights, .is_counting = true};
	OSSAI_TRY(ossai_fbx_weigh(&w));
	if (weights->channel_count == 0 && weights->uv_count == 0) return OSSA_OK;
	weights->owners = ossai_arena_new(arena, w.link_count, sizeof *weights->owners);
	weights->children = ossai_arena_new(arena, w.link_count, sizeof *weights->children);
	if (!weights->owners || !weights->children) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(list_all(&w));
	resolve(&w);
	return OSSA_OK;
}

ossa_status ossai_fbx_list_names(ossai_arena *arena, const ossai_source *source, ossai_word **names, size_t *count)
{
	ossai_fbx_weights weights = {0};
	ossai_fbx_weigher w = {.arena = arena, .source = source, .weights = &weights, .is_counting = true};
	*names = NULL;
	OSSAI_TRY(ossai_fbx_weigh(&w));
	*count = w.model_count;
	if (*count < 2) return OSSA_OK;
	OSSAI_TRY(list_all(&w));
	*names = ossai_arena_new(arena, *count, sizeof **names);
	if (!*names) return ossa_context_error(arena->context)->status;
	for (size_t m = 0; m < *count; m++) (*names)[m] = w.models[m].name;
	return OSSA_OK;
}

/* between the shapes before and after it; the last one goes on beyond its own percentage */
static double weight_of(const ossai_fbx_channel *channel, size_t step)
{
	const double percent = channel->percent, *full = channel->full;
	if (channel->full_count == 0) return percent / 100;
	const double before = step > 0 ? full[step - 1] : 0, own = full[step];
	const bool is_last = step + 1 == channel->full_count;
	const double weight = percent <= own || is_last ? (percent - before) / (own - before)
													: (full[step + 1] - percent) / (full[step + 1] - own);
	if (!isfinite(weight)) return 0;
	return step > 0 || percent > own ? fmax(weight, 0) : weight;
}

const ossai_fbx_child *ossai_fbx_child_at(const ossai_fbx_weights *weights, int64_t parent, size_t index)
{
	const ossai_fbx_child first = {.parent = parent};
	const size_t at = ossai_search(&first, weights->children, weights->child_count, sizeof first, compare_children);
	if (weights->child_count - at <= index || weights->children[at + index].parent != parent) return NULL;
	return &weights->children[at + index];
}

double ossai_fbx_weight(const ossai_fbx_weights *weights, int64_t model, const char *channel, size_t step)
{
	const ossai_fbx_owner key = {model, INT64_MIN};
	size_t o = ossai_search(&key, weights->owners, weights->owner_count, sizeof key, compare_owners);
	for (; o < weights->owner_count && weights->owners[o].model == model; o++) {
		const ossai_fbx_channel wanted = {.geometry = weights->owners[o].geometry, .name = {channel, strlen(channel)}};
		size_t c = ossai_search(&wanted, weights->channels, weights->channel_count, sizeof wanted, compare_channels);
		if (c == weights->channel_count || weights->channels[c].geometry != wanted.geometry) continue;
		if (!ossai_words_are_same(weights->channels[c].name, wanted.name)) continue;
		return step < weights->channels[c].full_count || step == 0 ? weight_of(&weights->channels[c], step) : 0;
	}
	return 0;
}

ossai_word ossai_fbx_uv_name(const ossai_fbx_weights *weights, int64_t model, size_t set)
{
	const ossai_fbx_owner key = {model, INT64_MIN};
	size_t o = ossai_search(&key, weights->owners, weights->owner_count, sizeof key, compare_owners);
	for (; o < weights->owner_count && weights->owners[o].model == model; o++) {
		const ossai_fbx_uv wanted = {.geometry = weights->owners[o].geometry, .set = (int64_t)set};
		const size_t u = ossai_search(&wanted, weights->uvs, weights->uv_count, sizeof wanted, compare_uvs);
		if (u == weights->uv_count || weights->uvs[u].geometry != wanted.geometry) continue;
		if (weights->uvs[u].set == wanted.set) return weights->uvs[u].name;
	}
	return (ossai_word){"", 0};
}
