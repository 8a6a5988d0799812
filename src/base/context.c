/* base/context.c: making contexts, and the one place where errors and warnings are made.

   Place in the path: below everything.
   Input: options of the embedder.
   Output: ossa_context. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/clock.h"
#include "base/context_state.h"
#include "base/counted.h"
#include "base/options.h"
#include "base/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* bytes of a path that an error shows */
enum { FILE_SHOWN = 250 };

/* files that have a warning of one code each; the last one stands for all others too */
enum { WARNED_FILES = 4 };

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

/* ---- warnings ---- */

struct ossai_warnings {
	size_t count;
	ossa_warning warnings[OSSAI_WARNINGS_MAX];
	ossai_tally tallies[OSSAI_WARNINGS_MAX];
};

ossai_warnings *ossai_warnings_save(ossa_context *context)
{
	ossai_warnings *saved = ossai_new(context, 1, sizeof *saved);
	if (!saved) return NULL;
	saved->count = context->warning_count;
	memcpy(saved->warnings, context->warnings, sizeof saved->warnings);
	memcpy(saved->tallies, context->tallies, sizeof saved->tallies);
	return saved;
}

void ossai_warnings_restore(ossa_context *context, const ossai_warnings *saved)
{
	ossai_warnings_restore_but(context, saved, 0, NULL);
}

static bool is_listed(const char *code, size_t code_count, const char *const *codes)
{
	for (size_t c = 0; c < code_count; c++) {
		if (strcmp(code, codes[c]) == 0) return true;
	}
	return false;
}

void ossai_warnings_restore_but(ossa_context *context, const ossai_warnings *saved, size_t code_count, const char *const *codes)
{
	size_t count = saved->count;
	for (size_t i = count; i < context->warning_count; i++) {
		if (!is_listed(context->warnings[i].code, code_count, codes)) continue;
		context->warnings[count] = context->warnings[i];
		context->tallies[count++] = context->tallies[i];
	}
	memcpy(context->warnings, saved->warnings, saved->count * sizeof *saved->warnings);
	memcpy(context->tallies, saved->tallies, saved->count * sizeof *saved->tallies);
	context->warning_count = count;
}

void ossai_warnings_restore_these(
	ossa_context *context, const ossai_warnings *saved, size_t code_count, const char *const *codes)
{
	size_t count = 0;
	for (size_t i = 0; i < context->warning_count; i++) {
		const bool is_old = i < saved->count, is_dropped = is_listed(context->warnings[i].code, code_count, codes);
		if (is_dropped && !is_old) continue;
		context->warnings[count] = is_dropped ? saved->warnings[i] : context->warnings[i];
		context->tallies[count++] = is_dropped ? saved->tallies[i] : context->tallies[i];
	}
	context->warning_count = count;
}

static bool is_warned(const ossa_context *context, const char *code)
{
	for (size_t i = 0; i < context->warning_count; i++) {
		if (strcmp(context->warnings[i].code, code) == 0) return true;
	}
	return false;
}

void ossai_warnings_take_these(ossa_context *context, const ossai_warnings *saved, size_t code_count, const char *const *codes)
{
	for (size_t i = 0; i < saved->count; i++) {
		const ossa_warning *own = &saved->warnings[i];
		if (!is_listed(own->code, code_count, codes) || is_warned(context, own->code)) continue;
		ossai_warn(context, saved->warnings[i].code, own->count, "%s", own->message);
	}
}

void ossai_reading_begin(ossa_context *context) { context->reading++; }

/* a hash of the file's name, never 0 (FNV-1a) */
static uint64_t hash_of(const char *file)
{
	uint64_t hash = 0xcbf29ce484222325U;
	for (; *file; file++) hash = (hash ^ (uint8_t)*file) * 0x100000001b3U;
	return hash ? hash : 1;
}

/* the warning of this code and file, or the one that stands for further files; the number of
   warnings where a new one is due */
static size_t find_warning(const ossa_context *context, const char *code, uint64_t file)
{
	size_t last = context->warning_count, files = 0;
	for (size_t i = 0; i < context->warning_count; i++) {
		if (strcmp(context->warnings[i].code, code) != 0) continue;
		if (context->tallies[i].file == file) return i;
		if (context->tallies[i].file == 0) continue;
		last = i;
		files++;
	}
	return file != 0 && files >= WARNED_FILES ? last : context->warning_count;
}

/* what an earlier reading of the same file counted is not counted again. Without a file's name,
   an equal message means the same file */
static void count_again(ossa_context *context, size_t index, int64_t count, const char *message)
{
	ossa_warning *warning = &context->warnings[index];
	ossai_tally *tally = &context->tallies[index];
	const bool again = tally->file != 0 || strcmp(message, warning->message) == 0;
	if (tally->reading != context->reading && again) {
		tally->reading = context->reading;
		tally->counted = 0;
	}
	tally->counted = count > INT64_MAX - tally->counted ? INT64_MAX : tally->counted + count;
	if (tally->counted > warning->count) warning->count = tally->counted;
}

static void name_counted(ossa_warning *warning)
{
	snprintf(warning->counted, sizeof warning->counted, "%s", ossai_counted_word(warning->code, warning->count));
}

void ossai_warn_about(ossa_context *context, const char *format, ...)
{
	va_list arguments;
	context->subject[0] = 0;
	if (!format) return;
	va_start(arguments, format);
	ossai_vformat(context->subject, sizeof context->subject, format, arguments);
	va_end(arguments);
}

/* "piece_1: ..." becomes "piece_1 and 2 more: ..." */
static void add_subject(const ossa_context *context, ossa_warning *warning, ossai_tally *tally)
{
	char rest[sizeof warning->message], first[OSSAI_SUBJECT_SIZE];
	if (!context->subject[0] || tally->subjects == 0 || tally->subject == hash_of(context->subject)) return;
	tally->subject = hash_of(context->subject);
	snprintf(rest, sizeof rest, "%s", warning->message + tally->head);
	snprintf(first, sizeof first, "%.*s", (int)tally->first, warning->message);
	tally->head = (size_t)snprintf(warning->message, sizeof warning->message, "%s and %u more", first, tally->subjects++);
	const size_t capacity = sizeof warning->message - tally->head;
	snprintf(warning->message + tally->head, capacity, "%.*s", (int)capacity - 1, rest);
}

static void take_subject(const ossa_context *context, ossai_tally *tally)
{
	if (!context->subject[0]) return;
	tally->subject = hash_of(context->subject);
	tally->subjects = 1;
	tally->first = tally->head = strlen(context->subject);
}

void ossai_warn(ossa_context *context, const char *code, int64_t count, const char *format, ...)
{
	static const char further[] = "several more files, first ";
	char message[sizeof context->warnings[0].message] = "";
	uint64_t file = 0;
	int used = 0;
	va_list arguments;
	if (strncmp(format, "%s: ", 4) == 0 || strncmp(format, "%s, line", 8) == 0) {
		va_start(arguments, format);
		file = hash_of(va_arg(arguments, const char *));
		va_end(arguments);
	}
	if (context->subject[0]) used = snprintf(message, sizeof message, "%s: ", context->subject);
	va_start(arguments, format);
	ossai_vformat(message + used, sizeof message - (size_t)used, format, arguments);
	va_end(arguments);
	const size_t index = find_warning(context, code, file);
	if (index == OSSAI_WARNINGS_MAX) return;
	ossa_warning *warning = &context->warnings[index];
	ossai_tally *tally = &context->tallies[index];
	if (index == context->warning_count) {
		*warning = (ossa_warning){.count = count};
		*tally = (ossai_tally){.file = file, .reading = context->reading, .counted = count};
		take_subject(context, tally);
		snprintf(warning->code, sizeof warning->code, "%s", code);
		memcpy(warning->message, message, sizeof message);
		name_counted(warning);
		context->warning_count++;
		return;
	}
	if (tally->file != file && !tally->others) {
		tally->others = true;
		memmove(warning->message + sizeof further - 1, warning->message, sizeof warning->message - sizeof further);
		memcpy(warning->message, further, sizeof further - 1);
	}
	add_subject(context, warning, tally);
	count_again(context, index, count, message);
	name_counted(warning);
}
