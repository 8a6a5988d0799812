/* tools/ossa/batch/jobs.c: from the line of a manifest to outputs, sidecar and a line of the
   report.

   Place in the path: the command's batch, below the run.
   Input: a line.
   Output: what `ossa rig` writes; a lock meanwhile; a sidecar; a line in the report. */
#include "batch/jobs.h"
#include "batch/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* what a process needs of addresses besides its data: the program, stacks, files that are mapped */
static const uint64_t ADDRESSES_BESIDES = (uint64_t)1 << 30;

/* ---- the report ---- */

static ossa_status report(job_shop *shop, const batch_asset *asset, const batch_outcome *outcome,
	const batch_products *products, const batch_effort *effort, json_t **line)
{
	*line = batch_outcome_line(asset, outcome, products, effort);
	if (!*line) return batch_no_memory(shop->run);
	return batch_report_add(shop->run, &shop->report, *line);
}

/* above that of every earlier line on the asset: passing failures have no sidecar, but a line */
static int64_t next_sequence(const job_shop *shop, int64_t before)
{
	return batch_next_sequence(shop->report.sequence > before ? shop->report.sequence : before);
}

/* an asset without work: its line is wrong, or its folder cannot be made */
static ossa_status report_fault(job_shop *shop, const batch_asset *asset, const char *code, const char *message, int64_t before)
{
	json_t *line = NULL;
	batch_outcome outcome = {.code = code, .exit = -1};
	const batch_effort effort = {.sequence = next_sequence(shop, before), .shard = shop->shard};
	snprintf(outcome.message, sizeof outcome.message, "%s", message);
	batch_repair_text(outcome.message);
	const ossa_status status = report(shop, asset, &outcome, &(batch_products){.outputs = NULL}, &effort, &line);
	json_decref(line);
	return status;
}

/* ---- locks ---- */

static void release(batch_job *job)
{
	for (size_t i = 0; i < job->lock_count; i++) batch_lock_release(&job->locks[i]);
	free(job->locks);
	job->locks = NULL;
	job->lock_count = 0;
}

static void remove_leftovers(const batch_asset *asset)
{
	char sidecar[COMMAND_PATH_SIZE];
	for (size_t i = 0; i < asset->writes.count; i++) batch_remove_temporaries(asset->writes.items[i]);
	batch_sidecar_path(asset, sidecar, sizeof sidecar);
	batch_remove_temporaries(sidecar);
}

/* a lock for each file that is written, in the order of the line; all or none */
static lock_result take_locks(job_shop *shop, batch_job *job, lock_holder *holder, int *error)
{
	const path_list *writes = &job->asset.writes;
	lock_result result = LOCK_TAKEN;
	bool was_left = false;
	job->locks = calloc(writes->count + 1, sizeof *job->locks);
	if (!job->locks) {
		*error = ENOMEM;
		return LOCK_FAILED;
	}
	for (size_t i = 0; i < writes->count; i++) {
		char path[COMMAND_PATH_SIZE];
		*error = batch_make_folders(writes->items[i]);
		snprintf(path, sizeof path, "%s.ossa.lock", writes->items[i]);
		if (*error == 0) result = batch_lock_take(path, shop->options->lock_seconds, holder, &job->locks[i], error);
		else result = LOCK_FAILED;
		if (result == LOCK_HELD || result == LOCK_FAILED) {
			release(job);
			return result;
		}
		job->lock_count++;
		was_left = was_left || result == LOCK_TAKEN_OVER;
	}
	return was_left ? LOCK_TAKEN_OVER : LOCK_TAKEN;
}

void batch_job_touch(const batch_job *job)
{
	for (size_t i = 0; i < job->lock_count; i++) batch_lock_touch(&job->locks[i]);
}

/* ---- beginning ---- */

/* what an earlier run has closed; it keeps its line of the report */
static ossa_status look_back(job_shop *shop, batch_job *job, bool *is_done_before)
{
	batch_sidecar sidecar;
	ossa_status status = OSSA_OK;
	batch_sidecar_read(&job->asset, shop->options->verify, shop->pause, &sidecar);
	job->before = sidecar.sequence;
	*is_done_before = sidecar.is_valid && (sidecar.is_done || !shop->options->retry_failed);
	if (*is_done_before) {
		json_object_set_new(sidecar.line, "id", json_string(job->asset.id));
		status = batch_report_add(shop->run, &shop->report, sidecar.line);
	}
	batch_sidecar_free(&sidecar);
	return status;
}

static ossa_status start(job_shop *shop, batch_job *job)
{
	const batch_options *options = shop->options;
	const path_list *reads = &job->asset.reads;
	child_limits limits = {.seconds = options->asset_seconds};
	job->stamps = calloc(reads->count + 1, sizeof *job->stamps);
	char **words = batch_asset_words(&job->asset, shop->threads, options->asset_memory);
	if (!job->stamps || !words) {
		batch_words_free(words);
		return batch_no_memory(shop->run);
	}
	uint64_t bytes = 0;
	for (size_t i = 0; i < reads->count; i++) {
		job->stamps[i] = batch_stamp(reads->items[i]);
		bytes += job->stamps[i].bytes;
	}
	/* the command itself stops at its limit and says so; this one ends what it does not count */
	if (options->asset_memory > 0) limits.address_bytes = ((uint64_t)options->asset_memory << 20) + bytes + ADDRESSES_BESIDES;
	const ossa_status status = batch_child_start(shop->run, (const char *const *)words, limits, &job->child);
	batch_words_free(words);
	return status;
}

static ossa_status fail_locks(job_shop *shop, batch_job *job, int error)
{
	char message[400], reason[256];
	batch_explain_write(job->asset.outputs.items[0], error, reason, sizeof reason);
	snprintf(message, sizeof message, "%.120s: cannot be written: %s", job->asset.outputs.items[0], reason);
	return report_fault(shop, &job->asset, "write", message, job->before);
}

static ossa_status begin(job_shop *shop, lock_holder *holder, batch_job *job, job_state *state)
{
	bool is_done_before;
	int error;
	if (!job->asset.code) batch_asset_follow_links(shop->made, &job->asset);
	if (job->asset.code) {
		*state = JOB_FAILED;
		return report_fault(shop, &job->asset, job->asset.code, job->asset.message, 0);
	}
	*state = JOB_SKIPPED;
	COMMAND_TRY(look_back(shop, job, &is_done_before));
	if (is_done_before) return OSSA_OK;
	const lock_result lock = take_locks(shop, job, holder, &error);
	*state = lock == LOCK_FAILED ? JOB_FAILED : JOB_HELD;
	if (lock == LOCK_FAILED) return fail_locks(shop, job, error);
	if (lock == LOCK_HELD) return OSSA_OK;
	if (lock == LOCK_TAKEN_OVER) remove_leftovers(&job->asset);
	/* the process that had the lock just now may have done it */
	*state = JOB_SKIPPED;
	COMMAND_TRY(look_back(shop, job, &is_done_before));
	if (is_done_before) return OSSA_OK;
	*state = JOB_RUNS;
	return start(shop, job);
}

ossa_status batch_job_begin(job_shop *shop, size_t index, lock_holder *holder, batch_job *job, job_state *state)
{
	*job = (batch_job){.is_active = true, .index = index, .child = {.out.pipe = -1, .errors.pipe = -1}};
	ossa_status status = batch_asset_read(shop->run, shop->made, index, &job->asset);
	if (status == OSSA_OK) status = begin(shop, holder, job, state);
	if (status != OSSA_OK || *state != JOB_RUNS) batch_job_free(job);
	return status;
}

/* ---- the end ---- */

static bool are_reads_unchanged(const batch_job *job)
{
	for (size_t i = 0; i < job->asset.reads.count; i++) {
		const file_stamp now = batch_stamp(job->asset.reads.items[i]);
		if (!batch_stamps_equal(&now, &job->stamps[i])) return false;
	}
	return true;
}

/* work that is done must have its outputs; levels that a small skeleton does not have may miss */
static void check_outputs(const batch_job *job, batch_outcome *outcome)
{
	for (size_t i = 0; i < job->asset.outputs.count && batch_outcome_is_done(outcome); i++) {
		if (batch_stamp(job->asset.outputs.items[i]).is_there) continue;
		outcome->code = "write";
		snprintf(outcome->message, sizeof outcome->message, "%.300s: is not there after the work", job->asset.outputs.items[i]);
	}
}

/* adds to `list` the files of what the command printed that are not among the known ones */
static bool add_others(path_list *list, const path_list *known, json_t *paths)
{
	json_t *path;
	size_t index;
	json_array_foreach(paths, index, path)
	{
		bool is_known = json_string_value(path) == NULL;
		for (size_t i = 0; i < known->count && !is_known; i++) is_known = strcmp(known->items[i], json_string_value(path)) == 0;
		if (!is_known && !path_list_add(list, json_string_value(path))) return false;
	}
	return true;
}

/* of an asset that is done, with the files that its outputs name; others have written nothing */
static batch_products describe_products(const job_shop *shop, const batch_job *job, const batch_outcome *outcome)
{
	batch_products products = {.outputs = json_array()};
	path_list beside = {.count = 0};
	if (!batch_outcome_is_done(outcome)) return products;
	json_decref(products.outputs);
	products.outputs = batch_describe_files(&job->asset.writes, false, INFINITY, shop->pause);
	if (add_others(&beside, &job->asset.writes, json_object_get(outcome->printed, "writes")))
		products.beside = batch_describe_files(&beside, false, INFINITY, shop->pause);
	path_list_free(&beside);
	return products;
}

/* the sidecar is written last: it says that all else is there */
static ossa_status close_asset(job_shop *shop, batch_job *job, batch_outcome *outcome)
{
	const bool done = batch_outcome_is_done(outcome);
	json_t *line = NULL;
	const batch_products products = describe_products(shop, job, outcome);
	path_list *reads = &job->asset.reads;
	const batch_effort effort = {.seconds = job->child.seconds,
		.peak_bytes = job->child.peak_bytes,
		.sequence = next_sequence(shop, job->before),
		.shard = shop->shard};
	ossa_status status = report(shop, &job->asset, outcome, &products, &effort, &line);
	json_t *others = json_object_get(outcome->printed, "reads");
	if (status == OSSA_OK && batch_outcome_is_lasting(outcome) && add_others(reads, reads, others)) {
		/* a hash saves doing the same again: it must not take longer */
		json_t *inputs = batch_describe_files(reads, true, done ? INFINITY : job->child.seconds, shop->pause);
		/* without one it is done again */
		const bool is_whole = inputs && products.outputs && (products.beside || !done);
		if (!is_whole || batch_sidecar_write(&job->asset, inputs, line) != 0) shop->unsaved++;
		json_decref(inputs);
	}
	json_decref(products.outputs);
	json_decref(products.beside);
	json_decref(line);
	return status;
}

ossa_status batch_job_finish(job_shop *shop, batch_job *job, job_state *state)
{
	batch_outcome outcome;
	batch_outcome_read(&job->child, shop->options->asset_seconds, &outcome);
	if (!batch_outcome_is_done(&outcome)) remove_leftovers(&job->asset);
	else check_outputs(job, &outcome);
	if (batch_outcome_is_lasting(&outcome) && !are_reads_unchanged(job)) {
		outcome.code = "changed";
		snprintf(outcome.message, sizeof outcome.message, "an input was changed while it was rigged; run the batch again");
	}
	*state = batch_outcome_is_done(&outcome) ? JOB_DONE : JOB_FAILED;
	ossa_status status = OSSA_OK;
	/* one that was stopped because the batch was is neither done nor failed */
	if (strcmp(outcome.code, "stopped") == 0 && command_stopped()) *state = JOB_STOPPED;
	else status = close_asset(shop, job, &outcome);
	json_decref(outcome.printed);
	batch_job_free(job);
	return status;
}

ossa_status batch_job_give_up(job_shop *shop, size_t index, const lock_holder *holder)
{
	batch_asset asset;
	char who[192], message[256];
	batch_lock_describe(holder, who, sizeof who);
	snprintf(message, sizeof message, "another batch works on it: %s", who);
	ossa_status status = batch_asset_read(shop->run, shop->made, index, &asset);
	if (status == OSSA_OK) status = report_fault(shop, &asset, "held", message, 0);
	batch_asset_free(&asset);
	return status;
}

void batch_job_free(batch_job *job)
{
	release(job);
	batch_asset_free(&job->asset);
	batch_child_free(&job->child);
	free(job->stamps);
	job->stamps = NULL;
	job->is_active = false;
}
