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
#include <unistd.h>

/* what distinguishes two lines */
typedef struct line_key {
	char *text; /* for the id */
	size_t text_size;
	bool has_id;
	uint64_t id;
	int64_t sequence;
} line_key;

static bool take_sequence(void *user, json_span key, json_span value)
{
	line_key *found = user;
	/* up to 2^53 a double is exact: the year 2255 in microseconds */
	if (json_span_is(key, "sequence")) found->sequence = (int64_t)json_span_number(value, 0);
	return true;
}

static bool take_key(void *user, json_span key, json_span value)
{
	line_key *found = user;
	if (json_span_is(key, "run")) return json_scan_object(value, take_sequence, found);
	if (!json_span_is(key, "id")) return true;
	const size_t length = json_span_string(value, found->text, found->text_size);
	found->has_id = length != SIZE_MAX;
	if (found->has_id) found->id = batch_name_hash(found->text, length);
	return true;
}

static bool make_space(char **text, size_t *text_size, size_t size)
{
	if (size + 8 <= *text_size) return true;
	char *larger = realloc(*text, 2 * size + 8);
	if (!larger) return false;
	*text = larger;
	*text_size = 2 * size + 8;
	return true;
}

/* a line that was cut, or is no JSON, is of a shard that still writes */
static bool take_line(merged_reports *merged, const batch_table *ids, uint32_t file, const batch_line *line, line_key *key)
{
	key->has_id = false;
	key->sequence = 0;
	if (line->is_cut || !line->is_whole) return true;
	if (!make_space(&key->text, &key->text_size, line->length)) return false;
	if (!json_scan_object((json_span){line->text, line->text + line->length}, take_key, key) || !key->has_id) return true;
	const uint32_t index = batch_table_find(ids, key->id);
	if (index == BATCH_TABLE_NONE) return true;
	merged_line *best = &merged->lines[index];
	if (best->length > 0 && best->sequence >= key->sequence) return true;
	*best = (merged_line){key->sequence, line->offset, (uint32_t)line->length, file};
	return true;
}

static ossa_status read_file(command_run *run, merged_reports *merged, const batch_table *ids, uint32_t file, const char *path)
{
	batch_line_reader reader;
	batch_line line;
	line_key key = {.text = NULL};
	bool fits = batch_line_reader_begin(&reader, merged->files[file]);
	while (fits && batch_line_reader_next(&reader, &line)) fits = take_line(merged, ids, file, &line, &key);
	const int error = reader.error;
	batch_line_reader_end(&reader);
	free(key.text);
	if (error) return command_fail(run, OSSA_ERROR_READ, "%s: cannot be read: %s", path, strerror(error));
	return fits ? command_check(run) : batch_no_memory(run);
}

static ossa_status add_file(
	command_run *run, merged_reports *merged, const batch_table *ids, const char *state, const char *name)
{
	char path[COMMAND_PATH_SIZE];
	const size_t length = strlen(name);
	if (strncmp(name, "shard-", 6) != 0 || length < 6 || strcmp(name + length - 6, ".jsonl") != 0) return OSSA_OK;
	if ((size_t)snprintf(path, sizeof path, "%s/%s", state, name) >= sizeof path) return OSSA_OK;
	int *more = batch_grow(merged->files, merged->file_count, &merged->file_capacity, sizeof *more);
	if (!more) return batch_no_memory(run);
	merged->files = more;
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return command_fail(run, OSSA_ERROR_READ, "%s: cannot be opened: %s", path, strerror(errno));
	merged->files[merged->file_count++] = file;
	return read_file(run, merged, ids, (uint32_t)merged->file_count - 1, path);
}

static ossa_status read_files(command_run *run, const char *state, const batch_table *ids, merged_reports *merged)
{
	DIR *stream = opendir(state);
	ossa_status status = OSSA_OK;
	if (!stream && errno == ENOENT) return OSSA_OK;
	if (!stream) return command_fail(run, OSSA_ERROR_READ, "%s: cannot be read: %s", state, strerror(errno));
	for (struct dirent *entry = readdir(stream); entry && status == OSSA_OK; entry = readdir(stream)) {
		status = add_file(run, merged, ids, state, entry->d_name);
	}
	closedir(stream);
	return status;
}

/* a line that cannot be read when it is worked on is known by its number */
static bool add_number(batch_table *ids, uint32_t number, uint32_t index)
{
	char name[32];
	const uint64_t id = batch_name_hash(name, (size_t)snprintf(name, sizeof name, "line %u", (unsigned)number));
	return batch_table_find(ids, id) != BATCH_TABLE_NONE || batch_table_set(ids, id, index);
}

ossa_status batch_merged_open(command_run *run, const batch_place *place, const manifest *made, merged_reports *merged)
{
	/* lines without an id of their own have one, too */
	batch_table ids = {0};
	bool fits = true;
	*merged = (merged_reports){.count = made->count, .lines = calloc(made->count + 1, sizeof *merged->lines)};
	for (size_t i = 0; i < made->count && fits; i++) fits = batch_table_set(&ids, made->lines[i].id, (uint32_t)i);
	for (size_t i = 0; i < made->count && fits; i++) fits = add_number(&ids, made->lines[i].number, (uint32_t)i);
	const ossa_status status = fits && merged->lines ? read_files(run, place->state, &ids, merged) : batch_no_memory(run);
	batch_table_free(&ids);
	return status;
}

void batch_merged_close(merged_reports *merged)
{
	for (size_t i = 0; i < merged->file_count; i++) close(merged->files[i]);
	free(merged->files);
	free(merged->lines);
	free(merged->text);
	*merged = (merged_reports){0};
}

/* what a line of a report says of the line of the manifest that it answers */
typedef struct line_claim {
	json_span work, asked;
} line_claim;

static bool take_asked(void *user, json_span key, json_span value)
{
	if (json_span_is(key, "asked")) ((line_claim *)user)->asked = value;
	return true;
}

static bool take_claim(void *user, json_span key, json_span value)
{
	line_claim *claim = user;
	if (json_span_is(key, "work")) claim->work = value;
	if (json_span_is(key, "run")) json_scan_object(value, take_asked, claim);
	return true;
}

static bool is_hash(json_span value, batch_hash hash)
{
	char digits[BATCH_HASH_TEXT];
	batch_hash_print(hash, digits);
	return json_span_is_string(value) && json_span_is(value, digits);
}

/* whether the line is on the work that the manifest asks for: it does where its line is the same
   text, and else where that means the same */
static ossa_status is_of_now(command_run *run, const manifest *made, size_t index, json_span line, bool *is_it)
{
	line_claim claim = {.work = {NULL, NULL}};
	json_scan_object(line, take_claim, &claim);
	char *text = batch_manifest_text(made, &made->lines[index]);
	*is_it = text && is_hash(claim.asked, batch_hash_of(text, made->lines[index].length));
	free(text);
	if (*is_it) return OSSA_OK;
	batch_asset asset;
	const ossa_status status = batch_asset_read(run, made, index, &asset);
	*is_it = !json_span_is_string(claim.work) || is_hash(claim.work, asset.work);
	batch_asset_free(&asset);
	return status;
}

ossa_status batch_merged_line(command_run *run, const manifest *made, merged_reports *merged, size_t index, json_span *line)
{
	const merged_line *at = &merged->lines[index];
	bool is_it = false;
	*line = (json_span){NULL, NULL};
	if (at->length == 0) return OSSA_OK;
	if (!make_space(&merged->text, &merged->text_size, at->length)) return batch_no_memory(run);
	if (pread(merged->files[at->file], merged->text, at->length, (off_t)at->offset) != (ssize_t)at->length)
		return command_fail(run, OSSA_ERROR_READ, "a report was cut while it was read; collect again");
	const json_span found = {merged->text, merged->text + at->length};
	COMMAND_TRY(is_of_now(run, made, index, found, &is_it));
	if (is_it) *line = found;
	return OSSA_OK;
}
