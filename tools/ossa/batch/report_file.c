/* tools/ossa/batch/report_file.c: a shard's report.

   Place in the path: the command's batch, below the run.
   Input: lines on assets.
   Output: SHARD.jsonl in the state folder. The line of an asset may come again in a later run: the
   one of the highest sequence counts. */
#include "batch/report_file.h"
#include "batch/line_reader.h"
#include "batch/siphash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static uint64_t key_of(const char *id, int64_t sequence)
{
	batch_hasher hasher;
	batch_hasher_begin(&hasher);
	batch_hasher_add(&hasher, &sequence, sizeof sequence);
	batch_hasher_add(&hasher, id, strlen(id));
	return batch_hasher_end(&hasher).low;
}

static bool add_known(report_file *report, const json_t *line)
{
	const char *id = json_string_value(json_object_get(line, "id"));
	const int64_t sequence = json_integer_value(json_object_get(json_object_get(line, "run"), "sequence"));
	if (sequence > report->sequence) report->sequence = sequence;
	return !id || batch_table_set(&report->known, key_of(id, sequence), 1);
}

/* the lines of earlier runs; the file is cut behind the last whole one */
static ossa_status read_known(command_run *run, report_file *report)
{
	batch_line_reader reader;
	batch_line line;
	bool fits = batch_line_reader_begin(&reader, report->file);
	while (fits && batch_line_reader_next(&reader, &line)) {
		if (!line.is_whole) continue;
		report->size = line.offset + line.length + 1;
		json_t *value = json_loadb(line.text, line.length, 0, NULL);
		fits = add_known(report, value);
		json_decref(value);
	}
	const int error = reader.error;
	batch_line_reader_end(&reader);
	if (!fits) return batch_no_memory(run);
	if (error) return command_fail(run, OSSA_ERROR_READ, "%s: cannot be read: %s", report->path, strerror(error));
	if (ftruncate(report->file, (off_t)report->size) == 0) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be cut: %s", report->path, strerror(errno));
}

/* a minute without a word looks like a crash */
static void say_waiting(const command_run *run, batch_shard shard, double patience, const char *who)
{
	if (run->shared.quiet) return;
	fprintf(stderr, "ossa batch: shard %u of %u belongs to %s; waiting %g seconds to see whether it lives\n",
		(unsigned)shard.number, (unsigned)shard.count, who, patience);
}

static ossa_status lock_shard(command_run *run, batch_shard shard, double patience, report_file *report)
{
	char path[COMMAND_PATH_SIZE + 8], who[192] = "";
	lock_holder holder = {.text = ""};
	int error;
	snprintf(path, sizeof path, "%s.lock", report->path);
	const double begin = command_clock();
	for (;;) {
		const lock_result result = batch_lock_take(path, patience, &holder, &report->lock, &error);
		if (result == LOCK_TAKEN || result == LOCK_TAKEN_OVER) return OSSA_OK;
		if (result == LOCK_FAILED) return command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be made: %s", path, strerror(error));
		if (who[0] == 0) {
			batch_lock_describe(&holder, who, sizeof who);
			say_waiting(run, shard, patience, who);
		}
		/* a process that is alive has given a sign by now */
		if (command_clock() - begin > patience + 1) break;
		COMMAND_TRY(command_check(run));
		nanosleep(&(struct timespec){0, 200000000}, NULL);
	}
	batch_lock_describe(&holder, who, sizeof who);
	return command_fail(run, OSSA_ERROR_ARGUMENT, "shard %u of %u is being worked on already, by %s", (unsigned)shard.number,
		(unsigned)shard.count, who);
}

ossa_status batch_report_open(
	command_run *run, const batch_place *place, batch_shard shard, double patience, report_file *report)
{
	*report = (report_file){.file = -1};
	const int length = snprintf(report->path, sizeof report->path, "%s/shard-%04u-of-%04u.jsonl", place->state,
		(unsigned)shard.number, (unsigned)shard.count);
	if ((size_t)length + 64 > sizeof report->path)
		return command_fail(run, OSSA_ERROR_WRITE, "the path of the folder for reports is too long");
	int error = batch_make_folders(report->path);
	if (error == 0) COMMAND_TRY(lock_shard(run, shard, patience, report));
	if (error == 0) report->file = open(report->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (error == 0 && report->file < 0) error = errno;
	if (error != 0) {
		char reason[256];
		batch_explain_write(report->path, error, reason, sizeof reason);
		return command_fail(
			run, OSSA_ERROR_WRITE, "%s: cannot be written: %s; --state FOLDER puts reports elsewhere", report->path, reason);
	}
	return read_known(run, report);
}

static ossa_status append(command_run *run, report_file *report, const char *text, size_t size)
{
	ssize_t put;
	do put = write(report->file, text, size);
	while (put < 0 && errno == EINTR);
	if (put == (ssize_t)size) {
		report->size += size;
		return OSSA_OK;
	}
	const int error = put < 0 ? errno : ENOSPC;
	/* a part of a line would spoil the next one */
	if (ftruncate(report->file, (off_t)report->size) != 0) report->size = 0;
	return command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be written: %s; what is done stays done: run the same command again",
		report->path, strerror(error));
}

ossa_status batch_report_add(command_run *run, report_file *report, json_t *line)
{
	const char *id = json_string_value(json_object_get(line, "id"));
	const json_t *sequence = json_object_get(json_object_get(line, "run"), "sequence");
	if (id && batch_table_find(&report->known, key_of(id, json_integer_value(sequence))) != BATCH_TABLE_NONE) return OSSA_OK;
	char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9));
	if (!text || !add_known(report, line)) {
		free(text);
		return batch_no_memory(run);
	}
	const size_t size = strlen(text);
	/* in place of the end of the text */
	text[size] = '\n';
	const ossa_status status = append(run, report, text, size + 1);
	free(text);
	return status;
}

void batch_report_close(report_file *report)
{
	if (report->file >= 0) close(report->file);
	batch_lock_release(&report->lock);
	batch_table_free(&report->known);
	report->file = -1;
}
