/* ossa/status.h: what a call can return, and the one error that a context keeps. */
#ifndef OSSA_STATUS_H
#define OSSA_STATUS_H

#include <ossa/api.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The result of every call that can fail. OSSA_OK is 0. After anything else the results are NULL
   and nothing is held.

   NULL as an argument. Of a call with several results those that are not wanted may be NULL; so
   may options, which are the defaults then, and what a function says may be. An argument that must
   be given and is NULL: a call with a status returns OSSA_ERROR_ARGUMENT, and the error names the
   function and the argument (a context or set of files that is NULL can keep no error). Calls
   without a status then return 0, NULL, NAN, false or "", or do nothing. */
typedef enum ossa_status {
	OSSA_OK = 0,
	OSSA_ERROR_ARGUMENT, /* an option or argument is outside its range */
	OSSA_ERROR_INPUT,    /* a file or mesh does not hold what it must */
	OSSA_ERROR_READ,     /* the system could not read a file */
	OSSA_ERROR_WRITE,    /* the system could not write a file */
	OSSA_ERROR_MEMORY,   /* the allocator returned NULL */
	OSSA_ERROR_LIMIT,    /* a size or the memory limit of the context would be passed */
	OSSA_ERROR_CANCELLED /* the progress callback asked to stop */
} ossa_status;

/* What went wrong: one sentence that names the fault, its location and what to do. Numbers are -1
   where they do not apply. */
typedef struct ossa_error {
	ossa_status status;
	/* UTF-8, one line, complete by itself (it already holds file, line, vertex ... as text).
	   Options are in `backquotes`, by their names in the option tables and with a value where one
	   is meant: `refine 0` */
	char message[512];
	char file[256]; /* the file concerned, "" for none */
	int64_t line;   /* 1-based line of a text file */
	int64_t offset; /* byte offset in a binary file */
	int64_t vertex; /* 0-based vertex */
	int64_t frame;  /* 0-based frame or pose; the message counts it from 1 */
} ossa_error;

/* The name of a status in lower case words, e.g. "bad input". Never NULL. */
OSSA_API const char *ossa_status_name(ossa_status status);

#ifdef __cplusplus
}
#endif
#endif
