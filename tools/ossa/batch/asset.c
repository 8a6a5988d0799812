/* tools/ossa/batch/asset.c: a line of a manifest as the files and words of `ossa rig`.

   Place in the path: the command's batch, behind the manifest, before the run.
   Input: a line that was found fine.
   Output: what is read and written, a hash of the work, the words of the command. */
#include "batch/asset.h"
#include "batch/line_facts.h"
#include "batch/sidecar.h"

#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static ossa_status refuse(batch_asset *asset, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(asset->message, sizeof asset->message, format, arguments);
	va_end(arguments);
	asset->code = "manifest";
	return OSSA_OK;
}

/* ---- files ---- */

/* "name" or "names": one text or a list of texts; false where there is no memory */
static bool take_paths(batch_asset *asset, const char *name, path_list *list)
{
	char names[16];
	snprintf(names, sizeof names, "%ss", name);
	for (int i = 0; i < 2; i++) {
		json_t *value = json_object_get(asset->object, i == 0 ? name : names);
		const size_t count = json_is_array(value) ? json_array_size(value) : value != NULL;
		for (size_t k = 0; k < count; k++) {
			const char *path = json_string_value(json_is_array(value) ? json_array_get(value, k) : value);
			if (!path || !path[0])
				refuse(asset, "line %u: \"%s\" must be a path or a list of paths", asset->line->number, name);
			else if (strlen(path) + 32 > COMMAND_PATH_SIZE)
				refuse(asset, "line %u: a path of \"%s\" is too long", asset->line->number, name);
			else if (!path_list_add(list, path)) return false;
		}
	}
	return true;
}

static int level_count(const json_t *options)
{
	const json_t *value = json_object_get(options, "levels");
	const long levels = json_is_string(value) ? strtol(json_string_value(value), NULL, 10) : (long)json_integer_value(value);
	return levels >= 1 && levels <= 16 ? (int)levels : 1;
}

/* all outputs with their coarser levels, and the files of options */
static bool list_files(batch_asset *asset)
{
	json_t *options = json_object_get(asset->object, "options"), *value;
	char path[COMMAND_PATH_SIZE];
	const char *name;
	for (size_t i = 0; i < asset->inputs.count; i++) {
		if (!path_list_add(&asset->reads, asset->inputs.items[i])) return false;
	}
	for (size_t i = 0; i < asset->outputs.count; i++) {
		for (int level = 0; level < level_count(options); level++) {
			command_level_path(asset->outputs.items[i], level, path, sizeof path);
			if (!path_list_add(&asset->writes, path)) return false;
		}
	}
	json_object_foreach(options, name, value)
	{
		const option_file file = batch_option_file(name);
		path_list *list = file == OPTION_READS ? &asset->reads : &asset->writes;
		const size_t count = json_is_array(value) ? json_array_size(value) : 1;
		for (size_t k = 0; k < count && file != OPTION_NO_FILE; k++) {
			const char *own = json_string_value(json_is_array(value) ? json_array_get(value, k) : value);
			if (own && !path_list_add(list, own)) return false;
		}
	}
	return true;
}

static void check_outputs(batch_asset *asset)
{
	for (size_t i = 0; i < asset->writes.count; i++) {
		if (!batch_is_sidecar(asset->writes.items[i])) continue;
		refuse(asset, "line %u: files that end in .ossa.json are the batch's own, as %.200s would be", asset->line->number,
			asset->writes.items[i]);
	}
}

/* ---- options ---- */

/* what the batch itself says to each command */
static bool is_taken(const char *name)
{
	static const char *const names[] = {"output", "json", "quiet", "help"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(names[i], name) == 0) return true;
	}
	return false;
}

/* a key that is not known, mostly one that is misspelt, would be passed over in silence */
static void check_keys(batch_asset *asset)
{
	static const char *const keys[] = {"id", "input", "inputs", "output", "outputs", "options", "bytes"};
	const size_t count = sizeof keys / sizeof keys[0];
	const unsigned number = asset->line->number;
	const json_t *bytes = json_object_get(asset->object, "bytes");
	const char *name;
	json_t *value;
	json_object_foreach(asset->object, name, value)
	{
		size_t known = 0;
		while (known < count && strcmp(keys[known], name) != 0) known++;
		if (known < count) continue;
		const char *nearest = ossa_nearest_name(name, keys, count);
		refuse(asset, "line %u: there is no key \"%.60s\"%s%s%s", number, name, nearest ? "; did you mean \"" : "",
			nearest ? nearest : "", nearest ? "\"?" : "; options of the command are in \"options\"");
		return;
	}
	if (bytes && (!json_is_integer(bytes) || json_integer_value(bytes) < 0))
		refuse(asset, "line %u: \"bytes\" must be the size of the inputs, a whole number from 0 on", number);
}

static ossa_status check_options(batch_asset *asset)
{
	json_t *options = json_object_get(asset->object, "options"), *value;
	const unsigned number = asset->line->number;
	const char *name;
	if (options && !json_is_object(options))
		return refuse(asset, "line %u: \"options\" must be an object: {\"bones\": 20}", number);
	json_object_foreach(options, name, value)
	{
		if (strcmp(name, "output") == 0)
			return refuse(asset, "line %u: name what is written in \"output\", not in \"options\"", number);
		if (is_taken(name)) return refuse(asset, "line %u: the option \"%s\" belongs to the batch", number, name);
		if (!name[0] || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] || name[0] == '-')
			return refuse(asset, "line %u: \"%.60s\" is no name of an option; leave the dashes away", number, name);
		if (json_is_object(value) || json_is_null(value))
			return refuse(
				asset, "line %u: the option \"%.60s\" must be a number, a text, true, false or a list of these", number, name);
	}
	return OSSA_OK;
}

static void find_work(batch_asset *asset)
{
	batch_hasher hasher;
	char *options = json_dumps(json_object_get(asset->object, "options"), JSON_SORT_KEYS | JSON_COMPACT);
	batch_hasher_begin(&hasher);
	const char *version = ossa_version().text;
	batch_hasher_add(&hasher, version, strlen(version) + 1);
	if (options) batch_hasher_add(&hasher, options, strlen(options) + 1);
	for (int i = 0; i < 2; i++) {
		const path_list *list = i == 0 ? &asset->inputs : &asset->outputs;
		for (size_t k = 0; k < list->count; k++) batch_hasher_add(&hasher, list->items[k], strlen(list->items[k]) + 1);
		batch_hasher_add(&hasher, "", 1);
	}
	free(options);
	asset->work = batch_hasher_end(&hasher);
}

/* ---- the whole ---- */

static ossa_status read_object(command_run *run, const manifest *made, batch_asset *asset)
{
	json_error_t error;
	char *text = batch_manifest_text(made, asset->line);
	if (!text) return refuse(asset, "line %u: the manifest was changed or cut while it was worked on", asset->line->number);
	asset->object = json_loadb(text, asset->line->length, JSON_REJECT_DUPLICATES, &error);
	asset->asked = batch_hash_of(text, asset->line->length);
	free(text);
	if (!asset->object) return refuse(asset, "line %u of the manifest is no JSON: %s", asset->line->number, error.text);
	const char *id = json_string_value(json_object_get(asset->object, "id"));
	if (!id || batch_name_hash(id, strlen(id)) != asset->line->id)
		return refuse(asset, "line %u: the manifest was changed while it was worked on", asset->line->number);
	free(asset->id);
	asset->id = strdup(id);
	if (!asset->id || !take_paths(asset, "input", &asset->inputs) || !take_paths(asset, "output", &asset->outputs))
		return batch_no_memory(run);
	if (!asset->code) check_keys(asset);
	if (!asset->code) check_options(asset);
	if (asset->code) return OSSA_OK;
	find_work(asset);
	if (!list_files(asset)) return batch_no_memory(run);
	check_outputs(asset);
	return OSSA_OK;
}

/* why jansson refuses a line that the scan refused, too: it says the column */
static void explain_json(const manifest *made, batch_asset *asset)
{
	json_error_t error;
	char *text = batch_manifest_text(made, asset->line);
	json_t *value = text ? json_loadb(text, asset->line->length, 0, &error) : NULL;
	if (text && !value)
		refuse(asset, "line %u of the manifest is no JSON: %s (column %d)", asset->line->number, error.text, error.column);
	json_decref(value);
	free(text);
}

ossa_status batch_asset_read(command_run *run, const manifest *made, size_t index, batch_asset *asset)
{
	char name[32];
	*asset = (batch_asset){.line = &made->lines[index]};
	snprintf(name, sizeof name, "line %u", (unsigned)asset->line->number);
	asset->id = strdup(name);
	if (!asset->id) return batch_no_memory(run);
	if (asset->line->fault == MANIFEST_FINE) return read_object(run, made, asset);
	batch_manifest_explain(asset->line, asset->message, sizeof asset->message);
	asset->code = "manifest";
	if (asset->line->fault == MANIFEST_NO_JSON) explain_json(made, asset);
	if (!batch_manifest_has_id(asset->line)) return OSSA_OK;
	/* the id is its own: the report has it */
	char *text = batch_manifest_text(made, asset->line);
	asset->object = text ? json_loadb(text, asset->line->length, 0, NULL) : NULL;
	free(text);
	const char *id = json_string_value(json_object_get(asset->object, "id"));
	if (!id) return OSSA_OK;
	free(asset->id);
	asset->id = strdup(id);
	return asset->id ? OSSA_OK : batch_no_memory(run);
}

void batch_asset_free(batch_asset *asset)
{
	json_decref(asset->object);
	free(asset->id);
	path_list_free(&asset->inputs);
	path_list_free(&asset->outputs);
	path_list_free(&asset->reads);
	path_list_free(&asset->writes);
	*asset = (batch_asset){.line = NULL};
}
