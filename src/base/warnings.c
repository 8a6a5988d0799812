/* base/warnings.c: the warnings of a context: counted by code and file, saved and restored.

   Place in the path: below everything.
   Input: code, count and message of what is doubtful.
   Output: the warnings of ossa_context. */
#include "base/context_state.h"
#include "base/counted.h"
#include "base/format.h"

#include <stdio.h>
#include <string.h>

/* files that have a warning of one code each; the last one stands for all others too */
enum { WARNED_FILES = 4 };

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
