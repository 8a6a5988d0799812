/* studio/server/routes.c: the table of routes, and the three steps of a request: begin, body,
   finish.

   Place in the path: behind http.c (or a test without a socket), before the handlers. */
#include "routes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const studio_route routes[] = {
	{"GET", "api/about", STUDIO_BODY_NONE, studio_get_about},
	{"GET", "api/key", STUDIO_BODY_NONE, studio_get_key},
	{"GET", "api/sessions", STUDIO_BODY_NONE, studio_get_sessions},
	{"POST", "api/sessions", STUDIO_BODY_JSON, studio_post_sessions},
	{"DELETE", "api/sessions/*", STUDIO_BODY_NONE, studio_delete_session},
	{"DELETE", "api/removed/*", STUDIO_BODY_NONE, studio_delete_removed},
	{"GET", "api/sessions/*/files", STUDIO_BODY_NONE, studio_get_files},
	{"PUT", "api/sessions/*/files/*", STUDIO_BODY_FILE, studio_put_file},
	{"GET", "api/sessions/*/files/*", STUDIO_BODY_NONE, studio_get_file},
	{"DELETE", "api/sessions/*/files/*", STUDIO_BODY_NONE, studio_delete_file},
	{"POST", "api/sessions/*/jobs", STUDIO_BODY_JSON, studio_post_job},
	{"GET", "api/sessions/*/jobs/*", STUDIO_BODY_NONE, studio_get_job},
	{"DELETE", "api/sessions/*/jobs/*", STUDIO_BODY_NONE, studio_delete_job},
	{"GET", "api/sessions/*/events", STUDIO_BODY_NONE, studio_get_events},
	{"GET", "api/sessions/*/state", STUDIO_BODY_NONE, studio_get_state},
	{"GET", "api/sessions/*/whole", STUDIO_BODY_NONE, studio_get_whole},
	{"GET", "api/sessions/*/looks", STUDIO_BODY_NONE, studio_get_looks},
	{"GET", "api/sessions/*/sources/*", STUDIO_BODY_NONE, studio_get_source},
	{"GET", "api/sessions/*/rig.glb", STUDIO_BODY_NONE, studio_get_rig_glb},
	{"GET", "api/sessions/*/before.glb", STUDIO_BODY_NONE, studio_get_before_glb},
	{"GET", "api/sessions/*/weights", STUDIO_BODY_NONE, studio_get_weights},
	{"GET", "api/sessions/*/frames", STUDIO_BODY_NONE, studio_get_frames},
	{"GET", "api/sessions/*/errors", STUDIO_BODY_NONE, studio_get_errors},
	{"GET", "api/sessions/*/clip", STUDIO_BODY_NONE, studio_get_clip},
	{"GET", "api/sessions/*/faces", STUDIO_BODY_NONE, studio_get_faces},
	{"GET", "api/sessions/*/log", STUDIO_BODY_NONE, studio_get_log},
	{"GET", "api/sessions/*/stages", STUDIO_BODY_NONE, studio_get_stages},
	{"GET", "api/sessions/*/report.html", STUDIO_BODY_NONE, studio_get_report},
	{"GET", "api/sessions/*/page", STUDIO_BODY_NONE, studio_get_page},
	{"PUT", "api/sessions/*/page", STUDIO_BODY_JSON, studio_put_page},
	{"POST", "api/sessions/*/positions", STUDIO_BODY_JSON, studio_post_positions},
	{"POST", "api/sessions/*/ik", STUDIO_BODY_JSON, studio_post_ik},
	{"GET", "api/sessions/*/exports/*", STUDIO_BODY_NONE, studio_get_export},
};

static void get_page_file(studio_server *studio, studio_request *request, studio_answer *answer)
{
	studio_page(studio, request->rest, answer);
}

static const studio_route page_route = {"GET", "", STUDIO_BODY_NONE, get_page_file};

/* whether the path is one of the pattern's; its parts that stand for '*' are unescaped. `is_bad`:
   a part is no name */
static bool match(const char *pattern, const char *path, studio_request *request, bool *is_bad)
{
	size_t stars = 0;
	while (true) {
		const size_t wanted = strcspn(pattern, "/"), given = strcspn(path, "/");
		if (wanted == 1 && pattern[0] == '*') {
			char *part = request->parts[stars++];
			*is_bad = *is_bad || !studio_unescape(path, given, part, STUDIO_NAME_SIZE) || !studio_name_is_good(part);
		} else if (wanted != given || memcmp(pattern, path, given) != 0) return false;
		if ((pattern[wanted] == 0) != (path[given] == 0)) return false;
		if (path[given] == 0) return true;
		pattern += wanted + 1;
		path += given + 1;
	}
}

static bool is_method(const studio_route *route, const char *method)
{
	return strcmp(route->method, method) == 0 || (strcmp(method, "HEAD") == 0 && strcmp(route->method, "GET") == 0);
}

/* false, and an answer, where no route matches */
static bool find_route(studio_request *request, studio_answer *answer)
{
	bool is_path = false;
	for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
		bool is_bad = false;
		if (!match(routes[i].pattern, request->rest, request, &is_bad)) continue;
		is_path = true;
		if (!is_method(&routes[i], request->method)) continue;
		if (is_bad) {
			studio_refuse(answer, 400, "argument",
				"that is no name: up to %d bytes of UTF-8, without slashes, and no dot at the beginning", STUDIO_NAME_SIZE - 1);
			return false;
		}
		request->route = &routes[i];
		return true;
	}
	if (is_path) studio_refuse(answer, 405, "argument", "this address does not accept such a request");
	else studio_refuse(answer, 404, "input", "there is no such address; docs/studio-api.md lists them");
	return false;
}

static bool take_session(studio_server *studio, studio_request *request, studio_answer *answer)
{
	static const char prefix[] = "api/sessions/*";
	if (strncmp(request->route->pattern, prefix, sizeof prefix - 1) != 0) return true;
	request->session = studio_session_take(studio, request->parts[0]);
	if (!request->session) studio_refuse(answer, 404, "input", "there is no such session");
	return request->session != NULL;
}

static void refuse_growth(const studio_server *studio, studio_answer *answer)
{
	studio_refuse(answer, 413, "limit",
		"the session would take more than %llu MB of the disk: begin a new session, or start the studio with a larger "
		"--session-limit",
		(unsigned long long)(studio->options.session_limit >> 20));
}

/* by how many bytes the session's folder may grow */
static uint64_t growth_of(const studio_server *studio, const studio_request *request)
{
	const uint64_t limit = studio->options.session_limit, used = limit ? studio_folder_bytes(request->session->path) : 0;
	return limit == 0 ? UINT64_MAX : limit > used ? limit - used : 0;
}

/* the announced size; sent bytes are counted too */
static bool check_size(const studio_server *studio, studio_request *request, studio_answer *answer)
{
	const char *text = request->header(request->user, "Content-Length");
	const unsigned long long size = text ? strtoull(text, NULL, 10) : 0;
	const studio_body_kind kind = request->route->body;
	const uint64_t limit = kind == STUDIO_BODY_FILE ? studio->options.upload_limit : STUDIO_BODY_LIMIT;
	if (size > limit) {
		studio_refuse(
			answer, 413, "limit", "the body has %llu bytes; at most %llu are accepted", size, (unsigned long long)limit);
		return false;
	}
	if (kind != STUDIO_BODY_FILE) return true;
	request->allowed = growth_of(studio, request);
	if (size <= request->allowed) return true;
	refuse_growth(studio, answer);
	return false;
}

/* a file without a name: it is linked when it is complete */
static bool open_upload(studio_request *request, studio_answer *answer)
{
	char path[STUDIO_PATH_SIZE], random[17];
	if (!studio_make_token(random, sizeof random)) random[0] = 0;
	snprintf(request->upload_name, sizeof request->upload_name, "files/.%s", random);
	FILE *file = NULL;
	if (studio_path(path, sizeof path, request->session->path, request->upload_name)) file = fopen(path, "wbx");
	if (file) {
		request->upload = dup(fileno(file));
		fclose(file);
	}
	if (request->upload < 0) studio_refuse(answer, 507, "write", "the file cannot be kept: %s", strerror(errno));
	return request->upload >= 0;
}

bool studio_request_begin(studio_server *studio, studio_request *request, studio_answer *answer)
{
	const char *nonce = studio_nonce_of(studio, request);
	if (nonce) {
		studio_get_hello(studio, nonce, answer);
		return false;
	}
	if (!studio_guard(studio, request, &request->rest, answer)) return false;
	const bool is_get = strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;
	if (!request->rest) {
		studio_answer_text(answer, "text/plain", NULL, 0);
		answer->status = 301;
		answer->redirect = strchr(studio->address + sizeof "http://", '/');
		return false;
	}
	if (strncmp(request->rest, "api/", 4) != 0) {
		request->route = &page_route;
		if (!is_get) studio_refuse(answer, 405, "argument", "the page can only be read");
		return is_get;
	}
	if (!find_route(request, answer) || !take_session(studio, request, answer)) return false;
	if (!check_size(studio, request, answer)) return false;
	return request->route->body != STUDIO_BODY_FILE || open_upload(request, answer);
}

/* ---- bodies ---- */

static void keep_json(studio_request *request, const char *bytes, size_t size)
{
	/* with the final 0 */
	const size_t wanted = request->body_size + size + 1;
	if (wanted > request->body_capacity) {
		const size_t capacity = wanted < 4096 ? 4096 : 2 * wanted;
		char *body = realloc(request->body, capacity);
		if (!body) {
			request->fault = STUDIO_BODY_MEMORY;
			return;
		}
		request->body = body;
		request->body_capacity = capacity;
	}
	memcpy(request->body + request->body_size, bytes, size);
	request->body_size += size;
	request->body[request->body_size] = 0;
}

static void keep_file(studio_request *request, const char *bytes, size_t size)
{
	while (size > 0) {
		const ssize_t written = write(request->upload, bytes, size);
		if (written < 0 && errno == EINTR) continue;
		if (written <= 0) {
			request->fault = STUDIO_BODY_DISK;
			return;
		}
		bytes += written;
		size -= (size_t)written;
	}
}

/* nothing of a refused body is kept */
static void drop_body(studio_request *request)
{
	char path[STUDIO_PATH_SIZE];
	free(request->body);
	request->body = NULL;
	request->body_size = request->body_capacity = 0;
	if (request->upload < 0) return;
	close(request->upload);
	request->upload = -1;
	if (request->upload_name[0] && studio_path(path, sizeof path, request->session->path, request->upload_name)) unlink(path);
}

void studio_request_body(studio_server *studio, studio_request *request, const char *bytes, size_t size)
{
	const studio_body_kind kind = request->route->body;
	const uint64_t limit = kind == STUDIO_BODY_FILE ? studio->options.upload_limit : STUDIO_BODY_LIMIT;
	if (request->fault != STUDIO_BODY_GOOD) return;
	request->received += size;
	if (request->received > limit) request->fault = STUDIO_BODY_TOO_LARGE;
	else if (kind == STUDIO_BODY_FILE && request->received > request->allowed) request->fault = STUDIO_BODY_OVER_SESSION;
	else if (kind == STUDIO_BODY_JSON) keep_json(request, bytes, size);
	else if (kind == STUDIO_BODY_FILE) keep_file(request, bytes, size);
	if (request->fault != STUDIO_BODY_GOOD) drop_body(request);
}

void studio_request_finish(studio_server *studio, studio_request *request, studio_answer *answer)
{
	switch (request->fault) {
	case STUDIO_BODY_GOOD: request->route->handler(studio, request, answer); break;
	case STUDIO_BODY_TOO_LARGE: studio_refuse(answer, 413, "limit", "the body is larger than allowed"); break;
	case STUDIO_BODY_OVER_SESSION: refuse_growth(studio, answer); break;
	case STUDIO_BODY_DISK:
		studio_refuse(answer, 507, "write",
			"the disk is full, and nothing of the file was kept: free some space, or start the studio with a --folder on "
			"another "
			"disk");
		break;
	case STUDIO_BODY_MEMORY: studio_no_memory(answer); break;
	}
}

void studio_request_free(studio_server *studio, studio_request *request)
{
	(void)studio;
	if (request->session || request->body) drop_body(request);
	studio_session_drop(request->session);
	request->session = NULL;
}
