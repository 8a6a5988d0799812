/* import/read_frames.c: poses from several mesh files, and frames of point caches and animated files.

   Place in the path: files → ossa_frames.  In: the rest mesh and paths.  Out: one frame for each mesh and all frames of each cache and animation, in natural number order of the paths, checked to belong to the rest mesh. Of these, the range that the user asked for; what it
   leaves out is not read. */
#include "import/frame_range.h"
#include "import/orient.h"
#include "import/registry.h"
#include "import/sequence.h"
#include "scene/poses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* more frames than anyone samples a cache into, for each of its own and besides: times that lead beyond are wrong */
static const double most_samples_of_frame = 100, most_samples_besides = 10000;

/* a time this near to a sample's, as a share of the distance between two frames, is that sample's */
static const double same_time = 1e-6;

/* One path: a mesh (one frame), a cache, or a file of scenes, whose frames are all made when it is opened. */
typedef struct frame_source {
	ossai_source source;
	ossai_file file; /* held for caches, and for what cannot be opened twice */
	const ossai_read_entry *entry;
	ossai_cache cache; /* where the entry is a cache's */
	double *times;     /* of the cache's own frames, from 0 on */
	bool is_sampled;   /* its frames are taken between the cache's own, so many a second as the user wants */
	ossa_frames *scene;
	bool is_looked_at; /* its axes have been compared with the rest's */
	size_t frame_count;
} frame_source;

typedef struct frames_reader {
	ossa_context *context;
	ossai_arena arena;
	const ossa_mesh *rest; /* NULL: caches alone */
	size_t vertex_count;   /* of every frame; 0 until the first cache tells it */
	ossa_read_options options;
	double rate; /* frames per second of what has no times */
	ossai_orientation orientation;
	frame_source *sources; /* in the order of the frames */
	size_t source_count;
	ossai_frame_range range; /* of all sources' frames in a row */
	bool is_single;          /* there is one source */
	ossa_frames *frames;
} frames_reader;

/* ---- which files ---- */

static ossa_status natural_order(frames_reader *reader, size_t count, const char **paths)
{
	size_t *order = ossai_arena_new(&reader->arena, count, sizeof *order);
	const char **sorted = ossai_arena_new(&reader->arena, count, sizeof *sorted);
	if (!order || !sorted) return ossa_context_error(reader->context)->status;
	OSSAI_TRY(ossai_natural_order(reader->context, count, paths, order));
	for (size_t i = 0; i < count; i++) sorted[i] = paths[order[i]];
	memcpy(paths, sorted, count * sizeof *paths);
	return OSSA_OK;
}

/* the paths with every '#' replaced by the files that it stands for */
static ossa_status expand_paths(
	frames_reader *reader, size_t count, const char *const *paths, size_t *expanded_count, const char ***expanded)
{
	size_t *counts = ossai_arena_new(&reader->arena, count, sizeof *counts);
	const char *const **lists = ossai_arena_new(&reader->arena, count, sizeof *lists);
	if (!counts || !lists) return ossa_context_error(reader->context)->status;
	*expanded_count = 0;
	for (size_t i = 0; i < count; i++) {
		counts[i] = 1;
		lists[i] = paths + i;
		if (ossai_sequence_is(paths[i])) OSSAI_TRY(ossai_sequence_expand(&reader->arena, paths[i], &counts[i], &lists[i]));
		*expanded_count += counts[i];
	}
	*expanded = ossai_arena_new(&reader->arena, *expanded_count, sizeof **expanded);
	if (!*expanded) return ossa_context_error(reader->context)->status;
	for (size_t i = 0, at = 0; i < count; at += counts[i++]) memcpy(*expanded + at, lists[i], counts[i] * sizeof **expanded);
	return OSSA_OK;
}

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

/* a cache of many files counts once, whichever of them are named */
static bool is_open_already(const frames_reader *reader, const frame_source *source)
{
	for (const frame_source *other = reader->sources; other < source; other++) {
		if (other->cache.includes && other->cache.includes(&other->cache, source->source.path)) return true;
	}
	return false;
}

static ossa_status sample_cache(frames_reader *reader, frame_source *source)
{
	const double seconds = source->times[source->cache.frame_count - 1];
	const double count = floor(seconds * reader->options.frames_per_second + same_time) + 1;
	ossai_place place = OSSAI_NOWHERE;
	place.file = source->source.path;
	if (!(count <= most_samples_of_frame * (double)source->cache.frame_count + most_samples_besides)) {
		return ossai_fail(reader->context, OSSA_ERROR_LIMIT, &place,
			"has %zu frames in %g seconds, which would become %g frames: give a smaller --fps", source->cache.frame_count,
			seconds, count);
	}
	source->is_sampled = true;
	source->frame_count = (size_t)count;
	return OSSA_OK;
}

static ossa_status open_cache(frames_reader *reader, frame_source *source)
{
	ossa_context *context = reader->context;
	OSSAI_TRY(source->entry->open_cache(context, &source->source, &source->cache));
	OSSAI_TRY(check_cache(reader, source));
	source->frame_count = source->cache.frame_count;
	source->times = ossai_arena_new(&reader->arena, source->frame_count, sizeof *source->times);
	if (!source->times) return ossa_context_error(context)->status;
	ossai_cache_times(context, &source->cache, reader->rate, source->times);
	const bool wants_rate = reader->options.frames_per_second > 0;
	return wants_rate && ossai_cache_is_timed(&source->cache) ? sample_cache(reader, source) : OSSA_OK;
}

static ossa_status open_file(frames_reader *reader, frame_source *source)
{
	OSSAI_TRY(ossai_file_open(reader->context, source->source.path, &source->file));
	source->source.bytes = source->file.bytes;
	source->source.size = source->file.size;
	return OSSA_OK;
}

static void close_file(frames_reader *reader, frame_source *source)
{
	ossai_file_close(reader->context, &source->file);
	source->source.bytes = NULL;
	source->source.size = 0;
}

/* ---- files of scenes ---- */

typedef ossa_status (*asset_animator)(
	ossai_asset *asset, const ossa_read_options *options, ossa_mesh **mesh, ossa_frames **frames);

/* the mesh at rest and its motion, once with all vertices of the file, once with those that always agree made one */
static ossa_status animate_scene(
	frames_reader *reader, frame_source *source, asset_animator animate, ossa_mesh **mesh, ossa_frames **frames)
{
	ossa_read_options options = reader->options;
	/* the range is of all sources together; a single one makes only what is wanted */
	if (!reader->is_single) options.frames[0] = 0;
	ossai_asset asset;
	OSSAI_TRY(ossai_asset_open(reader->context, &source->source, source->entry->read_asset, &options, &asset));
	const ossa_status status = animate(&asset, &options, mesh, frames);
	ossai_asset_close(&asset);
	return status;
}

/* a file whose mesh does not move is one pose */
static ossa_status frame_of_mesh(frames_reader *reader, const ossa_mesh *mesh, ossa_frames **frames)
{
	OSSAI_TRY(ossa_frames_create(reader->context, 1, mesh->vertex_count, reader->rate, frames));
	memcpy((*frames)->positions, mesh->positions, 3 * mesh->vertex_count * sizeof *mesh->positions);
	return OSSA_OK;
}

static ossa_status keep_scene(frames_reader *reader, frame_source *source, asset_animator animate, bool *fits)
{
	ossa_context *context = reader->context;
	ossa_mesh *mesh = NULL;
	ossa_status status = animate_scene(reader, source, animate, &mesh, &source->scene);
	*fits = status == OSSA_OK && mesh->vertex_count == reader->vertex_count;
	if (*fits && !source->scene) status = frame_of_mesh(reader, mesh, &source->scene);
	if (*fits && status == OSSA_OK) {
		status = ossai_pose_check(context, reader->rest, mesh, source->source.path, !reader->options.ignore_pose_faces);
	}
	if (status == OSSA_OK && !*fits) {
		ossa_frames_free(context, source->scene);
		source->scene = NULL;
	}
	ossa_mesh_free(context, mesh);
	return status;
}

static ossa_status open_scene(frames_reader *reader, frame_source *source)
{
	bool fits;
	/* the rest may have been read with or without its vertices joined */
	OSSAI_TRY(keep_scene(reader, source, ossai_asset_frames, &fits));
	if (!fits) OSSAI_TRY(keep_scene(reader, source, ossai_asset_animation, &fits));
	ossai_place place = OSSAI_NOWHERE;
	place.file = source->source.path;
	if (!fits) {
		return ossai_fail(reader->context, OSSA_ERROR_INPUT, &place,
			"has another number of vertices than the rest mesh %s, which has %zu: poses must be the same mesh",
			reader->rest->name, reader->rest->vertex_count);
	}
	source->frame_count = source->scene->frame_count;
	if (source->frame_count > 1) source->times = source->scene->times;
	close_file(reader, source);
	return OSSA_OK;
}

/* ---- meshes ---- */

static ossa_status check_pose_source(frames_reader *reader, frame_source *source)
{
	source->frame_count = 1;
	ossai_place place = OSSAI_NOWHERE;
	place.file = source->source.path;
	if (!reader->rest) {
		return ossai_fail(reader->context, OSSA_ERROR_INPUT, &place, "is a mesh: its poses need the rest mesh");
	}
	if (!source->entry->keeps_order) {
		return ossai_fail(reader->context, OSSA_ERROR_INPUT, &place,
			"is %s, whose vertices have no order of their own, so they cannot be matched with the rest: export poses as OBJ or "
			"PLY",
			source->entry->format.title);
	}
	if (source->entry->read_asset) return open_scene(reader, source);
	/* a long sequence is not held open file by file */
	if (source->file.mapped) close_file(reader, source);
	return OSSA_OK;
}

static ossa_status open_source(frames_reader *reader, frame_source *source)
{
	if (is_open_already(reader, source)) return OSSA_OK;
	OSSAI_TRY(open_file(reader, source));
	OSSAI_TRY(ossai_read_entry_for(reader->context, &source->source, &source->entry));
	return source->entry->open_cache ? open_cache(reader, source) : check_pose_source(reader, source);
}

static ossa_status open_sources(frames_reader *reader, size_t count, const char *const *paths, bool keep_order)
{
	size_t expanded_count = 0;
	const char **expanded = NULL;
	OSSAI_TRY(expand_paths(reader, count, paths, &expanded_count, &expanded));
	if (!keep_order) OSSAI_TRY(natural_order(reader, expanded_count, expanded));
	reader->sources = ossai_arena_zero(&reader->arena, expanded_count, sizeof *reader->sources);
	if (!reader->sources) return ossa_context_error(reader->context)->status;
	reader->is_single = expanded_count == 1;
	for (size_t i = 0; i < expanded_count; i++) {
		/* counted first, so that its file is closed also where the rest of the opening fails */
		reader->source_count = i + 1;
		reader->sources[i].source.path = expanded[i];
		OSSAI_TRY(open_source(reader, &reader->sources[i]));
	}
	return OSSA_OK;
}

static void close_sources(frames_reader *reader)
{
	for (size_t i = 0; i < reader->source_count; i++) {
		ossai_cache_close(reader->context, &reader->sources[i].cache);
		ossa_frames_free(reader->context, reader->sources[i].scene);
		close_file(reader, &reader->sources[i]);
	}
}

/* ---- frames ---- */

static ossa_status make_frames(frames_reader *reader)
{
	ossa_context *context = reader->context;
	size_t count = 0;
	for (size_t i = 0; i < reader->source_count; i++) count += reader->sources[i].frame_count;
	OSSAI_TRY(ossai_frame_range_parse(context, reader->options.frames, count, &reader->range));
	count = ossai_frame_range_count(&reader->range);
	OSSAI_TRY(ossa_frames_create(context, count, reader->vertex_count, reader->rate, &reader->frames));
	reader->frames->names = ossa_alloc(context, count, sizeof reader->frames->names[0]);
	return reader->frames->names ? OSSA_OK : ossa_context_error(context)->status;
}

static ossa_status read_pose(frames_reader *reader, const ossai_source *source, const ossai_read_entry *entry, size_t frame)
{
	ossa_context *context = reader->context;
	ossa_frames *frames = reader->frames;
	const bool compare = !reader->options.ignore_pose_faces;
	ossa_mesh *pose = NULL;
	OSSAI_TRY(entry->read_mesh(context, source, compare ? OSSAI_PARTS_FACES : OSSAI_PARTS_POSITIONS, &pose));
	const ossa_status status = ossai_pose_check(context, reader->rest, pose, source->path, compare);
	if (status == OSSA_OK) {
		memcpy(frames->positions + 3 * frame * pose->vertex_count, pose->positions,
			3 * pose->vertex_count * sizeof *pose->positions);
	}
	ossa_mesh_free(context, pose);
	return status;
}

static ossa_status read_pose_file(frames_reader *reader, frame_source *source, size_t frame)
{
	const bool was_open = source->source.bytes != NULL;
	if (!was_open) OSSAI_TRY(open_file(reader, source));
	const ossa_status status = read_pose(reader, &source->source, source->entry, frame);
	close_file(reader, source);
	return status;
}

/* the last of the cache's frames that is not after `time` */
static size_t frame_before(const frame_source *source, double time)
{
	size_t low = 0, high = source->cache.frame_count;
	while (low + 1 < high) {
		const size_t middle = low + (high - low) / 2;
		if (source->times[middle] <= time) low = middle;
		else high = middle;
	}
	return low;
}

/* the positions at a time between two frames of the cache */
static ossa_status sample_frame(frames_reader *reader, const frame_source *source, size_t index, float *positions)
{
	const ossai_cache *cache = &source->cache;
	const double step = 1 / reader->options.frames_per_second, time = (double)index * step;
	const size_t before = frame_before(source, time + same_time * step);
	OSSAI_TRY(ossai_cache_frame(reader->context, cache, before, positions));
	const double begin = source->times[before];
	if (before + 1 == cache->frame_count || fabs(time - begin) <= same_time * step) return OSSA_OK;
	const size_t count = 3 * cache->vertex_count;
	float *after = ossai_new(reader->context, count, sizeof *after);
	if (!after) return ossa_context_error(reader->context)->status;
	const ossa_status status = ossai_cache_frame(reader->context, cache, before + 1, after);
	const double share = (time - begin) / (source->times[before + 1] - begin);
	for (size_t i = 0; i < count && status == OSSA_OK; i++) {
		positions[i] = (float)((1 - share) * positions[i] + share * after[i]);
	}
	ossa_free(reader->context, after);
	return status;
}

static void name_frame(frames_reader *reader, const frame_source *source, size_t index, size_t frame)
{
	char name[64];
	ossai_name_of_path(name, source->source.path);
	if (source->frame_count == 1) memcpy(reader->frames->names[frame], name, sizeof name);
	else snprintf(reader->frames->names[frame], sizeof reader->frames->names[0], "%.40s-%zu", name, index + 1);
}

static ossa_status read_cache_frame(frames_reader *reader, const frame_source *source, size_t index, size_t frame)
{
	ossa_frames *frames = reader->frames;
	float *positions = frames->positions + 3 * frame * frames->vertex_count;
	if (source->is_sampled) return sample_frame(reader, source, index, positions);
	return ossai_cache_frame(reader->context, &source->cache, index, positions);
}

/* caches do not say which axis is up in them, and programs differ in what they write */
static void look_at_axes(frames_reader *reader, frame_source *source, const float *positions)
{
	if (source->is_looked_at || !reader->rest) return;
	source->is_looked_at = true;
	const ossa_up up = ossai_orientation_seems(reader->vertex_count, reader->rest->positions, positions);
	if (up == OSSA_UP_FILE) return;
	ossai_warn(reader->context, "cache-axes", 1,
		"%s: fits the rest mesh when it is turned from %s up to %s up: export both with the same axis up (--input-up z where "
		"it is "
		"z)",
		source->source.path, up == OSSA_UP_Z ? "z" : "y", up == OSSA_UP_Z ? "y" : "z");
}

static ossa_status read_frame(frames_reader *reader, frame_source *source, size_t index, size_t frame)
{
	ossa_frames *frames = reader->frames;
	const size_t count = frames->vertex_count;
	float *positions = frames->positions + 3 * frame * count;
	name_frame(reader, source, index, frame);
	/* files of scenes know their axes and units themselves */
	if (source->scene) memcpy(positions, source->scene->positions + 3 * index * count, 3 * count * sizeof *positions);
	else {
		if (source->entry->open_cache) OSSAI_TRY(read_cache_frame(reader, source, index, frame));
		else OSSAI_TRY(read_pose_file(reader, source, frame));
		OSSAI_TRY(ossai_orient_points(reader->context, reader->orientation, source->source.path, count, positions));
		if (source->entry->open_cache) look_at_axes(reader, source, positions);
	}
	return ossai_progress(reader->context, (double)(frame + 1) / (double)frames->frame_count);
}

static double time_in_cache(const frames_reader *reader, const frame_source *source, size_t index)
{
	return source->is_sampled ? (double)index / reader->options.frames_per_second : source->times[index];
}

/* Times while the sources follow each other. Poses are counted, so that their times come without the rounding of sums. */
typedef struct frames_clock {
	double begin; /* after the last cache */
	size_t poses; /* since then */
} frames_clock;

/* the frames of a cache keep their distances in time; files follow each other by one frame */
static double time_of_frame(const frames_reader *reader, const frames_clock *clock, const frame_source *source, size_t index)
{
	const double begin = clock->begin + (double)clock->poses / reader->rate;
	return source->times ? begin + time_in_cache(reader, source, index) : begin;
}

static void clock_after(const frames_reader *reader, frames_clock *clock, const frame_source *source)
{
	if (source->frame_count == 0) return;
	if (!source->times) clock->poses++;
	else *clock = (frames_clock){time_of_frame(reader, clock, source, source->frame_count - 1) + 1 / reader->rate, 0};
}

static ossa_status read_sources(frames_reader *reader)
{
	ossa_frames *frames = reader->frames;
	frames_clock clock = {0, 0};
	size_t seen = 0, kept = 0;
	for (size_t i = 0; i < reader->source_count; i++) {
		frame_source *source = &reader->sources[i];
		for (size_t k = 0; k < source->frame_count; k++, seen++) {
			if (!ossai_frame_range_has(&reader->range, seen)) continue;
			OSSAI_TRY(read_frame(reader, source, k, kept));
			frames->times[kept++] = time_of_frame(reader, &clock, source, k);
		}
		clock_after(reader, &clock, source);
	}
	const double first = frames->times[0];
	for (size_t k = 0; k < frames->frame_count; k++) frames->times[k] -= first;
	return OSSA_OK;
}

/* the frames of a single file of scenes are those that are asked for, as they are */
static ossa_status take_scene(frames_reader *reader)
{
	frame_source *source = &reader->sources[0];
	reader->frames = source->scene;
	source->scene = NULL;
	reader->frames->names = ossa_alloc(reader->context, source->frame_count, sizeof reader->frames->names[0]);
	if (!reader->frames->names) return ossa_context_error(reader->context)->status;
	for (size_t f = 0; f < source->frame_count; f++) name_frame(reader, source, f, f);
	return OSSA_OK;
}

static ossa_status read_all(frames_reader *reader, size_t path_count, const char *const *paths, bool keep_order)
{
	OSSAI_TRY(open_sources(reader, path_count, paths, keep_order));
	if (reader->is_single && reader->sources[0].scene) return take_scene(reader);
	OSSAI_TRY(make_frames(reader));
	return read_sources(reader);
}

ossa_status ossa_read_frames(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
	bool keep_order, const ossa_read_options *options, ossa_frames **frames)
{
	*frames = NULL;
	frames_reader reader = {.context = context, .rest = rest, .options = options ? *options : ossa_read_default()};
	reader.vertex_count = rest ? rest->vertex_count : 0;
	OSSAI_TRY(ossa_options_check(context, ossa_read_option_table(), &reader.options));
	reader.rate = reader.options.frames_per_second > 0 ? reader.options.frames_per_second : OSSAI_DEFAULT_RATE;
	reader.orientation = ossai_orientation_of(&reader.options);
	if (path_count == 0)
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there are no poses to read: name at least one file");
	ossai_reading_begin(context);
	ossai_stage_begin(context, "read");
	reader.arena = ossai_arena_begin(context);
	const ossa_status status = read_all(&reader, path_count, paths, keep_order);
	close_sources(&reader);
	ossai_arena_end(&reader.arena);
	ossai_stage_end(context);
	if (status == OSSA_OK) *frames = reader.frames;
	else ossa_frames_free(context, reader.frames);
	return status;
}
