/* tools/ossa/batch/sidecar.c: what an asset was made of.

   Place in the path: the command's batch, below the run.
   Input: an asset, the line of its report.
   Output: a small file beside the first output, from which a later run sees that nothing is to be
   done, and what to report. */
#include "batch/sidecar.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char ending[] = ".ossa.json";

void batch_sidecar_path(const batch_asset *asset, char *path, size_t size)
{
	snprintf(path, size, "%s%s", asset->outputs.items[0], ending);
}

bool batch_is_sidecar(const char *path)
{
	const size_t length = strlen(path), end = sizeof ending - 1;
	return length > end && strcmp(path + length - end, ending) == 0;
}

static bool is_same_work(const batch_asset *asset, const json_t *object)
{
	char digits[BATCH_HASH_TEXT];
	const char *work = json_string_value(json_object_get(object, "work"));
	batch_hash_print(asset->work, digits);
	return work && strcmp(work, digits) == 0;
}

/* what was missing is still missing */
static bool are_missing(json_t *paths)
{
	for (size_t i = 0; i < json_array_size(paths); i++) {
		const char *path = json_string_value(json_array_get(paths, i));
		if (path && batch_stamp(path).is_there) return false;
	}
	return true;
}

/* outputs, and what they name beside them, which few have */
static bool are_products_there(const json_t *line, bool verify, batch_pause pause)
{
	json_t *beside = json_object_get(line, "beside");
	return batch_files_unchanged(json_object_get(line, "outputs"), verify, pause) &&
		(!beside || batch_files_unchanged(beside, verify, pause));
}

void batch_sidecar_read(const batch_asset *asset, bool verify, batch_pause pause, batch_sidecar *sidecar)
{
	char path[COMMAND_PATH_SIZE];
	*sidecar = (batch_sidecar){.object = NULL};
	batch_sidecar_path(asset, path, sizeof path);
	sidecar->object = json_load_file(path, 0, NULL);
	sidecar->line = json_object_get(sidecar->object, "report");
	const char *status = json_string_value(json_object_get(sidecar->line, "status"));
	if (!status) return;
	sidecar->is_done = strcmp(status, "done") == 0;
	sidecar->sequence = json_integer_value(json_object_get(json_object_get(sidecar->line, "run"), "sequence"));
	sidecar->is_valid = is_same_work(asset, sidecar->object) && are_missing(json_object_get(sidecar->object, "missing")) &&
		batch_files_unchanged(json_object_get(sidecar->object, "inputs"), verify, pause) &&
		(!sidecar->is_done || are_products_there(sidecar->line, verify, pause));
}

void batch_sidecar_free(batch_sidecar *sidecar)
{
	json_decref(sidecar->object);
	*sidecar = (batch_sidecar){.object = NULL};
}

static json_t *list_missing(const batch_asset *asset)
{
	json_t *missing = json_array();
	for (size_t i = 0; i < asset->reads.count; i++) {
		if (!batch_stamp(asset->reads.items[i]).is_there) json_array_append_new(missing, json_string(asset->reads.items[i]));
	}
	return missing;
}

int batch_sidecar_write(const batch_asset *asset, json_t *inputs, json_t *line)
{
	char path[COMMAND_PATH_SIZE], digits[BATCH_HASH_TEXT];
	batch_sidecar_path(asset, path, sizeof path);
	batch_hash_print(asset->work, digits);
	json_t *object = json_pack("{s:s, s:s, s:O, s:o, s:O}", "ossa", ossa_version().text, "work", digits, "inputs", inputs,
		"missing", list_missing(asset), "report", line);
	char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
	json_decref(object);
	if (!text) return ENOMEM;
	const int error = batch_write_whole(path, text, strlen(text));
	free(text);
	return error;
}
