/* studio/server/handlers.c: handlers of requests about sessions, their files, jobs and events.

   Place in the path: called by routes.c with a session that is in use. */
#include "routes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void studio_get_about(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)request;
	char *copy = strdup(studio->about);
	if (copy) studio_answer_text(answer, "application/json", copy, strlen(copy));
	else studio_no_memory(answer);
}

/* ---- sessions ---- */

void studio_get_sessions(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)request;
	studio_answer_json(answer, 200, studio_session_list(studio));
}

/* with "restore" a removed one again, else a new one, which may be opened from another */
void studio_post_sessions(studio_server *studio, studio_request *request, studio_answer *answer)
{
	char id[STUDIO_ID_SIZE];
	json_t *body = request->body_size > 0 ? studio_body_json(request, answer) : NULL;
	if (request->body_size > 0 && !body) return;
	const char *restored = json_string_value(json_object_get(body, "restore"));
	const char *from = json_string_value(json_object_get(body, "from"));
	if (restored && studio_session_restore(studio, restored)) {
		studio_answer_json(answer, 201, json_pack("{s:s}", "id", restored));
	} else if (restored) {
		studio_refuse(answer, 404, "input",
			"that session cannot be taken back: removed ones are kept for %d days, and up to %d GB of them",
			STUDIO_REMOVED_DAYS, (int)(STUDIO_REMOVED_BYTES >> 30));
	} else if (from && !studio_session_id_is_good(from)) {
		studio_refuse(answer, 400, "argument", "\"from\": there is no such session");
	} else if (studio_session_make(studio, from, id)) {
		studio_answer_json(answer, 201, json_pack("{s:s}", "id", id));
	} else studio_refuse(answer, 507, "write", "a session cannot be made in %s: %s", studio->folder, strerror(errno));
	json_decref(body);
}

void studio_delete_session(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	const int fault = studio_session_remove(request->session);
	if (fault == 0) {
		studio_answer_text(answer, NULL, NULL, 0);
		answer->status = 204;
	} else if (fault == EBUSY) {
		studio_refuse(answer, 409, "busy", "a job of this session is running; cancel it first");
	} else studio_refuse(answer, 507, "write", "the session cannot be removed: %s", strerror(fault));
}

void studio_delete_removed(studio_server *studio, studio_request *request, studio_answer *answer)
{
	if (studio_removed_forget(studio, request->parts[0])) {
		studio_answer_text(answer, NULL, NULL, 0);
		answer->status = 204;
	} else studio_refuse(answer, 404, "input", "there is no such removed session");
}

/* ---- files ---- */

static bool file_path(const studio_request *request, const char *folder, char path[STUDIO_PATH_SIZE])
{
	char name[STUDIO_NAME_SIZE + 16];
	snprintf(name, sizeof name, "%s/%s", folder, request->parts[1]);
	return studio_path(path, STUDIO_PATH_SIZE, request->session->path, name);
}

/* the format of a file by its first bytes; its contents are known when it is opened */
static json_t *file_json(ossa_context *context, const char *folder, const char *name)
{
	char path[STUDIO_PATH_SIZE];
	uint64_t size;
	const ossa_read_format *format = NULL;
	json_t *holds = json_array();
	if (!studio_file_size(folder, name, &size) || !studio_path(path, sizeof path, folder, name)) {
		json_decref(holds);
		return NULL;
	}
	if (context && ossa_read_detect(context, path, &format) != OSSA_OK) format = NULL;
	if (format && format->reads_mesh) json_array_append_new(holds, json_string("mesh"));
	if (format && format->reads_frames) json_array_append_new(holds, json_string("motion"));
	if (format && format->reads_rig) json_array_append_new(holds, json_string("rig"));
	return json_pack("{s:s, s:I, s:s?, s:o}", "name", name, "bytes", (json_int_t)size, "format", format ? format->name : NULL,
		"holds", holds);
}

void studio_get_files(studio_server *studio, studio_request *request, studio_answer *answer)
{
	char folder[STUDIO_PATH_SIZE];
	ossa_context *context = NULL;
	ossa_context_options options = ossa_context_default();
	(void)studio;
	options.threads = 1;
	if (!studio_path(folder, sizeof folder, request->session->path, "files") ||
		ossa_context_create(&options, &context) != OSSA_OK) {
		studio_no_memory(answer);
		return;
	}
	json_t *names = studio_folder_names(folder), *list = json_array();
	for (size_t i = 0; i < json_array_size(names); i++) {
		json_t *file = file_json(context, folder, json_string_value(json_array_get(names, i)));
		if (file) json_array_append_new(list, file);
	}
	json_decref(names);
	ossa_context_free(context);
	studio_answer_json(answer, 200, json_pack("{s:o}", "files", list));
}

void studio_put_file(studio_server *studio, studio_request *request, studio_answer *answer)
{
	char from[STUDIO_PATH_SIZE], to[STUDIO_PATH_SIZE], folder[STUDIO_PATH_SIZE];
	(void)studio;
	/* on the disk itself before it has its name */
	bool is_kept = studio_sync(request->upload);
	is_kept = close(request->upload) == 0 && is_kept;
	request->upload = -1;
	is_kept = studio_path(from, sizeof from, request->session->path, request->upload_name) &&
		studio_path(folder, sizeof folder, request->session->path, "files") && file_path(request, "files", to) && is_kept &&
		rename(from, to) == 0 && studio_keep(folder);
	if (!is_kept) {
		const int reason = errno;
		unlink(from);
		studio_refuse(answer, 507, "write", "the file cannot be kept: %s", strerror(reason));
		return;
	}
	studio_answer_json(answer, 201, json_pack("{s:s, s:I}", "name", request->parts[1], "bytes", (json_int_t)request->received));
}

static void send_file(studio_request *request, const char *folder, studio_answer *answer)
{
	char path[STUDIO_PATH_SIZE];
	const int file = file_path(request, folder, path) ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	studio_answer_file(answer, "application/octet-stream", file);
	if (answer->status == 200) snprintf(answer->download, sizeof answer->download, "%s", request->parts[1]);
}

void studio_get_file(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	send_file(request, "files", answer);
}

void studio_get_export(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	send_file(request, "exports", answer);
}

void studio_delete_file(studio_server *studio, studio_request *request, studio_answer *answer)
{
	char path[STUDIO_PATH_SIZE];
	(void)studio;
	if (!file_path(request, "files", path) || unlink(path) != 0) {
		studio_refuse(answer, 404, "input", "there is no such file");
		return;
	}
	studio_answer_text(answer, NULL, NULL, 0);
	answer->status = 204;
}

/* ---- data of the page: any JSON object, not interpreted ---- */

/* a hash of a page's document: FNV-1a, of as many bits as a number of JSON holds */
static int64_t mark_of(const char *text, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	return (int64_t)(hash >> 12);
}

void studio_get_page(studio_server *studio, studio_request *request, studio_answer *answer)
{
	size_t size = 0;
	(void)studio;
	char *text = studio_read_whole(request->session->path, "page.json", STUDIO_BODY_LIMIT, &size);
	const int64_t mark = text ? mark_of(text, size) : 0;
	if (text) studio_answer_text(answer, "application/json", text, size);
	else studio_answer_json(answer, 200, json_object());
	answer->revision = mark;
}

/* under the session's lock: a page that names the document which it has changed does not overwrite
   another one */
static void replace_page(studio_session *session, const studio_request *request, uint64_t was, studio_answer *answer)
{
	size_t size = 0;
	char *text = studio_read_whole(session->path, "page.json", STUDIO_BODY_LIMIT, &size);
	const bool is_other = was != UINT64_MAX && (text ? (uint64_t)mark_of(text, size) : 0) != was;
	free(text);
	if (is_other) {
		studio_refuse(answer, 409, "changed", "it was changed meanwhile: take it again, and change that");
		return;
	}
	if (!studio_write_kept(session->path, "page.json", request->body, request->body_size)) {
		studio_refuse(answer, 507, "write", "this cannot be saved: %s", strerror(errno));
		return;
	}
	session->page_count++;
	pthread_cond_broadcast(&session->moved);
	studio_answer_text(answer, NULL, NULL, 0);
	answer->status = 204;
	answer->revision = mark_of(request->body, request->body_size);
}

void studio_put_page(studio_server *studio, studio_request *request, studio_answer *answer)
{
	uint64_t was;
	studio_session *session = request->session;
	(void)studio;
	json_t *body = studio_body_json(request, answer);
	if (!body) return;
	json_decref(body);
	if (!studio_argument(request, "was", UINT64_MAX, UINT64_MAX >> 1, &was, answer)) return;
	pthread_mutex_lock(&session->lock);
	replace_page(session, request, was, answer);
	pthread_mutex_unlock(&session->lock);
}

/* ---- jobs ---- */

void studio_post_job(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)studio;
	json_t *wanted = studio_body_json(request, answer);
	if (wanted) studio_job_begin(request->session, wanted, answer);
}

/* under the session's lock */
static studio_job *find_job(studio_session *session, const char *id)
{
	char own[32];
	for (size_t i = 0; i < session->job_count; i++) {
		snprintf(own, sizeof own, "j%llu", (unsigned long long)session->jobs[i].number);
		if (strcmp(own, id) == 0) return &session->jobs[i];
	}
	return NULL;
}

void studio_get_job(studio_server *studio, studio_request *request, studio_answer *answer)
{
	studio_session *session = request->session;
	(void)studio;
	pthread_mutex_lock(&session->lock);
	const studio_job *job = find_job(session, request->parts[1]);
	const bool is_there = job != NULL;
	json_t *body = job ? studio_job_json(job) : NULL;
	/* the result is shared with the session: it is written under the lock */
	if (is_there) studio_answer_json(answer, 200, body);
	pthread_mutex_unlock(&session->lock);
	if (!is_there)
		studio_refuse(answer, 404, "input", "there is no such job; of each session the last %d are known", STUDIO_JOBS_KEPT);
}

void studio_delete_job(studio_server *studio, studio_request *request, studio_answer *answer)
{
	studio_session *session = request->session;
	(void)studio;
	pthread_mutex_lock(&session->lock);
	const studio_job *job = find_job(session, request->parts[1]);
	if (job && job->state == STUDIO_JOB_RUNNING) atomic_store(&session->is_cancelled, true);
	pthread_mutex_unlock(&session->lock);
	if (!job) {
		studio_refuse(answer, 404, "input", "there is no such job");
		return;
	}
	studio_answer_text(answer, NULL, NULL, 0);
	answer->status = 204;
}

void studio_get_events(studio_server *studio, studio_request *request, studio_answer *answer)
{
	if (strcmp(request->method, "HEAD") == 0) {
		studio_answer_text(answer, "text/event-stream", NULL, 0);
		return;
	}
	pthread_mutex_lock(&studio->lock);
	const bool is_free = studio->streams < STUDIO_STREAMS;
	if (is_free) {
		studio->streams++;
		request->session->uses++;
	}
	pthread_mutex_unlock(&studio->lock);
	if (!is_free) {
		studio_refuse(answer, 429, "busy", "%d streams of events are open; close a tab", STUDIO_STREAMS);
		return;
	}
	studio_stream *stream = studio_events(request->session);
	if (!stream) {
		pthread_mutex_lock(&studio->lock);
		studio->streams--;
		request->session->uses--;
		pthread_mutex_unlock(&studio->lock);
		studio_no_memory(answer);
		return;
	}
	studio_answer_text(answer, "text/event-stream", NULL, 0);
	answer->stream = stream;
}
