/* import/read_frames.c: poses from several mesh files, and frames of point caches.

   Place in the path: files → ossa_frames.  In: the rest mesh and paths.  Out: one frame for each mesh and all frames of each cache,
   in natural number order of the paths, checked to belong to the rest mesh. */
#include "import/registry.h"
#include "scene/poses.h"

#include <stdio.h>
#include <string.h>

/* One path: a mesh (one frame) or a cache. */
typedef struct frame_source {
	ossai_file file;
	ossai_source source;
	const ossai_read_entry *entry;
	ossai_cache cache;
	size_t frame_count;
} frame_source;

typedef struct frames_reader {
	ossa_context *context;
	const ossa_mesh *rest; /* NULL: caches alone */
	size_t vertex_count;   /* of every frame; 0 until the first cache tells it */
	ossa_read_options options;
	frame_source *sources; /* in the order of the frames */
	size_t source_count;
	bool has_cache;
	ossa_frames *frames;
} frames_reader;

/* ---- what the files hold ---- */

static ossa_status check_cache(frames_reader *reader, const frame_source *source)
{
	if (!reader->rest && reader->vertex_count == 0) reader->vertex_count = source->cache.vertex_count;
	if (source->cache.vertex_count == reader->vertex_count) return OSSA_OK;
	ossai_place place = OSSAI_NOWHERE;
	place.file = source->source.path;
	return ossai_fail(reader->context, OSSA_ERROR_INPUT, &place,
		"has %zu vertices, but the %s %s has %zu: the cache must be of the same mesh", source->cache.vertex_count,
		reader->rest ? "rest mesh" : "cache", reader->rest ? reader->rest->name : reader->sources[0].source.path,
		reader->vertex_count);
}

static ossa_status open_source(frames_reader *reader, const char *path, frame_source *source)
{
	ossa_context *context = reader->context;
	OSSAI_TRY(ossai_file_open(context, path, &source->file));
	source->source = (ossai_source){path, source->file.bytes, source->file.size};
	OSSAI_TRY(ossai_read_entry_for(context, &source->source, &source->entry));
	source->frame_count = 1;
	if (source->entry->open_cache) {
		OSSAI_TRY(source->entry->open_cache(context, &source->source, &source->cache));
		source->frame_count = source->cache.frame_count;
		reader->has_cache = true;
		return check_cache(reader, source);
	}
	ossai_place place = OSSAI_NOWHERE;
	place.file = path;
	if (!reader->rest) return ossai_fail(context, OSSA_ERROR_INPUT, &place, "is a mesh: its poses need the rest mesh");
	if (source->entry->keeps_order) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, &place,
		"is %s, whose vertices have no order of their own, so they cannot be matched with the rest: export poses as OBJ or PLY",
		source->entry->format.title);
}

static ossa_status open_sources(
	frames_reader *reader, ossai_arena *arena, size_t count, const char *const *paths, bool keep_order)
{
	size_t *order = ossai_arena_new(arena, count, sizeof *order);
	reader->sources = ossai_arena_zero(arena, count, sizeof *reader->sources);
	if (!order || !reader->sources) return ossa_context_error(reader->context)->status;
	for (size_t i = 0; i < count; i++) order[i] = i;
	if (!keep_order) OSSAI_TRY(ossai_natural_order(reader->context, count, paths, order));
	for (size_t i = 0; i < count; i++) {
		/* counted first, so that its file is closed also where the rest of the opening fails */
		reader->source_count = i + 1;
		OSSAI_TRY(open_source(reader, paths[order[i]], &reader->sources[i]));
	}
	return OSSA_OK;
}

static void close_sources(frames_reader *reader)
{
	for (size_t i = 0; i < reader->source_count; i++) ossai_file_close(reader->context, &reader->sources[i].file);
}

/* ---- frames ---- */

static ossa_status make_frames(frames_reader *reader)
{
	ossa_context *context = reader->context;
	size_t count = 0;
	for (size_t i = 0; i < reader->source_count; i++) count += reader->sources[i].frame_count;
	OSSAI_TRY(ossa_frames_create(context, count, reader->vertex_count, reader->options.frames_per_second, &reader->frames));
	reader->frames->names = ossa_alloc(context, count, sizeof reader->frames->names[0]);
	return reader->frames->names ? OSSA_OK : ossa_context_error(context)->status;
}

static ossa_status read_pose(frames_reader *reader, const frame_source *source, size_t frame)
{
	ossa_context *context = reader->context;
	ossa_frames *frames = reader->frames;
	const bool compare = !reader->options.ignore_pose_faces;
	ossa_mesh *pose = NULL;
	OSSAI_TRY(source->entry->read_mesh(context, &source->source, compare ? OSSAI_PARTS_FACES : OSSAI_PARTS_POSITIONS, &pose));
	const ossa_status status = ossai_pose_check(context, reader->rest, pose, source->source.path, compare);
	if (status == OSSA_OK) {
		memcpy(frames->positions + 3 * frame * pose->vertex_count, pose->positions,
			3 * pose->vertex_count * sizeof *pose->positions);
		ossai_name_of_path(frames->names[frame], source->source.path);
	}
	ossa_mesh_free(context, pose);
	return status;
}

static ossa_status read_cache(frames_reader *reader, const frame_source *source, size_t frame)
{
	ossa_frames *frames = reader->frames;
	char name[64];
	ossai_name_of_path(name, source->source.path);
	for (size_t i = 0; i < source->frame_count; i++) {
		snprintf(frames->names[frame + i], sizeof frames->names[0], "%.40s-%zu", name, i + 1);
	}
	return ossai_cache_positions(reader->context, &source->cache, frames->positions + 3 * frame * frames->vertex_count);
}

/* the frames of a cache keep their distances in time; files follow each other by one frame */
static void set_times(frames_reader *reader)
{
	double *times = reader->frames->times;
	const double step = 1 / reader->options.frames_per_second;
	size_t frame = 0;
	for (size_t i = 0; reader->has_cache && i < reader->source_count; i++) {
		const frame_source *source = &reader->sources[i];
		const double begin = frame ? times[frame - 1] + step : 0;
		times[frame] = 0;
		if (source->entry->open_cache) {
			ossai_cache_times(reader->context, &source->cache, reader->options.frames_per_second, times + frame);
		}
		for (size_t k = 0; k < source->frame_count; k++) times[frame + k] += begin;
		frame += source->frame_count;
	}
}

static ossa_status read_sources(frames_reader *reader)
{
	size_t frame = 0;
	for (size_t i = 0; i < reader->source_count; i++) {
		const frame_source *source = &reader->sources[i];
		if (source->entry->open_cache) OSSAI_TRY(read_cache(reader, source, frame));
		else OSSAI_TRY(read_pose(reader, source, frame));
		frame += source->frame_count;
		OSSAI_TRY(ossai_progress(reader->context, (double)(i + 1) / (double)reader->source_count));
	}
	set_times(reader);
	return OSSA_OK;
}

ossa_status ossa_read_frames(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
	bool keep_order, const ossa_read_options *options, ossa_frames **frames)
{
	*frames = NULL;
	frames_reader reader = {.context = context, .rest = rest, .options = options ? *options : ossa_read_default()};
	reader.vertex_count = rest ? rest->vertex_count : 0;
	OSSAI_TRY(ossa_options_check(context, ossa_read_option_table(), &reader.options));
	if (reader.options.frames_per_second == 0) reader.options.frames_per_second = OSSAI_DEFAULT_RATE;
	if (path_count == 0)
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there are no poses to read: name at least one file");
	ossai_stage_begin(context, "read");
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = open_sources(&reader, &arena, path_count, paths, keep_order);
	if (status == OSSA_OK) status = make_frames(&reader);
	if (status == OSSA_OK) status = read_sources(&reader);
	close_sources(&reader);
	ossai_arena_end(&arena);
	ossai_stage_end(context);
	if (status == OSSA_OK) *frames = reader.frames;
	else ossa_frames_free(context, reader.frames);
	return status;
}
