/* tools/ossa/rig_levels.c: the files of a rig of several levels of articulation.

   Place in the path: the top.
   Input: a rig with the levels of its bones.
   Output: out.glb the rig itself, out-lod1.glb, out-lod2.glb the coarser ones. */
#include "command.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bool is_ending(const char *text)
{
	for (size_t i = 0; i < ossa_write_format_count(); i++) {
		const char *at = ossa_write_format_at(i)->endings;
		while (*at) {
			const size_t size = strcspn(at, "|");
			if (strlen(text) == size && strncasecmp(text, at, size) == 0) return true;
			at += size + (at[size] == '|');
		}
	}
	return false;
}

size_t command_length_to_ending(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *last = strrchr(name, '.');
	if (!last || last == name) return strlen(path);
	/* the longest that a format has */
	for (const char *dot = strchr(name + 1, '.'); dot; dot = strchr(dot + 1, '.')) {
		if (is_ending(dot)) return (size_t)(dot - path);
	}
	return (size_t)(last - path);
}

void command_level_path(const char *path, int level, char *text, size_t size)
{
	const int length = (int)command_length_to_ending(path);
	if (level == 0) snprintf(text, size, "%s", path);
	else snprintf(text, size, "%.*s-lod%d%s", length, path, level, path + length);
}

int command_level_count(const command_run *run) { return run->rig.levels; }

int command_levels_written(const command_run *run, const ossa_rig *rig)
{
	const int wanted = command_level_count(run);
	return rig->level_count < wanted ? rig->level_count : wanted;
}

static ossa_status write_level(
	command_run *run, const ossa_rig *rig, int level, const char *path, const ossa_write_options *options)
{
	char own[COMMAND_PATH_SIZE];
	ossa_rig *coarser = NULL;
	command_level_path(path, level, own, sizeof own);
	COMMAND_TRY(ossa_rig_of_level(run->context, rig, level, &coarser));
	const ossa_status status = ossa_write_rig(run->context, coarser, own, options);
	ossa_rig_free(run->context, coarser);
	return status;
}

ossa_status command_write_levels(command_run *run, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	COMMAND_TRY(ossa_write_rig(run->context, rig, path, options));
	for (int level = 1; level < command_levels_written(run, rig); level++) {
		COMMAND_TRY(command_check(run));
		COMMAND_TRY(write_level(run, rig, level, path, options));
	}
	return OSSA_OK;
}

/* over all frames; the motion of a level is that of the finest one */
static ossa_status measure_level(
	command_run *run, const ossa_rig *rig, int level, ossa_frame_stream *frames, ossa_frame_error *errors, double *rms_percent)
{
	const size_t count = ossa_frame_stream_frame_count(frames);
	ossa_rig *coarser = NULL;
	double squares = 0;
	COMMAND_TRY(ossa_rig_of_level(run->context, rig, level, &coarser));
	const ossa_status status = ossa_rig_frame_errors(run->context, coarser, NULL, NULL, frames, errors);
	ossa_rig_free(run->context, coarser);
	for (size_t f = 0; f < count && status == OSSA_OK; f++) squares += errors[f].rms_percent * errors[f].rms_percent;
	*rms_percent = sqrt(squares / (double)count);
	return status;
}

ossa_status command_measure_levels(command_run *run, const ossa_rig *rig, ossa_frame_stream *frames, double *rms_percent)
{
	for (int level = 0; level < COMMAND_LEVELS_MAX; level++) rms_percent[level] = NAN;
	if (!frames || command_levels_written(run, rig) < 2) return OSSA_OK;
	ossa_frame_error *errors = ossa_alloc(run->context, ossa_frame_stream_frame_count(frames), sizeof *errors);
	ossa_status status = errors ? OSSA_OK : OSSA_ERROR_MEMORY;
	for (int level = 1; level < command_levels_written(run, rig) && status == OSSA_OK; level++) {
		status = command_check(run);
		if (status == OSSA_OK) status = measure_level(run, rig, level, frames, errors, &rms_percent[level]);
	}
	ossa_free(run->context, errors);
	return status;
}

size_t command_level_bones(const ossa_rig *rig, int level)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) count += b == 0 || level == 0 || rig->last_level[b] >= level;
	return count;
}
