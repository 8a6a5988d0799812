/* import/read_frames.c: poses from several mesh files, and frames of point caches and animated
   files, one at a time or all at once.

   Place in the path: files → ossa_frame_stream → ossa_frames.
   Input: the rest mesh and paths.
   Output: one frame for each mesh and all frames of each cache and animation, in natural number
   order of the paths, checked to belong to the rest mesh. Of these, the range that the user asked
   for; other frames are not read. frame_source.c reads one file. */
#include "base/search.h"
#include "import/frame_meshes.h"
#include "import/frame_range.h"
#include "import/frame_source.h"
#include "import/frame_takes.h"
#include "import/sequence.h"
#include "methods/rig_warnings.h"
#include "scene/frame_stream.h"
#include "scene/poses.h"

#include <stdio.h>
#include <string.h>

/* What the stream reads from. */
typedef struct frame_files {
	ossai_frame_sources sources;
	size_t *first;           /* count + 1: how many frames there are before each source */
	ossai_frame_range range; /* of all sources' frames in a row */
} frame_files;

/* ---- which files ---- */

static ossa_status natural_order(ossai_frame_sources *all, size_t count, const char **paths)
{
	size_t *order = ossai_arena_new(&all->arena, count, sizeof *order);
	const char **sorted = ossai_arena_new(&all->arena, count, sizeof *sorted);
	if (!order || !sorted) return ossa_context_error(all->context)->status;
	OSSAI_TRY(ossai_natural_order(all->context, count, paths, order));
	for (size_t i = 0; i < count; i++) sorted[i] = paths[order[i]];
	memcpy(paths, sorted, count * sizeof *paths);
	return OSSA_OK;
}

/* the paths with every '#' replaced by the files that it stands for */
static ossa_status expand_paths(
	ossai_frame_sources *all, size_t count, const char *const *paths, size_t *expanded_count, const char ***expanded)
{
	size_t *counts = ossai_arena_new(&all->arena, count, sizeof *counts);
	const char *const **lists = ossai_arena_new(&all->arena, count, sizeof *lists);
	if (!counts || !lists) return ossa_context_error(all->context)->status;
	*expanded_count = 0;
	for (size_t i = 0; i < count; i++) {
		counts[i] = 1;
		lists[i] = paths + i;
		if (ossai_sequence_is(all->context, paths[i]))
			OSSAI_TRY(ossai_sequence_expand(&all->arena, paths[i], &counts[i], &lists[i]));
		*expanded_count += counts[i];
	}
	*expanded = ossai_arena_new(&all->arena, *expanded_count, sizeof **expanded);
	if (!*expanded) return ossa_context_error(all->context)->status;
	for (size_t i = 0, at = 0; i < count; at += counts[i++]) memcpy(*expanded + at, lists[i], counts[i] * sizeof **expanded);
	return OSSA_OK;
}

/* ---- opening ---- */

static ossa_status name_source(ossai_frame_sources *all, size_t index, const char *path)
{
	const size_t length = strlen(path) + 1;
	char *copy = ossai_arena_new(&all->arena, length, 1);
	if (!copy) return ossa_context_error(all->context)->status;
	all->items[index].source.path = memcpy(copy, path, length);
	return OSSA_OK;
}

static ossa_status open_sources(frame_files *files, size_t count, const char *const *paths, bool keep_order)
{
	ossai_frame_sources *all = &files->sources;
	size_t expanded_count = 0;
	const char **expanded = NULL;
	OSSAI_TRY(expand_paths(all, count, paths, &expanded_count, &expanded));
	if (!keep_order) OSSAI_TRY(natural_order(all, expanded_count, expanded));
	all->items = ossai_arena_zero(&all->arena, expanded_count, sizeof *all->items);
	files->first = ossai_arena_zero(&all->arena, expanded_count + 1, sizeof *files->first);
	if (!all->items || !files->first) return ossa_context_error(all->context)->status;
	all->is_single = expanded_count == 1;
	for (size_t i = 0; i < expanded_count; i++) {
		/* counted first, so that its file is closed also where the rest of the opening fails */
		all->count = i + 1;
		OSSAI_TRY(name_source(all, i, expanded[i]));
		OSSAI_TRY(ossai_frame_source_open(all, i));
		files->first[i + 1] = files->first[i] + all->items[i].frame_count;
	}
	return OSSA_OK;
}

static ossa_status choose_range(frame_files *files)
{
	const ossai_frame_sources *all = &files->sources;
	const size_t count = files->first[all->count];
	/* a single scene has taken its range itself */
	const bool is_taken = all->is_single && all->items[0].entry->read_asset;
	const ossa_range every = {0, 0, 0};
	return ossai_frame_range_of(all->context, is_taken ? &every : &all->options.frames, count, &files->range);
}

/* ---- times and names ---- */

/* Times while the sources are concatenated. Poses are counted, so that their times have no
   accumulated rounding. */
typedef struct frames_clock {
	double begin; /* after the last cache */
	size_t poses; /* since then */
} frames_clock;

/* the frames of a cache keep their distances in time; files follow each other by one frame */
static double time_of_frame(
	const ossai_frame_sources *all, const frames_clock *clock, const ossai_frame_source *source, size_t frame)
{
	return clock->begin + (double)clock->poses / all->rate + ossai_frame_source_time(all, source, frame);
}

static void clock_after(const ossai_frame_sources *all, frames_clock *clock, const ossai_frame_source *source)
{
	if (source->frame_count == 0) return;
	if (!source->times) clock->poses++;
	else *clock = (frames_clock){time_of_frame(all, clock, source, source->frame_count - 1) + 1 / all->rate, 0};
}

static void name_frame(const ossai_frame_source *source, size_t frame, char result[64])
{
	char name[64];
	ossai_name_of_path(name, source->source.path);
	if (source->frame_count == 1) memcpy(result, name, sizeof name);
	else snprintf(result, 64, "%.40s-%zu", name, frame + 1);
}

static void fill_times(const frame_files *files, ossa_frame_stream *stream)
{
	const ossai_frame_sources *all = &files->sources;
	frames_clock clock = {0, 0};
	size_t seen = 0, kept = 0;
	for (size_t i = 0; i < all->count; i++) {
		const ossai_frame_source *source = &all->items[i];
		for (size_t k = 0; k < source->frame_count; k++, seen++) {
			if (!ossai_frame_range_has(&files->range, seen)) continue;
			name_frame(source, k, stream->names[kept]);
			stream->times[kept++] = time_of_frame(all, &clock, source, k);
		}
		clock_after(all, &clock, source);
	}
	for (size_t k = stream->frame_count; k-- > 0;) stream->times[k] -= stream->times[0];
}

/* ---- the stream ---- */

/* the source that a frame of the stream is in, and which of its frames it is */
static size_t find_source(const frame_files *files, size_t frame, size_t *own)
{
	const size_t index = files->range.first + frame * files->range.step;
	const size_t source = ossai_search_size(files->first, files->sources.count, index);
	*own = index - files->first[source];
	return source;
}

static ossa_status read_frame(ossa_context *context, ossa_frame_stream *stream, size_t frame, float *positions)
{
	(void)context;
	frame_files *files = stream->data;
	size_t own;
	const size_t source = find_source(files, frame, &own);
	return ossai_frame_source_read(&files->sources, source, own, positions);
}

/* meshes that follow each other are read at the same time */
static ossa_status read_frames(
	ossa_context *context, ossa_frame_stream *stream, size_t count, const size_t *frames, float *const *positions)
{
	frame_files *files = stream->data;
	ossai_frame_sources *all = &files->sources;
	for (size_t i = 0, run; i < count; i += run) {
		size_t sources[OSSAI_FRAMES_AT_ONCE], own;
		for (run = 0; run < OSSAI_FRAMES_AT_ONCE && i + run < count; run++) {
			sources[run] = find_source(files, frames[i + run], &own);
			if (!ossai_frame_source_is_mesh(&all->items[sources[run]])) break;
		}
		if (run > 0) {
			OSSAI_TRY(ossai_frame_meshes_read(all, run, sources, positions + i));
		} else {
			OSSAI_TRY(read_frame(context, stream, frames[i], positions[i]));
			run = 1;
		}
	}
	return OSSA_OK;
}

static void close_files(ossa_context *context, frame_files *files)
{
	for (size_t i = 0; i < files->sources.count; i++) ossai_frame_source_close(&files->sources, i);
	ossai_file_close(context, &files->sources.faces_file);
	ossai_arena_end(&files->sources.arena);
	ossa_free(context, files);
}

static void close_stream(ossa_context *context, ossa_frame_stream *stream) { close_files(context, stream->data); }

/* the weights of morph targets in the frames of the stream, of a single animation */
static ossa_status take_morphs(const frame_files *files, ossa_frame_stream *stream)
{
	const ossai_frame_sources *all = &files->sources;
	const ossai_frame_source *source = &all->items[0];
	const size_t count = source->morph_count;
	for (size_t i = 0; i < all->count; i++) stream->morphs_at_rest = stream->morphs_at_rest || all->items[i].morphs_at_rest;
	if (!all->is_single || !source->morph_weights) return OSSA_OK;
	stream->morph_weights = ossai_new(all->context, stream->frame_count * count, sizeof *stream->morph_weights);
	if (!stream->morph_weights) return ossa_context_error(all->context)->status;
	stream->morph_count = count;
	for (size_t f = 0; f < stream->frame_count; f++) {
		const double *from = source->morph_weights + (files->range.first + f * files->range.step) * count;
		memcpy(stream->morph_weights + f * count, from, count * sizeof *from);
	}
	return OSSA_OK;
}

static ossa_status make_stream(frame_files *files, ossa_frame_stream **stream)
{
	const ossai_frame_sources *all = &files->sources;
	const size_t count = ossai_frame_range_count(&files->range);
	OSSAI_TRY(ossai_frame_stream_new(all->context, count, all->vertex_count, true, stream));
	fill_times(files, *stream);
	(*stream)->path = all->is_single ? all->items[0].source.path : NULL;
	(*stream)->read = read_frame;
	(*stream)->read_several = read_frames;
	ossa_status status = ossai_frame_takes_make(all, files->first, &files->range, *stream);
	if (status == OSSA_OK) status = take_morphs(files, *stream);
	if (status != OSSA_OK) {
		ossa_frame_stream_free(all->context, *stream);
		*stream = NULL;
		return status;
	}
	/* from now on the stream closes its files */
	(*stream)->close = close_stream;
	(*stream)->data = files;
	return OSSA_OK;
}

static ossa_status begin_files(
	ossa_context *context, const ossa_mesh *rest, const ossa_read_options *options, frame_files **result)
{
	const ossa_read_options used = options ? *options : ossa_read_default();
	OSSAI_TRY(ossa_options_check(context, ossa_read_option_table(), &used));
	*result = ossa_alloc(context, 1, sizeof **result);
	if (!*result) return ossa_context_error(context)->status;
	(*result)->sources = (ossai_frame_sources){.context = context,
		.arena = ossai_arena_begin(context),
		.rest = rest,
		.vertex_count = rest ? rest->vertex_count : 0,
		.options = used,
		.rate = used.frames_per_second > 0 ? used.frames_per_second : OSSAI_DEFAULT_RATE,
		.orientation = ossai_orientation_of(&used),
		.open_scene = SIZE_MAX};
	return OSSA_OK;
}

static ossa_status check_paths(ossa_context *context, size_t count, const char *const *paths)
{
	if (count == 0) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there are no poses to read: name at least one file");
	}
	for (size_t i = 0; i < count; i++) {
		if (!paths || !paths[i]) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "path %zu of the poses is NULL", i);
	}
	return OSSA_OK;
}

static ossa_status open_stream(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
	bool keep_order, const ossa_read_options *options, ossa_frame_stream **stream)
{
	frame_files *files;
	*stream = NULL;
	OSSAI_TRY(check_paths(context, path_count, paths));
	OSSAI_TRY(begin_files(context, rest, options, &files));
	ossai_reading_begin(context);
	ossa_status status = open_sources(files, path_count, paths, keep_order);
	if (status == OSSA_OK) status = choose_range(files);
	if (status == OSSA_OK) status = make_stream(files, stream);
	if (status != OSSA_OK) close_files(context, files);
	return status;
}

ossa_status ossa_frame_stream_open(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
	bool keep_order, const ossa_read_options *options, ossa_frame_stream **stream)
{
	if (stream) *stream = NULL;
	OSSAI_NEED(context, stream);
	ossai_stage_begin(context, "read");
	const ossa_status status = open_stream(context, rest, path_count, paths, keep_order, options, stream);
	ossai_stage_end(context);
	return status;
}

/* ---- a mesh and its motion in one ---- */

static ossa_status begin_single(ossai_frame_sources *all, frame_files *files, const char *path)
{
	all->items = ossai_arena_zero(&all->arena, 1, sizeof *all->items);
	files->first = ossai_arena_zero(&all->arena, 2, sizeof *files->first);
	if (!all->items || !files->first) return ossa_context_error(all->context)->status;
	all->count = 1;
	all->is_single = true;
	return name_source(all, 0, path);
}

/* of a file in which nothing moves */
static void warn_of_unused_range(ossa_context *context, const ossa_read_options *options)
{
	static const char why[] = "the file holds one mesh without motion";
	if (!options) return;
	const ossa_range *range = &options->frames;
	const ossai_unused unused[] = {{"clip", options->clip[0] != 0, why},
		{"frames", range->first != 0 || range->last != 0 || range->step != 0, why},
		{"fps", options->frames_per_second > 0, why}};
	ossai_warn_of_unused_options(context, sizeof unused / sizeof *unused, unused);
}

static ossa_status open_single(
	ossa_context *context, const char *path, const ossa_read_options *options, ossa_mesh **mesh, ossa_frame_stream **stream)
{
	frame_files *files;
	OSSAI_TRY(begin_files(context, NULL, options, &files));
	ossai_frame_sources *all = &files->sources;
	ossa_status status = begin_single(all, files, path);
	ossai_reading_begin(context);
	if (status == OSSA_OK) status = ossai_frame_source_open_animation(all, mesh);
	const bool moves = status == OSSA_OK && all->items[0].frame_count > 0;
	if (moves) files->first[1] = all->items[0].frame_count;
	if (moves) status = choose_range(files);
	if (moves && status == OSSA_OK) status = make_stream(files, stream);
	if (status == OSSA_OK && !moves) warn_of_unused_range(context, options);
	if (!moves || status != OSSA_OK) close_files(context, files);
	return status;
}

/* numbered files: the first is the mesh at rest, all are frames */
static ossa_status open_sequence(
	ossa_context *context, const char *path, const ossa_read_options *options, ossa_mesh **mesh, ossa_frame_stream **stream)
{
	OSSAI_TRY(ossa_read_mesh(context, path, options, mesh));
	return open_stream(context, *mesh, 1, &path, false, options, stream);
}

ossa_status ossa_frame_stream_open_animation(
	ossa_context *context, const char *path, const ossa_read_options *options, ossa_mesh **mesh, ossa_frame_stream **stream)
{
	ossa_frame_stream *unwanted = NULL;
	if (stream) *stream = NULL;
	if (mesh) *mesh = NULL;
	/* the stream reads from the mesh, so that nobody can do without it */
	OSSAI_NEED(context, path, mesh);
	if (!stream) stream = &unwanted;
	ossai_stage_begin(context, "read");
	const ossa_status status = (ossai_sequence_is(context, path) ? open_sequence : open_single)(
		context, path, options, mesh, stream);
	ossai_stage_end(context);
	ossa_frame_stream_free(context, unwanted);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_mesh_free(context, *mesh);
	*mesh = NULL;
	return status;
}

/* ---- all frames ---- */

ossa_status ossa_read_frames(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
	bool keep_order, const ossa_read_options *options, ossa_frames **frames)
{
	if (frames) *frames = NULL;
	OSSAI_NEED(context, frames);
	ossa_frame_stream *stream;
	ossai_stage_begin(context, "read");
	ossa_status status = open_stream(context, rest, path_count, paths, keep_order, options, &stream);
	if (status == OSSA_OK) status = ossa_frame_stream_frames(context, stream, 0, NULL, frames);
	ossa_frame_stream_free(context, stream);
	ossai_stage_end(context);
	return status;
}
