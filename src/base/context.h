/* base/context.h: what the library's own files see of a context: errors, memory, stages, threads.

   Place in the path: below everything. All state of a call lives here; there are no globals. */
#ifndef OSSAI_BASE_CONTEXT_H
#define OSSAI_BASE_CONTEXT_H

#include <ossa/context.h>
#include <stdarg.h>

/* Passes a failure up. This and OSSAI_NEED are the only macros that hide control flow. */
#define OSSAI_TRY(call)                                                                                                        \
	do {                                                                                                                       \
		const ossa_status ossai_status_ = (call);                                                                              \
		if (ossai_status_ != OSSA_OK) return ossai_status_;                                                                    \
	} while (0)

/* ---- errors and warnings ---- */

/* Where an error was met. Start from OSSAI_NOWHERE and set what is known. */
typedef struct ossai_place {
	const char *file;
	/* frame: from 0 on; messages count frames from 1 (docs/warnings.md) */
	int64_t line, offset, vertex, frame;
} ossai_place;

#define OSSAI_NOWHERE ((ossai_place){NULL, -1, -1, -1, -1})

/* In a file, nothing more being known. */
static inline ossai_place ossai_in_file(const char *path) { return (ossai_place){path, -1, -1, -1, -1}; }

/* Records an error and returns `status`: the one function that makes errors. The message is
   prefixed with the place ("horse.obj, line 12: ..."). `place` may be NULL. */
ossa_status ossai_fail(ossa_context *context, ossa_status status, const ossai_place *place, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* At the beginning of a public function: the arguments that a caller must give. Returns
   OSSA_ERROR_ARGUMENT naming the first that is NULL; a context that is NULL cannot hold a
   message. */
#define OSSAI_NEED(context, ...)                                                                                               \
	OSSAI_TRY(ossai_need(context, __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},                                  \
		sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)))

/* names: of the arguments, joined by ", ". */
ossa_status ossai_need(
	ossa_context *context, const char *function, const char *names, const void *const *arguments, size_t count);

/* ossai_fail for functions that take `...` themselves. */
ossa_status ossai_fail_list(ossa_context *context, ossa_status status, const ossai_place *place, const char *format,
	va_list arguments) __attribute__((format(printf, 4, 0)));

/* Records an error that was met before, and what was tried since in its place did not help. Returns
   its status. */
ossa_status ossai_fail_again(ossa_context *context, const ossa_error *error);

/* Adds `count` to the warning `code`; the message of the first time is kept. A format that begins
   with "%s: " or "%s, line" names a file first: each file has a warning of its own, until several
   have one: then the last stands for all others too. Where a file is read again its warnings are
   not added to those of the reading before. Never fails: where memory is short the warning is
   dropped. */
void ossai_warn(ossa_context *context, const char *code, int64_t count, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Sets the subject of the following warnings, one of several similar ones (a piece, say). It is
   put before their messages; where several subjects have the same warning, the first one and the
   number of the others. NULL: no subject. */
void ossai_warn_about(ossa_context *context, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Saves the warnings so far, and restores them: for work that is tried by several methods, of
   which one result is kept. NULL with the error set where memory is short. Ownership: ossa_free. */
typedef struct ossai_warnings ossai_warnings;
ossai_warnings *ossai_warnings_save(ossa_context *context);
void ossai_warnings_restore(ossa_context *context, const ossai_warnings *saved);

/* The same, but for warnings of these codes since then, which are kept. */
void ossai_warnings_restore_but(
	ossa_context *context, const ossai_warnings *saved, size_t code_count, const char *const *codes);

/* Restores warnings of these codes alone. */
void ossai_warnings_restore_these(
	ossa_context *context, const ossai_warnings *saved, size_t code_count, const char *const *codes);

/* Adds the saved warnings of these codes, where there is none yet. */
void ossai_warnings_take_these(ossa_context *context, const ossai_warnings *saved, size_t code_count, const char *const *codes);

/* A call of the user begins to read files: an earlier call may have given the same warnings. */
void ossai_reading_begin(ossa_context *context);

/* ---- memory ---- */

/* Bytes that may still be allocated; SIZE_MAX where there is no limit. */
size_t ossai_memory_left(const ossa_context *context);

/* Uninitialised memory for count x size bytes (never NULL for 0 items); NULL with the error set
   on overflow, limit or lack. Release with ossa_free. Zeroed memory: ossa_alloc. */
void *ossai_new(ossa_context *context, size_t count, size_t size);

/* Like realloc to count x size bytes; on failure NULL, the error set and `block` untouched. */
void *ossai_resize(ossa_context *context, void *block, size_t count, size_t size);

/* Grows an array so that it holds one more than `count` items: `*capacity` grows by half. */
ossa_status ossai_reserve(ossa_context *context, void *array_pointer, size_t *capacity, size_t count, size_t size);

/* Counts bytes that another library takes from the C library by itself, against the limit too:
   before it takes them. */
ossa_status ossai_foreign_take(ossa_context *context, size_t bytes);
void ossai_foreign_give(ossa_context *context, size_t bytes);

/* Temporaries of a stage: everything allocated in an arena is released at once. */
typedef struct ossai_arena {
	ossa_context *context;
	void *first; /* chain of blocks */
} ossai_arena;

ossai_arena ossai_arena_begin(ossa_context *context);
/* uninitialised; NULL with the error set */
void *ossai_arena_new(ossai_arena *arena, size_t count, size_t size);
void *ossai_arena_zero(ossai_arena *arena, size_t count, size_t size); /* zeroed */
/* Grows an array of the arena to hold one more than `count` items; what it grew out of stays until
   the arena ends.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_arena_reserve(ossai_arena *arena, void *array_pointer, size_t *capacity, size_t count, size_t size);
void ossai_arena_end(ossai_arena *arena);
/* Takes over the blocks of another arena, of a task that has ended. */
void ossai_arena_take(ossai_arena *arena, ossai_arena *from);

/* ---- stages, progress, cancel ---- */

/* Declares the stages of a command with their expected shares of the time, so that progress is
   one rising fraction. Without it every stage reports 0 to 1 for itself. Names must be string
   literals. */
typedef struct ossai_plan_step {
	const char *name;
	double share;
} ossai_plan_step;
void ossai_plan(ossa_context *context, const ossai_plan_step *steps, size_t count);

/* Maps the progress of what follows, plans and stages without one, to the range between two
   fractions of the whole; 0 and 0: to the whole again. */
void ossai_plan_window(ossa_context *context, double begin, double end);

/* Maps windows that are set from now on to the range between two fractions of the whole, for what
   is done several times; 0 and 0: to the whole again. */
void ossai_plan_outer(ossa_context *context, double begin, double end);

/* Brackets a stage: its time and memory go to the stage table. A stage begun inside another is
   timed by itself and not counted to the outer one. `end` may be called on failure too. */
void ossai_stage_begin(ossa_context *context, const char *name);
void ossai_stage_end(ossa_context *context);

/* The innermost stage that has begun; "": none. Stays valid as long as the context. */
const char *ossai_stage_running(const ossa_context *context);

/* Seconds since the context was made or reset: on the wall, and of all threads of the process. */
void ossai_run_seconds(const ossa_context *context, double *wall_seconds, double *cpu_seconds);

/* Reports that `fraction` of the current stage is done. OSSA_ERROR_CANCELLED where the user wants
   to stop. Cheap: the callback is called at most some hundred times a stage. */
ossa_status ossai_progress(ossa_context *context, double fraction);

/* Maps the progress that the current stage reports from here on to the range between two of its
   fractions: where several similar inputs go through the stage, each is a part of it. The next
   stage is whole again; 0 and 0: this one is. */
void ossai_progress_part(ossa_context *context, double begin, double end);

/* Asks whether the user wants to stop and reports no progress: to be called between the steps of
   long work that has no share of its own. The callback is called every time. Errors:
   OSSA_ERROR_CANCELLED. */
ossa_status ossai_ask(ossa_context *context);

/* ---- threads ---- */

/* Calls body(arg, begin, end) for the ranges [0, grain), [grain, 2 grain) ... of `count` items on
   the context's threads. The ranges do not depend on the number of threads: a sum per range,
   combined in the order of the ranges, is deterministic. The body must not allocate, fail or
   report. */
typedef void (*ossai_range_body)(void *arg, size_t begin, size_t end);
void ossai_parallel_for(ossa_context *context, size_t count, size_t grain, ossai_range_body body, void *arg);

/* Work that shares nothing with what the caller does until its end: on one of the context's
   threads, with a context of its own. */
typedef ossa_status (*ossai_task_body)(ossa_context *context, void *arg);
typedef struct ossai_task ossai_task;

/* Begins it as soon as a thread is free. Where there is one only, or the embedder brings threads or
   an allocator or limits memory, ossai_task_end does it instead: the result is the same. The body
   may begin and end tasks of its own; it reads no files, and nothing that the caller changes
   meanwhile; its progress is not reported. What it does outside of stages of its own counts to
   the one that the caller has begun. NULL with the error set where memory is short. */
ossai_task *ossai_task_begin(ossa_context *context, ossai_task_body body, void *arg);

/* Does it, if no thread has begun it, or waits for it, helping others. Its warnings, its stages
   and the blocks that it leaves are then the context's. Returns what the body did, with its error;
   a user who wants to stop meanwhile stops it. Frees the task. */
ossa_status ossai_task_end(ossai_task *task);

/* The same for work that is no longer needed, which is asked to stop: false where it has not begun
   (and `arg` is as it was). NULL is allowed. */
bool ossai_task_drop(ossai_task *task);

#endif
