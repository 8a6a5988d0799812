/* import/frame_source.c: one file of a stream of frames: see frame_source.h.

   Place in the path: between the readers of formats and read_frames.c, which puts sources one after
   the other.
   Input: a path and the rest mesh.
   Output: how many frames there are, and one at a time. Caches stay mapped (frame_cache.c). Mesh
   files are opened for their frame alone (frame_meshes.c). Of scenes one is open at a time; poses
   of one frame, and a single animation, are kept while they are small, so that their files are not
   read twice. */
#include "import/frame_source.h"

#include "import/frame_cache.h"
#include "import/frame_meshes.h"
#include "scene/mesh.h"
#include "scene/poses.h"

#include <math.h>
#include <string.h>

/* frames of scenes that are kept, all together */
static const size_t held_most = (size_t)256 << 20;

ossa_status ossai_frame_source_open_file(ossai_frame_sources *all, ossai_frame_source *source)
{
	OSSAI_TRY(ossai_file_open(all->context, source->source.path, &source->file));
	source->source.bytes = source->file.bytes;
	source->source.is_mapped = source->file.mapped;
	source->source.size = source->file.size;
	return OSSA_OK;
}

void ossai_frame_source_close_file(ossai_frame_sources *all, ossai_frame_source *source)
{
	ossai_file_close(all->context, &source->file);
	source->source.bytes = NULL;
	source->source.size = 0;
}

/* ---- files of scenes ---- */

struct ossai_scene_source {
	ossai_asset asset;
	ossai_asset_motion *motion;
	float *still; /* the vertices at rest, where nothing moves */
};

static void close_scene(ossai_frame_sources *all, size_t index)
{
	ossai_frame_source *source = &all->items[index];
	if (source->scene) {
		ossai_asset_close(&source->scene->asset);
		ossa_free(all->context, source->scene->still);
		ossa_free(all->context, source->scene);
		source->scene = NULL;
		if (source->file.mapped) ossai_frame_source_close_file(all, source);
	}
	if (all->open_scene == index) all->open_scene = SIZE_MAX;
}

/* the range is of all sources together; a single one makes only what is wanted */
static ossa_read_options scene_options(const ossai_frame_sources *all)
{
	ossa_read_options options = all->options;
	if (!all->is_single) options.frames = (ossa_range){0, 0, 0};
	return options;
}

/* opens the file's scene with all its vertices; the mesh at rest is the caller's, also after a
   failure */
static ossa_status begin_scene(ossai_frame_sources *all, ossai_frame_source *source, ossa_mesh **mesh)
{
	const ossa_read_options options = scene_options(all);
	*mesh = NULL;
	source->scene = ossa_alloc(all->context, 1, sizeof *source->scene);
	if (!source->scene) return ossa_context_error(all->context)->status;
	ossai_asset *asset = &source->scene->asset;
	OSSAI_TRY(ossai_asset_open(all->context, &source->source, source->entry->read_asset, &options, asset));
	return ossai_asset_motion_begin(asset, &options, mesh, &source->scene->motion);
}

static ossa_status check_scene(ossai_frame_sources *all, const ossai_frame_source *source, const ossa_mesh *mesh)
{
	return ossai_pose_check(all->context, all->rest, mesh, source->source.path, !all->options.ignore_pose_faces);
}

/* where several animations were asked for */
static ossa_status list_takes(ossai_frame_sources *all, ossai_frame_source *source)
{
	const ossai_asset_motion *motion = source->scene->motion;
	const size_t count = ossai_asset_motion_take_count(motion);
	if (count < 2) return OSSA_OK;
	source->takes = ossai_arena_new(&all->arena, count, sizeof *source->takes);
	if (!source->takes) return ossa_context_error(all->context)->status;
	for (size_t i = 0; i < count; i++) source->takes[i] = ossai_asset_motion_take(motion, i);
	source->take_count = count;
	return OSSA_OK;
}

/* a scene whose mesh does not move is one pose */
static ossa_status count_frames(ossai_frame_sources *all, ossai_frame_source *source, ossa_mesh *mesh)
{
	ossai_scene_source *scene = source->scene;
	source->frame_count = ossai_asset_motion_count(scene->motion);
	source->morphs_at_rest = ossai_asset_motion_morph_count(scene->motion) > 0;
	if (source->frame_count == 0) {
		source->frame_count = 1;
		scene->still = mesh->positions;
		mesh->positions = NULL;
	} else if (source->frame_count > 1) ossai_asset_motion_name(scene->motion, source->motion);
	if (source->frame_count == 1 || source->times) return OSSA_OK;
	OSSAI_TRY(list_takes(all, source));
	source->times = ossai_arena_new(&all->arena, source->frame_count, sizeof *source->times);
	if (!source->times) return ossa_context_error(all->context)->status;
	for (size_t f = 0; f < source->frame_count; f++) source->times[f] = ossai_asset_motion_time(scene->motion, f);
	return OSSA_OK;
}

/* whether the scene has as many vertices as the rest, which may have been read with or without
   welding */
static ossa_status compare_vertices(
	const ossai_frame_sources *all, const ossai_frame_source *source, ossa_mesh *mesh, bool *fits)
{
	ossai_asset_motion *motion = source->scene->motion;
	if (mesh->vertex_count > all->vertex_count && ossai_asset_motion_count(motion) > 0) {
		OSSAI_TRY(ossai_asset_motion_weld(motion, mesh));
	}
	*fits = mesh->vertex_count == all->vertex_count;
	return OSSA_OK;
}

/* before the scene is closed */
static ossa_status take_morphs(ossai_frame_sources *all, ossai_frame_source *source)
{
	ossai_asset_motion *motion = source->scene->motion;
	const size_t count = ossai_asset_motion_morph_count(motion);
	if (count == 0 || source->frame_count == 0 || source->morph_weights) return OSSA_OK;
	if (source->frame_count > PTRDIFF_MAX / sizeof(double) / count)
		return ossai_fail(
			all->context, OSSA_ERROR_LIMIT, NULL, "%zu frames of %zu morph targets are too many", source->frame_count, count);
	source->morph_weights = ossai_arena_new(&all->arena, source->frame_count * count, sizeof *source->morph_weights);
	if (!source->morph_weights) return ossa_context_error(all->context)->status;
	source->morph_count = count;
	for (size_t f = 0; f < source->frame_count; f++) ossai_asset_motion_weights(motion, f, source->morph_weights + f * count);
	return OSSA_OK;
}

/* `fits`: the scene has as many vertices as the rest; only then it is left open */
static ossa_status try_scene(ossai_frame_sources *all, size_t index, bool *fits)
{
	ossai_frame_source *source = &all->items[index];
	ossa_mesh *mesh;
	*fits = false;
	if (all->open_scene != SIZE_MAX) close_scene(all, all->open_scene);
	all->open_scene = index;
	if (!source->source.bytes) OSSAI_TRY(ossai_frame_source_open_file(all, source));
	ossa_status status = begin_scene(all, source, &mesh);
	if (status == OSSA_OK) status = compare_vertices(all, source, mesh, fits);
	if (*fits) status = check_scene(all, source, mesh);
	if (*fits && status == OSSA_OK) status = count_frames(all, source, mesh);
	/* each of the rest's targets can take the motion that its counterpart has in a single file */
	const bool takes_morphs = all->is_single && ossai_morphs_alike(all->rest, mesh);
	if (*fits && status == OSSA_OK && takes_morphs) status = take_morphs(all, source);
	if (*fits && status == OSSA_OK && !takes_morphs) ossai_asset_motion_warn(source->scene->motion, mesh);
	ossa_mesh_free(all->context, mesh);
	if (!*fits || status != OSSA_OK) close_scene(all, index);
	return status;
}

static ossa_status read_scene(ossai_frame_sources *all, size_t index, size_t frame, float *positions)
{
	ossai_frame_source *source = &all->items[index];
	const size_t count = 3 * all->vertex_count;
	bool fits = true;
	if (source->held) {
		memcpy(positions, source->held->positions + frame * count, count * sizeof *positions);
		return OSSA_OK;
	}
	if (!source->scene) {
		/* its warnings have been issued */
		ossai_reading_begin(all->context);
		OSSAI_TRY(try_scene(all, index, &fits));
	}
	if (!fits || frame >= source->frame_count) {
		const ossai_place place = ossai_in_file(source->source.path);
		return ossai_fail(all->context, OSSA_ERROR_READ, &place, "has changed while it was read");
	}
	if (!source->scene->still) return ossai_asset_motion_frame(source->scene->motion, frame, positions);
	memcpy(positions, source->scene->still, count * sizeof *positions);
	return OSSA_OK;
}

static ossa_status read_frames(ossai_frame_sources *all, size_t index, float *positions)
{
	const size_t frames = all->items[index].frame_count;
	for (size_t f = 0; f < frames; f++) {
		OSSAI_TRY(read_scene(all, index, f, positions + 3 * f * all->vertex_count));
		OSSAI_TRY(ossai_progress(all->context, (double)(f + 1) / (double)frames));
	}
	return OSSA_OK;
}

/* small ones are kept, and their files closed */
static ossa_status hold_frames(ossai_frame_sources *all, size_t index)
{
	ossai_frame_source *source = &all->items[index];
	const size_t most = (held_most - all->held_bytes) / (3 * sizeof(float));
	if (all->vertex_count > 0 && source->frame_count > most / all->vertex_count) return OSSA_OK;
	ossa_frames *held;
	OSSAI_TRY(ossa_frames_create(all->context, source->frame_count, all->vertex_count, 1, &held));
	const ossa_status status = read_frames(all, index, held->positions);
	source->held = held;
	all->held_bytes += 3 * sizeof(float) * source->frame_count * all->vertex_count;
	close_scene(all, index);
	ossai_frame_source_close_file(all, source);
	return status;
}

static ossa_status open_scene(ossai_frame_sources *all, size_t index)
{
	const ossai_frame_source *source = &all->items[index];
	bool fits;
	OSSAI_TRY(try_scene(all, index, &fits));
	if (fits) return all->is_single || source->frame_count > 1 ? OSSA_OK : hold_frames(all, index);
	const ossai_place place = ossai_in_file(source->source.path);
	return ossai_fail(all->context, OSSA_ERROR_INPUT, &place,
		"has another number of vertices than the rest mesh %s, which has %zu: poses must be the same mesh", all->rest->name,
		all->rest->vertex_count);
}

/* the scene's own mesh becomes the rest */
static ossa_status begin_animation(ossai_frame_sources *all, ossai_frame_source *source, ossa_mesh **mesh)
{
	OSSAI_TRY(begin_scene(all, source, mesh));
	if (ossai_asset_motion_count(source->scene->motion) == 0) return OSSA_OK;
	if (!all->options.keep_vertices) OSSAI_TRY(ossai_asset_motion_weld(source->scene->motion, *mesh));
	all->rest = *mesh;
	all->vertex_count = (*mesh)->vertex_count;
	OSSAI_TRY(count_frames(all, source, *mesh));
	OSSAI_TRY(take_morphs(all, source));
	return hold_frames(all, 0);
}

ossa_status ossai_frame_source_open_animation(ossai_frame_sources *all, ossa_mesh **mesh)
{
	ossai_frame_source *source = &all->items[0];
	*mesh = NULL;
	OSSAI_TRY(ossai_frame_source_open_file(all, source));
	OSSAI_TRY(ossai_read_entry_for(all->context, &source->source, &source->entry));
	if (!source->entry->read_asset) {
		return ossai_read_mesh(all->context, &source->source, source->entry, &all->options, mesh);
	}
	all->open_scene = 0;
	const ossa_status status = begin_animation(all, source, mesh);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_mesh_free(all->context, *mesh);
	*mesh = NULL;
	return status;
}

/* ---- any source ---- */

static ossa_status open_pose(ossai_frame_sources *all, size_t index)
{
	ossai_frame_source *source = &all->items[index];
	source->frame_count = 1;
	const ossai_place place = ossai_in_file(source->source.path);
	if (!all->rest) {
		return ossai_fail(all->context, OSSA_ERROR_INPUT, &place, "is a mesh: its poses need the rest mesh");
	}
	if (!source->entry->format.reads_mesh) {
		return ossai_fail(all->context, OSSA_ERROR_INPUT, &place,
			"is %s, joints without a mesh, so it holds no poses of the rest mesh", source->entry->format.title);
	}
	if (!source->entry->keeps_order) {
		return ossai_fail(all->context, OSSA_ERROR_INPUT, &place,
			"is %s, whose vertices have no order of their own, so they cannot be matched with the rest: export poses as OBJ or "
			"PLY",
			source->entry->format.title);
	}
	if (source->entry->read_asset) return open_scene(all, index);
	/* long sequences are not kept open */
	if (source->file.mapped) ossai_frame_source_close_file(all, source);
	return OSSA_OK;
}

ossa_status ossai_frame_source_open(ossai_frame_sources *all, size_t index)
{
	ossai_frame_source *source = &all->items[index];
	if (ossai_frame_cache_is_open(all, source)) return OSSA_OK;
	OSSAI_TRY(ossai_frame_source_open_file(all, source));
	OSSAI_TRY(ossai_read_entry_for(all->context, &source->source, &source->entry));
	return source->entry->open_cache ? ossai_frame_cache_open(all, source) : open_pose(all, index);
}

void ossai_frame_source_close(ossai_frame_sources *all, size_t index)
{
	ossai_frame_source *source = &all->items[index];
	ossai_cache_close(all->context, &source->cache);
	close_scene(all, index);
	ossa_frames_free(all->context, source->held);
	ossai_frame_source_close_file(all, source);
}

ossa_status ossai_frame_source_read(ossai_frame_sources *all, size_t index, size_t frame, float *positions)
{
	ossai_frame_source *source = &all->items[index];
	if (ossai_frame_source_is_mesh(source)) return ossai_frame_meshes_read(all, 1, &index, &positions);
	/* files of scenes have axes and units */
	if (source->entry->read_asset) return read_scene(all, index, frame, positions);
	return ossai_frame_cache_read(all, source, frame, positions);
}

double ossai_frame_source_time(const ossai_frame_sources *all, const ossai_frame_source *source, size_t frame)
{
	if (!source->times) return 0;
	return source->is_sampled ? (double)frame / all->options.frames_per_second : source->times[frame];
}
