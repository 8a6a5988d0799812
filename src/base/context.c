/* base/context.c: making contexts, and the one place where errors are made.

   Place in the path: below everything.
   Input: options of the embedder.
   Output: ossa_context. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/clock.h"
#include "base/context_state.h"
#include "base/options.h"
#include "base/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* bytes of a path that an error shows */
enum { FILE_SHOWN = 250 };

/* Blocks from this size on ask for large pages: wherever such a block begins, one of the usual
   size, 2 MB, fits into it. */
enum { LARGE_BLOCK = 4 << 20 };

/* The kernel gives a block to the process page by page, when each is first written. With pages of
   4 KB that took a fifth of the time of a rig of a million faces. Whole pages are named, so that
   the block stays one mapping, which can grow in place. */
static void ask_for_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t begin = (uintptr_t)block / page * page, end = ((uintptr_t)block + size + page - 1) / page * page;
	madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
	(void)block, (void)size;
#endif
}

static void *libc_resize(void *user, void *block, size_t size)
{
	(void)user;
	if (size == 0) {
		free(block);
		return NULL;
	}
	void *resized = realloc(block, size);
	if (resized && size >= LARGE_BLOCK) ask_for_large_pages(resized, size);
	return resized;
}

ossa_context_options ossa_context_default(void)
{
	const ossa_context_options options = {
		.cookie = OSSAI_COOKIE('c', 't', ossa_context_options), .allocator = {libc_resize, NULL}};
	return options;
}

ossa_status ossa_context_create(const ossa_context_options *options, ossa_context **result)
{
	if (!result) return OSSA_ERROR_ARGUMENT;
	*result = NULL;
	/* there is no context yet that could hold a sentence */
	if (options && options->cookie != OSSAI_COOKIE('c', 't', ossa_context_options)) return OSSA_ERROR_ARGUMENT;
	ossa_context_options filled = options ? *options : ossa_context_default();
	if (!filled.allocator.resize) filled.allocator = (ossa_allocator){libc_resize, NULL};
	ossa_context *context = filled.allocator.resize(filled.allocator.user, NULL, sizeof *context);
	if (!context) return OSSA_ERROR_MEMORY;
	memset(context, 0, sizeof *context);
	context->options = filled;
	context->threads = filled.threads > 0 ? filled.threads : ossai_processor_count();
	ossa_context_reset(context);
	*result = context;
	return OSSA_OK;
}

void ossa_context_free(ossa_context *context)
{
	if (!context) return;
	ossai_workers_end(context);
	context->options.allocator.resize(context->options.allocator.user, context, 0);
}

void ossa_context_reset(ossa_context *context)
{
	if (!context) return;
	context->error = (ossa_error){.status = OSSA_OK, .line = -1, .offset = -1, .vertex = -1, .frame = -1};
	context->warning_count = 0;
	context->reading = 0;
	context->stage_count = 0;
	context->depth = 0;
	context->peak_bytes = context->stage_peak = context->bytes;
	context->plan = NULL;
	context->plan_count = 0;
	context->plan_total = context->plan_done = context->plan_share = 0;
	context->window_begin = context->window_size = 0;
	context->part_begin = context->part_size = 0;
	context->subject[0] = 0;
	context->reported = 0;
	context->reported_of_stage = -1;
	context->wall_begin = ossai_wall_seconds();
	context->cpu_begin = ossai_cpu_seconds();
}

const ossa_error *ossa_context_error(const ossa_context *context)
{
	static const ossa_error no_context = {.status = OSSA_ERROR_ARGUMENT,
		.message = "there is no context: ossa_context_create makes one",
		.line = -1,
		.offset = -1,
		.vertex = -1,
		.frame = -1};
	return context ? &context->error : &no_context;
}

size_t ossa_context_warning_count(const ossa_context *context) { return context ? context->warning_count : 0; }
int ossa_context_threads(const ossa_context *context) { return context ? context->threads : 0; }

const ossa_warning *ossa_context_warning(const ossa_context *context, size_t index)
{
	return index < ossa_context_warning_count(context) ? &context->warnings[index] : NULL;
}

const char *ossa_status_name(ossa_status status)
{
	switch (status) {
	case OSSA_OK: return "ok";
	case OSSA_ERROR_ARGUMENT: return "bad argument";
	case OSSA_ERROR_INPUT: return "bad input";
	case OSSA_ERROR_READ: return "cannot read";
	case OSSA_ERROR_WRITE: return "cannot write";
	case OSSA_ERROR_MEMORY: return "out of memory";
	case OSSA_ERROR_LIMIT: return "limit passed";
	case OSSA_ERROR_CANCELLED: return "cancelled";
	}
	return "unknown status";
}

/* only the end of a very long path, so that the description of the fault still fits */
static int print_file(char *text, size_t size, const char *file)
{
	const size_t length = strlen(file);
	if (length <= FILE_SHOWN) return snprintf(text, size, "%s", file);
	const char *end = file + length - FILE_SHOWN;
	/* do not begin inside a character */
	while ((*end & 0xc0) == 0x80) end++;
	return snprintf(text, size, "...%s", end);
}

/* "file, line 3, byte 40: " in front of the message, with what is known; lines and frames are
   counted from 1 */
static int print_place(char *text, size_t size, const ossai_place *place)
{
	int used = 0;
	if (place->file && place->file[0]) used = print_file(text, size, place->file);
	const struct {
		const char *word;
		int64_t value;
	} parts[] = {{"line", place->line}, {"byte", place->offset}, {"frame", place->frame < 0 ? -1 : place->frame + 1},
		{"vertex", place->vertex}};
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (parts[i].value < 0 || used < 0 || (size_t)used >= size) continue;
		used += snprintf(
			text + used, size - (size_t)used, "%s%s %lld", used ? ", " : "", parts[i].word, (long long)parts[i].value);
	}
	if (used > 0 && (size_t)used < size) used += snprintf(text + used, size - (size_t)used, ": ");
	return used < 0 ? 0 : (size_t)used >= size ? (int)size - 1 : used;
}

ossa_status ossai_fail_list(
	ossa_context *context, ossa_status status, const ossai_place *place, const char *format, va_list arguments)
{
	if (!context) return status;
	const ossai_place nowhere = OSSAI_NOWHERE;
	const ossai_place *at = place ? place : &nowhere;
	ossa_error *error = &context->error;
	*error = (ossa_error){.status = status, .line = at->line, .offset = at->offset, .vertex = at->vertex, .frame = at->frame};
	if (at->file) snprintf(error->file, sizeof error->file, "%s", at->file);
	const int used = print_place(error->message, sizeof error->message, at);
	ossai_vformat(error->message + used, sizeof error->message - (size_t)used, format, arguments);
	return status;
}

ossa_status ossai_fail(ossa_context *context, ossa_status status, const ossai_place *place, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	ossai_fail_list(context, status, place, format, arguments);
	va_end(arguments);
	return status;
}

ossa_status ossai_need(
	ossa_context *context, const char *function, const char *names, const void *const *arguments, size_t count)
{
	if (!context) return OSSA_ERROR_ARGUMENT;
	for (size_t i = 0; i < count; i++) {
		const int length = (int)strcspn(names, ",");
		if (!arguments[i]) {
			return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "%s: its argument %.*s is NULL", function, length, names);
		}
		names += length + 2;
	}
	return OSSA_OK;
}

ossa_status ossai_fail_again(ossa_context *context, const ossa_error *error)
{
	context->error = *error;
	return error->status;
}
