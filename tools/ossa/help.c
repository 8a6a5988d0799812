/* tools/ossa/help.c: help on a terminal, made from the tables.

   Place in the path: the top.
   Input: commands and option tables.
   Output: text of 80 columns. */
#include "command_tables.h"
#include "target.h"

#include <ctype.h>
#include <string.h>

enum { COLUMNS = 80, OPTION_COLUMN = 28 };

void command_print_wrapped(FILE *stream, const char *text, int column, int indent)
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
	case OSSA_OPTION_INT: return option->choices[0] ? option->choices : "N";
	case OSSA_OPTION_DOUBLE: return "X";
	case OSSA_OPTION_CHOICE:
	case OSSA_OPTION_NAME:
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
	else if (!number || option->choices[0]) snprintf(text, size, " (default %s)", value);
	else if (option->maximum >= 1e9)
		snprintf(text, size, " (%g or more%s%s; default %s)", option->minimum, space, option->unit, value);
	else snprintf(text, size, " (%.9g to %.9g%s%s; default %s)", option->minimum, option->maximum, space, option->unit, value);
}

/* " (frames; default 32)"; nothing for a flag that is off */
static void print_default(const ossa_option_table *table, const ossa_option *option, char *text, size_t size)
{
	char value[64];
	ossa_option_print(option, table->defaults, value, sizeof value);
	const bool is_off = option->type == OSSA_OPTION_BOOL && strcmp(value, "no") == 0;
	if (is_off || !value[0]) text[0] = 0;
	else snprintf(text, size, " (%s%sdefault %s)", option->unit, option->unit[0] ? "; " : "", value);
}

/* moves to the column where an option's help begins */
static void print_option_head(FILE *stream, const char *head)
{
	int length = (int)strlen(head);
	/* many choices are broken before one of them */
	for (int at = COLUMNS - 3; length + 2 > COLUMNS; at = COLUMNS - 3) {
		while (at > 0 && head[at] != '|') at--;
		if (at == 0) break;
		fprintf(stream, "  %.*s\n", at, head);
		head += at;
		length -= at;
	}
	fprintf(stream, "  %s", head);
	if (length + 4 > OPTION_COLUMN) fprintf(stream, "\n%*s", OPTION_COLUMN, "");
	else fprintf(stream, "%*s", OPTION_COLUMN - length - 2, "");
}

/* what is printed of a command's options */
typedef struct help_page {
	FILE *stream;
	const command_definition *command;
	command_topic topic;
	bool in_detail; /* with the sources of values */
	bool has_title; /* the heading is printed */
} help_page;

static void print_title(help_page *page, const char *title)
{
	if (!page->has_title) fprintf(page->stream, "\n%s:\n", title);
	page->has_title = true;
}

static void print_text_option(const help_page *page, const command_text *text)
{
	char head[96], help[512];
	if (text->letter) snprintf(head, sizeof head, "-%c, --%s %s", text->letter, text->name, text->value);
	else snprintf(head, sizeof head, "--%s%s%s", text->name, text->value[0] ? " " : "", text->value);
	print_option_head(page->stream, head);
	const bool says_repeatable = text->repeatable && page->in_detail;
	snprintf(help, sizeof help, "%s%s", text->help, says_repeatable ? "; may be given several times" : "");
	command_print_wrapped(page->stream, help, OPTION_COLUMN, OPTION_COLUMN);
}

static size_t add_source(char *text, size_t size, size_t used, const char *method, const char *source)
{
	const char *gap = used > 0 ? "; " : "";
	const int more = snprintf(text + used, size - used, "%s%s%s%s", gap, method, method[0] ? ": " : "", source);
	return more > 0 && used + (size_t)more < size ? used + (size_t)more : used;
}

/* where an option's default is from: of a page about one method that method's own, else that of
   each method that has the option, unless all have the same */
static void list_sources(const help_page *page, const command_option *described, char *text, size_t size)
{
	const ossa_option *option = described->option;
	bool is_same = true;
	size_t used = 0;
	text[0] = 0;
	for (size_t t = 0; !page->topic.method && t < command_table_count(page->command); t++) {
		const char *method;
		const ossa_option *own = ossa_option_find(command_table_at(page->command, t, &method), option->name);
		if (!method || !own || strcmp(own->help, option->help) != 0 || !own->source || !own->source[0]) continue;
		is_same = is_same && option->source && strcmp(own->source, option->source) == 0;
		used = add_source(text, size, used, method, own->source);
	}
	if (is_same) snprintf(text, size, "%s", option->source ? option->source : "");
}

static void print_option(const help_page *page, const command_option *described)
{
	const ossa_option_table *table = described->table;
	const ossa_option *option = described->option;
	const char *methods = described->methods;
	char head[256], range[192], source[1024] = "", help[2048];
	const char *no = command_option_on(table, option) ? "[no-]" : "";
	snprintf(head, sizeof head, "--%s%s %s", no, option->name, command_option_value_name(option));
	if (described->is_again) fprintf(page->stream, "%*s", OPTION_COLUMN, "");
	else print_option_head(page->stream, head);
	if (page->in_detail) command_option_range(table, option, range, sizeof range);
	else print_default(table, option, range, sizeof range);
	if (page->in_detail) list_sources(page, described, source, sizeof source);
	snprintf(help, sizeof help, "%s%s%s%s%s%s%s", methods, methods[0] ? ": " : "", option->help, range, source[0] ? " [" : "",
		source, source[0] ? "]" : "");
	command_spell_options(help);
	command_print_wrapped(page->stream, help, OPTION_COLUMN, OPTION_COLUMN);
}

/* the options of one method's table, in its own words */
static void print_method_group(help_page *page, const char *title)
{
	const command_definition *command = page->command;
	for (size_t t = 0; t < command_table_count(command); t++) {
		const char *method;
		const ossa_option_table *table = command_table_at(command, t, &method);
		if (!method || strcmp(method, page->topic.method) != 0) continue;
		for (size_t i = 0; i < table->count; i++) {
			const ossa_option_group *group = ossa_option_group_find(table->groups, table->options[i].name, NULL);
			if (strcmp(group ? group->title : "Options", title) != 0) continue;
			print_title(page, title);
			print_option(page, &(command_option){.table = table, .option = &table->options[i]});
		}
	}
}

/* what --for sets for each program */
static void print_targets(FILE *stream)
{
	for (size_t t = 0; t < ossa_target_count(); t++) {
		char text[256];
		command_target_print(ossa_target_at(t), text, sizeof text);
		fprintf(stream, "%*s", OPTION_COLUMN, "");
		command_print_wrapped(stream, text, OPTION_COLUMN, OPTION_COLUMN);
	}
}

/* which methods --method can name */
static void print_methods(FILE *stream)
{
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossa_method *method = ossa_method_at(m);
		char help[512];
		snprintf(
			help, sizeof help, "%s: %s: %s (%s)", method->name, command_method_input(method), method->help, method->source);
		fprintf(stream, "%*s", OPTION_COLUMN, "");
		command_print_wrapped(stream, help, OPTION_COLUMN, OPTION_COLUMN);
	}
}

static bool stands_here(const help_page *page, const char *title, const char *name)
{
	return strcmp(command_group_of(page->command, name, NULL), title) == 0 &&
		command_topic_shows(page->command, &page->topic, name);
}

static void print_group(help_page *page, const char *title)
{
	const command_definition *command = page->command;
	command_option own;
	page->has_title = false;
	if (page->topic.method) {
		print_method_group(page, title);
		return;
	}
	for (size_t i = 0; i < command_text_count(command); i++) {
		if (!stands_here(page, title, command->texts[i].name)) continue;
		print_title(page, title);
		print_text_option(page, &command->texts[i]);
	}
	for (size_t i = 0; command_option_at(command, i, &own); i++) {
		if (!stands_here(page, title, own.option->name)) continue;
		print_title(page, title);
		print_option(page, &own);
		if (command->makes_rigs && strcmp(own.option->name, "method") == 0) print_methods(page->stream);
		if (page->in_detail && strcmp(own.option->name, "for") == 0) print_targets(page->stream);
	}
}

static void print_shared(help_page *page)
{
	const ossa_option_table *shared = command_shared_table();
	const char *only = page->topic.shared;
	page->has_title = false;
	print_title(page, shared->groups[0].title);
	for (size_t i = 0; i < shared->count; i++) {
		bool is_common = true;
		ossa_option_group_find(shared->groups, shared->options[i].name, &is_common);
		const bool is_shown = only ? strcmp(only, shared->options[i].name) == 0 : is_common || page->topic.is_all;
		if (is_shown) print_option(page, &(command_option){.table = shared, .option = &shared->options[i]});
	}
	if (only && strcmp(only, "help") != 0) return;
	print_option_head(page->stream, "-h, --help [TOPIC]");
	fputs("print this, or help on a topic, and stop\n", page->stream);
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

/* whether there are options that only a topic shows */
static bool leaves_out(const command_definition *command)
{
	const command_topic brief = {.is_all = false};
	command_option own;
	for (size_t i = 0; i < command_text_count(command); i++) {
		if (!command_topic_shows(command, &brief, command->texts[i].name)) return true;
	}
	for (size_t i = 0; command_option_at(command, i, &own); i++) {
		if (!command_topic_shows(command, &brief, own.option->name)) return true;
	}
	return false;
}

static void print_topics(FILE *stream, const command_definition *command)
{
	char text[COMMAND_TOPIC_SIZE], line[512];
	const char *topic;
	size_t used = 0;
	for (size_t i = 0; used < sizeof line && (topic = command_topic_at(command, i, text)) != NULL; i++) {
		used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", i ? ", " : "", topic);
	}
	fprintf(stream, "\nThere are more options: ossa %s --help TOPIC. Topics are\n  ", command->name);
	command_print_wrapped(stream, line, 2, 2);
	fputs("  and the name of any option\n", stream);
}

static void print_head(const help_page *page)
{
	const command_definition *command = page->command;
	const int column = fprintf(page->stream, "usage: ossa %s%s", command->name, command->usage[0] ? " " : "");
	command_print_wrapped(page->stream, command->usage, column, column);
	fprintf(page->stream, "\n%c%s.\n", toupper((unsigned char)command->summary[0]), command->summary + 1);
	const char *paragraphs[] = {command->details, page->topic.is_all ? command->more : NULL};
	for (int i = 0; i < 2; i++) {
		if (!paragraphs[i]) continue;
		fputc('\n', page->stream);
		command_print_wrapped(page->stream, paragraphs[i], 0, 0);
	}
}

static void print_method_head(const help_page *page)
{
	const ossa_method *method = ossa_method_find(page->topic.method);
	char help[512];
	fprintf(page->stream, "ossa %s: options of --method %s\n\n", page->command->name, method->name);
	snprintf(help, sizeof help, "For %s: %s (%s).", command_method_input(method), method->help, method->source);
	command_print_wrapped(page->stream, help, 0, 0);
}

static void print_groups(help_page *page)
{
	const char *title;
	for (size_t i = 0; (title = command_group_at(page->command, i)) != NULL; i++) print_group(page, title);
}

/* a method and an option may have one name */
static void print_option_too(const help_page *page)
{
	help_page own = *page;
	own.topic = (command_topic){.name = page->topic.name, .option = page->topic.option};
	fprintf(page->stream, "\nossa %s: help on --%s\n", page->command->name, own.topic.option);
	print_groups(&own);
}

static void print_page(help_page *page)
{
	const command_definition *command = page->command;
	const command_topic *topic = &page->topic;
	const bool is_whole = !topic->method && !topic->group && !topic->option && !topic->shared;
	if (is_whole) print_head(page);
	else if (topic->method) print_method_head(page);
	else fprintf(page->stream, "ossa %s: help on %s\n", command->name, topic->name);
	print_groups(page);
	if (topic->method && topic->option) print_option_too(page);
	if (is_whole || topic->shared) print_shared(page);
	if (!is_whole) return;
	if (!topic->is_all && leaves_out(command)) print_topics(page->stream, command);
	if (command->examples) print_examples(page->stream, command->examples);
}

ossa_status command_help_on(command_run *run, const command_definition *command, const char *topic)
{
	help_page page = {.stream = stdout, .command = command, .in_detail = topic != NULL};
	if (command_topic_find(command, topic, &page.topic)) {
		print_page(&page);
		return OSSA_OK;
	}
	char text[COMMAND_TOPIC_SIZE];
	const char *nearest = command_topic_nearest(command, topic, text);
	return command_fail(run, OSSA_ERROR_ARGUMENT, "there is no help on \"%.60s\"%s%s%s (see: ossa %s --help)", topic,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "", command->name);
}

void command_print_overview(FILE *stream)
{
	fprintf(stream, "ossa %s: shapes in, rigs out\n\nusage: ossa COMMAND ARGUMENTS...\n\nCommands:\n", ossa_version().text);
	for (size_t i = 0; command_list[i]; i++) {
		fprintf(stream, "  %-10s %s\n", command_list[i]->name, command_list[i]->summary);
	}
	fputs("\nHelp on a command: ossa COMMAND --help\nWhat the numbers mean: ossa help metrics\n", stream);
}
