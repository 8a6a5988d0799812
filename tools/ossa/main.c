/* tools/ossa/main.c: the command: finds the verb, reads its arguments, makes the context, runs it,
   answers the shell.

   Place in the path: the top; uses the public API only. Open commands.c for the verbs and
   command.h for their shape. */
#include "command_tables.h"
#include "touched.h"
#include "progress.h"

#include <errno.h>
#ifdef __GLIBC__
#include <limits.h>
#include <malloc.h>
#endif
#include <string.h>

static command_exit exit_of(ossa_status status)
{
	switch (status) {
	case OSSA_OK: return COMMAND_EXIT_DONE;
	case OSSA_ERROR_ARGUMENT: return COMMAND_EXIT_USAGE;
	case OSSA_ERROR_INPUT:
	case OSSA_ERROR_READ: return COMMAND_EXIT_INPUT;
	case OSSA_ERROR_MEMORY:
	case OSSA_ERROR_LIMIT: return COMMAND_EXIT_LIMIT;
	case OSSA_ERROR_WRITE: return COMMAND_EXIT_WRITE;
	case OSSA_ERROR_CANCELLED: return COMMAND_EXIT_STOPPED;
	}
	return COMMAND_EXIT_INPUT;
}

static void print_warnings(const command_run *run)
{
	for (size_t i = 0; i < ossa_context_warning_count(run->context); i++) {
		const ossa_warning *warning = ossa_context_warning(run->context, i);
		char message[sizeof warning->message];
		memcpy(message, warning->message, sizeof message);
		command_spell_options(message);
		command_show_plainly(message);
		fprintf(stderr, "ossa %s: warning: %s", run->command->name, message);
		if (warning->counted[0]) fprintf(stderr, " (%lld %s)", (long long)warning->count, warning->counted);
		else if (warning->count > 1) fprintf(stderr, " (%lld times)", (long long)warning->count);
		fputc('\n', stderr);
	}
}

/* one line; the command's own message takes precedence over the library's */
static void print_error(const command_run *run, ossa_status status)
{
	char message[sizeof run->message];
	snprintf(message, sizeof message, "%s", run->message);
	if (!message[0] && run->context) snprintf(message, sizeof message, "%s", ossa_context_error(run->context)->message);
	if (!message[0]) snprintf(message, sizeof message, "%s", ossa_status_name(status));
	command_spell_options(message);
	command_show_plainly(message);
	fprintf(stderr, "ossa %s: %s\n", run->command->name, message);
}

/* What a command frees it needs again soon, and the system gives every page back zeroed: keeping
   them saves 5 to 9 % of the time of a rig. The studio lives long, and returns them. */
static void keep_freed_memory(const command_definition *command)
{
#ifdef __GLIBC__
	if (command == &command_studio) return;
	mallopt(M_MMAP_THRESHOLD, INT_MAX);
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
#else
	(void)command;
#endif
}

static ossa_status run_in_context(command_run *run)
{
	command_progress progress = command_progress_begin(run->command->name, run->shared.quiet);
	run->progress = &progress;
	ossa_context_options options = ossa_context_default();
	options.threads = run->shared.threads;
	options.memory_limit = (size_t)run->shared.memory_limit << 20;
	options.progress = command_progress_report;
	options.progress_user = &progress;
	options.opened = run->shared.json ? command_keep_opened : NULL;
	options.opened_user = run;
	options.written = run->shared.json ? command_keep_written : NULL;
	options.written_user = run;
	ossa_status status = ossa_context_create(&options, &run->context);
	if (status == OSSA_OK) status = command_hold_pipes(run);
	if (status == OSSA_OK) status = run->command->run(run);
	/* a signal also interrupts system calls: what failed then was cancelled by the user */
	if (status != OSSA_OK && command_stopped()) status = command_fail(run, OSSA_ERROR_CANCELLED, "stopped on request");
	command_progress_clear(&progress);
	if (run->context && !run->shared.quiet) print_warnings(run);
	/* printed text may still be buffered for a full disk */
	if ((fflush(stdout) != 0 || ferror(stdout)) && status == OSSA_OK) {
		status = command_fail(run, OSSA_ERROR_WRITE, "standard output cannot be written: %s", strerror(errno));
	}
	return status;
}

static command_exit run_command(const command_definition *command, const char *program, int count, char **words)
{
	command_run run;
	keep_freed_memory(command);
	ossa_status status = command_parse(&run, command, count, words);
	run.program = program;
	if (status == OSSA_OK && run.help) status = command_help_on(&run, command, run.topic);
	else if (status == OSSA_OK) status = run_in_context(&run);
	if (status != OSSA_OK) print_error(&run, status);
	const bool some_failed = status == OSSA_OK && run.some_failed;
	command_run_free(&run);
	return some_failed ? COMMAND_EXIT_SOME : exit_of(status);
}

static command_exit refuse_command(const char *name)
{
	const char *names[64];
	size_t count = 0;
	while (command_list[count] && count < sizeof names / sizeof names[0]) {
		names[count] = command_list[count]->name;
		count++;
	}
	const char *nearest = ossa_nearest_name(name, names, count);
	char shown[100];
	snprintf(shown, sizeof shown, "%s", name);
	command_show_plainly(shown);
	fprintf(stderr, "ossa: there is no command \"%s\"", shown);
	if (nearest) fprintf(stderr, "; did you mean \"%s\"?", nearest);
	fputs(" (see: ossa --help)\n", stderr);
	return COMMAND_EXIT_USAGE;
}

/* verbs for the build and for packagers, not in the table */
static command_exit tell_tables(int count, char **words)
{
	if (strcmp(words[0], "--man") == 0) command_print_manual(stdout);
	else if (count < 2 || !command_print_completion(stdout, words[1])) {
		fputs("ossa: --completion takes bash or zsh\n", stderr);
		return COMMAND_EXIT_USAGE;
	}
	return fflush(stdout) == 0 ? COMMAND_EXIT_DONE : COMMAND_EXIT_WRITE;
}

int main(int argc, char **argv)
{
	command_catch_signals();
	if (argc < 2) {
		command_print_overview(stderr);
		return COMMAND_EXIT_USAGE;
	}
	const char *verb = argv[1];
	if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0) verb = "help";
	if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0) verb = "version";
	if (strcmp(verb, "--man") == 0 || strcmp(verb, "--completion") == 0) return (int)tell_tables(argc - 1, argv + 1);
	const command_definition *command = command_find(verb);
	return command ? run_command(command, argv[0], argc - 2, argv + 2) : refuse_command(argv[1]);
}
