/* import/maya/maya_cache.c: Maya geometry caches: .mc and .mcx, one file or one for each frame,
   with or without their XML.

   Place in the path: file → ossa_frames.
   Input: any of the cache's files.
   Output: a cache that reads its frames on demand. A cache of one file has the name of
   its XML; one of many adds Frame12, and Tick100 between frames. Whichever file is opened, the
   others are found beside it. Each channel is a mesh; they are joined in the order of the XML, or
   else as they come in the files. maya_records.c reads the files, maya_description.c the XML. */
#include "import/maya/maya_cache.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/folder.h"
#include "import/maya/maya_files.h"
#include "import/maya/maya_parts.h"
#include "scene/poses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ossai_maya_detect(const uint8_t *bytes, size_t size)
{
	return ossai_maya_is_records(bytes, size) || ossai_maya_is_description(bytes, size);
}

static ossa_status fail(const ossai_maya_cache *cache, const char *path, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static ossa_status fail(const ossai_maya_cache *cache, const char *path, const char *format, ...)
{
	const ossai_place place = ossai_in_file(path);
	va_list list;
	va_start(list, format);
	ossai_fail_list(cache->arena.context, OSSA_ERROR_INPUT, &place, format, list);
	va_end(list);
	return OSSA_ERROR_INPUT;
}

/* all files of a cache with one for each frame, in natural order */
static ossa_status find_frame_files(ossai_maya_cache *cache, const char *ending)
{
	OSSAI_TRY(ossai_maya_find_files(&cache->arena, cache->base, ending, &cache->path_count, &cache->paths));
	if (cache->path_count > 0) return OSSA_OK;
	return fail(cache, cache->source->path, "there is no file %sFrame1%s, nor one of another frame, beside it",
		ossai_file_name(cache->base), ending);
}

static ossa_status set_only_file(ossai_maya_cache *cache, const char *path)
{
	cache->paths = ossai_arena_new(&cache->arena, 1, sizeof *cache->paths);
	if (!cache->paths || !path) return ossa_context_error(cache->arena.context)->status;
	cache->paths[0] = path;
	cache->path_count = 1;
	return OSSA_OK;
}

/* ---- what the files hold ---- */

/* the XML, where it was opened or lies beside the file that was */
static ossa_status read_description(ossai_maya_cache *cache)
{
	ossa_context *context = cache->arena.context;
	if (ossai_maya_is_description(cache->source->bytes, cache->source->size)) {
		cache->is_described = true;
		return ossai_maya_description_read(&cache->arena, cache->source, &cache->description);
	}
	const char *path = ossai_folder_join(&cache->arena, cache->base, ".xml");
	if (!path) return ossa_context_error(context)->status;
	if (!ossai_file_is_input(context, path)) return OSSA_OK;
	ossai_file file;
	OSSAI_TRY(ossai_file_open(context, path, &file));
	const ossai_source source = {.path = path, .bytes = file.bytes, .size = file.size};
	/* of a file without it the channels are all taken */
	cache->is_described = ossai_maya_is_description(file.bytes, file.size);
	const ossa_status status = cache->is_described ? ossai_maya_description_read(&cache->arena, &source, &cache->description)
												   : OSSA_OK;
	ossai_file_close(context, &file);
	return status;
}

/* the other file that the XML names is held open; of many, each is opened when it is read */
static ossa_status read_file(ossai_maya_cache *cache, size_t index)
{
	ossa_context *context = cache->arena.context;
	const char *path = cache->paths[index];
	if (strcmp(path, cache->source->path) == 0) {
		return ossai_maya_records_read(&cache->records, cache->source, (uint32_t)index);
	}
	ossai_file file;
	OSSAI_TRY(ossai_file_open(context, path, &file));
	const ossai_source source = {.path = path, .bytes = file.bytes, .size = file.size};
	const ossa_status status = ossai_maya_records_read(&cache->records, &source, (uint32_t)index);
	if (cache->path_count == 1) cache->single = file;
	else ossai_file_close(context, &file);
	return status;
}

/* whether the source holds one time alone: one frame of many files */
static bool is_single_frame(const ossai_maya_records *records)
{
	for (size_t i = 1; i < records->count; i++) {
		if (records->items[i].ticks != records->items[0].ticks) return false;
	}
	return true;
}

static ossa_status read_files(ossai_maya_cache *cache)
{
	const char *name = ossai_file_name(cache->source->path), *number = ossai_maya_frame_of(name);
	if (ossai_maya_is_description(cache->source->bytes, cache->source->size)) {
		const ossai_maya_description *d = &cache->description;
		if (d->has_file_per_frame) OSSAI_TRY(find_frame_files(cache, d->ending));
		else OSSAI_TRY(set_only_file(cache, ossai_folder_join(&cache->arena, cache->base, d->ending)));
	} else {
		OSSAI_TRY(set_only_file(cache, cache->source->path));
		OSSAI_TRY(read_file(cache, 0));
		if (!number || !is_single_frame(&cache->records)) return OSSA_OK;
		cache->records = ossai_maya_records_begin(&cache->arena);
		OSSAI_TRY(find_frame_files(cache, ossai_maya_frame_end(number)));
	}
	for (size_t i = 0; i < cache->path_count; i++) OSSAI_TRY(read_file(cache, i));
	return OSSA_OK;
}

/* ---- channels ---- */

static uint32_t channel_called(const ossai_maya_records *records, ossai_word name)
{
	for (size_t i = 0; i < records->channel_count; i++) {
		if (ossai_words_are_same(records->channels[i], name)) return (uint32_t)i;
	}
	return OSSA_NONE;
}

static ossa_status take_described_channels(ossai_maya_cache *cache)
{
	const ossai_maya_description *d = &cache->description;
	for (size_t i = 0; i < d->channel_count; i++) {
		const uint32_t channel = channel_called(&cache->records, d->channels[i]);
		char name[64];
		ossai_name_copy(name, d->channels[i]);
		if (channel == OSSA_NONE) {
			return fail(
				cache, cache->source->path, "channel \"%s\" of the XML is not in the cache: export the cache again", name);
		}
		for (size_t k = 0; k < cache->channel_count; k++) {
			if (cache->channels[k] == channel)
				return fail(cache, cache->source->path, "channel \"%s\" is in the XML twice", name);
		}
		cache->channels[cache->channel_count++] = channel;
	}
	return OSSA_OK;
}

static ossa_status take_channels(ossai_maya_cache *cache)
{
	const ossai_maya_records *records = &cache->records;
	const size_t most = records->channel_count > cache->description.channel_count ? records->channel_count
																				  : cache->description.channel_count;
	cache->channels = ossai_arena_new(&cache->arena, most, sizeof *cache->channels);
	uint8_t *has_positions = ossai_arena_zero(&cache->arena, records->channel_count, 1);
	if (!cache->channels || !has_positions) return ossa_context_error(cache->arena.context)->status;
	if (cache->is_described) return take_described_channels(cache);
	for (size_t i = 0; i < records->count; i++) has_positions[records->items[i].channel] = 1;
	for (size_t i = 0; i < records->channel_count; i++) {
		if (has_positions[i]) cache->channels[cache->channel_count++] = (uint32_t)i;
	}
	if (cache->channel_count > 0) return OSSA_OK;
	return fail(cache, cache->source->path, "holds no positions: export a geometry cache of meshes");
}

/* ---- frames ---- */

static int compare_records(const void *a, const void *b)
{
	const ossai_maya_record *p = a, *q = b;
	if (p->channel != q->channel) return p->channel < q->channel ? -1 : 1;
	if (p->ticks != q->ticks) return p->ticks < q->ticks ? -1 : 1;
	if (p->file != q->file) return p->file < q->file ? -1 : 1;
	return (p->offset > q->offset) - (p->offset < q->offset);
}

/* The records of one channel, in the order of their times. */
typedef struct channel_track {
	const ossai_maya_record *at, *end;
} channel_track;

/* the record of that time, stepping over those before; of equal times the last. NULL where there is
   none */
static const ossai_maya_record *step_to(channel_track *track, int64_t ticks)
{
	while (track->at < track->end && track->at->ticks < ticks) track->at++;
	const ossai_maya_record *found = NULL;
	for (; track->at < track->end && track->at->ticks == ticks; track->at++) found = track->at;
	return found;
}

static ossa_status make_tracks(ossai_maya_cache *cache, channel_track **tracks)
{
	const ossai_maya_records *records = &cache->records;
	qsort(records->items, records->count, sizeof *records->items, compare_records);
	channel_track *all = ossai_arena_zero(&cache->arena, records->channel_count, sizeof *all);
	*tracks = ossai_arena_new(&cache->arena, cache->channel_count, sizeof **tracks);
	if (!all || !*tracks) return ossa_context_error(cache->arena.context)->status;
	for (size_t i = 0; i < records->count; i++) {
		channel_track *track = &all[records->items[i].channel];
		if (!track->at) track->at = &records->items[i];
		track->end = &records->items[i] + 1;
	}
	for (size_t k = 0; k < cache->channel_count; k++) (*tracks)[k] = all[cache->channels[k]];
	return OSSA_OK;
}

/* the times that all channels have */
static ossa_status join_frames(ossai_maya_cache *cache, channel_track *tracks)
{
	size_t most = SIZE_MAX, total = 0;
	for (size_t k = 0; k < cache->channel_count; k++) {
		const size_t count = (size_t)(tracks[k].end - tracks[k].at);
		total += count;
		if (count < most) most = count;
	}
	cache->frames = ossai_arena_new(&cache->arena, most, cache->channel_count * sizeof *cache->frames);
	if (!cache->frames) return ossa_context_error(cache->arena.context)->status;
	while (cache->frame_count < most && tracks[0].at < tracks[0].end) {
		const ossai_maya_record **frame = cache->frames + cache->frame_count * cache->channel_count;
		const int64_t ticks = tracks[0].at->ticks;
		bool complete = true;
		for (size_t k = 0; k < cache->channel_count; k++) {
			frame[k] = step_to(&tracks[k], ticks);
			complete = complete && frame[k];
		}
		cache->frame_count += complete;
	}
	if (cache->frame_count == 0) {
		return fail(cache, cache->source->path, "its channels have no time in common: export them in one cache");
	}
	const size_t left = total - cache->frame_count * cache->channel_count;
	if (left > 0) {
		ossai_warn(cache->arena.context, "cache-times-dropped", (int64_t)left,
			"%s: channels have times that others do not have, or have them twice; these are left out", cache->source->path);
	}
	return OSSA_OK;
}

static ossa_status check_counts(ossai_maya_cache *cache)
{
	cache->first = ossai_arena_zero(&cache->arena, cache->channel_count + 1, sizeof *cache->first);
	if (!cache->first) return ossa_context_error(cache->arena.context)->status;
	for (size_t k = 0; k < cache->channel_count; k++) {
		const size_t count = cache->frames[k]->count;
		cache->first[k + 1] = cache->first[k] + count;
		for (size_t f = 1; f < cache->frame_count; f++) {
			const ossai_maya_record *record = cache->frames[f * cache->channel_count + k];
			if (record->count == count) continue;
			char name[64];
			ossai_name_copy(name, cache->records.channels[record->channel]);
			return fail(cache, cache->paths[record->file],
				"channel \"%s\" has %zu vertices at first and %zu in frame %zu: ossa needs the same mesh in every frame", name,
				count, record->count, f + 1);
		}
	}
	if (cache->first[cache->channel_count] > 0) return OSSA_OK;
	return fail(cache, cache->source->path, "holds no vertices: export a geometry cache of meshes");
}

static ossa_status find_seconds(ossai_maya_cache *cache)
{
	cache->seconds = ossai_arena_new(&cache->arena, cache->frame_count, sizeof *cache->seconds);
	if (!cache->seconds) return ossa_context_error(cache->arena.context)->status;
	for (size_t f = 0; f < cache->frame_count; f++) {
		cache->seconds[f] = (double)cache->frames[f * cache->channel_count]->ticks / OSSAI_MAYA_TICKS_PER_SECOND;
	}
	return OSSA_OK;
}

/* frames that the XML declares and that are missing: a cache that was not written to its end, or
   whose files were lost */
static void warn_of_missing(const ossai_maya_cache *cache)
{
	const size_t expected = cache->is_described ? cache->description.frame_count : 0;
	if (expected > cache->frame_count) {
		ossai_warn(cache->arena.context, "cache-frames-missing", (int64_t)(expected - cache->frame_count),
			"%s: the XML declares %zu frames, %zu are there", cache->source->path, expected, cache->frame_count);
		return;
	}
	if (cache->frame_count < 2) return;
	const int64_t last = cache->frames[(cache->frame_count - 1) * cache->channel_count]->ticks;
	const int64_t before = cache->frames[(cache->frame_count - 2) * cache->channel_count]->ticks;
	if (cache->records.last_ticks < last) return;
	const int64_t missing = (cache->records.last_ticks - last) / (last - before);
	if (missing == 0) return;
	ossai_warn(cache->arena.context, "cache-frames-missing", missing,
		"%s: should last until second %g, and ends at %g: is it cut off?", cache->source->path,
		(double)cache->records.last_ticks / OSSAI_MAYA_TICKS_PER_SECOND, (double)last / OSSAI_MAYA_TICKS_PER_SECOND);
}

/* ---- opening and closing ---- */

static bool includes(const ossai_cache *view, const char *path)
{
	const ossai_maya_cache *cache = view->data;
	for (size_t i = 0; i < cache->path_count; i++) {
		if (strcmp(cache->paths[i], path) == 0) return true;
	}
	/* its XML has been checked, too */
	const size_t size = strlen(cache->base);
	return cache->is_described && strncmp(path, cache->base, size) == 0 && strcmp(path + size, ".xml") == 0;
}

static void close_cache(ossa_context *context, ossai_cache *view)
{
	ossai_maya_cache *cache = view->data;
	ossai_file_close(context, &cache->single);
	ossai_arena_end(&cache->arena);
	ossa_free(context, cache);
}

static ossa_status open_cache(ossai_maya_cache *cache)
{
	channel_track *tracks;
	cache->base = ossai_maya_base(&cache->arena, cache->source);
	if (!cache->base) return ossa_context_error(cache->arena.context)->status;
	OSSAI_TRY(read_description(cache));
	OSSAI_TRY(read_files(cache));
	OSSAI_TRY(take_channels(cache));
	OSSAI_TRY(make_tracks(cache, &tracks));
	OSSAI_TRY(join_frames(cache, tracks));
	OSSAI_TRY(check_counts(cache));
	OSSAI_TRY(find_seconds(cache));
	warn_of_missing(cache);
	return OSSA_OK;
}

ossa_status ossai_maya_open(ossa_context *context, const ossai_source *source, ossai_cache *view)
{
	*view = (ossai_cache){0};
	ossai_maya_cache *cache = ossa_alloc(context, 1, sizeof *cache);
	if (!cache) return ossa_context_error(context)->status;
	*view = (ossai_cache){.source = source, .read_frame = ossai_maya_read_frame, .close = close_cache, .data = cache};
	cache->arena = ossai_arena_begin(context);
	cache->source = source;
	cache->records = ossai_maya_records_begin(&cache->arena);
	const ossa_status status = open_cache(cache);
	if (status != OSSA_OK) {
		ossai_cache_close(context, view);
		return status;
	}
	view->frame_count = cache->frame_count;
	view->vertex_count = cache->first[cache->channel_count];
	view->seconds = cache->seconds;
	view->includes = includes;
	view->frames_per_sample = 1;
	return OSSA_OK;
}
