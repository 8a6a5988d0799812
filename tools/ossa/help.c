/* tools/ossa/help.c: help on a terminal, made from the tables.

   Place in the path: the top.  In: commands and option tables.  Out: text of 80 columns. */
#include "command.h"

#include <ctype.h>
#include <string.h>

enum { COLUMNS = 80, OPTION_COLUMN = 28 };

/* prints `text` wrapped at words; the cursor stands at `column` and further lines begin at `indent` */
static void print_wrapped(FILE *stream, const char *text, int column, int indent)
{
	while (*text) {
		const int length = (int)strcspn(text, " \n");
		if (column > indent && column + 1 + length > COLUMNS) {
			fprintf(stream, "\n%*s", indent, "");
			column = indent;
		}
		const bool space = column > indent;
		fprintf(stream, "%s%.*s", space ? " " : "", length, text);
		column += length + space;
		text += length;
		for (; *text == ' ' || *text == '\n'; text++) {
			if (*text != '\n') continue;
			fprintf(stream, "\n%*s", indent, "");
			column = indent;
		}
	}
	fputc('\n', stream);
}

const char *command_option_value_name(const ossa_option *option)
{
	switch (option->type) {
	case OSSA_OPTION_BOOL: return "";
	case OSSA_OPTION_INT: return "N";
	case OSSA_OPTION_DOUBLE: return "X";
	case OSSA_OPTION_CHOICE:
	case OSSA_OPTION_TEXT:
	case OSSA_OPTION_RANGE:
	case OSSA_OPTION_POINT: break;
	}
	return option->choices;
}

bool command_option_on(const ossa_option_table *table, const ossa_option *option)
{
	return option->type == OSSA_OPTION_BOOL && *(const bool *)((const char *)table->defaults + option->offset);
}

/* " (1 to 8 bones; default 4)"; nothing for a flag that is off */
void command_option_range(const ossa_option_table *table, const ossa_option *option, char *text, size_t size)
{
	char value[64];
	ossa_option_print(option, table->defaults, value, sizeof value);
	const char *space = option->unit[0] ? " " : "";
	const bool number = option->type == OSSA_OPTION_INT || option->type == OSSA_OPTION_DOUBLE;
	if ((option->type == OSSA_OPTION_BOOL && strcmp(value, "no") == 0) || !value[0]) text[0] = 0;
	else if (!number) snprintf(text, size, " (default %s)", value);
	else if (option->maximum >= 1e9)
		snprintf(text, size, " (%g or more%s%s; default %s)", option->minimum, space, option->unit, value);
	else snprintf(text, size, " (%.9g to %.9g%s%s; default %s)", option->minimum, option->maximum, space, option->unit, value);
}

/* moves to the column where an option's help begins */
static void print_option_head(FILE *stream, const char *head)
{
	const int length = (int)strlen(head);
	fprintf(stream, "  %s", head);
	if (length + 4 > OPTION_COLUMN) fprintf(stream, "\n%*s", OPTION_COLUMN, "");
	else fprintf(stream, "%*s", OPTION_COLUMN - length - 2, "");
}

static void print_text_option(FILE *stream, const command_text *text)
{
	char head[96], help[512];
	if (text->letter) snprintf(head, sizeof head, "-%c, --%s %s", text->letter, text->name, text->value);
	else snprintf(head, sizeof head, "--%s%s%s", text->name, text->value[0] ? " " : "", text->value);
	print_option_head(stream, head);
	snprintf(help, sizeof help, "%s%s", text->help, text->repeatable ? "; may be given several times" : "");
	print_wrapped(stream, help, OPTION_COLUMN, OPTION_COLUMN);
}

static void print_option(FILE *stream, const command_option *told)
{
	const ossa_option_table *table = told->table;
	const ossa_option *option = told->option;
	const char *methods = told->methods;
	char head[256], range[192], help[1024];
	const char *no = command_option_on(table, option) ? "[no-]" : "";
	snprintf(head, sizeof head, "--%s%s %s", no, option->name, command_option_value_name(option));
	if (told->is_again) fprintf(stream, "%*s", OPTION_COLUMN, "");
	else print_option_head(stream, head);
	command_option_range(table, option, range, sizeof range);
	const bool source = option->source && option->source[0];
	snprintf(help, sizeof help, "%s%s%s%s%s%s%s", methods, methods[0] ? ": " : "", option->help, range, source ? " [" : "",
		source ? option->source : "", source ? "]" : "");
	print_wrapped(stream, help, OPTION_COLUMN, OPTION_COLUMN);
}

static void print_examples(FILE *stream, const char *lines)
{
	fputs("\nExamples:\n", stream);
	while (*lines) {
		const int length = (int)strcspn(lines, "\n");
		fprintf(stream, "  %.*s\n", length, lines);
		lines += lines[length] ? length + 1 : length;
	}
}

void command_print_help(FILE *stream, const command_definition *command)
{
	fprintf(stream, "usage: ossa %s%s%s\n\n", command->name, command->usage[0] ? " " : "", command->usage);
	fprintf(stream, "%c%s.\n", toupper((unsigned char)command->summary[0]), command->summary + 1);
	if (command->details) {
		fputc('\n', stream);
		print_wrapped(stream, command->details, 0, 0);
	}
	if (command_text_count(command) + command_table_count(command) > 0) fputs("\nOptions:\n", stream);
	for (size_t i = 0; i < command_text_count(command); i++) print_text_option(stream, &command->texts[i]);
	command_option own;
	for (size_t i = 0; command_option_at(command, i, &own); i++) print_option(stream, &own);
	fputs("\nOptions of every command:\n", stream);
	const ossa_option_table *shared = command_shared_table();
	for (size_t i = 0; i < shared->count; i++) {
		own = (command_option){.table = shared, .option = &shared->options[i]};
		print_option(stream, &own);
	}
	print_option_head(stream, "-h, --help");
	fputs("print this and stop\n", stream);
	if (command->examples) print_examples(stream, command->examples);
}

void command_print_overview(FILE *stream)
{
	fprintf(stream, "ossa %s: shapes in, rigs out\n\nusage: ossa COMMAND ARGUMENTS...\n\nCommands:\n", ossa_version().text);
	for (size_t i = 0; command_list[i]; i++) {
		fprintf(stream, "  %-10s %s\n", command_list[i]->name, command_list[i]->summary);
	}
	fputs("\nHelp on one of them: ossa COMMAND --help\n", stream);
}
