/* ossa/context.h: the context that every call takes: memory, threads, progress, the last error,
   warnings and timings. */
#ifndef OSSA_CONTEXT_H
#define OSSA_CONTEXT_H

#include <ossa/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One context serves one caller at a time; use one context for each thread of your own. */
typedef struct ossa_context ossa_context;

/* Memory functions of the embedder. `resize(NULL, n)` allocates, `resize(p, 0)` frees and returns
   NULL. Must be safe to call from the thread that called ossa (ossa never allocates in worker
   threads). */
typedef struct ossa_allocator {
	void *(*resize)(void *user, void *block, size_t size);
	void *user;
} ossa_allocator;

/* Runs `body(arg, i)` for every i < count, in any order, on any threads, and returns when all are
   done. */
typedef void (*ossa_parallel_for_function)(void *user, size_t count, void (*body)(void *arg, size_t index), void *arg);

/* Called from the calling thread while work goes on. `stage` is a short name, `fraction` the
   share of the whole command that is done (0 to 1, never falling). Return false to cancel: the
   running call then releases all that it holds and returns OSSA_ERROR_CANCELLED. */
typedef bool (*ossa_progress_function)(void *user, const char *stage, double fraction);

/* Called before a file of the disk is opened to be read: one that a call is given, or one that such
   a file names (a buffer, an image, materials), whether it is there or not. From the calling
   thread; a file may come several times. What depends on a result's inputs learns here what they
   are. */
typedef void (*ossa_opened_function)(void *user, const char *path);

/* Called when a file of the disk has its new contents: an output, or one beside it that it names (a
   buffer, an image, materials). From the calling thread, once a file and call. */
typedef void (*ossa_written_function)(void *user, const char *path);

/* How a context works. Start from ossa_context_default(): other values are refused. */
typedef struct ossa_context_options {
	uint32_t cookie;          /* set by the default function; do not touch */
	ossa_allocator allocator; /* resize NULL: the C library's */
	size_t memory_limit;      /* bytes alive at once; 0: no limit */
	/* 0: all cores. The result is the same bytes for every number. */
	int threads;
	ossa_parallel_for_function parallel_for; /* NULL: threads of the context's own */
	void *parallel_for_user;
	ossa_progress_function progress; /* NULL: none */
	void *progress_user;
	ossa_opened_function opened; /* NULL: none */
	void *opened_user;
	ossa_written_function written; /* NULL: none */
	void *written_user;
} ossa_context_options;

/* One kind of remark about the input or the result: what was repaired, dropped or could not be
   reached. */
typedef struct ossa_warning {
	char code[48]; /* stable, lower-case-with-dashes, e.g. "fewer-bones" */
	int64_t count; /* of the things named in `counted` */
	/* "vertices", "1 vertex" being "vertex"; "" where `count` is how often it was given,
	   mostly once a file */
	char counted[24];
	/* where it was met first, and what it means; options as in ossa_error */
	char message[400];
} ossa_warning;

/* What one stage cost. */
typedef struct ossa_stage_cost {
	char name[48];
	double wall_seconds;
	double cpu_seconds; /* of all threads of the process */
	size_t peak_bytes;  /* most bytes alive in the context's allocator during the stage */
} ossa_stage_cost;

/* Options with every default filled in. */
OSSA_API ossa_context_options ossa_context_default(void);

/* Makes a context; `options` NULL means the defaults.
   Errors: OSSA_ERROR_ARGUMENT (options that do not come from ossa_context_default()),
   OSSA_ERROR_MEMORY.
   Ownership: ossa_context_free. */
OSSA_API ossa_status ossa_context_create(const ossa_context_options *options, ossa_context **context);

/* Frees a context; objects made through it must be freed before. NULL is allowed. */
OSSA_API void ossa_context_free(ossa_context *context);

/* The error of the last call that failed. Valid until the next failing call or
   ossa_context_free. Never NULL: without a context it says that there is none. */
OSSA_API const ossa_error *ossa_context_error(const ossa_context *context);

/* Warnings since the last ossa_context_reset, one for each code, in the order they were first
   met. */
OSSA_API size_t ossa_context_warning_count(const ossa_context *context);
OSSA_API const ossa_warning *ossa_context_warning(const ossa_context *context, size_t index);

/* What to do about warnings of a code: one sentence without the final stop, names of options in
   `backquotes`; "" for an unknown code. */
OSSA_API const char *ossa_warning_advice(const char *code);

/* Costs of the stages run since the last ossa_context_reset, in order; a stage that ran twice is
   one entry. */
OSSA_API size_t ossa_context_stage_count(const ossa_context *context);
OSSA_API const ossa_stage_cost *ossa_context_stage(const ossa_context *context, size_t index);

/* Bytes alive now, and the most since the last ossa_context_reset. */
OSSA_API size_t ossa_context_bytes(const ossa_context *context);
OSSA_API size_t ossa_context_peak_bytes(const ossa_context *context);

/* Number of worker threads in use (never 0). */
OSSA_API int ossa_context_threads(const ossa_context *context);

/* Clears error, warnings, stage costs and the memory peak. */
OSSA_API void ossa_context_reset(ossa_context *context);

/* Memory of the context for callers that fill ossa's structs themselves: `count` items of `size`
   bytes, zeroed. NULL with the context's error set where there is none.
   Ownership: ossa_free. */
OSSA_API void *ossa_alloc(ossa_context *context, size_t count, size_t size);
OSSA_API void ossa_free(ossa_context *context, void *block);

#ifdef __cplusplus
}
#endif
#endif
