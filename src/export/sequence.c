/* export/sequence.c: frames as numbered mesh files, "walk_####.obj" as walk_0001.obj, walk_0002.obj
   ...

   Place in the path: between the registry and a mesh writer.
   Input: a mesh, frames, a path with '#'.
   Output: a file for each frame, all or none. */
#include "export/export.h"
#include "base/file.h"
#include "import/sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ossa_write_is_numbered(const char *path) { return path && strchr(ossai_file_name(path), '#') != NULL; }

typedef struct pattern {
	const char *path;
	size_t begin, digits; /* the run of '#' */
} pattern;

static ossa_status find_pattern(ossa_context *context, const char *path, pattern *found)
{
	const ossai_place place = ossai_in_file(path);
	const char *first = strchr(ossai_file_name(path), '#');
	*found = (pattern){path, (size_t)(first - path), strspn(first, "#")};
	if (!strchr(first + found->digits, '#') && found->digits <= 9) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, &place, "has no single place of one to nine '#' for the frame's number");
}

static ossa_status write_frame(ossa_context *context, ossai_mesh_writer write, const ossa_mesh *mesh, const float *positions,
	const pattern *name, size_t number, const ossa_write_options *options)
{
	char path[4096];
	const int length = snprintf(path, sizeof path, "%.*s%0*zu%s", (int)name->begin, name->path, (int)name->digits, number,
		name->path + name->begin + name->digits);
	if (length < 0 || (size_t)length >= sizeof path) {
		return ossai_fail(context, OSSA_ERROR_WRITE, NULL, "the path is too long: %.100s ...", name->path);
	}
	return write(context, mesh, positions, path, options);
}

/* whether the file of that name is one of those that are written */
static bool is_written(const pattern *name, const char *old, size_t frame_count)
{
	const char *wanted = ossai_file_name(name->path);
	const size_t before = name->begin - (size_t)(wanted - name->path);
	char text[4096];
	const unsigned long long number = strtoull(old + before, NULL, 10);
	if (number < 1 || number > frame_count) return false;
	snprintf(text, sizeof text, "%.*s%0*llu%s", (int)before, wanted, (int)name->digits, number, wanted + before + name->digits);
	return strcmp(text, old) == 0;
}

/* Files of the same pattern that are there and stay: a reader would take them for further frames.
   They are counted before anything is written, for then there may still be no memory for it. */
static ossa_status count_others(ossa_context *context, const pattern *name, size_t frame_count, int64_t *others)
{
	const char *const *paths = NULL;
	size_t count = 0;
	*others = 0;
	if (!ossai_sequence_is(context, name->path)) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = ossai_sequence_expand(&arena, name->path, &count, &paths);
	/* two files of one number, or none, are no error here */
	for (size_t i = 0; paths && i < count; i++) {
		*others += !is_written(name, ossai_file_name(paths[i]), frame_count);
	}
	ossai_arena_end(&arena);
	return status == OSSA_ERROR_MEMORY ? status : OSSA_OK;
}

ossa_status ossai_write_sequence(ossa_context *context, ossai_mesh_writer write, const ossa_mesh *mesh,
	const ossa_frames *frames, const char *path, const ossa_write_options *options)
{
	pattern name;
	ossai_batch batch;
	OSSAI_TRY(find_pattern(context, path, &name));
	if (!mesh) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "a mesh file for each frame needs the mesh whose vertices move");
	}
	if (frames->frame_count == 0) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there are no frames to write");
	int64_t others;
	OSSAI_TRY(count_others(context, &name, frames->frame_count, &others));
	ossai_batch_begin(context, &batch);
	ossa_status status = OSSA_OK;
	for (size_t f = 0; f < frames->frame_count && status == OSSA_OK; f++) {
		const float *positions = frames->positions + 3 * f * frames->vertex_count;
		status = write_frame(context, write, mesh, positions, &name, f + 1, options);
	}
	status = ossai_batch_end(&batch, status);
	if (status == OSSA_OK && others > 0) {
		ossai_warn(context, "sequence-longer", others,
			"%s: other numbered files are there from before and count as further frames: remove them", path);
	}
	return status;
}
