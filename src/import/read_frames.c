/* import/read_frames.c: poses from several files.

   Place in the path: files → ossa_frames.  In: the rest mesh and paths of meshes.  Out: one frame for each, in natural
   number order, checked to be poses of the rest mesh. */
#include "import/registry.h"
#include "scene/poses.h"

#include <string.h>

typedef struct frames_reader {
	ossa_context *context;
	const ossa_mesh *rest;
	ossa_read_options options;
	ossa_frames *frames;
} frames_reader;

static ossa_status read_pose_mesh(
    frames_reader *reader, const ossai_source *source, const ossai_read_entry *entry, size_t frame)
{
	ossa_context *context = reader->context;
	ossai_place place = OSSAI_NOWHERE;
	place.file = source->path;
	if (!entry->keeps_order) {
		return ossai_fail(context, OSSA_ERROR_INPUT, &place,
		    "is %s, whose vertices have no order of their own, so they cannot be matched with the rest: export poses as OBJ or "
		    "PLY",
		    entry->format.title);
	}
	const bool compare = !reader->options.ignore_pose_faces;
	ossa_mesh *pose = NULL;
	OSSAI_TRY(entry->read_mesh(context, source, compare ? OSSAI_PARTS_FACES : OSSAI_PARTS_POSITIONS, &pose));
	const ossa_status status = ossai_pose_check(context, reader->rest, pose, source->path, compare);
	if (status == OSSA_OK) {
		memcpy(reader->frames->positions + 3 * frame * pose->vertex_count, pose->positions,
		    3 * pose->vertex_count * sizeof *pose->positions);
		ossai_name_of_path(reader->frames->names[frame], source->path);
	}
	ossa_mesh_free(context, pose);
	return status;
}

static ossa_status read_pose(frames_reader *reader, const char *path, size_t frame)
{
	ossai_file file;
	OSSAI_TRY(ossai_file_open(reader->context, path, &file));
	const ossai_source source = {path, file.bytes, file.size};
	const ossai_read_entry *entry;
	ossa_status status = ossai_read_entry_for(reader->context, &source, &entry);
	if (status == OSSA_OK) status = read_pose_mesh(reader, &source, entry, frame);
	ossai_file_close(reader->context, &file);
	return status;
}

static ossa_status read_poses(frames_reader *reader, size_t count, const char *const *paths, const size_t *order)
{
	for (size_t i = 0; i < count; i++) {
		OSSAI_TRY(read_pose(reader, paths[order ? order[i] : i], i));
		OSSAI_TRY(ossai_progress(reader->context, (double)(i + 1) / (double)count));
	}
	return OSSA_OK;
}

static ossa_status make_frames(frames_reader *reader, size_t frame_count)
{
	ossa_context *context = reader->context;
	OSSAI_TRY(ossa_frames_create(
	    context, frame_count, reader->rest->vertex_count, reader->options.frames_per_second, &reader->frames));
	reader->frames->names = ossa_alloc(context, frame_count, sizeof reader->frames->names[0]);
	return reader->frames->names ? OSSA_OK : ossa_context_error(context)->status;
}

ossa_status ossa_read_frames(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
    bool keep_order, const ossa_read_options *options, ossa_frames **frames)
{
	*frames = NULL;
	frames_reader reader = {context, rest, options ? *options : ossa_read_default(), NULL};
	OSSAI_TRY(ossa_options_check(context, ossa_read_option_table(), &reader.options));
	ossai_stage_begin(context, "read");
	ossai_arena arena = ossai_arena_begin(context);
	size_t *order = keep_order ? NULL : ossai_arena_new(&arena, path_count, sizeof *order);
	ossa_status status = keep_order || order ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK && order) status = ossai_natural_order(context, path_count, paths, order);
	if (status == OSSA_OK) status = make_frames(&reader, path_count);
	if (status == OSSA_OK) status = read_poses(&reader, path_count, paths, order);
	ossai_arena_end(&arena);
	ossai_stage_end(context);
	if (status == OSSA_OK)
		*frames = reader.frames;
	else
		ossa_frames_free(context, reader.frames);
	return status;
}
