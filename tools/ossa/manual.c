/* tools/ossa/manual.c: the manual page ossa(1), made from the tables (`ossa --man` at build time).

   Place in the path: the top.
   Input: commands and option tables.
   Output: roff of the man macros. */
#include "command_tables.h"
#include "target.h"

#include <ctype.h>
#include <string.h>

/* text with roff's special characters escaped */
static void print_roff(FILE *stream, const char *text)
{
	bool line_begin = true;
	for (; *text; text++) {
		if (line_begin && (*text == '.' || *text == '\'')) fputs("\\&", stream);
		line_begin = *text == '\n';
		if (*text == '\\') fputs("\\e", stream);
		else if (*text == '-') fputs("\\-", stream);
		else fputc(*text, stream);
	}
}

static void print_paragraphs(FILE *stream, const char *text)
{
	while (*text) {
		const char *end = strstr(text, "\n\n");
		const int length = end ? (int)(end - text) : (int)strlen(text);
		char paragraph[2048];
		snprintf(paragraph, sizeof paragraph, "%.*s", length, text);
		fputs(".PP\n", stream);
		print_roff(stream, paragraph);
		fputc('\n', stream);
		text += length;
		while (*text == '\n') text++;
	}
}

static void print_text_option(FILE *stream, const command_text *text)
{
	fputs(".TP\n", stream);
	if (text->letter) fprintf(stream, "\\fB\\-%c\\fR, ", text->letter);
	fputs("\\fB\\-\\-", stream);
	print_roff(stream, text->name);
	fprintf(stream, "\\fR \\fI%s\\fR\n", text->value);
	print_roff(stream, text->help);
	fputs(text->repeatable ? "; may be given several times\n" : "\n", stream);
}

static void print_option_head(FILE *stream, const ossa_option_table *table, const ossa_option *option)
{
	fprintf(stream, ".TP\n\\fB\\-\\-%s", command_option_on(table, option) ? "[no\\-]" : "");
	print_roff(stream, option->name);
	fputs("\\fR \\fI", stream);
	print_roff(stream, command_option_value_name(option));
	fputs("\\fR\n", stream);
}

static void print_option(FILE *stream, const command_option *described)
{
	const ossa_option *option = described->option;
	const char *methods = described->methods;
	char range[192], help[1024], source[256];
	command_option_range(described->table, option, range, sizeof range);
	snprintf(help, sizeof help, "%s", option->help);
	snprintf(source, sizeof source, "%s", option->source ? option->source : "");
	command_spell_options(help);
	command_spell_options(source);
	if (described->is_again) fputs(".br\n", stream);
	else print_option_head(stream, described->table, option);
	print_roff(stream, methods);
	print_roff(stream, methods[0] ? ": " : "");
	print_roff(stream, help);
	print_roff(stream, range);
	if (source[0]) {
		fputs("\n.br\n", stream);
		print_roff(stream, source);
	}
	fputc('\n', stream);
}

/* which methods --method can name */
static void print_methods(FILE *stream)
{
	fputs(".PP\nMethods:\n", stream);
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossa_method *method = ossa_method_at(m);
		fputs(".TP\n\\fB", stream);
		print_roff(stream, method->name);
		fputs("\\fR\n", stream);
		print_roff(stream, command_method_input(method));
		print_roff(stream, ": ");
		print_roff(stream, method->help);
		fputs(" (", stream);
		print_roff(stream, method->source);
		fputs(")\n", stream);
	}
}

static bool has_option(const command_definition *command, const char *name)
{
	command_option own;
	for (size_t i = 0; command_option_at(command, i, &own); i++) {
		if (strcmp(own.option->name, name) == 0) return true;
	}
	return false;
}

/* what --for sets for each program */
static void print_targets(FILE *stream)
{
	fputs(".PP\nPrograms of \\-\\-for:\n", stream);
	for (size_t t = 0; t < ossa_target_count(); t++) {
		char text[256];
		command_target_print(ossa_target_at(t), text, sizeof text);
		fputs(".br\n", stream);
		print_roff(stream, text);
		fputc('\n', stream);
	}
}

/* the options that most people need first */
static void print_group(FILE *stream, const command_definition *command, const char *title, bool common)
{
	bool is_common = true;
	command_option own;
	for (size_t i = 0; i < command_text_count(command); i++) {
		const command_text *text = &command->texts[i];
		if (strcmp(command_group_of(command, text->name, &is_common), title) != 0 || is_common != common) continue;
		print_text_option(stream, text);
	}
	for (size_t i = 0; command_option_at(command, i, &own); i++) {
		if (strcmp(command_group_of(command, own.option->name, &is_common), title) != 0 || is_common != common) continue;
		print_option(stream, &own);
	}
}

static void print_groups(FILE *stream, const command_definition *command)
{
	const char *title;
	for (size_t i = 0; (title = command_group_at(command, i)) != NULL; i++) {
		if (!command_group_holds(command, title)) continue;
		fprintf(stream, ".PP\n\\fI%s\\fR\n", title);
		print_group(stream, command, title, true);
		print_group(stream, command, title, false);
	}
}

static void print_command(FILE *stream, const command_definition *command)
{
	fputs(".SS \"ossa ", stream);
	print_roff(stream, command->name);
	fputs("\"\n\\fBossa ", stream);
	print_roff(stream, command->name);
	fputs("\\fR ", stream);
	print_roff(stream, command->usage);
	fputs("\n.PP\n", stream);
	fputc(toupper((unsigned char)command->summary[0]), stream);
	print_roff(stream, command->summary + 1);
	fputs(".\n", stream);
	if (command->details) print_paragraphs(stream, command->details);
	if (command->makes_rigs) print_methods(stream);
	if (has_option(command, "for")) print_targets(stream);
	if (command->more) print_paragraphs(stream, command->more);
	print_groups(stream, command);
	if (!command->examples) return;
	fputs(".PP\n.nf\n", stream);
	print_roff(stream, command->examples);
	fputs("\n.fi\n", stream);
}

static void print_metrics(FILE *stream)
{
	const ossa_metric_table *table;
	fputs(".SH METRICS\n", stream);
	for (size_t t = 0; (table = ossa_metric_table_at(t)) != NULL; t++) {
		fputs(".SS ", stream);
		print_roff(stream, table->title);
		fputc('\n', stream);
		for (size_t i = 0; i < table->count; i++) {
			const ossa_metric_field *field = &table->fields[i];
			fputs(".TP\n", stream);
			print_roff(stream, field->title);
			fputs(" (\\fB", stream);
			print_roff(stream, field->name);
			fprintf(stream, "\\fR)%s%s\n", field->unit[0] ? ", " : "", field->unit);
			print_roff(stream, field->help);
			fputc('\n', stream);
		}
	}
}

void command_print_manual(FILE *stream)
{
	fprintf(stream,
		".TH OSSA 1 \"\" \"ossa %s\" \"User Commands\"\n"
		".SH NAME\nossa \\- automatic rigging: shapes in, rigs out\n"
		".SH SYNOPSIS\n\\fBossa\\fR \\fICOMMAND\\fR \\fIARGUMENTS\\fR...\n"
		".SH DESCRIPTION\n"
		"ossa makes a rig of a mesh, of a mesh and example poses, or of an animation: a skeleton, skinning weights and the "
		"poses as keyframes, in a\n"
		"file that Blender and other programs open. The same input gives the same bytes on any number of threads.\n"
		".SH COMMANDS\n",
		ossa_version().text);
	for (size_t i = 0; command_list[i]; i++) print_command(stream, command_list[i]);
	fputs(".SH OPTIONS OF EVERY COMMAND\n", stream);
	const ossa_option_table *shared = command_shared_table();
	for (size_t i = 0; i < shared->count; i++) {
		const command_option described = {.table = shared, .option = &shared->options[i]};
		print_option(stream, &described);
	}
	fputs(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR [\\fITOPIC\\fR]\n"
		  "print the options that most people need, or help on a topic (all, a method, a heading, the name of an option), and "
		  "stop\n",
		stream);
	print_metrics(stream);
	fputs(".SH EXIT STATUS\n"
		  ".TP\n0\nDone.\n"
		  ".TP\n1\nA batch is done, and some of its assets failed.\n"
		  ".TP\n2\nThe command line is wrong.\n"
		  ".TP\n3\nThe input cannot be read or does not hold what it must.\n"
		  ".TP\n4\nA limit was passed or memory ran out.\n"
		  ".TP\n5\nThe output cannot be written; what was there before is untouched.\n"
		  ".TP\n130\nStopped on request (Ctrl\\-C).\n",
		stream);
}
