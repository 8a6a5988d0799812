/* studio/server/jobs.c: long work: a thread for each job with a context of its own, progress,
   cancelling, and the one place where its result becomes the session's state.

   Place in the path: behind POST jobs.  A job changes a copy of the state and writes new files
   beside the old ones; only when it is done the new state is written, whole, and the old files
   go. So a job that fails, is cancelled or killed has changed nothing. */
#include "server.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct {
	const char *verb;
	studio_worker *worker;
} verbs[] = {
	{"open", studio_work_open},
	{"rig", studio_work_rig},
	{"motion", studio_work_motion},
	{"edit", studio_work_edit},
	{"undo", studio_work_undo},
	{"redo", studio_work_redo},
	{"goto", studio_work_goto},
	{"measure", studio_work_measure},
	{"report", studio_work_report},
	{"export", studio_work_export},
	{"name", studio_work_name},
	{"stages", studio_work_stages},
};

static studio_worker *worker_of(const char *verb)
{
	for (size_t i = 0; verb && i < sizeof verbs / sizeof verbs[0]; i++) {
		if (strcmp(verb, verbs[i].verb) == 0) return verbs[i].worker;
	}
	return NULL;
}

/* ---- a job as JSON ---- */

json_t *studio_job_json(const studio_job *job)
{
	static const char *const states[] = {"running", "done", "failed", "cancelled"};
	char id[32];
	snprintf(id, sizeof id, "j%llu", (unsigned long long)job->number);
	json_t *described = json_pack("{s:s, s:s, s:s, s:s, s:f}", "id", id, "do", job->verb, "state", states[job->state], "stage",
		job->stage, "fraction", job->fraction);
	json_t *message = json_string(job->message);
	if (!message) message = json_string("(a message that is not UTF-8)");
	json_object_set_new(
		described, "error", job->code[0] ? json_pack("{s:s, s:o}", "code", job->code, "message", message) : json_null());
	if (!job->code[0]) json_decref(message);
	json_object_set(described, "result", job->result ? job->result : json_null());
	return described;
}

static studio_job *running(studio_session *session) { return &session->jobs[session->job_count - 1]; }

/* makes a free entry by dropping the oldest */
static studio_job *push_job(studio_session *session)
{
	if (session->job_count == STUDIO_JOBS_KEPT) {
		json_decref(session->jobs[0].result);
		memmove(session->jobs, session->jobs + 1, (STUDIO_JOBS_KEPT - 1) * sizeof session->jobs[0]);
		session->job_count--;
	}
	return &session->jobs[session->job_count++];
}

static void touch(studio_session *session, studio_job *job)
{
	job->sequence = ++session->sequence;
	pthread_cond_broadcast(&session->moved);
}

/* often enough to be visible: every report is a message to each page, which would slow down short
   jobs */
static bool is_time_to_tell(studio_work *work)
{
	static const double pause = 0.04; /* seconds */
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	const double now = (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
	if (now < work->reported_at + pause) return false;
	work->reported_at = now;
	return true;
}

bool studio_work_progress(void *user, const char *stage, double fraction)
{
	studio_session *session = user;
	studio_work *work = session->work;
	if (!work) return true;
	const double whole = work->from + (work->to - work->from) * fraction;
	pthread_mutex_lock(&session->lock);
	studio_job *job = running(session);
	const bool is_new = strcmp(job->stage, stage) != 0 || whole >= job->fraction + 0.005;
	if (is_new && is_time_to_tell(work)) {
		snprintf(job->stage, sizeof job->stage, "%s", stage);
		if (whole > job->fraction) job->fraction = whole < 1 ? whole : 1;
		touch(session, job);
	}
	pthread_mutex_unlock(&session->lock);
	return !atomic_load(&session->is_cancelled) && !atomic_load(&session->studio->is_ending);
}

void studio_work_part(studio_work *work, double from, double to)
{
	work->from = from;
	work->to = to;
}

ossa_status studio_work_fail(studio_work *work, ossa_status status, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(work->message, sizeof work->message, format, arguments);
	va_end(arguments);
	return status;
}

bool studio_make_context(const studio_work *work, ossa_context **context)
{
	const studio_options *wanted = &work->session->studio->options;
	ossa_context_options options = ossa_context_default();
	options.threads = wanted->threads;
	options.memory_limit = wanted->memory_limit;
	options.progress = studio_work_progress;
	options.progress_user = work->session;
	return ossa_context_create(&options, context) == OSSA_OK;
}

/* ---- the end of a job ---- */

static void write_title(const studio_session *session, const json_t *facts)
{
	json_t *head = json_pack("{s:O?, s:O?}", "title", json_object_get(studio_state_of((json_t *)facts), "title"), "changed",
		json_object_get(facts, "changed"));
	char *text = head ? json_dumps(head, JSON_COMPACT) : NULL;
	/* without it the list only lacks a title */
	if (text) studio_write_whole(session->path, "title.json", text, strlen(text));
	free(text);
	json_decref(head);
}

/* the files that this job wrote and the new state names: they are synced to the disk before it
   is, in case of a power cut */
static ossa_status keep_files(studio_work *work, int64_t revision)
{
	char mark[32], path[STUDIO_PATH_SIZE];
	const char *key;
	json_t *name;
	snprintf(mark, sizeof mark, "-%lld.", (long long)revision);
	json_object_foreach(json_object_get(work->facts, "stored"), key, name)
	{
		const char *file = json_string_value(name);
		if (!file || !strstr(file, mark) || !studio_path(path, sizeof path, work->session->path, file)) continue;
		if (!studio_keep(path))
			return studio_work_fail(work, OSSA_ERROR_WRITE, "the session cannot be kept: %s", strerror(errno));
	}
	return OSSA_OK;
}

/* writes the new state; until it is complete, the old one is valid */
static ossa_status commit(studio_work *work)
{
	studio_session *session = work->session;
	const int64_t revision = session->revision + 1;
	json_object_set_new(work->facts, "revision", json_integer(revision));
	json_object_set_new(studio_state_of(work->facts), "revision", json_integer(revision));
	json_object_set_new(work->facts, "changed", json_integer((json_int_t)time(NULL)));
	studio_facts_lasting(work->facts);
	STUDIO_TRY(keep_files(work, revision));
	char *text = json_dumps(work->facts, JSON_COMPACT | JSON_REAL_PRECISION(17));
	if (!text) return studio_work_fail(work, OSSA_ERROR_MEMORY, "out of memory for the session's state");
	const bool is_written = studio_write_kept(session->path, "session.json", text, strlen(text));
	const int reason = errno;
	free(text);
	if (!is_written) return studio_work_fail(work, OSSA_ERROR_WRITE, "the session cannot be kept: %s", strerror(reason));
	write_title(session, work->facts);
	return OSSA_OK;
}

static void tell_error(const studio_work *work, ossa_status status, studio_job *job)
{
	const char *message = work->message;
	if (!message[0] && work->context) message = ossa_context_error(work->context)->message;
	if (!message[0]) message = ossa_status_name(status);
	snprintf(job->code, sizeof job->code, "%s", studio_status_code(status));
	snprintf(job->message, sizeof job->message, "%s", message);
	studio_hide_folder(work->session, job->message);
}

/* JSON values are moved, not shared, because their reference counts are not thread-safe */

/* the new state and the end of the job become visible together */
static void finish_work(studio_work *work, ossa_status status)
{
	studio_session *session = work->session;
	json_t *old = NULL;
	pthread_mutex_lock(&session->lock);
	studio_job *job = running(session);
	if (status == OSSA_OK && work->changes_state) {
		old = session->facts;
		session->facts = work->facts;
		work->facts = NULL;
		session->revision++;
	}
	if (status == OSSA_OK) {
		job->result = work->result;
		work->result = NULL;
	} else if (status != OSSA_ERROR_CANCELLED) tell_error(work, status, job);
	job->state = status == OSSA_OK       ? STUDIO_JOB_DONE
		: status == OSSA_ERROR_CANCELLED ? STUDIO_JOB_CANCELLED
										 : STUDIO_JOB_FAILED;
	if (status == OSSA_OK) job->fraction = 1;
	session->is_working = false;
	touch(session, job);
	/* under the lock: other threads have already opened a stored file, or read its new name */
	studio_sweep(session, session->facts);
	pthread_mutex_unlock(&session->lock);
	json_decref(old);
}

static void mark_job(const studio_work *work, const char *verb)
{
	char text[128];
	const int length = snprintf(
		text, sizeof text, "{\"number\": %llu, \"do\": \"%s\"}\n", (unsigned long long)work->number, verb);
	studio_write_whole(work->session->path, "job.json", text, (size_t)length);
}

static ossa_status run_worker(studio_work *work)
{
	const char *verb = json_string_value(json_object_get(work->wanted, "do"));
	studio_work_clock(work);
	mark_job(work, verb);
	if (!work->facts || !studio_make_context(work, &work->context)) return OSSA_ERROR_MEMORY;
	STUDIO_TRY(worker_of(verb)(work));
	return work->changes_state ? commit(work) : OSSA_OK;
}

/* a report has the warnings and costs of making the rig, which are in the context of that job */
static void keep_history(studio_work *work, ossa_status status)
{
	const char *verb = json_string_value(json_object_get(work->wanted, "do"));
	const bool is_made = status == OSSA_OK && (strcmp(verb, "open") == 0 || strcmp(verb, "rig") == 0);
	/* the report only borrowed it, also after a failure */
	if (!is_made && strcmp(verb, "report") != 0) return;
	ossa_context_free(work->session->history);
	work->session->history = work->context;
	work->context = NULL;
}

static void *run_job(void *user)
{
	studio_work *work = user;
	studio_session *session = work->session;
	studio_server *studio = session->studio;
	char mark[STUDIO_PATH_SIZE];
	session->work = work;
	const ossa_status status = run_worker(work);
	if (studio_path(mark, sizeof mark, session->path, "job.json")) unlink(mark);
	studio_desk_commit(session, status == OSSA_OK);
	keep_history(work, status);
	session->work = NULL;
	finish_work(work, status);
	ossa_context_free(work->context);
	json_decref(work->facts);
	json_decref(work->wanted);
	json_decref(work->result);
	free(work);
	studio_session_drop(session);
	pthread_mutex_lock(&studio->lock);
	studio->jobs_running--;
	pthread_mutex_unlock(&studio->lock);
	return NULL;
}

/* ---- the beginning ---- */

/* counts the job as running and the session as used; false, and an answer, where too many jobs
   run */
static bool reserve(studio_session *session, studio_work *work, const char *verb, studio_answer *answer)
{
	studio_server *studio = session->studio;
	bool is_busy, is_crowded;
	pthread_mutex_lock(&studio->lock);
	pthread_mutex_lock(&session->lock);
	is_busy = session->is_working || session->is_gone;
	is_crowded = studio->jobs_running >= STUDIO_JOBS_RUNNING;
	if (!is_busy && !is_crowded) {
		studio->jobs_running++;
		session->uses++;
		session->is_working = true;
		atomic_store(&session->is_cancelled, false);
		studio_job *job = push_job(session);
		*job = (studio_job){.number = ++studio->job_count, .stage = "begin"};
		snprintf(job->verb, sizeof job->verb, "%s", verb);
		work->number = job->number;
		work->facts = json_deep_copy(session->facts);
		touch(session, job);
	}
	pthread_mutex_unlock(&session->lock);
	pthread_mutex_unlock(&studio->lock);
	if (is_busy) studio_refuse(answer, 409, "busy", "a job of this session is running; wait for it, or cancel it");
	else if (is_crowded) studio_refuse(answer, 429, "busy", "%d jobs are running; wait for one of them", STUDIO_JOBS_RUNNING);
	return !is_busy && !is_crowded;
}

void studio_job_begin(studio_session *session, json_t *wanted, studio_answer *answer)
{
	const char *verb = json_string_value(json_object_get(wanted, "do"));
	if (!worker_of(verb)) {
		studio_refuse(answer, 400, "argument", "\"do\": there is no such work \"%.40s\"", verb ? verb : "");
		json_decref(wanted);
		return;
	}
	studio_work *work = calloc(1, sizeof *work);
	if (!work) {
		studio_no_memory(answer);
		json_decref(wanted);
		return;
	}
	*work = (studio_work){.session = session, .wanted = wanted, .to = 1};
	if (!reserve(session, work, verb, answer)) {
		json_decref(work->wanted);
		free(work);
		return;
	}
	char id[32];
	snprintf(id, sizeof id, "j%llu", (unsigned long long)work->number);
	pthread_t thread;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	const int failed = pthread_create(&thread, &attributes, run_job, work);
	pthread_attr_destroy(&attributes);
	/* where no thread can be made, this one does the work */
	if (failed) run_job(work);
	studio_answer_json(answer, 202, json_pack("{s:s}", "id", id));
}

void studio_jobs_end(studio_server *studio)
{
	int count = 1;
	while (count > 0) {
		pthread_mutex_lock(&studio->lock);
		count = studio->jobs_running;
		pthread_mutex_unlock(&studio->lock);
		const struct timespec pause = {0, 2000000};
		if (count > 0) nanosleep(&pause, NULL);
	}
}
