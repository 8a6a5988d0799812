/* tools/ossa/batch/work.c: rigs the assets of a shard, several at once.

   Place in the path: the command's batch, behind manifest and shards.
   Input: a manifest.
   Output: rigs, sidecars, the shard's report; a line on its progress.

   Assets are begun from the largest on, so that none is left alone at the end. What another process
   works on is put off until all else is done. */
#include "batch/jobs.h"
#include "batch/pace.h"

#include <stdlib.h>
#include <string.h>

/* seconds between signs of life, of which several fit into the shortest patience */
static const double TOUCH_SECONDS = 1;

/* a line that another process works on */
typedef struct put_off {
	size_t index;
	lock_holder holder;
	double begin, last; /* of command_clock: when it was tried first and last */
} put_off;

typedef struct batch_team {
	job_shop shop;
	size_t count, next; /* of `lines`: all, and those that were begun */
	uint32_t *lines;
	size_t job_count;
	batch_job *jobs;
	batch_child **children; /* of the jobs */
	size_t off_count, off_capacity;
	put_off *off;
	double touched;
	bool is_stopping;
	batch_pace pace;
} batch_team;

static size_t active_count(const batch_team *team)
{
	size_t count = 0;
	for (size_t i = 0; i < team->job_count; i++) count += team->jobs[i].is_active;
	return count;
}

static batch_job *free_job(batch_team *team)
{
	for (size_t i = 0; i < team->job_count; i++) {
		if (!team->jobs[i].is_active) return &team->jobs[i];
	}
	return NULL;
}

/* what goes on while assets are rigged */
static void attend(batch_team *team, double seconds)
{
	batch_children_listen(team->children, team->job_count, seconds);
	const double now = command_clock();
	if (now - team->touched < TOUCH_SECONDS) return;
	team->touched = now;
	batch_lock_touch(&team->shop.report.lock);
	for (size_t i = 0; i < team->job_count; i++) {
		if (team->jobs[i].is_active) batch_job_touch(&team->jobs[i]);
	}
}

static void attend_shortly(void *user) { attend(user, 0); }

static void close_asset(batch_team *team, size_t index, job_state state, double seconds)
{
	const uint64_t bytes = team->shop.made->lines[index].bytes;
	if (state == JOB_SKIPPED) batch_pace_add(&team->pace, PACE_SKIPPED, bytes, seconds);
	if (state == JOB_DONE) batch_pace_add(&team->pace, PACE_DONE, bytes, seconds);
	if (state == JOB_FAILED) batch_pace_add(&team->pace, PACE_FAILED, bytes, seconds);
}

static ossa_status finish_jobs(batch_team *team)
{
	for (size_t i = 0; i < team->job_count; i++) {
		batch_job *job = &team->jobs[i];
		job_state state;
		if (!job->is_active || !batch_child_ended(&job->child)) continue;
		const size_t index = job->index;
		const double seconds = job->child.seconds;
		COMMAND_TRY(batch_job_finish(&team->shop, job, &state));
		close_asset(team, index, state, seconds);
	}
	return OSSA_OK;
}

/* ---- beginning ---- */

static ossa_status put_line_off(batch_team *team, size_t index, const lock_holder *holder)
{
	put_off *more = batch_grow(team->off, team->off_count, &team->off_capacity, sizeof *more);
	if (!more) return batch_no_memory(team->shop.run);
	const double now = command_clock();
	team->off = more;
	team->off[team->off_count++] = (put_off){index, *holder, now, now};
	return OSSA_OK;
}

static ossa_status begin_next(batch_team *team, batch_job *job)
{
	job_state state;
	lock_holder holder = {.text = ""};
	const size_t index = team->lines[team->next++];
	COMMAND_TRY(batch_job_begin(&team->shop, index, &holder, job, &state));
	if (state == JOB_HELD) return put_line_off(team, index, &holder);
	close_asset(team, index, state, 0);
	return OSSA_OK;
}

/* a line that was put off, at most five times a second; a holder that lives is waited for as long
   as a dead one is, and as the asset may take */
static ossa_status try_again(batch_team *team, size_t place, batch_job *job)
{
	job_state state;
	put_off *off = &team->off[place];
	const size_t index = off->index;
	const double now = command_clock(), patience = team->shop.options->lock_seconds + team->shop.options->asset_seconds;
	if (now - off->last < 0.2) return OSSA_OK;
	off->last = now;
	COMMAND_TRY(batch_job_begin(&team->shop, index, &off->holder, job, &state));
	if (state == JOB_HELD && now - off->begin < patience + 1) return OSSA_OK;
	if (state == JOB_HELD) {
		COMMAND_TRY(batch_job_give_up(&team->shop, index, &off->holder));
		state = JOB_FAILED;
	}
	close_asset(team, index, state, 0);
	team->off[place] = team->off[--team->off_count];
	return OSSA_OK;
}

static ossa_status begin_jobs(batch_team *team)
{
	batch_job *job;
	while (!command_stopped() && team->next < team->count && (job = free_job(team)) != NULL) {
		COMMAND_TRY(begin_next(team, job));
		COMMAND_TRY(finish_jobs(team));
		batch_pace_show(&team->pace, active_count(team), false);
		attend(team, 0);
	}
	for (size_t i = team->off_count; i-- > 0 && team->next == team->count && !command_stopped();) {
		job = free_job(team);
		if (job) COMMAND_TRY(try_again(team, i, job));
	}
	return OSSA_OK;
}

/* ---- ending ---- */

static void stop_children(batch_team *team)
{
	if (!team->is_stopping) {
		for (size_t i = 0; i < team->job_count; i++) batch_child_stop(&team->jobs[i].child);
	}
	team->is_stopping = true;
}

static ossa_status work_through(batch_team *team)
{
	for (;;) {
		COMMAND_TRY(begin_jobs(team));
		if (command_stopped()) stop_children(team);
		const size_t active = active_count(team);
		const bool is_all = team->next == team->count && team->off_count == 0;
		if (active == 0 && (is_all || team->is_stopping)) break;
		attend(team, 0.2);
		COMMAND_TRY(finish_jobs(team));
		batch_pace_show(&team->pace, active_count(team), false);
	}
	batch_pace_show(&team->pace, 0, true);
	return team->is_stopping ? command_fail(team->shop.run, OSSA_ERROR_CANCELLED, "stopped on request") : OSSA_OK;
}

/* waits for what is still running, which is nothing unless an error ended the batch: children must
   not go on alone */
static void end_children(batch_team *team)
{
	stop_children(team);
	for (size_t active = active_count(team); active > 0; active = active_count(team)) {
		attend(team, 0.2);
		for (size_t i = 0; i < team->job_count; i++) {
			if (team->jobs[i].is_active && batch_child_ended(&team->jobs[i].child)) batch_job_free(&team->jobs[i]);
		}
	}
}

static ossa_status make_team(const batch_options *options, batch_team *team)
{
	const int cores = batch_core_count(team->shop.run);
	team->job_count = (size_t)(options->jobs > 0 ? options->jobs : cores);
	if (team->job_count > team->count) team->job_count = team->count > 0 ? team->count : 1;
	const int share = cores / (int)team->job_count;
	/* --threads is of each asset */
	const int wanted = team->shop.run->shared.threads;
	team->shop.threads = wanted > 0 ? wanted : share > 0 ? share : 1;
	team->jobs = calloc(team->job_count, sizeof *team->jobs);
	team->children = calloc(team->job_count, sizeof *team->children);
	if (!team->jobs || !team->children) return batch_no_memory(team->shop.run);
	for (size_t i = 0; i < team->job_count; i++) {
		batch_child_free(&team->jobs[i].child);
		team->children[i] = &team->jobs[i].child;
	}
	return OSSA_OK;
}

static ossa_status print_summary(batch_team *team)
{
	command_run *run = team->shop.run;
	const batch_pace *pace = &team->pace;
	run->some_failed = pace->failed > 0;
	if (team->shop.unsaved > 0 && !run->shared.quiet) {
		fprintf(stderr,
			"ossa batch: warning: sidecars that could not be written, or whose inputs could not be read: %zu; the assets will "
			"be "
			"done again\n",
			team->shop.unsaved);
	}
	if (run->shared.json) {
		return command_print_json(run,
			json_pack("{s:s, s:I, s:I, s:I, s:I, s:f, s:s}", "shard", team->shop.shard, "assets", (json_int_t)pace->count,
				"done", (json_int_t)(pace->closed - pace->skipped - pace->failed), "skipped", (json_int_t)pace->skipped,
				"failed", (json_int_t)pace->failed, "seconds", command_clock() - pace->begin, "report",
				team->shop.report.path));
	}
	if (!command_prints_text(run)) return OSSA_OK;
	printf("%-10s %s: %zu assets\n", "shard", team->shop.shard, pace->count);
	printf("%-10s %zu, %zu before, %zu failed\n", "done", pace->closed - pace->skipped - pace->failed, pace->skipped,
		pace->failed);
	printf("%-10s %s\n", "report", team->shop.report.path);
	return OSSA_OK;
}

static ossa_status work(batch_team *team, const batch_options *options, const batch_place *place, batch_shard shard)
{
	command_run *run = team->shop.run;
	COMMAND_TRY(batch_shard_lines(run, team->shop.made, shard, &team->lines, &team->count));
	COMMAND_TRY(make_team(options, team));
	COMMAND_TRY(batch_report_open(run, place, shard, options->lock_seconds, &team->shop.report));
	batch_pace_begin(&team->pace, team->shop.shard, run->shared.quiet, team->count);
	for (size_t i = 0; i < team->count; i++) team->pace.bytes += team->shop.made->lines[team->lines[i]].bytes;
	const ossa_status status = work_through(team);
	end_children(team);
	batch_pace_show(&team->pace, 0, true);
	return status == OSSA_OK ? print_summary(team) : status;
}

ossa_status batch_work(command_run *run, const batch_options *options, const batch_place *place)
{
	batch_shard shard;
	manifest made;
	COMMAND_TRY(batch_shard_read(run, command_text_value(run, BATCH_SHARD), &shard));
	/* sizes order the work, and divide it */
	ossa_status status = batch_manifest_open(run, place, MANIFEST_SIZES, &made);
	batch_team team = {.shop = {.run = run, .options = options, .made = &made, .report.file = -1}};
	team.shop.pause = (batch_pause){attend_shortly, &team};
	snprintf(team.shop.shard, sizeof team.shop.shard, "%u/%u", (unsigned)shard.number, (unsigned)shard.count);
	if (status == OSSA_OK) status = work(&team, options, place, shard);
	for (size_t i = 0; i < team.job_count && team.jobs; i++) batch_job_free(&team.jobs[i]);
	batch_report_close(&team.shop.report);
	batch_manifest_close(&made);
	free(team.lines);
	free(team.jobs);
	free(team.children);
	free(team.off);
	return status;
}
