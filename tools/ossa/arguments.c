/* tools/ossa/arguments.c: the words of a command line into a checked command_run.

   Place in the path: the top.
   Input: a command's tables and argv.
   Output: files, texts and filled option structs, or one sentence that names the wrong word and
   suggests the nearest known one. */
#include "command_tables.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const command_shared shared_default = {0, 0, false, false};

static const ossa_option shared_options[] = {
	{"threads", OSSA_OPTION_INT, offsetof(command_shared, threads), 0, 1024, "", "",
		"number of worker threads; 0: one for every core. The result does not depend on it", ""},
	{"memory-limit", OSSA_OPTION_INT, offsetof(command_shared, memory_limit), 0, 1 << 30, "MB", "",
		"stop with an error where more memory would be used; 0: no limit", ""},
	{"json", OSSA_OPTION_BOOL, offsetof(command_shared, json), 0, 1, "", "", "print one JSON object instead of text", ""},
	{"quiet", OSSA_OPTION_BOOL, offsetof(command_shared, quiet), 0, 1, "", "", "print errors only; -q for short", ""},
};

const ossa_option_table *command_shared_table(void)
{
	static const ossa_option_group groups[] = {
		{"Every command", "threads|json|quiet", "memory-limit"},
		{NULL, NULL, NULL},
	};
	static const ossa_option_table table = {"shared", shared_options, sizeof shared_options / sizeof shared_options[0],
		&shared_default, .size = sizeof(command_shared), .groups = groups};
	return &table;
}

size_t command_text_count(const command_definition *command)
{
	size_t count = 0;
	while (count < COMMAND_TEXTS_MAX && command->texts[count].name) count++;
	return count;
}

size_t command_table_count(const command_definition *command)
{
	size_t count = 0;
	while (count < COMMAND_TABLES_MAX && command->tables[count]) count++;
	return command->makes_rigs ? 1 + ossa_method_count() + count : count;
}

const ossa_option_table *command_table_at(const command_definition *command, size_t index, const char **method)
{
	const size_t methods = command->makes_rigs ? ossa_method_count() : 0, own = command->makes_rigs ? 1 + methods : 0;
	*method = NULL;
	if (index >= own) return command->tables[index - own]();
	if (index == 0) return ossa_rig_option_table();
	*method = ossa_method_at(index - 1)->name;
	return ossa_method_at(index - 1)->option_table();
}

/* the words still to be read */
typedef struct word_list {
	char **at, **end;
} word_list;

static ossa_status refuse(command_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* every error about the command line ends with a pointer to the help */
static ossa_status refuse(command_run *run, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const int used = vsnprintf(run->message, sizeof run->message, format, arguments);
	va_end(arguments);
	if (used >= 0 && (size_t)used < sizeof run->message) {
		snprintf(run->message + used, sizeof run->message - (size_t)used, " (see: ossa %s --help)", run->command->name);
	}
	return OSSA_ERROR_ARGUMENT;
}

/* the option of that name, as the first table that knows it has it, or NULL */
static const ossa_option *find_option(const command_run *run, const char *name)
{
	const ossa_option *option = ossa_option_find(command_shared_table(), name);
	const char *method;
	for (size_t i = 0; !option && i < command_table_count(run->command); i++) {
		option = ossa_option_find(command_table_at(run->command, i, &method), name);
	}
	return option;
}

static ossa_status refuse_unknown(command_run *run, const char *name)
{
	char text[256];
	command_explain_unknown(run->command, name, text, sizeof text);
	return refuse(run, "%s", text);
}

/* in every table that knows it */
static ossa_status set_option(command_run *run, const ossa_option *option, const char *value)
{
	const char *name = option->name;
	ossa_status status = OSSA_OK;
	if (ossa_option_find(command_shared_table(), name)) {
		status = ossa_option_set(run->arguments, command_shared_table(), &run->shared, name, value);
	} else run->given.values[run->given.count++] = name;
	if (status == OSSA_OK && run->command->makes_rigs && ossa_rig_option_find(name)) {
		status = ossa_rig_option_set(run->arguments, &run->rig, name, value);
	}
	for (size_t i = 0; status == OSSA_OK && i < COMMAND_TABLES_MAX && run->options[i]; i++) {
		const ossa_option_table *table = run->command->tables[i]();
		if (ossa_option_find(table, name)) status = ossa_option_set(run->arguments, table, run->options[i], name, value);
	}
	return status == OSSA_OK ? OSSA_OK : refuse(run, "%s", ossa_context_error(run->arguments)->message);
}

/* the value of an option that must have one: what follows '=', or the next word */
static ossa_status take_value(command_run *run, word_list *words, const char *name, const char *attached, const char **value)
{
	*value = attached;
	if (attached) return OSSA_OK;
	if (words->at == words->end) return refuse(run, "--%s needs a value", name);
	*value = *words->at++;
	return OSSA_OK;
}

static ossa_status add_text(command_run *run, size_t index, const char *value)
{
	const command_text *text = &run->command->texts[index];
	command_values *values = &run->texts[index];
	if (value[0] == 0 && text->value[0]) return refuse(run, "--%s needs a value", text->name);
	if (values->count > 0 && !text->repeatable) return refuse(run, "--%s is given twice", text->name);
	values->values[values->count++] = value;
	run->typed[run->typed_count++] = (command_typed){index, value};
	return OSSA_OK;
}

static ossa_status pass(command_run *run, const char *name, const char *value, bool is_flag)
{
	run->passed[run->passed_count++] = (command_passed){name, value, is_flag};
	return OSSA_OK;
}

/* an option of the command that options are passed to; `is_found`: it has one of that name */
static ossa_status parse_passed(command_run *run, word_list *words, const char *name, const char *attached, bool *is_found)
{
	const command_definition *other = run->command->passes;
	const char *value, *method;
	*is_found = other && command_has_option(other, name);
	for (size_t i = 0; *is_found && i < command_text_count(other); i++) {
		if (strcmp(other->texts[i].name, name) != 0) continue;
		COMMAND_TRY(take_value(run, words, name, attached, &value));
		return pass(run, other->texts[i].name, value, false);
	}
	for (size_t i = 0; *is_found && i < command_table_count(other); i++) {
		const ossa_option *option = ossa_option_find(command_table_at(other, i, &method), name);
		if (!option) continue;
		if (option->type == OSSA_OPTION_BOOL) return pass(run, option->name, attached ? attached : "yes", true);
		COMMAND_TRY(take_value(run, words, name, attached, &value));
		return pass(run, option->name, value, false);
	}
	if (*is_found || !other || strncmp(name, "no-", 3) != 0 || attached) return OSSA_OK;
	for (size_t i = 0; i < command_table_count(other); i++) {
		const ossa_option *option = ossa_option_find(command_table_at(other, i, &method), name + 3);
		if (!option || option->type != OSSA_OPTION_BOOL) continue;
		*is_found = true;
		return pass(run, option->name, "no", true);
	}
	return OSSA_OK;
}

/* --name, --name=value, --name value, --no-name */
static ossa_status parse_long(command_run *run, word_list *words, const char *word)
{
	char name[64];
	const size_t length = strcspn(word, "=");
	snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), word);
	const char *attached = word[length] == '=' ? word + length + 1 : NULL, *value = NULL;
	if (strcmp(name, "help") == 0) {
		/* a word behind it is the topic; nothing else of the line matters then */
		run->help = true;
		run->topic = attached;
		if (!attached && words->at < words->end && words->at[0][0] != '-') run->topic = *words->at;
		words->at = words->end;
		return OSSA_OK;
	}
	for (size_t i = 0; i < command_text_count(run->command); i++) {
		if (strcmp(run->command->texts[i].name, name) != 0) continue;
		if (!run->command->texts[i].value[0]) {
			return attached ? refuse(run, "--%s takes no value", name) : add_text(run, i, "");
		}
		const ossa_status status = take_value(run, words, name, attached, &value);
		return status == OSSA_OK ? add_text(run, i, value) : status;
	}
	const ossa_option *option = find_option(run, name);
	if (option && option->type == OSSA_OPTION_BOOL) return set_option(run, option, attached ? attached : "yes");
	if (option) {
		const ossa_status status = take_value(run, words, name, attached, &value);
		return status == OSSA_OK ? set_option(run, option, value) : status;
	}
	if (strncmp(name, "no-", 3) == 0 && !attached) {
		option = find_option(run, name + 3);
		if (option && option->type == OSSA_OPTION_BOOL) return set_option(run, option, "no");
	}
	bool is_found;
	const ossa_status status = parse_passed(run, words, name, attached, &is_found);
	return is_found ? status : refuse_unknown(run, name);
}

/* -h, -q, -oFILE, -o FILE */
static ossa_status parse_short(command_run *run, word_list *words, const char *word)
{
	const char *attached = word[1] ? word + 1 : NULL;
	if (word[0] == 'h' && !attached) return parse_long(run, words, "help");
	if (word[0] == 'q' && !attached) return parse_long(run, words, "quiet");
	for (size_t i = 0; i < command_text_count(run->command); i++) {
		if (run->command->texts[i].letter != word[0]) continue;
		const char *value = NULL;
		const ossa_status status = take_value(run, words, run->command->texts[i].name, attached, &value);
		return status == OSSA_OK ? add_text(run, i, value) : status;
	}
	return refuse(run, "there is no option -%s", word);
}

static ossa_status parse_words(command_run *run, word_list *words)
{
	bool options_end = false;
	while (words->at < words->end) {
		const char *word = *words->at++;
		ossa_status status = OSSA_OK;
		if (options_end || word[0] != '-' || word[1] == 0) run->files.values[run->files.count++] = word;
		else if (strcmp(word, "--") == 0) options_end = true;
		else if (word[1] == '-') status = parse_long(run, words, word + 2);
		else status = parse_short(run, words, word + 1);
		if (status != OSSA_OK) return status;
	}
	return OSSA_OK;
}

static ossa_status check_file_count(command_run *run)
{
	const command_definition *command = run->command;
	if (run->files.count >= command->files_minimum && run->files.count <= command->files_maximum) return OSSA_OK;
	if (run->files.count > command->files_maximum) {
		return refuse(run, "\"%s\" is one argument too many", run->files.values[command->files_maximum]);
	}
	return refuse(run, "too few arguments; usage: ossa %s %s", command->name, command->usage);
}

/* every list has the capacity of all words, so that none grows while parsing */
static ossa_status grow(command_run *run, size_t words)
{
	const size_t texts = command_text_count(run->command);
	const char **capacity = calloc((texts + 2) * (words + 1), sizeof *capacity);
	if (!capacity) return command_fail(run, OSSA_ERROR_MEMORY, "out of memory");
	run->files.values = capacity;
	run->typed = calloc(words + 1, sizeof *run->typed);
	run->passed = calloc(words + 1, sizeof *run->passed);
	if (!run->typed || !run->passed) return command_fail(run, OSSA_ERROR_MEMORY, "out of memory");
	run->given.values = capacity + words + 1;
	for (size_t i = 0; i < texts; i++) run->texts[i].values = capacity + (i + 2) * (words + 1);
	for (size_t i = 0; i < COMMAND_TABLES_MAX && run->command->tables[i]; i++) {
		const ossa_option_table *table = run->command->tables[i]();
		run->options[i] = malloc(table->size);
		if (!run->options[i]) return command_fail(run, OSSA_ERROR_MEMORY, "out of memory");
		memcpy(run->options[i], table->defaults, table->size);
	}
	return OSSA_OK;
}

/* parsing has a context of its own, because the command's context is made from the options parsed
   here */
static ossa_status make_context(command_run *run)
{
	const ossa_status status = ossa_context_create(NULL, &run->arguments);
	if (status != OSSA_OK || !run->command->makes_rigs) return status;
	run->rig = ossa_rig_default();
	return ossa_method_options_create(run->arguments, &run->rig.methods);
}

ossa_status command_parse(command_run *run, const command_definition *command, int count, char **argv)
{
	*run = (command_run){.command = command, .shared = shared_default, .wall_begin = command_clock()};
	word_list words = {argv, argv + count};
	ossa_status status = grow(run, (size_t)count);
	if (status == OSSA_OK) status = make_context(run);
	if (status == OSSA_OK) status = parse_words(run, &words);
	if (status == OSSA_OK && !run->help) status = check_file_count(run);
	return status;
}

void command_run_free(command_run *run)
{
	ossa_context_free(run->context);
	if (run->arguments) ossa_method_options_free(run->arguments, run->rig.methods);
	ossa_context_free(run->arguments);
	for (size_t i = 0; i < COMMAND_TABLES_MAX; i++) free(run->options[i]);
	free(run->files.values);
	free(run->typed);
	free(run->passed);
	path_list_free(&run->opened);
	path_list_free(&run->written);
	*run = (command_run){.command = run->command};
}
