/* tools/ossa/cmd_studio.c: `ossa studio`: the server of the page, until Ctrl-C.

   Place in the path: the top, over studio/server.
   Input: files to begin with.
   Output: an address, and a browser that shows it. */
#include "command.h"

#include <string.h>

typedef struct studio_command_options {
	int port;
	int upload;  /* MB */
	int session; /* MB */
	bool browser;
	bool fresh;
} studio_command_options;

static const ossa_option_table *studio_table(void)
{
	static const studio_command_options defaults = {0, 1024, 8192, true, false};
	static const ossa_option options[] = {
		{"port", OSSA_OPTION_INT, offsetof(studio_command_options, port), 0, 65535, "", "",
			"the port of 127.0.0.1 to listen on; 0: any that is free", ""},
		{"upload-limit", OSSA_OPTION_INT, offsetof(studio_command_options, upload), 1, 1 << 20, "MB", "",
			"the largest file that the page may send", ""},
		{"session-limit", OSSA_OPTION_INT, offsetof(studio_command_options, session), 0, 1 << 24, "MB", "",
			"what a session may take of the disk: beyond it no file is accepted, and before that the oldest steps of its "
			"history "
			"are given up; 0: no limit",
			""},
		{"browser", OSSA_OPTION_BOOL, offsetof(studio_command_options, browser), 0, 1, "", "",
			"open the page in the browser, where there is a display", ""},
		{"fresh", OSSA_OPTION_BOOL, offsetof(studio_command_options, fresh), 0, 1, "", "",
			"use a new port and forget open pages; without it the port is that of the last run in the folder, so that open "
			"pages find the studio again",
			""},
	};
	static const ossa_option_table table = {
		"studio", options, sizeof options / sizeof options[0], &defaults, .size = sizeof(studio_command_options)};
	return &table;
}

#ifdef OSSA_STUDIO

#include "studio.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

extern char **environ;

enum { STUDIO_FOLDER }; /* texts */

/* the user's folder for what programs keep */
static ossa_status default_folder(command_run *run, char *path, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int length = -1;
	if (state && state[0] == '/') length = snprintf(path, size, "%s/ossa/studio", state);
	else if (home && home[0] == '/') length = snprintf(path, size, "%s/.local/state/ossa/studio", home);
	if (length > 0 && (size_t)length < size) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT, "there is no home folder to keep sessions in; give a --folder");
}

/* beside the binary where ossa was built, in share where it was installed; false where there is
   no page */
static bool find_page(char *path, size_t size)
{
	static const char *const places[] = {"studio", "../share/ossa/studio"};
	char binary[4096], index[4352];
	const ssize_t length = readlink("/proc/self/exe", binary, sizeof binary - 1);
	if (length <= 0) return false;
	binary[length] = 0;
	*strrchr(binary, '/') = 0;
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		const int used = snprintf(path, size, "%s/%s", binary, places[i]);
		const int whole = snprintf(index, sizeof index, "%s/index.html", path);
		if (used > 0 && (size_t)used < size && whole > 0 && (size_t)whole < sizeof index && access(index, R_OK) == 0)
			return true;
	}
	return false;
}

/* The address holds the token, and other users of the machine can see arguments of processes: so
   the browser is led by a file that only this user can read. */
static bool write_leaflet(const char *folder, const char *address, char *path, size_t size)
{
	const int length = snprintf(path, size, "%s/.open.html", folder);
	if (length <= 0 || (size_t)length >= size) return false;
	remove(path);
	const int number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	FILE *file = number >= 0 ? fdopen(number, "w") : NULL;
	if (!file) return false;
	fprintf(file,
		"<!doctype html><meta charset=\"utf-8\"><title>ossa studio</title><meta http-equiv=\"refresh\" content=\"0; "
		"url=%s\">\n",
		address);
	return fclose(file) == 0;
}

static pid_t open_browser(const char *folder, const char *address)
{
	const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
	char path[4352];
	pid_t process = 0;
	if (!(display && display[0]) && !(wayland && wayland[0])) return 0;
	if (!write_leaflet(folder, address, path, sizeof path)) return 0;
	char program[] = "xdg-open", *words[] = {program, path, NULL};
	return posix_spawnp(&process, program, NULL, NULL, words, environ) == 0 ? process : 0;
}

static ossa_status print_address(command_run *run, const char *address)
{
	/* one line, as it is read while the studio goes on; nothing of an address needs to be
	   escaped */
	if (run->shared.json) {
		printf("{\"address\": \"%s\"}\n", address);
		return OSSA_OK;
	}
	/* the address is the result: --quiet does not suppress it */
	printf("%s\n", address);
	if (!run->shared.quiet) printf("Open this address in a browser; Ctrl-C ends the studio. Sessions stay.\n");
	return OSSA_OK;
}

static ossa_status serve(command_run *run, studio_server *studio, const char *folder)
{
	const studio_command_options *options = run->options[0];
	char message[STUDIO_MESSAGE_SIZE], id[STUDIO_ID_SIZE], address[STUDIO_ADDRESS_SIZE + STUDIO_ID_SIZE];
	if (!studio_listen(studio, message)) return command_fail(run, OSSA_ERROR_ARGUMENT, "%s", message);
	snprintf(address, sizeof address, "%s", studio_address(studio));
	if (run->files.count > 0) {
		if (!studio_open_files(studio, run->files.count, run->files.values, id, message)) {
			return command_fail(run, OSSA_ERROR_INPUT, "%s", message);
		}
		snprintf(address, sizeof address, "%s#%s", studio_address(studio), id);
	}
	COMMAND_TRY(print_address(run, address));
	fflush(stdout);
	pid_t browser = options->browser ? open_browser(folder, address) : 0;
	while (!command_stopped()) {
		const struct timespec pause = {0, 100000000};
		nanosleep(&pause, NULL);
		if (browser > 0 && waitpid(browser, NULL, WNOHANG) == browser) browser = 0;
	}
	return OSSA_OK;
}

/* A job has a thread of its own, and glibc a heap for each of many threads that keeps up to 64 MB
   of what was freed: days of work would take a gigabyte. All threads share the first heap, whose
   end is the only one that malloc_trim returns; jobs take few large blocks, so they hardly wait. */
static void keep_memory_small(void)
{
#ifdef __GLIBC__
	enum { KEPT = 8 << 20 };
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, KEPT);
	mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
}

/* of each piece of work: what was asked for, else half of the machine's memory, so that no job
   takes the machine down; 0, none, where that is not known */
static size_t memory_limit(const command_run *run)
{
	const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	if (run->shared.memory_limit > 0) return (size_t)run->shared.memory_limit << 20;
	return pages > 0 && size > 0 ? (size_t)pages / 2 * (size_t)size : 0;
}

static ossa_status run_studio(command_run *run)
{
	const studio_command_options *own = run->options[0];
	char folder[4096], page[4096], message[STUDIO_MESSAGE_SIZE];
	const char *wanted = command_text_value(run, STUDIO_FOLDER);
	if (wanted) snprintf(folder, sizeof folder, "%s", wanted);
	else COMMAND_TRY(default_folder(run, folder, sizeof folder));
	const studio_options options = {.port = own->port,
		.folder = folder,
		.page = find_page(page, sizeof page) ? page : NULL,
		.threads = run->shared.threads,
		.memory_limit = memory_limit(run),
		.upload_limit = (uint64_t)own->upload << 20,
		.session_limit = (uint64_t)own->session << 20,
		.is_fresh = own->fresh};
	studio_server *studio = NULL;
	keep_memory_small();
	if (!studio_create(&options, &studio, message)) return command_fail(run, OSSA_ERROR_WRITE, "%s", message);
	const ossa_status status = serve(run, studio, folder);
	studio_end(studio);
	return status;
}

#else

static ossa_status run_studio(command_run *run)
{
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"ossa was built without the studio, for want of libmicrohttpd: install it (scripts/setup studio, or Debian's "
		"libmicrohttpd-dev) and "
		"build ossa again");
}

#endif

const command_definition command_studio = {
	.name = "studio",
	.summary = "see a rig in the browser, pose it, correct it, export it",
	.usage = "[FILE...] [--port PORT] [--folder FOLDER] [--no-browser]",
	.details =
		"Serves a page to browsers on this machine only, under an address that contains a secret, and prints the address. "
		"The secret is new at every start; pages that are still open find the studio again by themselves. FILE... is opened at "
		"once: a rig, a mesh, an animated "
		"file, or a mesh and its poses.\n\n"
		"Every session is kept in a folder, so that nothing is lost when the page or the server ends: in --folder, or "
		"else in ossa/studio in $XDG_STATE_HOME or ~/.local/state. Ctrl-C ends the studio.\n\n"
		"--memory-limit and --threads apply to each piece of work that the page asks for; without a limit it is half of the "
		"machine's memory.",
	.examples = "ossa studio\n"
				"ossa studio horse.glb\n"
				"ossa studio rest.obj pose-*.obj --no-browser --port 8080",
	.files_minimum = 0,
	.files_maximum = 4096,
	.texts = {{0, "folder", "FOLDER", false, "where sessions are kept", false}},
	.tables = {studio_table},
	.run = run_studio,
};
