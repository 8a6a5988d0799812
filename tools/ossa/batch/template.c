/* tools/ossa/batch/template.c: fills {name} and its like in.

   Place in the path: the command's batch, below the making of manifests.
   Input: a template, a file.
   Output: a path. */
#include "batch/template.h"
#include "batch/glob.h"

#include <string.h>

void batch_template_parts(const char *path, const char *pattern, size_t number, template_parts *parts)
{
	const size_t fixed = batch_glob_fixed(pattern);
	const char *name = batch_path_name(path), *dot = strrchr(name, '.');
	const char *below = strncmp(path, pattern, fixed) == 0 && path + fixed <= name ? path + fixed : name;
	const size_t folder = (size_t)(name - below);
	if (!dot || dot == name) dot = name + strlen(name);
	snprintf(parts->name, sizeof parts->name, "%.*s", (int)(dot - name), name);
	snprintf(parts->ending, sizeof parts->ending, "%s", *dot ? dot + 1 : "");
	snprintf(parts->folder, sizeof parts->folder, "%.*s", folder > 0 ? (int)folder - 1 : 0, below);
	parts->number = number;
}

/* how many parts of the path are ".." */
static size_t climb_count(const char *path)
{
	size_t count = 0;
	while (*path) {
		const size_t length = strcspn(path, "/");
		count += length == 2 && path[0] == '.' && path[1] == '.';
		path += length + (path[length] == '/');
	}
	return count;
}

/* "a//b" as "a/b" */
static void join_slashes(char *path)
{
	char *to = path;
	for (const char *from = path; *from; from++) {
		if (*from != '/' || to == path || to[-1] != '/') *to++ = *from;
	}
	*to = 0;
}

/* the value of the placeholder that `text` begins with, or NULL; `size`: of the placeholder */
static const char *find_value(const char *text, const template_parts *parts, char number[24], size_t *size)
{
	static const char *const names[] = {"{name}", "{ending}", "{folder}", "{number}"};
	const char *const values[] = {parts->name, parts->ending, parts->folder, number};
	snprintf(number, 24, "%zu", parts->number);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		*size = strlen(names[i]);
		if (strncmp(text, names[i], *size) == 0) return values[i];
	}
	return NULL;
}

static ossa_status refuse_length(command_run *run, const template_parts *parts)
{
	return command_fail(run, OSSA_ERROR_INPUT, "%.80s...: the path that the template makes of it is too long", parts->name);
}

ossa_status batch_template_fill(
	command_run *run, const char *text, const template_parts *parts, bool is_pattern, char *path, size_t size)
{
	const size_t climbs = climb_count(text);
	size_t used = 0;
	const char *begin = text;
	while (*text) {
		char number[24], quoted[COMMAND_PATH_SIZE];
		size_t skip;
		const char *value = *text == '{' ? find_value(text, parts, number, &skip) : NULL;
		if (!value && *text == '{' && text[1] != '{') {
			return command_fail(run, OSSA_ERROR_ARGUMENT,
				"%s: %.*s} is no part of a file; there are {name}, {ending}, {folder} and {number}, and {{ for a brace", begin,
				(int)(strcspn(text, "}") < 20 ? strcspn(text, "}") : 20), text);
		}
		if (!value) {
			if (used + 2 > size) return refuse_length(run, parts);
			path[used++] = *text;
			text += *text == '{' ? 2 : 1;
			continue;
		}
		if (is_pattern && !batch_glob_quote(value, quoted, sizeof quoted)) return refuse_length(run, parts);
		const int length = snprintf(path + used, size - used, "%s", is_pattern ? quoted : value);
		if ((size_t)length >= size - used) return refuse_length(run, parts);
		used += (size_t)length;
		text += skip;
	}
	path[used] = 0;
	/* a template that begins with an empty part is not meant to be absolute */
	if (path[0] == '/' && begin[0] != '/') memmove(path, path + 1, strlen(path));
	join_slashes(path);
	if (climb_count(path) == climbs) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_INPUT,
		"%s: the template makes %s of it, which leads out of its folder; rename the file", parts->name, path);
}
