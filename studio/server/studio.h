/* studio/server/studio.h: the studio's server as the command sees it: make it, listen, open files,
   end.

   Place in the path: behind `ossa studio`; uses the public API only. server.h is what the
   server's own files share. */
#ifndef STUDIO_H
#define STUDIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct studio studio_server;

typedef struct studio_options {
	int port;           /* of 127.0.0.1; 0: any that is free */
	const char *folder; /* where sessions are kept; made where it is not there */
	/* the folder of the page's files, or NULL: a plain page says how to build it */
	const char *page;
	int threads;            /* of each job; 0: all cores */
	size_t memory_limit;    /* bytes of each job; 0: none */
	uint64_t upload_limit;  /* bytes of a file that is sent */
	uint64_t session_limit; /* bytes of a session's folder; 0: none */
	/* use a new port and key; else the port of the folder's last run, so that open pages find the
	   server */
	bool is_fresh;
} studio_options;

enum { STUDIO_MESSAGE_SIZE = 512, STUDIO_ADDRESS_SIZE = 96, STUDIO_ID_SIZE = 20 };

/* Makes a server that does not listen yet. False, and one sentence in `message`, where the folder
   cannot be used. */
bool studio_create(const studio_options *options, studio_server **made, char message[STUDIO_MESSAGE_SIZE]);

/* Listens on 127.0.0.1 and answers from threads of its own. False, and a message, where the port
   is taken. */
bool studio_listen(studio_server *studio, char message[STUDIO_MESSAGE_SIZE]);

/* "http://127.0.0.1:PORT/TOKEN/", once it listens. */
const char *studio_address(const studio_server *studio);

/* Makes a session of files and begins to open them. The id is what the page's address names after
   '#'. */
bool studio_open_files(
	studio_server *studio, size_t count, const char *const *paths, char id[STUDIO_ID_SIZE], char message[STUDIO_MESSAGE_SIZE]);

/* Cancels running jobs, ends every stream and connection, and frees all. NULL is allowed. */
void studio_end(studio_server *studio);

#endif
