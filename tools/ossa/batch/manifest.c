/* tools/ossa/batch/manifest.c: reads a manifest, and finds what its lines have in common.

   Place in the path: the command's batch, behind the lines' facts, before the shards.
   Input: a file of JSON lines.
   Output: for each line its place in the file, the size of its inputs and what is wrong with it.

   Every shard reads every line, because ids and outputs are compared with those of all lines. Of
   two lines with one id or one output the first is right, so that all shards agree. */
#include "batch/manifest.h"
#include "batch/line_facts.h"
#include "batch/line_reader.h"
#include "batch/place_keys.h"
#include "batch/siphash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* a file that a line reads */
typedef struct read_file {
	uint64_t file;
	uint32_t line; /* index */
} read_file;

typedef struct reading {
	command_run *run;
	manifest *made;
	manifest_need need;
	line_facts facts;
	size_t read_count, read_capacity;
	read_file *reads;
} reading;

uint64_t batch_name_hash(const char *text, size_t length) { return batch_hash_of(text, length).low; }

static uint32_t number_of(const manifest *made, uint32_t index) { return made->lines[index].number; }

/* the first output that another line writes already, or that this line names twice */
static bool find_collision(reading *work, manifest_line *line)
{
	const file_hashes *writes = &work->facts.writes;
	for (size_t i = 0; i < writes->count; i++) {
		const uint32_t other = batch_table_find(&work->made->writers, writes->items[i]);
		for (size_t k = 0; k < i; k++) {
			if (writes->items[k] == writes->items[i]) line->other = line->number;
		}
		if (other != BATCH_TABLE_NONE) line->other = number_of(work->made, other);
		if (line->other) return true;
	}
	return false;
}

static manifest_fault find_fault(reading *work, manifest_line *line, bool is_json)
{
	const line_facts *facts = &work->facts;
	if (!is_json) return MANIFEST_NO_JSON;
	if (!facts->has_id) return MANIFEST_NO_ID;
	const uint32_t other = batch_table_find(&work->made->ids, facts->id);
	if (other != BATCH_TABLE_NONE) {
		line->other = number_of(work->made, other);
		return MANIFEST_SAME_ID;
	}
	if (facts->input_count == 0) return MANIFEST_NO_INPUT;
	if (facts->output_count == 0) return MANIFEST_NO_OUTPUT;
	return find_collision(work, line) ? MANIFEST_COLLIDES : MANIFEST_FINE;
}

/* claims the line's id and files */
static ossa_status claim(reading *work, const manifest_line *line)
{
	const uint32_t index = (uint32_t)work->made->count;
	const line_facts *facts = &work->facts;
	if (!batch_table_set(&work->made->ids, line->id, index)) return batch_no_memory(work->run);
	for (size_t i = 0; i < facts->writes.count && !line->fault; i++) {
		if (!batch_table_set(&work->made->writers, facts->writes.items[i], index)) return batch_no_memory(work->run);
	}
	for (size_t i = 0; i < facts->reads.count && !line->fault; i++) {
		read_file *more = batch_grow(work->reads, work->read_count, &work->read_capacity, sizeof *more);
		if (!more) return batch_no_memory(work->run);
		work->reads = more;
		work->reads[work->read_count++] = (read_file){facts->reads.items[i], index};
	}
	return OSSA_OK;
}

static ossa_status add_line(reading *work, const batch_line *text, uint32_t number)
{
	manifest *made = work->made;
	manifest_line line = {.offset = text->offset, .length = (uint32_t)text->length, .number = number};
	const bool is_json = !text->is_cut &&
		batch_line_facts_read(&work->facts, (json_span){text->text, text->text + text->length});
	if (work->facts.no_memory) return batch_no_memory(work->run);
	line.fault = text->is_cut ? MANIFEST_TOO_LONG : find_fault(work, &line, is_json);
	if (is_json) line.bytes = work->facts.bytes;
	if (work->need == MANIFEST_TEXTS) line.text = batch_name_hash(text->text, text->length);
	if (batch_manifest_has_id(&line)) {
		line.id = work->facts.id;
		COMMAND_TRY(claim(work, &line));
	}
	manifest_line *more = batch_grow(made->lines, made->count, &made->capacity, sizeof *more);
	if (!more) return batch_no_memory(work->run);
	made->lines = more;
	made->lines[made->count++] = line;
	return OSSA_OK;
}

static ossa_status read_lines(reading *work, batch_line_reader *reader, const char *name)
{
	batch_line line;
	uint32_t number = 0;
	while (batch_line_reader_next(reader, &line)) {
		if (number == UINT32_MAX - 1) return command_fail(work->run, OSSA_ERROR_INPUT, "%s: has too many lines; cut it", name);
		number++;
		if (number % 1024 == 0) COMMAND_TRY(command_check(work->run));
		if (!batch_line_is_blank(&line)) COMMAND_TRY(add_line(work, &line, number));
	}
	if (reader->error) return command_fail(work->run, OSSA_ERROR_READ, "%s: cannot be read: %s", name, strerror(reader->error));
	if (work->made->count == 0)
		return command_fail(work->run, OSSA_ERROR_INPUT, "%s: holds no asset; make a manifest with ossa batch --make", name);
	return OSSA_OK;
}

/* an output that is an input of another line would change that line's result by the order of the
   work; a line's own is refused by its method */
static void find_overwritten(reading *work)
{
	for (size_t i = 0; i < work->read_count; i++) {
		const uint32_t writer = batch_table_find(&work->made->writers, work->reads[i].file);
		if (writer == BATCH_TABLE_NONE) continue;
		manifest_line *line = &work->made->lines[writer];
		if (line->fault != MANIFEST_FINE) continue;
		line->fault = MANIFEST_OVERWRITES;
		line->other = number_of(work->made, work->reads[i].line);
	}
}

static ossa_status read_manifest(reading *work, const char *name)
{
	batch_line_reader reader;
	if (!batch_line_reader_begin(&reader, work->made->file)) return batch_no_memory(work->run);
	const ossa_status status = read_lines(work, &reader, name);
	batch_line_reader_end(&reader);
	if (status == OSSA_OK) find_overwritten(work);
	return status;
}

ossa_status batch_manifest_open(command_run *run, const batch_place *place, manifest_need need, manifest *made)
{
	struct stat status;
	*made = (manifest){.file = open(place->name, O_RDONLY | O_CLOEXEC)};
	if (made->file < 0 || fstat(made->file, &status) != 0)
		return command_fail(run, OSSA_ERROR_READ, "%s: cannot be opened: %s", place->name, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return command_fail(
			run, OSSA_ERROR_READ, "%s: is no file; every shard must be able to read the manifest by itself", place->name);
	made->size = (uint64_t)status.st_size;
	reading work = {.run = run, .made = made, .need = need};
	work.facts = (line_facts){.folder = place->folder, .measure = need == MANIFEST_SIZES};
	const ossa_status result = read_manifest(&work, place->name);
	batch_line_facts_free(&work.facts);
	free(work.reads);
	return result;
}

void batch_manifest_close(manifest *made)
{
	if (made->file >= 0) close(made->file);
	free(made->lines);
	batch_table_free(&made->ids);
	batch_table_free(&made->writers);
	*made = (manifest){.file = -1};
}

char *batch_manifest_text(const manifest *made, const manifest_line *line)
{
	char *text = malloc((size_t)line->length + 1);
	size_t used = 0;
	while (text && used < line->length) {
		const ssize_t got = pread(made->file, text + used, line->length - used, (off_t)(line->offset + used));
		if (got < 0 && errno == EINTR) continue;
		if (got <= 0) break;
		used += (size_t)got;
	}
	if (!text || used < line->length) {
		free(text);
		return NULL;
	}
	text[used] = 0;
	return text;
}

bool batch_manifest_has_id(const manifest_line *line)
{
	return line->fault == MANIFEST_FINE || (line->fault >= MANIFEST_NO_INPUT && line->fault != MANIFEST_SAME_ID);
}

uint32_t batch_manifest_find(const manifest *made, uint32_t number)
{
	size_t low = 0, high = made->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (made->lines[middle].number < number) low = middle + 1;
		else high = middle;
	}
	return low < made->count && made->lines[low].number == number ? (uint32_t)low : BATCH_TABLE_NONE;
}

const manifest_line *batch_manifest_writer(const manifest *made, const char *path)
{
	char real[COMMAND_PATH_SIZE];
	if (!batch_real_path(path, real, sizeof real)) return NULL;
	/* folders that were made since the manifest was read were names then */
	for (size_t length = strlen(real); length-- > 0;) {
		uint64_t key;
		if (real[length] != '/' || !batch_real_key(real, length, &key)) continue;
		const uint32_t index = batch_table_find(&made->writers, key);
		if (index != BATCH_TABLE_NONE && made->lines[index].fault == MANIFEST_FINE) return &made->lines[index];
	}
	return NULL;
}

void batch_manifest_explain(const manifest_line *line, char *text, size_t size)
{
	const unsigned number = line->number, other = line->other;
	switch (line->fault) {
	case MANIFEST_FINE: snprintf(text, size, "line %u is fine", number); return;
	case MANIFEST_NO_JSON: snprintf(text, size, "line %u of the manifest is no JSON object", number); return;
	case MANIFEST_TOO_LONG: snprintf(text, size, "line %u of the manifest is longer than 16 MB", number); return;
	case MANIFEST_NO_ID:
		snprintf(text, size, "line %u of the manifest has no \"id\": give each asset a name of its own", number);
		return;
	case MANIFEST_NO_INPUT:
		snprintf(text, size, "line %u of the manifest has no \"input\": name the file of the mesh", number);
		return;
	case MANIFEST_NO_OUTPUT:
		snprintf(text, size, "line %u of the manifest has no \"output\": name the file of the rig", number);
		return;
	case MANIFEST_SAME_ID: snprintf(text, size, "line %u of the manifest has the id of line %u", number, other); return;
	case MANIFEST_COLLIDES:
		if (number == other) snprintf(text, size, "line %u of the manifest writes one file twice", number);
		else snprintf(text, size, "line %u of the manifest writes a file that line %u writes", number, other);
		return;
	case MANIFEST_OVERWRITES:
		if (number == other) snprintf(text, size, "line %u of the manifest writes a file that it reads", number);
		else snprintf(text, size, "line %u of the manifest writes a file that line %u reads", number, other);
		return;
	}
}
