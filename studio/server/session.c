/* studio/server/session.c: sessions: each a folder on disk, in memory while in use.

   Place in the path: between requests and the disk.
   FOLDER/ID/session.json   the state, written whole after each job: other files are ignored
   FOLDER/ID/title.json     what a list of sessions shows, so that it need not read states
   FOLDER/ID/job.json       the running job; if it exists at the start, it names the interrupted job
   FOLDER/ID/files, exports uploaded files; written files
   FOLDER/ID/rig-7.bin ...  what the state names under "stored", with the revision that made it */
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

static bool id_is_good(const char *id)
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

/* the facts of a session that has nothing yet */
static json_t *empty_facts(const char *title)
{
	return json_pack("{s:i, s:I, s:I, s:o, s:{}}", "form", 1, "revision", (json_int_t)0, "changed", (json_int_t)time(NULL),
		"state", studio_state_empty(title), "stored");
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
	return empty_facts("");
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
	if (!id_is_good(id)) return NULL;
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

bool studio_session_make(studio_server *studio, char id[STUDIO_ID_SIZE])
{
	char path[STUDIO_PATH_SIZE], folder[STUDIO_PATH_SIZE], random[17];
	if (!studio_make_token(random, sizeof random)) return false;
	snprintf(id, STUDIO_ID_SIZE, "s%s", random);
	if (!studio_path(path, sizeof path, studio->folder, id) || mkdir(path, 0700) != 0) return false;
	json_t *facts = empty_facts("");
	char *text = facts ? json_dumps(facts, JSON_COMPACT) : NULL;
	json_decref(facts);
	bool good = text && studio_write_kept(path, "session.json", text, strlen(text)) && studio_keep(studio->folder);
	good = good && studio_path(folder, sizeof folder, path, "files") && mkdir(folder, 0700) == 0;
	good = good && studio_path(folder, sizeof folder, path, "exports") && mkdir(folder, 0700) == 0;
	const int reason = errno;
	free(text);
	if (!good) studio_remove_folder(path);
	errno = reason;
	return good;
}

bool studio_session_remove(studio_session *session)
{
	char away[STUDIO_PATH_SIZE], name[STUDIO_ID_SIZE + 8];
	studio_server *studio = session->studio;
	pthread_mutex_lock(&studio->lock);
	pthread_mutex_lock(&session->lock);
	const bool good = !session->is_working;
	if (good) session->is_gone = true;
	snprintf(name, sizeof name, ".gone-%s", session->id);
	/* under this name no request finds it */
	const bool is_away = good && studio_path(away, sizeof away, studio->folder, name) && rename(session->path, away) == 0;
	pthread_cond_broadcast(&session->moved);
	pthread_mutex_unlock(&session->lock);
	pthread_mutex_unlock(&studio->lock);
	if (good && !is_away) studio_remove_folder(session->path);
	if (is_away) studio_remove_gone(studio, name);
	return good;
}

bool studio_session_restore(studio_server *studio, const char *id)
{
	char away[STUDIO_PATH_SIZE], path[STUDIO_PATH_SIZE], name[STUDIO_ID_SIZE + 8];
	struct stat found;
	if (!id_is_good(id)) return false;
	snprintf(name, sizeof name, ".gone-%s", id);
	return studio_path(away, sizeof away, studio->folder, name) && studio_path(path, sizeof path, studio->folder, id) &&
		lstat(path, &found) != 0 && rename(away, path) == 0;
}

/* the small file beside the state, or defaults without it */
static json_t *read_title(const char *path)
{
	size_t size;
	struct stat facts;
	char *text = studio_read_whole(path, "title.json", 65536, &size);
	json_t *parsed = text ? json_loadb(text, size, 0, NULL) : NULL;
	free(text);
	if (json_is_object(parsed)) return parsed;
	json_decref(parsed);
	const time_t changed = stat(path, &facts) == 0 ? facts.st_mtime : 0;
	return json_pack("{s:s, s:I}", "title", "", "changed", (json_int_t)changed);
}

json_t *studio_session_list(studio_server *studio)
{
	json_t *names = studio_folder_names(studio->folder), *list = json_array();
	for (size_t i = 0; names && i < json_array_size(names); i++) {
		char path[STUDIO_PATH_SIZE];
		const char *id = json_string_value(json_array_get(names, i));
		if (!id_is_good(id) || !studio_path(path, sizeof path, studio->folder, id)) continue;
		json_t *described = read_title(path);
		json_object_set_new(described, "id", json_string(id));
		json_object_set_new(described, "bytes", json_integer((json_int_t)studio_folder_bytes(path)));
		json_array_append_new(list, described);
	}
	const bool good = names && list;
	json_decref(names);
	if (!good) json_decref(list);
	return good ? json_pack("{s:o}", "sessions", list) : NULL;
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
