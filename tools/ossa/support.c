/* tools/ossa/support.c: what commands call: their own errors, output paths checked beforehand, JSON out.

   Place in the path: the top. */
#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ossa_status command_fail(command_run *run, ossa_status status, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(run->message, sizeof run->message, format, arguments);
	va_end(arguments);
	return status;
}

ossa_status command_check(command_run *run)
{
	return command_stopped() ? command_fail(run, OSSA_ERROR_CANCELLED, "stopped on request") : OSSA_OK;
}

const char *command_text_value(const command_run *run, size_t index)
{
	return run->texts[index].count > 0 ? run->texts[index].values[0] : NULL;
}

static bool same_file(const char *a, const char *b)
{
	struct stat first, second;
	if (stat(a, &first) != 0 || stat(b, &second) != 0) return false;
	return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* the folder part of a path with its slash, "" for none */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool same_folder(const char *a, const char *b)
{
	char first[4096], second[4096];
	snprintf(first, sizeof first, "%.*s.", (int)folder_length(a), a);
	snprintf(second, sizeof second, "%.*s.", (int)folder_length(b), b);
	struct stat one, other;
	return stat(first, &one) == 0 && stat(second, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* whether `path` is one of the files that a name with '#' stands for, or has the same '#' itself */
static bool fits_pattern(const char *pattern, const char *path)
{
	const char *wanted = pattern + folder_length(pattern), *name = path + folder_length(path);
	const size_t before = strcspn(wanted, "#");
	const char *after = wanted + before + strspn(wanted + before, "#");
	if (!wanted[before] || strncmp(wanted, name, before) != 0) return false;
	const char *end = name + before + strspn(name + before, "0123456789#");
	return end > name + before && strcmp(end, after) == 0 && same_folder(pattern, path);
}

static bool is_read_too(const char *output, const char *input)
{
	return same_file(output, input) || fits_pattern(output, input) || fits_pattern(input, output);
}

ossa_status command_check_output(command_run *run, const char *path)
{
	char folder[4096];
	const char *slash = strrchr(path, '/');
	const size_t length = slash ? (size_t)(slash - path) : 0;
	if (length >= sizeof folder) return command_fail(run, OSSA_ERROR_WRITE, "%.80s...: the path is too long", path);
	if (slash) snprintf(folder, sizeof folder, "%.*s", length > 0 ? (int)length : 1, path);
	else snprintf(folder, sizeof folder, ".");
	struct stat status;
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		return command_fail(run, OSSA_ERROR_WRITE, "%s: is a folder; name a file in it", path);
	}
	if (access(folder, W_OK) != 0) {
		return command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be written: %s", path, strerror(errno));
	}
	bool read = false;
	for (size_t i = 0; i < run->files.count; i++) read = read || is_read_too(path, run->files.values[i]);
	for (size_t t = 0; t < command_text_count(run->command); t++) {
		for (size_t i = 0; run->command->texts[t].input && i < run->texts[t].count; i++) {
			read = read || is_read_too(path, run->texts[t].values[i]);
		}
	}
	return read ? command_fail(run, OSSA_ERROR_ARGUMENT, "%s is read too; give the output another name", path) : OSSA_OK;
}

ossa_status command_walk_joints(command_run *run, const ossa_skeleton *skeleton,
	void (*visit)(const void *user, size_t bone, size_t depth), const void *user)
{
	const size_t count = skeleton->bone_count;
	/* the last child of each bone, and the sibling before each: children are pushed from the last on */
	uint32_t *memory = ossa_alloc(run->context, 4 * count, sizeof *memory);
	if (!memory) return ossa_context_error(run->context)->status;
	uint32_t *last_child = memory, *sibling = memory + count, *stack = memory + 2 * count, *depth = memory + 3 * count;
	for (size_t b = 0; b < count; b++) last_child[b] = OSSA_NONE;
	for (size_t b = 1; b < count; b++) {
		const int32_t parent = skeleton->bones[b].parent;
		sibling[b] = last_child[parent];
		last_child[parent] = (uint32_t)b;
		depth[b] = depth[parent] + 1;
	}
	size_t stacked = 0;
	if (count > 0) stack[stacked++] = 0;
	while (stacked > 0) {
		const uint32_t bone = stack[--stacked];
		visit(user, bone, depth[bone]);
		for (uint32_t child = last_child[bone]; child != OSSA_NONE; child = sibling[child]) stack[stacked++] = child;
	}
	ossa_free(run->context, memory);
	return OSSA_OK;
}

const char *command_joint_kind(const ossa_bone *bone)
{
	return bone->kind == OSSA_JOINT_UNKNOWN ? "joint" : ossa_joint_kind_name(bone->kind);
}

const ossa_option_table *command_file_table(void)
{
	static const command_file_options defaults = {false};
	static const ossa_option options[] = {
		{"keep-order", OSSA_OPTION_BOOL, offsetof(command_file_options, keep_order), 0, 1, "", "",
			"take the poses in the order given instead of natural number order (pose-2 before pose-10)", ""},
	};
	static const ossa_option_table table = {"files", options, sizeof options / sizeof options[0], &defaults};
	return &table;
}

bool command_prints_text(command_run *run)
{
	command_progress_clear(run->progress);
	return !run->shared.quiet;
}

ossa_status command_print_json(command_run *run, json_t *value)
{
	if (!value) return command_fail(run, OSSA_ERROR_MEMORY, "out of memory for the JSON text");
	command_progress_clear(run->progress);
	const int failed = json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	json_decref(value);
	if (failed) return command_fail(run, OSSA_ERROR_WRITE, "standard output cannot be written: %s", strerror(errno));
	putchar('\n');
	return OSSA_OK;
}

json_t *command_json_real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

json_t *command_json_warnings(const command_run *run)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ossa_context_warning_count(run->context); i++) {
		const ossa_warning *warning = ossa_context_warning(run->context, i);
		json_array_append_new(list,
			json_pack("{s:s, s:I, s:s, s:s}", "code", warning->code, "count", (json_int_t)warning->count, "counted",
				warning->counted, "message", warning->message));
	}
	return list;
}
