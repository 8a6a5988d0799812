/* tools/ossa/pipes.c: inputs that are pipes: `ossa inspect /dev/stdin`, `ossa rig <(curl ...)`.

   Place in the path: the top, before a command runs.
   Input: the paths of inputs.
   Output: the same paths, replaced by files.

   Commands open their inputs several times (format, contents, mesh), and a pipe can be read only
   once. A pipe that the shell has opened is copied to a temporary file without a name, which
   replaces it. */
#include "command_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* the number of the open file that a path stands for, or -1 */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	if (strcmp(path, "/dev/stdin") == 0) return 0;
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		const size_t size = strlen(folders[i]);
		const char *digits = path + size;
		if (strncmp(path, folders[i], size) != 0 || !digits[0] || strlen(digits) > 9) continue;
		if (digits[strspn(digits, "0123456789")] == 0) return atoi(digits);
	}
	return -1;
}

static ossa_status copy_pipe(command_run *run, const char *path, int from, int to)
{
	char bytes[65536];
	for (;;) {
		COMMAND_TRY(command_check(run));
		const ssize_t got = read(from, bytes, sizeof bytes);
		if (got == 0) return OSSA_OK;
		if (got < 0 && errno == EINTR) continue;
		if (got < 0) return command_fail(run, OSSA_ERROR_READ, "%s: cannot be read: %s", path, strerror(errno));
		for (ssize_t done = 0; done < got;) {
			const ssize_t put = write(to, bytes + done, (size_t)(got - done));
			if (put < 0 && errno != EINTR)
				return command_fail(run, OSSA_ERROR_WRITE, "%s: cannot be kept in a temporary file: %s", path, strerror(errno));
			done += put > 0 ? put : 0;
		}
	}
}

static ossa_status hold_pipe(command_run *run, const char *path)
{
	struct stat facts;
	if (stat(path, &facts) != 0 || S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode)) return OSSA_OK;
	const int descriptor = descriptor_of(path);
	if (descriptor < 0) {
		return command_fail(run, OSSA_ERROR_READ,
			"%s: is no file but a pipe or device: save what it gives in a file, or pass it on as /dev/stdin", path);
	}
	FILE *file = tmpfile();
	if (!file) return command_fail(run, OSSA_ERROR_WRITE, "%s: there is no temporary file for it: %s", path, strerror(errno));
	ossa_status status = copy_pipe(run, path, descriptor, fileno(file));
	if (status == OSSA_OK && dup2(fileno(file), descriptor) < 0)
		status = command_fail(run, OSSA_ERROR_READ, "%s: cannot be read: %s", path, strerror(errno));
	fclose(file);
	return status;
}

ossa_status command_hold_pipes(command_run *run)
{
	const size_t count = run->files.count - (run->command->writes_last && run->files.count > 0);
	for (size_t i = 0; i < count; i++) COMMAND_TRY(hold_pipe(run, run->files.values[i]));
	for (size_t t = 0; t < command_text_count(run->command); t++) {
		for (size_t i = 0; run->command->texts[t].input && i < run->texts[t].count; i++) {
			COMMAND_TRY(hold_pipe(run, run->texts[t].values[i]));
		}
	}
	return OSSA_OK;
}
