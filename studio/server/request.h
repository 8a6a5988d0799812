/* studio/server/request.h: requests and answers, and the sizes that the server's files share.

   Place in the path: below server.h, which every file includes. */
#ifndef STUDIO_REQUEST_H
#define STUDIO_REQUEST_H

#include "studio.h"

#include <ossa/ossa.h>

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
	STUDIO_TOKEN_SIZE = 33,         /* 128 bits as hexadecimal digits, with the end */
	STUDIO_KEY_SIZE = 65,           /* 256 bits likewise; hashes take the digits as the key */
	STUDIO_NONCE_MAX = 64,          /* digits of a page's question */
	STUDIO_NAME_SIZE = 201,         /* of a file, with the end */
	STUDIO_PATH_SIZE = 4096,        /* of a file of the disk */
	STUDIO_STAGE_SIZE = 64,         /* of a progress callback's stage */
	STUDIO_JOBS_KEPT = 32,          /* of a session, the running one among them */
	STUDIO_JOBS_RUNNING = 4,        /* of all sessions together */
	STUDIO_SESSIONS_LOADED = 8,     /* unused sessions kept in memory, */
	STUDIO_SECONDS_LOADED = 5,      /* and for how long */
	STUDIO_REMOVED_DAYS = 30,       /* in which a removed session can be restored */
	STUDIO_STREAMS = 64,            /* of events, open at once */
	STUDIO_CONNECTIONS = 192,       /* open at once */
	STUDIO_SECONDS_OF_QUIET = 30,   /* of a connection before it is closed */
	STUDIO_SECONDS_OF_HEADERS = 5,  /* in which the first request of a connection has arrived */
	STUDIO_CONNECTIONS_WAITING = 64 /* without a request; of more, the oldest is closed */
};
#define STUDIO_REMOVED_BYTES ((uint64_t)4 << 30) /* of removed sessions, the last one apart */
#define STUDIO_BODY_LIMIT ((size_t)4 << 20)      /* bytes of a body of JSON */

struct http_server;
typedef struct studio_session studio_session;
typedef struct studio_desk studio_desk;
typedef struct studio_work studio_work;

struct studio_route;
struct studio_answer;

typedef enum studio_body_kind { STUDIO_BODY_NONE, STUDIO_BODY_JSON, STUDIO_BODY_FILE } studio_body_kind;

typedef enum studio_body_fault {
	STUDIO_BODY_GOOD,
	STUDIO_BODY_TOO_LARGE,
	STUDIO_BODY_OVER_SESSION, /* more than it may take of the disk */
	STUDIO_BODY_DISK,
	STUDIO_BODY_MEMORY
} studio_body_fault;

/* A request. Path, headers and query are as they were sent: nothing is unescaped yet. */
typedef struct studio_request {
	const char *method; /* "GET" */
	const char *path;   /* "/TOKEN/api/about" */
	const char *(*header)(void *user, const char *name);
	const char *(*argument)(void *user, const char *name); /* of the query */
	void *user;

	/* filled by studio_request_begin */
	const struct studio_route *route;
	char parts[2][STUDIO_NAME_SIZE]; /* the parts that matched the route's '*', unescaped */
	const char *rest;                /* of a page's file: the path behind the token */
	studio_session *session;         /* of the first part, where the route has one */

	/* the body */
	studio_body_fault fault;
	uint64_t received, allowed; /* bytes; of a file: how many the session can take */
	char *body;                 /* JSON: ended by 0 */
	size_t body_size, body_capacity;
	int upload; /* FILE: a file that has no name yet; -1: none */
	char upload_name[64];
} studio_request;

/* A source from which an answer is streamed. */
typedef struct studio_stream {
	/* waits a second at most: bytes written into `to`, 0 where there was no event, -1 at the end */
	int (*read)(struct studio_stream *stream, char *to, size_t size);
	void (*free)(struct studio_stream *stream);
} studio_stream;

/* An answer: text, a part of a file, or a stream. */
typedef struct studio_answer {
	int status;
	const char *type; /* a constant: "application/json" */
	char *text;       /* malloc's; moved with the answer */
	size_t size;
	int file; /* -1: none; closed with the answer */
	uint64_t offset, length;
	studio_stream *stream;
	int64_t revision;                /* sent in X-Ossa-Revision; -1: not */
	bool is_page;                    /* scripts of the page's own folder may run */
	bool is_sealed;                  /* a document of its own: no scripts, no address of ours */
	const char *redirect;            /* Location, or NULL */
	char download[STUDIO_NAME_SIZE]; /* a file to be saved under this name, "" for none */
} studio_answer;

/* A request in three steps: begin (false: there is an answer already), body part by part,
   finish. */
bool studio_request_begin(studio_server *studio, studio_request *request, studio_answer *answer);
void studio_request_body(studio_server *studio, studio_request *request, const char *bytes, size_t size);
void studio_request_finish(studio_server *studio, studio_request *request, studio_answer *answer);
void studio_request_free(studio_server *studio, studio_request *request);

/* answer.c */
studio_answer studio_answer_none(void);
void studio_answer_free(studio_answer *answer);
void studio_refuse(studio_answer *answer, int status, const char *code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void studio_no_memory(studio_answer *answer);
/* takes the value; NULL: no memory */
void studio_answer_json(studio_answer *answer, int status, json_t *value);
void studio_answer_text(studio_answer *answer, const char *type, char *text, size_t size);
/* takes the file, the whole of it */
void studio_answer_file(studio_answer *answer, const char *type, int file);
/* null where it is not finite */
json_t *studio_real(double value);
/* a key for each metric */
json_t *studio_metrics_json(const ossa_metric_table *table, const void *values);
json_t *studio_reals(const double *values, size_t count);
const char *studio_status_code(ossa_status status); /* "input" */

/* A number of the query: `absent` where it is not there; false, and an answer, where it is no
   whole number from 0 to `maximum`. */
bool studio_argument(
	const studio_request *request, const char *name, uint64_t absent, uint64_t maximum, uint64_t *value, studio_answer *answer);

/* The body as a JSON object, or NULL and an answer. */
json_t *studio_body_json(const studio_request *request, studio_answer *answer);

/* guard.c */
/* size - 1 hexadecimal digits of the system's random numbers */
bool studio_make_token(char *token, size_t size);
/* Whether the request may be answered at all; `rest` is its path behind the token. */
bool studio_guard(const studio_server *studio, const studio_request *request, const char **rest, studio_answer *answer);
/* The nonce of "/hello/NONCE", the one request without a token; NULL for any other. */
const char *studio_nonce_of(const studio_server *studio, const studio_request *request);

/* proof.c: a new token, by the folder's key */
bool studio_begin_run(studio_server *studio);
void studio_get_hello(const studio_server *studio, const char *nonce, studio_answer *answer);

/* names.c */
bool studio_name_is_good(const char *name);
/* Takes the session's folder out of a message: the page knows its files by their names. */
void studio_hide_folder(const studio_session *session, char *text);
/* Undoes %41 of `length` bytes; false where it is malformed, holds NUL or does not fit. */
bool studio_unescape(const char *text, size_t length, char *to, size_t size);

#endif
