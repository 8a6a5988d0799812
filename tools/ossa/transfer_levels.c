/* tools/ossa/transfer_levels.c: levels of detail of `ossa transfer`: one file of all, or a file for
   each.

   Place in the path: beside the command.
   Input: the rig, meshes that it was carried to.
   Output: files. */
#include "transfer_levels.h"

#include <string.h>

static const char mark[] = "{level}";

const ossa_option_table *transfer_level_table(void)
{
	static const transfer_level_options defaults = {.levels = 1, .own_weights = true};
	static const ossa_option options[] = {
		{"levels", OSSA_OPTION_INT, offsetof(transfer_level_options, levels), 1, 16, "", "",
			"levels of articulation: each coarser level of detail has about half of the bones of the one before, as long as "
			"there are so many",
			"1: all bones move all levels"},
		{"lod", OSSA_OPTION_BOOL, offsetof(transfer_level_options, lod), 0, 1, "", "",
			"write one OTHER, too, as a level of detail below the mesh of RIG", "several always are"},
		{"own-weights", OSSA_OPTION_BOOL, offsetof(transfer_level_options, own_weights), 0, 1, "", "",
			"levels of detail whose joints have the names of bones of RIG keep their weights", "an artist's are better"},
	};
	static const ossa_option_table table = {
		"levels", options, sizeof options / sizeof options[0], &defaults, .size = sizeof(transfer_level_options)};
	return &table;
}

/* ---- paths ---- */

/* whether each level is a file of its own */
static bool is_apart(command_run *run, const char *path)
{
	const ossa_write_format *format = NULL;
	return strstr(path, mark) || ossa_write_detect(run->context, path, &format) != OSSA_OK || !format->writes_lods;
}

static void path_of(const char *path, size_t level, char *text, size_t size)
{
	const char *at = strstr(path, mark);
	if (!at) command_level_path(path, (int)level, text, size);
	else snprintf(text, size, "%.*s%zu%s", (int)(at - path), path, level, at + strlen(mark));
}

static ossa_status check_path(command_run *run, const char *path)
{
	COMMAND_TRY(command_check_rig_format(run, path));
	COMMAND_TRY(command_check_output(run, path));
	return ossa_write_check(run->context, path);
}

ossa_status transfer_check_outputs(command_run *run, const transfer_work *work)
{
	const command_values *outputs = &run->texts[TRANSFER_OUTPUT];
	if (outputs->count == 0) return command_fail(run, OSSA_ERROR_ARGUMENT, "name the output with -o FILE");
	const bool asks_for_levels = ((const transfer_level_options *)run->options[TRANSFER_LEVELS])->levels > 1;
	if (asks_for_levels && !work->is_lods) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"--levels is for levels of detail: give several OTHERs, or --lod for one below the mesh of RIG");
	}
	for (size_t i = 0; i < outputs->count; i++) {
		const bool apart = work->is_lods && is_apart(run, outputs->values[i]);
		for (size_t level = 0; level < (apart ? work->count + 1 : 1); level++) {
			char path[COMMAND_PATH_SIZE];
			if (apart) path_of(outputs->values[i], level, path, sizeof path);
			else snprintf(path, sizeof path, "%s", outputs->values[i]);
			COMMAND_TRY(check_path(run, path));
		}
	}
	return OSSA_OK;
}

void transfer_list_files(const command_run *run, const transfer_work *work, size_t index, json_t *files)
{
	const char *path = run->texts[TRANSFER_OUTPUT].values[index];
	const ossa_write_format *format = NULL;
	ossa_write_detect(run->context, path, &format);
	const bool apart = work->is_lods && (strstr(path, mark) || !format || !format->writes_lods);
	for (size_t level = 0; level < (apart ? work->count + 1 : 1); level++) {
		char own[COMMAND_PATH_SIZE];
		path_of(path, level, own, sizeof own);
		json_array_append_new(files, json_string(apart ? own : path));
	}
}

/* ---- weights ---- */

/* The file is read again, with warnings that were given before. A file without a rig has no
   weights. */
static ossa_status take_weights(command_run *run, ossa_context *aside, const char *path, transfer_level *level)
{
	ossa_rig *own = NULL;
	const ossa_status status = ossa_read_rig(aside, path, NULL, &own);
	if (status == OSSA_ERROR_CANCELLED || status == OSSA_ERROR_MEMORY || status == OSSA_ERROR_LIMIT)
		return command_fail(run, status, "%s", ossa_context_error(aside)->message);
	if (status != OSSA_OK || own->weights.vertex_count != level->mesh->vertex_count) {
		ossa_rig_free(aside, own);
		return OSSA_OK;
	}
	const ossa_status taken = ossa_rig_take_weights(run->context, level->rig, own, &level->keeps_weights);
	ossa_rig_free(aside, own);
	return taken;
}

ossa_status transfer_keep_weights(command_run *run, const char *path, transfer_level *level)
{
	const transfer_level_options *options = run->options[TRANSFER_LEVELS];
	ossa_context_options alike = ossa_context_default();
	ossa_context *aside = NULL;
	if (!options->own_weights) return OSSA_OK;
	alike.threads = run->shared.threads;
	alike.memory_limit = (size_t)run->shared.memory_limit << 20;
	COMMAND_TRY(ossa_context_create(&alike, &aside));
	const ossa_status status = take_weights(run, aside, path, level);
	ossa_context_free(aside);
	return status;
}

/* ---- levels ---- */

ossa_status transfer_find_levels(command_run *run, transfer_work *work)
{
	const transfer_level_options *options = run->options[TRANSFER_LEVELS];
	COMMAND_TRY(ossa_rig_find_levels(run->context, work->from, options->levels));
	for (size_t i = 0; i < work->count; i++) {
		const size_t faces = work->levels[i].mesh->triangle_count;
		const size_t before = i > 0 ? work->levels[i - 1].mesh->triangle_count : work->from->mesh->triangle_count;
		if (faces <= before) continue;
		return command_fail(run, OSSA_ERROR_INPUT,
			"%s has more triangles (%zu) than %s (%zu): give the meshes from fine to coarse", run->files.values[i + 1], faces,
			run->files.values[i], before);
	}
	return OSSA_OK;
}

int transfer_articulation(const command_run *run, const transfer_work *work, size_t level)
{
	const transfer_level_options *options = run->options[TRANSFER_LEVELS];
	const int most = (work->from->level_count < options->levels ? work->from->level_count : options->levels) - 1;
	return most <= 0 ? 0 : (int)level < most ? (int)level : most;
}

/* ---- writing ---- */

static ossa_status write_together(
	command_run *run, const transfer_work *work, const char *path, const ossa_write_options *options)
{
	ossa_lod *lods = ossa_alloc(run->context, work->count + 1, sizeof *lods);
	if (!lods) return OSSA_ERROR_MEMORY;
	lods[0].rig = work->from;
	for (size_t i = 0; i < work->count; i++)
		lods[i + 1] = (ossa_lod){.rig = work->levels[i].rig, .articulation = transfer_articulation(run, work, i + 1)};
	const ossa_status status = ossa_write_lods(run->context, lods, work->count + 1, path, options);
	ossa_free(run->context, lods);
	return status;
}

static ossa_status write_one(
	command_run *run, const transfer_work *work, size_t level, const char *path, const ossa_write_options *options)
{
	ossa_rig *rig = level == 0 ? work->from : work->levels[level - 1].rig, *coarser = NULL;
	const int articulation = transfer_articulation(run, work, level);
	char own[COMMAND_PATH_SIZE];
	path_of(path, level, own, sizeof own);
	if (articulation > 0) {
		/* levels are those of RIG */
		ossa_rig levelled = *rig;
		levelled.last_level = work->from->last_level;
		levelled.level_count = work->from->level_count;
		COMMAND_TRY(ossa_rig_of_level(run->context, &levelled, articulation, &coarser));
	}
	const ossa_status status = ossa_write_rig(run->context, coarser ? coarser : rig, own, options);
	ossa_rig_free(run->context, coarser);
	return status;
}

ossa_status transfer_write_levels(
	command_run *run, const transfer_work *work, const char *path, const ossa_write_options *options)
{
	if (!is_apart(run, path)) return write_together(run, work, path, options);
	for (size_t level = 0; level <= work->count; level++) {
		COMMAND_TRY(command_check(run));
		COMMAND_TRY(write_one(run, work, level, path, options));
	}
	return OSSA_OK;
}
