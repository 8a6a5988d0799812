/* import/frame_cache.c: point caches as sources of frames: see frame_source.h.

   Place in the path: inside frame_source.c.
   Input: an open cache.
   Output: its frames, or samples between them at a rate that the user wants. */
#include "import/frame_cache.h"

#include "base/search.h"
#include "scene/poses.h"

#include <math.h>

/* the most frames that a cache is sampled into, for each of its own and in addition: times beyond
   that are wrong */
static const double most_samples_of_frame = 100, most_samples_besides = 10000;

/* a time this close to a sample's, as a share of the distance between two frames, is that
   sample's */
static const double same_time = 1e-6;

static ossa_status check_cache(ossai_frame_sources *all, const ossai_frame_source *source)
{
	if (!all->rest && all->vertex_count == 0) all->vertex_count = source->cache.vertex_count;
	if (source->cache.vertex_count == all->vertex_count) return OSSA_OK;
	const ossai_place place = ossai_in_file(source->source.path);
	return ossai_fail(all->context, OSSA_ERROR_INPUT, &place,
		"has %zu vertices, but the %s %s has %zu: the cache must be of the same mesh", source->cache.vertex_count,
		all->rest ? "rest mesh" : "cache", all->rest ? all->rest->name : all->items[0].source.path, all->vertex_count);
}

/* a cache of many files is read once, whichever of them are named */
bool ossai_frame_cache_is_open(const ossai_frame_sources *all, const ossai_frame_source *source)
{
	for (const ossai_frame_source *other = all->items; other < source; other++) {
		if (other->cache.includes && other->cache.includes(&other->cache, source->source.path)) return true;
	}
	return false;
}

static ossa_status sample_cache(ossai_frame_sources *all, ossai_frame_source *source)
{
	const double seconds = source->times[source->cache.frame_count - 1];
	const double count = floor(seconds * all->options.frames_per_second + same_time) + 1;
	const ossai_place place = ossai_in_file(source->source.path);
	if (!(count <= most_samples_of_frame * (double)source->cache.frame_count + most_samples_besides)) {
		return ossai_fail(all->context, OSSA_ERROR_LIMIT, &place,
			"has %zu frames in %g seconds, which would become %g frames: give a smaller `fps`", source->cache.frame_count,
			seconds, count);
	}
	source->is_sampled = true;
	source->frame_count = (size_t)count;
	return OSSA_OK;
}

ossa_status ossai_frame_cache_open(ossai_frame_sources *all, ossai_frame_source *source)
{
	ossa_context *context = all->context;
	OSSAI_TRY(source->entry->open_cache(context, &source->source, &source->cache));
	OSSAI_TRY(check_cache(all, source));
	source->frame_count = source->cache.frame_count;
	source->times = ossai_arena_new(&all->arena, source->frame_count, sizeof *source->times);
	if (!source->times) return ossa_context_error(context)->status;
	ossai_cache_times(context, &source->cache, all->rate, source->times);
	const bool wants_rate = all->options.frames_per_second > 0;
	return wants_rate && ossai_cache_is_timed(&source->cache) ? sample_cache(all, source) : OSSA_OK;
}

/* the last of the cache's frames that is not after `time` */
static size_t frame_before(const ossai_frame_source *source, double time)
{
	return ossai_search_double(source->times, source->cache.frame_count, time);
}

/* the positions at a time between two frames of the cache */
static ossa_status sample_frame(ossai_frame_sources *all, const ossai_frame_source *source, size_t index, float *positions)
{
	const ossai_cache *cache = &source->cache;
	const double step = 1 / all->options.frames_per_second, time = (double)index * step;
	const size_t before = frame_before(source, time + same_time * step);
	OSSAI_TRY(ossai_cache_frame(all->context, cache, before, positions));
	const double begin = source->times[before];
	if (before + 1 == cache->frame_count || fabs(time - begin) <= same_time * step) return OSSA_OK;
	const size_t count = 3 * cache->vertex_count;
	float *after = ossai_new(all->context, count, sizeof *after);
	if (!after) return ossa_context_error(all->context)->status;
	const ossa_status status = ossai_cache_frame(all->context, cache, before + 1, after);
	const double share = (time - begin) / (source->times[before + 1] - begin);
	for (size_t i = 0; i < count && status == OSSA_OK; i++) {
		positions[i] = (float)((1 - share) * positions[i] + share * after[i]);
	}
	ossa_free(all->context, after);
	return status;
}

/* caches do not say which axis is up in them, and programs differ in what they write */
static void look_at_axes(ossai_frame_sources *all, ossai_frame_source *source, const float *positions)
{
	if (source->is_looked_at || !all->rest) return;
	source->is_looked_at = true;
	const ossa_up up = ossai_orientation_seems(all->vertex_count, all->rest->positions, positions);
	if (up == OSSA_UP_FILE) return;
	ossai_warn(all->context, "cache-axes", 1,
		"%s: fits the rest mesh when it is turned from %s up to %s up: export both with the same axis up (`input-up z` where "
		"it is z)",
		source->source.path, up == OSSA_UP_Z ? "z" : "y", up == OSSA_UP_Z ? "y" : "z");
}

/* Positions without faces can only be checked by their geometry. The first frame of a source is
   checked: in later frames vertices may fly apart. */
ossa_status ossai_frame_check_order(ossai_frame_sources *all, ossai_frame_source *source, const float *positions)
{
	if (source->has_order || !all->rest) return OSSA_OK;
	source->has_order = true;
	if (ossai_pose_is_in_order(all->rest, positions)) return OSSA_OK;
	if (all->options.ignore_pose_faces) {
		ossai_warn(all->context, "pose-order", 1,
			"%s: most edges of the mesh %s are several times as long as at rest: are the vertices in another order?",
			source->source.path, all->rest->name);
		return OSSA_OK;
	}
	const ossai_place place = ossai_in_file(source->source.path);
	return ossai_fail(all->context, OSSA_ERROR_INPUT, &place,
		"its vertices are in another order than those of %s, or of another mesh of as many: most edges become several times as "
		"long as at rest. Export both from one program with the order of vertices kept, or give the mesh that these frames "
		"were "
		"made of; `ignore-pose-faces` takes them as they are",
		all->rest->name);
}

ossa_status ossai_frame_cache_read(ossai_frame_sources *all, ossai_frame_source *source, size_t frame, float *positions)
{
	if (source->is_sampled) OSSAI_TRY(sample_frame(all, source, frame, positions));
	else OSSAI_TRY(ossai_cache_frame(all->context, &source->cache, frame, positions));
	const size_t bytes = 12 * all->vertex_count;
	if (source->cache.positions && !source->is_sampled) {
		ossai_file_forget(&source->file, source->cache.positions + frame * bytes, bytes);
	}
	OSSAI_TRY(ossai_orient_points(all->context, all->orientation, source->source.path, all->vertex_count, positions));
	look_at_axes(all, source, positions);
	return ossai_frame_check_order(all, source, positions);
}
