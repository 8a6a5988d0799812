/* tools/ossa/cmd_help.c: `ossa help [COMMAND]` and `ossa version`. */
#include "command.h"

static ossa_status run_help(command_run *run)
{
	if (run->files.count == 0) {
		command_print_overview(stdout);
		return OSSA_OK;
	}
	const command_definition *asked = command_find(run->files.values[0]);
	if (!asked) return command_fail(run, OSSA_ERROR_ARGUMENT, "there is no command \"%s\"", run->files.values[0]);
	command_print_help(stdout, asked);
	return OSSA_OK;
}

static ossa_status run_version(command_run *run)
{
	if (run->shared.json) return command_print_json(run, json_pack("{s:s}", "version", ossa_version().text));
	printf("ossa %s\n", ossa_version().text);
	return OSSA_OK;
}

const command_definition command_help = {
	.name = "help",
	.summary = "explain a command",
	.usage = "[COMMAND]",
	.files_maximum = 1,
	.run = run_help,
};

const command_definition command_version = {
	.name = "version",
	.summary = "print the version",
	.usage = "",
	.run = run_version,
};
