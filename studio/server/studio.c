/* studio/server/studio.c: the server as a whole: its folder, its token, its beginning and its end.

   Place in the path: what `ossa studio` calls. */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The server listens on the last run's port, where open pages look for it. The token is new in
   every run: a program that took the port meanwhile may have received the old one. */
static void take_port(studio_server *studio, const char *address)
{
	int port = 0;
	if (studio->options.is_fresh || sscanf(address, "http://127.0.0.1:%d/", &port) != 1) return;
	if (port < 1 || port > 65535 || (studio->options.port != 0 && studio->options.port != port)) return;
	studio->last_port = port;
}

/* one server per folder: two would overwrite one another's states */
static bool lock_folder(studio_server *studio, char message[STUDIO_MESSAGE_SIZE])
{
	char path[STUDIO_PATH_SIZE], address[STUDIO_ADDRESS_SIZE] = "";
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	if (!studio_path(path, sizeof path, studio->folder, ".lock")) return false;
	studio->lock_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (studio->lock_file < 0) {
		snprintf(message, STUDIO_MESSAGE_SIZE, "%.300s: cannot be written: %s", studio->folder, strerror(errno));
		return false;
	}
	const bool is_ours = fcntl(studio->lock_file, F_SETLK, &lock) == 0;
	const ssize_t count = read(studio->lock_file, address, sizeof address - 1);
	address[count > 0 ? count : 0] = 0;
	if (is_ours) {
		take_port(studio, address);
		return true;
	}
	snprintf(message, STUDIO_MESSAGE_SIZE, "another studio works in %.300s: use it%s%s, or give this one a --folder of its own",
		studio->folder, address[0] ? " at " : "", address);
	return false;
}

static bool take_folder(studio_server *studio, const char *folder, char message[STUDIO_MESSAGE_SIZE])
{
	if (!studio_make_folders(folder) || !realpath(folder, studio->folder) || strlen(studio->folder) > STUDIO_PATH_SIZE - 512) {
		snprintf(message, STUDIO_MESSAGE_SIZE, "%.300s: cannot be used as a folder for sessions: %s", folder, strerror(errno));
		return false;
	}
	if (!lock_folder(studio, message)) return false;
	studio_removed_trim(studio);
	return true;
}

bool studio_create(const studio_options *options, studio_server **made, char message[STUDIO_MESSAGE_SIZE])
{
	studio_server *studio = *made = calloc(1, sizeof *studio);
	snprintf(message, STUDIO_MESSAGE_SIZE, "out of memory");
	if (!studio) return false;
	studio->options = *options;
	studio->lock_file = -1;
	pthread_mutex_init(&studio->lock, NULL);
	if (options->page) snprintf(studio->page, sizeof studio->page, "%s", options->page);
	/* the next run does not reuse numbers of jobs: they start from the time in milliseconds */
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	studio->job_count = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
	const bool good = take_folder(studio, options->folder, message);
	if (good) studio->about = studio_about_text(studio);
	if (good && studio->about) return true;
	studio_end(studio);
	*made = NULL;
	return false;
}

void studio_set_port(studio_server *studio, int port)
{
	studio->port = port;
	snprintf(studio->address, sizeof studio->address, "http://127.0.0.1:%d/%s/", port, studio->token);
}

bool studio_listen(studio_server *studio, char message[STUDIO_MESSAGE_SIZE])
{
	if (!studio_begin_run(studio)) {
		snprintf(message, STUDIO_MESSAGE_SIZE, "%.300s: the key cannot be kept, or the system gives no random numbers",
			studio->folder);
		return false;
	}
	if (studio->last_port > 0) studio->http = studio_http_start(studio, studio->last_port, message);
	if (!studio->http) studio->http = studio_http_start(studio, studio->options.port, message);
	if (!studio->http) return false;
	/* for the next run, and for a second one that wants the same folder */
	if (ftruncate(studio->lock_file, 0) == 0) (void)!pwrite(studio->lock_file, studio->address, strlen(studio->address), 0);
	return true;
}

const char *studio_address(const studio_server *studio) { return studio->address; }

/* copies the files that a file refers to, from its own folder; missing ones are reported when it
   is opened */
static void copy_side_files(const studio_session *session, const char *path)
{
	char folder[STUDIO_PATH_SIZE], from[STUDIO_PATH_SIZE], inside[STUDIO_NAME_SIZE + 8], to[STUDIO_PATH_SIZE];
	const char *slash = strrchr(path, '/');
	const int length = !slash ? 1 : slash == path ? 1 : (int)(slash - path);
	snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".");
	json_t *names = studio_side_files(folder, slash ? slash + 1 : path);
	for (size_t i = 0; i < json_array_size(names); i++) {
		const char *name = json_string_value(json_array_get(names, i));
		snprintf(inside, sizeof inside, "files/%s", name);
		if (!studio_path(from, sizeof from, folder, name) || access(from, R_OK) != 0) continue;
		if (!studio_path(to, sizeof to, session->path, inside)) continue;
		/* in a folder of the session where it is in one here */
		char *end = strrchr(to, '/');
		*end = 0;
		const bool has_folder = studio_make_folders(to);
		*end = '/';
		if (has_folder) studio_copy_file(from, to);
	}
	json_decref(names);
}

/* the file's name, without its folders */
static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool copy_files(
	studio_session *session, size_t count, const char *const *paths, json_t *names, char message[STUDIO_MESSAGE_SIZE])
{
	for (size_t i = 0; i < count; i++) {
		char to[STUDIO_PATH_SIZE], inside[STUDIO_NAME_SIZE + 8];
		const char *name = name_of(paths[i]);
		if (!studio_name_is_good(name)) {
			snprintf(message, STUDIO_MESSAGE_SIZE, "%.300s: cannot be opened under this name", paths[i]);
			return false;
		}
		snprintf(inside, sizeof inside, "files/%s", name);
		errno = 0;
		if (!studio_path(to, sizeof to, session->path, inside) || !studio_copy_file(paths[i], to)) {
			snprintf(message, STUDIO_MESSAGE_SIZE, "%.300s: %s", paths[i], errno ? strerror(errno) : "is no file");
			return false;
		}
		copy_side_files(session, paths[i]);
		json_array_append_new(names, json_string(name));
	}
	return true;
}

static bool open_session(studio_session *session, size_t count, const char *const *paths, char message[STUDIO_MESSAGE_SIZE])
{
	json_t *names = json_array();
	const bool is_copied = names && copy_files(session, count, paths, names, message);
	json_t *wanted = is_copied ? json_pack("{s:s, s:o}", "do", "open", "files", names) : NULL;
	studio_answer answer = studio_answer_none();
	if (wanted) studio_job_begin(session, wanted, &answer);
	else json_decref(names);
	const bool good = answer.status == 202;
	if (is_copied && !good) snprintf(message, STUDIO_MESSAGE_SIZE, "the files cannot be opened");
	studio_answer_free(&answer);
	return good;
}

bool studio_open_files(
	studio_server *studio, size_t count, const char *const *paths, char id[STUDIO_ID_SIZE], char message[STUDIO_MESSAGE_SIZE])
{
	if (!studio_session_make(studio, NULL, id)) {
		snprintf(message, STUDIO_MESSAGE_SIZE, "%.300s: a session cannot be made: %s", studio->folder, strerror(errno));
		return false;
	}
	studio_session *session = studio_session_take(studio, id);
	if (!session) {
		snprintf(message, STUDIO_MESSAGE_SIZE, "out of memory");
		return false;
	}
	const bool good = open_session(session, count, paths, message);
	if (!good) studio_session_remove(session);
	studio_session_drop(session);
	return good;
}

/* streams and jobs read this and end */
static void wake_all(studio_server *studio)
{
	pthread_mutex_lock(&studio->lock);
	for (studio_session *session = studio->sessions; session; session = session->next) {
		pthread_mutex_lock(&session->lock);
		pthread_cond_broadcast(&session->moved);
		pthread_mutex_unlock(&session->lock);
	}
	pthread_mutex_unlock(&studio->lock);
}

void studio_end(studio_server *studio)
{
	if (!studio) return;
	atomic_store(&studio->is_ending, true);
	wake_all(studio);
	studio_jobs_end(studio);
	studio_http_stop(studio->http);
	/* a request may have started another one */
	studio_jobs_end(studio);
	studio_sessions_free(studio);
	if (studio->lock_file >= 0) close(studio->lock_file);
	pthread_mutex_destroy(&studio->lock);
	free(studio->about);
	free(studio);
}
