/* tools/ossa/batch/merged.c: finds the last line on each asset among the reports of all shards.

   Place in the path: the command's batch, below the collection.
   Input: a manifest, the reports of its shards, also of other divisions than the last.
   Output: for each asset a line. */
#include "batch/merged.h"
#include "batch/asset.h"
#include "batch/line_reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static bool make_space(merged_reports *merged, size_t size)
{
	if (size + 8 <= merged->text_size) return true;
	char *larger = realloc(merged->text, 2 * size + 8);
	if (!larger) return false;
	merged->text = larger;
	merged->text_size = 2 * size + 8;
	return true;
}

/* ---- reading ---- */

/* whose line it is; one that cannot be read when it is worked on is known by its number */
static uint32_t find_asset(const manifest *made, merged_reports *merged, json_span id)
{
	unsigned number;
	char name[32];
	const size_t length = json_span_string(id, merged->text, merged->text_size);
	if (length == SIZE_MAX) return BATCH_TABLE_NONE;
	const uint32_t index = batch_table_find(&made->ids, batch_name_hash(merged->text, length));
	if (index != BATCH_TABLE_NONE || sscanf(merged->text, "line %u", &number) != 1) return index;
	snprintf(name, sizeof name, "line %u", number);
	return strcmp(name, merged->text) == 0 ? batch_manifest_find(made, number) : BATCH_TABLE_NONE;
}

/* whether a line of a report has the hash of this text of a line of the manifest */
static bool is_hash_of(json_span asked, uint64_t text)
{
	char digits[BATCH_HASH_TEXT];
	batch_hash_print((batch_hash){.low = text}, digits);
	return json_span_is_string(asked) && asked.end - asked.begin > 17 && memcmp(asked.begin + 1, digits, 16) == 0;
}

/* a line that was cut, or is no JSON, is of a shard that still writes */
static bool take_line(const manifest *made, merged_reports *merged, uint32_t file, const batch_line *text)
{
	report_line line;
	if (text->is_cut || !text->is_whole) return true;
	if (!make_space(merged, text->length)) return false;
	if (!batch_report_line_read((json_span){text->text, text->text + text->length}, &line)) return true;
	const uint32_t index = find_asset(made, merged, line.id);
	if (index == BATCH_TABLE_NONE) return true;
	merged_line *best = &merged->lines[index];
	if (best->length > 0 && best->sequence >= line.sequence) return true;
	batch_report_line_complete(&line);
	*best = (merged_line){.sequence = line.sequence,
		.offset = text->offset,
		.length = (uint32_t)text->length,
		.file = file,
		.is_asked = is_hash_of(line.asked, made->lines[index].text),
		.row = line.row};
	return true;
}

static ossa_status read_file(command_run *run, const manifest *made, merged_reports *merged, uint32_t file, const char *path)
{
	batch_line_reader reader;
	batch_line line;
	bool fits = batch_line_reader_begin(&reader, merged->files[file]);
	while (fits && batch_line_reader_next(&reader, &line)) fits = take_line(made, merged, file, &line);
	const int error = reader.error;
	batch_line_reader_end(&reader);
	if (error) return command_fail(run, OSSA_ERROR_READ, "%s: cannot be read: %s", path, strerror(error));
	return fits ? command_check(run) : batch_no_memory(run);
}

/* the files of all shards are open at once, which may be more than a process may have at first */
static int open_report(const char *path)
{
	struct rlimit limit;
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &limit) != 0) return file;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return file;
	return open(path, O_RDONLY | O_CLOEXEC);
}

static ossa_status add_file(command_run *run, const manifest *made, merged_reports *merged, const char *state, const char *name)
{
	char path[COMMAND_PATH_SIZE];
	const size_t length = strlen(name);
	if (strncmp(name, "shard-", 6) != 0 || length < 6 || strcmp(name + length - 6, ".jsonl") != 0) return OSSA_OK;
	if ((size_t)snprintf(path, sizeof path, "%s/%s", state, name) >= sizeof path) return OSSA_OK;
	int *more = batch_grow(merged->files, merged->file_count, &merged->file_capacity, sizeof *more);
	if (!more) return batch_no_memory(run);
	merged->files = more;
	const int file = open_report(path);
	if (file < 0) return command_fail(run, OSSA_ERROR_READ, "%s: cannot be opened: %s", path, strerror(errno));
	merged->files[merged->file_count++] = file;
	return read_file(run, made, merged, (uint32_t)merged->file_count - 1, path);
}

static ossa_status read_files(command_run *run, const char *state, const manifest *made, merged_reports *merged)
{
	DIR *stream = opendir(state);
	ossa_status status = OSSA_OK;
	if (!stream && errno == ENOENT) return OSSA_OK;
	if (!stream) return command_fail(run, OSSA_ERROR_READ, "%s: cannot be read: %s", state, strerror(errno));
	for (struct dirent *entry = readdir(stream); entry && status == OSSA_OK; entry = readdir(stream)) {
		status = add_file(run, made, merged, state, entry->d_name);
	}
	closedir(stream);
	return status;
}

ossa_status batch_merged_open(command_run *run, const batch_place *place, const manifest *made, merged_reports *merged)
{
	*merged = (merged_reports){.count = made->count, .lines = calloc(made->count + 1, sizeof *merged->lines)};
	return merged->lines ? read_files(run, place->state, made, merged) : batch_no_memory(run);
}

void batch_merged_close(merged_reports *merged)
{
	for (size_t i = 0; i < merged->file_count; i++) close(merged->files[i]);
	free(merged->files);
	free(merged->lines);
	free(merged->text);
	*merged = (merged_reports){0};
}

/* ---- a line ---- */

/* whether the line is on the work that the manifest asks for, though in other words */
static ossa_status is_of_now(command_run *run, const manifest *made, size_t index, json_span text, bool *is_it)
{
	char digits[BATCH_HASH_TEXT];
	report_line line;
	batch_asset asset;
	const ossa_status status = batch_asset_read(run, made, index, &asset);
	batch_hash_print(asset.work, digits);
	*is_it = batch_report_line_read(text, &line) && (!json_span_is_string(line.work) || json_span_is(line.work, digits));
	batch_asset_free(&asset);
	return status;
}

ossa_status batch_merged_line(command_run *run, const manifest *made, merged_reports *merged, size_t index, json_span *line)
{
	const merged_line *at = &merged->lines[index];
	bool is_it = at->is_asked;
	*line = (json_span){NULL, NULL};
	if (at->length == 0) return OSSA_OK;
	if (!make_space(merged, at->length)) return batch_no_memory(run);
	if (pread(merged->files[at->file], merged->text, at->length, (off_t)at->offset) != (ssize_t)at->length)
		return command_fail(run, OSSA_ERROR_READ, "a report was cut while it was read; collect again");
	const json_span found = {merged->text, merged->text + at->length};
	if (!is_it) COMMAND_TRY(is_of_now(run, made, index, found, &is_it));
	if (is_it) *line = found;
	return OSSA_OK;
}
