/* studio/server/http.c: receives requests and sends answers: the only file that uses libmicrohttpd
   (over http_library.c).

   Place in the path: the outermost.  Listens on 127.0.0.1 alone, a thread for each connection;
   limits their number, their idle time and how much of a refused body is read. */
#include "http_library.h"
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* loaded before the first thread that uses it */
static http_library mhd;

/* bytes of a refused body that are still read, so that its sender receives the reason */
static const uint64_t patience = (uint64_t)64 << 20;

static const int seconds_of_silence = 10; /* of a stream, before a comment is sent */

/* A connection that may be waiting for a request: half-open ones must not keep others out. */
typedef struct http_waiting {
	int socket; /* -1: a free entry */
	bool is_waiting;
	uint64_t order; /* rises with every beginning of waiting */
	time_t since;
	int seconds; /* until it is closed */
} http_waiting;

struct http_server {
	struct MHD_Daemon *daemon;
	pthread_t watcher;
	pthread_mutex_t lock;
	bool is_ending;
	uint64_t order;
	http_waiting waiting[STUDIO_CONNECTIONS];
};

typedef struct http_exchange {
	studio_server *studio;
	struct MHD_Connection *connection;
	studio_request request;
	studio_answer answer;
	bool is_answered;  /* the answer is known, and waits for the end of the body */
	uint64_t left_out; /* bytes of the refused body */
} http_exchange;

static const char *header_of(void *user, const char *name)
{
	return mhd.lookup(((http_exchange *)user)->connection, MHD_HEADER_KIND, name);
}

static const char *argument_of(void *user, const char *name)
{
	return mhd.lookup(((http_exchange *)user)->connection, MHD_GET_ARGUMENT_KIND, name);
}

/* addresses stay as they were sent: routes.c takes them apart before anything is unescaped */
static size_t leave_escaped(void *user, struct MHD_Connection *connection, char *text)
{
	(void)user, (void)connection;
	return strlen(text);
}

/* ---- connections without a request ---- */

static time_t now_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* under the lock */
static void close_oldest(struct http_server *server)
{
	http_waiting *oldest = NULL;
	size_t count = 0;
	for (size_t i = 0; i < STUDIO_CONNECTIONS; i++) {
		http_waiting *one = &server->waiting[i];
		if (one->socket < 0 || !one->is_waiting) continue;
		count++;
		if (!oldest || one->order < oldest->order) oldest = one;
	}
	if (count <= STUDIO_CONNECTIONS_WAITING) return;
	oldest->is_waiting = false;
	shutdown(oldest->socket, SHUT_RDWR);
}

/* a new connection, or its end; libmicrohttpd closes the socket after this call */
static void note_connection(
	void *user, struct MHD_Connection *connection, void **state, enum MHD_ConnectionNotificationCode code)
{
	struct http_server *server = user;
	const union MHD_ConnectionInfo *facts = mhd.get_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	http_waiting *entry = *state;
	pthread_mutex_lock(&server->lock);
	if (code == MHD_CONNECTION_NOTIFY_CLOSED && entry) entry->socket = -1;
	for (size_t i = 0; code == MHD_CONNECTION_NOTIFY_STARTED && facts && i < STUDIO_CONNECTIONS; i++) {
		if (server->waiting[i].socket >= 0) continue;
		*state = &server->waiting[i];
		server->waiting[i] = (http_waiting){facts->connect_fd, true, ++server->order, now_seconds(), STUDIO_SECONDS_OF_HEADERS};
		close_oldest(server);
		break;
	}
	pthread_mutex_unlock(&server->lock);
}

/* a request has arrived on the connection, or is answered: the next one may come later */
static void note_request(struct http_server *server, struct MHD_Connection *connection, bool is_waiting)
{
	const union MHD_ConnectionInfo *facts = mhd.get_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	http_waiting *entry = facts ? facts->socket_context : NULL;
	if (!server || !entry) return;
	pthread_mutex_lock(&server->lock);
	entry->is_waiting = is_waiting;
	entry->order = ++server->order;
	entry->since = now_seconds();
	entry->seconds = STUDIO_SECONDS_OF_QUIET;
	pthread_mutex_unlock(&server->lock);
}

static void *watch(void *user)
{
	studio_server *studio = user;
	struct http_server *server = studio->http;
	bool goes_on = true;
	while (goes_on) {
		const struct timespec pause = {0, 250000000};
		const time_t now = now_seconds();
		pthread_mutex_lock(&server->lock);
		for (size_t i = 0; i < STUDIO_CONNECTIONS; i++) {
			http_waiting *one = &server->waiting[i];
			if (one->socket < 0 || !one->is_waiting || now - one->since < one->seconds) continue;
			one->is_waiting = false;
			shutdown(one->socket, SHUT_RDWR);
		}
		goes_on = !server->is_ending;
		pthread_mutex_unlock(&server->lock);
		studio_sessions_rest(studio);
		if (goes_on) nanosleep(&pause, NULL);
	}
	return NULL;
}

/* ---- answers ---- */

/* a stream and the connection that it goes to */
typedef struct stream_reader {
	studio_stream *stream;
	int socket;
	int quiet; /* seconds without an event */
} stream_reader;

/* whether the client has closed the connection: it sends nothing while it listens */
static bool has_left(int socket)
{
	char byte;
	const ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

static ssize_t read_stream(void *user, uint64_t position, char *to, size_t size)
{
	static const char comment[] = ":\n\n";
	stream_reader *reader = user;
	(void)position;
	while (true) {
		const int count = reader->stream->read(reader->stream, to, size);
		if (count != 0) reader->quiet = 0;
		if (count > 0) return count;
		if (count < 0 || has_left(reader->socket)) return MHD_CONTENT_READER_END_OF_STREAM;
		if (++reader->quiet < seconds_of_silence) continue;
		/* a comment keeps proxies and the client from closing an idle stream */
		reader->quiet = 0;
		memcpy(to, comment, sizeof comment - 1);
		return sizeof comment - 1;
	}
}

static void free_stream(void *user)
{
	stream_reader *reader = user;
	reader->stream->free(reader->stream);
	free(reader);
}

static struct MHD_Response *make_stream(struct MHD_Connection *connection, studio_answer *answer)
{
	const union MHD_ConnectionInfo *facts = mhd.get_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	stream_reader *reader = facts ? calloc(1, sizeof *reader) : NULL;
	if (!reader) return NULL;
	*reader = (stream_reader){answer->stream, facts->connect_fd, 0};
	struct MHD_Response *response = mhd.response_of_stream(MHD_SIZE_UNKNOWN, 4096, read_stream, reader, free_stream);
	if (response) answer->stream = NULL;
	else free(reader);
	return response;
}

/* libmicrohttpd's response of text, file or stream, which it now owns */
static struct MHD_Response *make_response(struct MHD_Connection *connection, studio_answer *answer)
{
	struct MHD_Response *response = NULL;
	if (answer->stream) return make_stream(connection, answer);
	if (answer->file >= 0) {
		response = mhd.response_of_file(answer->length, answer->file, answer->offset);
		if (response) answer->file = -1;
	} else {
		response = mhd.response_of_text(answer->size, answer->text, free);
		if (response) answer->text = NULL;
	}
	return response;
}

static void put_headers(struct MHD_Response *response, const studio_answer *answer)
{
	static const char page[] =
		"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
		"blob:; font-src 'self' data:; connect-src 'self' blob: data:; worker-src 'self' blob:; media-src 'none'; "
		"frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
	static const char sealed[] =
		"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
		"frame-ancestors 'self'; sandbox";
	static const char nothing[] = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
	char text[3 * STUDIO_NAME_SIZE + 64];
	if (answer->type) mhd.add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->type);
	mhd.add_header(response, "Content-Security-Policy", answer->is_page ? page : answer->is_sealed ? sealed : nothing);
	mhd.add_header(response, "X-Content-Type-Options", "nosniff");
	mhd.add_header(response, "Referrer-Policy", "no-referrer");
	mhd.add_header(response, "Cross-Origin-Resource-Policy", "same-origin");
	mhd.add_header(response, "Cross-Origin-Opener-Policy", "same-origin");
	mhd.add_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	if (answer->redirect) mhd.add_header(response, MHD_HTTP_HEADER_LOCATION, answer->redirect);
	if (answer->revision >= 0) {
		snprintf(text, sizeof text, "%lld", (long long)answer->revision);
		mhd.add_header(response, "X-Ossa-Revision", text);
	}
	if (answer->download[0]) {
		/* escaped as a whole: any name goes into a header this way */
		size_t used = (size_t)snprintf(text, sizeof text, "attachment; filename*=UTF-8''");
		for (const char *at = answer->download; *at && used + 4 < sizeof text; at++) {
			used += (size_t)snprintf(text + used, sizeof text - used, "%%%02X", (unsigned char)*at);
		}
		mhd.add_header(response, MHD_HTTP_HEADER_CONTENT_DISPOSITION, text);
	}
}

static enum MHD_Result send_answer(http_exchange *exchange)
{
	studio_answer *answer = &exchange->answer;
	const unsigned status = (unsigned)answer->status;
	struct MHD_Response *response = make_response(exchange->connection, answer);
	if (!response) return MHD_NO;
	put_headers(response, answer);
	const enum MHD_Result result = mhd.queue_response(exchange->connection, status, response);
	mhd.destroy_response(response);
	return result;
}

/* ---- requests ---- */

/* Whether a refused body is read to its end, so that a client that sends all before it reads gets
   the reason. Not where the client waits for permission to send, has no access or would send for
   long. */
static bool waits_for_end(http_exchange *exchange)
{
	const char *length = header_of(exchange, "Content-Length");
	if (exchange->answer.status == 403 || header_of(exchange, "Expect")) return false;
	return header_of(exchange, "Transfer-Encoding") || (length && strtoull(length, NULL, 10) <= patience);
}

static enum MHD_Result begin_request(
	studio_server *studio, struct MHD_Connection *connection, const char *url, const char *method, void **user)
{
	http_exchange *exchange = calloc(1, sizeof *exchange);
	if (!exchange) return MHD_NO;
	*user = exchange;
	note_request(studio->http, connection, false);
	exchange->studio = studio;
	exchange->connection = connection;
	exchange->answer = studio_answer_none();
	exchange->request = (studio_request){
		.method = method, .path = url, .header = header_of, .argument = argument_of, .user = exchange, .upload = -1};
	if (studio_request_begin(studio, &exchange->request, &exchange->answer)) return MHD_YES;
	exchange->is_answered = true;
	return waits_for_end(exchange) ? MHD_YES : send_answer(exchange);
}

static enum MHD_Result take_request(void *user, struct MHD_Connection *connection, const char *url, const char *method,
	const char *version, const char *bytes, size_t *size, void **state)
{
	studio_server *studio = user;
	(void)version;
	http_exchange *exchange = *state;
	if (!exchange) return begin_request(studio, connection, url, method, state);
	if (*size > 0) {
		const size_t count = *size;
		*size = 0;
		if (!exchange->is_answered) studio_request_body(studio, &exchange->request, bytes, count);
		if (exchange->is_answered || exchange->request.fault != STUDIO_BODY_GOOD) exchange->left_out += count;
		return exchange->left_out <= patience ? MHD_YES : MHD_NO;
	}
	if (!exchange->is_answered) studio_request_finish(studio, &exchange->request, &exchange->answer);
	return send_answer(exchange);
}

static void end_request(void *user, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode how)
{
	http_exchange *exchange = *state;
	(void)how;
	*state = NULL;
	note_request(((studio_server *)user)->http, connection, true);
	if (!exchange) return;
	studio_request_free(user, &exchange->request);
	studio_answer_free(&exchange->answer);
	free(exchange);
}

/* a client that closes early is no error */
static void keep_silent(void *user, const char *format, va_list arguments) { (void)user, (void)format, (void)arguments; }

/* a socket that listens on 127.0.0.1, and the port that it got; -1 where that is taken */
static int open_socket(int port, int *port_got)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	const int wire = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
	if (wire < 0) return -1;
	fcntl(wire, F_SETFD, FD_CLOEXEC);
	/* closing connections of the last run do not block the port */
	bool good = setsockopt(wire, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0;
	good = good && bind(wire, (const struct sockaddr *)&address, sizeof address) == 0 && listen(wire, SOMAXCONN) == 0;
	good = good && getsockname(wire, (struct sockaddr *)&address, &size) == 0;
	const int reason = errno;
	*port_got = ntohs(address.sin_port);
	if (good) return wire;
	close(wire);
	errno = reason;
	return -1;
}

static struct MHD_Daemon *start_daemon(studio_server *studio, struct http_server *server, int wire)
{
	return mhd.start_daemon(
		MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC | MHD_USE_ERROR_LOG, 0,
		NULL, NULL, take_request, studio, MHD_OPTION_EXTERNAL_LOGGER, keep_silent, NULL, MHD_OPTION_LISTEN_SOCKET, wire,
		MHD_OPTION_NOTIFY_COMPLETED, end_request, studio, MHD_OPTION_NOTIFY_CONNECTION, note_connection, server,
		MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL, MHD_OPTION_CONNECTION_LIMIT, (unsigned)STUDIO_CONNECTIONS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)STUDIO_SECONDS_OF_QUIET, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

struct http_server *studio_http_start(studio_server *studio, int port, char message[STUDIO_MESSAGE_SIZE])
{
	int got = 0;
	if (!mhd.start_daemon && !http_library_load(&mhd)) {
		snprintf(message, STUDIO_MESSAGE_SIZE, "the studio needs %s, which is not here: install it", OSSA_MICROHTTPD_LIBRARY);
		return NULL;
	}
	struct http_server *server = calloc(1, sizeof *server);
	const int wire = server ? open_socket(port, &got) : -1;
	if (wire < 0) {
		snprintf(message, STUDIO_MESSAGE_SIZE, "cannot listen on 127.0.0.1:%d: %s; give another --port", port, strerror(errno));
		free(server);
		return NULL;
	}
	/* before the first request, which reads it */
	studio_set_port(studio, got);
	for (size_t i = 0; i < STUDIO_CONNECTIONS; i++) server->waiting[i].socket = -1;
	pthread_mutex_init(&server->lock, NULL);
	studio->http = server;
	server->daemon = start_daemon(studio, server, wire);
	if (server->daemon && pthread_create(&server->watcher, NULL, watch, studio) == 0) return server;
	studio->http = NULL;
	if (server->daemon) mhd.stop_daemon(server->daemon);
	else close(wire);
	pthread_mutex_destroy(&server->lock);
	free(server);
	snprintf(message, STUDIO_MESSAGE_SIZE, "the server cannot be started: %s", strerror(errno));
	return NULL;
}

void studio_http_stop(struct http_server *server)
{
	if (!server) return;
	pthread_mutex_lock(&server->lock);
	server->is_ending = true;
	pthread_mutex_unlock(&server->lock);
	pthread_join(server->watcher, NULL);
	mhd.stop_daemon(server->daemon);
	pthread_mutex_destroy(&server->lock);
	free(server);
}
