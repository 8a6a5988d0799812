/* tools/ossa/completion.c: completion for bash and zsh, made from the tables (`ossa --completion
   SHELL` at build time).

   Place in the path: the top.
   Input: commands and option tables.
   Output: a shell script. */
#include "command_tables.h"

#include <string.h>

/* calls `print` for every option of a command, the shared ones last */
static void each_option(
	FILE *stream, const command_definition *command, void (*print)(FILE *, const ossa_option_table *, const ossa_option *))
{
	command_option own;
	for (size_t i = 0; command_option_at(command, i, &own); i++) {
		if (!own.is_again) print(stream, own.table, own.option);
	}
	const ossa_option_table *shared = command_shared_table();
	for (size_t i = 0; i < shared->count; i++) print(stream, shared, &shared->options[i]);
}

static void print_command_names(FILE *stream)
{
	for (size_t i = 0; command_list[i]; i++) fprintf(stream, "%s%s", i > 0 ? " " : "", command_list[i]->name);
}

static bool names_path(const command_text *text) { return strstr(text->value, "FILE") || strstr(text->value, "FOLDER"); }

static bool has_choices(const ossa_option *option)
{
	return option->type == OSSA_OPTION_CHOICE || option->type == OSSA_OPTION_NAME;
}

/* ---- bash ---- */

static void print_bash_flag(FILE *stream, const ossa_option_table *table, const ossa_option *option)
{
	fprintf(stream, " --%s%s", command_option_on(table, option) ? "no-" : "", option->name);
}

static void print_bash_choice(FILE *stream, const ossa_option_table *table, const ossa_option *option)
{
	(void)table;
	if (option->type == OSSA_OPTION_BOOL) return;
	fprintf(stream, "\t\t--%s) words=\"", option->name);
	const char *choices = has_choices(option) ? option->choices : "";
	for (; *choices; choices++) fputc(*choices == '|' ? ' ' : *choices, stream);
	fputs("\" ;;\n", stream);
}

static void print_topics(FILE *stream, const command_definition *command)
{
	char text[COMMAND_TOPIC_SIZE];
	const char *topic;
	for (size_t i = 0; (topic = command_topic_at(command, i, text)) != NULL; i++) fprintf(stream, "%s%s", i ? " " : "", topic);
}

/* "--" alone completes to the options that most people need; with a letter behind it all are
   found */
static void print_bash_common(FILE *stream, const command_definition *command)
{
	bool is_common = true;
	command_option own;
	fputs("\t\t[ \"$word\" = -- ] && words=\"--help", stream);
	for (size_t i = 0; i < command_text_count(command); i++) {
		command_group_of(command, command->texts[i].name, &is_common);
		if (is_common) fprintf(stream, " --%s", command->texts[i].name);
	}
	for (size_t i = 0; command_option_at(command, i, &own); i++) {
		command_group_of(command, own.option->name, &is_common);
		if (is_common && !own.is_again) print_bash_flag(stream, own.table, own.option);
	}
	fputs("\"\n", stream);
}

static void print_bash_command(FILE *stream, const command_definition *command)
{
	fprintf(stream, "\t%s)\n\t\twords=\"", command->name);
	for (size_t i = 0; i < command_text_count(command); i++) {
		if (command->texts[i].letter) fprintf(stream, "-%c ", command->texts[i].letter);
		fprintf(stream, "--%s ", command->texts[i].name);
	}
	fputs("--help", stream);
	each_option(stream, command, print_bash_flag);
	fputs("\"\n", stream);
	print_bash_common(stream, command);
	fputs("\t\tcase $previous in\n\t\t--help|-h) words=\"", stream);
	print_topics(stream, command);
	fputs("\" ;;\n", stream);
	for (size_t i = 0; i < command_text_count(command); i++) {
		const command_text *text = &command->texts[i];
		if (text->letter) fprintf(stream, "\t\t-%c) files=yes words= ;;\n", text->letter);
		if (text->value[0]) fprintf(stream, "\t\t--%s) files=%s words= ;;\n", text->name, names_path(text) ? "yes" : "no");
	}
	each_option(stream, command, print_bash_choice);
	fprintf(stream, "\t\t*) [[ $word == -* ]] || files=%s ;;\n\t\tesac\n\t\t;;\n", command->files_maximum > 0 ? "yes" : "no");
}

static void print_bash(FILE *stream)
{
	fputs("# bash completion for ossa; made by `ossa --completion bash`\n"
		  "_ossa() {\n"
		  "\tlocal word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words= files=no\n"
		  "\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\tCOMPREPLY=($(compgen -W \"",
		stream);
	print_command_names(stream);
	fputs(" --help --version\" -- \"$word\"))\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n", stream);
	for (size_t i = 0; command_list[i]; i++) {
		if (command_list[i] != &command_help) print_bash_command(stream, command_list[i]);
	}
	fputs("\thelp) words=\"", stream);
	print_command_names(stream);
	fputs("\" ;;\n\tesac\n"
		  "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
		  "\tif [ $files = yes ]; then\n"
		  "\t\tcompopt -o filenames 2>/dev/null\n"
		  "\t\tCOMPREPLY+=($(compgen -f -- \"$word\"))\n"
		  "\tfi\n"
		  "}\n"
		  "complete -F _ossa ossa\n",
		stream);
}

/* ---- zsh ---- */

/* text inside a quoted word of _arguments: brackets, colons and quotes have a meaning there */
static void print_zsh_text(FILE *stream, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs("'\\''", stream);
			continue;
		}
		if (*text == '[' || *text == ']' || *text == ':' || *text == '\\') fputc('\\', stream);
		fputc(*text, stream);
	}
}

static void print_zsh_flag(FILE *stream, const ossa_option_table *table, const ossa_option *option)
{
	const bool flag = option->type == OSSA_OPTION_BOOL;
	const char *no = command_option_on(table, option) ? "no-" : "";
	char help[1024];
	snprintf(help, sizeof help, "%s", option->help);
	command_spell_options(help);
	fprintf(stream, " \\\n\t\t\t'--%s%s%s[", no, option->name, flag ? "" : "=");
	print_zsh_text(stream, help);
	fputs("]", stream);
	if (has_choices(option)) {
		fputs(":choice:(", stream);
		for (const char *at = option->choices; *at; at++) fputc(*at == '|' ? ' ' : *at, stream);
		fputs(")", stream);
	} else if (!flag) fprintf(stream, ":%s:", command_option_value_name(option));
	fputs("'", stream);
}

static void print_zsh_text_option(FILE *stream, const command_text *text, const char *spelling)
{
	fprintf(stream, " \\\n\t\t\t'%s%s[", text->repeatable ? "*" : "", spelling);
	print_zsh_text(stream, text->help);
	if (text->value[0]) fprintf(stream, "]:%s:%s'", text->value, names_path(text) ? "_files" : "");
	else fputs("]'", stream);
}

static void print_zsh_command(FILE *stream, const command_definition *command)
{
	fprintf(stream, "\t%s)\n\t\t_arguments '(-h --help)'{-h,--help}'[print help, or help on a topic, and stop]::topic:(",
		command->name);
	print_topics(stream, command);
	fputs(")'", stream);
	for (size_t i = 0; i < command_text_count(command); i++) {
		const command_text *text = &command->texts[i];
		char spelling[80];
		if (text->letter) {
			snprintf(spelling, sizeof spelling, "-%c", text->letter);
			print_zsh_text_option(stream, text, spelling);
		}
		snprintf(spelling, sizeof spelling, "--%s%s", text->name, text->value[0] ? "=" : "");
		print_zsh_text_option(stream, text, spelling);
	}
	each_option(stream, command, print_zsh_flag);
	if (command == &command_help) fputs(" \\\n\t\t\t'1:command:->command' && return\n\t\t_describe command commands", stream);
	else if (command->files_maximum > 0) fputs(" \\\n\t\t\t'*:file:_files'", stream);
	fputs("\n\t\t;;\n", stream);
}

static void print_zsh(FILE *stream)
{
	fputs("#compdef ossa\n# zsh completion for ossa; made by `ossa --completion zsh`\n_ossa() {\n"
		  "\tlocal -a commands\n\tlocal state command=$words[2]\n\tcommands=(\n",
		stream);
	for (size_t i = 0; command_list[i]; i++) {
		fprintf(stream, "\t\t'%s:", command_list[i]->name);
		print_zsh_text(stream, command_list[i]->summary);
		fputs("'\n", stream);
	}
	fputs("\t)\n\tif (( CURRENT == 2 )); then\n\t\t_describe command commands\n\t\treturn\n\tfi\n"
		  "\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n",
		stream);
	for (size_t i = 0; command_list[i]; i++) print_zsh_command(stream, command_list[i]);
	fputs("\tesac\n}\n_ossa \"$@\"\n", stream);
}

bool command_print_completion(FILE *stream, const char *shell)
{
	if (strcmp(shell, "bash") == 0) print_bash(stream);
	else if (strcmp(shell, "zsh") == 0) print_zsh(stream);
	else return false;
	return true;
}
