/* tools/ossa/batch/overrides.c: options by pattern.

   Place in the path: the command's batch, below the making of manifests.
   Input: a file of JSON lines.
   Output: changed options. */
#include "batch/overrides.h"
#include "batch/glob.h"
#include "batch/line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char *find_fault(const json_t *line)
{
	const json_t *options = json_object_get(line, "options"), *skip = json_object_get(line, "skip");
	if (!json_is_string(json_object_get(line, "match")))
		return "has no \"match\": give the pattern of the files that it is for";
	if (options && !json_is_object(options)) return "has \"options\" that are no object: {\"bones\": 20}";
	if (skip && !json_is_boolean(skip)) return "has a \"skip\" that is neither true nor false";
	const size_t known = 1 + (options != NULL) + (skip != NULL);
	if (json_object_size(line) > known) return "has other keys than \"match\", \"options\" and \"skip\"";
	if (!options && !skip) return "has neither \"options\" nor \"skip\"";
	return NULL;
}

static ossa_status read_lines(command_run *run, const char *path, batch_line_reader *reader, json_t *overrides)
{
	batch_line line;
	for (unsigned number = 1; batch_line_reader_next(reader, &line); number++) {
		json_error_t error;
		if (batch_line_is_blank(&line)) continue;
		if (line.is_cut) return command_fail(run, OSSA_ERROR_INPUT, "%s: line %u is longer than 16 MB", path, number);
		json_t *value = json_loadb(line.text, line.length, JSON_REJECT_DUPLICATES, &error);
		if (!value) return command_fail(run, OSSA_ERROR_INPUT, "%s: line %u is no JSON: %s", path, number, error.text);
		const char *fault = find_fault(value);
		json_array_append_new(overrides, value);
		if (fault) return command_fail(run, OSSA_ERROR_INPUT, "%s: line %u %s", path, number, fault);
	}
	if (reader->error) return command_fail(run, OSSA_ERROR_READ, "%s: cannot be read: %s", path, strerror(reader->error));
	return OSSA_OK;
}

ossa_status batch_overrides_read(command_run *run, const char *path, json_t **overrides)
{
	batch_line_reader reader;
	*overrides = path ? json_array() : NULL;
	if (!path) return OSSA_OK;
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return command_fail(run, OSSA_ERROR_READ, "%s: cannot be opened: %s", path, strerror(errno));
	const bool fits = *overrides && batch_line_reader_begin(&reader, file);
	const ossa_status status = fits ? read_lines(run, path, &reader, *overrides) : batch_no_memory(run);
	if (fits) batch_line_reader_end(&reader);
	close(file);
	return status;
}

bool batch_overrides_apply(json_t *overrides, const char *path, json_t *options)
{
	bool is_wanted = true;
	for (size_t i = 0; i < json_array_size(overrides); i++) {
		json_t *line = json_array_get(overrides, i), *changes = json_object_get(line, "options"), *value;
		const char *name;
		if (!batch_glob_matches(json_string_value(json_object_get(line, "match")), path)) continue;
		const json_t *skip = json_object_get(line, "skip");
		if (skip) is_wanted = !json_is_true(skip);
		json_object_foreach(changes, name, value)
		{
			if (json_is_null(value)) json_object_del(options, name);
			else json_object_set(options, name, value);
		}
	}
	return is_wanted;
}
