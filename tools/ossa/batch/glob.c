/* tools/ossa/batch/glob.c: files that match a pattern.

   Place in the path: the command's batch, below the making of manifests.
   Input: a pattern.
   Output: paths in one order. POSIX' glob knows no **, and sorts by the language of the system. */
#include "batch/glob.h"
#include "batch/utf8.h"
#include "command_tables.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- names ---- */

/* whether a letter is in the set that begins behind '['; `end`: behind its ']' or NULL where the
   set has no end, and '[' is a letter */
static bool is_in_set(const char *set, char letter, const char **end)
{
	const bool negated = *set == '!' || *set == '^';
	bool found = false;
	const char *at = set + negated, *begin = at;
	for (; *at && (*at != ']' || at == begin) && *at != '/'; at++) {
		const unsigned char low = (unsigned char)*at, wanted = (unsigned char)letter;
		unsigned char high = low;
		if (at[1] == '-' && at[2] && at[2] != ']' && at[2] != '/') {
			high = (unsigned char)at[2];
			at += 2;
		}
		found = found || (low <= wanted && wanted <= high);
	}
	*end = *at == ']' ? at + 1 : NULL;
	return found != negated;
}

/* whether the pattern's part at `pattern` takes the letter; `next`: behind that part */
static bool takes(const char *pattern, char letter, const char **next)
{
	const char *end;
	*next = pattern + 1;
	if (*pattern == '?') return true;
	if (*pattern == '[') {
		const bool found = is_in_set(pattern + 1, letter, &end);
		if (end) *next = end;
		return end ? found : letter == '[';
	}
	if (*pattern == '\\' && pattern[1] && pattern[1] != '/') {
		*next = pattern + 2;
		return pattern[1] == letter;
	}
	return *pattern == letter;
}

/* one name against one part of a pattern; `last` ends both. On a mismatch the last * takes one
   letter more */
static bool name_matches(const char *pattern, size_t pattern_size, const char *name, size_t size)
{
	const char *end = pattern + pattern_size, *star = NULL, *next;
	size_t at = 0, star_at = 0;
	if (size > 0 && name[0] == '.' && (pattern_size == 0 || pattern[0] != '.')) return false;
	while (at < size || pattern < end) {
		if (pattern < end && *pattern == '*') {
			star = ++pattern;
			star_at = at;
		} else if (pattern < end && at < size && takes(pattern, name[at], &next)) {
			/* the bytes of a character follow its first one */
			const bool is_any = *pattern == '?';
			pattern = next;
			for (at++; is_any && at < size && ((unsigned char)name[at] & 0xc0) == 0x80;) at++;
		} else if (star && star_at < size) {
			pattern = star;
			at = ++star_at;
		} else return false;
	}
	return true;
}

static bool is_deep(const char *part, size_t size) { return size == 2 && part[0] == '*' && part[1] == '*'; }

bool batch_glob_matches(const char *pattern, const char *path)
{
	/* as within a name: on a mismatch the last ** takes one folder more */
	const char *deep = NULL, *deep_at = NULL;
	for (;;) {
		const size_t part = strcspn(pattern, "/"), name = strcspn(path, "/");
		const bool last_part = pattern[part] == 0, last_name = path[name] == 0;
		if (is_deep(pattern, part) && !last_part) {
			deep = pattern += part + 1;
			deep_at = path;
			continue;
		}
		const bool fits = is_deep(pattern, part) || name_matches(pattern, part, path, name);
		if (fits && last_part && (last_name || is_deep(pattern, part))) return true;
		if (fits && !last_part && !last_name) {
			pattern += part + 1;
			path += name + 1;
			continue;
		}
		if (!deep || !strchr(deep_at, '/')) return false;
		path = deep_at = strchr(deep_at, '/') + 1;
		pattern = deep;
	}
}

static bool is_wild(const char *part, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (strchr("*?[\\", part[i])) return true;
	}
	return false;
}

size_t batch_glob_fixed(const char *pattern)
{
	size_t fixed = 0;
	for (const char *at = pattern; strchr(at, '/'); at = strchr(at, '/') + 1) {
		if (is_wild(at, strcspn(at, "/"))) break;
		fixed = (size_t)(strchr(at, '/') - pattern) + 1;
	}
	return fixed;
}

bool batch_glob_quote(const char *text, char *pattern, size_t size)
{
	size_t used = 0;
	for (; *text; text++) {
		if (used + 3 > size) return false;
		if (strchr("*?[\\", *text)) pattern[used++] = '\\';
		pattern[used++] = *text;
	}
	if (used >= size) return false;
	pattern[used] = 0;
	return true;
}

/* ---- folders ---- */

/* a folder with "/" at its end, or "", and the rest of the pattern for what is in it */
typedef struct open_folder {
	char *path;
	const char *pattern;
} open_folder;

typedef struct walk {
	command_run *run;
	path_list *found;
	size_t count, capacity;
	open_folder *open;
} walk;

static ossa_status add_folder(walk *work, const char *folder, const char *name, const char *pattern)
{
	char path[COMMAND_PATH_SIZE];
	/* what is too long for the system cannot be read */
	if ((size_t)snprintf(path, sizeof path, "%s%s%s", folder, name, name[0] ? "/" : "") >= sizeof path) return OSSA_OK;
	open_folder *more = batch_grow(work->open, work->count, &work->capacity, sizeof *more);
	if (!more) return batch_no_memory(work->run);
	work->open = more;
	work->open[work->count] = (open_folder){strdup(path), pattern};
	return work->open[work->count].path ? (work->count++, OSSA_OK) : batch_no_memory(work->run);
}

static ossa_status add_file(walk *work, const char *folder, const char *name)
{
	char path[COMMAND_PATH_SIZE];
	if ((size_t)snprintf(path, sizeof path, "%s%s", folder, name) >= sizeof path) return OSSA_OK;
	return path_list_add(work->found, path) ? OSSA_OK : batch_no_memory(work->run);
}

/* a folder that cannot be read: whether something in it would match nobody knows */
static void leave_out(const walk *work, const char *path, int error)
{
	char shown[COMMAND_PATH_SIZE];
	snprintf(shown, sizeof shown, "%s", path[0] ? path : ".");
	batch_repair_text(shown);
	command_show_plainly(shown);
	work->run->some_failed = true;
	fprintf(stderr, "ossa batch: warning: %s: cannot be read: %s; what is in it is left out\n", shown, strerror(error));
}

/* one name of a folder against the pattern for it */
static ossa_status take_entry(walk *work, const open_folder *folder, const char *name)
{
	char path[COMMAND_PATH_SIZE];
	struct stat facts;
	const size_t part = strcspn(folder->pattern, "/");
	const bool deep = is_deep(folder->pattern, part), last = folder->pattern[part] == 0;
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return OSSA_OK;
	if (deep ? name[0] == '.' : !name_matches(folder->pattern, part, name, strlen(name))) return OSSA_OK;
	if ((size_t)snprintf(path, sizeof path, "%s%s", folder->path, name) >= sizeof path) return OSSA_OK;
	if (lstat(path, &facts) != 0) return OSSA_OK;
	const bool is_link = S_ISLNK(facts.st_mode), is_lost = is_link && stat(path, &facts) != 0;
	const bool is_folder = !is_lost && S_ISDIR(facts.st_mode);
	/* a link to nothing is a file that fails, not one that nobody misses */
	if (last && !is_folder) return add_file(work, folder->path, name);
	if (deep) return is_folder && !is_link ? add_folder(work, folder->path, name, folder->pattern) : OSSA_OK;
	if (is_lost) leave_out(work, path, ENOENT);
	return !last && is_folder ? add_folder(work, folder->path, name, folder->pattern + part + 1) : OSSA_OK;
}

static ossa_status read_folder(walk *work, const open_folder *folder)
{
	const size_t part = strcspn(folder->pattern, "/");
	const char *rest = folder->pattern + part;
	/* ** may stand for no folder at all */
	const bool is_twice = is_deep(folder->pattern, part) && *rest;
	if (is_twice) COMMAND_TRY(add_folder(work, folder->path, "", rest + 1));
	DIR *stream = opendir(folder->path[0] ? folder->path : ".");
	/* of a pattern nothing needs to be there; what is opened twice is warned of once */
	if (!stream && errno != ENOENT && errno != ENOTDIR && !is_twice) leave_out(work, folder->path, errno);
	ossa_status status = command_check(work->run);
	while (stream && status == OSSA_OK) {
		errno = 0;
		const struct dirent *entry = readdir(stream);
		if (!entry && errno != 0 && !is_twice) leave_out(work, folder->path, errno);
		if (!entry) break;
		status = take_entry(work, folder, entry->d_name);
	}
	if (stream) closedir(stream);
	return status;
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* sorts what was added, and keeps each once */
static void put_in_order(path_list *found, size_t from)
{
	if (found->count == from) return;
	qsort(found->items + from, found->count - from, sizeof *found->items, by_bytes);
	size_t kept = from + 1;
	for (size_t i = from + 1; i < found->count; i++) {
		if (strcmp(found->items[i], found->items[kept - 1]) == 0) free(found->items[i]);
		else found->items[kept++] = found->items[i];
	}
	found->count = kept;
}

ossa_status batch_glob(command_run *run, const char *pattern, path_list *found)
{
	struct stat facts;
	char fixed[COMMAND_PATH_SIZE];
	const size_t from = found->count, size = batch_glob_fixed(pattern);
	if (stat(pattern, &facts) == 0 && !S_ISDIR(facts.st_mode))
		return path_list_add(found, pattern) ? OSSA_OK : batch_no_memory(run);
	if (size >= sizeof fixed) return OSSA_OK;
	snprintf(fixed, sizeof fixed, "%.*s", (int)size, pattern);
	walk work = {.run = run, .found = found};
	ossa_status status = add_folder(&work, fixed, "", pattern + size);
	while (work.count > 0) {
		const open_folder folder = work.open[--work.count];
		if (status == OSSA_OK) status = read_folder(&work, &folder);
		free(folder.path);
	}
	free(work.open);
	put_in_order(found, from);
	return status;
}
