/* tools/ossa/support.c: helpers of commands: their own errors, checks of output paths, JSON.

   Place in the path: the top. */
#include "command_tables.h"
#include "progress.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
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

/* which files a path stands for, as the system knows them; those that are not there or are no
   regular files are left out */
typedef struct file_ids {
	size_t count;
	struct file_id {
		dev_t device;
		ino_t number;
	} * items;
} file_ids;

static ossa_status find_ids(command_run *run, const char *path, file_ids *ids)
{
	char **paths;
	size_t count;
	*ids = (file_ids){0};
	/* a pattern without files: nothing could be overwritten */
	const ossa_status status = ossa_read_paths(run->context, path, &count, &paths);
	if (status != OSSA_OK) return status == OSSA_ERROR_MEMORY ? status : OSSA_OK;
	ids->items = ossa_alloc(run->context, count, sizeof *ids->items);
	for (size_t i = 0; i < count && ids->items; i++) {
		struct stat facts;
		if (stat(paths[i], &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
		ids->items[ids->count++] = (struct file_id){facts.st_dev, facts.st_ino};
	}
	ossa_free(run->context, paths);
	return ids->items ? OSSA_OK : OSSA_ERROR_MEMORY;
}

static bool have_common_file(const file_ids *a, const file_ids *b)
{
	for (size_t i = 0; i < a->count; i++) {
		for (size_t k = 0; k < b->count; k++) {
			if (a->items[i].number == b->items[k].number && a->items[i].device == b->items[k].device) return true;
		}
	}
	return false;
}

/* whether an input is among the files that an output may replace */
static ossa_status check_input(command_run *run, const file_ids *outputs, const char *path, const char *input)
{
	file_ids inputs;
	COMMAND_TRY(find_ids(run, input, &inputs));
	const bool read = have_common_file(outputs, &inputs);
	ossa_free(run->context, inputs.items);
	return read ? command_fail(run, OSSA_ERROR_ARGUMENT, "%s is an input too; give the output another name", path) : OSSA_OK;
}

static ossa_status check_inputs(command_run *run, const file_ids *outputs, const char *path)
{
	for (size_t i = 0; i < run->files.count; i++) COMMAND_TRY(check_input(run, outputs, path, run->files.values[i]));
	for (size_t t = 0; t < command_text_count(run->command); t++) {
		for (size_t i = 0; run->command->texts[t].input && i < run->texts[t].count; i++) {
			COMMAND_TRY(check_input(run, outputs, path, run->texts[t].values[i]));
		}
	}
	return OSSA_OK;
}

ossa_status command_check_apart(command_run *run, const char *path, const char *input)
{
	file_ids outputs;
	COMMAND_TRY(find_ids(run, path, &outputs));
	const ossa_status status = check_input(run, &outputs, path, input);
	ossa_free(run->context, outputs.items);
	return status;
}

/* ---- two outputs of one name ---- */

static const char *name_in_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* the folder as the system knows it; false where there is none, or its name is too long */
static bool find_folder(const char *path, struct stat *facts)
{
	char folder[4096];
	const size_t length = (size_t)(name_in_folder(path) - path);
	if (length >= sizeof folder) return false;
	memcpy(folder, path, length);
	memcpy(folder + length, ".", 2);
	return length + 1 < sizeof folder && stat(folder, facts) == 0;
}

/* whether two paths name one file, be it there or not; what is no regular file, a pipe or
   /dev/null, may be written twice */
static bool are_one_file(const char *a, const char *b)
{
	struct stat first, second;
	const bool both_there = stat(a, &first) == 0 && stat(b, &second) == 0;
	if (both_there) return S_ISREG(first.st_mode) && first.st_ino == second.st_ino && first.st_dev == second.st_dev;
	if (strcmp(name_in_folder(a), name_in_folder(b)) != 0 || !find_folder(a, &first) || !find_folder(b, &second)) return false;
	return first.st_ino == second.st_ino && first.st_dev == second.st_dev;
}

/* whether the option names a file that is written */
static bool is_output(const command_text *text) { return !text->input && strncmp(text->value, "FILE", 4) == 0; }

/* the options of files that are written, in the order in which they were typed: each against
   those before it */
static ossa_status check_other_outputs(command_run *run)
{
	for (size_t i = 0; i < run->typed_count; i++) {
		const command_typed *late = &run->typed[i];
		for (size_t k = 0; k < i && is_output(&run->command->texts[late->text]); k++) {
			const command_typed *early = &run->typed[k];
			if (!is_output(&run->command->texts[early->text]) || !are_one_file(late->value, early->value)) continue;
			return command_fail(
				run, OSSA_ERROR_ARGUMENT, "%s is written twice: give each output a name of its own", late->value);
		}
	}
	return OSSA_OK;
}

/* ".glb, .gltf, .dae": of the formats that hold a rig */
static void list_rig_endings(char *endings, size_t size)
{
	endings[0] = 0;
	for (size_t i = 0; i < ossa_write_format_count(); i++) {
		const ossa_write_format *format = ossa_write_format_at(i);
		const size_t used = strlen(endings);
		if (format->writes_rig) snprintf(endings + used, size - used, "%s%s", used ? ", " : "", format->endings);
	}
}

ossa_status command_check_rig_format(command_run *run, const char *path)
{
	const ossa_write_format *format = NULL;
	char endings[256];
	if (ossa_write_detect(run->context, path, &format) == OSSA_OK && format->writes_rig) return OSSA_OK;
	list_rig_endings(endings, sizeof endings);
	return command_fail(run, OSSA_ERROR_ARGUMENT, "%s: %s cannot hold a rig; give it one of the endings %s", path,
		format ? format->title : "a file of this ending", endings);
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
	COMMAND_TRY(check_other_outputs(run));
	file_ids outputs;
	COMMAND_TRY(find_ids(run, path, &outputs));
	const ossa_status result = check_inputs(run, &outputs, path);
	ossa_free(run->context, outputs.items);
	return result;
}

ossa_status command_walk_joints(command_run *run, const ossa_skeleton *skeleton,
	void (*visit)(const void *user, size_t bone, size_t depth), const void *user)
{
	const size_t count = skeleton->bone_count;
	/* the last child of each bone, and the sibling before each: children are pushed from the last
	   on */
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

bool command_drives_by_twist(const ossa_dependency *d)
{
	return d->driver_axis[0] != 0 || d->driver_axis[1] != 0 || d->driver_axis[2] != 0;
}

const ossa_option_table *command_file_table(void)
{
	static const command_file_options defaults = {false};
	static const ossa_option options[] = {
		{"keep-order", OSSA_OPTION_BOOL, offsetof(command_file_options, keep_order), 0, 1, "", "",
			"take the poses in the order given instead of natural number order (pose-2 before pose-10)", ""},
	};
	static const ossa_option_group groups[] = {
		{"Input", "", "keep-order"},
		{NULL, NULL, NULL},
	};
	static const ossa_option_table table = {"files", options, sizeof options / sizeof options[0], &defaults,
		.size = sizeof(command_file_options), .groups = groups};
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

json_t *command_json_text(const char *text)
{
	json_t *string = json_string(text);
	if (string) return string;
	char *plain = strdup(text);
	for (char *at = plain; at && *at; at++) {
		if (*at & 0x80) *at = '?';
	}
	string = plain ? json_string(plain) : NULL;
	free(plain);
	return string;
}

json_t *command_json_warnings(const command_run *run)
{
	json_t *list = json_array();
	for (size_t i = 0; i < ossa_context_warning_count(run->context); i++) {
		const ossa_warning *warning = ossa_context_warning(run->context, i);
		char message[sizeof warning->message];
		memcpy(message, warning->message, sizeof message);
		command_spell_options(message);
		json_array_append_new(list,
			json_pack("{s:s, s:I, s:s, s:o}", "code", warning->code, "count", (json_int_t)warning->count, "counted",
				warning->counted, "message", command_json_text(message)));
	}
	return list;
}
