/* fuzz/fuzz_studio.c: any bytes as requests to the studio's server, without a socket: guard,
   routes, names, JSON, jobs, edits.

   An input is one or more requests, separated by lines of "%%": a line "METHOD PATH?QUERY", lines
   "Name: value", an empty line, the body. '~' in the path is the token, '@' a session in which a
   small rig with motion is open. */
#include "server.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
	char place[64];
	studio_server *studio;
	char template[STUDIO_ID_SIZE];
} world;

static void require(bool good, const char *what)
{
	if (good) return;
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

/* everything but the connection */
struct http_server *studio_http_start(studio_server *studio, int port, char message[STUDIO_MESSAGE_SIZE])
{
	(void)studio, (void)port, (void)message;
	return NULL;
}

void studio_http_stop(struct http_server *server) { (void)server; }

/* ---- a request from text ---- */

typedef struct fuzz_request {
	char method[16], path[8192], query[512];
	char names[8][32], values[8][256];
	size_t header_count;
	char found[256];
	const char *body;
	size_t body_size;
} fuzz_request;

static const char *header(void *user, const char *name)
{
	const fuzz_request *request = user;
	for (size_t i = 0; i < request->header_count; i++) {
		if (strcmp(request->names[i], name) == 0) return request->values[i];
	}
	return strcmp(name, "Host") == 0 ? "127.0.0.1:7000" : NULL;
}

static const char *argument(void *user, const char *name)
{
	fuzz_request *request = user;
	const size_t length = strlen(name);
	for (const char *at = request->query; at; at = strchr(at, '&')) {
		at += *at == '&';
		if (strncmp(at, name, length) != 0 || at[length] != '=') continue;
		snprintf(request->found, sizeof request->found, "%.*s", (int)strcspn(at + length + 1, "&"), at + length + 1);
		return request->found;
	}
	return NULL;
}

/* replaces '~' and '@' */
static void expand(const char *text, size_t length, const char *session, char *to, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < length && used + 64 < size; i++) {
		if (text[i] == '~') used += (size_t)snprintf(to + used, size - used, "/%s", world.studio->token);
		else if (text[i] == '@') used += (size_t)snprintf(to + used, size - used, "%s", session);
		else if (text[i]) to[used++] = text[i];
	}
	to[used] = 0;
}

static void take_line(fuzz_request *request, const char *line, size_t length, const char *session, bool is_first)
{
	const char *mark = memchr(line, is_first ? ' ' : ':', length);
	if (!mark) return;
	const size_t before = (size_t)(mark - line), after = length - before - 1;
	if (is_first) {
		const char *question = memchr(mark + 1, '?', after);
		const size_t path = question ? (size_t)(question - mark - 1) : after;
		snprintf(request->method, sizeof request->method, "%.*s", (int)before, line);
		expand(mark + 1, path, session, request->path, sizeof request->path);
		if (question) snprintf(request->query, sizeof request->query, "%.*s", (int)(after - path - 1), question + 1);
	} else if (request->header_count < 8) {
		const size_t i = request->header_count++;
		snprintf(request->names[i], sizeof request->names[i], "%.*s", (int)before, line);
		snprintf(request->values[i], sizeof request->values[i], "%.*s", (int)after, mark + 1);
	}
}

static void parse(fuzz_request *request, const char *text, size_t size, const char *session)
{
	bool is_first = true;
	*request = (fuzz_request){.header_count = 0};
	while (size > 0) {
		const char *end = memchr(text, '\n', size);
		const size_t length = end ? (size_t)(end - text) : size, step = end ? length + 1 : length;
		if (length == 0 && !is_first) {
			request->body = text + step;
			request->body_size = size - step;
			return;
		}
		take_line(request, text, length, session, is_first);
		is_first = false;
		text += step;
		size -= step;
	}
}

/* ---- one request ---- */

static void check_answer(studio_answer *answer)
{
	require(answer->status >= 200 && answer->status < 600, "a status that is none");
	if (answer->status >= 400) {
		json_t *answered = answer->text ? json_loadb(answer->text, answer->size, 0, NULL) : NULL;
		const json_t *error = json_object_get(answered, "error");
		require(json_string_value(json_object_get(error, "message")) != NULL, "an error without words");
		json_decref(answered);
	}
	char text[4096];
	if (answer->stream) require(answer->stream->read(answer->stream, text, sizeof text) > 0, "a stream without a beginning");
	if (answer->file >= 0) require(pread(answer->file, text, 1, (off_t)answer->offset) >= 0, "a file that cannot be read");
	studio_answer_free(answer);
}

static void wait_for_jobs(void) { studio_jobs_end(world.studio); }

static void answer_one(const char *text, size_t size, const char *session)
{
	static fuzz_request answered;
	parse(&answered, text, size, session);
	studio_request request = {.method = answered.method,
		.path = answered.path,
		.header = header,
		.argument = argument,
		.user = &answered,
		.upload = -1};
	studio_answer answer = studio_answer_none();
	if (studio_request_begin(world.studio, &request, &answer)) {
		/* in two parts, as from a connection */
		const size_t half = answered.body_size / 2;
		if (half > 0) studio_request_body(world.studio, &request, answered.body, half);
		if (answered.body_size > half)
			studio_request_body(world.studio, &request, answered.body + half, answered.body_size - half);
		studio_request_finish(world.studio, &request, &answer);
	}
	wait_for_jobs();
	check_answer(&answer);
	studio_request_free(world.studio, &request);
}

/* ---- the server ---- */

static studio_session *take(const char *id)
{
	studio_session *session = studio_session_take(world.studio, id);
	require(session != NULL, "a session that is not there");
	return session;
}

static void do_job(studio_session *session, const char *body)
{
	studio_answer answer = studio_answer_none();
	studio_job_begin(session, json_loads(body, 0, NULL), &answer);
	studio_answer_free(&answer);
	wait_for_jobs();
	require(session->jobs[session->job_count - 1].state == STUDIO_JOB_DONE, session->jobs[session->job_count - 1].message);
}

static void write_tube(const char *folder, const char *name, double bend)
{
	enum { RINGS = 8, SIDES = 6 };
	char path[STUDIO_PATH_SIZE];
	require(studio_path(path, sizeof path, folder, name), "a path");
	FILE *file = fopen(path, "w");
	require(file != NULL, "no folder to work in");
	for (int ring = 0; ring <= RINGS; ring++) {
		for (int side = 0; side < SIDES; side++) {
			static const double circle[SIDES][2] = {{1, 0}, {0.5, 0.87}, {-0.5, 0.87}, {-1, 0}, {-0.5, -0.87}, {0.5, -0.87}};
			const double x = ring - RINGS / 2.0;
			fprintf(
				file, "v %g %g %g\n", x > 0 ? x * (1 - bend) : x, circle[side][0] + (x > 0 ? x * bend : 0), circle[side][1]);
		}
	}
	for (int ring = 0; ring < RINGS; ring++) {
		for (int side = 0; side < SIDES; side++) {
			const int a = ring * SIDES + side + 1, b = ring * SIDES + (side + 1) % SIDES + 1;
			fprintf(file, "f %d %d %d %d\n", a, a + SIDES, b + SIDES, b);
		}
	}
	fclose(file);
}

static void copy_folder(const char *from, const char *to)
{
	json_t *names = studio_folder_names(from);
	for (size_t i = 0; i < json_array_size(names); i++) {
		char source[STUDIO_PATH_SIZE], target[STUDIO_PATH_SIZE];
		const char *name = json_string_value(json_array_get(names, i));
		if (studio_path(source, sizeof source, from, name) && studio_path(target, sizeof target, to, name)) {
			studio_copy_file(source, target);
		}
	}
	json_decref(names);
}

/* a session like the first one, so that no input depends on another */
static void make_copy(char id[STUDIO_ID_SIZE])
{
	char from[STUDIO_PATH_SIZE], to[STUDIO_PATH_SIZE], inner[2][STUDIO_PATH_SIZE + 8];
	require(studio_session_make(world.studio, NULL, id), "no session");
	studio_path(from, sizeof from, world.studio->folder, world.template);
	studio_path(to, sizeof to, world.studio->folder, id);
	copy_folder(from, to);
	snprintf(inner[0], sizeof inner[0], "%s/files", from);
	snprintf(inner[1], sizeof inner[1], "%s/files", to);
	copy_folder(inner[0], inner[1]);
}

static void end_world(void)
{
	studio_end(world.studio);
	studio_remove_folder(world.place);
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
	char message[STUDIO_MESSAGE_SIZE], folder[80], files[STUDIO_PATH_SIZE + 8];
	(void)count, (void)words;
	/* in memory, where there is such a folder */
	const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(world.place, sizeof world.place, "%s/ossa-fuzz-%ld", base, (long)getpid());
	snprintf(folder, sizeof folder, "%s/sessions", world.place);
	const studio_options options = {.folder = folder, .threads = 1, .memory_limit = (size_t)256 << 20, .upload_limit = 100000};
	require(studio_create(&options, &world.studio, message), message);
	require(studio_make_token(world.studio->token, sizeof world.studio->token), "no token");
	studio_set_port(world.studio, 7000);
	require(studio_session_make(world.studio, NULL, world.template), "no session");
	studio_session *session = take(world.template);
	snprintf(files, sizeof files, "%s/files", session->path);
	write_tube(files, "a.obj", 0);
	write_tube(files, "b.obj", 0.5);
	do_job(session, "{\"do\": \"open\", \"files\": [\"a.obj\", \"b.obj\"]}");
	do_job(session, "{\"do\": \"rig\", \"options\": {\"bones\": \"2\", \"names\": \"numbers\"}}");
	studio_session_drop(session);
	atexit(end_world);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char id[STUDIO_ID_SIZE];
	const char *text = (const char *)data;
	make_copy(id);
	while (size > 0) {
		size_t length = size;
		for (size_t i = 0; i + 4 <= size; i++) {
			if (memcmp(text + i, "\n%%\n", 4) != 0) continue;
			length = i;
			break;
		}
		answer_one(text, length, id);
		const size_t step = length + 4 < size ? length + 4 : size;
		text += step;
		size -= step;
	}
	/* after any request the sessions are in their folders and no other files exist */
	json_t *names = studio_folder_names(world.place);
	require(json_array_size(names) == 1, "something was written beside the sessions");
	json_decref(names);
	names = studio_folder_names(world.studio->folder);
	for (size_t i = 0; i < json_array_size(names); i++) {
		const char *name = json_string_value(json_array_get(names, i));
		if (strcmp(name, world.template) == 0) continue;
		studio_session *session = studio_session_take(world.studio, name);
		require(session != NULL, "something that is no session was written among them");
		require(studio_session_remove(session) == 0, "a session that cannot be removed");
		studio_session_drop(session);
	}
	json_decref(names);
	return 0;
}
