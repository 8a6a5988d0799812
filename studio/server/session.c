/* studio/server/session.c: sessions: each a folder on disk, in memory while in use.

   Place in the path: between requests and the disk.
   FOLDER/ID/session.json   the state, written whole after each job: other files are ignored
   FOLDER/ID/title.json     what a list of sessions shows, so that it need not read states
   FOLDER/ID/job.json       the running job; if it exists at the start, it names the interrupted job
   FOLDER/ID/files, exports uploaded files; written files
   FOLDER/ID/rig-7.bin ...  what the state names under "stored", with the revision that made it
   shelf.c makes, lists and removes the folders. */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static const size_t facts_limit = (size_t)1 << 28;

bool studio_session_id_is_good(const char *id)
{
	const size_t length = strlen(id);
	return length > 1 && length < STUDIO_ID_SIZE && id[0] == 's' && strspn(id + 1, "0123456789abcdef") == length - 1;
}

static void free_session(studio_session *session)
{
	if (!session) return;
	for (size_t i = 0; i < session->job_count; i++) json_decref(session->jobs[i].result);
	studio_desk_free(session->desk);
	ossa_context_free(session->history);
	studio_scene_free(session->scene);
	json_decref(session->facts);
	pthread_mutex_destroy(&session->lock);
	pthread_cond_destroy(&session->moved);
	free(session);
}

json_t *studio_facts_empty(const char *from)
{
	json_t *facts = json_pack("{s:i, s:I, s:I, s:o, s:{}, s:s*}", "form", 1, "revision", (json_int_t)0, "changed",
		(json_int_t)time(NULL), "state", studio_state_empty(""), "stored", "from", from);
	studio_facts_lasting(facts);
	return facts;
}

/* the name that it was given, and the session from which it was opened, whatever step is shown */
void studio_facts_lasting(json_t *facts)
{
	json_t *state = studio_state_of(facts), *name = json_object_get(facts, "name"), *from = json_object_get(facts, "from");
	if (name) json_object_set(state, "title", name);
	if (from) json_object_set(state, "from", from);
}

static json_t *read_facts(const char *path)
{
	size_t size;
	char *text = studio_read_whole(path, "session.json", facts_limit, &size);
	json_t *facts = text ? json_loadb(text, size, 0, NULL) : NULL;
	free(text);
	const bool good = facts && json_is_object(studio_state_of(facts)) && json_is_object(json_object_get(facts, "stored"));
	if (good) return facts;
	json_decref(facts);
	/* a folder without a state yet: its files may be there */
	return studio_facts_empty(NULL);
}

/* the job of a killed server is shown as failed */
static void recover_job(studio_session *session)
{
	size_t size;
	char *text = studio_read_whole(session->path, "job.json", 65536, &size), path[STUDIO_PATH_SIZE];
	json_t *left = text ? json_loadb(text, size, 0, NULL) : NULL;
	free(text);
	if (left) {
		const char *verb = json_string_value(json_object_get(left, "do"));
		studio_job *job = &session->jobs[session->job_count++];
		*job = (studio_job){.number = (uint64_t)json_integer_value(json_object_get(left, "number")),
			.sequence = ++session->sequence,
			.state = STUDIO_JOB_FAILED,
			.code = "interrupted",
			.message = "the server ended while this ran; everything is as it was before: ask for it again"};
		snprintf(job->verb, sizeof job->verb, "%s", verb ? verb : "");
	}
	json_decref(left);
	if (studio_path(path, sizeof path, session->path, "job.json")) unlink(path);
}

static studio_session *load(studio_server *studio, const char *id)
{
	struct stat found;
	studio_session *session = calloc(1, sizeof *session);
	if (!session) return NULL;
	session->studio = studio;
	snprintf(session->id, sizeof session->id, "%s", id);
	pthread_mutex_init(&session->lock, NULL);
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&session->moved, &attributes);
	pthread_condattr_destroy(&attributes);
	const bool is_there = studio_path(session->path, sizeof session->path, studio->folder, id) &&
		lstat(session->path, &found) == 0 && S_ISDIR(found.st_mode);
	if (is_there) session->facts = read_facts(session->path);
	if (!session->facts) {
		free_session(session);
		return NULL;
	}
	session->revision = json_integer_value(json_object_get(session->facts, "revision"));
	recover_job(session);
	studio_sweep(session, session->facts);
	studio_sweep_parts(session);
	return session;
}

static studio_session *find(studio_server *studio, const char *id)
{
	for (studio_session *session = studio->sessions; session; session = session->next) {
		if (strcmp(session->id, id) == 0 && !session->is_gone) return session;
	}
	return NULL;
}

studio_session *studio_session_take(studio_server *studio, const char *id)
{
	if (!studio_session_id_is_good(id)) return NULL;
	pthread_mutex_lock(&studio->lock);
	studio_session *session = find(studio, id);
	if (!session) {
		session = load(studio, id);
		if (session) {
			session->next = studio->sessions;
			studio->sessions = session;
		}
	}
	if (session) {
		session->uses++;
		session->clock = ++studio->clock;
	}
	pthread_mutex_unlock(&studio->lock);
	return session;
}

static void unlink_session(studio_server *studio, studio_session *session)
{
	studio_session **at = &studio->sessions;
	while (*at && *at != session) at = &(*at)->next;
	if (*at) *at = session->next;
}

/* removes the least recently used one from the list, where too many are kept */
static studio_session *oldest_idle(studio_server *studio)
{
	size_t idle = 0;
	studio_session *oldest = NULL;
	for (studio_session *session = studio->sessions; session; session = session->next) {
		if (session->uses > 0) continue;
		idle++;
		if (!oldest || session->clock < oldest->clock) oldest = session;
	}
	if (idle <= STUDIO_SESSIONS_LOADED) return NULL;
	unlink_session(studio, oldest);
	return oldest;
}

static time_t now_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

void studio_sessions_rest(studio_server *studio)
{
	const time_t now = now_seconds();
	studio_session *left = NULL;
	pthread_mutex_lock(&studio->lock);
	studio_session **at = &studio->sessions;
	while (*at) {
		studio_session *session = *at;
		if (session->uses > 0 || now - session->used_at < STUDIO_SECONDS_LOADED) {
			at = &session->next;
			continue;
		}
		*at = session->next;
		session->next = left;
		left = session;
	}
	pthread_mutex_unlock(&studio->lock);
	if (!left) return;
	while (left) {
		studio_session *session = left;
		left = session->next;
		free_session(session);
	}
#ifdef __GLIBC__
	/* heaps return only what lies at their ends by themselves */
	malloc_trim(0);
#endif
}

void studio_session_drop(studio_session *session)
{
	if (!session) return;
	studio_server *studio = session->studio;
	studio_session *left = NULL;
	pthread_mutex_lock(&studio->lock);
	session->uses--;
	session->used_at = now_seconds();
	if (session->uses == 0 && session->is_gone) {
		unlink_session(studio, session);
		left = session;
	} else left = oldest_idle(studio);
	pthread_mutex_unlock(&studio->lock);
	free_session(left);
}

void studio_sessions_free(studio_server *studio)
{
	while (studio->sessions) {
		studio_session *session = studio->sessions;
		studio->sessions = session->next;
		free_session(session);
	}
}

void studio_session_stored(studio_session *session, const char *key, char name[64])
{
	pthread_mutex_lock(&session->lock);
	const char *text = json_string_value(json_object_get(json_object_get(session->facts, "stored"), key));
	snprintf(name, 64, "%s", text ? text : "");
	pthread_mutex_unlock(&session->lock);
}

int studio_session_open(studio_session *session, const char *key, int64_t *revision)
{
	char path[STUDIO_PATH_SIZE];
	int file = -1;
	/* under the lock: once it is open, it may be removed */
	pthread_mutex_lock(&session->lock);
	const char *name = json_string_value(json_object_get(json_object_get(session->facts, "stored"), key));
	if (name && studio_path(path, sizeof path, session->path, name)) file = open(path, O_RDONLY | O_CLOEXEC);
	*revision = session->revision;
	pthread_mutex_unlock(&session->lock);
	return file;
}
